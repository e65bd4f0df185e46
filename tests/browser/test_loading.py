"""What Python changes while a page loads is on the page in the end."""

import nbformat

CHANGING = """
import asyncio

import ipywidgets

from navkit.explorers import replay
from navkit.explorers.live_panel import LivePanel
from navkit.rulebooks.gurps import Placed, ship
from navkit.rulebooks.gurps.table_play import new_game

sides = Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 6, 0, 3)
game = new_game(*sides, played=None, seed=1, number=7, turns=2)
lines = [ipywidgets.HTML("old") for _ in range(100)]
last = len(game.log) - 1
maps = [replay(game) for _ in range(20)]

async def change():
    for number, line in enumerate(lines):
        line.value = "new"
        if number % 5 == 0:
            maps[number // 5].go(last)
        await asyncio.sleep(0.1)

asyncio.get_running_loop().create_task(change())
ipywidgets.VBox((LivePanel(lines), *maps))
"""
LINES = """Array.from(document.querySelectorAll(".widget-html-content"), each => each.textContent)
    .filter(text => text === "new").length === 100"""
MAPS = """Array.from(document.querySelectorAll("[aria-label='Moment of the fight']"))
    .filter(slider => slider.value === slider.max).length === 20"""


def test_changes_while_a_page_loads_are_not_lost(voila, open_notebook):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(CHANGING)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, voila.folder / "changing.ipynb")
    page = open_notebook(voila, "changing.ipynb")
    page.wait_for_function(LINES)
    page.wait_for_function(MAPS)
