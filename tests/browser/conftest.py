"""Fixtures that open notebooks in a real browser, in JupyterLab and in Voilà.

A test names a front end, opens a notebook in it, and looks at the page:

    def test_the_slider_moves_the_curve(front_end, open_notebook, chart_data, screenshot):
        page = open_notebook(front_end, "01-gurps-sea-fight.ipynb")
        before = chart_data(page)["sinking"]["sunk"]
        page.get_by_role("slider").first.press("ArrowRight")
        ...
        screenshot(page, f"slider-{front_end.name}")

lab, voila
    A running server: `name`, `url`, its `token`, and `folder`, its own copy of the notebooks, into
    which a test may write more.
front_end
    First `lab`, then `voila`: the test runs once in each.
open_notebook(front_end, name)
    The page of a notebook, all its cells run and the kernel idle. A cell that fails, fails the
    test (in Voilà, one that writes to stderr too). Widgets may still be drawing: wait for them.
    The page is new, and the test's own.
shared_notebook(front_end, name)
    The same, but the tests of a file share one page, since to start a kernel and run the cells
    takes longer than most tests. It comes as the test before left it, but for the width of the
    window. A test that needs it otherwise puts it back as a person would, by its buttons and keys,
    so that each test also passes alone. After a test that failed, the page is a new one.
chart_data(page)
    The data of every Bokeh ColumnDataSource in the page that has a name, as
    `{source: {column: list}}`.
handle(page, label, nth=0)
    The handle of the slider with that label, to press keys on or to drag.
show(page, heading, *sources)
    Scrolls to a heading, and waits until the charts with these sources are drawn: JupyterLab
    draws what is in sight.
wait_until_changed(page, name, column, before)
    Waits until a column of the source of that name holds something else than the list `before`;
    what it holds then. The figure may have been drawn anew.
watch(page)
    From now on, `window.keyed` is when a key was last pressed, and `window.changes` lists, by name
    of its source, when a chart's data changed, in milliseconds.
screenshot(page, name)
    Saves the page as `name.png` and returns the path. The folder is that of the environment
    variable NAVKIT_SCREENSHOTS, else one of pytest's temporary folders.
browser
    Chromium itself, for a page without a server: `browser.new_page()`.

Pages reach this machine only, so whatever would need a network fails here. Without Chromium the
tests are skipped; with NAVKIT_REQUIRE_BROWSER=1 in the environment they fail. Every test in this
folder is marked `browser`.
"""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, ViewportSize, sync_playwright

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NO_CHROMIUM = "no Chromium on this machine"
TOKEN = secrets.token_hex()
WINDOW: ViewportSize = {"width": 1600, "height": 1200}
START_SECONDS = 90
RUN_SECONDS = 120


