"""The medieval notebook as its reader has it: pictures, and the panel under keys and mouse."""

import pytest

NOTEBOOK = "06-medieval.ipynb"
VIEWS = {"boarding", "crew", "blow", "worth", "morale", "fleets"}
WAIT = 60_000


@pytest.fixture
def page(front_end, open_notebook):
    return open_notebook(front_end, NOTEBOOK)


def show(page, heading, *sources):
    """Scrolls to a heading, until the charts below it are drawn; Lab draws what is in sight."""
    found = "names => names.every(name => Bokeh.documents.some(d => d.get_model_by_name(name)))"
    page.get_by_role("heading", name=heading).first.evaluate("each => each.scrollIntoView()")
    page.wait_for_function("window.Bokeh !== undefined", timeout=WAIT)
    page.wait_for_function(found, arg=list(sources), timeout=WAIT)
    page.wait_for_function("Bokeh.documents.every(shown => shown.is_idle)", timeout=WAIT)


def handle(page, label):
    row = page.locator(".widget-slider", has=page.get_by_text(label, exact=True))
    return row.locator(".noUi-handle").first


def data_of(page, name, column):
    """What a chart's source holds now; the figures of one panel may be drawn anew."""
    found = """([name, column]) => {
        for (const shown of Bokeh.documents) {
            const source = shown.get_model_by_name(name);
            if (source) {
                const data = source.data;
                const values = data instanceof Map ? data.get(column) : data[column];
                return Array.from(values);
            }
        }
        return null;
    }"""
    return page.evaluate(found, [name, column])


def wait_until_changed(page, name, column, before):
    changed = """([name, column, before]) => Bokeh.documents.some(shown => {
        const source = shown.get_model_by_name(name);
        if (!source) return false;
        const data = source.data;
        const values = data instanceof Map ? data.get(column) : data[column];
        return values && JSON.stringify(Array.from(values)) !== JSON.stringify(before);
    })"""
    page.wait_for_function(changed, arg=[name, column, before], timeout=WAIT)


def test_pictures_are_drawn(page, front_end, screenshot):
    show(page, "How the crews melt", "fan")
    show(page, "What is each factor worth", "ranks")
    assert data_of(page, "ranks", "name")[0] == "one more ship"
    screenshot(page, f"medieval-worth-{front_end.name}")
    show(page, "Who hangs on whom", "network longships", "network cogs", "network grapple")
    assert len(data_of(page, "network longships", "name")) == 12
    screenshot(page, f"medieval-graph-{front_end.name}")


def test_the_panel_follows_keys_and_house_rules(page, front_end, screenshot):
    show(page, "Your fight", *VIEWS)
    boarding = data_of(page, "boarding", "y Longship wins")
    attack = data_of(page, "blow", "y Longship attacks")
    handle(page, "ships of a in the boarding").press("ArrowRight")
    wait_until_changed(page, "boarding", "y Longship wins", boarding)
    wait_until_changed(page, "blow", "y Longship attacks", attack)
    assert data_of(page, "boarding", "y Longship wins")[-1] > boarding[-1] + 0.2

    fleets = data_of(page, "morale", "y Cog fleet in flight")
    handle(page, "ships on one enemy").press("ArrowRight")
    wait_until_changed(page, "morale", "y Cog fleet in flight", fleets)
    screenshot(page, f"medieval-panel-{front_end.name}")

    three = data_of(page, "boarding", "y Cog wins")
    handle(page, "ships of a in the boarding").press("ArrowLeft")
    wait_until_changed(page, "boarding", "y Cog wins", three)

    # the notebook leaves the panel with the cog striking back at the same moment
    before = data_of(page, "boarding", "y Cog wins")
    choice = page.locator(".widget-dropdown", has=page.get_by_text("retaliation", exact=True))
    choice.locator("select").select_option("sequential")
    wait_until_changed(page, "boarding", "y Cog wins", before)
