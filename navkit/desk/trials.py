"""The same fight played again and again: with other rules or ships, and the same kind of chance."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from navkit.battle import AUTOMATIC
from navkit.chance import Exact, Sampled, TooManyStates
from navkit.history import History
from navkit.precision import growing
from navkit.rulebooks.desk import Desk
from navkit.scenario import Scenario, rulebook


def desk_of(scenario: Scenario) -> Desk:
    """The desk of a scenario's rulebook."""
    desk: Desk = rulebook(scenario.rulebook).desk.DESK
    return desk


def played(scenario: Scenario, chance: Exact | Sampled) -> History:
    """What becomes of a fight with a chance of one's own instead of the scenario's.

    What is too large for exact odds that nobody insisted on is sampled, with the scenario's seed.
    """
    try:
        return _resolved(scenario, chance)
    except TooManyStates:
        if chance is not AUTOMATIC:
            raise
        return _resolved(scenario, _sample(scenario))


def chance_of(scenario: Scenario, fights: int) -> Exact | Sampled:
    """The chance that a fight is played with: what its scenario asks for.

    Where the scenario leaves it open: AUTOMATIC (exact if it fits) for a battle that can be
    counted, else a sample of `fights`. Samples tell how each fight ended.
    """
    if scenario.fights is None:
        return Exact()
    sampled = Sampled(scenario.fights or fights, scenario.seed, ends=True)
    if scenario.fights:
        return sampled
    once = _resolved(scenario, Sampled(fights=1))
    return AUTOMATIC if once.battle.countable else sampled


def settled(scenario: Scenario) -> tuple[Exact | Sampled, History]:
    """The chance that all trials of a fight are played with, and the fight played with it.

    It is exact where the scenario asks for that, or leaves it open and the fight is small; else
    sampled, so that all trials share their dice and tell how each fight ended: as many fights as
    the scenario says, or else as the rulebook's desk has time for. Raises TooManyStates where exact
    odds are asked for and do not fit.
    """
    chance = chance_of(scenario, desk_of(scenario).effort.fights)
    found = played(scenario, chance)
    return (chance if found.fights is None else _sample(scenario)), found


def surer(
    scenario: Scenario, *, of: str = "a", error: float = 0.005, most: int = 1_000_000
) -> Iterator[History]:
    """What becomes of a fight, ever surer, until the standard error of an event is at most `error`.

    Exact, and at once, where the scenario asks for that, or leaves it open and the fight is small.
    Else more and more fights are played, however many the scenario says, but no more than `most`.
    `of` is an event (see `navkit.events`), asked about at the end. Raises InputError for bad
    input, TooManyStates where exact odds are asked for and do not fit.

    >>> from navkit.rulebooks import gurps
    >>> fight = Scenario("gurps", "duel", gurps.ship("Sloop"), gurps.ship("Schooner"), turns=5)
    >>> [found.fights for found in surer(fight, of="a", error=0.005)]
    [4096, 5120]
    """
    chance = chance_of(scenario, 1)
    if isinstance(chance, Exact):
        try:
            yield _resolved(scenario, chance)
            return
        except TooManyStates:
            if chance is not AUTOMATIC:
                raise
    play = partial(played, scenario)
    yield from growing(play, of=of, error=error, most=most, seed=scenario.seed)


def _sample(scenario: Scenario) -> Sampled:
    fights = scenario.fights or desk_of(scenario).effort.fights
    return Sampled(fights, scenario.seed, ends=True)


def _resolved(scenario: Scenario, chance: Exact | Sampled) -> History:
    common = {"turns": scenario.turns, "chance": chance, "rules": scenario.rules}
    return scenario.resolver(scenario.a, scenario.b, **common, **scenario.parameters)
