"""Units of characters hand to hand, and batteries that fire into them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from navkit.battle import Battle, Repeat, Step, play, some_turns
from navkit.chance import Array, Chance, Exact, Sampled, Scripted
from navkit.errors import InputError
from navkit.history import History
from navkit.rulebooks.vehicular_1879 import gunnery, tables
from navkit.rulebooks.vehicular_1879.groups import Ranks, Unit, fresh, strike
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.ships import Vehicle, known_vehicle
from navkit.rulebooks.vehicular_1879.state import number, other
from navkit.rulebooks.vehicular_1879.steps import attempt, dice_family
from navkit.rulebooks.vehicular_1879.supplement import Supplement
from navkit.rulebooks.vehicular_1879.volley import ENDLESS
from navkit.state import replace, track

CAUSES = ("killed", "surrendered")
KILLED, SURRENDERED = 1, 2
TRACKS = ("dead", "wounds")


@dataclass(frozen=True)
class Party:
    """What changes about a unit: its ranks, and the Damage Tests that it has still to make.

    `gave_up` is 1 once a Morale Test has failed; `shaken` while one is due. `dead` and `wounds`
    are those of the ranks, for the history.
    """

    ranks: Ranks
    hits: Array
    surplus: Array
    shaken: Array
    gave_up: Array
    dead: Array = track()
    wounds: Array = track()


@dataclass(frozen=True)
class Melee:
    """Two units; `open` is 1 while blows are being worked out, when nothing is decided yet."""

    a: Party
    b: Party
    open: Array


def attacks(x: str, units: dict[str, Unit], rules: HouseRules) -> Step[Melee]:
    """The step in which a unit attacks: every living member is a weapon of it.

    Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating.
    """
    own, foe = units[x], units[other(x)]

    def step(fight: Melee, chance: Chance) -> Melee:
        party: Party = getattr(fight, x)
        rating = np.full_like(party.hits, own.attack + own.commander)
        made = attempt(
            chance,
            gunnery.on_table(rating, rules),
            np.full_like(party.hits, foe.member.defense),
            why="attack",
            rule="V-81",
            rules=rules,
        )
        scored = np.maximum(made, 0)
        hits = np.minimum(scored, own.members - party.ranks.dead)
        surplus = np.where(hits > 0, scored - hits, 0)
        party = replace(party, hits=hits, surplus=surplus)
        return replace(_with(fight, x, party), open=np.ones_like(fight.open))

    return Step(step, side=x)


def blows(x: str, units: dict[str, Unit], rules: HouseRules) -> Repeat[Melee]:
    """The steps in which a unit's hits do their damage, one by one, surplus on the first.

    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.
    """
    own, y = units[x], other(x)
    foe = units[y]
    most = foe.members * foe.member.death_rating + foe.member.armor + 1

    def step(fight: Melee, chance: Chance) -> Melee:
        party: Party = getattr(fight, x)
        bonus = party.surplus
        steps = rules.excess_success == "+2 steps"
        added = tables.SURPLUS * bonus
        damage = chance.roll_from(
            dice_family(rules),
            gunnery.on_table(own.damage + (added if steps else 0 * added), rules),
            np.zeros_like(bonus),
            np.zeros_like(bonus),
            0 * added if steps else added,
            then=gunnery.damage_rule(min(most, ENDLESS)),
            why="damage",
            rule="V-98",
        )
        target: Party = getattr(fight, y)
        ranks = strike(target.ranks, foe.members, foe.member, damage, foe.member.armor, rules)
        died = ranks.dead - target.ranks.dead
        target = replace(
            target,
            ranks=ranks,
            shaken=np.where(died > 0, 1, target.shaken),
            dead=target.dead + died,
            wounds=target.wounds + ranks.wounds - target.ranks.wounds,
        )
        party = replace(party, hits=party.hits - 1, surplus=np.zeros_like(bonus))
        return _with(_with(fight, y, target), x, party)

    return Repeat(Step(step, lambda fight: getattr(fight, x).hits > 0, side=x), most=own.members)


def morale(x: str, supplement: Supplement, rules: HouseRules) -> Step[Melee]:
    """The step in which a unit that lost members tests its morale, by a user's figures.

    Source: 1879: Vehicular Combat Preview, Scale of Play, names it; the test is a user's.
    """

    def step(fight: Melee, chance: Chance) -> Melee:
        party: Party = getattr(fight, x)
        made = attempt(
            chance,
            np.full_like(party.hits, supplement.morale_step),
            np.full_like(party.hits, supplement.morale_difficulty),
            why="Morale Test",
            rule="V-33",
            rules=rules,
        )
        gave_up = np.where(made > 0, 0, 1)
        return _with(fight, x, replace(party, gave_up=gave_up, shaken=np.zeros_like(gave_up)))

    return Step(step, lambda fight: getattr(fight, x).shaken > 0, side=x)


def closes(units: dict[str, Unit]) -> Step[Melee]:
    """The step after which it is told who is left."""

    def step(fight: Melee, chance: Chance) -> Melee:
        return replace(fight, open=np.zeros_like(fight.open))

    return Step(step)


def melee_battle(
    units: dict[str, Unit], strikers: tuple[str, ...], supplement: Supplement, rules: HouseRules
) -> Battle[Melee]:
    """A melee as data; see `board`."""
    parts: list[Step[Melee] | Repeat[Melee]] = [attacks(x, units, rules) for x in strikers]
    parts += [blows(x, units, rules) for x in strikers]
    if supplement.morale_step:
        parts += [morale(other(x), supplement, rules) for x in strikers]
    return Battle(
        start=Melee(_party(), _party(), number(0)),
        turn=(*parts, closes(units)),
        lost=_lost(units),
        causes=CAUSES,
        tracks=TRACKS,
        may_stall=False,
    )


def _lost(units: dict[str, Unit]) -> Callable[[Melee, str], Array]:
    def how(fight: Melee, x: str) -> Array:
        party: Party = getattr(fight, x)
        code = np.where(party.gave_up > 0, SURRENDERED, 0)
        code = np.where(party.ranks.dead >= units[x].members, KILLED, code)
        return np.where(fight.open > 0, 0, code)

    return how


def board(
    a: Vehicle | Unit,
    b: Vehicle | Unit,
    *,
    turns: int = 10,
    supplement: Supplement | None = None,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """Boarders against boarders, in turns of one minute, until one unit is dead or gives up.

    Of a vehicle its `boarders` fight. The document has no rules of boarding of its own, and no
    Board maneuver: units of characters attack each other as batteries do, with a weapon for
    every living member, and take Wounds and deaths as groups do. Both strike at the same moment.
    Morale is tested only with a supplement that has it.
    Raises InputError for a vehicle without boarders.
    Source: 1879: Vehicular Combat Preview, Scale of Play; Unit and Weapon Battery Attacks.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> h = board(ship("Pirate airship"), ship("Merchant steamer"), turns=20,
    ...           chance=Sampled(fights=1024))
    >>> bool(h.outcome()["a"] > 0.9)
    True
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    units = {"a": known_unit("a", a), "b": known_unit("b", b)}
    turns = some_turns(turns)
    return play(melee_battle(units, ("a", "b"), supplement, rules), turns, chance)


