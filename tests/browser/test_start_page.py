"""The start page: where its links lead, and how few clicks it takes to a prep sheet."""

import re

from playwright.sync_api import expect

from navkit.resources import notebooks_folder

START, SHEET = "00-start-here.ipynb", "11-prep-sheet.ipynb"
WAIT = 120_000

OPENED = """name => {
    const panel = jupyterapp.shell.currentWidget;
    return panel?.context?.path === name && panel.context.isReady
        && panel.sessionContext.session?.kernel?.status === "idle";
}"""


class Clicks:
    """A hand that counts."""

    def __init__(self):
        self.made = 0

    def press(self, what):
        what.click(timeout=WAIT)
        self.made += 1

    def choose(self, dropdown, option):
        """Opens a dropdown, and clicks on one of its options."""
        dropdown.select_option(option, timeout=WAIT)
        self.made += 2


def test_links_lead_to_notebooks_that_are_there(open_notebook, voila):
    page = open_notebook(voila, START)
    links = page.locator("#rendered_cells a[href*='.ipynb']").evaluate_all(
        "all => all.map(each => each.getAttribute('href'))"
    )
    assert {link.split("/")[-1] for link in links} == {
        path.name for path in notebooks_folder().glob("*.ipynb")
    } - {START}


def test_nobody_gets_in_without_the_token(browser, voila):
    page = browser.new_page()
    page.goto(f"{voila.url}voila/render/{START}")
    assert "login" in page.url
    assert page.locator("#rendered_cells").count() == 0
    page.close()


def test_from_the_start_page_to_a_sheet_in_under_ten_clicks(front_end, open_notebook, screenshot):
    page, clicks = open_notebook(front_end, START), Clicks()
    screenshot(page, f"start-{front_end.name}")
    link = page.get_by_role("link", name="prepare a sheet")
    if front_end.name == "lab":
        clicks.press(link)
        page.wait_for_function(OPENED, arg=SHEET, timeout=WAIT)
        clicks.press(page.get_by_role("menuitem", name="Run", exact=True))
        clicks.press(page.get_by_role("menuitem", name="Run All Cells", exact=True))
    elif link.get_attribute("target") == "_blank":
        with page.context.expect_page() as opened:
            clicks.press(link)
        page = opened.value
    else:
        clicks.press(link)
    page.get_by_role("heading", name="Your own fight").evaluate("each => each.scrollIntoView()")
    prepare = page.get_by_role("button", name="Prepare the sheet")
    prepare.wait_for(timeout=WAIT)
    clicks.choose(page.get_by_label("ship a"), "Schooner")
    clicks.choose(page.get_by_label("ship b"), "Brigantine")
    clicks.press(prepare)
    told = page.get_by_text(re.compile("^prepared: odds from"))
    expect(told).to_be_visible(timeout=WAIT)
    assert clicks.made < 10
    drawn = page.get_by_role("figure", name="Who is out of the fight, turn by turn?")
    expect(drawn).to_be_visible()
    screenshot(page, f"start-to-sheet-{front_end.name}")
