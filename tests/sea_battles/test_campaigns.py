"""Battles on the plan: steering, contact, the Admiral, armies, magic and psychology."""

from dataclasses import replace

import numpy as np
import pytest

from navkit import Exact, InputError, Sampled, Scripted
from navkit.battle import Step
from navkit.engine.script import Script
from navkit.rulebooks.sea_battles import (
    Boarders,
    Character,
    Doctrine,
    HouseRules,
    Ship,
    Unit,
    armies,
    duel,
    fleet,
    fleet_battle,
    magic,
    psychology,
)
from navkit.rulebooks.sea_battles.boarding import Boarding
from navkit.rulebooks.sea_battles.campaigns import Scene
from navkit.rulebooks.sea_battles.captain import leadership
from navkit.rulebooks.sea_battles.fleets import Place, begun, pose_of, station, with_vessel
from navkit.rulebooks.sea_battles.movement import pose
from navkit.rulebooks.sea_battles.plan import Waters
from navkit.rulebooks.sea_battles.rosters import roster

A, B = Place("a", 0), Place("b", 0)
COG = Ship("Cog", 2, "sails", 8)
GALLEY = Ship("Galley", 2, "oars", 8)
FOE = Ship("Foe", 2, "oars", 8)


def scene(ship, at=(0, 0, 0), foe=(40, 0, 180), *, doctrine=None, rules=None, friends=(), **waters):
    """A ship's helmsman and a fight, with the enemy at a place."""
    ships = {"a": (ship, *(each for each, _ in friends)), "b": (FOE,)}
    doctrine = Doctrine(handling="ram") if doctrine is None else doctrine
    rules = HouseRules() if rules is None else rules
    doctrines = {"a": (doctrine,) * len(ships["a"]), "b": (Doctrine(),)}
    places = {
        "a": (station(pose(*at)), *(station(pose(*where)) for _, where in friends)),
        "b": (station(pose(*foe)),),
    }
    setting = Scene(ships, doctrines, Waters(**waters), rules)
    return setting.helmsman(A), begun(ships, places)


def after(helm, fight, *, half=False):
    moved = helm.moves(fight, np.array([True]), np.array([half]))
    at = pose_of(A.station(moved))
    return [round(float(v[0])) for v in (at.x, at.y, at.heading)], moved


