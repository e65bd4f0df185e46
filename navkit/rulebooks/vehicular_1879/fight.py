"""How vehicles fight: the vehicular turn, and the resolvers that play it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from navkit.battle import Battle, Repeat, Step, play, some_turns
from navkit.chance import Array, Exact, Sampled, Scripted
from navkit.errors import InputError
from navkit.history import History
from navkit.rulebooks.vehicular_1879 import gunnery
from navkit.rulebooks.vehicular_1879.command import officer_maneuvers
from navkit.rulebooks.vehicular_1879.doctrines import Doctrine
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.initiative import initiative
from navkit.rulebooks.vehicular_1879.maneuvers import Captain, maneuver_parts
from navkit.rulebooks.vehicular_1879.ships import Vehicle, known_vehicle
from navkit.rulebooks.vehicular_1879.state import (
    A_FIRST,
    B_FIRST,
    Fight,
    guns_of,
    number,
    other,
    ready_fight,
    side_of,
    with_guns,
    with_sides,
)
from navkit.rulebooks.vehicular_1879.supplement import Supplement
from navkit.rulebooks.vehicular_1879.tables import Range
from navkit.rulebooks.vehicular_1879.volley import Fire, volley
from navkit.state import replace

Part = Step[Fight] | Repeat[Fight]
Doctrines = tuple[Doctrine | None, Doctrine | None]
CAUSES = ("destroyed", "crippled", "crew_lost")
DESTROYED, CRIPPLED, CREW_LOST = 1, 2, 3
PLACES = (("a", A_FIRST), ("b", B_FIRST), ("b", A_FIRST), ("a", B_FIRST))
"""Who acts in his place in which fights: first the first, then the second."""
TRACKS = ("damage", "criticals", "maneuverability", "speed", "armor", "cargo")


def always(fight: Fight) -> Array:
    """Every fight."""
    return np.ones_like(fight.first, dtype=bool)


def acts(order: int) -> Callable[[Fight], Array]:
    """The fights in which that side acts first."""
    return lambda fight: fight.first == order


def fires_of(
    x: str,
    vehicles: dict[str, Vehicle],
    doctrines: dict[str, Doctrine],
    supplement: Supplement,
    rules: HouseRules,
) -> list[Fire]:
    """The fire of each battery of a side; checks that it can be."""
    own, foe = vehicles[x], vehicles[other(x)]
    doctrine = doctrines[x]
    gunnery.check_called(doctrine.called, doctrine.armament, foe)
    for battery in own.batteries:
        gunnery.check_steps(battery, own, rules)
    return [
        Fire(x, place, own, foe, doctrine, rules, supplement) for place in range(len(own.batteries))
    ]


def volleys(fires: list[Fire], when: Callable[[Fight], Array], rules: HouseRules) -> list[Part]:
    """The parts of a turn in which all batteries of a side fire, one after the other."""
    parts: list[Part] = []
    for fire in fires:
        for _ in range(rules.volleys):
            attack, effect = volley(fire, when)
            parts += attack + effect
    return parts


def together(fires: list[Fire], rules: HouseRules) -> list[Part]:
    """The parts of a turn in which all batteries fire at the same moment.

    All attacks come first, then all effects. Nobody is out of the fight before all effects are in.
    """

    def firing(on: int) -> Step[Fight]:
        return Step(lambda fight, chance: replace(fight, firing=np.full_like(fight.firing, on)))

    parts: list[Part] = []
    for _ in range(rules.volleys):
        fired = [volley(fire, always) for fire in fires]
        parts.append(firing(1))
        parts += [part for attack, _ in fired for part in attack]
        parts += [part for _, effect in fired for part in effect]
        parts.append(firing(0))
    return parts


def end_of_turn(vehicles: dict[str, Vehicle]) -> Step[Fight]:
    """The part that ends a turn: what maneuvers brought is over, officers may act again.

    Casualty and hazard checks belong here; they are a user's (see `scale.hazard_damage`).
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.
    """

    def run(fight: Fight, chance: object) -> Fight:
        for x, vehicle in vehicles.items():
            side = side_of(fight, x)
            zero = np.zeros_like(side.attack)
            full = zero + officer_maneuvers(vehicle.captain_rank)
            side = replace(side, attack=zero, guard=zero, reacting=zero, officers=full)
            for place in range(len(vehicle.batteries)):
                side = with_guns(side, place, spent=np.zeros_like(guns_of(side, place).spent))
            fight = with_sides(fight, **{x: side})
        return replace(fight, free=np.zeros_like(fight.free))

    return Step(run)


def lost(vehicles: dict[str, Vehicle]) -> Callable[[Fight, str], Array]:
    """How a side is lost: by the figures of its vehicle, and when its last hand is dead.

    The preview prints no figure at which a vehicle is crippled or lost (VA-39).
    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.
    """

    def how(fight: Fight, x: str) -> Array:
        side, vehicle = side_of(fight, x), vehicles[x]
        heads = vehicle.crew + vehicle.untrained
        code = np.where((side.crew.dead >= heads) & (heads > 0), CREW_LOST, 0)
        if vehicle.crippled_at is not None:
            code = np.where(side.criticals >= vehicle.crippled_at, CRIPPLED, code)
        if vehicle.destroyed_at is not None:
            code = np.where(side.damage >= vehicle.destroyed_at, DESTROYED, code)
        return np.where(fight.firing > 0, 0, code)

    return how


def hands(vehicles: dict[str, Vehicle]) -> Callable[[Fight, str], Array]:
    """The living hands of a side, trained or not."""

    def left(fight: Fight, x: str) -> Array:
        return vehicles[x].crew + vehicles[x].untrained - side_of(fight, x).crew.dead

    return left


def may_stall(fires: Sequence[Fire], turns: int) -> bool:
    """Whether fire may cease for good before the turns are over: without shots, or weapons."""
    for fire in fires:
        shots = fire.battery.shots
        if shots is not None and shots < turns * fire.rules.volleys:
            return True
        if fire.supplement.critical_hits or fire.rules.step_floor == "no shot":
            return True
    return any(fire.doctrine.called == "armament" for fire in fires)


def duel_battle(
    a: Vehicle,
    b: Vehicle,
    doctrines: dict[str, Doctrine],
    distance: Range,
    supplement: Supplement,
    rules: HouseRules,
    turns: int = 1,
) -> Battle[Fight]:
    """The duel as data; see `duel`."""
    vehicles = {"a": a, "b": b}
    captains = {x: Captain(x, vehicles, doctrines, rules, supplement) for x in vehicles}
    for x in vehicles:
        check_orders(doctrines[x], supplement)
    fires = {x: fires_of(x, vehicles, doctrines, supplement, rules) for x in vehicles}
    turn: list[Part] = [*initiative(vehicles, supplement, rules)]
    for x, order in PLACES:
        turn += maneuver_parts(captains, x, acts(order))
        if rules.fire_timing == "in place":
            turn += volleys(fires[x], acts(order), rules)
    if rules.fire_timing == "after all maneuvers":
        for x, order in PLACES:
            turn += volleys(fires[x], acts(order), rules)
    elif rules.fire_timing == "together":
        turn += together(fires["a"] + fires["b"], rules)
    return Battle(
        start=ready_fight(a, b, distance),
        turn=(*turn, end_of_turn(vehicles)),
        lost=lost(vehicles),
        causes=CAUSES,
        tracks=TRACKS,
        may_stall=may_stall(fires["a"] + fires["b"], turns),
        measures={"hands": hands(vehicles)},
    )


def check_orders(doctrine: Doctrine, supplement: Supplement) -> None:
    """Raises InputError for orders that name maneuvers which the supplement has not."""
    if doctrine.maneuver:
        supplement.vehicle_maneuver(doctrine.maneuver)
    for name in (doctrine.officer, doctrine.reaction):
        if name:
            supplement.officer_maneuver(name)


def known_doctrines(doctrines: Doctrines) -> dict[str, Doctrine]:
    """Both sides' orders, checked."""
    if not isinstance(doctrines, tuple) or len(doctrines) != 2:
        raise InputError("doctrines", doctrines, "two of them, for a and b; None for the default")
    return {
        x: Doctrine.of(f"doctrine of {x}", each)
        for x, each in zip(("a", "b"), doctrines, strict=True)
    }


