"""Fire from one ship at another as parts of a turn: models, bolts, and guessed ranges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from navkit.battle import Step
from navkit.chance import Array, Chance
from navkit.dice import Distribution, dice
from navkit.rulebooks.sea_battles import shooting, tables
from navkit.rulebooks.sea_battles.damage import points
from navkit.rulebooks.sea_battles.fleets import (
    MM,
    Fight,
    Place,
    Ships,
    for_ship,
    with_station,
    with_vessel,
)
from navkit.rulebooks.sea_battles.hits import hits_part
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.rolls import D6, volley
from navkit.rulebooks.sea_battles.strikes import PICK, attack_of, noted, struck
from navkit.rulebooks.sea_battles.vessel import DESTROYED, afloat, troops_left, where_at
from navkit.rulebooks.sea_battles.weapons import Weapon
from navkit.state import replace

HOLE_STRENGTH = 8
SALVO_FAR_STRENGTH = 4
DIRECTION = dice("d360")


@dataclass(frozen=True)
class Line:
    """A line of fire: who shoots at whom, by which weapon; `charged` where at a charge.

    `machine` is the place of a war machine among the ship's, `unit` that of a unit among her
    troops, whose models shoot.
    """

    shooter: Place
    target: Place
    weapon: Weapon
    machine: int | None
    unit: int | None
    charged: bool = False


def lines(ships: Ships, shooter: Place, target: Place, *, charged: bool = False) -> list[Line]:
    """All lines of fire from a ship at another, war machines first.

    Models alone stand and shoot at a charge, not war machines.
    Source: Sea Battles, Shooting; Combat.
    """
    ship = ships[shooter.side][shooter.number]
    found = [Line(shooter, target, weapon, n, None) for n, weapon in enumerate(ship.machines)]
    if charged:
        found = []
    for place, unit in enumerate(ship.troops):
        if unit.profile.shoots is not None:
            weapon = unit.profile.shoots
            found.append(Line(shooter, target, weapon, None, place, charged))
    return found


def volley_parts(
    line: Line, ships: Ships, aims: Callable[[Fight], Array], rules: HouseRules
) -> list[Any]:
    """The parts of a turn in which a weapon is fired and its hits are worked out.

    `aims` tells where the shooter aims at this target.
    Source: Sea Battles, Shooting.
    """
    attack = attack_of(line.weapon)
    target = ships[line.target.side][line.target.number]
    worked_out = for_ship(hits_part(target, attack, rules), line.target, ships)

    def fires(fight: Fight) -> Array:
        ready = _firing(line, ships, fight, rules) > 0
        there = afloat(line.shooter.vessel(fight)) & afloat(line.target.vessel(fight))
        return aims(fight) & ready & there

    match line.weapon.kind:
        case "bow" | "bolt":
            steps = _aimed(line, ships, fires, rules)
        case "cannon":
            steps = _cannon(line, ships, fires, rules)
        case "stone":
            steps = _stone(line, ships, fires, rules)
        case _:
            steps = _salvo(line, ships, fires, rules)
    parts = [*steps, worked_out]
    if rules.template_units == "always" and line.weapon.template and target.troops:
        parts += [_template_on_unit(line, ships), worked_out]
    return parts


def _firing(line: Line, ships: Ships, fight: Fight, rules: HouseRules) -> Array:
    """How many models, or machines, fire along a line."""
    ship = ships[line.shooter.side][line.shooter.number]
    moved = line.shooter.station(fight).run > 0
    found = shooting.firing(line.shooter.vessel(fight), ship, moved, rules)
    if line.machine is not None:
        return np.where(found.machines[line.machine], 1, 0)
    assert line.unit is not None
    return found.models[line.unit]


def _distance(line: Line, fight: Fight) -> Array:
    """Centimetres along the line; at a charge there are none left."""
    at = line.shooter.station(fight)
    return at.distance / MM * (0.0 if line.charged else 1.0)


def _facing(line: Line, fight: Fight) -> Array:
    """Which facing of the target is shot at; a ship that charges comes bow on."""
    at = line.shooter.station(fight)
    return np.full_like(at.facing, tables.FRONT) if line.charged else at.facing


def _struck(
    line: Line, ships: Ships, fight: Fight, hits: Array, strength: Array | int, several: Array | int
) -> Fight:
    vessel = struck(line.target.vessel(fight), hits, _facing(line, fight), strength, several)
    return with_vessel(fight, line.target, vessel, ships)


def _shot(line: Line, fight: Fight, code: Array) -> Fight:
    """The fight with something still to be rolled for the shooter's machine."""
    return with_station(fight, line.shooter, replace(line.shooter.station(fight), shot=code))


