"""What happened in a fight on the map, in words, each with the rule it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from navkit.chance import Array
from navkit.log import Entry
from navkit.rulebooks.gurps import hexes
from navkit.rulebooks.gurps.fleet import Fleet, Sea, seen
from navkit.rulebooks.gurps.movement import HEX
from navkit.rulebooks.gurps.sides import CAPTURED, OUT_OF_ACTION, SUNK
from navkit.rulebooks.gurps.turn_order import initiative
from navkit.rulebooks.gurps.vessel import SIDES

TURNED = {1: "turns left", -1: "turns right"}
LOST = {
    SUNK: ("sinks", "G-87"),
    OUT_OF_ACTION: ("has fewer hands than its skeleton crew and is out of action", "G-35"),
    CAPTURED: ("is captured", "G-106"),
}


class Told(NamedTuple):
    """A line of the log: the ship it is about (−1 for all), what happened, by which rule."""

    ship: int
    words: str
    rule: str


def only(value: Array) -> int:
    """The number of the only fight."""
    return int(value[0])


def name(fleet: Fleet, i: int) -> str:
    """The name of a ship, with its number on its side where two have the same name.

    >>> from navkit.rulebooks.gurps import Placed, HouseRules, ship
    >>> from navkit.rulebooks.gurps.fleet import fleet_of
    >>> sloops = [Placed(ship("Sloop"), 0, r) for r in (0, 1)]
    >>> fleet = fleet_of(Placed(ship("Brig"), 9, 0), sloops, HouseRules())
    >>> [name(fleet, i) for i in range(3)]
    ['Brig', 'Sloop 1', 'Sloop 2']
    """
    mine = fleet.ship(i).name
    same = [j for j in range(len(fleet)) if fleet.ship(j).name == mine]
    return mine if len(same) == 1 else f"{mine} {same.index(i) + 1}"


def initiative_rolled(fleet: Fleet, sea: Sea) -> Iterator[Told]:
    """Who rolled what for initiative."""
    each = []
    for i, vessel in enumerate(sea.ships):
        die = only(vessel.die)
        move = _hexes(only(initiative(fleet, sea, i)) - die * HEX)
        each.append(f"{name(fleet, i)} rolls {die} + Move {move}")
    yield Told(-1, f"Initiative: {'; '.join(each)}", "G-58")


def rolled_off(fleet: Fleet, sea: Sea) -> Iterator[Told]:
    """How a tie of initiative was broken."""
    each = [f"{name(fleet, i)} rolls {only(v.lot)}" for i, v in enumerate(sea.ships)]
    yield Told(-1, f"Initiative is tied, a die each decides: {', '.join(each)}", "G-61")


def begun(fleet: Fleet, sea: Sea, turn: int) -> Iterator[Told]:
    """The order in which ships act this turn."""
    order = [only(each) for each in sea.order]
    names = [name(fleet, i) for i in order if only(sea.ships[i].lost) == 0]
    yield Told(-1, f"Turn {turn}: {', then '.join(names)}", "G-62")


def moved(fleet: Fleet, before: Sea, after: Sea, i: int) -> Iterator[Told]:
    """A hex made, a turning, a ram, or a place kept."""
    old, new = before.ships[i], after.ships[i]
    if only(new.moved) == only(old.moved):
        if only(new.moved) == 0:
            yield Told(i, "stays where it is", "G-65")
        return
    rammed = [
        j
        for j in fleet.enemies(i)
        if only(hexes.ship_range(seen(after, i, j))) == 0 and only(before.ships[j].lost) == 0
    ]
    for j in rammed:
        run, foe = only(new.run), name(fleet, j)
        given = only(before.ships[j].hull) - only(after.ships[j].hull)
        taken = only(old.hull) - only(new.hull)
        straight = f"{run} hex{'es' * (run != 1)} straight"
        yield Told(i, f"rams {foe}, {straight}: {foe} loses {given} hull points", "G-101")
        yield Told(i, f"loses {taken} hull points by its own ram", "G-102")
    if not rammed:
        left = (only(new.heading) - only(old.heading) + 1) % 6 - 1
        turning = f" and {TURNED[left]}" if left else ""
        yield Told(i, f"goes ahead{turning}", "G-68" if left else "G-65")
    yield from lost(fleet, before, after)


def fired(
    fleet: Fleet, before: Sea, after: Sea, i: int, j: int, rolls: Sequence[Entry], out_of_turn: bool
) -> Iterator[Told]:
    """An attack and what it did."""
    shots = {
        side: only(now) - only(then)
        for side, now, then in zip(SIDES, after.ships[i].fired, before.ships[i].fired, strict=True)
    }
    guns, side = max((count, side) for side, count in shots.items())
    (attack, damage) = (next(r for r in rolls if r.why == why) for why in ("attack", "damage"))
    verdict = "a hit" if attack.success else "a miss, which does half"
    old, new = before.ships[j], after.ships[j]
    results = [f"{only(old.hull) - only(new.hull)} hull"]
    hands, dead = only(old.crew) - only(new.crew), only(new.dead) - only(old.dead)
    if hands or dead:
        results.append(f"{hands} hand{'s' * (hands != 1)}, {dead} of them dead")
    if only(old.dr) > only(new.dr):
        results.append(f"{only(old.dr) - only(new.dr)} DR")
    if only(new.masts) > only(old.masts):
        results.append(f"{only(new.masts) - only(old.masts)} Move with the masts")
    given_up = only(new.slow + new.slow_next) - only(old.slow + old.slow_next)
    if given_up:
        results.append(f"{given_up} Navigation given up for masts")
    when = "fires, out of turn," if out_of_turn else "fires"
    told = (
        f"{when} {guns} {side} gun{'s' * (guns != 1)} at {name(fleet, j)}: {attack.result} against "
        f"{attack.target}, {verdict}; {damage.dice} = {damage.result}. "
        f"{name(fleet, j)} loses {'; '.join(results)}"
    )
    hit_or_miss = "G-74" if attack.success else "G-75"
    yield Told(i, told, "G-76" if out_of_turn else hit_or_miss)
    yield from lost(fleet, before, after)


def grappled(fleet: Fleet, starter: int, other: int) -> Iterator[Told]:
    """A boarding begun."""
    yield Told(starter, f"boards {name(fleet, other)}", "G-105")


def boarded(
    fleet: Fleet, before: Sea, after: Sea, i: int, j: int, rolls: Sequence[Entry]
) -> Iterator[Told]:
    """A turn of boarding."""
    parts = []
    for k, roll in zip((i, j), rolls, strict=False):
        gone = only(before.ships[k].crew) - only(after.ships[k].crew)
        parts.append(f"{name(fleet, k)} rolls {roll.result} and loses {gone} hands")
    yield Told(i, f"boarding: {'; '.join(parts)}", "G-111")
    free = only(after.ships[i].foe) == 0 and only(after.ships[j].foe) == 0
    still_on = only(after.ships[i].lost) == 0 and only(after.ships[j].lost) == 0
    if free and still_on:
        yield Told(i, f"{name(fleet, i)} and {name(fleet, j)} part", "G-108")
    yield from lost(fleet, before, after)


def ended(fleet: Fleet, before: Sea, after: Sea) -> Iterator[Told]:
    """Guns reloaded by the end of a turn."""
    for i, (old, new) in enumerate(zip(before.ships, after.ships, strict=True)):
        guns = sum(only(b) - only(a) for a, b in zip(old.loaded, new.loaded, strict=True))
        if guns:
            yield Told(i, f"has reloaded {guns} gun{'s' * (guns != 1)}", "G-83")


def lost(fleet: Fleet, before: Sea, after: Sea) -> Iterator[Told]:
    """Ships that are out of the fight now."""
    for i, (old, new) in enumerate(zip(before.ships, after.ships, strict=True)):
        if only(old.lost) == 0 and only(new.lost) > 0:
            words, rule = LOST[only(new.lost)]
            yield Told(i, words, rule)


def _hexes(parts: int) -> str:
    """Movement in parts of a hex as people write it.

    >>> _hexes(2 * HEX), _hexes(HEX // 3)
    ('2', '1/3')
    """
    return str(parts // HEX) if parts % HEX == 0 else f"1/{HEX // parts}"
