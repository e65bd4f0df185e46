"""The readings: each can be chosen, and those that move odds in a duel do."""

from dataclasses import replace

import pytest

import navkit as nk
from navkit.rulebooks import vehicular_1879 as v

READINGS = list(v.HouseRules.readings())


@pytest.mark.parametrize("rule", READINGS, ids=lambda rule: rule.name)
def test_every_reading_can_be_chosen(rule):
    values = rule.options or (rule.low, rule.high)
    for value in values:
        changed = v.HouseRules(**{rule.name: value})
        assert changed.changed() == ({} if value == rule.default else {rule.name: value})
    assert rule.where
    assert rule.note


def test_five_readings_are_in_sight():
    assert sum(rule.prominent for rule in READINGS) == 5


def battle(rules, doctrine=None, **changes):
    gun = v.Battery(name="gun", weapons=2, gunnery=12, damage=6, commander=3, karma=2, harried=True)
    hand = v.Member(dexterity=7, defense=8, wound_threshold=3, death_rating=5)
    vehicle = v.Vehicle(
        name="vehicle",
        maneuverability=5,
        speed=4,
        armor=2,
        critical_threshold=6,
        destroyed_at=14,
        crippled_at=2,
        captain_rating=9,
        crew_rating=2,
        crew_needed=5,
        crew=4,
        untrained=3,
        officers=(v.Officer(position="Captain", rank=7),),
        batteries=(gun,),
        hand=hand,
        active_defense=4,
    )
    other = replace(vehicle, name="other", maneuverability=3, untrained=0)
    doctrines = (doctrine, doctrine)
    told = {"turns": 2, "doctrines": doctrines, "supplement": v.EXAMPLE, "rules": rules}
    luck = nk.Sampled(fights=4096, seed=3)
    h = v.duel(vehicle, other, chance=luck, **{**told, **changes})
    left = [h.mean("b", name).round(9).tolist() for name in ("hands", "armor")]
    return [h.table().round(9).to_numpy().tolist(), *left]


PLAIN = v.Doctrine()
BUSY = v.Doctrine(
    maneuver="Cross the bow", officer="Steady, boys", reaction="Hard over", range="close"
)
MOVES = {
    "edition": (PLAIN, "first"),
    "karma_step": (v.Doctrine(karma="attack"), 8),
    "harried": (PLAIN, 4),
    "harried_scope": (PLAIN, "tests and defenses"),
    "rating_step": (PLAIN, "crew rating"),
    "maneuver_dn": (BUSY, "opposed"),
    "rule_of_one_line": (BUSY, "failure as well"),
    "two_success_reaction": (BUSY, "one, counted"),
    "fire_timing": (PLAIN, "together"),
    "volleys": (PLAIN, 2),
    "gunnery_test": (PLAIN, "own test"),
    "attack_rating": (PLAIN, "captain rating"),
    "karma_on_attack": (v.Doctrine(karma="attack"), "die"),
    "cover": (PLAIN, "crew and vehicle"),
    "excess_success": (PLAIN, "+2 result"),
    "called_shot": (v.Doctrine(called="armor"), "3 steps"),
    "called_penalty_kind": (v.Doctrine(called="armor"), "highest"),
    "called_unit": (v.Doctrine(called="armor"), "result"),
    "called_crew_defense": (v.Doctrine(called="crew"), "vehicle"),
    "called_instead": (v.Doctrine(called="armor"), "as well"),
    "crew_cargo_damage": (v.Doctrine(called="crew"), "heads and points"),
    "critical_basis": (PLAIN, "battery total"),
    "group_damage": (v.Doctrine(called="crew"), "split evenly"),
    "death_boundary": (v.Doctrine(called="crew"), "at"),
    "crew_state_basis": (PLAIN, "heads"),
    "below_crew_rating": (PLAIN, 1),
    "movement_points": (BUSY, 0),
    "maneuver_count": (BUSY, "one or officers"),
}


@pytest.mark.parametrize("name", MOVES)
def test_readings_that_move_a_duel(name):
    doctrine, value = MOVES[name]
    distance = {"distance": "Far"} if name == "movement_points" else {}
    default = battle(v.HouseRules(), doctrine, **distance)
    assert battle(v.HouseRules(**{name: value}), doctrine, **distance) != default


def test_readings_that_move_no_duel_are_held_elsewhere():
    """Each of them has a test of the function that asks for it."""
    rest = {rule.name for rule in READINGS} - MOVES.keys()
    assert rest == {
        "rule_of_one_min_dice",
        "initiative_ties",
        "professional_bonus",
        "karma_declared",
        "step_floor",
        "called_surplus",
        "armament_loss",
        "pd_tracks",
        "mandatory_part",
        "decisive_response",
        "hazard_in_combat",
        "gmc_decisive",
    }
