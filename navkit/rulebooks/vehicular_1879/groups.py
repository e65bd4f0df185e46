"""Groups of people or creatures under fire: deaths, wounds, and who takes them.

A large creature is a group of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from navkit.chance import Array
from navkit.errors import InputError, whole
from navkit.rulebooks.vehicular_1879 import tables
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.state import track

MOST_MEMBERS = 10_000


@dataclass(frozen=True, kw_only=True)
class Member:
    """The figures of one member of a group; of a group of unlike ones, see `average`.

    `dexterity` is a Step, `defense` the Physical Defense without cover, `armor` the Physical
    Armor. Raises InputError for what cannot be.
    Source: 1879: Vehicular Combat Preview, Make Damage Tests; the figures are a user's.

    >>> record([Member(armor=2, death_rating=9)] * 2, [12])["dead"].tolist()
    [True, False]
    """

    dexterity: int = 5
    defense: int = 7
    armor: int = 0
    wound_threshold: int = 7
    death_rating: int = 30

    def __post_init__(self) -> None:
        whole("dexterity", self.dexterity, 1, 100)
        whole("defense", self.defense, 1, 1000)
        whole("armor", self.armor, 0, 1000)
        whole("wound_threshold", self.wound_threshold, 1, 1000)
        whole("death_rating", self.death_rating, 1, 10_000)


def average(members: Sequence[Member]) -> Member:
    """A member with the average Armor, Wound Threshold and Death Rating, rounded down.

    Dexterity is the highest there is (Called Shot), defense the lowest.
    Source: 1879: Vehicular Combat Preview, Make Damage Tests; averages of the living (VA-44).

    >>> average([Member(wound_threshold=7), Member(wound_threshold=10)]).wound_threshold
    8
    """
    if not members:
        raise InputError("members", members, "at least one member")
    count = len(members)
    return Member(
        dexterity=max(each.dexterity for each in members),
        defense=min(each.defense for each in members),
        armor=sum(each.armor for each in members) // count,
        wound_threshold=sum(each.wound_threshold for each in members) // count,
        death_rating=sum(each.death_rating for each in members) // count,
    )


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A group that fights: boarders, marines, a pack of beasts, or one large creature.

    `attack` is the Step of its arms, `damage` their Damage Step; `commander` is the rating that
    its commander adds. Every living member is a weapon of the unit.
    Raises InputError for what cannot be.
    Source: 1879: Vehicular Combat Preview, Unit and Weapon Battery Attacks.

    >>> from navkit.chance import Exact
    >>> from navkit.rulebooks.vehicular_1879 import Member, Unit, rake
    >>> marines = Unit(members=12, attack=8, damage=9, commander=2)
    >>> pack = Unit(members=8, attack=6, damage=10, member=Member(death_rating=12))
    >>> rake(marines, pack, turns=3, chance=Exact()).mean("b", "dead").round(1).tolist()
    [0.0, 0.6, 1.5, 2.4]
    """

    members: int
    attack: int
    damage: int
    commander: int = 0
    member: Member = Member()

    def __post_init__(self) -> None:
        whole("members", self.members, 1, MOST_MEMBERS)
        whole("attack", self.attack, 1, 100)
        whole("damage", self.damage, 1, 100)
        whole("commander", self.commander, 0, 100)
        if not isinstance(self.member, Member):
            raise InputError("member", self.member, "a vehicular_1879.Member")


@dataclass(frozen=True)
class Ranks:
    """What changes about a group: its dead, and the damage of the first living member.

    Where damage is split evenly, `hurt` is the damage of all the living. `wounds` are all Wounds
    ever taken, which drive nothing: the preview has no effect for them at this scale.
    """

    dead: Array
    hurt: Array
    wounds: Array = track()


def fresh() -> Ranks:
    """A group that is whole, in one row."""
    return Ranks(*(np.zeros(1, dtype=np.int32) for _ in range(3)))


