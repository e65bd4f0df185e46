"""Who fights in a boarding, in which order, and what each is worth: tables by place in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.doctrines import Boarders
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.melee_state import Party
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.troops import Profile
from navkit.rulebooks.sea_battles.vessel import table_of
from navkit.state import replace

STRIKES_LAST = 50
"""What is taken off the Initiative of those who strike after all others."""


@dataclass(frozen=True)
class Formation:
    """What fights together: a unit of the ship's troops, a character, or both (their places)."""

    unit: int | None
    hero: int | None


def formations(ship: Ship, boarders: Boarders, *, flyers: bool = False) -> tuple[Formation, ...]:
    """The formations of a ship in the written order.

    Monsters and chariots stay below; characters with them fight on foot, as units on their own
    (SA-42). A second character with a unit stands by himself after it. With `flyers` only those
    fight who fly.
    Raises InputError for an order that names a unit that isn't there.
    Source: Sea Battles, Fighting aboard ships.

    >>> from navkit.rulebooks.sea_battles import ship
    >>> formations(ship("Hammer"), Boarders(order=(1,)))
    (Formation(unit=1, hero=None), Formation(unit=0, hero=0))
    """
    for place in boarders.order:
        if place >= len(ship.troops):
            allowed = f"below {len(ship.troops)}, the units of the {ship.name}"
            raise InputError("place of a unit", place, allowed)
    others = [place for place in range(len(ship.troops)) if place not in boarders.order]
    found = []
    alone = [n for n, each in enumerate(ship.characters) if each.joins is None or not ship.troops]
    for place in (*boarders.order, *others):
        kind = ship.troops[place].profile
        with_it = [
            n for n, each in enumerate(ship.characters) if each.joins == place and n not in alone
        ]
        if not kind.fights_aboard or (flyers and kind.kind != "flyer"):
            alone += [] if flyers else with_it
            continue
        found.append(Formation(place, with_it[0] if with_it else None))
        alone += with_it[1:]
    return (*found, *(Formation(None, hero) for hero in ([] if flyers else alone)))


def width(ship: Ship) -> int:
    """How many models may fight from a ship: twice her Size.

    Source: Sea Battles, Who can fight?

    >>> from navkit.rulebooks.sea_battles import ship
    >>> width(ship("Granite"))
    10
    """
    return tables.FIGHTERS_PER_SIZE * ship.size


@dataclass(frozen=True)
class Worth:
    """Characteristics by place in the order: a table each.

    `order` is Initiative, less for great weapons, which strike after all others.
    """

    there: Array
    weapon_skill: Array
    strength: Array
    toughness: Array
    wounds: Array
    order: Array
    attacks: Array
    leadership: Array
    save: Array
    unit_strength: Array
    width: Array
    frenzy: Array
    choppa: Array
    stubborn: Array
    unbreakable: Array
    hates: Array


@dataclass(frozen=True)
class Roster:
    """A side of a boarding: its formations, and what their units and characters are worth.

    `width` is how many models may fight, `support` whether the crew helps.
    """

    ship: Ship
    formations: tuple[Formation, ...]
    boarders: Boarders
    units: Worth
    heroes: Worth
    standards: Array
    width: int
    support: bool

    def unit(self, party: Party, at: Array) -> Array:
        """Wounds left of the unit at a place of the order; 0 where there is none."""
        return self._left(party, at, lambda each: each.unit, party.troops)

    def hero(self, party: Party, at: Array) -> Array:
        """Wounds left of the character at a place of the order; 0 where there is none."""
        return self._left(party, at, lambda each: each.hero, party.characters)

    def _left(
        self,
        party: Party,
        at: Array,
        place_of: Callable[[Formation], int | None],
        members: tuple[Array, ...],
    ) -> Array:
        found = np.zeros_like(party.captain)
        for number, formation in enumerate(self.formations):
            place = place_of(formation)
            if place is not None:
                found = np.where(at == number, members[place], found)
        return found

    def with_unit(self, party: Party, at: Array, left: Array, where: Array) -> Party:
        """The party with other wounds left of the unit at a place of the order."""
        troops = list(party.troops)
        for number, formation in enumerate(self.formations):
            if formation.unit is not None:
                old = troops[formation.unit]
                troops[formation.unit] = np.where(where & (at == number), left, old)
        return replace(party, troops=tuple(troops))

    def with_hero(self, party: Party, at: Array, left: Array, where: Array) -> Party:
        """The party with other wounds left of the character at a place of the order."""
        characters = list(party.characters)
        for number, formation in enumerate(self.formations):
            if formation.hero is not None:
                old = characters[formation.hero]
                characters[formation.hero] = np.where(where & (at == number), left, old)
        return replace(party, characters=tuple(characters))

    def first_alive(self, party: Party) -> Array:
        """The place of the first formation of which somebody is left; their number if none is."""
        found = np.full_like(party.captain, len(self.formations))
        for number, formation in reversed(list(enumerate(self.formations))):
            if formation.unit is not None:
                found = np.where(party.troops[formation.unit] > 0, number, found)
            if formation.hero is not None:
                found = np.where(party.characters[formation.hero] > 0, number, found)
        return found


