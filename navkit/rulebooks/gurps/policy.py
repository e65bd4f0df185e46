"""When to board, and what to ask of the surgeon: the best decisions in a duel on paper.

Side a decides before each turn, knowing how both ships stand; b has a fixed doctrine. What is
assumed of both is told in `when_to_board`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from navkit.chance import Array
from navkit.engine.induction import MOST_STATES, Choice, Decide, Decisions, Plan, Problem, planned
from navkit.errors import InputError, whole
from navkit.progress import last
from navkit.rulebooks.gurps.boarding import Melee, boarding_battle
from navkit.rulebooks.gurps.fight import duel_battle
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import A_FIRST, B_FIRST, Fight, Side, known_ship, ready_side
from navkit.rulebooks.gurps.when_to_board import Doctrine, cares, doctrines, with_care
from navkit.tally import STATUSES
from navkit.words import percent

Aim = Literal["win", "stay in action"]
APART, ALONGSIDE = "apart", "alongside"
AIMS = {"win": ("a",), "stay in action": ("a", "stalemate", "undecided")}
"""The outcomes that count as a success."""


@dataclass(frozen=True)
class Policy:
    """The best decisions of a in a duel on paper, and what they are worth.

    `plan` holds the value and the decision in every state. `fixed` are doctrines without such
    foresight, best first: their `chance`, and how much it is `short` of the best decisions.
    """

    a: Ship
    b: Ship
    turns: int
    aim: Aim
    plan: Plan = field(repr=False)
    fixed: pd.DataFrame = field(repr=False)

    @property
    def chance(self) -> float:
        """The chance of success with the best decisions."""
        return self.plan.worth()

    @property
    def dead(self) -> float:
        """The mean number of a's hands that die, with those decisions."""
        return self.plan.cost()

    @property
    def by_turns(self) -> pd.Series[float]:
        """The chance of success with the best decisions, by how many turns there are, from 0."""
        index = pd.RangeIndex(self.turns + 1, name="turns")
        return pd.Series([self.plan.worth(left) for left in index], index=index, name="chance")

    @property
    def advice(self) -> pd.DataFrame:
        """By turn: how likely a is still to decide in it (`apart`), and what she does then.

        `board` is the share in which she boards, `if_first` and `if_second` that where she, or b,
        fires first. `lead` is the fewest hands more than b's from which up she always boards,
        `never_below` the fewest with which she ever does. `lives` is the share in which the surgeon
        saves lives, who else keeps hands fit. Missing where there is nothing to tell.
        """
        rows = {turn: self._advice(turn) for turn in range(1, self.turns + 1)}
        columns = ["apart", "board", "if_first", "if_second", "lead", "never_below", "lives"]
        table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
        table.index.name = "turn"
        return table

    def table(self, turn: int, *, first: bool | None = None) -> pd.DataFrame:
        """What a does in a turn, by her fit hands (rows) and those of b (columns).

        "board", "fire", or with how much of the probability she boards where that depends on the
        hulls, the guns or the initiative too; empty where the best decisions never lead. `first`
        keeps to fights in which a fires first, or in which she does not.
        """
        found = self._decided(whole("turn", turn, 1, self.turns))
        cells = pd.DataFrame({"hands of a": found.own, "hands of b": found.foe, "all": found.mass})
        cells["board"] = found.mass * found.boards
        there = found.mass > 0
        if first is not None:
            there &= (found.first == A_FIRST) == first
        added = cells[there].groupby(["hands of a", "hands of b"]).sum()
        words = [_act(float(board), float(total)) for total, board in added.to_numpy()]
        table = pd.Series(words, index=added.index, dtype=object).unstack(fill_value="")
        return table.sort_index(ascending=False)

    @property
    def sentence(self) -> str:
        """The finding, for people."""
        best, name = self.chance, str(self.fixed.index[0])
        short = float(self.fixed["short"].iloc[0])
        goal = {"win": "wins", "stay in action": "is still in action"}[self.aim]
        told = f"With the best decisions the {self.a.name} {goal} in {percent(best)} of fights."
        if short < 1e-9:
            return f"{told} No foresight is needed: “{name}” does as well."
        lost = "under 0.1" if short < 0.0005 else f"{100 * short:.1f}"
        return f"{told} The best simple doctrine, “{name}”, is {lost} points short of that."

    def _decided(self, turn: int) -> _Decided:
        place = self.plan.found.places[APART]
        taken = self.plan.choices[turn - 1][APART]
        state: Fight = place.state(len(taken))
        names = list(self.plan.found.routes[APART])
        return _Decided(
            state.a.crew,
            state.b.crew,
            state.first,
            self.plan.occupied[turn - 1][APART],
            np.array([name.startswith("board") for name in names])[taken],
            np.array([name.endswith("lives") for name in names])[taken],
        )

    def _advice(self, turn: int) -> list[float]:
        found = self._decided(turn)
        there, lead = found.mass > 0, found.own - found.foe
        fires = lead[there & ~found.boards]
        ever = lead[there & found.boards]
        above = ever[ever > fires.max()] if len(fires) else ever
        ends = [float(each.min()) if len(each) else np.nan for each in (above, ever)]
        shares = [
            _share(found.boards, found.mass * at)
            for at in (there, found.first == A_FIRST, found.first == B_FIRST)
        ]
        return [float(found.mass.sum()), *shares, *ends, _share(found.lives, found.mass)]


