"""Takes the pictures that stand in the notebooks beside their panels, for readers without a kernel.

    python -m pytest tests/browser/pictures.py

It is no test and runs only when named. Each notebook is opened in JupyterLab, its panel waits until
its full answers are told, and what stands in PICTURES is written to `notebooks/images/`. Look at
what it took before it is committed.
"""

from pathlib import Path

import pytest

from navkit.resources import notebooks_folder

IMAGES: Path = notebooks_folder() / "images"
PICTURES = {
    "compared": ("07-compare-rulebooks.ipynb", "Your pairs", ".widget-gridbox", 2),
    "sea-battles": ("04-sea-battles.ipynb", "Your fight", ".widget-gridbox", 6),
    "vehicles-1879": ("05-1879-vehicles.ipynb", "Your fight", ".widget-gridbox", 6),
    "medieval": ("06-medieval.ipynb", "Your fight", ".widget-gridbox", 6),
}
"""By name: the notebook, the heading above the panel, what is taken, charts to wait for."""

DRAWN = """charts => window.Bokeh && Bokeh.documents.length >= charts
    && Bokeh.documents.every(shown => shown.is_idle)"""
SETTLED = 8_000
"""Milliseconds in which the panels come to their full answers."""


@pytest.mark.parametrize("name", PICTURES)
def test_picture(name, lab, open_notebook):
    notebook, heading, wanted, charts = PICTURES[name]
    page = open_notebook(lab, notebook)
    page.set_viewport_size({"width": 1800, "height": 2600})
    page.get_by_role("heading", name=heading).first.evaluate("each => each.scrollIntoView()")
    page.wait_for_function(DRAWN, arg=charts, timeout=120_000)
    page.wait_for_timeout(SETTLED)
    IMAGES.mkdir(exist_ok=True)
    page.locator(wanted).last.screenshot(path=IMAGES / f"{name}.png")
