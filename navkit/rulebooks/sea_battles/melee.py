"""Boarding: blows that hit, wound and are saved, and a boarding as parts of a turn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from navkit.battle import Step
from navkit.chance import Array, Chance
from navkit.engine.rows import either
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.melee_rounds import (
    onward,
    round_over,
    tested,
)
from navkit.rulebooks.sea_battles.melee_sides import (
    AGAIN,
    AUTOMATIC,
    BREAK,
    CREW,
    HERO,
    HIT,
    IN_CHALLENGE,
    MOST_OVERKILL,
    ROUND_OVER,
    SAVE,
    TOSS,
    UNIT,
    WOUND,
    Clash,
    Side,
    blows_of,
    hates,
    sides,
)
from navkit.rulebooks.sea_battles.rolls import pool
from navkit.rulebooks.sea_battles.rosters import Roster
from navkit.state import replace

HULL_SKILL = 2


def _skill(side: Side, foe: Side, group: int) -> Array:
    if group == CREW:
        return np.full_like(side.band.at, tables.CREW_SKILL)
    return side.of_unit("weapon_skill") if group == UNIT else side.of_hero("weapon_skill")


def _strength(side: Side, foe: Side, group: int) -> Array:
    if group == CREW:
        return np.full_like(side.band.at, tables.CREW_STRENGTH)
    of = side.of_unit if group == UNIT else side.of_hero
    return np.minimum(of("strength") + of("choppa") * side.band.fresh, 10)


def to_hit(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Array:
    """The D6 that hits: by weapon skill; a 6 for chargers at a defended obstacle, flyers too.

    Crew support is hampered like the troops it supports. A bare hull is hit automatically (SA-38)
    unless the house rule gives it a skill.
    Source: Sea Battles, Who can fight?; Combat.
    """

    blows = blows_of(clash, rosters)
    own = blows.each(_skill)
    plain = tables.to_strike(own, blows.struck("weapon_skill"))
    if rosters[1].formations:
        return np.where(blows.by_chargers & (clash.melee.obstacle > 0), 6, plain)
    by_rule = {"automatic": AUTOMATIC, "4+": 4}.get(rules.hull_melee)
    bare = tables.to_strike(own, HULL_SKILL) if by_rule is None else by_rule
    return np.where(blows.by_chargers, bare, plain)


def to_wound(clash: Clash, rosters: tuple[Roster, Roster]) -> Array:
    """The D6 that wounds whom the group strikes; 7 where it cannot."""

    blows = blows_of(clash, rosters)
    return tables.to_wound(blows.each(_strength), blows.struck("toughness"))


def to_save(clash: Clash, rosters: tuple[Roster, Roster]) -> Array:
    """The D6 that saves whom the group strikes: riders without mount and barding.

    Source: Sea Battles, Fighting aboard ships.
    """

    blows = blows_of(clash, rosters)
    return tables.to_save(blows.struck("save"), blows.each(_strength))


def _rerolls(clash: Clash, rosters: tuple[Roster, Roster], rules: HouseRules) -> Array:
    """Whether the group re-rolls its misses: it hates, in its own first round.

    Source: the parent game's hatred.
    """

    def may(side: Side, foe: Side, group: int) -> Array:
        if group == CREW:
            return np.zeros_like(side.band.at, dtype=bool)
        first = side.band.fresh if rules.hatred_round == "unit's first" else clash.melee.first
        return hates(side, foe, group) & (first > 0)

    return blows_of(clash, rosters).each(may)


# The steps


def melee_steps(rosters: tuple[Roster, Roster], rules: HouseRules) -> tuple[Step[Clash], ...]:
    """The steps of a round, of which each fight takes the first that applies to it.

    Source: Sea Battles, Who can fight?; Support attacks from crew; Combat results.
    """

    def stage(number: int) -> Callable[[Clash], Array]:
        return lambda clash: _on(clash) & (clash.melee.stage == number)

    def toss(clash: Clash, chance: Chance) -> Clash:
        side = chance.roll("d2", why="who strikes first", rule="S-125")
        melee = replace(clash.melee, toss=side + 0 * clash.melee.toss)
        return onward(replace(clash, melee=melee), rosters, rules)

    def needs_no_roll(clash: Clash) -> Array:
        return stage(HIT)(clash) & (to_hit(clash, rosters, rules) <= AUTOMATIC)

    def hit_all(clash: Clash, chance: Chance) -> Clash:
        return _on_target(clash, clash.melee.count, rosters, rules)

    def hit(clash: Clash, chance: Chance) -> Clash:
        count = clash.melee.count
        need = to_hit(clash, rosters, rules)
        hits = pool(chance, count, need, why="hits", rule="S-120")
        misses = np.where(_rerolls(clash, rosters, rules), count - hits, 0)
        waits = replace(clash.melee, count=hits, again=misses, stage=np.full_like(hits, AGAIN))
        lands = _on_target(clash, hits, rosters, rules)
        return either(misses > 0, replace(clash, melee=waits), lands)

    def again(clash: Clash, chance: Chance) -> Clash:
        need = to_hit(clash, rosters, rules)
        more = pool(chance, clash.melee.again, need, why="hits, re-rolled", rule="S-120")
        clear = replace(clash.melee, again=np.zeros_like(more))
        hits = clash.melee.count + more
        return _on_target(replace(clash, melee=clear), hits, rosters, rules)

    def wound(clash: Clash, chance: Chance) -> Clash:
        need = to_wound(clash, rosters)
        wounds = pool(chance, clash.melee.count, need, why="wounds", rule="S-120")
        suffered = _suffered(clash, wounds, rosters, rules)
        saves = (wounds > 0) & (to_save(clash, rosters) < tables.NO_SAVE)
        return either(saves, _staged(clash, wounds, SAVE), suffered)

    def save(clash: Clash, chance: Chance) -> Clash:
        need = to_save(clash, rosters)
        saved = pool(chance, clash.melee.count, need, why="armour saves", rule="S-120")
        return _suffered(clash, clash.melee.count - saved, rosters, rules)

    def test(clash: Clash, chance: Chance) -> Clash:
        return tested(clash, rosters, chance, rules)

    steps = (
        Step(test, stage(BREAK)),
        Step(save, stage(SAVE)),
        Step(wound, stage(WOUND)),
        Step(again, stage(AGAIN)),
        Step(hit, stage(HIT)),
        Step(toss, stage(TOSS)),
    )
    return steps if rosters[1].formations else (Step(hit_all, needs_no_roll), *steps)


def end_of_round(rosters: tuple[Roster, Roster], rules: HouseRules) -> Step[Clash]:
    """The step that ends a round, and perhaps the boarding."""

    def run(clash: Clash, chance: Chance) -> Clash:
        return round_over(clash, rosters, rules)

    return Step(run, lambda clash: _on(clash) & (clash.melee.stage == ROUND_OVER))


def is_fought(clash: Clash) -> Array:
    """Whether anything is still to be rolled in the round."""
    return _on(clash) & (clash.melee.stage != ROUND_OVER)


def _on(clash: Clash) -> Array:
    return clash.melee.over == 0


def _staged(clash: Clash, count: Array, then: int) -> Clash:
    """The clash with so many dice to be rolled next."""
    return replace(clash, melee=replace(clash.melee, count=count, stage=np.full_like(count, then)))


def _on_target(
    clash: Clash, hits: Array, rosters: tuple[Roster, Roster], rules: HouseRules
) -> Clash:
    """Hits on troops are rolled to wound; those of chargers on a bare hull are kept for it."""
    none = onward(clash, rosters, rules)
    if rosters[1].formations:
        return either(hits > 0, _staged(clash, hits, WOUND), none)
    who = clash.melee.who
    unit, hero, crew = (
        kept + np.where(who == group, hits, 0)
        for group, kept in enumerate(clash.melee.on_hull, start=1)
    )
    kept = replace(clash, melee=replace(clash.melee, on_hull=(unit, hero, crew)))
    after = onward(kept, rosters, rules)
    return either((hits > 0) & (who > 3), _staged(clash, hits, WOUND), after)


def _suffered(
    clash: Clash, unsaved: Array, rosters: tuple[Roster, Roster], rules: HouseRules
) -> Clash:
    """The clash after wounds that were not saved; then it is the next group's turn to strike.

    A unit loses models from any rank; a character no more than he has, but in a challenge up to 5
    wounds beyond his death count for the result.
    Source: Sea Battles, Combat results; the parent game's challenges.
    """
    blows = blows_of(clash, rosters)
    one, two = sides(clash, rosters)
    by_charger, at_hero = blows.by_chargers, blows.at_hero
    by_crew = (clash.melee.who - 1) % 3 == CREW
    duel = (clash.melee.who - 1) % 3 == HERO
    counts = ~by_crew if rules.support_counts == "do not" else np.ones_like(by_crew)
    parties, bands, dealt = [], [], np.zeros_like(unsaved)
    for side, mine in ((one, ~by_charger), (two, by_charger)):
        to_unit = np.where(mine & ~at_hero, np.minimum(unsaved, side.unit), 0)
        to_hero = np.where(mine & at_hero, np.minimum(unsaved, side.hero), 0)
        in_duel = duel & mine & at_hero & (side.band.hero == IN_CHALLENGE)
        beyond = np.where(in_duel, np.minimum(unsaved - to_hero, MOST_OVERKILL), 0)
        dealt = dealt + to_unit + to_hero + beyond
        each = side.of_unit("wounds")
        fallen = side.models - -(-(side.unit - to_unit) // each)
        at = side.band.at
        after = side.roster.with_unit(side.party, at, side.unit - to_unit, to_unit > 0)
        parties.append(side.roster.with_hero(after, at, side.hero - to_hero, to_hero > 0))
        bands.append(replace(side.band, fallen=side.band.fallen + fallen))
    scores = np.where(counts, dealt, 0)
    charger = replace(bands[0], dealt=bands[0].dealt + np.where(by_charger, scores, 0))
    defender = replace(bands[1], dealt=bands[1].dealt + np.where(by_charger, 0, scores))
    melee = replace(clash.melee, charger=charger, defender=defender, count=np.zeros_like(unsaved))
    return onward(Clash(parties[0], parties[1], melee), rosters, rules)