@dataclass(frozen=True)
class FrontEnd:
    """A server of notebooks on this machine."""

    name: str
    url: str
    folder: Path
    token: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.getreports("skipped")
    if count := sum(NO_CHROMIUM in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(f"browser tests skipped, {count} of them: {NO_CHROMIUM}")


@pytest.fixture(scope="session")
def chromium() -> str:
    for name in ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    if os.environ.get("NAVKIT_REQUIRE_BROWSER") == "1":
        pytest.fail(NO_CHROMIUM, pytrace=False)
    pytest.skip(NO_CHROMIUM)


# Not longer than a module: while Playwright runs, its event loop occupies the thread in which
# nbval talks to its kernels.
@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def lab(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrontEnd]:
    folder = tmp_path_factory.mktemp("lab")
    config = {
        "IdentityProvider": {"token": TOKEN},
        "LabApp": {"expose_app_in_browser": True},
    }
    command = [sys.executable, "-m", "navkit", "lab", "--no-browser"]
    with _server("lab", command, folder, config) as front_end:
        yield front_end


@pytest.fixture(scope="session")
def voila(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrontEnd]:
    folder = tmp_path_factory.mktemp("voila")
    command = [sys.executable, "-m", "navkit", "app", "--no-browser"]
    config = {"VoilaConfiguration": {"show_tracebacks": True}}
    with _server("voila", command, folder, config) as front_end:
        yield front_end


@pytest.fixture(scope="module", params=["lab", "voila"])
def front_end(request: pytest.FixtureRequest) -> FrontEnd:
    running: FrontEnd = request.getfixturevalue(request.param)
    return running


@pytest.fixture
def open_notebook(browser: Browser) -> Iterator[Callable[[FrontEnd, str], Page]]:
    with ExitStack() as opened:

        def open_notebook(front_end: FrontEnd, name: str) -> Page:
            return opened.enter_context(_notebook(browser, front_end, name))

        yield open_notebook


@pytest.fixture(scope="module")
def shared_notebook(
    browser: Browser, request: pytest.FixtureRequest
) -> Iterator[Callable[[FrontEnd, str], Page]]:
    shown: tuple[Any, Page] | None = None
    with ExitStack() as opened:

        def shared_notebook(front_end: FrontEnd, name: str) -> Page:
            nonlocal shown
            asked = front_end, name, request.session.testsfailed
            if shown is None or shown[0] != asked:
                opened.close()
                shown = asked, opened.enter_context(_notebook(browser, front_end, name))
            shown[1].set_viewport_size(WINDOW)
            return shown[1]

        yield shared_notebook


@pytest.fixture(scope="session")
def chart_data() -> Callable[[Page], dict[str, dict[str, list[Any]]]]:
    def chart_data(page: Page) -> dict[str, dict[str, list[Any]]]:
        found: dict[str, dict[str, list[Any]]] = page.evaluate(NAMED_SOURCES)
        return found

    return chart_data


@pytest.fixture(scope="session")
def handle() -> Callable[..., Locator]:
    def handle(page: Page, label: str, nth: int = 0) -> Locator:
        row = page.locator(".widget-slider", has=page.get_by_text(label, exact=True)).nth(nth)
        return row.locator(".noUi-handle")

    return handle


@pytest.fixture(scope="session")
def show() -> Callable[..., None]:
    def show(page: Page, heading: str, *sources: str) -> None:
        page.get_by_role("heading", name=heading).first.evaluate("each => each.scrollIntoView()")
        page.wait_for_function(DRAWN, arg=list(sources), timeout=RUN_SECONDS * 1000)

    return show


@pytest.fixture(scope="session")
def wait_until_changed() -> Callable[[Page, str, str, list[Any]], list[Any]]:
    def wait_until_changed(page: Page, name: str, column: str, before: list[Any]) -> list[Any]:
        told = [name, column, before]
        found = page.wait_for_function(CHANGED, arg=told, timeout=RUN_SECONDS * 1000)
        values: list[Any] = found.json_value()
        return values

    return wait_until_changed


@pytest.fixture(scope="session")
def watch() -> Callable[[Page], None]:
    def watch(page: Page) -> None:
        page.evaluate(WATCH)

    return watch


@pytest.fixture(scope="session")
def screenshot(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Page, str], Path]:
    given = os.environ.get("NAVKIT_SCREENSHOTS")
    folder = Path(given) if given else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)

    def screenshot(page: Page, name: str) -> Path:
        path = folder / f"{name}.png"
        page.screenshot(path=path)
        return path

    return screenshot


NAMED_SOURCES = """() => {
    const found = {};
    for (const document of window.Bokeh?.documents ?? []) {
        for (const root of document.roots()) {
            for (const model of root.references()) {
                if (model.type !== "ColumnDataSource" || model.name == null) continue;
                const data = model.data instanceof Map ? model.data : Object.entries(model.data);
                found[model.name] = Object.fromEntries(
                    Array.from(data, ([column, values]) => [column, Array.from(values)]));
            }
        }
    }
    return found;
}"""

DRAWN = """names => window.Bokeh !== undefined
    && names.every(name => Bokeh.documents.some(shown => shown.get_model_by_name(name)))
    && Bokeh.documents.every(shown => shown.is_idle)"""

CHANGED = """([name, column, before]) => {
    for (const shown of Bokeh.documents) {
        const data = shown.get_model_by_name(name)?.data;
        const values = data instanceof Map ? data.get(column) : data?.[column];
        if (values && JSON.stringify(Array.from(values)) !== JSON.stringify(before))
            return Array.from(values);
    }
    return null;
}"""

