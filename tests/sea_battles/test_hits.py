"""Hits worked out on a ship, against all faces listed; sinking, extra damage, the captain."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from navkit.battle import Step
from navkit.dice import constant, dice
from navkit.rulebooks.sea_battles import Character, HouseRules, Ship, Unit
from navkit.rulebooks.sea_battles.captain import appointed, needs_captain
from navkit.rulebooks.sea_battles.damage import goes_down, is_doomed, may_sink, sinks
from navkit.rulebooks.sea_battles.extra import MOST, _coder, decoded, extra_parts, results, suffer
from navkit.rulebooks.sea_battles.hits import hits_part
from navkit.rulebooks.sea_battles.phases import end_of_turn
from navkit.rulebooks.sea_battles.strikes import Attack, struck
from navkit.rulebooks.sea_battles.vessel import launched

RULES = HouseRules()
NONE = constant(0)
COG = Ship("Cog", 4, "sails and oars", 8)
MANNED = Ship("Cog", 4, "sails", 8, troops=(Unit("Orc boy", 8), Unit("Empire archer", 5)))
HARD_UP_TO = {0: 5, 1: 4, 2: 2}
D6 = range(1, 7)


def hit(count, facing, strength, several):
    return lambda vessel: struck(vessel, np.array([count]), facing, strength, several)


def damage(vessel):
    return vessel.damage


def models(vessel):
    return sum(vessel.troops)


@pytest.mark.parametrize("facing", [0, 1, 2])
@pytest.mark.parametrize(("strength", "wounds"), [(3, None), (6, "d3"), (10, "d6")])
def test_one_hit_is_located_and_does_its_damage(sea, brute, facing, strength, wounds):
    attack = Attack("shooting", NONE if wounds is None else dice(wounds))

    def points(at, face, more):
        extra = {None: 0, "d3": (more + 1) // 2, "d6": more}[wounds]
        off = 10 if at <= HARD_UP_TO[facing] else 8
        return max(0, face + strength + extra - off)

    found = sea.exact(
        COG,
        [hits_part(COG, attack, RULES)],
        damage,
        hit(1, facing, strength, int(wounds is not None)),
    )
    wanted = brute(3, points)
    assert set(found) == set(wanted)
    for value, chance in wanted.items():
        assert found[value] == pytest.approx(float(chance), rel=1e-12)


@pytest.mark.parametrize("count", [2, 3])
def test_several_hits_are_rolled_each_on_its_own(sea, count):
    one = Counter()
    for at, face in product(D6, repeat=2):
        one[max(0, face + 5 - (10 if at <= 4 else 8))] += Fraction(1, 36)
    wanted = {0: Fraction(1)}
    for _ in range(count):
        more = Counter()
        for (total, chance), (points, share) in product(wanted.items(), one.items()):
            more[total + points] += chance * share
        wanted = more
    attack = Attack("shooting", NONE)
    found = sea.exact(COG, [hits_part(COG, attack, RULES)], damage, hit(count, 1, 5, 0))
    assert set(found) == set(wanted)
    for value, chance in wanted.items():
        assert found[value] == pytest.approx(float(chance), rel=1e-12)


def test_hits_from_above_are_soft_without_a_roll(sea):
    attack = Attack("magic", NONE, above=True)
    for count in (1, 2):
        found = sea.exact(COG, [hits_part(COG, attack, RULES)], damage, hit(count, 0, 4, 0))
        assert found[2 * count] == pytest.approx(6.0**-count)
    value, log = sea.scripted(COG, [hits_part(COG, attack, RULES)], [6], damage, hit(1, 0, 4, 0))
    assert (value, log["why"].tolist()) == (2, ["damage"])


def test_a_scripted_great_cannon(sea):
    attack = Attack("shooting", dice("d6"))
    value, log = sea.scripted(
        COG, [hits_part(COG, attack, RULES)], [5, 4, 3], damage, hit(1, 1, 10, 1)
    )
    assert value == 4 + 10 + 3 - 8
    assert log["rule"].tolist() == ["S-33", "S-36", "S-36"]
    value, _ = sea.scripted(
        COG, [hits_part(COG, attack, RULES)], [4, 1, 1], damage, hit(1, 1, 10, 1)
    )
    assert value == 1 + 10 + 1 - 10


def test_a_6_sends_a_hit_to_a_random_unit(sea):
    attack = Attack("shooting", NONE)
    part = [hits_part(MANNED, attack, RULES)]
    value, log = sea.scripted(MANNED, part, [6, 2, 1], models, hit(1, 1, 3, 0))
    assert value == 12
    assert log["why"].tolist()[:3] == ["on the ship", "which unit", "wound"]
    value, log = sea.scripted(MANNED, part, [5, 4, 6], models, hit(1, 1, 3, 0))
    assert value == 13
    assert log["why"].tolist() == ["on the ship", "hard or soft", "damage"]
    # an archer (T3, no save) falls to S3 on 4+, an orc (T4, save 5+) on 5+ and a failed save
    found = sea.exact(MANNED, part, models, hit(1, 1, 3, 0))
    wanted = Fraction(1, 6) * (Fraction(1, 2) * Fraction(1, 2) + Fraction(1, 2) * Fraction(2, 9))
    assert found[12] == pytest.approx(float(wanted), rel=1e-12)


def test_several_strays_are_worked_out_one_by_one(sea):
    attack = Attack("shooting", NONE)
    part = [hits_part(MANNED, attack, RULES)]
    archers = Ship("Cog", 4, "sails", 8, troops=(Unit("Empire archer", 5),))
    part = [hits_part(archers, attack, RULES)]
    fallen = sea.exact(archers, part, models, hit(2, 1, 3, 0))
    each = Fraction(1, 12)
    for dead in (0, 1, 2):
        ways = {0: 1, 1: 2, 2: 1}[dead]
        wanted = ways * each**dead * (1 - each) ** (2 - dead)
        assert fallen[5 - dead] == pytest.approx(float(wanted), rel=1e-12)


@pytest.mark.parametrize(
    ("reading", "sources"),
    [
        ("shooting and magic", {"shooting", "magic"}),
        ("all hits", {"shooting", "magic", "ram"}),
        ("shooting only", {"shooting"}),
        ("never", set()),
    ],
)
def test_which_hits_may_go_to_the_troops(sea, reading, sources):
    rules = HouseRules(troops_hit=reading)
    for source in ("shooting", "magic", "ram", "combat"):
        part = [hits_part(MANNED, Attack(source, NONE), rules)]
        found = sea.exact(MANNED, part, models, hit(1, 1, 3, 0))
        assert (min(found) < 13) == (source in sources)


def test_characters_alone_are_no_troops(sea):
    lonely = Ship("Cog", 2, "sails", characters=(Character("Empire captain"),))
    part = [hits_part(lonely, Attack("shooting", NONE), RULES)]
    _, log = sea.scripted(lonely, part, [5, 6], damage, hit(1, 1, 3, 0))
    assert log["why"].tolist() == ["hard or soft", "damage"]


def test_a_template_strikes_many_of_a_unit(sea):
    archers = Ship("Cog", 4, "sails", 8, troops=(Unit("Empire archer", 12),))
    attack = Attack("shooting", NONE, above=True, template="small")
    part = [hits_part(archers, attack, RULES)]
    value, log = sea.scripted(archers, part, [6, 5, 4], models, hit(1, 1, 4, 0))
    assert value == 8
    assert log["dice"].tolist() == ["d6", "d6", "5d6≥3"]
    large = replace(attack, template="large")
    _, log = sea.scripted(
        archers, [hits_part(archers, large, RULES)], [6, 12, 12], models, hit(1, 1, 4, 0)
    )
    assert log["dice"].tolist() == ["d6", "2d6", "12d6≥3"]


def test_multiple_wounds_matter_to_models_with_several(sea):
    ogres = Ship("Cog", 4, "sails", 8, troops=(Unit("Ogre bull", 2),))
    attack = Attack("shooting", dice("d3"), piercing=7)
    part = [hits_part(ogres, attack, RULES)]
    value, log = sea.scripted(ogres, part, [6, 1, 2], models, hit(1, 1, 6, 1))
    assert (value, log["why"].tolist()[-1]) == (4, "wounds")
    big = replace(attack, wounds=dice("d6"))
    value, _ = sea.scripted(
        ogres, [hits_part(ogres, big, RULES)], [6, 1, 6], models, hit(1, 1, 6, 1)
    )
    assert value == 3  # no more than the model has


# Sinking


def test_sinking_is_rolled_by_damaged_ships_alone(sea):
    step = Step(partial(sinks_of, ship=COG), may_sink)
    at = {4: Fraction(1, 1296), 12: Fraction(145, 432), 24: Fraction(1)}
    for points, wanted in at.items():
        found = sea.exact(COG, [step], lambda v: v.gone, hurt(points))
        assert found.get(1, 0) == pytest.approx(float(wanted), rel=1e-12)
    _, log = sea.scripted(COG, [step], [], damage)
    assert len(log) == 0
    assert sea.scripted(COG, [step], [13], lambda v: v.gone, hurt(12))[0] == 0
    assert sea.scripted(COG, [step], [12], lambda v: v.gone, hurt(12))[0] == 1


def sinks_of(vessel, chance, ship):
    return sinks(vessel, ship, chance)


def hurt(points):
    return lambda vessel: replace(vessel, damage=np.array([points]), points=np.array([0]))


def lost(points):
    return lambda vessel: replace(vessel, damage=np.array([points]), points=np.array([points]))


def test_below_the_waterline_goes_down_without_a_roll(sea):
    step = Step(goes_down, is_doomed)
    doomed = partial(replace, waterline=np.array([1]))
    assert sea.scripted(COG, [step], [], lambda v: v.gone, doomed)[0] == 1
    assert sea.scripted(COG, [step], [], lambda v: v.gone)[0] == 0


# Extra damage


def test_the_victorious_loses_her_sails(sea):
    """Three points in one phase, dice of 2, 2 and 5: sails or oars damaged."""
    parts = extra_parts(COG, "magic", RULES)
    for read, value in ((lambda v: v.sails, 1), (lambda v: v.oars, 0), (lambda v: v.penalty, 0)):
        found, log = sea.scripted(COG, parts, [(2, 2, 5)], read, lost(3))
        assert found == value
    assert log["rule"].tolist() == ["S-95"]
    assert log["faces"].tolist() == [(2, 2, 5)]


def test_one_point_brings_no_extra_damage(sea):
    _, log = sea.scripted(COG, extra_parts(COG, "shooting", RULES), [], damage, lost(1))
    assert len(log) == 0


@pytest.mark.parametrize(
    ("faces", "field", "value"),
    [
        ((1, 1), "half", 1),
        ((2, 2), "sails", 1),
        ((3, 3), "crew_slain", 1),
        ((3, 3), "crew_lost", 1),
        ((4, 4), "damage", 3),
        ((5, 5), "penalty", 1),
        ((6, 6), "waterline", 1),
        ((1, 2), "half", 0),
    ],
)
def test_each_result(sea, faces, field, value):
    found, _ = sea.scripted(
        COG, extra_parts(COG, "shooting", RULES), [faces], lambda v: getattr(v, field), lost(2)
    )
    assert found == value


def test_several_results_in_a_phase(sea):
    parts = extra_parts(COG, "shooting", RULES)
    for read, value in ((lambda v: v.half, 1), (lambda v: v.waterline, 1), (lambda v: v.sails, 0)):
        assert sea.scripted(COG, parts, [(1, 6, 1, 6, 3)], read, lost(5))[0] == value


def test_gear_that_is_damaged_or_missing_passes_it_on():
    def after(ship, sails, oars):
        vessel = replace(launched(ship), sails=np.array([sails]), oars=np.array([oars]))
        none = np.array([0])
        counts = [none, np.array([1]), none, none, none, none]
        found = suffer(vessel, ship, counts, "shooting", RULES)
        return int(found.sails[0]), int(found.oars[0])

    assert after(COG, 0, 0) == (1, 0)
    assert after(COG, 1, 0) == (1, 1)
    assert after(COG, 1, 1) == (1, 1)
    rowed = Ship("Galley", 2, "oars", 8)
    assert after(rowed, 0, 0) == (0, 1)
    assert after(Ship("Sloop", 2, "sails", 8), 1, 0) == (1, 0)


@pytest.mark.parametrize(
    ("reading", "faces", "crew"),
    [("one a face", (3, 3, 3, 3), 1), ("each pair", (3, 3, 3, 3), 2), ("all pairs", (3, 3, 3), 3)],
)
def test_readings_of_each_double(sea, reading, faces, crew):
    parts = extra_parts(COG, "shooting", HouseRules(extra_multiples=reading))
    value, _ = sea.scripted(COG, parts, [faces], lambda v: v.crew_slain, lost(len(faces)))
    assert value == crew


def test_hull_damage_may_be_rolled_for_in_turn(sea):
    chain = HouseRules(extra_multiples="each pair", extra_chain="yes")
    parts = extra_parts(COG, "shooting", chain)
    value, log = sea.scripted(COG, parts, [(4, 4, 4, 4), (6, 6)], lambda v: v.waterline, lost(4))
    assert (value, len(log)) == (1, 2)
    plain = extra_parts(COG, "shooting", HouseRules(extra_multiples="each pair"))
    assert len(sea.scripted(COG, plain, [(4, 4, 4, 4)], damage, lost(4))[1]) == 1


def test_captain_slain_adds_up_or_not(sea):
    for reading, value in (("adds up", 3), ("once", 1)):
        rules = HouseRules(captain_slain=reading, extra_multiples="all pairs")
        parts = extra_parts(COG, "shooting", rules)
        assert sea.scripted(COG, parts, [(5, 5, 5)], lambda v: v.penalty, lost(3))[0] == value


def test_crew_lost_costs_orders_by_reading(sea):
    for source, reading, value in (
        ("magic", "any result", 1),
        ("magic", "shooting only", 0),
        ("shooting", "shooting only", 1),
    ):
        parts = extra_parts(COG, source, HouseRules(crew_loss=reading))
        assert sea.scripted(COG, parts, [(3, 3)], lambda v: v.crew_lost, lost(2))[0] == value


def test_results_code_and_decode():
    for faces in product(range(3), repeat=6):
        shown = np.array(faces)[:, None]
        wanted = np.minimum(results(shown, "all pairs")[:, 0], MOST)
        found = decoded(_coder("all pairs")(shown))
        assert [int(each[0]) for each in found] == wanted.tolist()


# The captain


LED = Ship(
    "Led",
    3,
    "sails",
    characters=(Character("Empire captain", "Otto"), Character("Empire general", "Karl")),
    captain="Otto",
)


def test_a_character_captain_takes_d6_hits_of_strength_5(sea):
    parts = extra_parts(LED, "shooting", RULES)
    # 3 hits, wounding T4 on 3+: 2 wounds; a save of 5+ is no use against Strength 5
    value, log = sea.scripted(LED, parts, [(5, 5), 3, 2], lambda v: v.characters[0], lost(2))
    assert value == 0
    assert log["dice"].tolist() == ["2d6", "d6", "3d6≥3"]
    clad = replace(LED, captain="Karl")  # T4, W3, save 4+: 6+ against Strength 5
    value, log = sea.scripted(
        clad, extra_parts(clad, "shooting", RULES), [(5, 5), 6, 4, 1], lambda v: v.captain, lost(2)
    )
    assert value == 1  # Otto follows
    assert log["dice"].tolist() == ["2d6", "d6", "6d6≥3", "4d6≥6"]


def test_the_next_character_commands_or_whoever_the_house_rule_says(sea):
    rolls = [(5, 5), 3, 2]
    for reading, value in (
        ("next or table", 9),
        ("his Leadership stays", 8),
        ("Leadership 7", 7),
    ):
        parts = extra_parts(LED, "shooting", HouseRules(captain_loss=reading))
        assert sea.scripted(LED, parts, rolls, lambda v: v.leadership, lost(2))[0] == value


def test_without_another_character_a_captain_is_rolled(sea):
    alone = replace(LED, characters=LED.characters[:1])
    parts = extra_parts(alone, "shooting", RULES)
    for face, command in ((1, 7), (2, 8), (5, 8), (6, 9)):
        value, log = sea.scripted(
            alone, parts, [(5, 5), 3, 2, face], lambda v: v.leadership, lost(2)
        )
        assert value == command
    assert log["rule"].tolist()[-1] == "S-23"


def test_the_captain_table(sea):
    found = sea.exact(
        Ship("A", 1, "sails"), [Step(appointed, needs_captain)], lambda v: v.leadership
    )
    assert found == pytest.approx({7: 1 / 6, 8: 4 / 6, 9: 1 / 6})


def test_what_ends_with_a_turn():
    vessel = replace(
        launched(replace(COG, guns=("cannon", "cannon", "cannon"))),
        half=np.array([1]),
        idle=np.array([1]),
        passed=np.array([3]),
        machines=(np.array([2]), np.array([0]), np.array([9])),
    )
    after = end_of_turn(vessel, None)
    assert [int(x[0]) for x in (after.half, after.idle, after.passed)] == [0, 0, 0]
    assert [int(x[0]) for x in after.machines] == [1, 0, 9]