def test_a_ship_steers_for_the_nearest_enemy():
    helm, fight = scene(GALLEY, foe=(0, 60, 0))
    assert after(helm, fight)[0] == [0, 20, 90]
    assert after(helm, fight, half=True)[0] == [0, 10, 90]
    helm, fight = scene(COG, foe=(0, 60, 0))
    assert after(helm, fight)[0] == [10, 10, 90 + 10 // 10 - 1]
    helm, fight = scene(GALLEY, foe=(-60, 0, 0))
    assert after(helm, fight)[0][2] in (90, 270)
    assert after(helm, fight, half=True)[0] == [-10, 0, 180]


def test_she_stops_where_her_doctrine_has_her_lie_or_in_contact():
    helm, fight = scene(GALLEY, foe=(25, 0, 180), doctrine=Doctrine(keep=12))
    (x, _, _), moved = after(helm, fight)
    assert 25 - 12 - 6 <= x <= 25 - 12 - 3
    assert not helm.wants_to_move(moved)[0]
    helm, fight = scene(GALLEY, foe=(15, 0, 90))
    _, moved = after(helm, fight)
    assert A.station(moved).rams.tolist() == [1]
    assert A.station(moved).facing.tolist() == [1]
    assert A.station(moved).boards.tolist() == [0]
    helm, fight = scene(GALLEY, foe=(15, 0, 90), doctrine=Doctrine(handling="ram and board"))
    assert A.station(after(helm, fight)[1]).boards.tolist() == [1]
    helm, fight = scene(GALLEY, doctrine=Doctrine(handling="hold"))
    assert not helm.wants_to_move(fight)[0]


@pytest.mark.parametrize(("reading", "ordering"), [("ends movement", 0), ("may go on", 1)])
def test_a_ram_ends_her_movement_or_not(reading, ordering):
    helm, fight = scene(GALLEY, foe=(15, 0, 90), rules=HouseRules(after_ram=reading))
    vessel = replace(A.vessel(fight), ordering=np.array([1]))
    fight = with_vessel(fight, A, vessel, helm.ships)
    assert A.vessel(after(helm, fight)[1]).ordering.tolist() == [ordering]


def test_normal_speed_of_an_order():
    for reading, half in (("full", False), ("half", True)):
        helm, fight = scene(GALLEY, rules=HouseRules(normal_speed=reading))
        assert helm.speed(fight).tolist() == [half]
    helm, fight = scene(GALLEY)
    battened = replace(A.vessel(fight), half=np.array([1]))
    assert helm.speed(with_vessel(fight, A, battened, helm.ships)).tolist() == [True]


def test_wind_counts_by_heading():
    helm, fight = scene(COG, wind=0.0, current=180.0)
    weather = helm.weather(fight)
    assert (weather.wind.tolist(), weather.current.tolist()) == ([1], [-1])


def test_a_ship_with_both_moves_by_one_of_them():
    both = Ship("Both", 2, "sails and oars", 8)
    assert scene(both)[0].sailing
    assert not scene(both, doctrine=Doctrine(gear="oars"))[0].sailing


MAD = Ship(
    "Mad",
    2,
    "oars",
    characters=(Character("Frenzied champion", "Skarr", joins=None),),
    captain="Skarr",
)


def test_a_frenzied_captain_rams_and_boards_whoever_one_move_reaches():
    hold = Doctrine(handling="hold")
    helm, fight = scene(MAD, foe=(15, 0, 90), doctrine=hold)
    assert helm.wants_to_move(fight).tolist() == [True]
    _, moved = after(helm, fight)
    assert (A.station(moved).rams.tolist(), A.station(moved).boards.tolist()) == ([1], [1])
    helm, fight = scene(MAD, foe=(40, 0, 90), doctrine=hold)
    assert helm.wants_to_move(fight).tolist() == [False]


def test_a_turn_goes_through_its_phases_in_order():
    raiders = Ship(
        "Raiders", 2, "oars", 9, troops=(Unit("Orc boy", 10),), guns=("bolt thrower",), army="Orcs"
    )
    play = {"turns": 3, "distance": 20, "chance": Sampled(fights=1024)}
    doctrine = Doctrine(handling="ram and board")
    history = duel(raiders, replace(raiders, name="Others"), a_sails=doctrine, **play)
    phases = {"sinking": 0, "command": 1, "bolt thrower: hits": 2, "break test": 3}
    seen = set()
    for number in range(12):
        log = history.replay(number).log
        for _, turn in log[log["side"] == "a"].groupby("turn"):
            order = [phases[why] for why in turn["why"] if why in phases]
            assert order == sorted(order)
            seen |= set(order)
    assert seen >= {1, 2, 3}


def test_ships_that_part_are_set_1_cm_apart():
    leaves = Boarders(breaks_off="after a won round")
    raiders = Ship("Raiders", 2, "oars", 8, troops=(Unit("Skeleton", 10),))
    victim = Ship("Victim", 2, "oars", 8, troops=(Unit("Goblin", 10),))
    ships = {"a": (raiders,), "b": (victim,)}
    rosters = (
        roster(raiders, victim, leaves, leaves, HouseRules()),
        roster(victim, raiders, leaves, leaves, HouseRules()),
    )
    boarding = Boarding(A, B, ships, rosters, HouseRules())
    stations = {"a": (station(pose(0, 0, 0)),), "b": (station(pose(4, 0, 180)),)}
    fight = begun(ships, stations)
    for won, moved in ((1, (-10, 40)), (2, (0, 50))):
        three, who = np.array([3]), np.array([won])
        over = replace(fight, melee=replace(fight.melee, over=three, won=who, stage=three))
        after_it = boarding.aftermath().run(over, None)
        assert (int(A.station(after_it).x[0]), int(B.station(after_it).x[0])) == moved


# The Admiral


@pytest.mark.parametrize(
    ("gap", "changes", "near"),
    [
        (6.9, {}, True),
        (7.1, {}, False),
        (6.9, {"admiral_distance": "centres"}, False),
        (5.9, {"admiral_distance": "centres"}, True),
        (8.9, {"admiral_reach": 8}, True),
    ],
)
def test_the_admiral_is_near_by_hulls_or_centres(gap, changes, near):
    """Ships of Size 2 abreast, 1 cm broad each: hulls are 1 cm nearer than centres."""
    flag = Ship("Flag", 2, "sails", 10, flagship=True)
    helm, fight = scene(COG, friends=((flag, (0, gap, 0)),), rules=HouseRules(**changes))
    assert helm.near(fight).tolist() == [near]
    assert helm.command(fight).tolist() == [10 if near else 8]


def test_a_mutiny_on_the_flagship_lowers_what_others_test_on_in_the_same_turn():
    """Flagship first: double 6, mutiny. Her consort then tests on 9 − 1."""
    flag = Ship("Flag", 1, "oars", 9, flagship=True)
    consort = Ship("Consort", 1, "oars", 6)
    hold = Doctrine(handling="hold")
    play = {"turns": 1, "distance": 60, "b_sails": hold, "a_sails": Doctrine(handling="close")}
    close = HouseRules(admiral_reach=60)
    rolls = [12, 1, 8, 8]
    log = fleet_battle([flag, consort], [FOE], chance=Scripted(rolls), rules=close, **play).log
    assert log["why"].tolist() == ["command", "blunder", "command", "command"]
    # a 9 would have passed before the mutiny
    log = fleet_battle([flag, consort], [FOE], chance=Scripted([12, 1, 9]), rules=close, **play).log
    assert log["why"].tolist() == ["command", "blunder", "command"]
    flagless = replace(flag, flagship=False)
    log = fleet_battle(
        [flagless, consort], [FOE], chance=Scripted([12, 1, 8]), rules=close, **play
    ).log
    assert log["why"].tolist() == ["command", "blunder", "command"]


# Armies


def angry(rolls, *, rules=None, friend=True):
    orcs = Ship("Orcs", 1, "oars", 7, army="Orcs & Goblins")
    others = [Ship("Gobbos", 1, "oars", 7, army="Orcs & Goblins")] if friend else []
    hold = Doctrine(handling="hold")
    return fleet_battle(
        [orcs, *others],
        [FOE],
        turns=1,
        distance=90,
        a_sails=hold,
        b_sails=hold,
        chance=Scripted(rolls),
        rules=rules,
    )


def test_animosity_rams_a_friend_and_does_not_board():
    # orcs: 1, then 1; goblins: 6. The ram: hard or soft and damage, both ways
    history = angry([1, 1, 6, 5, 6, 3, 5, 1])
    whys = history.log["why"].tolist()
    assert whys[:3] == ["animosity", "what they quarrel about", "animosity"]
    assert history.mean("a", "damage").iloc[-1] > 0
    alone = angry([1, 1], friend=False)
    assert len(alone.log) == 2


def test_a_squabble_keeps_her_from_orders_and_shooting():
    gun = Ship("Gun", 1, "oars", 7, army="Orcs & Goblins", guns=("bolt thrower",))
    target = Ship("Near", 2, "oars", 8)
    play = {"turns": 1, "distance": 12, "b_sails": Doctrine(handling="hold")}
    log = duel(gun, target, chance=Scripted([1, 2]), **play).log
    assert log["rule"].tolist() == ["S-137", "S-138"]
    log = duel(gun, target, chance=Scripted([2, 0]), **play).log
    assert log["why"].tolist() == ["animosity", "bolt thrower: hits"]


def test_show_em_is_a_free_move():
    orcs = Ship("Orcs", 1, "oars", 7, army="Orcs & Goblins")
    play = {"turns": 1, "distance": 60, "b_sails": Doctrine(handling="hold")}
    log = duel(orcs, FOE, chance=Scripted([1, 6, 7, 12, 5]), **play).log
    # the free move costs no order: the first Command test is on 7 and passes
    assert log["why"].tolist()[2:] == ["command", "command", "blunder"]


def test_a_free_move_counts_as_a_move_but_not_as_an_order():
    orcs = Ship("Orcs", 1, "oars", 7, army="Orcs & Goblins")
    play = {"turns": 1, "distance": 60, "b_sails": Doctrine(handling="hold")}
    by_moves = HouseRules(order_count="moves")
    # on 7 the 6 passes at −0, and fails at −2
    assert len(duel(orcs, FOE, chance=Scripted([1, 6, 6, 7]), **play).log) == 4
    assert len(duel(orcs, FOE, chance=Scripted([1, 6, 6]), rules=by_moves, **play).log) == 3


def test_an_angry_ship_may_need_orders():
    by_orders = HouseRules(animosity_move="by orders")
    log = angry([1, 1, 6, 12, 5], rules=by_orders).log
    assert log["why"].tolist()[3] == "command"


def test_moods_by_the_table():
    found = [int(armies.mood(Script([face]))[0]) for face in range(1, 7)]
    assert found == [armies.GET_EM, *[armies.SQUABBLE] * 4, armies.SHOW_EM]
    assert [bool(armies.quarrels(Script([face]))[0]) for face in (1, 2)] == [True, False]
    assert not armies.suffers_animosity(COG)
    assert float(armies.charge_run(25.0)) == 20


def test_undead_ships_move_once_without_a_test():
    kings = Ship("Kings", 2, "oars", 8, army="Tomb Kings")
    play = {"turns": 1, "distance": 60, "b_sails": Doctrine(handling="hold")}
    assert len(duel(kings, FOE, chance=Scripted([]), **play).log) == 0
    helm, fight = scene(kings)
    move = helm.movement_parts()[1]
    moved = move.run(fight, None)
    assert round(float(pose_of(A.station(moved)).x[0])) == 10
    assert not move.when(moved)[0]
    counts = Ship("Counts", 2, "oars", 8, army="Vampire Counts", flagship=True)
    helm, fight = scene(counts)
    assert round(float(pose_of(A.station(helm.movement_parts()[1].run(fight, None))).x[0])) == 20
    consort = replace(counts, name="Consort", flagship=False)
    for y, run in ((5, 20), (30, 10)):
        helm, fight = scene(consort, friends=((counts, (0, y, 0)),))
        moved = helm.movement_parts()[1].run(fight, None)
        assert round(float(pose_of(A.station(moved)).x[0])) == run
    for reading, cm in (("half", 10), ("full", 20)):
        assert armies.spell_move(kings, HouseRules(undead_move=reading)) == cm
    assert armies.spell_move(COG) == 0


# Psychology


def test_a_failed_test_of_psychology_only_keeps_her_from_moving(sea):
    def step(vessel, chance):
        return psychology.tested(vessel, leadership(vessel, None, None, HouseRules()), chance)

    for roll, idle in ((8, 0), (9, 1)):
        value, log = sea.scripted(COG, [Step(step)], [roll], lambda v: v.idle)
        assert value == idle
        assert log["rule"].tolist() == ["S-26"]
    assert bool(psychology.within(3.0, 6))
    assert not bool(psychology.within(3.1, 6))
    assert not psychology.panics(engaged_aboard=True)
    assert not psychology.panics(engaged_aboard=False)


# Magic


def test_a_spell_of_hits_from_above_brings_extra_damage(sea):
    bolt = magic.Effect(hits="d6", strength=5, above=True)
    parts = magic.magic_phase(COG, [bolt], HouseRules())
    # two hits: both soft, 2D6-ish points 5 in all; their dice show 2, 2
    value, log = sea.scripted(COG, parts, [2, 5, (2, 2, 1, 3, 4)], lambda v: v.sails)
    assert value == 1
    assert log["why"].tolist() == ["hits of the spell", "damage of soft hits", "extra damage"]


def test_spells_without_strength_do_nothing_to_a_hull(sea):
    parts = magic.magic_phase(COG, [magic.Effect(hits="d6")], HouseRules())
    assert len(sea.scripted(COG, parts, [], lambda v: v.damage)[1]) == 0


def test_spells_on_leadership_and_movement(sea):
    lowers = magic.Effect(leadership=-2, half=True)
    parts = magic.magic_phase(COG, [lowers], HouseRules())
    assert sea.scripted(COG, parts, [], lambda v: v.leadership)[0] == 6
    assert sea.scripted(COG, parts, [], lambda v: v.half)[0] == 1
    raises = magic.magic_phase(COG, [magic.Effect(leadership=5)], HouseRules())
    assert sea.scripted(COG, raises, [], lambda v: v.leadership)[0] == 10


def test_points_of_several_spells_of_a_phase_are_rolled_for_together(sea):
    one = magic.Effect(hits="1", strength=5, facing="rear")
    parts = magic.magic_phase(COG, [one, one], HouseRules())
    # each: hard (a 1 or 2 from the rear) and a D6 of 6: 6 + 5 − 10 = 1
    rolls = [1, 6, 2, 6, (3, 3)]
    value, log = sea.scripted(COG, parts, rolls, lambda v: v.damage)
    assert (value, log["why"].tolist()[-1]) == (2, "extra damage")


def test_distances_and_rams_of_spells():
    assert magic.spell_distance(7) == 3.5
    assert magic.spell_speed("normal") == 10
    for reading, run in (("by the spell", 10), ("by the phase", 25), ("no ram", None)):
        assert magic.ram_run(10, 25, HouseRules(spell_ram=reading)) == run
    with pytest.raises(InputError, match="kind of move"):
        magic.spell_speed("fly")
    with pytest.raises(InputError, match="strength: got 11"):
        magic.Effect(strength=11)


# Whole battles


def test_extra_damage_of_all_attackers_together_or_each():
    """Two bolt throwers, a point each, on two ships: together two dice are rolled."""
    bolts = [Ship(name, 1, "oars", 8, guns=("bolt thrower",)) for name in ("One", "Two")]
    hold = Doctrine(handling="hold")
    play = {"turns": 1, "distance": 12, "a_sails": hold, "b_sails": hold}
    # each: hit, hard, D6 of 3 and D3 of 2 : 3 + 6 + 2 − 10 = 1
    rolls = [1, 1, 3, 2, 1, 1, 3, 2]
    both = fleet_battle(bolts, [FOE], chance=Scripted([*rolls, (1, 3), 12]), **play)
    assert both.log["why"].tolist()[-2:] == ["extra damage", "sinking"]
    each = HouseRules(extra_pool="each attacker")
    log = fleet_battle(bolts, [FOE], chance=Scripted([*rolls, 12]), rules=each, **play).log
    assert "extra damage" not in log["why"].tolist()


def test_a_duel_with_ram_and_boarding_to_the_end():
    raiders = Ship(
        "Raiders",
        2,
        "oars",
        9,
        troops=(Unit("Orc big 'un", 10),),
        characters=(Character("Orc big boss"),),
    )
    victim = Ship("Victim", 2, "sails", 8, troops=(Unit("Goblin", 4),))
    play = {"turns": 2, "distance": 14, "b_sails": Doctrine(handling="hold")}
    doctrine = Doctrine(handling="ram and board", boarders=Boarders(challenges=False))
    history = duel(raiders, victim, a_sails=doctrine, chance=Sampled(fights=1024), **play)
    causes = history.cause("b").iloc[-1]
    assert causes["captured"] > 0.5
    assert history.outcome().sum() == pytest.approx(1)
    log = history.replay(0).log
    assert {"command", "hard or soft"} <= set(log["why"])


def test_a_bare_ship_is_boarded_in_a_battle():
    raiders = Ship("Raiders", 1, "oars", 9, troops=(Unit("Clanrat", 10),))
    bare = Ship("Bare", 1, "sails", 8)
    play = {"turns": 1, "distance": 10, "b_sails": Doctrine(handling="hold")}
    doctrine = Doctrine(handling="ram and board", boarders=Boarders(prize="leave"))
    history = duel(raiders, bare, a_sails=doctrine, chance=Exact(), **play)
    assert history.cause("b").iloc[-1]["beaten"] > 0.5


def test_fleets_of_the_library_can_fight():
    history = fleet_battle(
        fleet("Pale Fleet"), fleet("Dry Fleet"), turns=2, chance=Sampled(fights=1024)
    )
    assert history.outcome().sum() == pytest.approx(1)
    assert history.mean("a", "ships").iloc[0] == 1
    with pytest.raises(InputError, match="chance"):
        fleet_battle(fleet("Pale Fleet"), fleet("Dry Fleet"), chance="luck")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: duel("Cog", FOE), "a: got 'Cog'"),
        (lambda: duel(COG, FOE, distance=0), "distance: got 0"),
        (lambda: duel(COG, FOE, a_sails="bravely"), "doctrine of a"),
        (lambda: Doctrine(handling="flee"), "handling: got 'flee'"),
        (lambda: Doctrine(keep=0), "keep: got 0"),
        (lambda: Doctrine(gear="steam"), "gear: got 'steam'"),
        (lambda: Doctrine(boarders=None), "boarders: got None"),
        (lambda: duel(COG, FOE, wind="north"), "wind: got 'north'"),
        (lambda: fleet_battle([COG], [FOE], a_sails=[Doctrine()] * 2), "doctrines of a: got 2"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