class _Decided(NamedTuple):
    """The states apart before a turn: hands of both, who fires first, probability, decisions."""

    own: Array
    foe: Array
    first: Array
    mass: Array
    boards: Array
    lives: Array


def _share(what: Array, mass: Array) -> float:
    total = float(mass.sum())
    return float(mass @ what) / total if total > 0 else np.nan


def best_policy(
    a: Ship,
    b: Ship,
    *,
    turns: int = 5,
    aim: Aim = "win",
    rules: HouseRules | None = None,
    states: int = MOST_STATES,
    progress: bool = True,
) -> Policy:
    """The best of all ways to decide, before each turn, whether a boards and what her surgeon does.

    a decides with full knowledge of both ships and of the initiative; a boarding is not broken
    off. Of decisions that are as good, those are taken in which fewer of her hands die. b fires
    while she can and never boards. Exact, by backward induction over all states that any decisions
    lead to; see `when_to_board` for how ships come alongside on paper.

    Raises InputError for bad input, TooManyDecisions for more than `states` states (then see
    `when_to_board.compared`), and Interrupted for Ctrl-C.
    Source: GURPS/Naval Combat, Naval Combat Mechanics; Boarding; First-Aid.

    >>> from navkit.rulebooks.gurps import ship
    >>> cutter = ship("Sloop", hull=120, crew=8, cannons=(1, 1, 0, 0), damage="d3x20")
    >>> found = best_policy(cutter, cutter, turns=3, progress=False)
    >>> round(found.chance, 4), round(float(found.fixed["chance"].iloc[0]), 4)
    (0.4303, 0.4303)
    """
    parts = finding(a, b, turns=turns, aim=aim, rules=rules, states=states)
    found = last(parts, progress=progress, unit="turn", far=lambda far: (far[0], turns + 1))
    assert found[1] is not None
    return found[1]


def finding(
    a: Ship,
    b: Ship,
    *,
    turns: int = 5,
    aim: Aim = "win",
    rules: HouseRules | None = None,
    states: int = MOST_STATES,
) -> Iterator[tuple[int, Policy | None]]:
    """What `best_policy` gives, after the number of turns that are done."""
    rules = HouseRules.of(rules)
    problem = boarding_problem(known_ship("a", a), known_ship("b", b), aim, rules)
    found = Decisions(problem, turns, states)
    for turn in found.find():
        yield turn, None
    plan = planned(found)
    fixed = _fixed(found, plan, a, b, rules)
    yield turns + 1, Policy(a, b, turns, aim, plan, fixed)


def boarding_problem(a: Ship, b: Ship, aim: Aim, rules: HouseRules) -> Problem:
    """The decisions of a as data: to fire or to board, and the surgeon's order."""
    if aim not in get_args(Aim):
        raise InputError("aim", aim, *get_args(Aim))
    apart: dict[str, Choice] = {}
    alongside: dict[str, Choice] = {}
    for care in cares(a, rules):
        ship, after = with_care(a, care), f", {care}" if care else ""
        duel, boarding = duel_battle(ship, b, rules), boarding_battle(ship, b, rules)
        apart[f"fire{after}"] = Choice(duel, APART)
        apart[f"board{after}"] = Choice(boarding, ALONGSIDE, alongside_of(a, b, rules))
        alongside[f"fight{after}"] = Choice(boarding, ALONGSIDE)
    worth = {name: float(name in AIMS[aim]) for name in STATUSES}
    start = duel_battle(a, b, rules)
    return Problem(start, {APART: apart, ALONGSIDE: alongside}, worth, cost="a.dead")


def alongside_of(a: Ship, b: Ship, rules: HouseRules) -> Any:
    """Makes boardings of duels; what no boarding without guns depends on is as in a whole ship."""
    whole_sides = {"a": ready_side(a, rules), "b": ready_side(b, rules)}

    def enter(fight: Fight) -> Melee:
        sides: dict[str, Side] = {}
        for x, ready in whole_sides.items():
            now: Side = getattr(fight, x)
            kept = {
                name: getattr(now, name) for name in ("crew", "care", "spells", "dead", "wounded")
            }
            sides[x] = replace(ready, **kept)
        return Melee(sides["a"], sides["b"], np.zeros(1, dtype=np.int32))

    return enter


def decided_by(doctrine: Doctrine, found: Decisions) -> Decide:
    """A doctrine as decisions among those of `boarding_problem`."""
    names = {phase: list(routes) for phase, routes in found.routes.items()}
    after = f", {doctrine.care}" if doctrine.care else ""

    def decide(turn: int, phase: str, state: Any) -> Array:
        if phase == ALONGSIDE:
            return np.array([names[phase].index(f"fight{after}")])
        fire, board = (names[phase].index(f"{act}{after}") for act in ("fire", "board"))
        return np.where(doctrine.boards(turn, state), board, fire)

    return decide


def _fixed(found: Decisions, plan: Plan, a: Ship, b: Ship, rules: HouseRules) -> pd.DataFrame:
    rows = {}
    for doctrine in doctrines(a, b, found.turns, rules):
        own = planned(found, decided_by(doctrine, found))
        rows[str(doctrine)] = [own.worth(), plan.worth() - own.worth(), own.cost()]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["chance", "short", "dead"])
    table.index.name = "doctrine"
    return table.sort_values(["chance", "dead"], ascending=[False, True], kind="stable")


def _act(boards: float, total: float) -> str:
    if boards <= 0:
        return "fire"
    return "board" if boards >= total else f"board {percent(boards / total)}"