def known_range(distance: Range | str) -> Range:
    """A range by itself or by its name; InputError for anything else."""
    names = [each.name.capitalize() for each in Range]
    if isinstance(distance, Range):
        return distance
    if not isinstance(distance, str) or distance.capitalize() not in names:
        raise InputError("distance", distance, *names)
    return Range[distance.upper()]


def duel(
    a: Vehicle,
    b: Vehicle,
    *,
    turns: int = 12,
    doctrines: Doctrines = (None, None),
    distance: Range | str = Range.NEAR,
    supplement: Supplement | None = None,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """Two vehicles against each other, in turns of one minute.

    Each turn both captains make Maneuver Tests; in descending order of the results each resolves
    the Vehicle Maneuver and Officer Maneuvers of his orders, if any, and his batteries fire
    (VA-23), once each (VA-24). Orders are the doctrines; what maneuvers, Critical Hits, ranges and
    crew states do comes from the supplement. A vehicle is lost when it is destroyed or crippled
    by its own figures, or has no hand left. `chance=None` is exact where that is quick, else
    sampled. Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: 1879: Vehicular Combat Preview, The Vehicular Combat Turn; Unit and Weapon Battery
    Attacks.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> h = duel(ship("Paddle gunboat"), ship("Pirate airship"), turns=6,
    ...          chance=Sampled(fights=1024))
    >>> bool(h.outcome()["a"] > h.outcome()["b"])
    True
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    battle = duel_battle(
        known_vehicle("a", a),
        known_vehicle("b", b),
        known_doctrines(doctrines),
        known_range(distance),
        supplement,
        rules,
        some_turns(turns),
    )
    return play(battle, turns, chance)


def fire_battle(
    attacker: Vehicle,
    target: Vehicle,
    battery: str | None,
    doctrine: Doctrine,
    distance: Range,
    supplement: Supplement,
    rules: HouseRules,
    turns: int = 1,
) -> Battle[Fight]:
    """Fire that is not answered, as data; see `fire`."""
    vehicles = {"a": attacker, "b": target}
    check_orders(doctrine, supplement)
    attacker.battery(battery)
    fires = [
        each
        for each in fires_of("a", vehicles, {"a": doctrine}, supplement, rules)
        if battery is None or each.battery.name == battery
    ]
    captains = {
        x: Captain(x, vehicles, {"a": doctrine, "b": Doctrine()}, rules, supplement)
        for x in vehicles
    }
    turn = [*maneuver_parts(captains, "a", always), *volleys(fires, always, rules)]
    start = ready_fight(attacker, target, distance)
    return Battle(
        start=replace(start, first=number(A_FIRST)),
        turn=(*turn, end_of_turn(vehicles)),
        lost=lost(vehicles),
        causes=CAUSES,
        tracks=TRACKS,
        may_stall=may_stall(fires, turns),
        measures={"hands": hands(vehicles)},
    )


def fire(
    attacker: Vehicle,
    target: Vehicle,
    *,
    battery: str | None = None,
    turns: int = 1,
    doctrine: Doctrine | None = None,
    distance: Range | str = Range.NEAR,
    supplement: Supplement | None = None,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """The fire of one battery, or of all (None), on a target that does not answer.

    The attacker is side a, the target b. Its maneuver, if the doctrine has one, comes first.
    Raises InputError for bad input, such as an attacker without batteries.
    Source: 1879: Vehicular Combat Preview, Unit and Weapon Battery Attacks.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> gunboat, steamer = ship("Paddle gunboat"), ship("Merchant steamer")
    >>> h = fire(gunboat, steamer, chance=Scripted([16, (12, 3, 5, 4), 11]))  # 2 hits and a bonus
    >>> h.log[["why", "dice", "target", "result"]].values.tolist()
    [['attack', '2d10!', 11, 16], ['damage', '2d12!', <NA>, 24], ['damage', '2d12!', <NA>, 11]]
    >>> h.mean("b", "damage").tolist(), h.mean("b", "criticals").tolist()
    ([0.0, 25.0], [0.0, 1.0])
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    battle = fire_battle(
        known_vehicle("attacker", attacker),
        known_vehicle("target", target),
        battery,
        Doctrine.of("doctrine", doctrine),
        known_range(distance),
        supplement,
        rules,
        some_turns(turns),
    )
    return play(battle, turns, chance)
