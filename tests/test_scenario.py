"""Scenarios: files and short texts that open the same fight, and errors that name their place."""

import contextlib
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import navkit as nk
from navkit.records import RecordError
from navkit.rulebooks import gurps
from navkit.scenario import RULEBOOKS, Scenario, rulebook


def tonight(**changes):
    a = gurps.ship("Brig", crew=30, officers=gurps.Officers(leadership=2, medic=1))
    about = dict(
        rulebook="gurps",
        fight="duel",
        a=a,
        b=gurps.ship("Sloop"),
        turns=5,
        fights=2048,
        rules=gurps.HouseRules(reload="none", surrender_ratio=8),
        title="Tonight: Brig & Sloop",
    )
    return Scenario(**{**about, **changes})


def two_ready(name):
    """A fight of two ready ships of a rulebook, of the first kind it has."""
    module = rulebook(name)
    ready = [module.ship(each) for each in module.library()["name"]]
    return Scenario(name, next(iter(module.RESOLVERS)), ready[0], ready[-1], turns=3, fights=512)


SCENARIOS = [tonight, *(lambda name=name: two_ready(name) for name in RULEBOOKS)]


@pytest.mark.parametrize("make", SCENARIOS)
def test_it_comes_back_as_it_was(make, tmp_path):
    scenario = make()
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert Scenario.from_text(f"  {scenario.to_text()}\n") == scenario
    scenario.save(tmp_path / "fight.json")
    assert Scenario.load(tmp_path / "fight.json") == scenario
    assert scenario.swapped().swapped() == scenario


@pytest.mark.parametrize("make", SCENARIOS)
def test_the_text_gives_the_same_odds_in_another_process(make):
    scenario = make()
    code = (
        "import sys; from navkit.scenario import Scenario;"
        "h = Scenario.from_text(sys.argv[1]).play(); print(h.outcome().tolist())"
    )
    command = [sys.executable, "-c", code, scenario.to_text()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == scenario.play().outcome().tolist()


def test_the_file_is_readable():
    told = json.loads(tonight().to_json())
    assert told["navkit"] == 2
    assert told["a"]["ready"] == "Brig"
    assert told["a"]["crew"] == 30
    assert told["b"] == {"ready": "Sloop"}
    assert told["rules"] == {"reload": "none", "surrender_ratio": 8}


def test_a_ship_of_ones_own_is_told_in_full(tmp_path):
    own = gurps.Ship("Ark", 9, 4, 777, (1, 2, 3, 4), "3d", crew=40, skeleton_crew=3)
    told = json.loads(tonight(a=own).to_json())
    assert told["a"]["hull"] == 777
    assert "ready" not in told["a"]


def changed(**changes):
    told = json.loads(tonight().to_json())
    told.update(changes)
    return json.dumps({name: value for name, value in told.items() if value != "drop"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1"),
        ("[1, 2]", "an object"),
        (changed(navkit=99), "navkit: got 99"),
        (changed(navkit=True), "navkit: got True"),
        (changed(rulebook="chess"), "rulebook: got 'chess'"),
        (changed(rulebook=["gurps"]), "rulebook: got"),
        (changed(fight="race"), "fight: got 'race'"),
        (changed(wind=3), "field: got 'wind'"),
        (changed(a="drop"), "'a' too"),
        (changed(turns="five"), "turns: got 'five'"),
        (changed(turns=10**9), "turns: got 1000000000"),
        (changed(fights=10**12), "fights: got"),
        (changed(a={"ready": "Frigate"}), "scenario, a: ship: got 'Frigate'"),
        (changed(a={"ready": "Brig", "hull": "many"}), "scenario, a: hull: got 'many'"),
        (changed(a={"ready": "Brig", "masts": 3}), "scenario, a: field: got 'masts'"),
        (changed(a={"ready": "Brig", "officers": {"cook": 1}}), "'cook'"),
        (changed(rules={"reload": "never"}), "scenario, rules: house rule reload: got 'never'"),
        (changed(rules={"luck": 1}), "house rule: got 'luck'"),
        (changed(rules=[]), "rules: got"),
        (changed(title=5), "title: got 5"),
        ('{"navkit": 1, "navkit": 1}', "each name once"),
        ('{"navkit": NaN}', "NaN"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text, said):
    with pytest.raises(RecordError, match="scenario") as caught:
        Scenario.from_json(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-9],
        lambda text: text[:40] + "A" + text[41:],
        lambda text: text.replace("navkit:", ""),
        lambda text: "navkit:",
        lambda text: "navkit:é",
        lambda text: "navkit:" + "A" * 30_000,
        lambda text: 5,
    ],
)
def test_a_text_that_is_no_scenario(spoil):
    with pytest.raises(RecordError, match="text"):
        Scenario.from_text(spoil(tonight().to_text()))


def test_a_small_text_cannot_unfold_without_bound():
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000, 9)).decode()[:19_000]
    with pytest.raises(RecordError):
        Scenario.from_text("navkit:" + bomb)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = ("navkit", "rulebook", "title", "fight", "a", "b", "rules", "turns", "fights", "seed", "x")


@given(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=4), st.sampled_from(RULEBOOKS))
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
def test_any_change_gives_a_scenario_or_a_clear_error(changes, name):
    told = json.loads(two_ready(name).to_json())
    told.update(changes)
    found = None
    with contextlib.suppress(RecordError):
        found = Scenario.from_json(json.dumps(told))
    assert found is None or Scenario.from_json(found.to_json()) == found


@given(st.text(max_size=60))
@settings(max_examples=200, derandomize=True, deadline=None, database=None)
def test_any_text_is_no_scenario(text):
    for read in (
        Scenario.from_json,
        Scenario.from_text,
        lambda t: Scenario.from_text("navkit:" + t),
    ):
        with pytest.raises(RecordError):
            read(text)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (dict(a="Brig"), "a: got 'Brig'"),
        (dict(turns=0), "turns: got 0"),
        (dict(fights=-1), "fights: got -1"),
        (dict(seed=-1), "seed: got -1"),
        (dict(rules="house"), "rules: got 'house'"),
    ],
)
def test_bad_input(changes, said):
    with pytest.raises(nk.InputError, match=said):
        tonight(**changes)


def test_exact_sampled_and_free_choice():
    assert tonight(fights=None).chance == nk.Exact()
    assert tonight(fights=0).chance is None
    assert tonight(fights=100, seed=3).chance == nk.Sampled(100, 3)
