"""The odds of 1879 vehicular combat that a person asks for by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from navkit.battle import play, some_turns
from navkit.chance import Array, Chance, Exact, Sampled
from navkit.dice import Distribution
from navkit.engine.branches import Branches, distribution
from navkit.errors import InputError, whole
from navkit.rulebooks.vehicular_1879 import tables
from navkit.rulebooks.vehicular_1879.barrage import Barrage, barrage
from navkit.rulebooks.vehicular_1879.doctrines import Doctrine
from navkit.rulebooks.vehicular_1879.fight import (
    CAUSES,
    check_orders,
    fire_battle,
    fires_of,
    known_range,
)
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.initiative import initiative as initiative_steps
from navkit.rulebooks.vehicular_1879.maneuvers import Captain, maneuver_test
from navkit.rulebooks.vehicular_1879.ships import Vehicle, known_vehicle
from navkit.rulebooks.vehicular_1879.state import ready_fight
from navkit.rulebooks.vehicular_1879.steps import successes
from navkit.rulebooks.vehicular_1879.supplement import Supplement
from navkit.rulebooks.vehicular_1879.tables import Range

__all__ = ["battery", "crippled", "initiative", "maneuver", "success_table", "successes"]


def success_table(
    steps: Sequence[int],
    difficulties: Sequence[int],
    *,
    at_least: int = 1,
    rules: HouseRules | None = None,
) -> pd.DataFrame:
    """The chance of at least so many successes, by step (rows) and difficulty (columns).

    Raises InputError for a step or a difficulty that is not there, or is told twice.
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers; step tests beneath it.

    >>> success_table([8, 12], [2, 8]).round(3).values.tolist()
    [[0.972, 0.472], [0.99, 0.79]]
    """
    rules = HouseRules.of(rules)
    rows, columns = _told("steps", steps), _told("difficulties", difficulties)
    least = whole("at_least", at_least, tables.RULE_OF_ONE, 1000)
    chances = [
        [successes(step, difficulty, rules=rules).at_least(least) for difficulty in columns]
        for step in rows
    ]
    return pd.DataFrame(chances, index=pd.Index(rows, name="step"), columns=pd.Index(columns))


def _told(what: str, numbers: Sequence[int]) -> list[int]:
    told = list(numbers) if isinstance(numbers, Iterable) else []
    if not told or any(told.count(each) > 1 for each in told):
        raise InputError(what, numbers, "a list of whole numbers, each once")
    return told


def battery(
    attacker: Vehicle,
    target: Vehicle,
    *,
    battery: str | None = None,
    doctrine: Doctrine | None = None,
    distance: Range | str = Range.NEAR,
    supplement: Supplement | None = None,
    rules: HouseRules | None = None,
) -> Barrage:
    """What one attack of a battery comes to: `hits`, `damage`, `criticals`, and both as `joint`.

    `battery` is the first one for None. Nothing is sampled. Raises InputError for an attacker
    without batteries, for a called shot that the target offers nothing for, and for one at crew
    or cargo, whose Damage Tests do not add up (`fire` plays them).
    Source: 1879: Vehicular Combat Preview, Unit and Weapon Battery Attacks.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> attack = battery(ship("Paddle gunboat"), ship("Merchant steamer"))
    >>> round(attack.damage.mean, 2), round(attack.criticals.at_least(1), 3)
    (7.55, 0.292)
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    known_vehicle("attacker", attacker), known_vehicle("target", target)
    doctrine = Doctrine.of("doctrine", doctrine)
    check_orders(doctrine, supplement)
    place = attacker.batteries.index(attacker.battery(battery))
    vehicles = {"a": attacker, "b": target}
    fires = fires_of("a", vehicles, {"a": doctrine}, supplement, rules)
    return barrage(fires[place], known_range(distance))


def maneuver(
    actor: Vehicle,
    target: Vehicle,
    *,
    difficulty: int | None = None,
    supplement: Supplement | None = None,
    rules: HouseRules | None = None,
) -> Distribution:
    """How many successes a Vehicle Maneuver Test has: −1 is a Rule of One, 0 a failure.

    `difficulty` is the target's Physical Defense for None, or its captain's own test under the
    house rule `maneuver_dn="opposed"`.
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> made = maneuver(ship("Scout Giffard"), ship("HMS Alexandra"))
    >>> round(made.at_least(1), 3), round(made.at_least(2), 3), round(made.equal(-1), 5)
    (0.912, 0.666, 0.00104)
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    if difficulty is not None:
        whole("difficulty", difficulty, 1, 1000)
    vehicles = {"a": known_vehicle("actor", actor), "b": known_vehicle("target", target)}
    captain = Captain("a", vehicles, {x: Doctrine() for x in vehicles}, rules, supplement)
    fight = ready_fight(actor, target, Range.NEAR)

    def made(chance: Chance) -> Array:
        return maneuver_test(captain, fight, chance, difficulty)

    return distribution(made)


def initiative(
    a: Vehicle,
    b: Vehicle,
    *,
    supplement: Supplement | None = None,
    rules: HouseRules | None = None,
) -> pd.Series[float]:
    """The chances that a acts first, that a coin must decide, and that b acts first.

    Source: 1879: Vehicular Combat Preview, Make Maneuver Tests.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> initiative(ship("Paddle gunboat"), ship("Pirate airship")).round(3).to_dict()
    {'a': 0.308, 'coin': 0.0, 'b': 0.692}
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    vehicles = {"a": known_vehicle("a", a), "b": known_vehicle("b", b)}
    tests, _ = initiative_steps(vehicles, supplement, rules)
    luck = Branches(1)
    after = tests.run(ready_fight(a, b, Range.NEAR), luck)
    first = after.first.ravel()
    share = np.bincount(first + 1, weights=luck.probability().ravel(), minlength=3)
    return pd.Series([share[2], share[1], share[0]], index=["a", "coin", "b"])


def crippled(
    attacker: Vehicle,
    target: Vehicle,
    *,
    turns: int = 10,
    battery: str | None = None,
    doctrine: Doctrine | None = None,
    distance: Range | str = Range.NEAR,
    supplement: Supplement | None = None,
    chance: Exact | Sampled | None = None,
    rules: HouseRules | None = None,
) -> pd.Series[float]:
    """By turn, from 0: the chance that the target is out of the fight under fire, unanswered.

    It is, when it is destroyed or crippled by its own figures, or has no hand left; for which of
    them see `fire(...).cause("b")`. Raises InputError for a target without such figures: the
    document has none.
    Source: 1879: Vehicular Combat Preview, Unit and Weapon Battery Attacks.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> crippled(ship("Paddle gunboat"), ship("Merchant steamer"), turns=3,
    ...          chance=Exact()).round(3).tolist()
    [0.0, 0.047, 0.153, 0.28]
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    known_vehicle("attacker", attacker), known_vehicle("target", target)
    doctrine = Doctrine.of("doctrine", doctrine)
    if target.destroyed_at is None and target.crippled_at is None and doctrine.called != "crew":
        allowed = "a vehicle with destroyed_at or crippled_at (the document has no figure)"
        raise InputError("target", target.name, allowed)
    turns = some_turns(turns)
    battle = fire_battle(
        attacker, target, battery, doctrine, known_range(distance), supplement, rules, turns
    )
    return play(battle, turns, chance).cause("b")[list(CAUSES)].sum(axis=1)
