"""Magic: what a spell does to a ship, whatever spell it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from navkit.battle import Step
from navkit.chance import Chance
from navkit.dice import dice
from navkit.errors import InputError, number, truth, whole
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.damage import known_facing
from navkit.rulebooks.sea_battles.extra import extra_parts
from navkit.rulebooks.sea_battles.hits import hits_part
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.strikes import Attack, struck
from navkit.rulebooks.sea_battles.vessel import Vessel, afloat
from navkit.rulebooks.sea_battles.weapons import known_wounds, scaled
from navkit.state import replace


@dataclass(frozen=True, kw_only=True)
class Effect:
    """What a spell does.

    `hits` are dice of hits at `strength`, with dice of `wounds` if they cause several; from
    `above` they are soft, else they come on the `facing` that the caster sees. A spell without a
    Strength does nothing to a hull unless it is given one (SA-13); one that wounds automatically,
    or poisons, gains nothing. `leadership` is added to the captain's, `half` holds her to half
    speed. Raises InputError for what cannot be.
    Source: Sea Battles, Magic; Ships taking damage.

    >>> Effect(hits="d6", strength=5, above=True).facing
    'side'
    """

    hits: str = "0"
    strength: int | None = None
    wounds: str = "0"
    above: bool = False
    facing: str = "side"
    leadership: int = 0
    half: bool = False

    def __post_init__(self) -> None:
        known_wounds(self.hits)
        known_wounds(self.wounds)
        if self.strength is not None:
            whole("strength", self.strength, 1, 10)
        known_facing(self.facing)
        whole("leadership", self.leadership, -10, 10)
        for what in ("above", "half"):
            truth(what, getattr(self, what))


def spell_parts(ship: Ship, effect: Effect, rules: HouseRules) -> list[Any]:
    """The parts of a Magic phase in which a spell falls on a ship, its extra damage apart.

    Effects on Leadership fall on the captain, up to 10; those on movement last her next turn.
    Source: Sea Battles, Magic.
    """
    attack = Attack("magic", dice(effect.wounds), above=effect.above)

    def cast(vessel: Vessel, chance: Chance) -> Vessel:
        hits = np.zeros_like(vessel.gone)
        count = dice(effect.hits)
        if effect.strength is not None and count.min < count.max:
            hits = hits + chance.roll(count, why="hits of the spell", rule="S-91")
        elif effect.strength is not None:
            hits = hits + count.max
        command = np.clip(vessel.leadership + effect.leadership, 0, tables.HIGHEST_LEADERSHIP)
        slowed = np.maximum(vessel.half, int(effect.half))
        after = replace(vessel, leadership=command + 0 * hits, half=slowed + 0 * hits)
        several = int(dice(effect.wounds).max > 0)
        strength = 0 if effect.strength is None else effect.strength
        return struck(after, hits, known_facing(effect.facing), strength, several)

    return [Step(cast, afloat), hits_part(ship, attack, rules)]


def magic_phase(ship: Ship, effects: list[Effect], rules: HouseRules) -> list[Any]:
    """The parts of a Magic phase in which those spells fall on a ship, with its extra damage.

    Extra damage needs more than one point in the whole phase, whichever spells did it.
    Source: Sea Battles, Magic; Extra damage.
    """
    parts: list[Any] = []
    for effect in effects:
        parts += spell_parts(ship, effect, rules)
    return [*parts, *extra_parts(ship, "magic", rules)]


def spell_distance(inches: float, rules: HouseRules | None = None) -> float:
    """Centimetres of a distance in a spell's text, in inches of the parent game.

    Source: Sea Battles, Magic.

    >>> spell_distance(7)                    # Hand of Gork on a roll of 7
    3.5
    """
    return number("inches", inches, 0, 1000) * HouseRules.of(rules).cm_per_inch


def spell_speed(kind: str, rules: HouseRules | None = None) -> float:
    """Centimetres that a spell moves a ship by: her half speed for a "normal" move, her full speed
    for a "charge" or a "march".

    Source: Sea Battles, Magic.

    >>> spell_speed("normal"), spell_speed("charge")
    (10.0, 20.0)
    """
    speeds = {"normal": tables.HALF, "charge": tables.FULL, "march": tables.FULL}
    if kind not in speeds:
        raise InputError("kind of move", kind, *speeds)
    return scaled(speeds[kind], HouseRules.of(rules))


def ram_run(by_spell: float, this_phase: float, rules: HouseRules | None = None) -> float | None:
    """The run that counts for a ram that a spell's move ends in; None where that is no ram.

    By the spell's own move (SA-60), unless the house rule takes that of the Movement phase. Such
    a ram brings no extra damage.
    Source: Sea Battles, Ramming; Magic.

    >>> ram_run(10, 20)
    10
    """
    match HouseRules.of(rules).spell_ram:
        case "by the spell":
            return by_spell
        case "by the phase":
            return this_phase
        case _:
            return None
