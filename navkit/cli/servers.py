"""Servers of the notebooks, on this machine only: JupyterLab to work in, Voilà to look and play."""

from __future__ import annotations

import importlib.util
import secrets
import sys
import webbrowser
from pathlib import Path

from navkit.resources import checkout

START_PAGE = "00-start-here.ipynb"


class NotInstalled(Exception):
    """A server that is not there; its text says how to get it."""


def lab(folder: Path, *, browser: bool = True, port: int | None = None) -> None:
    """Serve a folder of notebooks in JupyterLab until it is stopped.

    With `port`, on that port or not at all.
    """
    options = [
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.ip=127.0.0.1",
        # Jupyter stops for root unless told. In a container root is often all there is.
        "--ServerApp.allow_root=True",
    ]
    if not browser:
        options.append("--no-browser")
    if port is not None:
        options += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]

    from jupyterlab.labapp import main as jupyterlab

    jupyterlab(options)


def app(
    folder: Path, *, browser: bool = True, port: int | None = None, token: str | None = None
) -> None:
    """Serve a folder of notebooks as pages without code, by Voilà, until it is stopped.

    Every request needs the token, by default a new one, which the printed address carries.
    Otherwise as `lab`.
    """
    from voila.app import Voila

    key = token or secrets.token_urlsafe(24)

    class Pages(Voila):  # type: ignore[misc]
        """Voilà with a start page, whose address it tells with the token; its own has none."""

        def launch_browser(self) -> None:
            start_page = f"http://127.0.0.1:{self.port}/voila/render/{START_PAGE}?token={key}"
            print(f"navkit: the pages are at {start_page}", flush=True)
            if browser:
                webbrowser.open(start_page)

    options = [str(folder), f"--Voila.token={key}", "--Voila.ip=127.0.0.1"]
    if port is not None:
        options += [f"--Voila.port={port}", "--Voila.port_retries=0"]
    Pages.launch_instance(options)


def needed(module: str) -> None:
    """Raises NotInstalled where a server's module ("jupyterlab", "voila") is missing."""
    if importlib.util.find_spec(module) is None:
        root = checkout()
        extra = f'-e "{root}[lab]"' if root else '"navkit[lab]"'
        raise NotInstalled(
            f"{module} is not installed; run: {sys.executable} -m pip install {extra}"
        )
