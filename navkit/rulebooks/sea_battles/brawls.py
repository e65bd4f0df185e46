"""Boardings by themselves: two ships in contact, whose troops fight it out round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from navkit.battle import Battle, Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.errors import InputError
from navkit.rulebooks.sea_battles.boarding import MOST_STEPS, Boarding, fate, party_of
from navkit.rulebooks.sea_battles.captain import appointed
from navkit.rulebooks.sea_battles.damage import known_facing
from navkit.rulebooks.sea_battles.doctrines import Boarders
from navkit.rulebooks.sea_battles.fleets import Fight, Place, Ships, begun, lost, station
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.melee import end_of_round, is_fought, melee_steps
from navkit.rulebooks.sea_battles.melee_rounds import begun as begins
from navkit.rulebooks.sea_battles.melee_sides import (
    CHARGERS,
    DEFENDERS,
    Clash,
)
from navkit.rulebooks.sea_battles.melee_state import Melee, Party, no_melee
from navkit.rulebooks.sea_battles.rosters import Roster, roster
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import CAUSES, launched, people_left
from navkit.state import replace

TRACKS = ("ships", "troops")


@dataclass(frozen=True)
class Crowd:
    """A side of a boarding: its people, how its ship was lost, and how many are left."""

    party: Party
    gone: Array
    ships: Array
    troops: Array


@dataclass(frozen=True)
class Brawl:
    """Two ships in contact. `a` charges."""

    a: Crowd
    b: Crowd
    melee: Melee


def brawl_battle(
    a: Ship,
    b: Ship,
    boarders: tuple[Boarders, Boarders],
    facing: str,
    flyers: bool,
    rules: HouseRules,
) -> Battle[Any]:
    """A boarding by itself as data; its turns are the rounds."""
    side = known_facing(facing)
    one = roster(a, b, *boarders, rules, flyers=flyers)
    two = roster(b, a, *boarders[::-1], rules, against_flyers=flyers)
    if not one.formations:
        raise InputError(f"boarders of the {a.name}", "nobody", "troops or characters who fight")
    if two.formations:
        return _of_parties(a, b, (one, two), rules)
    return _of_a_bare_ship({"a": (a,), "b": (b,)}, (one, two), side, rules)


def _of_parties(
    a: Ship, b: Ship, rosters: tuple[Roster, Roster], rules: HouseRules
) -> Battle[Brawl]:
    def crowd(ship: Ship, party: Party, gone: Array) -> Crowd:
        return Crowd(party, gone, np.where(gone == 0, 1, 0), people_left(party, ship))

    def fresh(ship: Ship) -> Crowd:
        vessel = launched(ship)
        return crowd(ship, party_of(vessel, ship, rules), vessel.gone)

    def clash(brawl: Brawl) -> Clash:
        return Clash(brawl.a.party, brawl.b.party, brawl.melee)

    def lifted(step: Step[Clash]) -> Step[Brawl]:
        def run(brawl: Brawl, chance: Chance) -> Brawl:
            after = step.run(clash(brawl), chance)
            over = after.melee.over
            gone_a = np.where(over == DEFENDERS, fate(after.defender, rosters[1]), brawl.a.gone)
            gone_b = np.where(over == CHARGERS, fate(after.charger, rosters[0]), brawl.b.gone)
            return Brawl(
                crowd(a, after.charger, gone_a), crowd(b, after.defender, gone_b), after.melee
            )

        applies = step.when
        return Step(run, None if applies is None else lambda brawl: applies(clash(brawl)), "a")

    def commanded(brawl: Brawl, chance: Chance) -> Brawl:
        """Captains are rolled where a house rule makes break tests depend on them."""
        parties = []
        for ship, side in ((a, brawl.a), (b, brawl.b)):
            party = side.party
            if ship.command.min < ship.command.max:
                rolled = appointed(launched(ship), chance).leadership
                party = replace(party, command=rolled)
            parties.append(replace(side, party=party))
        return replace(brawl, a=parties[0], b=parties[1])

    begin = Step[Clash](lambda clash, chance: begins(clash, rosters, rules))
    captains = [Step(commanded)] if rules.break_leadership == "ship's" else []
    steps = tuple(map(lifted, melee_steps(rosters, rules)))
    fought = Either(steps, lambda brawl: is_fought(clash(brawl)))
    return Battle(
        start=Brawl(fresh(a), fresh(b), no_melee()),
        opening=(*captains, lifted(begin)),
        turn=(Repeat(fought, most=MOST_STEPS), lifted(end_of_round(rosters, rules))),
        lost=lambda brawl, side: brawl.a.gone if side == "a" else brawl.b.gone,
        causes=CAUSES,
        tracks=TRACKS,
    )


def _of_a_bare_ship(
    ships: Ships, rosters: tuple[Roster, Roster], facing: int, rules: HouseRules
) -> Battle[Fight]:
    """Troops board a ship that has none: crew fight, blows go to the hull, and she is taken."""
    boarding = Boarding(Place("a", 0), Place("b", 0), ships, rosters, rules)

    def always(fight: Fight) -> Array:
        return np.ones_like(fight.melee.stage, dtype=bool)

    def boarded(fight: Fight) -> Array:
        return np.full_like(fight.melee.stage, facing)

    return Battle(
        start=begun(ships, {"a": (station(),), "b": (station(),)}),
        opening=(boarding.begins(always),),
        turn=(*boarding.round(), *boarding.hull_parts(boarded), boarding.aftermath()),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )
