"""The rooms of the house: imports go one way, from the first of them to the last."""

import ast
from collections.abc import Iterator
from pathlib import Path

import navkit

ROOT = Path(navkit.__file__).parent
ROOMS = (
    "errors",
    "words",
    "resources",
    "paths",
    "progress",
    "counts",
    "distribution",
    "dice",
    "chance",
    "state",
    "log",
    "tally",
    "history",
    "engine",
    "battle",
    "events",
    "paired",
    "precision",
    "records",
    "rules_map",
    "rulebooks",
    "scenario",
    "desk",
    "sheet",
    "sweep",
    "chart_columns",
    "charts",
    "network",
    "live",
    "pages",
    "printing",
    "explorers",
    "cli",
)
"""Each imports from those before it alone. Dice and their notation are one room."""
ALIKE = {"notation": "dice", "__main__": "cli"}
CHARTS = {"chart_columns", "charts", "network", "live"}
"""They take tables, and know nothing of fights."""


def room(module: str) -> str:
    name = module.split(".")[1] if "." in module else ""
    return ALIKE.get(name, name)


def imports() -> Iterator[tuple[str, str]]:
    """A module and what it imports, for all of navkit; what only type checkers import apart."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(("navkit", *(part for part in parts if part != "__init__")))
        tree = ast.parse(path.read_text("utf-8"))
        checked = [
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for inner in ast.walk(node)
        ]
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node not in checked and node.module:
                for name in node.names:
                    inner = f"{node.module}.{name.name}".replace(".", "/")
                    is_module = (ROOT.parent / f"{inner}.py").exists() or (
                        ROOT.parent / inner
                    ).is_dir()
                    yield module, inner.replace("/", ".") if is_module else node.module
            elif isinstance(node, ast.Import):
                yield from ((module, name.name) for name in node.names)


def test_imports_go_one_way() -> None:
    found = [(module, told) for module, told in imports() if told.startswith("navkit.")]
    assert {room(each) for pair in found for each in pair} - {""} == set(ROOMS)
    place = {name: at for at, name in enumerate(ROOMS)}
    wrong = [
        f"{module} imports {told}"
        for module, told in found
        if room(module) and place[room(told)] > place[room(module)]
    ]
    assert not wrong


def test_no_rulebook_imports_another() -> None:
    books = {path.parent.name for path in (ROOT / "rulebooks").glob("*/__init__.py")}
    assert len(books) == 4

    def book(module: str) -> str | None:
        parts = module.split(".")
        return (
            parts[2] if parts[1:2] == ["rulebooks"] and parts[2:3] and parts[2] in books else None
        )

    wrong = [
        f"{module} imports {told}"
        for module, told in imports()
        if told.startswith("navkit.") and book(told) and room(module) == "rulebooks"
        if book(told) != book(module)
    ]
    assert not wrong


def test_charts_know_nothing_of_fights() -> None:
    allowed = CHARTS | {"errors", "words"}
    wrong = [
        f"{module} imports {told}"
        for module, told in imports()
        if room(module) in CHARTS and told.startswith("navkit.") and room(told) not in allowed
    ]
    assert not wrong
