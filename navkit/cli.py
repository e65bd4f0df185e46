"""The `navkit` command.

Start-up is kept light: a subcommand imports what it needs when it runs.
"""

import argparse
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from navkit import __version__
from navkit.resources import checkout, notebooks_folder

DEFAULT_FOLDER = Path("navkit-notebooks")


class CommandError(Exception):
    """What stops a command; its text is shown to the person in one line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `navkit` command and return its exit status.

    `argv` is the command line without the program's name, by default that of the process.

    >>> main(["lab", "--port", "eighty"])
    Traceback (most recent call last):
    SystemExit: 2
    """
    arguments = _parser().parse_args(argv)
    try:
        arguments.run(arguments)
    except (CommandError, OSError) as error:
        print(f"navkit: {error}", file=sys.stderr)
        return 1
    return 0


def copy_notebooks(folder: Path) -> list[Path]:
    """Copy navkit's notebooks into a folder, made if need be, and never overwrite a file.

    Returns the files, relative to the folder, that were there before and so were kept.
    """
    source = notebooks_folder()
    folder.mkdir(parents=True, exist_ok=True)
    kept = []
    for name in _visible_files(source):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        content = (source / name).read_bytes()
        try:
            with target.open("xb") as file:
                file.write(content)
        except FileExistsError:
            kept.append(name)
    return kept


def _visible_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not any(part.startswith((".", "__")) for part in name.parts):
            yield name


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="navkit",
        description="Odds of tabletop naval combat.",
        epilog="navkit is unofficial and not endorsed by the owners of the games it names.",
    )
    parser.add_argument("--version", action="version", version=f"navkit {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_lab(commands)
    return parser


def _add_lab(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    lab = commands.add_parser(
        "lab",
        help="open the notebooks in JupyterLab",
        description="Open the notebooks in JupyterLab, on this machine only.",
    )
    lab.add_argument("--no-browser", action="store_true", help="start the server alone")
    lab.add_argument("--port", type=_port, metavar="N", help="listen on this port or not at all")
    lab.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="DIR",
        help="open a copy of the notebooks in this folder; files already there are kept "
        f"(default: the notebooks themselves in a checkout, else {DEFAULT_FOLDER})",
    )
    lab.set_defaults(run=_lab)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {text!r}")
    return int(text)


def _lab(arguments: argparse.Namespace) -> None:
    root = checkout()
    if importlib.util.find_spec("jupyterlab") is None:
        extra = f'-e "{root}[lab]"' if root else '"navkit[lab]"'
        raise CommandError(
            f"JupyterLab is not installed; run: {sys.executable} -m pip install {extra}"
        )

    if root and arguments.folder is None:
        folder = notebooks_folder()
    else:
        folder = (arguments.folder or DEFAULT_FOLDER).resolve()
        for name in copy_notebooks(folder):
            print(f"navkit: kept your {folder / name}")

    options = [
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.ip=127.0.0.1",
        # Jupyter stops for root unless told. In a container root is often all there is.
        "--ServerApp.allow_root=True",
    ]
    if arguments.no_browser:
        options.append("--no-browser")
    if arguments.port is not None:
        options += [f"--ServerApp.port={arguments.port}", "--ServerApp.port_retries=0"]

    from jupyterlab.labapp import main as jupyterlab

    jupyterlab(options)
