"""The notebook of what if as its reader has it: questions under keys, stopped, on a phone."""

import re

import pytest

NOTEBOOK = "13-what-if.ipynb"
WAIT = 120_000
AT_WORK = re.compile(r"^[1-9]\d* of \d+$")  # by the time the page is looked at, 1 may be 2
THEME = "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })"


@pytest.fixture
def page(front_end, open_notebook):
    return open_notebook(front_end, NOTEBOOK)


def press(page, name):
    button = page.get_by_role("button", name=name, exact=True).locator("visible=true").first
    button.focus()
    button.press("Enter")


def turn_to(page, name, question):
    press(page, name)
    page.get_by_text(question).locator("visible=true").first.wait_for(timeout=WAIT)


def wait_for(page, text):
    page.locator("[role=status]", has_text=text).locator("visible=true").first.wait_for(
        timeout=WAIT
    )


def test_questions_are_answered_by_keys(page, front_end, screenshot, show, chart_data):
    show(page, "Your own question")
    press(page, "Work it out")
    wait_for(page, "done")
    assert len(chart_data(page)["movers"]["name"]) >= 3
    screenshot(page, f"whatif-rules-{front_end.name}")

    turn_to(page, "What it takes", "What would it take?")
    press(page, "Work it out")
    wait_for(page, "done")
    page.get_by_text("Fit hands of the Sloop:").locator("visible=true").first.wait_for()
    assert chart_data(page)["taken"]["x"][0] >= 0
    screenshot(page, f"whatif-takes-{front_end.name}")

    turn_to(page, "What to do", "What should side a do?")
    press(page, "Work it out")
    wait_for(page, AT_WORK)
    press(page, "Stop")
    wait_for(page, "stopped after")
    screenshot(page, f"whatif-do-{front_end.name}")

    turn_to(page, "House rules", "Which house rule matters most?")
    if front_end.name == "lab":
        page.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
        page.evaluate(THEME, "JupyterLab Dark")
        page.wait_for_function("document.body.dataset.jpThemeName === 'JupyterLab Dark'")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 1100})
        page.get_by_text("Which house rule matters most?").evaluate("each => each.scrollIntoView()")
        screenshot(page, f"whatif-{front_end.name}-{width}")
        buttons = page.get_by_role("button", name="Work it out").locator("visible=true")
        box = buttons.first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width
