"""The second notebook as its reader has it: a fight on the map, by mouse and by keys."""

import re
from functools import partial

import pytest
from playwright.sync_api import expect

NOTEBOOK = "02-gurps-maneuver.ipynb"
DONE = "document.querySelector('.navkit-map[data-kind=play] progress')?.value === 4096"

THEME = "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })"
CUT_OFF = """map => Array.from(map.querySelectorAll("*"))
    .filter(each => !each.closest("svg"))
    .filter(each => each.getBoundingClientRect().right > map.getBoundingClientRect().right + 1)
    .map(each => each.className)"""


class Table:
    """What a person at the map sees and does."""

    def __init__(self, page):
        self.page = page
        self.map = page.locator(".navkit-map[data-kind=play]")
        self.board = self.map.locator(".board")

    @property
    def turn(self):
        found = re.match(r"Turn (\d+)", self.map.locator(".headline").inner_text())
        return int(found[1]) if found else None

    @property
    def lines(self):
        return self.map.locator(".log li").all_inner_texts()

    @property
    def odds(self):
        return self.map.locator(".odds .words").inner_text()

    @property
    def state(self):
        return self.map.locator(".headline").inner_text(), self.lines, self.drawn

    @property
    def drawn(self):
        return self.board.locator("svg").get_attribute("aria-label")

    def buttons(self):
        return self.map.locator(".choices button").all_inner_texts()

    def act(self, action):
        """Does something, and waits until the page shows what came of it."""
        self.page.evaluate("""() => {
            const board = document.querySelector(".navkit-map[data-kind=play] .board");
            board.firstElementChild.dataset.old = "yes";
        }""")
        action()
        self.page.wait_for_function(
            "!document.querySelector('.navkit-map[data-kind=play] .board [data-old]')"
        )

    def click(self, words):
        self.act(self.map.locator(".choices button", has_text=words).first.click)

    def play_turn(self):
        """A turn by mouse: sails once, and fires whenever that can be."""
        turn, sailed = self.turn, False
        while self.turn == turn:
            poses = self.board.locator(".pose")
            if any(each.startswith("Fire") for each in self.buttons()):
                self.click("Fire")
            elif any(each.startswith("Hold") for each in self.buttons()):
                self.click("Hold")
            elif poses.count() and not sailed:
                sailed = True
                self.act(partial(poses.first.click, force=True))
            elif any(each.startswith("Fight on") for each in self.buttons()):
                self.click("Fight on")
            else:
                self.click("End turn")


@pytest.fixture
def table(front_end, shared_notebook):
    page = shared_notebook(front_end, NOTEBOOK)
    page.locator(".navkit-map[data-kind=play] .board svg").wait_for()
    page.locator(".navkit-map[data-kind=replay] .board svg").wait_for()
    page.wait_for_function(DONE, timeout=120_000)
    table = Table(page)
    table.board.scroll_into_view_if_needed()
    return table


def test_three_turns_by_mouse_and_back(table, screenshot, front_end):
    start, odds = table.state, table.odds
    steps = 0
    for _ in range(3):
        if table.turn is None:
            break
        before = len(table.lines)
        table.play_turn()
        assert len(table.lines) > before
    assert table.drawn != start[2]
    assert all(re.search(r"G-\d+$", line) for line in table.lines)
    assert table.map.locator(".odds").inner_text() != odds
    screenshot(table.page, f"map-{front_end.name}")
    while table.state != start:
        table.click("Undo")
        steps += 1
        assert steps < 60
    table.page.wait_for_function(DONE, timeout=120_000)
    assert table.odds == odds  # the same fights from the same place


def test_a_turn_by_keys_leaves_the_notebook_alone(table, front_end):
    cells = table.page.locator(".jp-Cell").count()
    table.board.focus()
    turn = table.turn
    for _ in range(12):
        if table.turn != turn:
            break
        choices = table.buttons()
        if any("[H]" in each for each in choices):
            table.act(lambda: table.page.keyboard.press("h"))
        elif table.board.locator(".pose").count():
            table.page.keyboard.press("ArrowRight")
            table.page.keyboard.press("ArrowLeft")
            words = table.map.locator(".line").inner_text()
            assert re.match(r"\d hex(es)?, then heading", words)
            assert table.board.locator(".pose.active").count() == 1
            table.act(lambda: table.page.keyboard.press("Enter"))
        else:
            table.act(lambda: table.page.keyboard.press("e"))
    assert table.turn != turn
    table.page.keyboard.press("b")  # in JupyterLab: a new cell below, were it not for the map
    assert table.page.locator(".jp-Cell").count() == cells
    lines = table.lines
    table.act(lambda: table.page.keyboard.press("u"))
    assert table.lines == lines[: len(table.lines)]
    assert len(table.lines) < len(lines)


def test_other_orders_change_the_odds_and_sampling_can_be_cancelled(table):
    odds = table.odds
    orders = table.map.locator("select").first
    before = orders.input_value()
    table.act(lambda: orders.select_option("run"))
    table.map.get_by_role("button", name="Cancel").click()
    go_on = table.map.get_by_role("button", name="Go on")
    go_on.wait_for()
    assert int(table.map.locator("progress").get_attribute("value")) >= 256
    assert table.odds != odds
    go_on.click()
    table.page.wait_for_function(DONE, timeout=120_000)
    go_on.wait_for(state="hidden")
    table.act(lambda: orders.select_option(before))
    # the ships are drawn before the first odds come, while the bar is still that of the old ones
    words = table.map.locator(".odds .words")
    expect(words).to_have_text(odds, use_inner_text=True, timeout=120_000)


def test_the_replay_steps_and_plays(table):
    replay = table.page.locator(".navkit-map[data-kind=replay]")
    count = replay.locator(".log li").count()
    assert replay.locator(".choices").inner_text().endswith(f"1 of {count}")
    replay.get_by_role("button", name="Forward").click()
    replay.get_by_text(f"2 of {count}").wait_for()
    replay.locator(".board").focus()
    table.page.keyboard.press("ArrowLeft")
    replay.get_by_text(f"1 of {count}").wait_for()
    replay.get_by_role("button", name="Play").click()
    replay.get_by_text(f"4 of {count}").wait_for()
    replay.get_by_role("button", name="Pause").click()
    assert replay.locator(".log .now").count() == 1


def test_nothing_is_cut_off_in_narrow_pages_and_dark_themes(table, screenshot, front_end):
    page = table.page
    if front_end.name == "lab":  # its file browser leaves no room
        page.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
    schemes = ["light", "dark"] if front_end.name == "lab" else ["light"]
    for scheme in schemes:
        if front_end.name == "lab":
            theme = f"JupyterLab {scheme.capitalize()}"
            page.evaluate(THEME, theme)
            page.wait_for_function(f"document.body.dataset.jpThemeName === '{theme}'")
        for width in (1280, 800, 390):
            page.set_viewport_size({"width": width, "height": 1100})
            table.map.evaluate("map => map.scrollIntoView()")
            assert table.map.evaluate(CUT_OFF) == []
            screenshot(page, f"map-{front_end.name}-{scheme}-{width}")
