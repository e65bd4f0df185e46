"""The rulebook that the notebook adds: as small as it says, and right in both its readings."""

import json
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest

import navkit as nk
from navkit.errors import InputError
from navkit.resources import notebooks_folder

NOTEBOOK = notebooks_folder() / "10-add-a-rulebook.ipynb"


def code_cells():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@pytest.fixture(scope="module")
def boats():
    """What the notebook defines."""
    names = {}
    for cell in code_cells():
        exec(compile(cell, NOTEBOOK.name, "exec"), names)
    return names


def test_it_takes_under_a_hundred_lines():
    lines = [line for cell in code_cells() for line in cell.splitlines() if line.strip()]
    assert len(lines) < 100


def sixes(hands, k):
    return Fraction(comb(hands, k) * 5 ** (hands - k), 6**hands)


@cache
def wins(a, b, turns, order):
    """The chances of a and b to win, by recursion over the sixes of a turn, in fractions."""
    if a == 0 or b == 0:
        return (Fraction(a > 0), Fraction(b > 0))
    if turns == 0:
        return (Fraction(0), Fraction(0))
    total = [Fraction(0), Fraction(0)]
    for by_a in range(a + 1):
        left = max(0, b - by_a)
        throwers = left if order == "a first" else b
        for by_b in range(throwers + 1):
            chance = sixes(a, by_a) * sixes(throwers, by_b)
            after = wins(max(0, a - by_b), left, turns - 1, order)
            total = [t + chance * w for t, w in zip(total, after, strict=True)]
    return tuple(total)


@pytest.mark.parametrize("order", ["together", "a first"])
@pytest.mark.parametrize(("hands_a", "hands_b"), [(1, 1), (2, 3), (6, 5)])
def test_exact_odds_equal_a_recursion_in_fractions(boats, hands_a, hands_b, order):
    a, b = boats["Boat"]("Gig", hands_a), boats["Boat"]("Cutter", hands_b)
    rules = boats["HouseRules"](order=order)
    found = boats["brawl"](a, b, turns=5, chance=nk.Exact(), rules=rules).outcome()
    expected = [float(chance) for chance in wins(hands_a, hands_b, 5, order)]
    assert found[["a", "b"]].tolist() == pytest.approx(expected, abs=1e-12)


def test_one_turn_over_all_faces(boats):
    a, b = boats["Boat"]("Gig", 2), boats["Boat"]("Cutter", 2)
    found = boats["brawl"](a, b, turns=1, chance=nk.Exact()).outcome()
    throws = list(product(range(1, 7), repeat=4))
    a_out = [throw[2] == throw[3] == 6 for throw in throws]
    b_out = [throw[0] == throw[1] == 6 for throw in throws]
    pairs = list(zip(a_out, b_out, strict=True))
    assert found["both"] == pytest.approx(pairs.count((True, True)) / len(pairs), abs=1e-14)
    assert found["a"] == pytest.approx(pairs.count((False, True)) / len(pairs), abs=1e-14)


def test_a_boat_without_hands_is_refused(boats):
    with pytest.raises(InputError, match="hands: got 0, allowed is a whole number from 1 to 40"):
        boats["Boat"]("Gig", 0)
