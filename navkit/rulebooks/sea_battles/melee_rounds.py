"""A round of a boarding: who fights, challenges, the order of striking, results and break tests."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.melee_state import Band, Melee, Party
from navkit.rulebooks.sea_battles.rosters import Roster
from navkit.rulebooks.sea_battles.strikes import either

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


# A round begins


def begun(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Clash:
    """The boarding as it begins: first units shown, an obstacle before the chargers.

    Source: Sea Battles, Fighting aboard ships; Who can fight?
    """
    zero = np.zeros_like(clash.charger.captain)
    melee = replace(
        clash.melee,
        stage=zero + ROUND_OVER,
        first=zero + 1,
        obstacle=zero + (0 if rules.obstacle == "no obstacle" else 1),
        won=zero,
        toss=zero,
        who=zero,
        count=zero,
        again=zero,
        margin=zero,
        over=zero,
        on_hull=(zero, zero, zero),
        charger=_new_band(clash.charger, rosters[0]),
        defender=_new_band(clash.defender, rosters[1]),
    )
    after = replace(clash, melee=melee)
    if rules.bare_ship == "at once" and not rosters[1].formations:
        return replace(after, melee=replace(melee, over=zero + CHARGERS))
    return onward(lined_up(after, rosters, rules), rosters, rules)


def _new_band(party: Party, roster: Roster) -> Band:
    zero = np.zeros_like(party.captain)
    return Band(roster.first_alive(party), zero, zero + 1, zero, zero, zero, zero, zero)


def lined_up(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Clash:
    """Both sides as a round begins: who is in the fight, and challenges.

    At most twice the Size in models fight, wide ones counting twice, characters too. A challenge
    is issued by a side that wants to, chargers first; it may be refused while models of the unit
    stand out of the fight, and then that character does.
    Source: Sea Battles, Who can fight?
    """
    one, two = sides(clash, rosters)
    fighters = [_fighters(side) for side in (one, two)]
    spare = [side.models > count for side, count in zip((one, two), fighters, strict=True)]
    both = (one.hero > 0) & (two.hero > 0)
    issues = [side.roster.boarders.challenges for side in (one, two)]
    accepts = [side.roster.boarders.accepts for side in (one, two)]
    challenged = both & (issues[0] or issues[1])
    answering = 1 if issues[0] else 0
    refuses = challenged & spare[answering] & (not accepts[answering])
    meets = challenged & ~refuses
    heroes = [
        np.where(meets, IN_CHALLENGE, np.where(refuses & (place == answering), KEEPS_OUT, FIGHTS))
        for place in (0, 1)
    ]
    bands = [
        replace(side.band, fighters=count, hero=hero)
        for side, count, hero in zip((one, two), fighters, heroes, strict=True)
    ]
    return replace(clash, melee=replace(clash.melee, charger=bands[0], defender=bands[1]))


def _fighters(side: Side) -> Array:
    """Models of the unit that fight; its character takes a place of his own.

    Source: Sea Battles, Who can fight?
    """
    hero = np.where(side.hero > 0, side.of_hero("width"), 0)
    places = np.maximum(side.roster.width - hero, 0)
    return np.minimum(side.models, places // side.of_unit("width"))


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


def onward(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Clash:
    """The clash with the next group striking, a toss to be made for it, or the round settled."""
    turn = next_to_strike(clash, rosters, rules)
    strikes = (turn.who > 0) & ~turn.tied
    one, two = sides(clash, rosters)
    count = by_group(
        turn.who,
        [attacks(side, group, rules) for side in (one, two) for group in (UNIT, HERO, CREW)],
    )
    melee = clash.melee
    striking_now = replace(
        melee,
        who=np.where(strikes, turn.who, 0),
        count=np.where(strikes, count, 0),
        stage=np.where(turn.tied, TOSS, HIT),
        charger=_after_striking(melee.charger, np.where(strikes, turn.who - 1, -1)),
        defender=_after_striking(melee.defender, np.where(strikes, turn.who - 4, -1)),
    )
    ended = settled(clash, rosters, rules).melee
    # the arrays of what has ended already stay as they are
    going = either(turn.who > 0, striking_now, ended)
    return replace(clash, melee=either(melee.over > 0, melee, going))


def by_group(who: Array, values: list[Array]) -> Array:
    """For each fight, the value of the group that strikes: six of them, the chargers' first."""
    found = values[0]
    for number, value in enumerate(values[1:], start=2):
        found = np.where(who == number, value, found)
    return found


