"""What the tests of the medieval rulebook share: an oracle of its own, and how samples are held."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest
from scipy.stats import binomtest

FAMILY = 1e-6
"""How often the comparisons of one test with samples may fail by luck, all together."""


@pytest.fixture(scope="session")
def factors_by_hand():
    """The list of the document, written out once more: from ships, crew points and counts."""

    def factors(attacker, defender, crew, foes, *, more=0, flanking=0):
        total = 2 * more - flanking
        total += 1 if attacker.flagship else 0
        total -= 1 if defender.flagship else 0
        total += 1 if foes <= 10 else 0
        total -= 1 if crew <= 10 else 0
        if attacker.siphon != defender.siphon:
            total += 2 if attacker.siphon else -2
        if attacker.kind == "long":
            higher = defender.high and not attacker.high
            total -= 2 if defender.kind == "round" or higher else 0
        return total

    return factors


@pytest.fixture(scope="session")
def recursion(factors_by_hand):
    """One against one in fractions: {(turn, winner): probability}, and what goes on after it.

    An independent recursion over crew points, without arrays, merging or self-loops by algebra.
    """

    def play(a, b, turns, *, retaliation="sequential", least=0, flanking=(0, 0)):
        state, over = {(a.crew, b.crew): Fraction(1)}, defaultdict(Fraction)
        for turn in range(1, turns + 1):
            after = defaultdict(Fraction)
            for (x, y), weight in state.items():
                for first, second in product(range(1, 7), repeat=2):
                    part = weight / 36
                    to_b = factors_by_hand(a, b, x, y, flanking=flanking[1])
                    left_b = max(y - max(first + to_b, least), 0)
                    if retaliation == "sequential" and left_b == 0:
                        left_a = x
                    else:
                        now = left_b if retaliation == "sequential" else y
                        to_a = factors_by_hand(b, a, now, x, flanking=flanking[0])
                        left_a = max(x - max(second + to_a, least), 0)
                    if left_a and left_b:
                        after[left_a, left_b] += part
                    else:
                        winner = "a" if left_a else "b" if left_b else "both"
                        over[turn, winner] += part
            state = after
        return over, state

    return play


@pytest.fixture(scope="session")
def to_the_end(factors_by_hand):
    """The chance that a wins one against one in the end, in fractions, by the first step."""

    def solve(a, b, *, simultaneous=False):
        known = {}

        def wins(x, y):
            if x == 0 or y == 0:
                return Fraction(1 if x else 0)
            if (x, y) not in known:
                stays, total = Fraction(0), Fraction(0)
                for first, second in product(range(1, 7), repeat=2):
                    left_b = max(y - max(first + factors_by_hand(a, b, x, y), 0), 0)
                    left_a = x
                    if left_b or simultaneous:
                        now = y if simultaneous else left_b
                        left_a = max(x - max(second + factors_by_hand(b, a, now, x), 0), 0)
                    if (left_a, left_b) == (x, y):
                        stays += Fraction(1, 36)
                    else:
                        total += wins(left_a, left_b) / 36
                known[x, y] = total / (1 - stays)
            return known[x, y]

        return wins(a.crew, b.crew)

    return solve


@pytest.fixture(scope="session")
def hold_sample():
    """Asserts that counts of a sample fit exact chances, with a false alarm in 1e-6 at most."""

    def hold(counts_and_chances, fights):
        pairs = list(counts_and_chances)
        for count, chance in pairs:
            chance = min(max(chance, 0.0), 1.0)
            if chance < 1e-12 or chance > 1 - 1e-12:
                assert count == round(chance) * fights
            else:
                assert binomtest(count, fights, chance).pvalue > FAMILY / len(pairs)

    return hold
