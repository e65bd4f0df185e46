"""The notebook of Sea Battles as its reader has it: pictures, and the panel under the keys."""

import pytest

NOTEBOOK = "04-sea-battles.ipynb"
VIEWS = {"orders", "hits", "sinking", "extra", "fire", "boarding"}
WAIT = 90_000


@pytest.fixture
def page(front_end, shared_notebook):
    return shared_notebook(front_end, NOTEBOOK)


def test_the_heat_map_and_the_curves_are_drawn(page, chart_data, front_end, screenshot, show):
    show(page, "Who sinks at the start", "heat")
    squares = chart_data(page)["heat"]
    at = list(zip(squares["row"], squares["column"], strict=True)).index(("12 points", "Size 4"))
    assert squares["value"][at] == pytest.approx(145 / 432)
    assert squares["says"][at] == "33.6 %"
    screenshot(page, f"sea-battles-heat-{front_end.name}")
    show(page, "How many hits sink", "curves")
    screenshot(page, f"sea-battles-hits-{front_end.name}")
    show(page, "If they come aboard", "fan")
    screenshot(page, f"sea-battles-boarding-{front_end.name}")


def test_a_key_moves_the_charts_that_depend_on_it(
    page, chart_data, front_end, screenshot, show, handle
):
    show(page, "Your fight", *VIEWS)
    before = chart_data(page)
    handle(page, "Leadership").press("ArrowRight")
    changed = """before => Bokeh.documents.some(shown => {
        const source = shown.get_model_by_name("orders");
        if (!source) return false;
        const data = source.data instanceof Map ? Object.fromEntries(source.data) : source.data;
        return JSON.stringify(Array.from(data["y Hammer"])) !== JSON.stringify(before);
    })"""
    page.wait_for_function(changed, arg=before["orders"]["y Hammer"], timeout=WAIT)
    after = chart_data(page)
    assert after["orders"]["y Hammer"][0] == pytest.approx(30 / 36)
    assert after["hits"] == before["hits"]
    assert after["extra"] == before["extra"]
    page.get_by_text("More house rules", exact=False).first.wait_for()
    screenshot(page, f"sea-battles-panel-{front_end.name}")
