"""How ships fight: the rules of GURPS/Naval Combat as steps, and the resolvers that play them.

Each rule is a function from a side (or a fight) to what becomes of it. The arrays hold one fight
a place (or one state), and all rules work on all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from navkit.battle import Battle, Either, Step, play
from navkit.chance import Array, Chance, Exact, Sampled, Scripted
from navkit.errors import InputError
from navkit.history import History
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.state import track

CAUSES = ("sunk", "out_of_action", "captured")
SUNK, OUT_OF_ACTION, CAPTURED = 1, 2, 3
A_FIRST, B_FIRST = 1, -1
TRACKS = ("hull", "dr", "crew", "dead", "wounded")


@dataclass(frozen=True)
class Side:
    """What changes about a ship in a fight.

    `crew` are the fit hands; `left` and `right` the loaded guns of each broadside, `left_fired`
    and `right_fired` those that fired this turn; `strain` is damage that counts towards the next
    hand where a house rule carries it over.
    """

    hull: Array
    dr: Array
    crew: Array
    left: Array
    right: Array
    left_fired: Array
    right_fired: Array
    strain: Array
    dead: Array = track()
    wounded: Array = track()


@dataclass(frozen=True)
class Fight:
    """Two ships. `first` is 1 where a acts first, −1 where b does, 0 while that is open."""

    a: Side
    b: Side
    first: Array


# Attack


def to_hit(attacker: Ship, target: Ship, rules: HouseRules) -> int:
    """Effective skill of an attack: Expertise + Gunnery + size of the target − own size.

    Source: GURPS/Naval Combat, Attacks; Size Modifier.
    """
    gunnery = attacker.officers.level("gunnery", rules)
    return attacker.expertise + gunnery + target.size_modifier - attacker.size_modifier


def highest_hit(skill: int, rules: HouseRules) -> int:
    """The highest 3d6 roll that hits: 3 and 4 always do, 17 and 18 never.

    There are no critical tables, since the document has none.
    Source: GURPS success rolls; GURPS/Naval Combat, Attacks.
    """
    if rules.attack_crit == "skill only":
        return skill
    if skill < tables.LOWEST_SKILL and rules.hopeless_shot == "sure miss":
        return skill
    return min(max(skill, tables.ALWAYS_SUCCEEDS), tables.ALWAYS_FAILS - 1)


@dataclass(frozen=True)
class Shot:
    """What an attack brings: the damage rolled, and the points that pass the DR."""

    rolled: Array
    through: Array


def volley(
    attacker: Ship, target: Ship, guns: Array, dr: Array, chance: Chance, rules: HouseRules
) -> Shot:
    """One attack with `guns` guns: the dice of a gun times the guns, less the DR times the guns.

    There is no defence. A miss does half, rounded down. Between ships of different Scale the dice
    are converted to that of the target, rounded down, before the DR (GA-11).
    Source: GURPS/Naval Combat, Num of Cannons; Attacks; Structural damage.
    """
    highest = highest_hit(to_hit(attacker, target, rules), rules)
    hit = chance.check(tables.SUCCESS_ROLL, highest, why="attack", rule="G-42")
    if rules.volley_roll == "one roll":
        rolled = guns * chance.roll(attacker.gun, why="damage", rule="G-25")
    else:
        rolled = chance.roll_from(attacker.gun.repeat, guns, why="damage", rule="G-25")
    if attacker.scale != target.scale:
        rolled = rolled * attacker.scale // target.scale
    if rules.miss_half == "before DR":
        rolled = np.where(hit, rolled, rolled // 2)
        return Shot(rolled, np.maximum(rolled - guns * dr, 0))
    through = np.maximum(rolled - guns * dr, 0)
    return Shot(rolled, np.where(hit, through, through // 2))


# Damage


def hole(side: Side, shot: Shot, guns: Array, rules: HouseRules) -> Side:
    """Hull and DR after an attack: the hull loses what passed the DR, the DR 1 for each 5 of it.

    Neither falls below 0; a ship whose hull is 0 sinks.
    Source: GURPS/Naval Combat, DR; Structural damage.
    """
    fives = shot.through // tables.POINTS_PER_DR
    loss = shot.through if rules.hp_in_fives == "all points" else fives * tables.POINTS_PER_DR
    hull = np.maximum(side.hull - loss, 0)
    if rules.dr_ablation == "none":
        return replace(side, hull=hull)
    worn = fives if rules.dr_ablation == "volley" else fives // np.maximum(guns, 1)
    return replace(side, hull=hull, dr=np.maximum(side.dr - worn, 0))


def crew_damage(side: Side, ship: Ship, shot: Shot, lost: Array, rules: HouseRules) -> Side:
    """Hands after an attack that cost `lost` hull points: one out for each full 20.

    Source: GURPS/Naval Combat, Crew damage.
    """
    points = lost if rules.crew_damage_base == "hull lost" else shot.rolled
    if rules.damage_scale == "unscaled":
        points = points * ship.scale
    if rules.threshold_carry == "attack":
        return casualties(side, ship, points // tables.POINTS_PER_HAND, rules)
    points = points + side.strain
    side = replace(side, strain=points % tables.POINTS_PER_HAND)
    return casualties(side, ship, points // tables.POINTS_PER_HAND, rules)


def casualties(side: Side, ship: Ship, out: Array, rules: HouseRules) -> Side:
    """Hands after `out` of them are hit: half of them (rounded down) dying, the others wounded.

    The surgeon spends his level each turn: a point keeps a wounded hand fit, or a dying one
    alive, as he is ordered (`Officers.care`), and what he has left serves the other. A surgeon
    below IQ saves nobody (GA-34). He takes his points off the blow, before it meets the hands
    there are: else nobody could ever put the last hand of a ship with a surgeon out of the fight.
    Source: GURPS/Naval Combat, Crew damage; First-Aid.
    """
    dying = out // 2
    hurt = out - dying
    points = max(0, ship.officers.level("medic", rules))
    if points:
        dying, hurt = _surgery(dying, hurt, points, ship.officers.care, rules)
    lost = np.minimum(dying + hurt, side.crew)
    dead = np.where(dying + hurt > side.crew, np.minimum(dying, side.crew // 2), dying)
    return replace(
        side,
        crew=side.crew - lost,
        dead=side.dead + dead,
        wounded=side.wounded + lost - dead,
    )


def _surgery(
    dying: Array, hurt: Array, points: int, care: str, rules: HouseRules
) -> tuple[Array, Array]:
    """The dying and the wounded after the surgeon has spent his points."""
    healed_at_once = rules.medic_order == "at once"
    if care == "lives":
        saved = np.minimum(dying, points)
        left = points - saved
        if not healed_at_once:
            hurt = hurt + saved
        return dying - saved, hurt - np.minimum(hurt, left)
    kept = np.minimum(hurt, points)
    left = points - kept
    if healed_at_once:
        return dying - np.minimum(dying, left), hurt - kept
    fit = np.minimum(dying, left // 2)
    saved = np.minimum(dying - fit, left - 2 * fit)
    return dying - fit - saved, hurt - kept + saved


# Guns and hands


def gun_hands(side: Side, ship: Ship, rules: HouseRules) -> Array:
    """Hands that may serve guns; none below the skeleton crew.

    Source: GURPS/Naval Combat, Crew; Reloading.
    """
    spare = 0 if rules.skeleton_gunners == "all hands" else ship.skeleton_crew
    return np.where(side.crew >= ship.skeleton_crew, np.maximum(side.crew - spare, 0), 0)


def guns_to_fire(side: Side, ship: Ship, rules: HouseRules) -> Array:
    """Guns that fire in a duel on paper: of the broadside with more of them loaded, 2 hands each.

    Source: GURPS/Naval Combat, Reloading.
    """
    manned = gun_hands(side, ship, rules) // tables.HANDS_PER_GUN
    if rules.crew_for_guns == "gun crews":
        left, right, _, _ = ship.cannons
        manned = np.maximum(manned - (left - side.left) - (right - side.right), 0)
    return np.minimum(np.maximum(side.left, side.right), manned)


def spend(side: Side, guns: Array, rules: HouseRules) -> Side:
    """The side after it fired `guns` guns of the fuller broadside, the left one in a tie.

    Source: GURPS/Naval Combat, Reloading.
    """
    if rules.reload == "none":
        return side
    left = np.where(side.left >= side.right, guns, 0)
    right = guns - left
    return replace(
        side,
        left=side.left - left,
        right=side.right - right,
        left_fired=side.left_fired + left,
        right_fired=side.right_fired + right,
    )


def reloaded(side: Side, ship: Ship, rules: HouseRules) -> Side:
    """The side at the end of a turn: hands that did not fire have reloaded, 2 a gun.

    The emptier broadside comes first, the left one in a tie. A gun is reloaded in the turn after
    its shot (GA-12) and ready when that turn ends (GA-13).
    Source: GURPS/Naval Combat, Reload; Reloading.
    """
    if rules.reload == "none":
        return side
    left_guns, right_guns, _, _ = ship.cannons
    fired = side.left_fired + side.right_fired
    free = gun_hands(side, ship, rules) // tables.HANDS_PER_GUN - fired
    left_empty, right_empty = left_guns - side.left, right_guns - side.right
    if rules.reload_starts == "next turn":
        left_empty, right_empty = left_empty - side.left_fired, right_empty - side.right_fired
    guns = np.clip(free, 0, left_empty + right_empty)
    emptier = np.minimum(guns, np.maximum(left_empty, right_empty))
    left = np.where(left_empty >= right_empty, emptier, guns - emptier)
    none = np.zeros_like(fired)
    return replace(
        side,
        left=side.left + left,
        right=side.right + guns - left,
        left_fired=none,
        right_fired=none,
    )


# A duel on paper


def fires(attacker: str, ships: dict[str, Ship], rules: HouseRules) -> Callable[..., Fight]:
    """The step in which `attacker` fires a broadside at the other ship."""
    target = other(attacker)
    own, foe = ships[attacker], ships[target]

    def step(fight: Fight, chance: Chance) -> Fight:
        shooter: Side = getattr(fight, attacker)
        guns = guns_to_fire(shooter, own, rules)
        hit, shot = _hit(own, foe, getattr(fight, target), guns, chance, rules)
        hit = crew_damage(hit, foe, shot, getattr(fight, target).hull - hit.hull, rules)
        return _with(fight, {attacker: spend(shooter, guns, rules), target: hit})

    return step


def fire_together(ships: dict[str, Ship], rules: HouseRules) -> Callable[..., Fight]:
    """The step in which both ships fire at the same moment."""

    def step(fight: Fight, chance: Chance) -> Fight:
        after: dict[str, Side] = {}
        guns = {x: guns_to_fire(getattr(fight, x), ships[x], rules) for x in ships}
        for x, own in ships.items():
            y = other(x)
            before: Side = getattr(fight, y)
            hit, shot = _hit(own, ships[y], before, guns[x], chance, rules)
            after[y] = crew_damage(hit, ships[y], shot, before.hull - hit.hull, rules)
        return _with(fight, {x: spend(after[x], guns[x], rules) for x in ships})

    return step


def _hit(
    own: Ship, foe: Ship, side: Side, guns: Array, chance: Chance, rules: HouseRules
) -> tuple[Side, Shot]:
    shot = volley(own, foe, guns, side.dr, chance, rules)
    return hole(side, shot, guns, rules), shot


def end_of_turn(ships: dict[str, Ship], rules: HouseRules) -> Callable[..., Fight]:
    """The step that ends a turn: both ships reload."""

    def step(fight: Fight, chance: Chance) -> Fight:
        return _with(fight, {x: reloaded(getattr(fight, x), ships[x], rules) for x in ships})

    return step


def initiative(ships: dict[str, Ship], rules: HouseRules) -> Callable[..., Fight]:
    """The step that rolls who acts first: 1d + Move with Navigation, ties by Navigation.

    Rolled once for the fight. On paper Move does not change, so neither does the order.
    Source: GURPS/Naval Combat, Initiative roll.
    """
    ahead = ships["a"].move(rules) - ships["b"].move(rules)
    skill = [ship.officers.level("navigation", rules) for ship in ships.values()]
    tie = int(np.sign(skill[0] - skill[1]))

    def order(x: Array, y: Array) -> Array:
        lead = np.sign((x - y) * ahead.denominator + ahead.numerator)
        return np.where(lead == 0, tie, lead)

    def step(fight: Fight, chance: Chance) -> Fight:
        dice = (tables.INITIATIVE, tables.INITIATIVE)
        first = chance.roll(*dice, then=order, why="initiative", rule="G-58", sides=("a", "b"))
        return replace(fight, first=first)

    return step


def toss(fight: Fight, chance: Chance) -> Fight:
    """The step that breaks a last tie of initiative by a coin (GA-29)."""
    coin = chance.roll(
        "d2", then=lambda side: 3 - 2 * side, why="initiative, still tied", rule="G-61"
    )
    return replace(fight, first=coin)


def duel_battle(a: Ship, b: Ship, rules: HouseRules) -> Battle[Fight]:
    """The duel on paper as data; see `duel`."""
    ships = {"a": a, "b": b}

    def can_fire(x: str, *, order: int | None = None) -> Callable[[Fight], Array]:
        def ready(fight: Fight) -> Array:
            guns = guns_to_fire(getattr(fight, x), ships[x], rules)
            return guns > 0 if order is None else (guns > 0) & (fight.first == order)

        return ready

    def fires_when(x: str, when: Callable[[Fight], Array]) -> Step[Fight]:
        return Step(fires(x, ships, rules), when, side=x)

    opening: tuple[Step[Fight], ...] = ()
    a_ready, b_ready = can_fire("a"), can_fire("b")
    if rules.fire_order == "together":
        both = Step(fire_together(ships, rules), lambda fight: a_ready(fight) & b_ready(fight))
        fire: tuple[Step[Fight] | Either[Fight], ...] = (
            Either((both, fires_when("a", a_ready), fires_when("b", b_ready))),
        )
    else:
        opening = (Step(initiative(ships, rules)), Step(toss, lambda fight: fight.first == 0))
        fire = (
            fires_when("a", can_fire("a", order=A_FIRST)),
            fires_when("b", b_ready),
            fires_when("a", can_fire("a", order=B_FIRST)),
        )

    def lost(fight: Fight, x: str) -> Array:
        side: Side = getattr(fight, x)
        short = np.where(side.crew < ships[x].skeleton_crew, OUT_OF_ACTION, 0)
        return np.where(side.hull <= 0, SUNK, short)

    return Battle(
        start=Fight(ready_side(a), ready_side(b), np.zeros(1, dtype=np.int32)),
        opening=opening,
        turn=(*fire, Step(end_of_turn(ships, rules))),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )


def duel(
    a: Ship,
    b: Ship,
    *,
    turns: int = 20,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """A gunnery duel on paper: both ships in range throughout, broadsides only.

    Each turn a ship fires one broadside, the one with more loaded guns. A ship is out of action
    when it sinks or has fewer fit hands than its skeleton crew, and that ends the duel. All guns
    are loaded at the start (GA-15). `chance=None` is exact where that is quick, else sampled.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: GURPS/Naval Combat, Naval Combat Mechanics.

    >>> from navkit.rulebooks.gurps import ship
    >>> h = duel(ship("Sloop"), ship("Sloop"), turns=5, chance=Sampled(fights=1024))
    >>> h.table()["undecided"].round(2).tolist()[:4]
    [1.0, 0.99, 0.48, 0.34]
    """
    rules = HouseRules.of(rules)
    return play(duel_battle(known_ship("a", a), known_ship("b", b), rules), turns, chance)


# Unanswered fire


def shelling_battle(attacker: Ship, target: Ship, rules: HouseRules) -> Battle[Fight]:
    """Fire that is not answered, as data: a is the attacker, b the target. Only hulls count."""
    ships = {"a": attacker, "b": target}

    def shell(fight: Fight, chance: Chance) -> Fight:
        guns = guns_to_fire(fight.a, attacker, rules)
        hit, _ = _hit(attacker, target, fight.b, guns, chance, rules)
        return replace(fight, a=spend(fight.a, guns, rules), b=hit)

    def lost(fight: Fight, x: str) -> Array:
        return np.where(getattr(fight, x).hull <= 0, SUNK, 0)

    return Battle(
        start=Fight(ready_side(attacker), ready_side(target), np.zeros(1, dtype=np.int32)),
        turn=(
            Step(shell, lambda fight: guns_to_fire(fight.a, attacker, rules) > 0, side="a"),
            Step(end_of_turn(ships, rules)),
        ),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )


# Boarding


def boarding_skill(ship: Ship, rules: HouseRules) -> int:
    """Expertise + Tactician level. Source: GURPS/Naval Combat, Boarding; Tactician."""
    return ship.expertise + ship.officers.level("tactics", rules)


def contest_bonus(a: Ship, b: Ship, rules: HouseRules) -> Callable[[Array, Array], Array]:
    """What the quick contest of two rolls adds: above 0 for a, below 0 for b.

    The greater margin (skill − roll) wins; criticals do not matter in a contest.
    Source: GURPS/Naval Combat, Boarding; GURPS quick contests.
    """
    skill_a, skill_b = boarding_skill(a, rules), boarding_skill(b, rules)

    def bonus(x: Array, y: Array) -> Array:
        margin_a, margin_b = skill_a - x, skill_b - y
        difference = margin_a - margin_b
        if rules.boarding_margin == "difference":
            return difference
        own = np.where(difference > 0, margin_a, margin_b)
        size = np.abs(difference) if rules.boarding_margin == "if succeeded" else own
        return np.sign(difference) * np.where(own >= 0, size, 0)

    return bonus


def blow(crew: Array, weapon: int, bonus: Array, rules: HouseRules) -> Array:
    """Hands that a crew puts out of the fight: a fifth of it + weapon + bonus, at least 0.

    Source: GURPS/Naval Combat, Boarding.
    """
    rounding = {"nearest": 2, "down": 0, "up": 4}[rules.boarding_round]
    fifth = (crew + rounding) // tables.HANDS_PER_BLOW
    return np.maximum(fifth + weapon + bonus, 0)


def boarding_battle(a: Ship, b: Ship, rules: HouseRules) -> Battle[Fight]:
    """The boarding as data; see `board`."""
    bonus_of = contest_bonus(a, b, rules)

    def step(fight: Fight, chance: Chance) -> Fight:
        dice = (tables.SUCCESS_ROLL, tables.SUCCESS_ROLL)
        bonus = chance.roll(*dice, then=bonus_of, why="boarding", rule="G-110", sides=("a", "b"))
        by_a = blow(fight.a.crew, a.weapon, np.maximum(bonus, 0), rules)
        by_b = blow(fight.b.crew, b.weapon, np.maximum(-bonus, 0), rules)
        return replace(
            fight,
            a=casualties(fight.a, a, by_b, rules),
            b=casualties(fight.b, b, by_a, rules),
        )

    def lost(fight: Fight, x: str) -> Array:
        own, foe = getattr(fight, x).crew, getattr(fight, other(x)).crew
        gone = own <= 0
        if rules.surrender_ratio:
            gone = gone | (foe >= rules.surrender_ratio * own)
        return np.where(gone, CAPTURED, 0)

    return Battle(
        start=Fight(ready_side(a), ready_side(b), np.zeros(1, dtype=np.int32)),
        turn=(Step(step),),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )


def board(
    a: Ship,
    b: Ship,
    *,
    turns: int = 12,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """A boarding, crew against crew with all fit hands, until one of them has none left.

    Both sides strike at once, with their numbers at the start of the turn. `chance=None` is exact
    where that is quick, else sampled.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: GURPS/Naval Combat, Boarding.

    >>> from navkit.rulebooks.gurps import ship
    >>> h = board(ship("Sloop"), ship("Brig"), turns=6)
    >>> float(h.outcome()["b"].round(4))
    0.9988
    """
    rules = HouseRules.of(rules)
    return play(boarding_battle(known_ship("a", a), known_ship("b", b), rules), turns, chance)


# Small things


def other(x: str) -> str:
    """The other side."""
    return "b" if x == "a" else "a"


def known_ship(what: str, ship: Any) -> Ship:
    """`ship` if it is one, else InputError."""
    if not isinstance(ship, Ship):
        raise InputError(what, ship, "a gurps.Ship, such as gurps.ship('Brig')")
    return ship


def ready_side(ship: Ship) -> Side:
    """A ship at the start of a fight: whole, all guns loaded (GA-15)."""
    left, right, _, _ = ship.cannons
    values = (ship.hull, ship.dr, ship.crew, left, right, 0, 0, 0, 0, 0)
    return Side(*(np.array([value], dtype=np.int32) for value in values))


def _with(fight: Fight, sides: dict[str, Side]) -> Fight:
    return replace(fight, a=sides.get("a", fight.a), b=sides.get("b", fight.b))
