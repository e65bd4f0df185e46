"""The teacher's panel as its reader has it: forward and back, played, by mouse and by keys."""

import re

import pytest

NOTEBOOK = "12-replay.ipynb"
ALL_KNOWN = re.compile(r"the odds of all \d+ rolls are there")
MARKED = """number => Bokeh.documents.flatMap(shown => shown.roots())
    .flatMap(root => Array.from(root.references()))
    .some(model => model.name === "now" && Array.from(model.get_column("x"))[0] === number)"""

# A page that is looked at now and then may not be seen at each roll that passes by.
NOTE_ROLLS = """() => {
    const number = each => Number(/roll ([0-9]+) of 8/.exec(each.textContent)?.[1]);
    const head = Array.from(document.querySelectorAll(".widget-html-content")).find(number);
    window.rolls = [];
    new MutationObserver(() => window.rolls.push(number(head)))
        .observe(head, { childList: true, subtree: true, characterData: true });
}"""


def opened(shared_notebook, front_end):
    page = shared_notebook(front_end, NOTEBOOK)
    page.set_default_timeout(120_000)
    page.wait_for_function("window.Bokeh?.documents.length === 2")
    page.get_by_text(ALL_KNOWN).first.wait_for()
    return page


@pytest.fixture
def page(front_end, shared_notebook):
    return opened(shared_notebook, front_end)


def odds_said(page):
    """The odds before and after the roll, as the first panel says them."""
    said = page.get_by_text(re.compile("Sloop wins: from")).first.inner_text()
    return re.search(r"from (.+?) to (.+?) \(", said).groups()


def at_roll(page, number):
    page.get_by_text(f"roll {number} of 8").first.wait_for()


def test_buttons_and_keys_step_forward_and_back(page, front_end, handle, screenshot):
    at_roll(page, 1)
    first = odds_said(page)
    page.get_by_role("button", name="Step", exact=True).first.click()
    page.get_by_text(f"Sloop wins: from {first[1]} to").first.wait_for()
    at_roll(page, 2)
    assert odds_said(page)[1] != first[1]
    page.wait_for_function(MARKED, arg=2)
    screenshot(page, f"replay-{front_end.name}")
    page.get_by_role("button", name="Back", exact=True).first.click()
    page.get_by_text(f"Sloop wins: from {first[0]} to {first[1]}").first.wait_for()
    at_roll(page, 1)
    knob = handle(page, "roll")
    for number in (2, 3):
        knob.press("ArrowRight")
        at_roll(page, number)
    page.get_by_text("To hit is 3d6, at most Expertise and Gunnery.").first.wait_for()
    page.get_by_role("img", name=re.compile("^3d6 shows")).first.wait_for()
    page.get_by_text("house rules bear on it").first.click()
    page.get_by_text("attack crit: always 4, never 17").first.wait_for()
    knob.press("End")
    at_roll(page, 8)
    knob.press("ArrowLeft")
    at_roll(page, 7)


def test_it_fits_a_phone(voila, shared_notebook, screenshot):
    page = opened(shared_notebook, voila)
    page.set_viewport_size({"width": 390, "height": 844})
    heading = page.get_by_role("heading", name="A gunnery duel: Sloop against Schooner").first
    heading.evaluate("each => each.scrollIntoView()")
    page.wait_for_function("document.querySelector('.bk-Figure').clientWidth < 390")
    screenshot(page, "replay-phone")
    right = page.locator(".widget-box, .widget-html").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().right)"
    )
    assert max(right) <= 391


def test_it_plays_and_pauses_and_shows_other_fights(page, handle):
    handle(page, "roll").press("Home")
    at_roll(page, 1)
    play = page.locator(".widget-play").first.locator("button").first
    page.evaluate(NOTE_ROLLS)
    play.click()
    page.wait_for_function("window.rolls.includes(3)")
    play.click()
    assert page.evaluate("window.rolls").index(2) < page.evaluate("window.rolls").index(3)
    shown = page.get_by_text(re.compile("roll . of 8")).first.inner_text()
    page.wait_for_timeout(3500)  # more than two rolls, if it went on
    assert page.get_by_text(re.compile("roll . of 8")).first.inner_text() == shown
    page.get_by_role("button", name="luckiest").first.click()
    page.get_by_text("Fight 1334, roll by roll: Sloop wins").first.wait_for()
    page.locator(".widget-dropdown select").first.select_option("medieval")
    page.get_by_text(re.compile(r"M-\d+")).first.wait_for()
