"""A ship of one's own: built from its sheet, explained, checked for oddities, kept in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from os import PathLike
from typing import Any, get_args

import numpy as np
import pandas as pd

from navkit import records
from navkit.dice import dice
from navkit.errors import InputError, whole
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.attack import to_hit
from navkit.rulebooks.gurps.boarding import blow, boarding_skill
from navkit.rulebooks.gurps.guns import gun_hands, guns_to_fire
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.movement import shifted
from navkit.rulebooks.gurps.ships import STEADY, Officers, Post, Ship
from navkit.rulebooks.gurps.sides import known_ship, ready_side

POSTS: tuple[Post, ...] = get_args(Post)


def build(
    name: str,
    *,
    kph: float,
    dr: int,
    hull: int,
    left: int = 0,
    right: int = 0,
    front: int = 0,
    back: int = 0,
    damage: str = "5d",
    range: int = tables.USUAL_RANGE,
    scale: int = tables.USUAL_SCALE,
    size_modifier: int = 0,
    crew: int,
    skeleton_crew: int,
    weight: float = 0,
    price: float = 0,
    expertise: int = 12,
    officers: Officers = STEADY,
    weapon: int = 0,
    scaled: bool = True,
) -> Ship:
    """A ship from the figures of its sheet, the guns told by side.

    With `scaled=False` hull and DR are those of GURPS itself and are divided by `scale`, and
    `damage` is "5dx10" where the sheet of scale 10 says "5d". What doesn't divide evenly is
    refused, since the document doesn't say how to round it.
    Raises InputError for what cannot be.
    Source: GURPS/Naval Combat, A ship's attributes; Scale.

    >>> cutter = build("Cutter", kph=14, dr=10, hull=3000, left=3, right=3, damage="5dx10",
    ...                crew=12, skeleton_crew=4, scaled=False)
    >>> cutter.dr, cutter.hull, cutter.damage, cutter.cannons
    (1, 300, '5d', (3, 3, 0, 0))
    """
    if not scaled:
        hull, dr = _divided("hull", hull, scale), _divided("dr", dr, scale)
        damage = _divided_dice(damage, scale)
    return Ship(
        name=name,
        kph=kph,
        dr=dr,
        hull=hull,
        cannons=(left, right, front, back),
        damage=damage,
        range=range,
        scale=scale,
        size_modifier=size_modifier,
        crew=crew,
        skeleton_crew=skeleton_crew,
        weight=weight,
        price=price,
        expertise=expertise,
        officers=officers,
        weapon=weapon,
    )


# What follows from the sheet


def derived(ship: Ship, rules: HouseRules | None = None) -> pd.DataFrame:
    """What follows from a ship's sheet: value, what it comes from, section and checklist row.

    Figures are those of the ship as it is: whole, all guns loaded, all hands fit.
    Source: GURPS/Naval Combat, A ship's attributes; the sections it names.

    >>> from navkit.rulebooks.gurps import ship
    >>> table = derived(ship("Brig"))
    >>> str(table.loc["Move", "value"]), table.loc["Move", "from"]
    ('3', '17.7 kph, from 17.5 to 24.5')
    >>> int(table.loc["guns manned at once", "value"]), table.loc["guns manned at once", "rule"]
    (11, 'G-30')
    """
    rules = HouseRules.of(rules)
    known_ship("ship", ship)
    lines = [
        *_movement(ship, rules),
        *_gunnery(ship, rules),
        *_hull(ship, rules),
        *_crew(ship, rules),
    ]
    table = pd.DataFrame(lines, columns=["what", "value", "from", "section", "rule"])
    return table.astype(object).set_index("what")


_Line = tuple[str, Any, str, str, str]


def _movement(ship: Ship, rules: HouseRules) -> Iterator[_Line]:
    move = ship.base_move(rules)
    slowest, fastest = speeds(move, rules)
    row = f"from {_plain(slowest)} to {_plain(fastest)}" if move else "too slow"
    slowest_row = move <= Fraction(1, tables.SLOWEST_FRACTION)
    rule = "G-12" if move >= 1 else "G-14" if slowest_row else "G-13"
    yield "Move", move, f"{_plain(ship.kph)} kph, {row}", "Move", rule
    level = ship.officers.level("navigation", rules)
    own = ship.move(rules)
    yield "Move with Navigation", own, f"Move {move}, Navigation {level:+}", "Navigation", "G-44"
    yield "initiative", f"1d + {own}", "Move with Navigation", "Initiative roll", "G-58"


def _gunnery(ship: Ship, rules: HouseRules) -> Iterator[_Line]:
    left, right, front, back = ship.cannons
    each = tables.HANDS_PER_GUN
    listed = f"{left} left, {right} right, {front} front, {back} back"
    yield "guns", ship.guns, listed, "Num of Cannons", "G-24"
    broadside = max(left, right)
    side = ready_side(ship, rules)
    hands = int(gun_hands(side, ship, rules)[0])
    at_guns = f"{hands} hands, {each} a gun"
    manned = min(ship.guns, hands // each)
    yield "guns manned at once", manned, at_guns, "Reload", "G-30"
    fired = int(guns_to_fire(side, ship, rules)[0])
    yield "guns of a broadside manned", fired, f"of {broadside}, by {at_guns}", "Reloading", "G-30"
    needed = each * broadside
    yield "hands to fire a broadside", needed, f"{broadside} × {each}", "Reloading", "G-30"
    both = each * (left + right)
    how = f"({left} + {right}) × {each}"
    yield "hands to fire one and reload the other", both, how, "Reloading", "G-83"
    yield "hands for all guns", each * ship.guns, f"{ship.guns} × {each}", "Reloading", "G-83"
    mean = round(fired * ship.gun.mean, 1)
    yield "mean roll of that broadside", mean, f"{fired} × {ship.damage}", "Damage", "G-25"
    level = ship.officers.level("gunnery", rules)
    how = f"Expertise {ship.expertise}, Gunnery {level:+}"
    yield "attack skill, at its own size", to_hit(ship, ship, rules), how, "Attacks", "G-42"


def _hull(ship: Ship, rules: HouseRules) -> Iterator[_Line]:
    move, gone = ship.base_move(rules), 0
    for (parts, lost), word in zip(tables.HULL_LOSSES, ("half", "third", "fifth"), strict=True):
        gone = lost if rules.movement_loss_hp == "replace" else gone + lost
        left = shifted(move, -gone, rules)
        how = f"{ship.hull} ÷ {parts}; down to it Move {move} becomes {left}"
        yield f"hull at a {word}", ship.hull // parts, how, "Structural damage", "G-88"
    hand, point = _points(tables.POINTS_PER_HAND, ship, rules), tables.POINTS_PER_MAST
    yield "damage for each hand", *hand, "Crew damage", "G-90"
    unit = "point of Move" if rules.mast_unit == "Move" else "kph"
    yield f"damage for each {unit}", *_points(point, ship, rules), "Mast damage", "G-95"
    how = f"hull {ship.hull * ship.scale}, DR {ship.dr * ship.scale} before it"
    yield "scale", ship.scale, how, "Scale", "G-21"


def _points(points: int, ship: Ship, rules: HouseRules) -> tuple[int | Fraction, str]:
    """Points of damage as marked off on the sheet, and where they come from."""
    if rules.damage_scale == "scaled":
        return points, f"{points} full points in one attack"
    return Fraction(points, ship.scale), f"{points} ÷ scale {ship.scale}"


def _crew(ship: Ship, rules: HouseRules) -> Iterator[_Line]:
    spare = ship.crew - ship.skeleton_crew
    how = f"{ship.crew} − {ship.skeleton_crew}; then half move or an attack"
    yield "hands to spare", max(spare, 0), how, "Crew", "G-36"
    how = f"{ship.crew} − {ship.skeleton_crew} + 1; then neither moves nor attacks"
    yield "hands lost that stop it", max(spare + 1, 0), how, "Crew", "G-35"
    kept = ship.officers.care_points(rules)
    yield "hands the surgeon keeps a turn", kept, "First-Aid level", "First-Aid", "G-48"
    energy = f"({ship.officers.fatigue} + {ship.officers.powerstone}) ÷ {tables.SPELL_ENERGY}"
    where = "Healing Spells in naval combat"
    yield "healing spells in a fight", ship.officers.spells, energy, where, "G-51"
    tactics = ship.officers.level("tactics", rules)
    how = f"Expertise {ship.expertise}, Tactician {tactics:+}"
    yield "boarding skill", boarding_skill(ship, rules), how, "Boarding", "G-110"
    dealt = int(blow(np.array([ship.crew]), ship.weapon, np.array([0]), rules)[0])
    how = f"{ship.crew} ÷ {tables.HANDS_PER_BLOW}, weapons {ship.weapon:+}"
    yield "boarding blow of all hands", dealt, how, "Boarding", "G-111"


def speeds(move: Fraction, rules: HouseRules | None = None) -> tuple[Fraction, Fraction]:
    """The speeds in kph from which, and up to which, a ship has this Move by the table.

    Raises InputError for a Move that no ship is built with.
    Source: GURPS/Naval Combat, Move.

    >>> [str(kph) for kph in speeds(Fraction(1, 2))]
    ['35/12', '21/4']
    """
    per_hex = Fraction(tables.KPH_PER_HEX[HouseRules.of(rules).move_divisor], 7)
    edges = {row: edge for edge, row in tables.MOVE_FRACTIONS}
    slowest = Fraction(1, tables.SLOWEST_FRACTION)
    if move == 0:
        return Fraction(0), Fraction(0)
    if move == slowest:
        return Fraction(0), min(edges.values()) * per_hex
    if move in edges and move < 1:
        return edges[move] * per_hex, edges[Fraction(1, move.denominator - 1)] * per_hex
    if move < 1 or move.denominator != 1:
        raise InputError("move", move, "a whole number, or 1/2 to 1/10")
    low = edges[move] if move in edges else (move - Fraction(1, 2)) * 7
    return low * per_hex, (move + Fraction(1, 2)) * 7 * per_hex


# What is odd about it


def warnings(ship: Ship, rules: HouseRules | None = None) -> list[str]:
    """What is legal but odd about a ship, a sentence each; none for a ship like others.

    >>> from navkit.rulebooks.gurps import ship
    >>> warnings(ship("Sloop"))
    ['8 guns, but hands for 4 of them at once.']
    """
    rules = HouseRules.of(rules)
    known_ship("ship", ship)
    return [
        *_odd_movement(ship, rules),
        *_odd_guns(ship, rules),
        *_odd_crew(ship, rules),
    ]


def _odd_movement(ship: Ship, rules: HouseRules) -> Iterator[str]:
    if not ship.base_move(rules):
        yield "It cannot move."
    elif not ship.move(rules):
        yield "With its navigator it cannot move."


def _odd_guns(ship: Ship, rules: HouseRules) -> Iterator[str]:
    if not ship.guns:
        yield "It has no guns."
        return
    side = ready_side(ship, rules)
    manned = int(gun_hands(side, ship, rules)[0]) // tables.HANDS_PER_GUN
    if manned < ship.guns:
        yield f"{ship.guns} guns, but hands for {manned or 'none'} of them at once."
    left, right, _, _ = ship.cannons
    if left != right:
        yield f"Its broadsides differ: {left} guns on the left, {right} on the right."
    if ship.gun.max <= ship.dr:
        yield f"Its guns cannot pass a DR like its own: {ship.damage} against {ship.dr}."
    guns = max(ship.cannons)
    through = guns * (ship.gun.mean - ship.dr)
    if through >= ship.hull:
        yield f"A mean hit by {guns} guns like its own sinks it: {_plain(through)} points."
    skill = to_hit(ship, ship, rules)
    if skill < tables.LOWEST_SKILL:
        yield f"Its attack skill is {skill} at its own size: too low for GURPS to allow a try."


def _odd_crew(ship: Ship, rules: HouseRules) -> Iterator[str]:
    crew, skeleton = ship.crew, ship.skeleton_crew
    if crew < skeleton:
        yield f"Fewer hands ({crew}) than its skeleton crew ({skeleton}): out of action at once."
    elif crew == skeleton:
        yield "No hand more than its skeleton crew: half move or an attack in a turn, not both."
    elif not skeleton:
        yield "Its skeleton crew is 0: it sails and fights with nobody aboard."
    for post in POSTS:
        own = getattr(ship.officers, post)
        level = ship.officers.level(post, rules)
        if own is not None and level < own:
            yield f"{post.capitalize()} {own:+} counts as {level:+}, by the commander's Leadership."


# Files


def read_csv(path: str | PathLike[str]) -> tuple[Ship, ...]:
    """The ships of a CSV file, such as navkit's own `data/gurps-ships.csv`.

    The columns are the fields of `Ship`; those with a default may be left out. Cannons are
    written 4/4/0/0, officers `leadership=2 gunnery=1 care=lives`; nothing there means that all
    posts are empty. Raises OSError for a file that can't be read, and InputError with line and
    column for what it should not have in it; no two ships may share a name.
    """
    return records.read_csv(path, Ship, unique="name")


def read_json(path: str | PathLike[str]) -> tuple[Ship, ...]:
    """The ships of a JSON file: a list of objects with the fields of `Ship`; see `read_csv`.

    Cannons are a list of four numbers, officers an object.
    """
    return records.read_json(path, Ship, unique="name")


def write_csv(path: str | PathLike[str], ships: Ship | Iterable[Ship]) -> None:
    """Write ships as a CSV file that `read_csv` reads; what was in it is replaced.

    Raises InputError for what isn't a ship and for two of one name, before anything is written.
    """
    records.write_csv(path, _fleet(ships), Ship)


def write_json(path: str | PathLike[str], ships: Ship | Iterable[Ship]) -> None:
    """Write ships as a JSON file that `read_json` reads; see `write_csv`."""
    records.write_json(path, _fleet(ships), Ship)


def _fleet(ships: Ship | Iterable[Ship]) -> list[Ship]:
    listed = [ships] if isinstance(ships, Ship) else [known_ship("ship", each) for each in ships]
    for place, each in enumerate(listed):
        if each.name in [before.name for before in listed[:place]]:
            raise InputError("name", each.name, "each once in a file")
    return listed


# Small things


def _divided(what: str, value: int, scale: int) -> int:
    found = whole(what, value, 0, 10**9)
    if found % whole("scale", scale, 1, 1000):
        raise InputError(what, value, f"a multiple of the scale, {scale}")
    return found // scale


def _divided_dice(damage: str, scale: int) -> str:
    """Dice divided by the scale: the factor behind them, or each result where that is refused."""
    found, times, factor = damage.replace("×", "x").rpartition("x")
    if times and factor.strip().isdecimal() and int(factor) % scale == 0:
        left = int(factor) // scale
        return found.strip() if left == 1 else f"{found.strip()}x{left}"
    if dice(damage).max and scale > 1:
        raise InputError(
            "damage", damage, f"dice times a multiple of the scale, such as 5dx{scale}"
        )
    return damage


def _plain(value: float | Fraction) -> str:
    """A number with as many places as it takes, three at most."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")
