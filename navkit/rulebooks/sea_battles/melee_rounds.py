"""A round of a boarding: how it begins, goes on and ends; results and break tests."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array, Chance
from navkit.engine.rows import either
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.melee_sides import (
    BREAK,
    CHARGERS,
    CREW,
    DEFENDERS,
    FIGHTS,
    HIT,
    IN_CHALLENGE,
    KEEPS_OUT,
    PARTED,
    ROUND_OVER,
    TOSS,
    UNIT,
    Clash,
    Side,
    hates,
    next_to_strike,
    sides,
)
from navkit.rulebooks.sea_battles.melee_state import Band, Party
from navkit.rulebooks.sea_battles.rosters import Roster
from navkit.state import replace

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
    return onward(lined_up(after, rosters), rosters, rules)


def _new_band(party: Party, roster: Roster) -> Band:
    zero = np.zeros_like(party.captain)
    return Band(roster.first_alive(party), zero, zero + 1, zero, zero, zero, zero, zero)


def lined_up(clash: Clash, rosters: tuple[Roster, Roster]) -> Clash:
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


def onward(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Clash:
    """The clash with the next group striking, a toss to be made for it, or the round settled."""
    turn = next_to_strike(clash, rosters, rules)
    strikes = (turn.who > 0) & ~turn.tied
    melee = clash.melee
    striking_now = replace(
        melee,
        who=np.where(strikes, turn.who, 0),
        count=np.where(strikes, turn.count, 0),
        stage=np.where(turn.tied, TOSS, HIT),
        charger=_after_striking(melee.charger, np.where(strikes, turn.who - 1, -1)),
        defender=_after_striking(melee.defender, np.where(strikes, turn.who - 4, -1)),
    )
    ended = settled(clash, rosters, rules).melee
    # the arrays of what has ended already stay as they are
    going = either(turn.who > 0, striking_now, ended)
    return replace(clash, melee=either(melee.over > 0, melee, going))


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
        stands = (side.unit > 0) & (side.roster.standards[side.place] > 0)
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
        won=melee.won if rules.edition == "7th" else np.where(over == PARTED, melee.won, 0),
        over=over,
        charger=bands[0],
        defender=bands[1],
    )
    return onward(lined_up(replace(clash, melee=after), rosters), rosters, rules)


def _is_pinned(side: Side, foe: Side) -> Array:
    """Whether a side never breaks off: its fighting unit is frenzied, or hates whom it fights."""
    mad = side.of_unit("frenzy") * (side.unit > 0) + side.of_hero("frenzy") * (side.hero > 0)
    return (mad * np.where(side.band.calm > 0, 0, 1) > 0) | hates(side, foe, UNIT)
