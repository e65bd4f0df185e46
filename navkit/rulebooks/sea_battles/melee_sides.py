"""The sides of a boarding: who fights, with what attacks, at whom, and who strikes next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.melee_state import Band, Melee, Party
from navkit.rulebooks.sea_battles.rosters import Roster

NOT_BEGUN, TOSS, HIT, AGAIN, WOUND, SAVE, BREAK, ROUND_OVER = range(8)
"""What is rolled next in a round; or that it is over."""
AUTOMATIC = 1
"""What is needed to hit where no roll is."""
CHARGERS, DEFENDERS, PARTED = 1, 2, 3
"""How a boarding ends; the first two also tell who won a round."""
FIGHTS, IN_CHALLENGE, KEEPS_OUT = 0, 1, 2
"""What a character does this round."""
UNIT, HERO, CREW = 0, 1, 2
"""Who strikes: 1 + the group for the chargers, 4 + the group for the defenders."""
MOST_OVERKILL = 5
NEVER = -1000
"""When those strike who cannot: after all others."""


@dataclass(frozen=True)
class Clash:
    """Two parties who fight, and the round they are in."""

    charger: Party
    defender: Party
    melee: Melee


@dataclass(frozen=True)
class Side:
    """One side of a clash, with its roster; what is asked of it often is worked out once."""

    roster: Roster
    band: Band
    party: Party
    charges: bool

    @cached_property
    def unit(self) -> Array:
        """Wounds left of the unit that fights."""
        return self.roster.unit(self.party, self.band.at)

    @cached_property
    def hero(self) -> Array:
        """Wounds left of the character with it."""
        return self.roster.hero(self.party, self.band.at)

    @cached_property
    def models(self) -> Array:
        """Models left of the unit that fights."""
        return -(-self.unit // self.of_unit("wounds"))

    @cached_property
    def hero_alone(self) -> Array:
        """Whether only the character is left."""
        return (self.unit <= 0) & (self.hero > 0)

    @cached_property
    def place(self) -> Array:
        """The place in the tables of the unit that fights; the last where nobody is left."""
        return np.minimum(self.band.at, len(self.roster.standards) - 1)

    def of_unit(self, name: str) -> Array:
        """A characteristic of the unit that fights."""
        table: Array = getattr(self.roster.units, name)
        return table[self.place]

    def of_hero(self, name: str) -> Array:
        """A characteristic of the character with it."""
        table: Array = getattr(self.roster.heroes, name)
        return table[self.place]


def sides(clash: Clash, rosters: tuple[Roster, Roster]) -> tuple[Side, Side]:
    """The chargers and the defenders."""
    blows = blows_of(clash, rosters)
    return blows.chargers, blows.defenders


# Who strikes whom


@dataclass(frozen=True)
class Blows:
    """The blows of the group that strikes, and both sides."""

    who: Array
    chargers: Side
    defenders: Side

    @cached_property
    def by_chargers(self) -> Array:
        """Whether the chargers strike."""
        return self.who <= 3

    @cached_property
    def at_hero(self) -> Array:
        """Whether the enemy character is struck."""
        return self.each(aims_at_hero)

    @cached_property
    def _others(self) -> tuple[Array, ...]:
        """Where each of the groups but the first strikes."""
        return tuple(self.who == number for number in range(2, 7))

    def each(self, value: Callable[[Side, Side, int], Array]) -> Array:
        """A value of the group that strikes, worked out from its side, its foe and the group."""
        pairs = ((self.chargers, self.defenders), (self.defenders, self.chargers))
        found, *others = (
            value(side, foe, group) for side, foe in pairs for group in (UNIT, HERO, CREW)
        )
        for strikes, other in zip(self._others, others, strict=True):
            found = np.where(strikes, other, found)
        return found

    def struck(self, name: str) -> Array:
        """A characteristic of those who are struck."""
        one, two = (
            np.where(self.at_hero, side.of_hero(name), side.of_unit(name))
            for side in (self.chargers, self.defenders)
        )
        return np.where(self.by_chargers, two, one)


def blows_of(clash: Clash, rosters: tuple[Roster, Roster]) -> Blows:
    """The blows of a clash, worked out once for each: it never changes, nor do its rosters."""
    known: Blows | None = clash.__dict__.get("_blows")
    if known is None:
        one = Side(rosters[0], clash.melee.charger, clash.charger, True)
        two = Side(rosters[1], clash.melee.defender, clash.defender, False)
        known = clash.__dict__["_blows"] = Blows(clash.melee.who, one, two)
    return known


# Who strikes next


def striking(side: Side, rules: HouseRules) -> Array:
    """Models of the unit that may strike: the fallen of this round do not (6th edition), or their
    places are filled at once.

    Source: Sea Battles, Who can fight?; the parent game's close combat.
    """
    if rules.step_up == "at once":
        return np.minimum(side.band.fighters, side.models)
    return np.maximum(side.band.fighters - side.band.fallen, 0)


def attacks(side: Side, group: int, rules: HouseRules) -> Array:
    """Attacks of a side's unit, character or crew.

    Source: Sea Battles, Support attacks from crew.
    """
    if group == CREW:
        crew = side.party.support
        return crew if side.roster.support else np.zeros_like(crew)
    mad = np.where(side.band.calm > 0, 0, 1)
    if group == UNIT:
        each = side.of_unit("attacks") + side.of_unit("frenzy") * mad
        return striking(side, rules) * each
    each = side.of_hero("attacks") + side.of_hero("frenzy") * mad
    return np.where((side.hero > 0) & (side.band.hero != KEEPS_OUT), each, 0)


def aims_at_hero(side: Side, foe: Side, group: int) -> Array:
    """Whether a group strikes the enemy character: in a challenge, or where there is nobody else,
    or where its player aims at him. Crew strike him only if he fights alone.

    Source: Sea Battles, Who can fight?; Support attacks from crew.
    """
    aimed = foe.hero_alone
    if group == CREW:
        return aimed
    if side.roster.boarders.aim == "character":
        aimed = aimed | ((foe.hero > 0) & (foe.band.hero == FIGHTS))
    if group == HERO:
        return aimed | (side.band.hero == IN_CHALLENGE)
    return aimed


def can_strike(side: Side, foe: Side, group: int) -> Array:
    """Whether a group has yet to strike, and there is somebody (or a bare hull) to be struck."""
    fresh = (side.band.struck & (1 << group)) == 0
    if side.charges and not foe.roster.formations:
        return fresh
    at_hero = aims_at_hero(side, foe, group)
    return fresh & (np.where(at_hero, foe.hero, foe.unit) > 0)


def priority(side: Side, group: int, first: Array, rules: HouseRules) -> Array:
    """When a group strikes: chargers first in the first round, then by Initiative.

    Great weapons strike last unless they charge. Crew strike with their unit.
    Source: Sea Battles, Who can fight?; the parent game's close combat.
    """
    if group == CREW and rules.support_timing == "last":
        return np.where((first > 0) & side.charges, -99, -100)
    found = side.of_hero("order")
    if group != HERO:
        found = np.where(side.unit <= 0, found, side.of_unit("order"))
    return np.where(first > 0, 100, found) if side.charges else found


@dataclass(frozen=True)
class Turn:
    """Who strikes next (0: nobody), with how many attacks, and whether a toss decides it."""

    who: Array
    count: Array
    tied: Array


def next_to_strike(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Turn:
    """Which group strikes next in the round.

    At equal Initiative a toss decides for the round (6th edition), or who won the last round.
    Source: the parent game's close combat.
    """
    melee = clash.melee
    one, two = sides(clash, rosters)
    best: list[tuple[Array, Array, Array]] = []
    for side, foe, base in ((one, two, 1), (two, one, 4)):
        top = np.full_like(melee.who, NEVER)
        who = count = np.zeros_like(melee.who)
        for group in (UNIT, HERO, CREW):
            dice = attacks(side, group, rules)
            when = priority(side, group, melee.first, rules)
            sooner = can_strike(side, foe, group) & (dice > 0) & (when > top)
            who = np.where(sooner, base + group, who)
            count = np.where(sooner, dice, count)
            top = np.where(sooner, when, top)
        best.append((top, who, count))
    (top_one, who_one, count_one), (top_two, who_two, count_two) = best
    tied = (top_one == top_two) & (who_one > 0)
    leads = melee.toss
    if rules.edition == "7th":
        leads = np.where(leads == 0, melee.won, leads)
    one_first = (top_one > top_two) | (tied & (leads != DEFENDERS))
    who = np.where(one_first, who_one, who_two)
    return Turn(who, np.where(one_first, count_one, count_two), tied & (leads == 0))


def hates(side: Side, foe: Side, group: int) -> Array:
    """Whether a side's unit (or character) that fights hates whom it fights."""
    worth = side.roster.units if group == UNIT else side.roster.heroes
    if not worth.hates.any():
        return np.zeros_like(side.band.at, dtype=bool)
    own = np.minimum(side.band.at, worth.hates.shape[0] - 1)
    met = np.minimum(foe.band.at, worth.hates.shape[1] - 1)
    return worth.hates[own, met] > 0
