"""The README's example does what it says."""

import ast
import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S)


def told(lines):
    """The comment at the start of `lines`: what the README says an expression prints."""
    said = []
    for line in lines:
        if not line.startswith("#"):
            break
        said.append(line.removeprefix("#").removeprefix(" ").rstrip())
    return said


@pytest.mark.parametrize("block", BLOCKS)
def test_the_readme_tells_what_comes_out(block):
    lines, names = block.splitlines(), {}
    shown = 0
    for statement in ast.parse(block).body:
        source = ast.unparse(statement)
        if not isinstance(statement, ast.Expr):
            exec(source, names)
            continue
        value = str(eval(source, names))
        assert [line.rstrip() for line in value.splitlines()] == told(lines[statement.end_lineno :])
        shown += 1
    assert shown