WATCH = """() => {
    const changes = window.changes = {};
    window.keyed = null;
    window.addEventListener("keydown", () => { keyed = performance.now(); }, { capture: true });
    for (const shown of Bokeh.documents) {
        for (const model of shown.roots()[0].references()) {
            if (model.type !== "ColumnDataSource" || !model.name) continue;
            changes[model.name] = [];
            // Before the chart hears of it, which then works out what it draws.
            const { change } = model.properties.data;
            const emit = change.emit.bind(change);
            change.emit = (...told) => {
                changes[model.name].push(performance.now());
                emit(...told);
            };
        }
    }
}"""

RUN_ALL_CELLS = """async () => {
    const { commands, shell } = window.jupyterapp;
    const panel = shell.currentWidget;
    await panel.context.sessionContext.ready;
    await commands.execute("notebook:run-all-cells");
    const outputs = Array.from(panel.content.model.cells)
        .flatMap(cell => cell.type === "code" ? cell.sharedModel.outputs : []);
    return outputs.filter(output => output.output_type === "error")
        .map(output => `${output.ename}: ${output.evalue}`);
}"""

LAB_IS_READY = """() => {
    const panel = window.jupyterapp?.shell.currentWidget;
    return panel?.context?.isReady && panel.sessionContext.session?.kernel?.status === "idle";
}"""


@contextmanager
def _notebook(browser: Browser, front_end: FrontEnd, name: str) -> Iterator[Page]:
    """A page of its own with a notebook, all its cells run."""
    with browser.new_context(viewport=WINDOW) as context:
        context.route("**/*", _this_machine_only)
        context.set_default_timeout(30_000)
        page = context.new_page()
        run = _run_in_lab if front_end.name == "lab" else _run_in_voila
        run(page, front_end, name)
        yield page


def _run_in_lab(page: Page, front_end: FrontEnd, name: str) -> None:
    # Without ?reset Lab opens the tabs of the last visit.
    page.goto(f"{front_end.url}lab/tree/{name}?reset&token={front_end.token}")
    page.wait_for_function(LAB_IS_READY, timeout=RUN_SECONDS * 1000)
    errors = page.evaluate(RUN_ALL_CELLS)
    assert not errors, f"{name} in JupyterLab: {errors}"
    page.wait_for_function(LAB_IS_READY)


def _run_in_voila(page: Page, front_end: FrontEnd, name: str) -> None:
    page.goto(
        f"{front_end.url}voila/render/{name}?token={front_end.token}", timeout=RUN_SECONDS * 1000
    )
    page.locator("#rendered_cells").wait_for(state="visible", timeout=RUN_SECONDS * 1000)
    errors = page.locator("[data-mime-type='application/vnd.jupyter.stderr']").all_inner_texts()
    assert not errors, f"{name} in Voilà: {errors}"


def _this_machine_only(route: Route) -> None:
    if route.request.url.startswith("http://127.0.0.1:"):
        route.continue_()
    else:
        route.abort()


@contextmanager
def _server(
    name: str, command: list[str], home: Path, config: dict[str, Any]
) -> Iterator[FrontEnd]:
    """Serve the notebooks from a folder of their own, and stop the server afterwards."""
    notebooks = home / "notebooks"
    settings = home / "config/lab/user-settings/@jupyterlab/apputils-extension"
    settings.mkdir(parents=True)
    # Else a popup asks whether Lab may fetch news.
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    for program in ("jupyter_server_config", "jupyter_lab_config", "voila"):
        (home / f"config/{program}.json").write_text(json.dumps(config))
    environment = os.environ | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    port = _free_port()
    url = f"http://127.0.0.1:{port}/"
    log = home / "server.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, f"--port={port}", str(notebooks)],
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_until_ready(url, process, log)
        # Lab's is given to it; Voilà makes its own, and tells it in the address of the start page.
        told = re.search(r"/render/\S+\?token=(\S+)$", log.read_text(), re.MULTILINE)
        yield FrontEnd(name, url, notebooks, told[1] if name == "voila" and told else TOKEN)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError:
            return  # it answers, if only to ask for the token
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    pytest.fail(f"the server at {url} did not start:\n{log.read_text()[-3000:]}", pytrace=False)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
