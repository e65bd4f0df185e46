"""The first notebook as its reader has it: the panel under keys, mouse and buttons."""

from contextlib import contextmanager

import pytest

NOTEBOOK = "01-gurps-sea-fight.ipynb"
VIEWS = {"hit", "damage", "duel", "boarding"}
RIGHT_CHARTS = {
    "turns": {"duel", "boarding"},
    "hands": {"duel", "boarding"},  # all guns of the first broadside were manned before
    "expertise": {"damage", "duel", "boarding"},  # along the first chart it is the axis
    "gunnery": {"hit", "damage", "duel"},
    "fights": {"duel"},
}
KEYS = {"gunnery": "ArrowLeft"}  # no officer is better than his commander, who is at 0
PATIENCE = 120_000

# The full answer is in the words, and nothing has changed for a while.
AT_REST = """() => {
    const last = Math.max(0, ...Object.values(window.changes ?? {}).flat());
    const words = Array.from(document.querySelectorAll(".widget-html"), each => each.innerText);
    return performance.now() - last > 300 && /2[01],000 fights, /.test(words.join());
}"""

FORGET = "for (const times of Object.values(changes)) times.length = 0"

# Charts of other ships are new figures.
DRAWN_ANEW = """() => {
    const shown = Bokeh.documents.flatMap(shown => shown.roots());
    const known = window.known ?? new Set();
    const anew = shown.length === 4 && shown.every(root => !known.has(root.id));
    if (anew) window.known = new Set(shown.map(root => root.id));
    return anew;
}"""


@pytest.fixture
def page(front_end, shared_notebook, watch):
    opened = shared_notebook(front_end, NOTEBOOK)
    opened.set_default_timeout(PATIENCE)
    opened.wait_for_function("window.Bokeh?.documents.length === 4")
    opened.wait_for_function("Bokeh.documents.every(shown => shown.is_idle)")
    watch(opened)
    opened.wait_for_function(AT_REST)
    opened.evaluate(FORGET)
    return opened


def changed(page, expected):
    """When the data of charts changed, by name, once those expected have and the panel rests."""
    waiting = [f"changes.{name}.length" for name in expected]
    page.wait_for_function(" && ".join(waiting))
    page.wait_for_function(AT_REST)
    return page.evaluate("""() => Object.fromEntries(Object.entries(changes)
        .map(([name, times]) => [name, times.splice(0)]).filter(([_, times]) => times.length))""")


@contextmanager
def drawn_anew(page):
    """Waits until the panel rests with other figures than before."""
    page.evaluate(DRAWN_ANEW)
    yield
    page.wait_for_function(DRAWN_ANEW)
    page.wait_for_function(AT_REST)


def choose(page, side, ship):
    with drawn_anew(page):
        page.locator(".widget-dropdown select").nth("ab".index(side)).select_option(ship)
        page.get_by_text(f"{ship} does").wait_for()


def press(page, name):
    with drawn_anew(page):
        page.get_by_role("button", name=name).click()


def ships(page):
    """The ships chosen, how many hands they have, and how many they may have."""
    chosen = page.locator(".widget-dropdown select").evaluate_all(
        "all => all.slice(0, 2).map(each => each.selectedOptions[0].text.replace('\u00a0', ' '))"
    )
    hands = page.locator(".widget-slider", has=page.get_by_text("hands", exact=True))
    told = hands.locator(".noUi-handle").evaluate_all(
        """all => all.map(each => ["now", "max"].map(
            which => Number(each.getAttribute(`aria-value${which}`))))"""
    )
    return [(name, *numbers) for name, numbers in zip(chosen, told, strict=True)]


def test_keys_and_the_mouse_change_the_right_charts(page, chart_data, handle):
    assert ships(page) == [("Brig", 23, 50), ("Brigantine", 28, 60)]
    shown = chart_data(page)
    assert set(shown) == VIEWS
    for label, charts in RIGHT_CHARTS.items():
        handle(page, label).press(KEYS.get(label, "ArrowRight"))
        assert set(changed(page, charts)) == charts, label
        now = chart_data(page)
        assert {name for name in VIEWS if now[name] != shown[name]} == charts, label
        shown = now
    knob = handle(page, "hand weapons")
    knob.scroll_into_view_if_needed()
    box = knob.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    assert set(changed(page, {"boarding"})) == {"boarding"}


def test_another_ship_brings_its_hands_and_limits(page):
    for ship, hands, most in (("70-gun military", 701, 1500), ("Sloop", 8, 20)):
        choose(page, "b", ship)
        assert ships(page)[1] == (ship, hands, most)


def test_swap_and_reset(page, chart_data, screenshot, front_end):
    choose(page, "b", "Schooner")
    press(page, "Reset")
    start = chart_data(page)
    assert ships(page) == [("Brig", 23, 50), ("Brigantine", 28, 60)]
    screenshot(page, f"gurps-{front_end.name}")
    press(page, "Swap sides")
    assert ships(page) == [("Brigantine", 28, 60), ("Brig", 23, 50)]
    swapped = chart_data(page)
    assert swapped["hit"]["y Brig"] == start["hit"]["y Brig"]
    assert swapped["damage"]["y Brigantine"] == start["damage"]["y Brigantine"]
    press(page, "Reset")
    assert ships(page) == [("Brig", 23, 50), ("Brigantine", 28, 60)]
    assert chart_data(page)["hit"] == start["hit"]
