"""The 1879 notebook as its reader has it: pictures, and the panel under keys and dropdowns."""

import pytest

NOTEBOOK = "05-1879-vehicles.ipynb"
CHARTS = {
    "duel",
    "damage_by_turn",
    "criticals_by_turn",
    "initiative",
    "damage",
    "criticals",
    "chances",
    "successes",
    "saw_tooth",
}
WAIT = 90_000


@pytest.fixture
def page(front_end, shared_notebook):
    return shared_notebook(front_end, NOTEBOOK)


def test_pictures_are_drawn(page, front_end, chart_data, screenshot, show):
    show(page, "Why Steps have a saw-tooth", "teeth")
    teeth = chart_data(page)["teeth"]
    assert teeth["y Step 7: d12"][11] == 0  # a d12 never comes to 12
    assert teeth["y Step 7: d12"][12] == pytest.approx(1 / 144)
    screenshot(page, f"1879-teeth-{front_end.name}")
    show(page, "Successes", "field", "counts")
    field = chart_data(page)["field"]
    assert field["row"][0] == "Step 4"
    assert field["value"][0] == pytest.approx(1 / 3)
    screenshot(page, f"1879-successes-{front_end.name}")
    show(page, "One attack of each battery", "attack")
    show(page, "The duel, turn by turn", "taken", "mean criticals")
    screenshot(page, f"1879-duel-{front_end.name}")


def test_the_panel_follows_keys_dropdowns_and_house_rules(
    page, front_end, chart_data, handle, screenshot, show, wait_until_changed
):
    show(page, "Your fight", *CHARTS)
    shown = chart_data(page)
    screenshot(page, f"1879-panel-{front_end.name}")

    handle(page, "Step").press("ArrowRight")
    wait_until_changed(page, "saw_tooth", "x", shown["saw_tooth"]["x"])

    gunboat = "y Paddle gunboat"
    handle(page, "weapons", 0).press("ArrowRight")
    more = wait_until_changed(page, "damage", gunboat, shown["damage"][gunboat])
    assert more[1] > shown["damage"][gunboat][1]
    airship = "y Pirate airship out of action"
    duel = wait_until_changed(page, "duel", airship, shown["duel"][airship])

    before = chart_data(page)["damage"][gunboat]
    aims = page.locator(".widget-dropdown", has=page.get_by_text("aims at", exact=True))
    aims.first.locator("select").select_option("armor")
    called = wait_until_changed(page, "damage", gunboat, before)
    assert called[1] == 0  # called hits lower the armor instead
    wait_until_changed(page, "duel", airship, duel)
    aims.first.locator("select").select_option("the hull")
    wait_until_changed(page, "damage", gunboat, called)

    criticals = chart_data(page)["criticals"][gunboat]
    reading = page.locator(".widget-dropdown", has=page.get_by_text("critical basis", exact=True))
    reading.locator("select").select_option("battery total")
    wait_until_changed(page, "criticals", gunboat, criticals)

    # the notebook's own list, and the panel's
    missing = page.get_by_text("repair and maintenance", exact=True)
    assert missing.count() >= 2
    missing.first.scroll_into_view_if_needed()
    screenshot(page, f"1879-missing-{front_end.name}")
