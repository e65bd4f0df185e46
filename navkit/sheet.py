"""The prep sheet: what a game master wants to know about tonight's fight, on one page.

>>> from navkit.rulebooks import medieval
>>> from navkit.scenario import Scenario
>>> dromon, cog = medieval.ship("Dromon"), medieval.ship("Cog", crew=18)
>>> sheet = prep_sheet(Scenario("medieval", "board", dromon, cog, turns=5), progress=False)
>>> sheet.how
'exact odds'
>>> sheet.swings["words"].iloc[0]
'Dromon with two crew points fewer: a wins 5.0 points less often'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from navkit import records
from navkit.battle import AUTOMATIC
from navkit.chance import Exact, Sampled, TooManyStates
from navkit.compare import difference, single_readings
from navkit.errors import InputError
from navkit.history import History
from navkit.progress import last
from navkit.rulebooks.desk import Decision, Desk, Meeting, Sought
from navkit.rulebooks.readings import Readings
from navkit.scenario import Scenario, rulebook
from navkit.sweep_grid import changed
from navkit.trials import played
from navkit.words import points

SIDES = ("a", "b")
MILESTONES = (1, 3, 5, 10)
"""Turns after which a sheet tells the odds, besides the last."""
QUANTILES = (0.05, 0.5, 0.95)
ALL, FIGHTING = "all fights", "still in the fight"
FOUGHT_ON = {"a": ("undecided", "a", "stalemate"), "b": ("undecided", "b", "stalemate")}
"""The outcomes in which a side is not lost."""
RULES = "house rules"


@dataclass(frozen=True)
class Line:
    """One figure of a sheet, as its CSV has it; see `PrepSheet.lines`."""

    table: str
    side: str
    name: str
    turn: int | None
    figure: str
    value: float | None
    error: float | None
    text: str


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
        return {"a": f"{a} (a)", "b": f"{b} (b)"} if a == b else {"a": a, "b": b}

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
            ways = self.base.cause(x)
            gone = [way for way in self.desk.sinks if way in ways]
            chances = {FIGHTING: 1 - ways.sum(axis=1)}
            if gone:
                chances = {self.desk.afloat: 1 - ways[gone].sum(axis=1), **chances}
            chances |= {way.replace("_", " "): ways[way] for way in ways}
            table = pd.DataFrame(chances).clip(0, 1)
            errors = self.base.error_of(table)
            rows += [
                (x, event, turn, float(table.loc[turn, event]), float(errors.loc[turn, event]))
                for event in table
                for turn in self.told
            ]
        return pd.DataFrame(rows, columns=["side", "event", "turn", "chance", "error"])

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
            columns=[*_DECISION_COLUMNS],
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

    # As CSV

    def lines(self) -> list[Line]:
        """Every figure of the sheet, a line each.

        `table` is about, ships, odds, left, decisions or swings; `side` a, b, "house rules" or "";
        `name` what the figure is of (an event, a decision, a change), `turn` the turn at whose end
        it holds. `figure` says what `value` (with its standard `error`) is; texts are in `text`.
        """
        return [*_about_lines(self), *_table_lines(self)]

    def to_csv(self) -> str:
        """The sheet as one CSV, a line a figure (see `lines`); `from_csv` reads it."""
        return records.to_csv(self.lines(), Line)


def from_csv(text: str) -> list[Line]:
    """The figures that the CSV of a sheet holds. Raises RecordError (an InputError)."""
    return list(records.from_csv(text, Line))


# Preparing


def prep_sheet(scenario: Scenario, *, dial: str | None = None, progress: bool = True) -> PrepSheet:
    """The sheet of a fight: odds, what is left, decisions of a, and what would change most.

    Odds are exact where the scenario asks for that, or leaves it open and the fight is small; else
    sampled, with the same dice in every variant: as many fights as the scenario says, or as many as
    its rulebook can play in the seconds that a person waits. `dial` is the number whose other
    values are played too, for the sliders of a page: a path of the rulebook's `desk.DESK.sought`,
    None for its usual one, "" for none.

    Raises InputError for a scenario without a number of turns and for an unknown dial, before
    anything is played; TooManyStates where exact odds are asked for and do not fit; Interrupted
    for Ctrl-C, with what was done.
    """
    return last(
        preparing(scenario, dial=dial),
        progress=progress,
        unit="fight",
        far=lambda so_far: (so_far.done, so_far.wanted),
    )


def preparing(scenario: Scenario, *, dial: str | None = None) -> Iterator[PrepSheet]:
    """The sheet as it grows: after the fight itself, each decision, each change, each dial."""
    if scenario.turns is None:
        raise InputError("turns", None, "a whole number: a sheet tells the odds turn by turn")
    desk = desk_of(scenario)
    sought = _known_dial(desk, desk.dial if dial is None else dial)
    variants = list(_variants(scenario, desk))
    places = _dialled(scenario, desk, sought) if sought else None
    wanted = 1 + len(desk.decisions) + len(variants) + (len(places.pairs) if places else 0)
    chance = _chance_of(scenario, desk.effort.fights)
    base = played(replace(scenario, fights=_fights(scenario, desk.effort.fights)), chance)
    sheet = PrepSheet(scenario, base, wanted=wanted)
    yield sheet
    few = _fights(scenario, desk.effort.variants)
    luck = chance if base.fights is None else Sampled(few, scenario.seed, ends=True)
    again = replace(scenario, fights=few)
    for decision in desk.decisions:
        decided = (*sheet.decided, _decided(decision, again, luck))
        sheet = _next(sheet, f"decision: {decision.name}", decided=decided)
        yield sheet
    same = base.fights in (None, few)
    reference = base if same else played(again, luck)
    for side, change, variant in variants:
        found = played(replace(variant, fights=few), luck)
        gap = Swing(side, change, *difference(reference, found, "a", base.turns))
        sheet = _next(sheet, change, swung=(*sheet.swung, gap))
        yield sheet
    if places:
        yield from _dialling(sheet, places, again, luck)


def _next(sheet: PrepSheet, step: str, **more: Any) -> PrepSheet:
    return replace(sheet, done=sheet.done + 1, step=step, **more)


def desk_of(scenario: Scenario) -> Desk:
    """The desk of a scenario's rulebook."""
    desk: Desk = rulebook(scenario.rulebook).desk.DESK
    return desk


