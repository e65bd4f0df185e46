"""What the tests of Sea Battles share."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from navkit.battle import Battle, Either, Repeat, Step, play
from navkit.chance import Exact, Sampled, Scripted
from navkit.rulebooks.sea_battles.vessel import Vessel, launched

D6 = range(1, 7)


@pytest.fixture(scope="session")
def brute():
    """The exact distribution of what a plain function makes of so many D6, all faces listed."""

    def brute(dice, made):
        found = Counter(made(*faces) for faces in product(D6, repeat=dice))
        return {value: Fraction(ways, 6**dice) for value, ways in sorted(found.items())}

    return brute


@pytest.fixture(scope="session")
def binomial():
    """P(k of n dice succeed), each with that chance, as {k: Fraction}."""

    def binomial(n, chance):
        chance = Fraction(chance)
        return {k: comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)}

    return binomial


@dataclass(frozen=True)
class Holder:
    """A side that is one ship, and what a test reads from her."""

    vessel: Vessel
    value: np.ndarray


@dataclass(frozen=True)
class Alone:
    a: Holder
    b: Holder


@dataclass(frozen=True)
class Sea:
    """Plays parts of a turn that are written for one ship."""

    def battle(self, ship, parts, prepare, read):
        zero = np.zeros(1, dtype=np.int32)
        vessel = launched(ship)
        vessel = vessel if prepare is None else prepare(vessel)

        def asked(when):
            return None if when is None else lambda alone: when(alone.a.vessel)

        def lifted(part):
            if isinstance(part, Repeat):
                return replace(part, step=lifted(part.step))
            if isinstance(part, Either):
                return Either(tuple(lifted(step) for step in part.steps), asked(part.when))

            def after(alone, chance):
                return replace(alone, a=replace(alone.a, vessel=part.run(alone.a.vessel, chance)))

            return Step(after, asked(part.when))

        def told(alone, chance):
            return replace(alone, a=replace(alone.a, value=read(alone.a.vessel) + 0 * zero))

        return Battle(
            start=Alone(Holder(vessel, zero), Holder(launched(ship), zero)),
            turn=(*(lifted(part) for part in parts), Step(told)),
            lost=lambda alone, side: np.zeros_like(alone.a.value),
            causes=("none",),
            tracks=("value",),
            may_stall=False,
        )

    def exact(self, ship, parts, read, prepare=None):
        """{value: probability} of what `read` finds after the parts."""
        history = play(self.battle(ship, parts, prepare, read), 1, Exact())
        found = history.distribution("a", "value")
        pairs = zip(found.support.tolist(), found.pmf.tolist(), strict=True)
        return {value: chance for value, chance in pairs if chance > 0}

    def scripted(self, ship, parts, rolls, read, prepare=None):
        """What `read` finds after scripted rolls, and the log."""
        history = play(self.battle(ship, parts, prepare, read), 1, Scripted(rolls))
        return int(history.distribution("a", "value").min), history.log

    def sampled(self, ship, parts, read, prepare=None, fights=20_480):
        history = play(self.battle(ship, parts, prepare, read), 1, Sampled(fights=fights))
        found = history.distribution("a", "value")
        return dict(zip(found.support.tolist(), found.pmf.tolist(), strict=True))


@pytest.fixture(scope="session")
def sea():
    return Sea()


@pytest.fixture(scope="session")
def at_least_errors():
    """Asserts that a sampled share is within four standard errors of the exact chance."""

    def check(exact, sampled, fights):
        spread = max((exact * (1 - exact) / fights) ** 0.5, 0.5 / fights)
        assert abs(exact - sampled) <= 4 * spread, (exact, sampled)

    return check
