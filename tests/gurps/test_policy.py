"""The best decisions in a duel on paper: against all policies, and against rules by hand."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product

import numpy as np
import pytest

from navkit.chance import Exact, Sampled
from navkit.dice import dice
from navkit.engine.induction import Decisions, TooManyDecisions, planned
from navkit.errors import InputError
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.policy import (
    APART,
    Policy,
    best_policy,
    boarding_problem,
    decided_by,
    finding,
)
from navkit.rulebooks.gurps.when_to_board import Doctrine, compared, doctrines, duel_or_board

TOGETHER = gurps.HouseRules(fire_order="together", reload="none", dr_ablation="none")
CUTTER = gurps.ship("Sloop", hull=120, crew=8, cannons=(1, 1, 0, 0), damage="d2x20", dr=0)
SURGEON = gurps.Officers(leadership=1, gunnery=0, tactics=1, medic=1)
best = partial(best_policy, progress=False)

# The rules by hand: one gun, no DR, guns always ready, both fire at the same moment

HIT = dice("3d6").at_most(12, exact=True)
CONTEST = [
    (Fraction(x.numerator * y.numerator, x.denominator * y.denominator), b - a)
    for a, x in ((n, dice("3d6").equal(n, exact=True)) for n in range(3, 19))
    for b, y in ((n, dice("3d6").equal(n, exact=True)) for n in range(3, 19))
]
Hand = tuple[int, int]
Values = dict[tuple[Hand, Hand], Fraction]


class ByHand:
    """Two ships of one gun each: hull and hands; who has fewer than `skeleton` hands is out."""

    def __init__(self, damage: range, skeleton: int = 4, guns: tuple[int, int] = (1, 1)) -> None:
        self.damage, self.skeleton, self.guns = damage, skeleton, guns

    def hits(self, side: Hand) -> dict[Hand, Fraction]:
        found: dict[Hand, Fraction] = {}
        for points in self.damage:
            for share, rolled in ((HIT, 20 * points), (1 - HIT, 10 * points)):
                lost = min(side[0], rolled)
                after = (side[0] - lost, side[1] - min(side[1], lost // 20))
                found[after] = found.get(after, Fraction(0)) + share / len(self.damage)
        return found

    def fire(self, a: Hand, b: Hand) -> dict[tuple[Hand, Hand], Fraction]:
        of_b = self.hits(b) if self.guns[0] else {b: Fraction(1)}
        of_a = self.hits(a) if self.guns[1] else {a: Fraction(1)}
        return {(x, y): p * q for x, p in of_a.items() for y, q in of_b.items()}

    def is_out(self, side: Hand) -> bool:
        return side[0] <= 0 or side[1] < self.skeleton

    @cache  # noqa: B019
    def aboard(self, a: int, b: int, left: int) -> Fraction:
        """The chance that a's hands beat b's within so many turns."""
        if a <= 0 or b <= 0:
            return Fraction(int(a > 0))
        if left == 0:
            return Fraction(0)
        total = Fraction(0)
        for share, bonus in CONTEST:
            dealt = max(0, (a + 2) // 5 + max(bonus, 0))
            taken = max(0, (b + 2) // 5 + max(-bonus, 0))
            total += share * self.aboard(max(a - taken, 0), max(b - dealt, 0), left - 1)
        return total

    def value(self, a: Hand, b: Hand, left: int, decide: Callable[..., bool | None]) -> Fraction:
        """The chance that a wins; `decide(a, b, left)` is whether she boards, None the better."""
        if self.is_out(a) or self.is_out(b):
            return Fraction(int(not self.is_out(a)))
        if left == 0:
            return Fraction(0)
        boards = decide(a, b, left)
        worth = []
        if boards is not False:
            worth.append(self.aboard(a[1], b[1], left))
        if boards is not True:
            after = self.fire(a, b).items()
            worth.append(sum((p * self.value(*x, left - 1, decide) for x, p in after), Fraction(0)))
        return max(worth)


@pytest.mark.parametrize("crew", [5, 6, 8])
@pytest.mark.parametrize("hulls", [(60, 60), (120, 60), (60, 120)])
def test_values_are_those_by_hand_in_fractions(hulls: tuple[int, int], crew: int) -> None:
    a, b = (
        replace(CUTTER, hull=hull, crew=hands) for hull, hands in zip(hulls, (crew, 6), strict=True)
    )
    found = best(a, b, turns=4, rules=TOGETHER)
    hand = ByHand(range(1, 3))
    for left in range(5):
        by_hand = hand.value((hulls[0], crew), (hulls[1], 6), left, lambda *_: None)
        assert found.by_turns[left] == pytest.approx(float(by_hand), abs=1e-12)


def looked_up(policy: dict[tuple[Hand, Hand, int], bool], *spot: object) -> bool:
    return policy.get(spot, False)  # type: ignore[call-overload]


def chosen(
    policy: dict[tuple[Hand, Hand, int], bool], turns: int, turn: int, phase: str, state: object
) -> np.ndarray:
    """The policy as decisions: 1 to board."""
    if phase != APART:
        return np.array([0])
    columns = [getattr(getattr(state, x), name).tolist() for x in "ab" for name in ("hull", "crew")]
    left = turns + 1 - turn
    rows = zip(*columns, strict=True)
    return np.array([int(looked_up(policy, (h, c), (k, d), left)) for h, c, k, d in rows])


@pytest.mark.parametrize(("guns", "turns"), [((1, 1), 2), ((1, 0), 3)])
def test_against_every_policy_there_is(guns: tuple[int, int], turns: int) -> None:
    """All ways to decide in all states that occur, each worked out by hand, and by the plan."""
    a, b = (
        replace(CUTTER, hull=60, crew=6, damage="d1x20", cannons=(gun, 0, 0, 0)) for gun in guns
    )
    found = Decisions(boarding_problem(a, b, "win", TOGETHER), turns)
    list(found.find())
    hand = ByHand(range(1, 2), guns=guns)
    spots = [((60, 6), (60, 6), turns)]
    for left in range(turns - 1, 0, -1):
        before = [(x, y) for x, y, turns_left in spots if turns_left == left + 1]
        reached = {after for pair in before for after in hand.fire(*pair)}
        spots += [(*x, left) for x in sorted(reached) if not any(map(hand.is_out, x))]
    assert 4 <= len(spots) <= 9
    values = []
    for acts in product([False, True], repeat=len(spots)):
        policy = dict(zip(spots, acts, strict=True))
        by_hand = hand.value((60, 6), (60, 6), turns, partial(looked_up, policy))
        plan = planned(found, partial(chosen, policy, turns))
        assert plan.worth() == pytest.approx(float(by_hand), abs=1e-12)
        values.append(by_hand)
    optimum = planned(found).worth()
    assert optimum == pytest.approx(float(max(values)), abs=1e-12)
    assert min(values) < max(values)


VARIANTS = [
    gurps.HouseRules(),
    gurps.HouseRules(fire_order="together", threshold_carry="fight"),
    gurps.HouseRules(medic_order="at once", surrender_ratio=3, reload_starts="at once"),
]


@pytest.fixture(scope="module", params=VARIANTS, ids=["default", "together", "surrender"])
def case(request: pytest.FixtureRequest) -> tuple[gurps.HouseRules, Policy]:
    a = replace(CUTTER, officers=SURGEON, dr=1)
    return request.param, best(a, replace(CUTTER, crew=9), turns=3, rules=request.param)


def test_no_doctrine_beats_the_best(case: tuple[gurps.HouseRules, Policy]) -> None:
    _, found = case
    assert (found.fixed["short"] >= -1e-12).all()
    as_good = found.fixed[found.fixed["short"] <= 1e-12]
    assert (as_good["dead"] >= found.dead - 1e-9).all()
    assert found.fixed["chance"].is_monotonic_decreasing
    assert found.by_turns.is_monotonic_increasing


def test_doctrines_are_worth_what_they_are_when_played(
    case: tuple[gurps.HouseRules, Policy],
) -> None:
    rules, found = case
    for doctrine in doctrines(found.a, found.b, 3, rules):
        h = duel_or_board(found.a, found.b, doctrine=doctrine, turns=3, chance=Exact(), rules=rules)
        row = found.fixed.loc[str(doctrine)]
        assert row["chance"] == pytest.approx(h.outcome()["a"], abs=1e-12)
        assert row["dead"] == pytest.approx(h.mean("a", "dead").iloc[-1], abs=1e-9)


def test_the_policy_played_again_is_worth_its_value(
    case: tuple[gurps.HouseRules, Policy],
) -> None:
    _, found = case
    plan = found.plan

    def decide(turn: int, phase: str, state: object) -> np.ndarray:
        return plan.choices[turn - 1][phase]

    again = planned(plan.found, decide)
    assert again.worth() == pytest.approx(found.chance, abs=1e-12)
    assert again.cost() == pytest.approx(found.dead, abs=1e-9)


def test_advice_adds_up_to_the_table(case: tuple[gurps.HouseRules, Policy]) -> None:
    _, found = case
    advice = found.advice
    assert advice["apart"].iloc[0] == pytest.approx(1)
    assert advice["apart"].is_monotonic_decreasing
    for turn, row in advice.iterrows():
        table = found.table(int(turn))  # type: ignore[call-overload]
        acts = set(table.to_numpy().ravel()) - {""}
        if acts == {"board"}:
            assert row["board"] == pytest.approx(1)
        elif acts == {"fire"}:
            assert row["board"] == 0
        if not np.isnan(row["lead"]):
            for own, foe in product(table.index, table.columns):
                if own - foe >= row["lead"]:
                    assert table.loc[own, foe] in ("", "board")


def test_boarding_at_once_is_a_boarding_and_never_is_a_duel() -> None:
    a, b = replace(CUTTER, officers=SURGEON), CUTTER
    found = best(a, b, turns=3)
    at_once = gurps.board(a, b, turns=3, chance=Exact()).outcome()["a"]
    never = gurps.duel(a, b, turns=3, chance=Exact()).outcome()["a"]
    doctrine = "; the surgeon keeps hands fit"
    assert found.fixed.loc[f"board in turn 1{doctrine}", "chance"] == pytest.approx(at_once)
    assert found.fixed.loc[f"never board{doctrine}", "chance"] == pytest.approx(never)


def test_saving_lives_never_helps_to_win_but_saves_them_where_it_costs_nothing() -> None:
    """With one turn left of a duel that can't be won in it, the surgeon may save lives."""
    a, b = replace(CUTTER, officers=SURGEON), replace(CUTTER, hull=900, crew=40)
    found = best(a, b, turns=1)
    assert found.chance == 0
    hands = found.fixed.loc["board in turn 1; the surgeon keeps hands fit", "dead"]
    lives = found.fixed.loc["board in turn 1; the surgeon saves lives", "dead"]
    assert lives < hands
    assert found.dead <= found.fixed["dead"].min() + 1e-12
    rich = best(a, CUTTER, turns=3)
    care = rich.fixed.index.str.contains("saves lives")
    assert rich.fixed[~care]["chance"].max() >= rich.fixed[care]["chance"].max()


