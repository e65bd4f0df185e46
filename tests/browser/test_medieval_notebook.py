"""The medieval notebook as its reader has it: pictures, and the panel under keys and mouse."""

import pytest

NOTEBOOK = "06-medieval.ipynb"
VIEWS = {"boarding", "crew", "blow", "worth", "morale", "fleets"}
WAIT = 60_000


@pytest.fixture
def page(front_end, shared_notebook):
    return shared_notebook(front_end, NOTEBOOK)


def test_pictures_are_drawn(page, front_end, screenshot, show, chart_data):
    show(page, "How the crews melt", "fan")
    show(page, "What is each factor worth", "ranks")
    assert chart_data(page)["ranks"]["name"][0] == "one more ship"
    screenshot(page, f"medieval-worth-{front_end.name}")
    show(page, "Who hangs on whom", "network longships", "network cogs", "network grapple")
    assert len(chart_data(page)["network longships"]["name"]) == 12
    screenshot(page, f"medieval-graph-{front_end.name}")


def test_the_panel_follows_keys_and_house_rules(
    page, front_end, screenshot, show, handle, wait_until_changed, chart_data
):
    show(page, "Your fight", *VIEWS)
    boarding = chart_data(page)["boarding"]["y Longship wins"]
    attack = chart_data(page)["blow"]["y Longship attacks"]
    handle(page, "ships of a in the boarding").press("ArrowRight")
    wait_until_changed(page, "boarding", "y Longship wins", boarding)
    wait_until_changed(page, "blow", "y Longship attacks", attack)
    assert chart_data(page)["boarding"]["y Longship wins"][-1] > boarding[-1] + 0.2

    fleets = chart_data(page)["morale"]["y Cog fleet in flight"]
    handle(page, "ships on one enemy").press("ArrowRight")
    wait_until_changed(page, "morale", "y Cog fleet in flight", fleets)
    screenshot(page, f"medieval-panel-{front_end.name}")

    three = chart_data(page)["boarding"]["y Cog wins"]
    handle(page, "ships of a in the boarding").press("ArrowLeft")
    wait_until_changed(page, "boarding", "y Cog wins", three)

    before = chart_data(page)["boarding"]["y Cog wins"]
    choice = page.locator(".widget-dropdown", has=page.get_by_text("retaliation", exact=True))
    choice.locator("select").select_option("simultaneous")
    wait_until_changed(page, "boarding", "y Cog wins", before)