def strike(
    group: Ranks, members: int, member: Member, damage: Array, armor: int, rules: HouseRules
) -> Ranks:
    """The group after one Damage Test against it.

    The damage less `armor` gives a Wound for each full Wound Threshold; they go one to a member
    in turn (see `record`). The same damage is dealt to the first living member; what kills him
    uses up his Death Rating, and the rest goes to the next (VA-41). Deaths come before Wounds
    (VA-43), so a group that is gone takes none.
    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.
    """
    through = np.maximum(damage - armor, 0)
    living = members - group.dead
    total = group.hurt + through
    rating = member.death_rating
    if rules.group_damage == "first living":
        killing = total - 1 if rules.death_boundary == "above" else total
        deaths = np.minimum(np.maximum(killing, 0) // rating, living)
        left = total - deaths * rating
    else:
        most = rating if rules.death_boundary == "above" else rating - 1
        each, more = np.divmod(total, np.maximum(living, 1))
        some = np.where((each == most) & (more > 0), more, 0)
        deaths = np.where(each > most, living, some)
        left = np.where(deaths > 0, (living - deaths) * each, total)
    alive = living - deaths > 0
    wounds = np.where(alive, through // member.wound_threshold, 0)
    return replace(
        group,
        dead=group.dead + deaths,
        hurt=np.where(alive, left, 0),
        wounds=group.wounds + wounds,
    )


def behead(group: Ranks, members: int, damage: Array) -> Ranks:
    """The group after damage of which every point is a head (a house rule).

    Source: 1879: Vehicular Combat Preview, Called Shot.
    """
    return replace(group, dead=np.minimum(group.dead + damage, members))


def crew_defense(member: Member) -> int:
    """The defense of a crew member behind hull and armor: at least partial cover, 2 more.

    Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating.

    >>> crew_defense(Member(defense=7))
    9
    """
    return member.defense + tables.COVER


def record(
    members: Sequence[Member], damage: Sequence[int], *, rules: HouseRules | None = None
) -> pd.DataFrame:
    """Each member's damage, Wounds and death after a series of Damage Tests on their group.

    Armor and Wound Threshold are the averages of the living, rounded down, before each test
    (VA-44). Wounds go round in sequence, on from where they stopped, and skip the dead (VA-43).
    Raises InputError for a group without members and for damage below 0.
    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.

    >>> record([Member(wound_threshold=5)] * 3, [12, 5])[["damage", "wounds"]].T.values.tolist()
    [[17, 0, 0], [1, 1, 1]]
    """
    rules = HouseRules.of(rules)
    average(members)
    taken, wounds, dead = [0] * len(members), [0] * len(members), [False] * len(members)
    turn = 0
    for each in damage:
        whole("damage", each, 0, 1_000_000)
        living = [place for place, gone in enumerate(dead) if not gone]
        if not living:
            break
        typical = average([members[place] for place in living])
        through = max(0, each - typical.armor)
        _deal(members, taken, dead, living, through, rules)
        for _ in range(0 if all(dead) else through // typical.wound_threshold):
            while dead[turn % len(members)]:
                turn += 1
            wounds[turn % len(members)] += 1
            turn += 1
    index = pd.RangeIndex(1, len(members) + 1, name="member")
    return pd.DataFrame({"damage": taken, "wounds": wounds, "dead": dead}, index=index)


def _deal(
    members: Sequence[Member],
    taken: list[int],
    dead: list[bool],
    living: list[int],
    through: int,
    rules: HouseRules,
) -> None:
    """Deals damage to the living, in place."""
    at = rules.death_boundary == "at"
    if rules.group_damage == "split evenly":
        for _ in range(through):
            taken[min(living, key=taken.__getitem__)] += 1
        for place in living:
            dead[place] = taken[place] + at > members[place].death_rating
        return
    for place in living:
        rating = members[place].death_rating
        taken[place] += through
        dead[place] = taken[place] + at > rating
        if not dead[place]:
            return
        through, taken[place] = taken[place] - rating, rating
