"""Pages as pictures and on paper, drawn by a browser that is installed (the extra `print`)."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from navkit.pages import to_html
from navkit.sheet import PrepSheet

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge", "brave-browser")
"""Browsers by the names of their programs, tried in this order after Playwright's own."""
CHANNELS = ("chrome", "msedge")
"""Browsers that Playwright finds where they are installed by default, on any system."""
WIDTH = 800
SECONDS = 60


class NoBrowserError(RuntimeError):
    """There is nothing on this machine that can draw a page; the text says what to install."""


def to_png(sheet: PrepSheet, path: str | PathLike[str]) -> None:
    """Write the sheet as a picture, as it is on a screen 800 pixels wide; replaces the file.

    Raises NoBrowserError where Playwright or a browser is missing, and OSError.
    """

    def shoot(page: Any) -> bytes:
        taken: bytes = page.screenshot(full_page=True)
        return taken

    _write(sheet, path, shoot)


def to_pdf(sheet: PrepSheet, path: str | PathLike[str], *, paper: str = "A4") -> None:
    """Write the sheet as a PDF to print on `paper` ("A4", "Letter"); as `to_png`."""

    def pages(page: Any) -> bytes:
        made: bytes = page.pdf(format=paper, prefer_css_page_size=False)
        return made

    _write(sheet, path, pages)


def _write(sheet: PrepSheet, path: str | PathLike[str], draw: Callable[[Any], bytes]) -> None:
    if importlib.util.find_spec("playwright") is None:
        raise NoBrowserError(
            'pictures need Playwright and a browser; run: python -m pip install "navkit[print]"'
        )
    html = to_html(sheet)
    # In a thread of its own, since Playwright's plain calls refuse one that runs an event loop,
    # as notebooks do.
    with ThreadPoolExecutor(max_workers=1) as threads:
        Path(path).write_bytes(threads.submit(_drawn, html, draw).result())


def _drawn(html: str, draw: Callable[[Any], bytes]) -> bytes:
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "sheet.html"
        file.write_text(html, encoding="utf-8")
        browser = _launched(playwright.chromium)
        try:
            page = browser.new_page(
                viewport={"width": WIDTH, "height": 1000},
                device_scale_factor=2,
                color_scheme="light",
                offline=True,
            )
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=yes]", timeout=SECONDS * 1000)
            page.wait_for_function("Bokeh.documents.every(each => each.is_idle)")
            return draw(page)
        finally:
            browser.close()


def _launched(chromium: Any) -> Any:
    """The first browser that starts, of those that are there."""
    from playwright.sync_api import Error

    tried = []
    for choice in _choices(chromium):
        try:
            return chromium.launch(**choice)
        except Error as error:
            tried.append(f"{choice}: {error.message.splitlines()[0]}")
    raise NoBrowserError(
        "no browser to draw the page was found; install Chrome, Chromium or Edge, or run: "
        "python -m playwright install chromium" + "".join(f"\n  {each}" for each in tried)
    )


def _choices(chromium: Any) -> Iterator[dict[str, Any]]:
    if Path(chromium.executable_path).exists():
        yield {}
    for name in PROGRAMS:
        if found := shutil.which(name):
            yield {"executable_path": found}
    for name in CHANNELS:
        yield {"channel": name}
