"""The sides of a boarding: who fights, with what attacks, at whom, and who strikes next."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Clash:
    """Two parties who fight, and the round they are in."""

    charger: Party
    defender: Party
    melee: Melee


@dataclass(frozen=True)
class Side:
    """One side of a clash, with its roster and its foe's."""

    roster: Roster
    band: Band
    party: Party
    charges: bool

    @property
    def unit(self) -> Array:
        """Wounds left of the unit that fights."""
        return self.roster.unit(self.party, self.band.at)

    @property
    def hero(self) -> Array:
        """Wounds left of the character with it."""
        return self.roster.hero(self.party, self.band.at)

    @property
    def models(self) -> Array:
        """Models left of the unit that fights."""
        each = self.roster.look(self.roster.units.wounds, self.band.at)
        return -(-self.unit // each)

    def of_unit(self, name: str) -> Array:
        """A characteristic of the unit that fights."""
        return self.roster.look(getattr(self.roster.units, name), self.band.at)

    def of_hero(self, name: str) -> Array:
        """A characteristic of the character with it."""
        return self.roster.look(getattr(self.roster.heroes, name), self.band.at)


def sides(clash: Clash, rosters: tuple[Roster, Roster]) -> tuple[Side, Side]:
    """The chargers and the defenders."""
    one = Side(rosters[0], clash.melee.charger, clash.charger, True)
    return one, Side(rosters[1], clash.melee.defender, clash.defender, False)


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
    alone = (foe.unit <= 0) & (foe.hero > 0)
    if group == CREW:
        return alone
    meant = side.roster.boarders.aim == "character"
    open_to_blows = (foe.hero > 0) & (foe.band.hero == FIGHTS)
    aimed = alone | (open_to_blows & meant)
    if group == HERO:
        return aimed | (side.band.hero == IN_CHALLENGE)
    return aimed


def can_strike(side: Side, foe: Side, group: int, rules: HouseRules) -> Array:
    """Whether a group has attacks left this round, and somebody (or a bare hull) to strike."""
    fresh = (side.band.struck >> group) % 2 == 0
    at_hero = aims_at_hero(side, foe, group)
    somebody = np.where(at_hero, foe.hero > 0, foe.unit > 0)
    if side.charges and not foe.roster.formations:
        somebody = np.ones_like(somebody)
    return fresh & somebody & (attacks(side, group, rules) > 0)


def priority(side: Side, group: int, first: Array, rules: HouseRules) -> Array:
    """When a group strikes: chargers first in the first round, then by Initiative.

    Great weapons strike last unless they charge. Crew strike with their unit.
    Source: Sea Battles, Who can fight?; the parent game's close combat.
    """
    if group == CREW and rules.support_timing == "last":
        return np.where((first > 0) & side.charges, -99, -100)
    hero_only = side.unit <= 0
    of_hero = side.of_hero("initiative") - 50 * side.of_hero("last")
    of_unit = side.of_unit("initiative") - 50 * side.of_unit("last")
    by_initiative = of_hero if group == HERO else np.where(hero_only, of_hero, of_unit)
    return np.where((first > 0) & side.charges, 100, by_initiative)


@dataclass(frozen=True)
class Turn:
    """Whose turn to strike it is: the group (0: nobody's), and whether a toss decides."""

    who: Array
    tied: Array


def next_to_strike(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Turn:
    """Which group strikes next in the round.

    At equal Initiative a toss decides for the round (6th edition), or who won the last round.
    Source: the parent game's close combat.
    """
    melee = clash.melee
    one, two = sides(clash, rosters)
    best: list[tuple[Array, Array]] = []
    for side, foe, base in ((one, two, 1), (two, one, 4)):
        top, who = np.full_like(melee.who, -1000), np.zeros_like(melee.who)
        for group in (UNIT, HERO, CREW):
            when = np.where(
                can_strike(side, foe, group, rules),
                priority(side, group, melee.first, rules),
                -1000,
            )
            who = np.where(when > top, base + group, who)
            top = np.maximum(when, top)
        best.append((top, who))
    (top_one, who_one), (top_two, who_two) = best
    tied = (top_one == top_two) & (who_one > 0)
    leads = melee.toss
    if rules.edition == "7th":
        leads = np.where(leads == 0, melee.won, leads)
    one_first = (top_one > top_two) | (tied & (leads != DEFENDERS))
    return Turn(np.where(one_first, who_one, who_two), tied & (leads == 0))


def by_group(who: Array, values: list[Array]) -> Array:
    """For each fight, the value of the group that strikes: six of them, the chargers' first."""
    found = values[0]
    for number, value in enumerate(values[1:], start=2):
        found = np.where(who == number, value, found)
    return found


def hates(side: Side, foe: Side, group: int) -> Array:
    """Whether a side's unit (or character) that fights hates whom it fights."""
    worth = side.roster.units if group == UNIT else side.roster.heroes
    own = np.minimum(side.band.at, worth.hates.shape[0] - 1)
    met = np.minimum(foe.band.at, worth.hates.shape[1] - 1)
    return worth.hates[own, met] > 0
