"""The ship builder's notebook as its reader has it: a sheet changed by keys, odds that follow."""

import pytest
from playwright.sync_api import expect

NOTEBOOK = "03-gurps-ship-builder.ipynb"


@pytest.fixture
def page(front_end, shared_notebook):
    opened = shared_notebook(front_end, NOTEBOOK)
    opened.wait_for_function("window.Bokeh?.documents.length === 3")
    opened.wait_for_function("Bokeh.documents.every(shown => shown.is_idle)")
    line(opened, "guns").wait_for()
    return opened


def slider(page, label):
    row = page.locator(".widget-slider", has=page.get_by_text(label, exact=True))
    return row.locator(".noUi-handle").first


def line(page, what):
    """The line of the live table (the last on the page) about `what`."""
    return page.locator(".widget-html tr", has=page.get_by_role("rowheader", name=what, exact=True))


def test_the_sheet_and_its_odds_follow_the_sliders(page, chart_data, screenshot, front_end):
    assert "4 left, 4 right, 0 front, 0 back" in line(page, "guns").inner_text()
    page.get_by_text("Nothing odd about it.", exact=True).wait_for()
    before = chart_data(page)
    assert set(before) == {"curves", "duel", "boarding"}
    slider(page, "left").press("ArrowRight")
    page.get_by_text("Its broadsides differ: 5 guns on the left, 4 on the right.").wait_for()
    assert "5 left, 4 right, 0 front, 0 back" in line(page, "guns").inner_text()
    page.wait_for_function("""won => Bokeh.documents.some(shown =>
        shown.get_model_by_name("duel")?.data["y Marigold wins"].at(-1) > won)""",
        arg=before["duel"]["y Marigold wins"][-1])  # fmt: skip
    assert chart_data(page)["curves"] == before["curves"]
    page.locator("h3", has_text="a ship of one's own").scroll_into_view_if_needed()
    screenshot(page, f"builder-{front_end.name}")


def test_a_ready_ship_brings_its_sheet_and_bad_dice_are_told(page):
    start = page.locator(".widget-dropdown", has=page.get_by_text("start from", exact=True))
    start.locator("select").select_option("70-gun military")
    page.get_by_text("Marigold: Move 2, 70 guns").wait_for()
    expect(line(page, "guns")).to_contain_text("30 left, 30 right, 5 front, 5 back")
    assert slider(page, "hands").get_attribute("aria-valuemax") == "1402.0"
    damage = page.locator(".widget-text", has=page.get_by_text("damage", exact=True))
    damage.locator("input").fill("five dice")
    damage.locator("input").press("Enter")
    page.get_by_text("These settings do not work. 'five dice', column 1").first.wait_for()
    damage.locator("input").fill("6d")
    damage.locator("input").press("Enter")
    page.get_by_text("30 × 6d").wait_for()
