"""What the document leaves to other books, and the tables that stand in for it."""

import pytest

import navkit as nk
from navkit.rulebooks import vehicular_1879 as v


def test_what_is_left_out_is_listed():
    gaps = v.left_out()
    assert len(gaps) == 12
    named = {row for gap in gaps for row in gap.rows}
    assert {"V-05", "V-10", "V-11", "V-38", "V-97", "V-104"} <= named
    assert all(gap.missing and gap.instead for gap in gaps)


def test_nothing_is_supplied_unless_a_user_does():
    empty = v.Supplement()
    tables = (empty.crew_states, empty.vehicle_maneuvers, empty.officer_maneuvers)
    assert tables == ((), (), ())
    assert empty.critical_hits is None
    assert empty.range_steps == (0, 0, 0, 0)
    assert (empty.morale_step, empty.hazards, empty.range_hexes) == (0, (), None)


def test_the_example_is_said_to_be_no_part_of_the_document():
    from navkit.rulebooks.vehicular_1879 import supplement

    assert "this project's own" in supplement.__doc__


def test_officer_maneuvers_are_flagged_for_declaring():
    assert not v.OfficerManeuver(name="Signal", difficulty=8).declare
    assert v.OfficerManeuver(name="Signal", difficulty=8, declare=True).declare


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: v.CriticalHits(dice="d6", effects=("none",)), "effects: got"),
        (lambda: v.CriticalHits(dice="d2", effects=("none", "fire")), "effect of a Critical Hit"),
        (lambda: v.CriticalHits(dice="2x", effects=()), "2x"),
        (lambda: v.VehicleManeuver(name="Run", targeted=False), "difficulty: got None"),
        (lambda: v.OfficerManeuver(name="Run", difficulty=0), "difficulty: got 0"),
        (lambda: v.CrewState(name="Crack", share=-1, modifier=0), "share of the hands needed"),
        (
            lambda: v.Supplement(crew_states=(v.CrewState(name="Crack", share=1, modifier=0),)),
            "crew states: got",
        ),
        (lambda: v.Supplement(range_steps=(0, 0)), "range_steps: got"),
        (lambda: v.Supplement(range_hexes=(3, 2, 1)), "range_hexes: got"),
        (lambda: v.Supplement(hazards=(("fire", 0),)), "Hazard Step of fire: got 0"),
        (lambda: v.Supplement(morale_step=-1), "morale_step: got -1"),
    ],
)
def test_tables_that_cannot_be(make, message):
    with pytest.raises(nk.InputError, match=message):
        make()
