"""The `navkit` command.

Start-up is kept light: a subcommand imports what it needs when it runs.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from navkit import __version__
from navkit.cli.servers import NotInstalled, app, lab, needed
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
    except (CommandError, NotInstalled, OSError) as error:
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
    _add_app(commands)
    _add_notebooks(commands)
    _add_odds(commands)
    _add_sheet(commands)
    return parser


def _add_lab(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "lab",
        help="open the notebooks in JupyterLab",
        description="Open the notebooks in JupyterLab, on this machine only.",
    )
    _add_server_options(parser)
    parser.set_defaults(run=_serve, serve=lab, module="jupyterlab")


def _add_app(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "app",
        help="open the panels as pages, without code",
        description="Open the notebooks as pages without code, on this machine only. The address "
        "that is printed carries a token; nobody gets in without it.",
    )
    _add_server_options(parser)
    parser.set_defaults(run=_serve, serve=app, module="voila")


def _add_server_options(server: argparse.ArgumentParser) -> None:
    server.add_argument("--no-browser", action="store_true", help="start the server alone")
    server.add_argument("--port", type=_port, metavar="N", help="listen on this port or not at all")
    server.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="DIR",
        help="open a copy of the notebooks in this folder; files already there are kept "
        f"(default: the notebooks themselves in a checkout, else {DEFAULT_FOLDER})",
    )


def _add_notebooks(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    notebooks = commands.add_parser(
        "notebooks",
        help="copy the notebooks into a folder of yours",
        description="Copy the notebooks into a folder; files already there are kept.",
    )
    notebooks.add_argument("folder", type=Path, metavar="DIR")
    notebooks.set_defaults(run=_notebooks)


def _add_odds(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    odds = commands.add_parser(
        "odds",
        help="the odds of a fight, as a table",
        description="The odds of a fight of two ready ships, or of a scenario.",
        epilog="for example: navkit odds gurps duel Brig Sloop --set a.officers.medic=1, or "
        "navkit odds sea_battles fire Hammer Anvil --set facing=rear --set b.troops.1.models=9",
    )
    _add_fight(odds)
    odds.add_argument("--json", action="store_true", help="for other programs")
    odds.add_argument(
        "--error",
        type=float,
        metavar="E",
        help="play on until the standard error of a's chance to win is at most E, such as 0.002",
    )
    odds.set_defaults(run=_odds)


def _add_sheet(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    sheet = commands.add_parser(
        "sheet",
        help="a prep sheet of a fight, as a page, a table, a picture or a PDF",
        description="Prepare the sheet of a fight of two ready ships, or of a scenario.",
        epilog="for example: navkit sheet gurps duel Brig Sloop --set turns=8 --to tonight.html",
    )
    _add_fight(sheet)
    sheet.add_argument(
        "--to",
        action="append",
        default=[],
        type=Path,
        required=True,
        metavar="FILE",
        help="NAME.html, .csv, .png or .pdf, a file that is not there yet; may be given again",
    )
    sheet.set_defaults(run=_sheet)


def _add_fight(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a fight."""
    parser.add_argument(
        "rulebook", nargs="?", help="gurps, sea_battles, vehicular_1879 or medieval"
    )
    parser.add_argument("fight", nargs="?", help="how they fight, such as duel or board")
    parser.add_argument("a", nargs="?", help="a ready ship")
    parser.add_argument("b", nargs="?", help="the other one")
    parser.add_argument("--scenario", metavar="FILE", help="a scenario's file, or its short text")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a.crew, b.officers.gunnery, rules.reload, turns, fights, seed, or what the "
        "fight asks for: facing, distance ...; members of a list go by their number, from 1",
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {text!r}")
    return int(text)


def _notebooks(arguments: argparse.Namespace) -> None:
    for name in copy_notebooks(arguments.folder):
        print(f"navkit: kept your {arguments.folder / name}")
    print(f"navkit: the notebooks are in {arguments.folder}")


def _odds(arguments: argparse.Namespace) -> None:
    from navkit.chance import TooManyStates
    from navkit.cli.odds import print_odds
    from navkit.errors import InputError

    try:
        print_odds(arguments)
    except (InputError, TooManyStates) as error:
        raise CommandError(" ".join(str(error).split())) from error


def _sheet(arguments: argparse.Namespace) -> None:
    from navkit.chance import TooManyStates
    from navkit.cli.sheet import write_sheet
    from navkit.errors import InputError

    try:
        write_sheet(arguments)
    except (InputError, TooManyStates) as error:
        raise CommandError(" ".join(str(error).split())) from error
    except RuntimeError as error:  # no browser: the text says what to install
        raise CommandError(str(error)) from error


def _serve(arguments: argparse.Namespace) -> None:
    needed(arguments.module)
    folder = _folder_to_serve(arguments)
    arguments.serve(folder, browser=not arguments.no_browser, port=arguments.port)


def _folder_to_serve(arguments: argparse.Namespace) -> Path:
    """The notebooks themselves in a checkout, a copy of them elsewhere or where one is wanted."""
    if checkout() and arguments.folder is None:
        return notebooks_folder()
    folder: Path = (arguments.folder or DEFAULT_FOLDER).resolve()
    for name in copy_notebooks(folder):
        print(f"navkit: kept your {folder / name}")
    return folder