def _after_striking(band: Band, group: Array) -> Band:
    """A side after one of its groups (from 0) has struck; others than 0 to 2 are the foe's."""
    mine = (group >= UNIT) & (group <= CREW)
    bit = np.where(mine, 1 << np.clip(group, UNIT, CREW), 0)
    return replace(band, struck=band.struck | bit)


# How a round ends


def margin(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Array:
    """By how much the chargers won the round (below 0: lost it).

    Wounds dealt, overkill in a challenge, a standard, and outnumbering by unit strength; nothing
    for ranks, nor for flank, rear or higher ground on a deck (SA-49).
    Source: Sea Battles, Combat results.
    """
    one, two = sides(clash, rosters)
    found = one.band.dealt - two.band.dealt
    for side, sign in ((one, 1), (two, -1)):
        stands = (side.unit > 0) & (side.roster.look(side.roster.standards, side.band.at) > 0)
        found = found + sign * np.where(stands, 1, 0)
    if rules.outnumber == "off":
        return found
    counts = [_numbers(side, rules) for side in (one, two)]
    return found + np.sign(counts[0] - counts[1])


def _numbers(side: Side, rules: HouseRules) -> Array:
    there = side.models
    if rules.outnumber == "models fighting":
        there = np.minimum(there, side.band.fighters)
    hero = np.where(side.hero > 0, side.of_hero("unit_strength"), 0)
    return there * side.of_unit("unit_strength") + hero


def settled(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Clash:
    """The clash when all have struck: who won, and whether the loser has to test."""
    one, two = sides(clash, rosters)
    by = margin(clash, rosters, rules)
    won = np.where(by > 0, CHARGERS, np.where(by < 0, DEFENDERS, 0))
    left = [side.unit + side.hero > 0 for side in (one, two)]
    steady = [_is_unbreakable(side) for side in (one, two)]
    tests_one = (won == DEFENDERS) & left[0] & ~steady[0]
    tests_two = (won == CHARGERS) & left[1] & ~steady[1]
    bands = [
        replace(side.band, calm=np.where(won == beaten, 1, side.band.calm))
        for side, beaten in ((one, DEFENDERS), (two, CHARGERS))
    ]
    melee = replace(
        clash.melee,
        margin=by,
        won=won,
        who=np.zeros_like(won),
        stage=np.where(tests_one | tests_two, BREAK, ROUND_OVER),
        charger=bands[0],
        defender=bands[1],
    )
    return replace(clash, melee=melee)


def _is_unbreakable(side: Side) -> Array:
    return np.where(side.unit > 0, side.of_unit("unbreakable"), side.of_hero("unbreakable")) > 0


def break_target(side: Side, by: Array, rules: HouseRules) -> Array:
    """The highest 2D6 on which a beaten unit holds.

    Its own Leadership, or that of its character where better, less the difference; stubborn ones
    take nothing off. Only ships borrow from a captain, unless the house rule says so (SA-50). A
    double 1 always holds.
    Source: Sea Battles, Combat results; the parent game's break tests.
    """
    unit = np.where(side.unit > 0, side.of_unit("leadership"), 0)
    hero = np.where(side.hero > 0, side.of_hero("leadership"), 0)
    command = np.maximum(unit, hero)
    if rules.break_leadership == "ship's":
        command = side.party.command
    stubborn = np.where(side.unit > 0, side.of_unit("stubborn"), side.of_hero("stubborn")) > 0
    target = np.where(stubborn, command, command - by)
    return np.maximum(target, 2) if rules.insane_courage == "holds" else target


def tested(
    clash: Clash, rosters: tuple[Roster, Roster], chance: Chance, rules: HouseRules
) -> Clash:
    """The clash after the loser's break test: a unit that breaks is destroyed, nowhere to run to.

    Source: Sea Battles, Combat results.
    """
    one, two = sides(clash, rosters)
    loses = clash.melee.won == DEFENDERS
    by = np.abs(clash.melee.margin)
    target = np.where(loses, break_target(one, by, rules), break_target(two, by, rules))
    holds = chance.check("2d6", target, why="break test", rule="S-130")
    after = replace(
        clash,
        charger=_destroyed(one, loses & ~holds, rules),
        defender=_destroyed(two, ~loses & ~holds, rules),
    )
    stage = np.full_like(clash.melee.stage, ROUND_OVER)
    return replace(after, melee=replace(clash.melee, stage=stage))


def _destroyed(side: Side, broken: Array, rules: HouseRules) -> Party:
    nobody = np.zeros_like(side.band.at)
    after = side.roster.with_unit(side.party, side.band.at, nobody, broken)
    lost_too = broken if rules.broken_characters == "destroyed" else broken & (side.unit <= 0)
    return side.roster.with_hero(after, side.band.at, nobody, lost_too)


def round_over(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Clash:
    """The clash as the next round begins, or as it is over.

    The next unit in line fights on. The winner of a round may break off, by his doctrine; frenzied
    models, and those who hate whom they fight, never do. A ship without troops is taken after one
    round (SA-39).
    Source: Sea Battles, Combat results.
    """
    one, two = sides(clash, rosters)
    melee = clash.melee
    at = [side.roster.first_alive(side.party) for side in (one, two)]
    gone = [place >= len(r.formations) for place, r in zip(at, rosters, strict=True)]
    breaks_off = [
        (melee.won == who) & (side.roster.boarders.breaks_off != "never") & ~_is_pinned(side, foe)
        for who, side, foe in ((CHARGERS, one, two), (DEFENDERS, two, one))
    ]
    over = np.where(breaks_off[0] | breaks_off[1], PARTED, 0)
    over = np.where(gone[0], DEFENDERS, np.where(gone[1], CHARGERS, over))
    over = np.where(gone[0] & gone[1], PARTED, over)
    if rules.bare_ship == "never" and not rosters[1].formations:
        over = np.where(gone[0], DEFENDERS, PARTED)
    zero = np.zeros_like(over)
    bands = [
        replace(
            side.band,
            at=place,
            fresh=np.where(place != side.band.at, 1, 0),
            calm=np.where(place != side.band.at, 0, side.band.calm),
            fallen=zero,
            dealt=zero,
            struck=zero,
        )
        for side, place in zip((one, two), at, strict=True)
    ]
    keeps = rules.obstacle == "until won"
    obstacle = np.where((melee.won != CHARGERS) & keeps, melee.obstacle, 0)
    after = replace(
        melee,
        first=zero,
        obstacle=obstacle,
        toss=zero,
        margin=zero,
        won=melee.won if rules.edition == "7th" else zero,
        over=over,
        charger=bands[0],
        defender=bands[1],
    )
    return onward(lined_up(replace(clash, melee=after), rosters, rules), rosters, rules)


def _is_pinned(side: Side, foe: Side) -> Array:
    """Whether a side never breaks off: its fighting unit is frenzied, or hates whom it fights."""
    mad = side.of_unit("frenzy") * (side.unit > 0) + side.of_hero("frenzy") * (side.hero > 0)
    return (mad * np.where(side.band.calm > 0, 0, 1) > 0) | hates(side, foe, UNIT)


def hates(side: Side, foe: Side, group: int) -> Array:
    """Whether a side's unit (or character) that fights hates whom it fights."""
    worth = side.roster.units if group == UNIT else side.roster.heroes
    own = np.minimum(side.band.at, worth.hates.shape[0] - 1)
    met = np.minimum(foe.band.at, worth.hates.shape[1] - 1)
    return worth.hates[own, met] > 0
