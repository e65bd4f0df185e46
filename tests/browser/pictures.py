"""Takes the pictures that stand in the notebooks beside their panels, for readers without a kernel.

    python -m pytest tests/browser/pictures.py

It is no test and runs only when named. Each notebook is opened in JupyterLab, its charts are waited
for, and what stands in PICTURES is written to `notebooks/images/`. Look at what it took before
it is committed.
"""

from pathlib import Path

import pytest

from navkit.pages import to_html
from navkit.resources import notebooks_folder
from navkit.rulebooks import gurps
from navkit.scenario import Scenario
from navkit.sheet import prep_sheet

IMAGES: Path = notebooks_folder() / "images"
PANEL, CHARTS, CHART = ".widget-vbox", ".widget-gridbox", "figure"
PICTURES = {
    "compared": ("07-compare-rulebooks.ipynb", "Your pairs", CHARTS),
    "sea-battles": ("04-sea-battles.ipynb", "Your fight", CHARTS),
    "vehicles-1879": ("05-1879-vehicles.ipynb", "Your fight", CHARTS),
    "medieval": ("06-medieval.ipynb", "Your fight", CHARTS),
    "growth": ("08-sweeps.ipynb", "What it costs as it grows", CHARTS),
    "rules-map": ("09-rules-map.ipynb", "Look one up", PANEL),
    "boats": ("10-add-a-rulebook.ipynb", "Your fight", PANEL),
    "hands-left": ("11-prep-sheet.ipynb", "How it goes, turn by turn", CHART),
    "replay": ("12-replay.ipynb", "Roll by roll", PANEL),
    "house-rules": ("13-what-if.ipynb", "Which house rule matters?", CHART),
}
"""By name: the notebook, the heading that it stands under, and what is taken."""

WANTED = """([heading, wanted]) => {
    const cells = Array.from(document.querySelectorAll(".jp-Cell"));
    const at = cells.findIndex(cell => Array.from(cell.querySelectorAll("h2"))
        .some(each => each.innerText.startsWith(heading)));
    const found = cells.slice(at + 1).map(cell => cell.querySelector(wanted)).find(each => each);
    found?.setAttribute("data-picture", "");
    found?.scrollIntoView({ block: "start" });
    return at >= 0 && found != null;
}"""
DRAWN = "(window.Bokeh?.documents ?? []).every(shown => shown.is_idle)"
TALLEST = {"growth": 2600}
"""Pixels; of longer panels the upper part is taken, 1400 pixels of others."""
SETTLED = 20_000
"""Milliseconds in which the panels come to their full answers."""


@pytest.mark.parametrize("name", PICTURES)
def test_picture(name, lab, open_notebook):
    notebook, heading, wanted = PICTURES[name]
    page = open_notebook(lab, notebook)
    page.set_viewport_size({"width": 1500, "height": 4000})
    page.get_by_role("heading", name=heading).first.evaluate("each => each.scrollIntoView()")
    page.wait_for_function(WANTED, arg=[heading, wanted], timeout=120_000)
    page.wait_for_function(DRAWN, timeout=120_000)
    page.wait_for_timeout(SETTLED)
    IMAGES.mkdir(exist_ok=True)
    taken = page.locator("[data-picture]")
    taken.evaluate(f"each => {{ each.style.maxHeight = '{TALLEST.get(name, 1400)}px' }}")
    taken.screenshot(path=IMAGES / f"{name}.png")


def test_picture_of_a_prep_sheet(browser, tmp_path):
    officers = gurps.Officers(leadership=2, gunnery=2, navigation=1, tactics=1, medic=2)
    sloop = gurps.ship("Sloop", name="Party's sloop", crew=16, expertise=13, officers=officers)
    title = "Tonight: the sloop and the brig"
    tonight = Scenario("gurps", "duel", sloop, gurps.ship("Brig"), turns=10, title=title)
    file = tmp_path / "sheet.html"
    file.write_text(to_html(prep_sheet(tonight)), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1000, "height": 1300})
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    page.wait_for_function(DRAWN)
    page.screenshot(path=IMAGES / "prep-sheet.png")
