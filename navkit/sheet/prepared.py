"""What a prep sheet holds: a fight, what a may decide, what would change it; and its tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from navkit.desk.trials import desk_of
from navkit.history import History
from navkit.rulebooks.desk import Decision, Desk, Meeting, Sought
from navkit.scenario import Scenario
from navkit.words import points

SIDES = ("a", "b")
MILESTONES = (1, 3, 5, 10)
"""Turns after which a sheet tells the odds, besides the last."""
QUANTILES = (0.05, 0.5, 0.95)
ALL, FIGHTING = "all fights", "still in the fight"
FOUGHT_ON = {"a": ("undecided", "a", "stalemate"), "b": ("undecided", "b", "stalemate")}
"""The outcomes in which a side is not lost."""
RULES = "house rules"
SHARES = ("a", "b", "both", "undecided")
DECISION_COLUMNS = (
    "decision",
    *SHARES,
    *(f"{name}_error" for name in SHARES),
    "figure",
    "left_a",
    "left_b",
    "lost",
    "words",
    "fights",
    "problem",
)


@dataclass(frozen=True)
class Decided:
    """A decision of a, and what becomes of it; or why it can not be had, as `problem`."""

    decision: Decision
    history: History | None
    problem: str = ""


@dataclass(frozen=True)
class Swing:
    """One change, and by how much likelier a is to win with it."""

    side: str
    change: str
    difference: float
    error: float


@dataclass(frozen=True)
class Dial:
    """The fight with other values of one number on both sides.

    `a` and `b` are the values, `at` those of the scenario, `histories` has one for each pair.
    """

    sought: Sought
    a: tuple[int, ...]
    b: tuple[int, ...]
    at: tuple[int, int]
    histories: Mapping[tuple[int, int], History] = field(repr=False)


@dataclass(frozen=True)
class PrepSheet:
    """The sheet of a scenario.

    A partial one lacks what had not been played when it was stopped: `done` of `wanted` fights
    were, the last of them `step`. `dial` is None where there is none, or none yet. All tables are
    DataFrames of numbers; chances are from 0 to 1, with a standard error that is 0 where exact.
    """

    scenario: Scenario
    base: History = field(repr=False)
    decided: tuple[Decided, ...] = field(default=(), repr=False)
    swung: tuple[Swing, ...] = ()
    dial: Dial | None = None
    done: int = 1
    wanted: int = 1
    step: str = "the fight"

    @property
    def desk(self) -> Desk:
        """What the rulebook tells of itself."""
        return desk_of(self.scenario)

    @property
    def meeting(self) -> Meeting:
        """How the two meet."""
        return self.desk.meetings[self.scenario.fight]

    @property
    def names(self) -> dict[str, str]:
        """What the ships are called; two of one name get a letter."""
        a, b = self.scenario.a.name, self.scenario.b.name
        return self.lettered if a == b else {"a": a, "b": b}

    @property
    def lettered(self) -> dict[str, str]:
        """What the ships are called, each with its letter."""
        return {"a": f"{self.scenario.a.name} (a)", "b": f"{self.scenario.b.name} (b)"}

    @property
    def how(self) -> str:
        """Whether the odds are exact or sampled."""
        if self.base.fights is None:
            return "exact odds"
        return f"odds from {self.base.fights:,} sampled fights, seed {self.scenario.seed}"

    @property
    def whole(self) -> bool:
        """Whether all that was wanted has been played."""
        return self.done == self.wanted

    @property
    def told(self) -> list[int]:
        """The turns after which the sheet tells the odds."""
        return sorted({turn for turn in MILESTONES if turn < self.base.turns} | {self.base.turns})

    @cached_property
    def ships(self) -> pd.DataFrame:
        """The lines of both ships' sheets: a row a line, a column a side, "" for none."""
        told = {x: dict(self.desk.describe(getattr(self.scenario, x))) for x in SIDES}
        lines = list(dict.fromkeys([*told["a"], *told["b"]]))
        return pd.DataFrame(
            {x: [told[x].get(line, "") for line in lines] for x in SIDES},
            index=pd.Index(lines, name="line"),
        )

    @cached_property
    def odds(self) -> pd.DataFrame:
        """The chances of what may have become of a side by the end of a turn.

        Columns: side, event (afloat, each way to be lost, still in the fight), turn, chance, error.
        """
        rows = []
        for x in SIDES:
            table = self._events(x)
            chances, errors = table.to_dict(), self.base.error_of(table).to_dict()
            rows += [
                (x, event, turn, chances[event][turn], errors[event][turn])
                for event in chances
                for turn in self.told
            ]
        return pd.DataFrame(rows, columns=["side", "event", "turn", "chance", "error"])

    def _events(self, side: str) -> pd.DataFrame:
        """By turn: the chances of what may have become of a side."""
        ways = self.base.cause(side)
        gone = [way for way in self.desk.sinks if way in ways]
        chances = {self.desk.afloat: 1 - ways[gone].sum(axis=1)} if gone else {}
        chances[FIGHTING] = 1 - ways.sum(axis=1)
        chances |= {way.replace("_", " "): ways[way] for way in self.base.causes}
        return pd.DataFrame(chances).clip(0, 1)

    @property
    def figure(self) -> tuple[str, str]:
        """The figure of a side that tells what is left: its name, and its words."""
        return next(iter(self.meeting.left.items()))

    @cached_property
    def left(self) -> pd.DataFrame:
        """What is left of a side by turn: quantiles in all fights, and where it still fights.

        Columns: side, given, turn, and the quantiles 0.05, 0.5, 0.95; missing where there is no
        such fight.
        """
        tables = []
        for x in SIDES:
            for given, outcomes in ((ALL, None), (FIGHTING, FOUGHT_ON[x])):
                table = self.base.quantiles(x, self.figure[0], QUANTILES, outcomes)
                table.insert(0, "side", x)
                table.insert(1, "given", given)
                tables.append(table.reset_index())
        columns = ["side", "given", "turn", *QUANTILES]
        return pd.concat(tables, ignore_index=True)[columns]

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """What comes of each decision of a: a row each, by its name.

        Columns: a, b, both, undecided (the last turn has come, or nobody can be lost any more)
        with the errors a_error and so on; `figure` and its median for a and b, left_a and left_b;
        how a is lost and the words of the decision; `problem` where it can not be had.
        """
        return pd.DataFrame(
            [_decision_row(each) for each in self.decided],
            columns=[*DECISION_COLUMNS],
        ).set_index("decision")

    @cached_property
    def swings(self) -> pd.DataFrame:
        """What each change does to a's chance to win, the greatest effect first.

        Columns: side (a, b or house rules), change, difference, error, words. The errors are those
        of samples that share their dice.
        """
        rows = sorted(self.swung, key=lambda each: -abs(each.difference))
        columns = ["side", "change", "difference", "error", "words"]
        told = [
            (each.side, each.change, each.difference, each.error, self._says(each)) for each in rows
        ]
        return pd.DataFrame(told, columns=columns)

    def _says(self, swing: Swing) -> str:
        name = self.names.get(swing.side)
        change = f"{name} with {swing.change}" if name else swing.change
        return f"{change}: {self.names['a']} wins {points(swing.difference, error=swing.error)}"


def _decision_row(decided: Decided) -> dict[str, Any]:
    decision, history = decided.decision, decided.history
    row: dict[str, Any] = {"decision": decision.name, "words": decision.words}
    row |= {"problem": decided.problem, "lost": "", "figure": next(iter(decision.left.values()))}
    if history is None:
        return row
    shares = history.outcome()
    told = {name: float(shares[name]) for name in ("a", "b", "both")}
    told["undecided"] = float(shares["undecided"] + shares["stalemate"])
    table = pd.DataFrame([told]).clip(0, 1)
    errors = history.error_of(table).add_suffix("_error")
    for name, value in pd.concat([table, errors], axis=1).iloc[0].items():
        row[str(name)] = float(value)
    track = next(iter(decision.left))
    for x in SIDES:
        row[f"left_{x}"] = float(history.quantiles(x, track, [0.5])[0.5].iloc[-1])
    ways = history.cause("a").iloc[-1].sort_values(ascending=False)
    row["lost"] = ", ".join(str(way).replace("_", " ") for way in ways.index[ways > 0])
    row["fights"] = history.fights
    return row
