"""A prep sheet from a terminal: `navkit sheet`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from navkit.cli.odds import asked_for, changed
from navkit.errors import InputError
from navkit.sheet import PrepSheet, prep_sheet, to_csv

KINDS = (".html", ".csv", ".png", ".pdf")


def write_sheet(arguments: Namespace) -> None:
    """Prepares the sheet of the fight that the command line asks for, and writes its files.

    Raises InputError for a fight that cannot be, for files of other kinds and for files that are
    there already, before anything is played.
    """
    scenario = changed(asked_for(arguments), arguments.set)
    for path in arguments.to:
        if path.suffix not in KINDS:
            raise InputError("file", str(path), *(f"NAME{kind}" for kind in KINDS))
        if path.exists():
            raise InputError("file", str(path), "one that is not there yet")
    sheet = prep_sheet(scenario)
    for words in sheet.swings["words"].head(3):
        print(words)
    for path in arguments.to:
        _writer(path.suffix)(sheet, path)
        print(f"navkit: the sheet is in {path}")


def _writer(kind: str) -> Callable[[PrepSheet, Path], None]:
    """What writes a sheet as that kind of file; Bokeh and Playwright are loaded for theirs only."""
    if kind == ".csv":
        return lambda sheet, path: _create(path, to_csv(sheet))
    if kind == ".html":
        from navkit.pages import to_html

        return lambda sheet, path: _create(path, to_html(sheet))
    from navkit.printing import to_pdf, to_png

    return to_png if kind == ".png" else to_pdf


def _create(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