def _fights(scenario: Scenario, usual: int) -> int:
    """How many fights are sampled, where they are."""
    return scenario.fights or usual


def _chance_of(scenario: Scenario, fights: int) -> Exact | Sampled:
    if scenario.fights is None:
        return Exact()
    sampled = Sampled(scenario.fights or fights, scenario.seed, ends=True)
    if scenario.fights:
        return sampled
    once = played(scenario, replace(sampled, fights=1))
    return AUTOMATIC if once.battle.countable else sampled


def _variants(scenario: Scenario, desk: Desk) -> Iterator[tuple[str, str, Scenario]]:
    """Each change of the desk on either side, and each other reading of a prominent house rule."""
    for side in SIDES:
        for words, ship in desk.changes(getattr(scenario, side)).items():
            yield side, words, replace(scenario, **{side: ship})
    rules: Readings = scenario.rules
    prominent = [rule.name for rule in rules.readings() if rule.prominent]
    for words, other in single_readings(rules).items():
        if any(getattr(other, name) != getattr(rules, name) for name in prominent):
            yield RULES, words, replace(scenario, rules=other)


def _decided(decision: Decision, scenario: Scenario, luck: Exact | Sampled) -> Decided:
    """A decision played: exactly if the fight is and it can be, else sampled."""
    sampled = Sampled(scenario.fights or 1, scenario.seed, ends=True)
    told: dict[str, Any] = {"turns": scenario.turns, "rules": scenario.rules}
    ships = scenario.a, scenario.b
    try:
        if isinstance(luck, Exact):
            once = decision.play(*ships, chance=replace(sampled, fights=1), **told)
            if once.battle.countable:
                try:
                    return Decided(decision, decision.play(*ships, chance=luck, **told))
                except TooManyStates:
                    if luck is not AUTOMATIC:
                        raise
        return Decided(decision, decision.play(*ships, chance=sampled, **told))
    except InputError as error:
        return Decided(decision, None, str(error))


# The dial


@dataclass(frozen=True)
class _Places:
    """The values of a dial on both sides, and their pairs from the scenario's own outwards."""

    sought: Sought
    at: tuple[int, int]
    values: tuple[tuple[int, ...], tuple[int, ...]]
    rings: Mapping[tuple[int, int], int]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return sorted(self.rings, key=lambda pair: self.rings[pair])


def _known_dial(desk: Desk, path: str) -> Sought | None:
    for each in desk.sought:
        if each.path == path:
            return each
    if path:
        raise InputError("dial", path, *(each.path for each in desk.sought), "")
    return None


def _dialled(scenario: Scenario, desk: Desk, sought: Sought) -> _Places | None:
    """The values that both ships can have; None where one of them has no such number."""
    now = [number_of(getattr(scenario, x), sought.path) for x in SIDES]
    if now[0] is None or now[1] is None:
        return None
    a, b = (dial_values(getattr(scenario, x), sought, desk.effort.steps) for x in SIDES)
    rings = {
        (one, two): max(abs(a.index(one) - a.index(now[0])), abs(b.index(two) - b.index(now[1])))
        for one in a
        for two in b
    }
    return _Places(sought, (now[0], now[1]), (a, b), rings)


def number_of(ship: Any, path: str) -> int | None:
    """The number of a ship that a path leads to, None where it has none.

    >>> from navkit.rulebooks import vehicular_1879
    >>> number_of(vehicular_1879.ship("War kettle"), "batteries.0.gunnery")
    9
    """
    found = ship
    for step in path.split("."):
        if isinstance(found, tuple):
            found = found[int(step)] if int(step) < len(found) else None
        else:
            found = getattr(found, step, None)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def with_number(ship: Any, path: str, value: int) -> Any:
    """A ship with another number there. Raises InputError for what cannot be."""
    return changed(ship, path.split("."), value, "ship")


