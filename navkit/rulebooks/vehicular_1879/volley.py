"""Battery fire as parts of a turn: the attack, Damage Tests one by one, Critical Hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from navkit.battle import Repeat, Step
from navkit.chance import Array, Chance
from navkit.rulebooks.vehicular_1879 import gunnery, harm, tables
from navkit.rulebooks.vehicular_1879.crew import crew_modifier
from navkit.rulebooks.vehicular_1879.doctrines import Doctrine
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.ships import PLENTY, Battery, Vehicle
from navkit.rulebooks.vehicular_1879.state import (
    Fight,
    Guns,
    guns_of,
    other,
    side_of,
    with_guns,
    with_sides,
)
from navkit.rulebooks.vehicular_1879.steps import attempt, dice_family
from navkit.rulebooks.vehicular_1879.supplement import Supplement
from navkit.state import replace

Part = Step[Fight] | Repeat[Fight]
ENDLESS = 1_000_000
"""Damage beyond any there is."""


@dataclass(frozen=True)
class Fire:
    """The fire of one battery: who fires at whom, by which orders, rules and tables."""

    x: str
    place: int
    own: Vehicle
    foe: Vehicle
    doctrine: Doctrine
    rules: HouseRules
    supplement: Supplement

    @property
    def battery(self) -> Battery:
        """The battery as it was built."""
        return self.own.batteries[self.place]

    @property
    def y(self) -> str:
        """The side fired at."""
        return other(self.x)

    def guns(self, fight: Fight) -> Guns:
        """The battery as it stands."""
        return guns_of(side_of(fight, self.x), self.place)

    @property
    def tests_damage(self) -> bool:
        """Whether a hit calls for a Damage Test."""
        called = self.doctrine.called
        return not called or called in gunnery.DAMAGED or self.rules.called_instead == "as well"


def volley(fire: Fire, when: Callable[[Fight], Array]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The parts of a turn in which a battery fires: those of its attack, and those of its effect.

    `when` tells in which fights it is its turn.
    """
    attack: list[Part] = []
    armed = can_fire(fire)
    if fire.rules.gunnery_test == "own test":

        def ready(fight: Fight) -> Array:
            return when(fight) & armed(fight)

        def brought(fight: Fight) -> Array:
            return ready(fight) & (fire.guns(fight).aim > 0)

        def wasted(fight: Fight) -> Array:
            return ready(fight) & (fire.guns(fight).aim < 0)

        attack.append(Step(takes_aim(fire), ready, side=fire.x))
        attack.append(Step(attacks(fire), brought, side=fire.x))
        attack.append(Step(wastes(fire), wasted, side=fire.x))
        attack.append(Step(lowers_aim(fire)))
    else:
        attack.append(Step(attacks(fire), lambda fight: when(fight) & armed(fight), side=fire.x))
    effect: list[Part] = []
    if fire.tests_damage:
        tested = Step(tests_damage(fire), lambda fight: fire.guns(fight).hits > 0, side=fire.x)
        effect.append(Repeat(tested, most=fire.battery.weapons))
        if fire.rules.critical_basis == "battery total":
            effect.append(Step(adds_up(fire), lambda fight: fire.guns(fight).total > 0))
    if fire.doctrine.called and fire.doctrine.called not in gunnery.DAMAGED:
        effect.append(Step(lowers(fire), lambda fight: fire.guns(fight).called > 0, side=fire.x))
    if fire.supplement.critical_hits is not None:
        pending = lambda fight: side_of(fight, fire.y).pending > 0  # noqa: E731
        effect.append(Repeat(Step(suffers(fire), pending, side=fire.y), most=fire.battery.weapons))
    return tuple(attack), tuple(effect)


def can_fire(fire: Fire) -> Callable[[Fight], Array]:
    """In which fights the battery can fire: with weapons, shots, and a shot that can be made.

    Weapons without a shot make no attack (VA-24).
    Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating.
    """

    def armed(fight: Fight) -> Array:
        guns = fire.guns(fight)
        ready = (guns.weapons > 0) & (guns.shots > 0)
        if fire.rules.step_floor == "no shot" and fire.doctrine.called:
            number, _ = attack_step(fire, fight)
            ready = ready & (number >= 1)
        return ready

    return armed


def attack_step(fire: Fire, fight: Fight, *, karma: bool = True) -> tuple[Array, Array]:
    """The Step of an attack before it is held to the table, and points off its result.

    `karma` is False for a test on which no Karma is spent.
    Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating; Called Shot.
    """
    own, foe, guns = side_of(fight, fire.x), side_of(fight, fire.y), fire.guns(fight)
    rules = fire.rules
    penalty = gunnery.called_penalty(fire.doctrine.called, fire.foe, foe, rules)
    number = guns.gunnery + gunnery.commander_bonus(fire.battery, fire.own, rules) + own.attack
    number = number + crew_modifier(fire.own, own.crew.dead, fire.supplement, rules)
    number = number + np.array(fire.supplement.range_steps)[fight.range]
    number = number + tables.SURPLUS * np.maximum(guns.aim - 1, 0)
    if karma and rules.karma_on_attack == "step":
        number = number + rules.karma_step * _karma(fire, guns, "attack")
    return number - penalty.steps, -penalty.points