def test_to_stay_in_action() -> None:
    a, b = replace(CUTTER, crew=6), replace(CUTTER, crew=20)
    found = best(a, b, turns=2, aim="stay in action")
    h = gurps.duel(a, b, turns=2, chance=Exact())
    kept = 1 - h.cause("a").iloc[-1].sum()
    assert found.chance >= kept - 1e-12
    assert found.fixed.loc["never board", "chance"] == pytest.approx(kept)
    assert found.by_turns[0] == pytest.approx(1)
    assert "is still in action" in found.sentence


def test_foresight_pays() -> None:
    """With the initiative she fires first; without, she boards before she is shot at."""
    strong = replace(CUTTER, damage="d3x20")
    found = best(strong, strong, turns=3)
    assert found.fixed.index[0] == "board in turn 1, never if she fires first"
    assert found.fixed["short"].iloc[0] > 0.005
    assert "0.6 points short of that" in found.sentence
    advice = found.advice.loc[1]
    assert (advice["if_first"], advice["if_second"]) == (0, 1)
    assert set(found.table(1, first=True).to_numpy().ravel()) == {"fire"}
    assert set(found.table(1, first=False).to_numpy().ravel()) == {"board"}


def test_progress_and_budget() -> None:
    turns = [turn for turn, _ in finding(CUTTER, CUTTER, turns=2)]
    assert turns == [1, 2, 3]
    sloop = gurps.ship("Sloop")
    with pytest.raises(TooManyDecisions, match="over 2,000 states here, in turn 1 of 4"):
        best(sloop, sloop, turns=4, states=2000)


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"a": "Sloop"}, "a"),
        ({"turns": 0}, "turns"),
        ({"aim": "flee"}, "aim"),
        ({"states": 0}, "states"),
        ({"rules": 3}, "rules"),
    ],
)
def test_bad_input(wrong: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        best(**{"a": CUTTER, "b": CUTTER, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"turn": 0}, {"lead": 0.5}, {"care": "all"}, {"if_first": -1}])
def test_doctrines_there_are_not(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        Doctrine(**wrong)  # type: ignore[arg-type]


# Ships too large for that


def test_doctrines_compared_by_fights() -> None:
    a, b = replace(CUTTER, crew=10), CUTTER
    table = compared(a, b, turns=3, fights=1024, seed=4, progress=False)
    exact = best(a, b, turns=3).fixed
    assert set(table.index) == set(exact.index)
    gaps = (table["wins"] - exact["chance"]) / table["error"]
    assert gaps.abs().max() < 4
    assert table["short"].iloc[0] == table["short_error"].iloc[0] == 0
    top = table.index[0]
    shorter = exact.loc[top, "chance"] - exact["chance"]
    off = (table["short"] - shorter)[table.index != top] / table["short_error"]
    assert off.abs().max() < 4
    alone = duel_or_board(
        a, b, doctrine=Doctrine(turn=2), turns=3, chance=Sampled(1024, 4)
    ).outcome()
    assert table.loc["board in turn 2", "wins"] == alone["a"]


def test_a_doctrine_with_the_initiative() -> None:
    a, b = CUTTER, CUTTER
    found = Decisions(boarding_problem(a, b, "win", gurps.HouseRules()), 3)
    list(found.find())
    for doctrine in (
        Doctrine(turn=1, if_first="never"),
        Doctrine(turn=2, if_first=3),
        Doctrine(turn=2, lead=-1),
        Doctrine(turn=None, if_first=1),
    ):
        h = duel_or_board(a, b, doctrine=doctrine, turns=3, chance=Exact())
        plan = planned(found, decided_by(doctrine, found))
        assert plan.worth() == pytest.approx(h.outcome()["a"], abs=1e-12)
