"""A ship on the map: movement, masts, guns and hands, rams, and what officers do for it."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navkit.rulebooks import gurps
from navkit.rulebooks.gurps import vessel as at_sea
from navkit.rulebooks.gurps.captains import Captain
from navkit.rulebooks.gurps.damage import casualties, rested
from navkit.rulebooks.gurps.fleet import Placed, at_start, fleet_of
from navkit.rulebooks.gurps.movement import HEX
from navkit.rulebooks.gurps.turn_order import end_turn

RULES = gurps.HouseRules()
MOVES = {
    0: Fraction(0),
    0.5: Fraction(1, 10),
    0.8: Fraction(1, 9),
    0.9: Fraction(1, 8),
    1.0: Fraction(1, 7),
    1.2: Fraction(1, 6),
    1.5: Fraction(1, 5),
    2.0: Fraction(1, 4),
    2.5: Fraction(1, 3),
    5.0: Fraction(1, 2),
    10.0: Fraction(1),
    12.9: Fraction(2),
    19.3: Fraction(3),
    28.0: Fraction(4),
}
LADDER = [Fraction(1, n) for n in range(10, 1, -1)] + [Fraction(n) for n in range(1, 40)]


def numbers(value):
    if isinstance(value, tuple):
        return tuple(np.array([each], dtype=np.int32) for each in value)
    return np.array([value], dtype=np.int32)


def vessel(ship, rules=RULES, **changes):
    """A ship at the start of a fight, with some of its numbers changed."""
    start = at_sea.launched(ship, 0, 0, 0, rules)
    return replace(start, **{name: numbers(value) for name, value in changes.items()})


def navigated(level, **changes):
    officers = gurps.Officers(leadership=10, navigation=level, gunnery=0, tactics=0, medic=0)
    return gurps.ship("Brig", officers=officers, **changes)


def on_ladder(move, levels):
    """So many rungs up or down 3, 2, 1, 1/2 ... 1/10; below it 0."""
    if move == 0:
        return move
    rung = LADDER.index(move) + levels
    return LADDER[rung] if rung >= 0 else Fraction(0)


def half_of(move):
    """The fastest Move there is that is not above the half."""
    return max([step for step in LADDER if step <= move / 2], default=Fraction(0))


# Movement


@pytest.mark.parametrize(("kph", "base"), MOVES.items())
@pytest.mark.parametrize("level", [-10, -5, -3, -1, 0, 1, 4])
@pytest.mark.parametrize("skeleton", [False, True])
def test_hexes_over_many_turns(kph, base, level, skeleton):
    """Credit by Fractions: Move is added each turn, whole hexes are moved or lapse."""
    ship = navigated(level, kph=kph)
    crew = ship.skeleton_crew if skeleton else ship.crew
    move = on_ladder(base, level)
    move = half_of(move) if skeleton else move
    rest, way, sails = Fraction(0), 0, vessel(ship, crew=crew)
    for turn in range(1, 41):
        may = int(rest + move)
        left = at_sea.hexes_left(sails, ship, 0, RULES)
        assert left == may
        wants = turn % 3 if turn % 5 else 99
        used = min(may, wants)
        way += used
        sails = replace(sails, moved=numbers(used))
        assert at_sea.hexes_left(sails, ship, 0, RULES) == may - used
        rest = (rest + move) % 1
        sails = replace(sails, rest=at_sea.movement_kept(sails, ship, 0, RULES), moved=numbers(0))
        assert Fraction(int(sails.rest[0]), HEX) == rest
    assert way <= 40 * move


@pytest.mark.parametrize("n", range(2, 11))
def test_move_one_nth_makes_a_hex_each_nth_turn(n):
    kph = next(kph for kph, move in MOVES.items() if move == Fraction(1, n))
    ship, sails, hexes = gurps.ship("Sloop", kph=kph), None, []
    sails = vessel(ship)
    for _ in range(3 * n):
        may = at_sea.hexes_left(sails, ship, 0, RULES)
        hexes.append(int(may[0]))
        sails = replace(sails, moved=may)
        sails = replace(sails, rest=at_sea.movement_kept(sails, ship, 0, RULES), moved=numbers(0))
    assert hexes == ([0] * (n - 1) + [1]) * 3


def test_a_hex_made_is_spent_even_if_the_ship_is_slowed_after_it():
    """Move 1/2 with half a hex saved moves one, then drops to 1/3: nothing is saved."""
    ship = gurps.ship("Sloop", kph=5)
    sails = vessel(ship, rest=HEX // 2)
    assert at_sea.hexes_left(sails, ship, 0, RULES) == 1
    slowed = replace(sails, moved=numbers(1), masts=numbers(1))
    assert at_sea.movement(slowed, ship, 0, RULES) == HEX // 3
    assert at_sea.hexes_left(slowed, ship, 0, RULES) == 0
    assert at_sea.movement_kept(slowed, ship, 0, RULES) == 0


def test_slowed_in_mid_move():
    """New Move less the hexes made, at least none (GA-27)."""
    ship = gurps.ship("Brig")
    for moved, masts, left in [(1, 0, 2), (1, 1, 1), (1, 2, 0), (2, 2, 0), (3, 5, 0)]:
        sails = vessel(ship, moved=moved, masts=masts)
        assert at_sea.hexes_left(sails, ship, 0, RULES) == left


@pytest.mark.parametrize("name", ["Brig", "70-gun military", "Sloop", "Barquentine"])
@pytest.mark.parametrize(("reading", "points"), [("replace", (1, 2, 3)), ("add up", (1, 3, 6))])
def test_movement_lost_with_the_hull(name, reading, points):
    ship, rules = gurps.ship(name), gurps.HouseRules(movement_loss_hp=reading)
    for hull in range(ship.hull + 1):
        down = sum(Fraction(hull) <= Fraction(ship.hull, part) for part in (2, 3, 5))
        lost = (0, *points)[down]
        assert at_sea.hull_loss(numbers(hull), ship, rules) == lost


@pytest.mark.parametrize("level", [-2, 0, 3])
def test_masts_and_hull_down_the_ladder(level):
    """A Brig has Move 3: eleven points bring its base to 1/10, whatever the navigator (GA-41)."""
    ship = navigated(level)
    for masts in range(15):
        for hull, lost in ((900, 0), (450, 1), (300, 2), (180, 3), (1, 3)):
            sails = vessel(ship, masts=masts, hull=hull)
            gone = masts + lost >= 11
            move = Fraction(0) if gone else on_ladder(Fraction(3), level - masts - lost)
            assert Fraction(int(at_sea.movement(sails, ship, 0, RULES)[0]), HEX) == move


def test_a_ship_built_with_a_tenth_has_masts():
    slow = gurps.ship("Sloop", kph=0.5)
    assert at_sea.movement(vessel(slow), slow, 0, RULES) == HEX // 10
    assert at_sea.movement(vessel(slow, masts=1), slow, 0, RULES) == 0
    swift = navigated(4, kph=0.5)
    assert at_sea.movement(vessel(swift), swift, 0, RULES) == HEX // 6
    assert at_sea.movement(vessel(swift, masts=1), swift, 0, RULES) == 0


def test_masts_by_kph():
    """A Brig makes 17.7 kph: Move 3 down to 17.5, 2 down to 10.5, 1 down to 5.25, 1/2 to 2.92."""
    ship, rules = gurps.ship("Brig"), gurps.HouseRules(mast_unit="kph")
    found = [at_sea.movement(vessel(ship, masts=n), ship, 0, rules)[0] for n in range(18)]
    moves = [3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1]
    assert found[:13] == [HEX * move for move in moves]
    assert [Fraction(int(each), HEX) for each in found[13:]] == [
        Fraction(1, 2),
        Fraction(1, 2),
        Fraction(1, 3),
        Fraction(1, 4),
        0,  # 0.7 kph is Move 1/10: the masts are gone
    ]


# Masts


@pytest.mark.parametrize(
    ("points", "saves", "already", "acted", "moved", "masts", "slow", "slow_next"),
    [
        (99, True, 0, 0, 0, 0, 0, 0),
        (100, False, 0, 0, 0, 1, 0, 0),
        (250, False, 0, 0, 0, 2, 0, 0),
        (250, True, 0, 0, 0, 0, 2, 0),
        (250, True, 0, 1, 0, 0, 0, 2),
        (250, True, 0, 0, 1, 0, 0, 2),
        (399, True, 0, 0, 0, 1, 2, 0),
        (250, True, 1, 0, 0, 1, 2, 0),
        (250, True, 2, 1, 1, 2, 2, 0),
    ],
)
def test_a_navigator_gives_up_points_for_masts(
    points, saves, already, acted, moved, masts, slow, slow_next
):
    ship = navigated(2)
    before = vessel(ship, slow=already, acted=acted, moved=moved)
    after = at_sea.mast_damage(before, numbers(points), saves, ship, RULES)
    assert (after.masts, after.slow, after.slow_next) == (masts, slow, slow_next)
    level = at_sea.navigation(after, ship, 0, RULES)
    assert level == 2 - slow


@pytest.mark.parametrize("level", [-3, 0])
def test_only_positive_points_save_masts(level):
    ship = navigated(level)
    after = at_sea.mast_damage(vessel(ship), numbers(300), True, ship, RULES)
    assert (after.masts, after.slow, after.slow_next) == (3, 0, 0)


def test_masts_are_not_saved_by_a_capped_or_lent_point():
    capped = gurps.ship("Brig", officers=gurps.Officers(leadership=1, navigation=4, tactics=4))
    after = at_sea.mast_damage(vessel(capped), numbers(300), True, capped, RULES)
    assert (after.masts, after.slow) == (2, 1)


def test_navigators_may_not_save_masts():
    ship = navigated(2)
    rules = gurps.HouseRules(nav_saves_mast="never")
    after = at_sea.mast_damage(vessel(ship), numbers(300), True, ship, rules)
    assert (after.masts, after.slow, after.slow_next) == (3, 0, 0)


def test_the_price_of_a_mast_lasts_one_turn():
    ship = navigated(2)
    fleet = fleet_of(Placed(ship, 0, 0), Placed(ship, 9, 0), RULES)
    sea = at_start(fleet)
    hit = at_sea.mast_damage(
        replace(sea.ships[0], acted=numbers(1)), numbers(100), True, ship, RULES
    )
    sea, levels = replace(sea, ships=(hit, sea.ships[1])), []
    for _ in range(3):
        levels.append(int(at_sea.movement(sea.ships[0], ship, 0, RULES)[0]) // HEX)
        sea = end_turn(fleet)(sea, None)
    assert levels == [5, 4, 5]


def test_masts_by_points_over_a_fight_and_before_scale():
    ship = gurps.ship("Brig")
    carried = gurps.HouseRules(threshold_carry="fight")
    once = at_sea.mast_damage(vessel(ship), numbers(60), False, ship, carried)
    twice = at_sea.mast_damage(once, numbers(150), False, ship, carried)
    assert (once.masts, once.mast_strain, twice.masts, twice.mast_strain) == (0, 60, 2, 10)
    unscaled = gurps.HouseRules(damage_scale="unscaled")
    assert at_sea.mast_damage(vessel(ship), numbers(60), False, ship, unscaled).masts == 6


# Hands and guns

GUNS = st.tuples(*[st.integers(0, 4)] * 4)


def hands_at_work(before, after):
    fired = 2 * sum(int(each[0]) for each in before.fired)
    reloaded = sum(
        int(new[0] - old[0]) for new, old in zip(after.loaded, before.loaded, strict=True)
    )
    return fired, 2 * reloaded


@given(
    cannons=GUNS,
    empty=GUNS,
    shots=GUNS,
    crew=st.integers(0, 30),
    skeleton=st.integers(0, 12),
    kept=st.booleans(),
    rules=st.builds(
        gurps.HouseRules,
        reload_starts=st.sampled_from(["next turn", "at once"]),
        reload=st.sampled_from(["one turn", "none"]),
        crew_for_guns=st.sampled_from(["two each", "gun crews"]),
        skeleton_gunners=st.sampled_from(["all hands", "spare hands"]),
    ),
)
@settings(max_examples=400, derandomize=True, deadline=None, database=None)
def test_hands_are_never_used_twice(cannons, empty, shots, crew, skeleton, kept, rules):
    """Fire as much as may be from one side after another, then reload."""
    ship = gurps.ship("Brig", cannons=cannons, crew=crew, skeleton_crew=skeleton)
    loaded = tuple(max(0, guns - gone) for guns, gone in zip(cannons, empty, strict=True))
    sails = vessel(ship, loaded=loaded)
    for side in range(4):
        ready = at_sea.ready_guns(sails, ship, kept, rules)
        guns = min(int(ready[side][0]), shots[side])
        fire = tuple(numbers(guns if side == each else 0) for each in range(4))
        sails = at_sea.discharged(sails, fire, rules)
        assert at_sea.ready_guns(sails, ship, kept, rules)[side] <= int(ready[side][0]) - guns
    after = at_sea.reloaded_at_sea(sails, ship, rules)
    fired, reloaded = hands_at_work(sails, after)
    usable = 0 if crew < skeleton else crew
    if rules.skeleton_gunners == "spare hands":
        usable = max(0, usable - skeleton)
    assert fired + reloaded <= usable
    for side in range(4):
        assert 0 <= after.loaded[side] <= cannons[side]
        assert after.fired[side] == 0
        if rules.reload == "one turn" and rules.reload_starts == "next turn":
            # a gun is not reloaded in the turn of its shot
            assert after.loaded[side] <= cannons[side] - int(sails.fired[side][0])
    if rules.reload == "one turn" and rules.reload_starts == "next turn":
        waiting = sum(cannons) - sum(loaded)
        assert reloaded == 2 * min(waiting, max(0, usable // 2 - fired // 2))


def test_ten_guns_a_side_and_twenty_hands():
    """Reload one side, or fire the other, not both."""
    ship = gurps.ship("Brig", cannons=(10, 10, 0, 0), crew=20, skeleton_crew=0)
    spent = vessel(ship, loaded=(0, 10, 0, 0))
    assert at_sea.ready_guns(spent, ship, False, RULES)[1] == 10
    assert at_sea.ready_guns(spent, ship, True, RULES)[1] == 0
    assert at_sea.reloaded_at_sea(spent, ship, RULES).loaded == (10, 10, 0, 0)
    fires = at_sea.discharged(spent, numbers((0, 10, 0, 0)), RULES)
    assert at_sea.reloaded_at_sea(fires, ship, RULES).loaded == (0, 0, 0, 0)
    many = replace(ship, crew=40)
    fires = at_sea.discharged(vessel(many, loaded=(0, 10, 0, 0)), numbers((0, 10, 0, 0)), RULES)
    assert at_sea.reloaded_at_sea(fires, many, RULES).loaded == (10, 0, 0, 0)


def test_the_emptiest_side_is_reloaded_first():
    ship = gurps.ship("Brig", cannons=(4, 4, 2, 3), crew=12, skeleton_crew=0)
    sails = vessel(ship, loaded=(3, 0, 2, 0))
    assert at_sea.reloaded_at_sea(sails, ship, RULES).loaded == (3, 4, 2, 2)


def test_a_gun_fires_every_second_turn_at_best():
    ship = gurps.ship("Brig", crew=200)
    sails, fired = vessel(ship), []
    for _ in range(6):
        guns = at_sea.ready_guns(sails, ship, False, RULES)[0]
        fired.append(int(guns[0]))
        sails = at_sea.discharged(sails, (guns, *numbers((0, 0, 0))), RULES)
        sails = at_sea.reloaded_at_sea(sails, ship, RULES)
    assert fired == [7, 0, 7, 0, 7, 0]
    at_once = gurps.HouseRules(reload_starts="at once")
    sails = at_sea.discharged(vessel(ship), numbers((7, 0, 0, 0)), at_once)
    assert at_sea.reloaded_at_sea(sails, ship, at_once).loaded[0] == 7


def test_at_skeleton_crew_move_or_fire():
    ship = gurps.ship("Brig", skeleton_crew=14)
    bare = dict(crew=14)
    assert at_sea.ready_guns(vessel(ship, **bare), ship, False, RULES)[0] == 7
    assert at_sea.hexes_left(vessel(ship, **bare), ship, 0, RULES) == 1
    moved = vessel(ship, moved=1, **bare)
    assert at_sea.ready_guns(moved, ship, False, RULES)[0] == 0
    # a shot out of turn is the one action, too (GA-19)
    shot = vessel(ship, fired=(1, 0, 0, 0), loaded=(6, 7, 1, 0), **bare)
    assert at_sea.hexes_left(shot, ship, 0, RULES) == 0
    # reloading is none (GA-20)
    assert (
        at_sea.reloaded_at_sea(replace(moved, loaded=numbers((0, 7, 1, 0))), ship, RULES).loaded[0]
        == 7
    )
    one_more = vessel(ship, crew=15, moved=1)
    assert at_sea.ready_guns(one_more, ship, False, RULES)[0] == 7
    assert at_sea.hexes_left(one_more, ship, 0, RULES) == 2
    under = vessel(ship, crew=13, loaded=(0, 7, 1, 0))
    assert at_sea.ready_guns(under, ship, False, RULES)[1] == 0
    assert at_sea.hexes_left(under, ship, 0, RULES) == 0
    assert at_sea.reloaded_at_sea(under, ship, RULES).loaded[0] == 0


@pytest.mark.parametrize("change", [dict(foe=2), dict(held=1), dict(lost=2)])
def test_who_does_not_move(change):
    ship = gurps.ship("Brig")
    assert at_sea.hexes_left(vessel(ship), ship, 0, RULES) == 3
    assert at_sea.hexes_left(vessel(ship, **change), ship, 0, RULES) == 0


def test_hands_that_boarded_neither_fire_nor_reload():
    ship = gurps.ship("Brig", crew=40)
    boarded = vessel(ship, fought=1, loaded=(0, 7, 1, 0))
    assert at_sea.ready_guns(boarded, ship, False, RULES)[1] == 0
    assert at_sea.reloaded_at_sea(boarded, ship, RULES).loaded[0] == 0


# Rams


def rammed(rammer, target, run, rules=RULES, **changes):
    """Damage to both after a run of so many hexes in all."""
    own = vessel(rammer, run=run - 1, **changes.pop("own", {}))
    pair = at_sea.ram_damage(own, vessel(target, **changes), rammer, target, rules)
    return tuple(int(each[0]) for each in pair)


def test_worked_examples_of_rams():
    sloop, schooner = gurps.ship("Sloop"), gurps.ship("Schooner")
    assert rammed(sloop, schooner, 2) == (30, 8)
    assert rammed(gurps.ship("70-gun military"), sloop, 2) == (70, 6)


def test_readings_of_rams():
    sloop, brig = gurps.ship("Sloop"), gurps.ship("Brig")
    before = gurps.HouseRules(ram_run="hexes before")
    assert rammed(sloop, brig, 1) == (20, 8)
    assert rammed(sloop, brig, 1, before) == (10, 6)
    worn = dict(dr=0, own=dict(dr=0))
    assert rammed(sloop, brig, 3, **worn) == (30, 6)
    original = gurps.HouseRules(ram_dr="original")
    assert rammed(sloop, brig, 3, original, **dict(dr=0, own=dict(dr=0))) == (40, 12)
    big = gurps.ship("Brig", scale=100)
    assert rammed(sloop, big, 2) == (3, 10)
    assert rammed(big, sloop, 2) == (50, 0)
    by_rammer = gurps.HouseRules(ram_scale_mixed="rammer")
    assert rammed(sloop, big, 2, by_rammer) == (30, 10)
    assert rammed(big, sloop, 2, by_rammer) == (5, 0)


# Officers

KEEPS = gurps.Officers(leadership=9, gunnery=0, navigation=0, tactics=0, medic=3)


def test_the_surgeon_has_one_budget_a_turn():
    """Of 2 dying and 2 hurt, three points keep the hurt fit and one of the dying alive."""
    ship = gurps.ship("Brig", officers=KEEPS)
    first = casualties(vessel(ship), ship, numbers(4), RULES)
    assert (first.crew, first.dead, first.wounded, first.care) == (21, 1, 1, 0)
    second = casualties(first, ship, numbers(4), RULES)
    assert (second.crew, second.dead, second.wounded, second.care) == (17, 3, 3, 0)
    # in the next turn: 1 hurt is kept fit for one point, 1 dying for two
    third = casualties(rested(second, ship, RULES), ship, numbers(2), RULES)
    assert (third.crew, third.dead, third.wounded, third.care) == (17, 3, 3, 0)


def test_the_surgeon_saves_lives_first_where_he_is_told():
    ship = gurps.ship("Brig", officers=replace(KEEPS, care="lives", medic=2))
    hit = casualties(vessel(ship), ship, numbers(5), RULES)
    assert (hit.crew, hit.dead, hit.wounded) == (18, 0, 5)


def test_a_mage_heals_three_times_in_a_fight():
    officers = gurps.Officers(leadership=0, gunnery=0, navigation=0, fatigue=15)
    ship = gurps.ship("Brig", officers=officers)
    assert officers.spells == 3
    first = casualties(vessel(ship), ship, numbers(4), RULES)  # 2 dying and 1 hurt are fit at once
    assert (first.crew, first.dead, first.wounded, first.spells) == (22, 0, 1, 0)
    later = casualties(rested(first, ship, RULES), ship, numbers(4), RULES)
    assert (later.crew, later.dead, later.wounded, later.spells) == (18, 2, 3, 0)


@pytest.mark.parametrize(
    ("officers", "post", "capped", "uncapped"),
    [
        (dict(leadership=5, tactics=2, navigation=1, gunnery=1), "navigation", 2, 2),
        (dict(leadership=2, tactics=2, navigation=1, gunnery=1), "navigation", 1, 2),
        (dict(leadership=2, tactics=2, navigation=2, gunnery=0), "navigation", 0, 2),
        (dict(leadership=2, tactics=2, navigation=2, gunnery=0), "gunnery", 2, 2),
        (dict(leadership=2, tactics=-2, navigation=0, gunnery=0), "gunnery", 0, 0),
        (dict(leadership=2, tactics=2, navigation=0), "gunnery", 0, 0),  # nobody to lend to
        (dict(tactics=2, navigation=0, gunnery=0), "gunnery", 0, 0),  # nobody commands: all −5
        (dict(leadership=2, navigation=0, gunnery=0), "gunnery", 0, 0),  # no tactician
    ],
)
def test_what_a_tactician_lends(officers, post, capped, uncapped):
    ship = gurps.ship("Brig", officers=gurps.Officers(**officers))
    for reading, points in (("capped", capped), ("uncapped", uncapped)):
        rules = gurps.HouseRules(tactician_shift=reading)
        fleet = fleet_of(
            Placed(ship, 0, 0, captain=Captain("ours", lend=post)), Placed(ship, 9, 0), rules
        )
        assert fleet.lent(0, post) == points
        other = "gunnery" if post == "navigation" else "navigation"
        assert fleet.lent(0, other) == 0
