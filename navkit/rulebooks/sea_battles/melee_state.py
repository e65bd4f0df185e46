"""The round of a boarding that is being fought."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from navkit.chance import Array


@dataclass(frozen=True)
class Party:
    """The people of a ship who fight in a boarding.

    `troops` and `characters` are wounds left, in the ship's order; `support` her crew's attacks
    each round, `command` the Leadership of her captain less lasting penalties, `captain` 1 + the
    place of the character who is captain, 0 for one of the crew.
    """

    troops: tuple[Array, ...]
    characters: tuple[Array, ...]
    support: Array
    command: Array
    captain: Array


@dataclass(frozen=True)
class Band:
    """One side of a boarding. `at` is the place of the unit that fights, in the written order.

    `fighters` are its models in the fight this round, `fresh` whether this is its first round,
    `calm` whether it has lost its Frenzy, `hero` what its character does this round (see
    `melee_rounds`), `fallen` its models lost this round, `dealt` the wounds that count for its
    result, `struck` who has struck already (1 unit, 2 character, 4 crew).
    """

    at: Array
    fighters: Array
    fresh: Array
    calm: Array
    hero: Array
    fallen: Array
    dealt: Array
    struck: Array


@dataclass(frozen=True)
class Melee:
    """A boarding: who charged, and whoever they fight.

    `stage` is what comes next, `first` whether this is the first round, `obstacle` whether the
    chargers still face one, `won` who won the last round (1 chargers, 2 defenders), `toss` who
    strikes first at equal Initiative this round. `who` strikes, with `count` dice left of it; of
    `count` blows `again` missed and may be re-rolled. `margin` is by how much the chargers won the
    round. `over` is set when the boarding ends: 1 chargers win, 2 defenders win, 3 the ships part.
    `on_hull` are blows of each of the chargers' groups that hit a ship without troops.
    """

    charger: Band
    defender: Band
    stage: Array
    first: Array
    obstacle: Array
    won: Array
    toss: Array
    who: Array
    count: Array
    again: Array
    margin: Array
    over: Array
    on_hull: tuple[Array, Array, Array]


def no_melee() -> Melee:
    """No boarding going on."""
    zero = np.zeros(1, dtype=np.int32)
    band = Band(*(zero for _ in fields(Band)))
    whole = {entry.name: zero for entry in fields(Melee) if entry.type == "Array"}
    return Melee(charger=band, defender=band, on_hull=(zero, zero, zero), **whole)
