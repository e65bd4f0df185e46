"""Live figures and the explorer in a real page, on a rulebook made for tests."""

from pathlib import Path

import nbformat
import pytest

FAKE = (Path(__file__).parents[1] / "fake_rulebook.py").read_text()
OPEN = "from navkit import explorers\nexplorer = explorers.explorer(rulebook)\nexplorer"


@pytest.fixture
def open_cells(front_end, open_notebook):
    """Opens a notebook of these cells, once `charts` of them are drawn."""

    def open_cells(*cells, charts):
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, front_end.folder / "live.ipynb")
        page = open_notebook(front_end, "live.ipynb")
        page.wait_for_function(f"window.Bokeh?.documents.length === {charts}")
        page.wait_for_function("Bokeh.documents.every(shown => shown.is_idle)")
        return page

    return open_cells


def test_a_key_changes_the_charts_that_depend_on_it(
    open_cells, chart_data, handle, watch, screenshot, front_end
):
    page = open_cells(FAKE, OPEN, charts=4)
    before = chart_data(page)
    watch(page)
    handle(page, "guns").press("ArrowRight")
    page.wait_for_function("changes.volley.length === 1 && changes.sinking.length === 2")
    page.get_by_text("20000 fights").wait_for()
    after = chart_data(page)
    assert {name for name in before if before[name] != after[name]} == {"volley", "sinking"}
    assert len(after["volley"]["x"]) == 5 * 6 + 1
    screenshot(page, f"fake-{front_end.name}")


def test_rapid_keys_never_go_back_to_an_older_value(open_cells, handle):
    page = open_cells(FAKE, OPEN, charts=4)
    page.evaluate("""() => {
        window.lengths = [];
        const [volley] = Bokeh.documents.map(shown => shown.get_model_by_name("volley"))
            .filter(Boolean);
        volley.properties.data.change.connect(() => lengths.push(volley.data.x.length));
    }""")
    handle(page, "guns").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(f"lengths.at(-1) === {16 * 6 + 1}")
    page.get_by_text("20000 fights").wait_for()
    lengths = page.evaluate("lengths")
    assert lengths == sorted(set(lengths))
    assert len(lengths) <= 12


def test_one_page_loads_bokeh_once_and_a_closed_panel_leaves_nothing(open_cells):
    button = "\n".join([
        "import ipywidgets",
        "button = ipywidgets.Button(description='close it')",
        "button.on_click(lambda _: explorer.close())",
        "button",
    ])  # fmt: skip
    page = open_cells(FAKE, OPEN, button, charts=4)
    assert page.evaluate("navkitBokehLoads.size") == 0  # none is under way
    page.get_by_role("button", name="close it").click()
    page.wait_for_function("Bokeh.documents.length === 0")
    assert page.locator("figure").count() == 0


def test_a_view_opened_later_shows_the_newest_data(open_cells, chart_data):
    page = open_cells(FAKE, OPEN, "explorer.set(guns=7)\nexplorer.settle()\nexplorer", charts=8)
    lengths = page.evaluate("""() => Bokeh.documents
        .map(shown => shown.get_model_by_name("volley")?.data.x.length).filter(Boolean)""")
    assert lengths == [7 * 6 + 1] * 2


def test_another_number_of_series_draws_another_chart_in_place(open_cells):
    figures = "\n".join([
        "import pandas as pd",
        "from navkit import charts",
        "from navkit.live import LiveFigure",
        "def chart(*names):",
        "    table = pd.DataFrame({name: [0.1, 0.9] for name in names})",
        "    return charts.curves(table, title=' '.join(names), x='turn', y='chance (%)')",
        "live = LiveFigure(chart('sloop'))",
        "live",
    ])  # fmt: skip
    button = "\n".join([
        "import ipywidgets",
        "button = ipywidgets.Button(description='both')",
        "def both(_):",
        "    live.figure = chart('sloop', 'brig')",
        "    live.update({'curves': charts.curve_columns(",
        "        pd.DataFrame({'sloop': [0.2, 0.3], 'brig': [0.4, 0.5]}))}, title='newest')",
        "button.on_click(both)",
        "button",
    ])  # fmt: skip
    page = open_cells(figures, button, charts=1)
    page.get_by_role("button", name="both").click()
    page.get_by_text("newest").wait_for()
    page.wait_for_function("Bokeh.documents.length === 1 && "
        "Bokeh.documents[0].get_model_by_name('curves').data['y brig']?.[0] === 0.4")  # fmt: skip


def test_folded_house_rules_open_by_keyboard(open_cells, handle):
    page = open_cells(FAKE, OPEN, charts=4)
    rule = page.get_by_text("lookouts", exact=True)
    assert not rule.is_visible()
    handle(page, "turns").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if "More house rules" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    rule.wait_for()
