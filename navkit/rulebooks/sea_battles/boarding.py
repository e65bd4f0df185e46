"""Boardings as parts of a battle: how they begin, go on, and what becomes of the ship."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.extra import counted, forget
from navkit.rulebooks.sea_battles.fleets import (
    Fight,
    Place,
    Ships,
    for_ship,
    placed,
    pose_of,
    with_station,
    with_vessel,
)
from navkit.rulebooks.sea_battles.hits import hits_part
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.melee import end_of_round, is_fought, melee_steps
from navkit.rulebooks.sea_battles.melee_rounds import (
    begun,
)
from navkit.rulebooks.sea_battles.melee_sides import (
    CHARGERS,
    CREW,
    DEFENDERS,
    HERO,
    NOT_BEGUN,
    PARTED,
    UNIT,
    Clash,
)
from navkit.rulebooks.sea_battles.melee_state import Party
from navkit.rulebooks.sea_battles.movement import parted
from navkit.rulebooks.sea_battles.rosters import Roster
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.strikes import NO_WOUNDS, Attack, struck
from navkit.rulebooks.sea_battles.vessel import BEATEN, CAPTURED, SCUTTLED, Vessel, support
from navkit.state import replace

MOST_STEPS = 5000


def party_of(vessel: Vessel, ship: Ship, rules: HouseRules) -> Party:
    """The people of a ship as they fight in a boarding."""
    return Party(
        troops=vessel.troops,
        characters=vessel.characters,
        support=support(vessel, ship, rules),
        command=vessel.leadership - vessel.penalty,
        captain=vessel.captain,
    )


@dataclass(frozen=True)
class Boarding:
    """Who boards whom in a battle, and what both bring."""

    charger: Place
    defender: Place
    ships: Ships
    rosters: tuple[Roster, Roster]
    rules: HouseRules

    def clash(self, fight: Fight) -> Clash:
        """Both parties as the fight stands."""
        one, two = (
            party_of(place.vessel(fight), self.ships[place.side][place.number], self.rules)
            for place in (self.charger, self.defender)
        )
        return Clash(one, two, fight.melee)

    def fight(self, fight: Fight, clash: Clash) -> Fight:
        """The fight after a step of the clash."""
        for place, party in ((self.charger, clash.charger), (self.defender, clash.defender)):
            left = replace(place.vessel(fight), troops=party.troops, characters=party.characters)
            fight = with_vessel(fight, place, left, self.ships)
        return replace(fight, melee=clash.melee)

    def step(self, step: Step[Clash]) -> Step[Fight]:
        """A step of the clash as a step of the battle."""

        def run(fight: Fight, chance: Chance) -> Fight:
            return self.fight(fight, step.run(self.clash(fight), chance))

        applies = step.when
        assert applies is not None
        return Step(
            run,
            lambda fight: (fight.melee.stage != NOT_BEGUN) & applies(self.clash(fight)),
            side=self.charger.side,
        )

    def begins(self, boards: Callable[[Fight], Array]) -> Step[Fight]:
        """The part in which the boarding begins, where `boards` says so."""

        def run(fight: Fight, chance: Chance) -> Fight:
            return self.fight(fight, begun(self.clash(fight), self.rosters, self.rules))

        return Step(run, boards, side=self.charger.side)

    def round(self) -> list[Any]:
        """The parts that are one round."""
        steps = tuple(map(self.step, melee_steps(self.rosters, self.rules)))
        end = self.step(end_of_round(self.rosters, self.rules))
        fought = Either(steps, lambda fight: is_fought(self.clash(fight)))
        return [Repeat(fought, most=MOST_STEPS), end]

    def fought_out(self) -> Repeat[Fight]:
        """The part in which the boarding is fought to its end, within one turn.

        Source: Sea Battles, Fighting aboard ships.
        """
        steps = (*melee_steps(self.rosters, self.rules), end_of_round(self.rosters, self.rules))
        fought = Either(tuple(map(self.step, steps)), lambda fight: fight.melee.stage != NOT_BEGUN)
        return Repeat(fought, most=MOST_STEPS)

    def hull_parts(self, facing: Callable[[Fight], Array]) -> list[Any]:
        """The parts in which blows on a ship without troops do damage, by the side she is boarded.

        Each blow is a hit: hard or soft, then damage by its Strength.
        Source: Sea Battles, Combat.
        """
        if self.rosters[1].formations:
            return []
        attack = Attack("combat", NO_WOUNDS)
        target = self.ships[self.defender.side][self.defender.number]
        parts: list[Any] = []
        for group in (UNIT, HERO, CREW):
            parts += [
                self._blows(group, facing),
                for_ship(hits_part(target, attack, self.rules), self.defender, self.ships),
            ]
        quiet = for_ship(Repeat(Step(forget, counted), most=1), self.defender, self.ships)
        return [*parts, quiet]

    def _blows(self, group: int, facing: Callable[[Fight], Array]) -> Step[Fight]:
        strength = hull_strength(self.rosters[0], group)

        def run(fight: Fight, chance: Chance) -> Fight:
            hits = fight.melee.on_hull[group]
            vessel = struck(self.defender.vessel(fight), hits, facing(fight), strength, 0)
            unit, hero, crew = (
                np.zeros_like(kept) if number == group else kept
                for number, kept in enumerate(fight.melee.on_hull)
            )
            after = with_vessel(fight, self.defender, vessel, self.ships)
            return replace(after, melee=replace(after.melee, on_hull=(unit, hero, crew)))

        return Step(run, lambda fight: fight.melee.on_hull[group] > 0, side=self.charger.side)

    def aftermath(self) -> Step[Fight]:
        """The part that ends a boarding: the beaten ship is taken over, scuttled or left.

        Where the ships part, both go on; who breaks off shifts 1 cm away.
        Source: Sea Battles, Combat results.
        """
        one, two = self.rosters

        def run(fight: Fight, chance: Chance) -> Fight:
            over, clash = fight.melee.over, self.clash(fight)
            attacker, target = self.charger.vessel(fight), self.defender.vessel(fight)
            lost = np.where(over == DEFENDERS, fate(clash.defender, two), attacker.gone)
            taken = np.where(over == CHARGERS, fate(clash.charger, one), target.gone)
            after = with_vessel(fight, self.charger, replace(attacker, gone=lost), self.ships)
            after = with_vessel(after, self.defender, replace(target, gone=taken), self.ships)
            after = self._parted(after)
            stage = np.full_like(over, NOT_BEGUN)
            return replace(after, melee=replace(after.melee, stage=stage))

        return Step(run, is_over, side=self.charger.side)

    def _parted(self, fight: Fight) -> Fight:
        parts = fight.melee.over == PARTED
        by_defender = parts & (fight.melee.won == DEFENDERS)
        for place, other, goes in (
            (self.charger, self.defender, parts & ~by_defender),
            (self.defender, self.charger, by_defender),
        ):
            at = place.station(fight)
            away = placed(parted(pose_of(at), pose_of(other.station(fight)), self.rules))
            moved = {name: np.where(goes, away[name], getattr(at, name)) for name in away}
            fight = with_station(fight, place, replace(at, **moved))
        return fight


def hull_strength(roster: Roster, group: int) -> int:
    """Strength of the blows of a group of the chargers' first formation, on a ship's hull."""
    if group == CREW:
        return tables.CREW_STRENGTH
    worth = roster.units if group == UNIT else roster.heroes
    return min(int(worth.strength[0] + worth.choppa[0]), 10)


def is_over(fight: Fight) -> Array:
    """Whether a boarding is over and its ship still to be disposed of."""
    return (fight.melee.stage != NOT_BEGUN) & (fight.melee.over > 0)


def fate(winner: Party, roster: Roster) -> Array:
    """What the winner does with the ship he has cleared, by his doctrine.

    A side that has wiped out the other may take the ship if a character of it can command: one
    who isn't captain already (SA-56). Else it scuttles her.
    Source: Sea Battles, Combat results.
    """
    nothing = np.full_like(winner.captain, BEATEN)
    if roster.boarders.prize == "leave":
        return nothing
    scuttled = np.full_like(winner.captain, SCUTTLED)
    if roster.boarders.prize == "scuttle":
        return scuttled
    return np.where(may_command(winner), CAPTURED, scuttled)


def may_command(winner: Party) -> Array:
    """Whether a character is left who isn't captain of the ship he came from.

    Source: Sea Battles, Combat results.
    """
    found = np.zeros_like(winner.captain, dtype=bool)
    for place, wounds in enumerate(winner.characters, start=1):
        found = found | ((wounds > 0) & (winner.captain != place))
    return found


def transferred(prize_room: int, strengths: Sequence[int], unit: int) -> int:
    """How many whole units of those strengths may cross to a prize, in their order.

    Whole units and characters cross (SA-55); `unit` is the strength that is aboard already.
    Source: Sea Battles, Combat results.

    >>> transferred(40, [20, 15, 10], 0), transferred(40, [20, 15, 5], 0)
    (2, 3)
    """
    crossed, load = 0, unit
    for strength in strengths:
        if load + strength > prize_room:
            break
        crossed, load = crossed + 1, load + strength
    return crossed