def _has_shot(line: Line, code: int) -> Callable[[Fight], Array]:
    return lambda fight: line.shooter.station(fight).shot == code


# Aimed by ballistic skill


def _aimed(
    line: Line, ships: Ships, fires: Callable[[Fight], Array], rules: HouseRules
) -> list[Step[Fight]]:
    weapon, skill = line.weapon, _skill(line, ships)
    several = int(dice(weapon.wounds).max > 0)

    def need(fight: Fight) -> Array:
        return shooting.to_hit(
            weapon,
            skill,
            _distance(line, fight),
            rules,
            moved=line.shooter.station(fight).run > 0,
            charged=line.charged,
        )

    def can(fight: Fight) -> Array:
        return fires(fight) & (need(fight) < tables.IMPOSSIBLE)

    def shoot(fight: Fight, chance: Chance) -> Fight:
        count = shooting.shots_of(weapon, _firing(line, ships, fight, rules))
        rule = "S-112" if line.charged else "S-104"
        hits = volley(chance, count, need(fight), why=f"{weapon.name}: hits", rule=rule)
        return _struck(line, ships, fight, hits, weapon.strength, several)

    return [Step(shoot, can, side=line.shooter.side)]


def _skill(line: Line, ships: Ships) -> int:
    ship = ships[line.shooter.side][line.shooter.number]
    return ship.gunnery if line.unit is None else ship.troops[line.unit].profile.ballistic_skill


def wears_down(line: Line, ships: Ships, fight: Fight, rules: HouseRules) -> bool:
    """Whether a weapon fires at the target for ever, if nobody fires back, and may do damage.

    Those that are aimed never misfire. Machines out of action leave more places to the others.
    """
    if line.weapon.kind not in ("bow", "bolt"):
        return False
    fires = _firing(line, ships, fight, rules) > 0
    need = shooting.to_hit(line.weapon, _skill(line, ships), _distance(line, fight), rules)
    best = np.array([6 + dice(line.weapon.wounds).max])
    soft = tables.HARD_UP_TO[_facing(line, fight)] < 6
    hurts = points(best, line.weapon.strength, soft) > 0
    return bool((fires & (need < tables.IMPOSSIBLE) & hurts).all())


# Guessed ranges


def _in_range(line: Line, fires: Callable[[Fight], Array], rules: HouseRules) -> Any:
    reach = line.weapon.reach(rules)
    return lambda fight: fires(fight) & (_distance(line, fight) <= reach)


def _two(short: int, deep: int) -> tuple[Distribution, Distribution]:
    return D6, D6


def _cannon(
    line: Line, ships: Ships, fires: Callable[[Fight], Array], rules: HouseRules
) -> list[Step[Fight]]:
    size = ships[line.target.side][line.target.number].size
    depths = [int(shooting.depth(size, facing)) for facing in range(3)]
    aim = np.array([shooting.best_aim(deep) for deep in depths])

    def shoot(fight: Fight, chance: Chance) -> Fight:
        facing = _facing(line, fight)
        lands = chance.roll_from(
            _two,
            aim[facing],
            np.array(depths)[facing],
            then=shooting.flight,
            why=f"{line.weapon.name}: flight and bounce",
            rule="S-105",
        )
        hits = np.where(lands == shooting.CENTRE, 1, 0)
        after = _struck(line, ships, fight, hits, line.weapon.strength, 1)
        return _shot(line, after, np.where(lands == shooting.MISFIRED, 1, 0))

    return [
        Step(shoot, _in_range(line, fires, rules), side=line.shooter.side),
        _misfire(line, ships),
    ]


def _stone(
    line: Line, ships: Ships, fires: Callable[[Fight], Array], rules: HouseRules
) -> list[Step[Fight]]:
    size = ships[line.target.side][line.target.number].size
    radius = shooting.TEMPLATE_RADIUS[line.weapon.template]
    has_hole = rules.template_on_ship == "hole on a hit"

    def lands(scatter: Array, artillery: Array, degrees: Array) -> Array:
        return shooting.scatter(scatter, artillery, degrees, size, radius)

    def shoot(fight: Fight, chance: Chance) -> Fight:
        at = chance.roll(
            D6, D6, DIRECTION, then=lands, why=f"{line.weapon.name}: scatter", rule="S-108"
        )
        hole = (at == shooting.CENTRE) & has_hole
        hit = (at == shooting.CENTRE) | (at == shooting.TOUCH)
        strength = np.where(hole, HOLE_STRENGTH, line.weapon.strength)
        after = _struck(line, ships, fight, np.where(hit, 1, 0), strength, np.where(hole, 1, 0))
        again = rules.template_units == "always"
        code = np.where(at == shooting.MISFIRED, 1, np.where(hit & again, 2, 0))
        return _shot(line, after, code)

    return [
        Step(shoot, _in_range(line, fires, rules), side=line.shooter.side),
        _misfire(line, ships),
    ]


def _template_on_unit(line: Line, ships: Ships) -> Step[Fight]:
    """By house rule a template strikes a unit aboard besides the hull."""
    target = ships[line.target.side][line.target.number]

    def also(fight: Fight) -> Array:
        there = troops_left(line.target.vessel(fight), target) > 0
        return _has_shot(line, 2)(fight) & there & afloat(line.target.vessel(fight))

    def strike(fight: Fight, chance: Chance) -> Fight:
        hits = np.ones_like(line.shooter.station(fight).shot)
        after = _struck(line, ships, fight, hits, line.weapon.strength, 0)
        vessel = noted(line.target.vessel(after), stage=PICK)
        return _shot(line, with_vessel(after, line.target, vessel, ships), 0 * hits)

    return Step(strike, also, side=line.shooter.side)


def _salvo(
    line: Line, ships: Ships, fires: Callable[[Fight], Array], rules: HouseRules
) -> list[Step[Fight]]:
    near = shooting.SALVO_NEAR * rules.cm_per_inch

    def code(*values: Array) -> Array:
        *faces, far = values
        found = shooting.salvo(tuple(faces), np.asarray(far) > 0)
        return found.hits * 2 + np.minimum(found.misfires, 1)

    def barrels(far: int) -> tuple[Distribution, ...]:
        return (D6,) * line.weapon.shots

    def shoot(fight: Fight, chance: Chance) -> Fight:
        far = np.where(_distance(line, fight) > near, 1, 0)
        rolled = chance.roll_from(
            barrels, far, then=code, why=f"{line.weapon.name}: hits", rule="S-38"
        )
        strength = np.where(far > 0, SALVO_FAR_STRENGTH, line.weapon.strength)
        after = _struck(line, ships, fight, rolled // 2, strength, 0)
        after = _shot(line, after, rolled % 2)
        kept = noted(line.target.vessel(after), strength=strength)
        return with_vessel(after, line.target, kept, ships)

    return [
        Step(shoot, _in_range(line, fires, rules), side=line.shooter.side),
        _misfire(line, ships),
    ]


def _misfire(line: Line, ships: Ships) -> Step[Fight]:
    """The misfire table: what becomes of the machine, and of the hits of its other barrels."""
    assert line.machine is not None
    machine = line.machine

    def roll(fight: Fight, chance: Chance) -> Fight:
        face = chance.roll(D6, why=f"{line.weapon.name}: misfire", rule="S-105")
        found = shooting.misfire(face, line.weapon.kind)
        vessel = line.shooter.vessel(fight)
        out = np.where(found.out == DESTROYED, DESTROYED, np.where(found.out > 0, 2, 0))
        machines = where_at(vessel.machines, np.full_like(vessel.gone, machine), out)
        after = with_vessel(fight, line.shooter, replace(vessel, machines=machines), ships)
        target = line.target.vessel(after)
        strike = target.strike
        hits = np.where(found.hits > 0, strike.hits + found.hits, 0)
        left = struck(target, hits, _facing(line, after), strike.strength, strike.several)
        after = with_vessel(after, line.target, left, ships)
        return _shot(line, after, 0 * face + 0 * line.shooter.station(fight).shot)

    return Step(roll, _has_shot(line, 1), side=line.shooter.side)