def _karma(fire: Fire, guns: Guns, use: str) -> Array:
    """1 where the commander spends a Karma point on this: one a turn at most."""
    if fire.doctrine.karma != use:
        return np.zeros_like(guns.karma)
    return np.where((guns.karma > 0) & (guns.spent == 0), 1, 0)


def takes_aim(fire: Fire) -> Callable[[Fight, Chance], Fight]:
    """The commander's own Gunnery test, where a house rule asks for one."""

    def step(fight: Fight, chance: Chance) -> Fight:
        foe = side_of(fight, fire.y)
        rating, _ = attack_step(fire, fight, karma=False)
        number = gunnery.on_table(rating, fire.rules)
        difficulty = gunnery.attack_difficulty(fire.doctrine.called, fire.foe, foe, fire.rules)
        aim = attempt(
            chance, number, difficulty, why="commander's Gunnery", rule="V-75", rules=fire.rules
        )
        return _own(fire, fight, aim=np.where(aim > 0, aim, -1))

    return step


def wastes(fire: Fire) -> Callable[[Fight, Chance], Fight]:
    """Fire that the commander did not bring onto the target: it is shot all the same."""

    def step(fight: Fight, chance: Chance) -> Fight:
        return _own(fire, fight, shots=_shots(fire, fire.guns(fight)))

    return step


def lowers_aim(fire: Fire) -> Callable[[Fight, Chance], Fight]:
    """Forgets the commander's test."""

    def step(fight: Fight, chance: Chance) -> Fight:
        return _own(fire, fight, aim=np.zeros_like(fire.guns(fight).aim))

    return step


def _shots(fire: Fire, guns: Guns) -> Array:
    """Shots of each weapon after the battery has fired: all of them, whatever hit."""
    return guns.shots if guns_never_run_out(fire) else np.maximum(guns.shots - 1, 0)


def guns_never_run_out(fire: Fire) -> bool:
    """Whether the battery has shots in plenty."""
    return fire.battery.shots is None or fire.battery.shots >= PLENTY


def attacks(fire: Fire) -> Callable[[Fight, Chance], Fight]:
    """The attack: each success is a hit, up to the number of weapons; the rest is surplus.

    All weapons are fired, whatever hits. Karma goes into the attack, or waits for a hit.
    Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating.
    """
    rules, called = fire.rules, fire.doctrine.called

    def step(fight: Fight, chance: Chance) -> Fight:
        guns, foe = fire.guns(fight), side_of(fight, fire.y)
        number, points = attack_step(fire, fight)
        on_attack = _karma(fire, guns, "attack")
        successes = attempt(
            chance,
            gunnery.on_table(number, rules),
            gunnery.attack_difficulty(called, fire.foe, foe, rules),
            karma=on_attack if rules.karma_on_attack == "die" else 0,
            points=points,
            why="attack",
            rule="V-81",
            rules=rules,
        )
        scored = np.maximum(successes, 0)
        hits = np.minimum(scored, guns.weapons)
        surplus = scored - hits
        boost = _karma(fire, guns, "damage") if fire.tests_damage else np.zeros_like(guns.karma)
        if rules.karma_declared == "after the attack":
            boost = np.where(hits > 0, boost, 0)
        spent = on_attack + boost
        lost, hits, surplus = _called(fire, hits, surplus)
        return _own(
            fire,
            fight,
            shots=_shots(fire, guns),
            karma=guns.karma - spent,
            spent=guns.spent + spent if rules.volleys > 1 else guns.spent,
            hits=hits,
            surplus=np.where(hits > 0, surplus, 0),
            boost=np.where(hits > 0, boost, 0),
            called=lost,
        )

    return step


def _called(fire: Fire, hits: Array, surplus: Array) -> tuple[Array, Array, Array]:
    """What a called shot takes off an attribute; hits and surplus that are left for damage.

    Source: 1879: Vehicular Combat Preview, Called Shot; VA-34, VA-35.
    """
    called, none = fire.doctrine.called, np.zeros_like(hits)
    if not called or called in gunnery.DAMAGED:
        return none, hits, surplus
    lost = hits * tables.CALLED_LOSS
    if fire.rules.called_surplus == "one more each":
        lost, surplus = lost + surplus, none
    return (lost, none, none) if fire.rules.called_instead == "instead" else (lost, hits, surplus)


