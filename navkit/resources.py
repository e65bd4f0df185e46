"""Where navkit's own files are: the data tables and the notebooks.

In a checkout they are the folders `data/` and `notebooks/` beside the package; a wheel carries
copies of them inside it.
"""

import csv
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def checkout() -> Path | None:
    """Return the root of the checkout that navkit runs from, or None for an installed wheel."""
    root = _PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() else None


def data_file(name: str) -> Path:
    """Return the path of one of navkit's data files, such as a table of ships.

    Raises FileNotFoundError, naming the file and those there are, if there is no such file.

    >>> data_file("no-such-table.csv")
    Traceback (most recent call last):
    FileNotFoundError: navkit has no data file 'no-such-table.csv'; in ... there are: ...
    """
    folder = _folder("data")
    path = folder / name
    if not path.is_file():
        there = ", ".join(sorted(file.name for file in folder.iterdir() if file.is_file()))
        raise FileNotFoundError(
            f"navkit has no data file {name!r}; in {folder} there are: {there or 'none'}"
        )
    return path


def data_rows(name: str) -> list[dict[str, str]]:
    """The rows of one of navkit's data tables, texts by column; lines after # are remarks.

    >>> data_rows("medieval-ships.csv")[0]["name"]
    'Dromon'
    """
    with data_file(name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def data_files(pattern: str) -> list[Path]:
    """Return the paths of navkit's data files whose names match `pattern`, in order of name.

    >>> [path.name for path in data_files("gurps-*.csv")]
    ['gurps-ships.csv']
    """
    return sorted(_folder("data").glob(pattern))


def notebooks_folder() -> Path:
    """Return the folder of the notebooks that come with navkit.

    In an installed wheel this is part of the installation: copy from it, don't write to it.
    Raises FileNotFoundError if the folder is missing.

    >>> any(notebooks_folder().glob("*.ipynb"))
    True
    """
    return _folder("notebooks")


def _folder(name: str) -> Path:
    root = checkout()
    folder = root / name if root else _PACKAGE / f"_{name}"
    if not folder.is_dir():
        raise FileNotFoundError(f"navkit's {name} folder is missing: there is no {folder}")
    return folder
