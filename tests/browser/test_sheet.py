"""The prep sheet in Chromium: its file with the network off, its sliders, on paper; its panel."""

import re

import pytest
from playwright.sync_api import expect

from navkit.pages import to_html
from navkit.printing import to_pdf, to_png
from navkit.rulebooks import gurps
from navkit.scenario import Scenario
from navkit.sheet import prep_sheet

NOTEBOOK = "11-prep-sheet.ipynb"
WAIT = 90_000


@pytest.fixture(scope="module")
def sheet():
    a, b = gurps.ship("Schooner"), gurps.ship("Sloop")
    return prep_sheet(Scenario("gurps", "duel", a, b, turns=6, fights=256), progress=False)


@pytest.fixture(scope="module")
def file(sheet, tmp_path_factory):
    path = tmp_path_factory.mktemp("sheet") / "sheet.html"
    path.write_text(to_html(sheet), encoding="utf-8")
    return path


@pytest.fixture
def open_file(browser, file):
    """The page of the file in a context without a network, and what it asked for beside itself."""
    contexts = []

    def open_file(**options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-ready=yes]", timeout=WAIT)
        return page

    yield open_file
    for context in contexts:
        context.close()


def test_the_file_opens_without_a_network(open_file, file, screenshot):
    page = open_file(viewport={"width": 1280, "height": 900})
    assert page.asked == [file.as_uri()]
    expect(page.get_by_role("heading", level=1)).to_have_text("Schooner against Sloop, duel")
    assert page.get_by_role("table").count() == 5
    screenshot(page, "sheet-1280")


def test_sliders_move_the_curves(open_file, chart_data, sheet):
    page = open_file()
    before = chart_data(page)
    assert len(before["out"]["x"]) == 7
    page.get_by_label("turns shown").press("ArrowLeft")
    assert len(chart_data(page)["out"]["x"]) == 6
    page.get_by_label("Schooner: fit hands").press("Home")
    page.get_by_label("Sloop: fit hands").press("End")
    moved = chart_data(page)
    pair = sheet.dial.a[0], sheet.dial.b[-1]
    lost = sheet.dial.histories[pair].cause("a").sum(axis=1)
    assert moved["out"]["y Schooner"] == pytest.approx(lost.tolist()[:6], abs=1e-5)
    assert moved["left"]["0.5 Sloop"] != before["left"]["0.5 Sloop"][:6]
    assert moved["out-printed"] == before["out-printed"]
    expect(page.get_by_label("Sloop: fit hands")).to_have_attribute("aria-valuetext", str(pair[1]))
    page.get_by_role("button", name="As in the scenario").click()
    expect(page.locator("#says")).to_contain_text("by turn 6")
    assert chart_data(page) == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 800])
def test_the_page_fits_its_width(open_file, screenshot, width, scheme):
    page = open_file(viewport={"width": width, "height": 844}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 17, 17)"}[scheme]
    screenshot(page, f"sheet-{width}-{scheme}")


def test_on_paper_there_are_curves_and_no_sliders(open_file):
    page = open_file()
    page.emulate_media(media="print")
    expect(page.locator("#dials")).to_be_hidden()
    for chart in page.locator("figure.print").all():
        expect(chart).to_be_visible()
        assert chart.bounding_box()["x"] >= 0
    for chart in page.locator("figure.screen").all():
        expect(chart).to_be_hidden()
    made = page.pdf(format="A4")
    assert made.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", made)) >= 2
    assert len(made) > 20_000


def test_pictures_are_drawn_by_an_installed_browser(chromium, sheet, tmp_path):
    to_png(sheet, tmp_path / "sheet.png")
    to_pdf(sheet, tmp_path / "sheet.pdf", paper="Letter")
    png = (tmp_path / "sheet.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert width == 1600
    assert height > 3000
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")


def test_the_panel_prepares_and_saves(lab, open_notebook, screenshot):
    page = open_notebook(lab, NOTEBOOK)
    page.get_by_role("button", name="Prepare the sheet").click()
    expect(page.get_by_text(re.compile("^prepared: odds from"))).to_be_visible(timeout=WAIT)
    page.get_by_role("button", name="Save as HTML").click()
    expect(page.get_by_text("saved:")).to_be_visible(timeout=WAIT)
    (saved,) = lab.folder.glob("tonight*.html")
    assert "Tonight: the sloop and the brig" in saved.read_text("utf-8")
    saved.unlink()
    page.get_by_role("button", name="Prepare the sheet").scroll_into_view_if_needed()
    screenshot(page, "panel-lab")
