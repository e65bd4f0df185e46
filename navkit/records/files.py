"""The text of files, with a bound on its size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from navkit.errors import InputError, RecordError

LARGEST_FILE = 1_000_000
"""Bytes of a file, or letters of a text, that are read at most."""


def file_text(path: Path) -> str:
    """The text of a file of records. Raises RecordError where it is too large or no UTF-8."""
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        allowed = f"at most {LARGEST_FILE} bytes"
        raise RecordError(path.name, InputError("size", "more", allowed))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = f"byte {content[error.start]:#x} at {error.start}"
        raise RecordError(path.name, InputError("text", bad, "UTF-8")) from None


def bounded(text: Any, place: str) -> None:
    """Raises RecordError for what is no text, or a longer one than a file may hold."""
    if not isinstance(text, str):
        raise RecordError(place, InputError("text", text, "a text"))
    if len(text) > LARGEST_FILE:
        allowed = f"at most {LARGEST_FILE} letters"
        raise RecordError(place, InputError("length", len(text), allowed))
