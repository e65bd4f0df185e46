"""The maps of the documents' rules: complete, and each rule with what plays and what holds it.

Rule numbers, and how many there are, are those of the documents' own sentences in order.
"""

import ast
import csv
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import navkit as nk
from navkit import rules_map
from navkit.records import RecordError
from navkit.resources import data_file, data_files

ROOT = Path(__file__).resolve().parents[1]
NUMBERED = {
    "gurps": ("G", 139),
    "medieval": ("M", 41),
    "1879": ("V", 104),
    "sea-battles": ("S", 142),
}
MAPPED = rules_map.documents()
RULES = [rule for document in MAPPED for rule in rules_map.rules(document)]
PACKAGES = {
    "gurps": "gurps",
    "medieval": "medieval",
    "1879": "vehicular_1879",
    "sea-battles": "sea_battles",
}


@cache
def names_in(path):
    """The tests of a file: functions, and (class, method), read and not run."""
    found = set()
    for node in ast.parse((ROOT / path).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add((node.name,))
        elif isinstance(node, ast.ClassDef):
            methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
            found |= {(node.name, each.name) for each in methods}
    return {names for names in found if names[-1].startswith("test_")}


def test_every_map_is_of_a_document_that_is_known():
    known = {f"rules-map-{document}.csv" for document in rules_map.DOCUMENTS}
    assert {path.name for path in data_files("rules-map-*.csv")} <= known
    assert set(rules_map.DOCUMENTS) == set(NUMBERED)
    assert {"gurps", "medieval"} <= set(MAPPED)


@pytest.mark.parametrize("document", MAPPED)
class TestMap:
    def test_no_rule_is_missing_or_told_twice(self, document):
        letter, last = NUMBERED[document]
        listed = [rule.id for rule in rules_map.rules(document)]
        assert listed == [f"{letter}-{number:02}" for number in range(1, last + 1)]

    def test_each_rule_is_told_in_words_of_its_own(self, document):
        told = Counter(rule.rule for rule in rules_map.rules(document))
        assert [words for words, times in told.items() if times > 1] == []

    def test_the_columns_are_as_agreed(self, document):
        lines = data_file(f"rules-map-{document}.csv").read_text("utf-8").splitlines()
        head = next(csv.reader(line for line in lines if not line.startswith("#")))
        assert head == ["id", "rule", "function", "test"]

    def test_what_plays_a_rule_is_in_the_rulebook(self, document):
        package = f"navkit.rulebooks.{PACKAGES[document]}."
        paths = [path for rule in rules_map.rules(document) for path in rule.functions]
        assert [path for path in paths if not path.startswith(package)] == []

    def test_rules_that_logs_name_are_on_the_map(self, document):
        """A roll's `rule=` is the number of a rule, or no number at all."""
        letter, _ = NUMBERED[document]
        told = {
            node.value.value
            for path in (ROOT / "navkit/rulebooks" / PACKAGES[document]).glob("*.py")
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.keyword)
            and node.arg == "rule"
            and isinstance(node.value, ast.Constant)
        }
        numbers = {each for each in told if each.startswith(f"{letter}-")}
        assert numbers
        assert numbers <= {rule.id for rule in rules_map.rules(document)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_played_and_held(rule):
    assert len(rule.found()) == len(rule.functions)
    for path, names in rule.tests:
        assert path.startswith("tests/")
        assert names in names_in(path), f"{path} has no test {'::'.join(names)}"


def rule(**changes):
    about = {
        "id": "G-01",
        "rule": "A rule.",
        "function": "navkit.rulebooks.gurps.fight.duel",
        "test": "tests/test_rules_map.py::rule",
    }
    return rules_map.Rule(**{**about, **changes})


@pytest.mark.parametrize(
    "path",
    [
        "navkit.rulebooks.gurps.fight.no_such_rule",
        "navkit.rulebooks.gurps.no_such_module.duel",
        "navkit.no_such_package.fight.duel",
        "os.system",
        "navkit.rulebooks.gurps.fight.duel()",
        "navkit..fight",
    ],
)
def test_a_path_that_leads_nowhere_is_refused(path):
    with pytest.raises(nk.InputError, match="function: got"):
        rule(function=path).found()


def test_paths_lead_to_modules_functions_classes_members_and_tables():
    from navkit.rulebooks.gurps import fight, ships, tables

    paths = {
        "navkit.rulebooks.gurps.fight": fight,
        "navkit.rulebooks.gurps.fight.duel": fight.duel,
        "navkit.rulebooks.gurps.ships.Ship": ships.Ship,
        "navkit.rulebooks.gurps.ships.Ship.guns": ships.Ship.guns,
        "navkit.rulebooks.gurps.tables.HULL_LOSSES": tables.HULL_LOSSES,
    }
    assert rule(function=" ".join(paths)).found() == tuple(paths.values())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (dict(rule=" "), "rule: got ' ', allowed is a text"),
        (dict(function=""), "function: got ''"),
        (dict(test=""), "test: got ''"),
        (dict(test="tests/test_rules_map.py"), "test: got 'tests/test_rules_map.py', allowed is"),
        (dict(test="tests/a.txt::b"), "test: got 'tests/a.txt::b'"),
        (dict(test="tests/a.py::"), "test: got 'tests/a.py::'"),
    ],
)
def test_a_rule_without_words_or_function_or_test_is_refused(changes, said):
    with pytest.raises(nk.InputError) as caught:
        rule(**changes)
    assert str(caught.value).startswith(said)


def test_tables_and_counts():
    whole = rules_map.table()
    assert len(whole) == len(RULES) == rules_map.counts()["rules"].sum()
    assert list(rules_map.table("gurps", "G-24").index) == ["G-24"]
    assert set(rules_map.table("gurps", "RAM rammer").index) == {"G-101", "G-102"}
    assert rules_map.table("gurps", "no such words").empty


def test_what_plays_and_holds_a_rule_in_words():
    line = rules_map.table("gurps", "G-30").loc["G-30"]
    assert line["function"] == "HANDS_PER_GUN in gurps/tables.py"
    assert line["test"] == "guns: ten guns need twenty hands in gurps/test_damage.py"
    (both,) = rules_map.find("gurps", "G-35")
    assert both.in_words()["function"] == "gun_hands in gurps/guns.py; movement in gurps/vessel.py"


def test_the_source_of_a_rule():
    for number, code in {
        "G-24": "    def guns(self) -> int:",
        "G-30": "HANDS_PER_GUN = 2",
        "G-42": "def highest_hit(skill: ",
        "G-17": "class Ship:",
    }.items():
        (found,) = rules_map.find("gurps", number)
        assert code in found.source()
    assert "def duel(" in rule(function="navkit.rulebooks.gurps.fight").source()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_source_to_read(rule):
    assert rule.source().strip()


def test_a_document_without_a_map_is_refused():
    with pytest.raises(nk.InputError, match="document: got 'chess', allowed are 'gurps'"):
        rules_map.rules("chess")


def test_a_map_with_a_fault_is_refused_with_its_place(tmp_path):
    from navkit import records

    path = tmp_path / "rules-map-gurps.csv"
    lines = data_file("rules-map-gurps.csv").read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:5], lines[4]]), encoding="utf-8")
    with pytest.raises(RecordError, match=r"rules-map-gurps.csv, line 6: id: got 'G-03'"):
        records.read_csv(path, rules_map.Rule, unique="id")