def rake(
    attacker: Vehicle | Unit,
    target: Unit,
    *,
    battery: str | None = None,
    turns: int = 1,
    supplement: Supplement | None = None,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """Fire into a unit, a group of creatures or a large creature, which does not answer.

    A vehicle fires one battery, the first for None; its Karma, orders and shots do not count
    here. Tracks are `dead` and `wounds` of side b. Raises InputError for bad input.
    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.

    >>> from navkit.rulebooks.vehicular_1879 import Member, ship
    >>> kraken = Unit(members=1, attack=14, damage=18, member=Member(death_rating=90))
    >>> h = rake(ship("Paddle gunboat"), kraken, chance=Scripted([12, 15, 17]))
    >>> h.mean("b", "wounds").tolist()
    [0.0, 4.0]
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    if not isinstance(target, Unit):
        raise InputError("target", target, "a vehicular_1879.Unit")
    if isinstance(attacker, Vehicle):
        guns = attacker.battery(battery)
        rating = gunnery.attack_rating(guns, attacker, rules=rules)
        striker = Unit(members=guns.weapons, attack=max(1, rating), damage=guns.damage)
    else:
        striker = known_unit("attacker", attacker)
    units = {"a": striker, "b": target}
    turns = some_turns(turns)
    return play(melee_battle(units, ("a",), supplement, rules), turns, chance)


def known_unit(what: str, unit: object) -> Unit:
    """A unit, or the boarders of a vehicle; InputError for anything else."""
    if isinstance(unit, Unit):
        return unit
    boarders = known_vehicle(what, unit).boarders
    if boarders is None:
        raise InputError(what, boarders, "a Unit, or a Vehicle with boarders=Unit(...)")
    return boarders


def _party() -> Party:
    return Party(fresh(), *(number(0) for _ in range(6)))


def _with(fight: Melee, x: str, party: Party) -> Melee:
    return replace(fight, a=party if x == "a" else fight.a, b=party if x == "b" else fight.b)
