"""How soon a slider of the first notebook is answered: python tests/benchmarks/slider.py [voila]

Starts JupyterLab (or Voilà) on this machine, opens the notebook in Chromium and takes sliders from
their ends down, a key a value, so that no value was there before. Told for each of them: how long
after a key the data of a first chart change in the page (median and 95th percentile; then it is
drawn), and how long until all 20,000 fights are told. The load of the machine stands beside the
figures: above the number of its cores, they tell more of the machine than of navkit, and the
kernel's processor time tells more.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import psutil
from playwright.sync_api import Locator, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests/browser")]

import conftest  # noqa: E402
import test_gurps_notebook as notebook  # noqa: E402

SLIDERS = ("turns", "hands", "expertise", "gunnery")
KEYS = 40
LOOKS = 100
"""Milliseconds between looks at the page. It notes times by itself; to look at each frame, as
Playwright does unless told, makes it draw all the time, on the cores that are measured."""
CHROMIUM = "/usr/bin/chromium"


@contextmanager
def opened(name: str) -> Iterator[Page]:
    """The notebook in a browser, at rest and watched."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        if name == "lab":
            settings = {
                "IdentityProvider": {"token": conftest.TOKEN},
                "LabApp": {"expose_app_in_browser": True},
            }
            command = [sys.executable, "-m", "navkit", "lab", "--no-browser"]
        else:
            settings = {}
            command = [sys.executable, "-m", "navkit", "app", "--no-browser"]
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=conftest.CHROMIUM_FLAGS
        )
        with conftest._server(name, command, home, settings) as front_end:
            page = chromium.new_page(viewport={"width": 1600, "height": 1200})
            page.route("**/*", conftest._this_machine_only)
            page.set_default_timeout(notebook.PATIENCE)
            run = conftest._run_in_lab if name == "lab" else conftest._run_in_voila
            run(page, front_end, notebook.NOTEBOOK)
            page.wait_for_function("window.Bokeh?.documents.length === 4")
            page.wait_for_function("Bokeh.documents.every(shown => shown.is_idle)")
            page.evaluate(conftest.WATCH)
            page.wait_for_function(notebook.AT_REST)
            yield page
        chromium.close()


def handle_of(page: Page, label: str) -> Locator:
    row = page.locator(".widget-slider", has=page.get_by_text(label, exact=True)).first
    return row.locator(".noUi-handle")


def pressed(page: Page, label: str, key: str) -> None:
    """Presses a key on a slider, whose charts have not changed before."""
    page.evaluate(notebook.FORGET)
    handle_of(page, label).press(key)
    page.wait_for_function("Object.values(changes).some(times => times.length)", polling=LOOKS)


def kernel_time() -> float:
    """Milliseconds of the processor that the notebook's kernel has taken so far."""
    started = psutil.Process().children(recursive=True)
    (kernel,) = (each for each in started if "ipykernel_launcher" in " ".join(each.cmdline()))
    spent = kernel.cpu_times()
    return 1000 * float(spent.user + spent.system)


def waits(page: Page, label: str) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds from a key to the first changed data, and to the last of the full answer; those
    of the kernel's processor for that. Each key is pressed when the answer to the last is full."""
    first, full, worked = [], [], []
    page.wait_for_function(notebook.AT_REST)
    handle = handle_of(page, label)
    handle.press("End")
    page.wait_for_function(notebook.AT_REST)
    low, high = (
        int(handle.get_attribute(f"aria-value{end}").split(".")[0]) for end in ("min", "max")
    )
    for _ in range(min(KEYS, high - low)):
        before = kernel_time()
        pressed(page, label, "ArrowLeft")
        page.wait_for_function(notebook.AT_REST, polling=LOOKS)
        ends = page.evaluate("[Math.min, Math.max].map(f => f(...Object.values(changes).flat()))")
        keyed = page.evaluate("keyed")
        first.append(ends[0] - keyed)
        full.append(ends[1] - keyed)
        worked.append(kernel_time() - before)
    return first, full, worked


def tell(name: str) -> None:
    """Presses the keys in JupyterLab ("lab") or Voilà ("voila"), and prints the times."""
    with opened(name) as page:
        print(f"{name}: up to {KEYS} keys a slider, on {os.cpu_count()} cores")
        everything: list[float] = []
        for label in SLIDERS:
            first, full, worked = waits(page, label)
            everything += first
            median, late = np.quantile(first, (0.5, 0.95))
            told = (
                f"first data median {median:.0f} ms, 95 % within {late:.0f} ms; 20,000 fights "
                f"median {np.median(full):.0f} ms, longest {max(full):.0f} ms, of the kernel's "
                f"processor {np.median(worked):.0f} ms"
            )
            print(f"  {label:10} {told}; load {os.getloadavg()[0]:.1f}", flush=True)
        median, late = np.quantile(everything, (0.5, 0.95))
        print(f"  all keys: first data median {median:.0f} ms, 95 % within {late:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("front_end", nargs="?", choices=("lab", "voila"), default="lab")
    tell(parser.parse_args().front_end)


if __name__ == "__main__":
    main()
