"""Every rule of the document has a function that plays it and a test that holds it."""

import ast
import csv
import inspect
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

from navkit.resources import data_file

ROOT = Path(__file__).resolve().parents[2]
RULES = 41


def rows():
    with data_file("rules-map-medieval.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def test_no_rule_is_missing_or_listed_twice():
    assert [row["id"] for row in rows()] == [f"M-{n:02}" for n in range(1, RULES + 1)]
    assert all(row["rule"].strip() for row in rows())


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_a_rule_has_a_function_and_a_test(row):
    package, module, *names = row["function"].removeprefix("navkit.rulebooks.").split(".")
    found = reduce(getattr, names, import_module(f"navkit.rulebooks.{package}.{module}"))
    assert callable(found)
    assert inspect.getdoc(found)
    path, name = row["test"].split("::")
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_rules_that_are_logged_are_rules_of_the_list():
    """What the log names as the rule behind a roll is a row of the list."""
    known = {row["id"] for row in rows()} | {"fire section"}
    folder = ROOT / "navkit/rulebooks/medieval"
    told = {
        node.value.value
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.keyword)
        and node.arg == "rule"
        and isinstance(node.value, ast.Constant)
    }
    assert told
    assert told <= known
