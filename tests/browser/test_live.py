"""Live figures and the explorer in a real page, on a rulebook made for tests."""

from pathlib import Path

import nbformat
import pytest

FAKE = (Path(__file__).parents[1] / "fake_rulebook.py").read_text()
OPEN = "from navkit import explorers\nexplorer = explorers.explorer(rulebook)\nexplorer"
FIGURE = """
import pandas as pd
from navkit import charts
from navkit.live import LiveFigure

def chart(*names):
    table = pd.DataFrame({name: [0.1, 0.9] for name in names})
    return charts.curves(table, title=" ".join(names), x="turn", y="chance (%)")

live = LiveFigure(chart("sloop"))
live
"""
BUTTONS = """
import ipywidgets

def both():
    live.figure = chart("sloop", "brig")
    table = pd.DataFrame({"sloop": [0.2, 0.3], "brig": [0.4, 0.5]})
    live.update({"curves": charts.curve_columns(table)}, title="newest")

def look_again():
    explorer.set(guns=7)
    explorer.settle()
    with again:
        display(explorer)

def close_all():
    explorer.close()
    live.close()

def button(name, action):
    pressed = ipywidgets.Button(description=name)
    pressed.on_click(lambda _: action())
    return pressed

again = ipywidgets.Output()
buttons = [button("both", both), button("look again", look_again), button("close", close_all)]
ipywidgets.VBox([*buttons, again])
"""


@pytest.fixture
def page(front_end, shared_notebook):
    """An explorer and a live figure, drawn."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in (FAKE, OPEN, FIGURE, BUTTONS)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, front_end.folder / "live.ipynb")
    opened = shared_notebook(front_end, "live.ipynb")
    opened.wait_for_function("window.Bokeh?.documents.length === 5")
    opened.wait_for_function("Bokeh.documents.every(shown => shown.is_idle)")
    return opened


def reset(page):
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function(f"""Bokeh.documents.some(shown =>
        shown.get_model_by_name("volley")?.data.x.length === {4 * 6 + 1})""")


def test_a_key_changes_the_charts_that_depend_on_it(
    page, chart_data, handle, watch, screenshot, front_end
):
    reset(page)
    before = chart_data(page)
    watch(page)
    handle(page, "guns").press("ArrowRight")
    page.wait_for_function("changes.volley.length === 1 && changes.sinking.length === 2")
    page.get_by_text("20000 fights").wait_for()
    after = chart_data(page)
    assert {name for name in before if before[name] != after[name]} == {"volley", "sinking"}
    assert len(after["volley"]["x"]) == 5 * 6 + 1
    screenshot(page, f"fake-{front_end.name}")


def test_rapid_keys_never_go_back_to_an_older_value(page, handle):
    reset(page)
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


def test_folded_house_rules_open_by_keyboard(page, handle):
    rule = page.get_by_text("lookouts", exact=True)
    assert not rule.is_visible()
    handle(page, "turns").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if "More house rules" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    rule.wait_for()


def test_another_number_of_series_draws_another_chart_in_place(page):
    page.get_by_role("button", name="both").click()
    page.locator("figcaption", has_text="newest").wait_for()
    page.wait_for_function("""Bokeh.documents.length === 5 && Bokeh.documents.some(shown =>
        shown.get_model_by_name("curves")?.data["y brig"]?.[0] === 0.4)""")


def test_a_view_opened_later_shows_the_newest_data_and_closed_nothing_is_left(page):
    """The last, since it leaves nothing to others."""
    assert page.evaluate("navkitBokehLoads.size") == 0  # none is under way
    page.get_by_role("button", name="look again").click()
    page.wait_for_function("Bokeh.documents.length === 9")
    page.wait_for_function("Bokeh.documents.every(shown => shown.is_idle)")
    lengths = page.evaluate("""() => Bokeh.documents
        .map(shown => shown.get_model_by_name("volley")?.data.x.length).filter(Boolean)""")
    assert lengths == [7 * 6 + 1] * 2
    assert page.evaluate("navkitBokehLoads.size") == 0
    page.get_by_role("button", name="close").click()
    page.wait_for_function("Bokeh.documents.length === 0")
    assert page.locator("figure").count() == 0
