from dataclasses import replace

import pytest
from hypothesis import strategies as st

from navkit.rulebooks import vehicular_1879 as v


def small_vehicle(name="small", *, weapons=1, attack=6, damage=4, shots=None, karma=0, **changes):
    """A vehicle whose fights are solved in no time."""
    gun = v.Battery(
        name="gun", weapons=weapons, gunnery=attack, damage=damage, shots=shots, karma=karma
    )
    about = dict(
        maneuverability=3,
        speed=3,
        armor=1,
        critical_threshold=5,
        destroyed_at=12,
        crippled_at=2,
        officers=(v.Officer(position="Captain", rank=4),),
        batteries=(gun,),
        cargo=10,
        crew=3,
        hand=v.Member(dexterity=4, defense=5, wound_threshold=4, death_rating=6),
    )
    return v.Vehicle(name=name, **{**about, **changes})


@pytest.fixture(scope="session")
def make_small():
    return small_vehicle


@pytest.fixture(scope="session")
def random_vehicles():
    """Random vehicles: up to 9 points, two weapons, damage Steps up to 6."""
    return st.builds(
        small_vehicle,
        weapons=st.integers(1, 2),
        attack=st.integers(2, 9),
        damage=st.integers(1, 6),
        shots=st.sampled_from([None, 1, 2]),
        karma=st.integers(0, 2),
        maneuverability=st.integers(1, 6),
        speed=st.integers(0, 5),
        armor=st.integers(0, 4),
        critical_threshold=st.integers(1, 8),
        destroyed_at=st.integers(1, 9),
        crippled_at=st.integers(1, 3),
        captain_rating=st.integers(0, 6),
    )


@pytest.fixture(scope="session")
def random_doctrines():
    return st.builds(
        v.Doctrine,
        called=st.sampled_from(["", "", "armament", "armor", "maneuverability", "cargo", "crew"]),
        surplus=st.sampled_from(["one", "spread", "criticals"]),
        karma=st.sampled_from(["none", "attack", "damage"]),
        maneuver=st.sampled_from(["", "Cross the bow"]),
        officer=st.sampled_from(["", "Steady, boys"]),
        reaction=st.sampled_from(["", "Hard over"]),
        range=st.sampled_from(["hold", "close", "open"]),
    )


@pytest.fixture(scope="session")
def random_rules():
    """House rules with any of their readings changed."""
    readings = [rule for rule in v.HouseRules.readings() if rule.options]
    fields = {
        rule.name: st.sampled_from([rule.default] * 3 + list(rule.options))
        for rule in readings
        if rule.name != "edition"
    }
    return st.builds(
        lambda changes: replace(v.HouseRules(), **changes), st.fixed_dictionaries(fields)
    )


@pytest.fixture
def gunboat():
    return v.ship("Paddle gunboat")


@pytest.fixture
def steamer():
    return v.ship("Merchant steamer")