def roster(
    ship: Ship,
    foe: Ship,
    boarders: Boarders,
    foes: Boarders,
    rules: HouseRules,
    *,
    flyers: bool = False,
    against_flyers: bool = False,
) -> Roster:
    """A side of a boarding against that other one.

    Flyers off their ship fight with the attacked ship's width and without a crew (SA-41).
    Source: Sea Battles, Who can fight?; Support attacks from crew.
    """
    own = formations(ship, boarders, flyers=flyers)
    theirs = formations(foe, foes, flyers=against_flyers)
    units = [None if f.unit is None else ship.troops[f.unit].profile for f in own]
    heroes = [None if f.hero is None else ship.characters[f.hero].profile for f in own]
    met = [
        [
            *([] if f.unit is None else [foe.troops[f.unit].profile]),
            *([] if f.hero is None else [foe.characters[f.hero].profile]),
        ]
        for f in theirs
    ]
    standards = [f.unit is not None and ship.troops[f.unit].standard for f in own]
    places = width(foe if flyers else ship)
    if flyers and rules.flyer_width == "all fight":
        places = sum(unit.models for unit in ship.troops) * 2
    return Roster(
        ship=ship,
        formations=own,
        boarders=boarders,
        units=_worth(units, met, rules),
        heroes=_worth(heroes, met, rules),
        standards=table_of([int(each) for each in standards]),
        width=places,
        support=not flyers,
    )


def _worth(profiles: list[Profile | None], met: list[list[Profile]], rules: HouseRules) -> Worth:
    def table(value: Callable[[Profile], Any]) -> Array:
        return table_of([0 if each is None else int(value(each)) for each in profiles])

    def strength(each: Profile) -> int:
        return each.strength + each.has("halberd") + 2 * each.has("great weapon")

    hates = [
        [int(each is not None and any(map(each.hates, foes))) for foes in met] or [0]
        for each in profiles
    ]
    return Worth(
        there=table_of([int(each is not None) for each in profiles]),
        weapon_skill=table(lambda each: each.weapon_skill),
        strength=table(strength),
        toughness=table(lambda each: each.toughness),
        wounds=np.maximum(table(lambda each: each.wounds), 1),
        order=table(lambda each: each.initiative - STRIKES_LAST * each.has("great weapon")),
        attacks=table(lambda each: each.attacks + each.has("two weapons")),
        leadership=table(lambda each: each.leadership),
        save=table(lambda each: each.save),
        unit_strength=table(lambda each: each.unit_strength),
        width=np.maximum(table(lambda each: each.width(rules)), 1),
        frenzy=table(lambda each: each.has("frenzy")),
        choppa=table(lambda each: each.has("choppa")),
        stubborn=table(lambda each: each.has("stubborn")),
        unbreakable=table(lambda each: each.has("unbreakable")),
        hates=np.array(hates or [[0]], dtype=np.int32),
    )
