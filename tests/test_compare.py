"""House rules side by side, against exact differences and the fights themselves."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from navkit.chance import Exact, Sampled
from navkit.desk.compare import Comparison, comparing, side_by_side, single_readings
from navkit.desk.trials import played, settled
from navkit.errors import InputError
from navkit.paired import CHANGES, NO_EFFECT, OTHER_FIGURES, difference
from navkit.progress import Interrupted, last
from navkit.rulebooks import gurps, medieval
from navkit.scenario import Scenario
from navkit.words import points

SLOOP, SCHOONER = gurps.ship("Sloop"), gurps.ship("Schooner")
BOARDING = Scenario("gurps", "board", SLOOP, SCHOONER, turns=6)
SAMPLED = replace(BOARDING, fights=2048)
DUEL = Scenario("gurps", "duel", SLOOP, SCHOONER, turns=2, fights=1024, seed=5)
ROUND_UP = {"up": {"boarding_round": "up"}}


def test_each_other_reading_of_each_house_rule_once() -> None:
    rules = gurps.HouseRules(volley_roll="each gun", surrender_ratio=8)
    variants = single_readings(rules)
    for each in variants.values():
        changes = [
            r.name for r in rules.readings() if getattr(rules, r.name) != getattr(each, r.name)
        ]
        assert len(changes) == 1
    expected = sum(len(r.options) - 1 if r.options else 2 for r in rules.readings())
    assert len(variants) == len(set(variants.values())) == expected
    assert variants["volley roll: one roll"] == gurps.HouseRules(surrender_ratio=8)
    assert variants["surrender ratio: 0, its least"] == gurps.HouseRules(volley_roll="each gun")


def test_exact_differences_are_those_of_the_histories() -> None:
    compared = side_by_side(BOARDING, progress=False)
    base = gurps.board(SLOOP, SCHOONER, turns=6).outcome()
    for name, rules in single_readings(gurps.HouseRules()).items():
        outcome = gurps.board(SLOOP, SCHOONER, turns=6, rules=rules).outcome()
        row = compared.differences.loc[name]
        assert row["a"] == outcome["a"] - base["a"]
        assert row["b"] == outcome["b"] - base["b"]
        assert row["a_error"] == row["b_error"] == 0
    effects = compared.differences["effect"]
    matter = {"boarding round", "boarding margin", "surrender ratio", "medic order"}
    assert {name.split(":")[0] for name in effects.index[effects != NO_EFFECT]} <= matter
    sizes = compared.differences[["a", "b"]].abs().max(axis=1).to_numpy()
    assert (np.diff(sizes) <= 0).all()


def test_curves_of_all_variants_together() -> None:
    compared = side_by_side(SAMPLED, ROUND_UP, progress=False)
    assert list(compared.curves.columns) == [
        ("default rules", "a"),
        ("default rules", "b"),
        ("up", "a"),
        ("up", "b"),
    ]
    rules = gurps.HouseRules(boarding_round="up")
    alone = gurps.board(SLOOP, SCHOONER, turns=6, chance=Sampled(2048), rules=rules).table()
    assert compared.curves["up", "b"].tolist() == alone["b"].tolist()
    assert compared.errors["up", "b"].tolist() == alone["b_error"].tolist()


def test_the_paired_error_is_true_and_smaller_than_that_of_two_samples() -> None:
    """Over many seeds: deviations from the exact difference, in standard errors."""
    exact = side_by_side(replace(BOARDING, fights=None), ROUND_UP, progress=False)
    truth = exact.differences.loc["up", "b"]
    z, ratio = [], []
    for seed in range(1, 41):
        found = side_by_side(replace(BOARDING, fights=1024, seed=seed), ROUND_UP, progress=False)
        gap, error = found.differences.loc["up", ["b", "b_error"]]
        z.append((gap - truth) / error)
        alone = [h.table()["b_error"].iloc[-1] for h in (found.base, found.histories["up"])]
        ratio.append(error / np.hypot(*alone))
    assert 0.6 < np.mean(np.square(z)) < 1.6
    assert abs(np.mean(z)) < 0.5
    assert max(ratio) < 0.8


@pytest.mark.parametrize("turn", [0, 2, 6])
@pytest.mark.parametrize("outcome", ["a", "b", "undecided"])
def test_the_paired_error_by_hand(outcome: str, turn: int) -> None:
    chance = Sampled(700, seed=3, ends=True)
    one = gurps.board(SLOOP, SCHOONER, turns=6, chance=chance)
    rules = gurps.HouseRules(boarding_margin="own margin")
    other = gurps.board(SLOOP, SCHOONER, turns=6, chance=chance, rules=rules)

    def is_so(number: int, ends: dict[int, dict[str, object]]) -> int:
        end = ends[number]
        now = end["outcome"] if end["turn"] <= turn else "undecided"  # type: ignore[operator]
        return int(now == outcome)

    ends = [h.ends().astype({"outcome": str}).to_dict("index") for h in (one, other)]
    steps = [is_so(n, ends[1]) - is_so(n, ends[0]) for n in range(700)]
    gap, error = difference(one, other, outcome, turn)
    assert gap == pytest.approx(np.mean(steps))
    assert error == pytest.approx(np.hypot(np.std(steps) / 700**0.5, 1.96 / 1400))


def test_samples_that_do_not_share_their_dice_count_as_independent() -> None:
    one, other = (
        gurps.board(SLOOP, SCHOONER, turns=6, chance=Sampled(1024, first=first, ends=True))
        for first in (0, 1024)
    )
    alone = [h.table()["b_error"].iloc[-1] for h in (one, other)]
    assert difference(one, other, "b", 6)[1] == pytest.approx(np.hypot(*alone))


def test_what_has_no_effect_says_so() -> None:
    variants = {
        "rams": {"ram_dr": "original"},
        "fives": {"hp_in_fives": "full fives"},
        "rolled": {"crew_damage_base": "rolled"},
    }
    compared = side_by_side(DUEL, variants, progress=False)
    rows = compared.differences
    assert rows.loc["rams", ["a", "b", "otherwise", "effect"]].tolist() == [0, 0, 0, NO_EFFECT]
    assert rows.loc["rams", "says"] == "no effect on this fight"
    assert rows.loc["fives", "effect"] == OTHER_FIGURES
    assert rows.loc["rolled", "effect"] == CHANGES
    assert list(rows.index) == ["rolled", "fives", "rams"]
    assert "1 of 3 readings have no effect on this fight: all 1,024 fights" in compared.words
    same = compared.histories["rams"]
    assert same.quantiles("a", "hull", [0.3]).equals(compared.base.quantiles("a", "hull", [0.3]))


def test_against_rules_that_are_not_the_default() -> None:
    rules = gurps.HouseRules(boarding_round="up")
    nearest = {"nearest": {"boarding_round": "nearest"}}
    compared = side_by_side(replace(BOARDING, rules=rules), nearest, progress=False)
    assert compared.base_name == "these rules"
    back = compared.differences.loc["nearest"]
    there = side_by_side(BOARDING, ROUND_UP, progress=False).differences.loc["up"]
    assert back["a"] == pytest.approx(-there["a"])


def test_at_a_turn_of_ones_own() -> None:
    early = side_by_side(BOARDING, ROUND_UP, turn=2, progress=False)
    late = side_by_side(replace(BOARDING, turns=2), ROUND_UP, progress=False)
    assert early.differences["b"].tolist() == pytest.approx(late.differences["b"].tolist())


def test_partial_answers_are_whole_and_are_kept() -> None:
    def stopped() -> Iterator[Comparison]:
        for number, so_far in enumerate(comparing(BOARDING)):
            yield so_far
            if number == 3:
                raise KeyboardInterrupt

    with pytest.raises(Interrupted) as raised:
        last(stopped(), progress=False, unit="variant", far=lambda c: (0, c.wanted))
    kept = raised.value.partial
    assert kept is not None
    assert len(kept.differences) == 3
    assert f"{kept.wanted - 3} have not been looked at" in kept.words


def test_the_chance_of_all_trials() -> None:
    galley = medieval.ship("Galley")
    assert isinstance(settled(Scenario("medieval", "board", galley, galley, turns=4))[0], Exact)
    big = Scenario("gurps", "duel", SLOOP, SCHOONER, turns=4, seed=9)
    assert settled(big)[0] == Sampled(20_000, 9, ends=True)
    assert settled(DUEL)[0] == Sampled(1024, 5, ends=True)
    assert played(DUEL, Sampled(64, 5)).fights == 64


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"variants": {}}, "variants"),
        ({"variants": {"x": {"sails": "red"}}}, "house rule of x"),
        ({"variants": {"x": {"volley_roll": "red"}}}, "house rule volley_roll"),
        ({"variants": {"x": medieval.HouseRules()}}, "rules"),
        ({"variants": ["each gun"]}, "variants"),
        ({"turn": 7}, "turn"),
    ],
)
def test_bad_input(wrong: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        side_by_side(BOARDING, progress=False, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("gap", "error", "said"),
    [
        (0.0, 0.0, "exactly as often"),
        (1e-9, 0.0, "under 0.1 points more often"),
        (-0.25, 0.0, "25.0 points less often"),
        (0.25, 0.0101, "25.0 points more often ±2.0"),
        (0.0, 0.001, "about as often: 0.2 points either way can not be ruled out"),
    ],
)
def test_differences_in_words(gap: float, error: float, said: str) -> None:
    assert points(gap, error=error) == said
    with pytest.raises(ValueError, match="difference"):
        points(float("nan"))