def dial_values(ship: Any, sought: Sought, steps: int) -> tuple[int, ...]:
    """`steps` values of a number that a ship may have, its own in the middle where that fits.

    >>> from navkit.rulebooks import gurps
    >>> crew = Sought(path="crew", words="hands", low=0, high=1000)
    >>> dial_values(gurps.ship("Brig"), crew, 7)
    (14, 17, 20, 23, 26, 29, 32)
    """
    now = number_of(ship, sought.path)
    assert now is not None
    apart = max(1, round(now / (steps + 1)))
    found: list[int] = []
    for k in sorted(range(1 - steps, steps), key=abs):
        value = now + k * apart
        if len(found) == steps or not (k == 0 or sought.low <= value <= sought.high):
            continue
        try:
            with_number(ship, sought.path, value)
        except InputError:  # no room for so many
            continue
        found.append(value)
    return tuple(sorted(found))


def _dialling(
    sheet: PrepSheet, places: _Places, scenario: Scenario, luck: Exact | Sampled
) -> Iterator[PrepSheet]:
    """Plays the pairs ring by ring, so that what is done is a dial of its own, only smaller."""
    histories: dict[tuple[int, int], History] = {}
    pairs, path = places.pairs, places.sought.path
    for at, (one, two) in enumerate(pairs):
        variant = replace(
            scenario,
            a=with_number(scenario.a, path, one),
            b=with_number(scenario.b, path, two),
        )
        histories[one, two] = played(variant, luck)
        ring = places.rings[one, two]
        dial = sheet.dial
        if at + 1 == len(pairs) or places.rings[pairs[at + 1]] > ring:
            a, b = (tuple(sorted(set(side))) for side in zip(*histories, strict=True))
            dial = Dial(places.sought, a, b, places.at, dict(histories))
        sheet = _next(sheet, f"{places.sought.words}: {one} and {two}", dial=dial)
        yield sheet


# Rows and lines

_SHARES = ("a", "b", "both", "undecided")
_DECISION_COLUMNS = (
    "decision",
    *_SHARES,
    *(f"{name}_error" for name in _SHARES),
    "figure",
    "left_a",
    "left_b",
    "lost",
    "words",
    "fights",
    "problem",
)


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
    errors = history.error_of(table)
    track = next(iter(decision.left))
    row |= table.iloc[0].to_dict() | errors.iloc[0].add_suffix("_error").to_dict()
    for x in SIDES:
        row[f"left_{x}"] = float(history.quantiles(x, track, [0.5]).iloc[-1, 0])
    ways = history.cause("a").iloc[-1].sort_values(ascending=False)
    row["lost"] = ", ".join(str(way).replace("_", " ") for way in ways.index[ways > 0])
    row["fights"] = history.fights
    return row


def _about_lines(sheet: PrepSheet) -> Iterator[Line]:
    scenario = sheet.scenario
    texts = {
        "title": scenario.name,
        "rulebook": scenario.rulebook,
        "meeting": sheet.meeting.words,
        "odds": sheet.how,
        "house rules": ", ".join(f"{k}: {v}" for k, v in scenario.rules.changed().items()),
        "scenario": scenario.to_text(),
    }
    for name, text in texts.items():
        yield Line("about", "", name, None, "text", None, None, text)
    for x in SIDES:
        for line, text in sheet.ships[x].items():
            if text:
                yield Line("ships", x, str(line), None, "text", None, None, text)


def _table_lines(sheet: PrepSheet) -> Iterator[Line]:
    for row in sheet.odds.itertuples():
        yield Line("odds", row.side, row.event, row.turn, "chance", row.chance, row.error, "")
    words = sheet.figure[1]
    for side, given, turn, *values in sheet.left.itertuples(index=False):
        for q, value in zip(QUANTILES, values, strict=True):
            figure = f"{words}, quantile {q:g}"
            known = None if value != value else float(value)
            yield Line("left", side, given, turn, figure, known, None, "")
    end = sheet.base.turns
    for name, row in sheet.decisions.iterrows():
        if row["problem"]:
            yield Line("decisions", "a", str(name), end, "problem", None, None, row["problem"])
            continue
        for share in _SHARES:
            figure = f"chance of {share}"
            yield Line(
                "decisions", "a", str(name), end, figure, row[share], row[f"{share}_error"], ""
            )
        for x in SIDES:
            figure = f"{row['figure']} of {x}, median"
            yield Line("decisions", "a", str(name), end, figure, row[f"left_{x}"], None, "")
    for swing in sheet.swung:
        figure = "difference in the chance that a wins"
        yield Line(
            "swings", swing.side, swing.change, end, figure, swing.difference, swing.error, ""
        )