def lowers(fire: Fire) -> Callable[[Fight, Chance], Fight]:
    """The attribute after called hits: 1 less each, never below 0.

    Damage Tests of the same attack come first, against the armor as it was.
    Source: 1879: Vehicular Combat Preview, Called Shot; VA-36.
    """
    called = fire.doctrine.called

    def step(fight: Fight, chance: Chance) -> Fight:
        lost = fire.guns(fight).called
        fight = _own(fire, fight, called=np.zeros_like(lost))
        foe = side_of(fight, fire.y)
        if called == "armament":
            names = [battery.name for battery in fire.foe.batteries]
            aimed = fire.foe.battery(fire.doctrine.armament or None)
            after = harm.disarm(foe, names.index(aimed.name), lost, fire.rules)
        else:
            after = harm.weaken(foe, called, lost)
        return with_sides(fight, **{fire.y: after})

    return step


def tests_damage(fire: Fire) -> Callable[[Fight, Chance], Fight]:
    """One Damage Test: less armor onto the target's damage, and a Critical Hit at the threshold.

    Called shots at crew or cargo go there instead: vehicle armor does not protect them (VA-37).
    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.
    """
    rules, called, foe = fire.rules, fire.doctrine.called, fire.foe
    inside = called in gunnery.DAMAGED
    chosen = None
    if fire.doctrine.surplus == "criticals":
        battery = fire.battery
        chosen = gunnery.placements(
            battery.weapons, battery.damage, foe.armor, foe.critical_threshold, rules
        )
    most = ENDLESS
    if foe.destroyed_at is not None and not inside:
        most = max(foe.destroyed_at, foe.critical_threshold)

    def step(fight: Fight, chance: Chance) -> Fight:
        guns, side = fire.guns(fight), side_of(fight, fire.y)
        bonus = gunnery.bonus_of(fire.doctrine.surplus, guns.hits, guns.surplus, guns.boost, chosen)
        number, points = gunnery.damage_step(guns, bonus, rules)
        armor = np.zeros_like(side.armor) if inside else side.armor
        damage = chance.roll_from(
            dice_family(rules),
            number,
            guns.boost,
            armor,
            points,
            then=gunnery.damage_rule(most),
            why=f"damage to {called}" if inside else "damage",
            rule="V-93",
        )
        if called == "crew":
            side = harm.hurt_crew(side, foe, damage, rules)
        elif called == "cargo":
            side = harm.weaken(side, "cargo", damage)
        if inside and rules.called_instead == "as well":
            damage = np.maximum(damage - side.armor, 0)
        hull = not inside or rules.called_instead == "as well"
        total = guns.total
        if hull:
            side = harm.hole(side, foe, damage)
            total = total + damage
            if rules.critical_basis == "each test":
                side, total = harm.critical(side, foe, damage, fire.supplement), guns.total
        fight = with_sides(fight, **{fire.y: side})
        return _own(
            fire,
            fight,
            hits=guns.hits - 1,
            surplus=guns.surplus - bonus,
            boost=np.zeros_like(guns.boost),
            total=np.minimum(total, foe.critical_threshold),
        )

    return step


def adds_up(fire: Fire) -> Callable[[Fight, Chance], Fight]:
    """The Critical Hit of a whole attack, where a house rule counts its damage together."""

    def step(fight: Fight, chance: Chance) -> Fight:
        total = fire.guns(fight).total
        side = harm.critical(side_of(fight, fire.y), fire.foe, total, fire.supplement)
        return _own(fire, with_sides(fight, **{fire.y: side}), total=np.zeros_like(total))

    return step


def suffers(fire: Fire) -> Callable[[Fight, Chance], Fight]:
    """What one Critical Hit costs, by the user's table: 1 of a rating, or a weapon.

    A weapon is lost by the first battery.
    """
    table = fire.supplement.critical_hits
    assert table is not None

    def step(fight: Fight, chance: Chance) -> Fight:
        side = side_of(fight, fire.y)
        rolled = chance.roll(table.roll, why="Critical Hit", rule="V-97")
        for rating in ("speed", "maneuverability", "armor"):
            faces = np.array([effect == rating for effect in table.effects])
            side = harm.weaken(side, rating, np.where(faces[rolled - table.roll.min], 1, 0))
        faces = np.array([effect == "armament" for effect in table.effects])
        if fire.foe.batteries:
            gone = np.where(faces[rolled - table.roll.min], 1, 0)
            weapons = np.maximum(guns_of(side, 0).weapons - gone, 0)
            side = with_guns(side, 0, weapons=weapons)
        return with_sides(fight, **{fire.y: replace(side, pending=side.pending - 1)})

    return step


def _own(fire: Fire, fight: Fight, **changes: Array) -> Fight:
    """The fight with some numbers of the firing battery changed."""
    return with_sides(fight, **{fire.x: with_guns(side_of(fight, fire.x), fire.place, **changes)})
