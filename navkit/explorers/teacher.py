"""The teacher's panel: a fight of any rulebook roll by roll, and what each roll did to the odds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape
from importlib import import_module
from typing import Any

import ipywidgets as widgets
import pandas as pd
from bokeh.models import ColumnDataSource, Range1d

from navkit import charts
from navkit.chance import Exact, Sampled
from navkit.chart_columns import curve_columns
from navkit.desk import luck
from navkit.desk.replay import replay
from navkit.errors import InputError, whole
from navkit.explorers import controls, teacher_page
from navkit.explorers.charted import in_words
from navkit.explorers.live_panel import LivePanel
from navkit.explorers.refinement import Refinement
from navkit.history import History
from navkit.live import LiveFigure
from navkit.rulebooks.desk import Desk, Meeting
from navkit.scenario import RULEBOOKS, Scenario, rulebook

FIGHTS = 2048
"""Fights among which the luckiest is looked for, unless a sample is given."""
TURNS = 10
SECONDS = 1.5
"""How long a roll is shown while the fight plays."""
_PICKS = ("luckiest", "median", "unluckiest")


def teacher(
    fight: Scenario | History | None = None,
    *,
    number: int | None = None,
    chance: Exact | Sampled | None = None,
    fights: int = FIGHTS,
) -> Teacher:
    """A panel that replays a fight roll by roll, to be shown in a notebook.

    `fight` is a scenario or a history of its fights; without one, rulebook and ships are chosen
    in the panel. It shows fight `number`, or the median one of the `fights` ranked by their luck
    for a (see `navkit.desk.luck`). `chance` is how odds are worked out, see
    `navkit.desk.replay.replay`. Raises InputError for bad input.

    >>> from navkit.rulebooks import gurps
    >>> tonight = Scenario("gurps", "board", gurps.ship("Brig"), gurps.ship("Brigantine"))
    >>> panel = teacher(tonight, number=3)
    >>> panel.settle()
    >>> panel.step()
    >>> panel.at, panel.replay.frames[panel.at - 1].entry.why, panel.replay.known
    (2, 'boarding', 8)
    """
    return Teacher(fight, number=number, chance=chance, fights=fights)


class Teacher(LivePanel):
    """A fight roll by roll; see `teacher`. `replay` is the fight shown, `at` the roll (from 1).

    The odds are worked out in the background, those of the roll that is shown first; `stop` keeps
    what there is of them, and `settle` works out all now.
    """

    def __init__(
        self,
        fight: Scenario | History | None = None,
        *,
        number: int | None = None,
        chance: Exact | Sampled | None = None,
        fights: int = FIGHTS,
    ) -> None:
        self._refinement = Refinement()
        self._chance, self._fights = chance, whole("fights", fights, 2, 10_000_000)
        self._assigning = False
        self._ranked: pd.DataFrame | None = None
        self.at = 1
        self._make_widgets()
        self._setup = fight is None
        super().__init__(self._laid_out(), layout={"overflow": "visible"})
        if fight is None:
            self._choose_rulebook(RULEBOOKS[0])
            self.watch(self._chosen(), number=number)
        else:
            self.watch(fight, number=number)

    # What is shown

    def watch(self, fight: Scenario | History, *, number: int | None = None) -> None:
        """Show another fight: fight `number`, or the median one."""
        self._fight, self._ranked = fight, None
        self._names = {x: x for x in ("a", "b")}
        self._left: Mapping[str, str] = {}
        self._title.value = "<h3>A fight, roll by roll</h3>"
        self._unit, self._rules = "turn", None
        if isinstance(fight, Scenario):
            meeting = _meetings(fight.rulebook)[fight.fight]
            self._left, self._unit, self._rules = meeting.left, meeting.unit, fight.rules
            what = fight.title or meeting.words.capitalize()
            said = f"{what}: {fight.a.name} against {fight.b.name}"
            self._title.value = f"<h3>{escape(said)}</h3>"
            same = fight.a.name == fight.b.name
            self._names = {
                x: f"{ship.name} ({x})" if same else ship.name
                for x, ship in (("a", fight.a), ("b", fight.b))
            }
        if number is None:
            self.pick("median")
        else:
            self.show(number)

    def pick(self, which: str) -> None:
        """Show the luckiest, the median or the unluckiest fight for a."""
        if which not in _PICKS:
            raise InputError("fight", which, *_PICKS)
        if self._ranked is None:
            self._ranked = self._rank()
        self.show(luck.picks(self._ranked)[which])

    def show(self, number: int) -> None:
        """Show a fight by its number."""
        self.replay = replay(self._fight, number, self._chance)
        if not self.replay.left.keys() & {f"a.{name}" for name in self._left}:
            self._left = {name[2:]: name[2:] for name in self.replay.left if name[:2] == "a."}
        self.at = 1
        self._assigning = True
        try:
            self._number.value = number
            self._slider.value, self._slider.max = 1, max(len(self.replay.frames), 1)
            self._play.value, self._play.max = 1, self._slider.max
        finally:
            self._assigning = False
        self._chart.figure = None
        self.resume()

    def go(self, at: int) -> None:
        """Show roll `at`."""
        self.at = whole("roll", at, 1, max(len(self.replay.frames), 1))
        self._assigning = True
        try:
            self._slider.value = self._play.value = self.at
        finally:
            self._assigning = False
        self._draw()

    def step(self, by: int = 1) -> None:
        """Go on by a roll, or back by −1; at either end it stays."""
        self.go(min(max(self.at + by, 1), max(len(self.replay.frames), 1)))

    # The odds

    def resume(self) -> None:
        """Work out the odds that are missing."""
        self._halt.disabled, self._more.disabled = False, True
        self._refinement.start(self._work())

    def settle(self) -> None:
        """Work out all odds now."""
        self._refinement.settle()

    def stop(self) -> None:
        """Stop working out odds; those that are there stay."""
        self._refinement.stop()
        self._halt.disabled, self._more.disabled = True, not self._missing()
        self._tell_progress()

    def close(self) -> None:
        """Stop working, and take the panel off every page."""
        self._refinement.stop()
        super().close()

    def _work(self) -> Iterator[None]:
        self._draw()
        yield
        try:
            while missing := self._missing():
                self.replay.odds(missing[0])
                self._draw()
                yield
        except Exception as error:
            self._notice.value = escape(in_words(error))
        self._halt.disabled, self._more.disabled = True, not self._missing()

    def _missing(self) -> list[int]:
        """Rolls fallen whose odds are not known, those of the roll shown first."""
        count = len(self.replay.frames)
        order = dict.fromkeys((self.at - 1, min(self.at, count), *range(count + 1)))
        return [fallen for fallen in order if not self.replay.knows(fallen)]

    def _rank(self) -> pd.DataFrame:
        """The fights by their luck for a."""
        self._notice.value = ""
        figure = next(iter(self._left), None) if isinstance(self._fight, Scenario) else None
        return luck.fights_by_luck(self._fight, figure=figure, fights=self._fights)

    # Drawing

    def _draw(self) -> None:
        self._tell_progress()
        fight, names = self.replay, self._names
        if not fight.frames:
            self._head.value = "Nothing is rolled in this fight."
            return
        frame = fight.frames[self.at - 1]
        self._dice.value = teacher_page.rolled(frame)
        self._rule.value = teacher_page.ruled(frame, self._rules)
        self._sides.value = teacher_page.sides(frame, names, self._left)
        waiting = f'<div style="{teacher_page.SMALL}">The odds are not worked out yet.</div>'
        known = fight.knows(self.at - 1) and fight.knows(self.at)
        self._odds.value = (
            teacher_page.odds_moved(fight.odds(self.at - 1), fight.odds(self.at), names)
            if known
            else waiting
        )
        if fight.known >= self.at:
            self._meter.value = teacher_page.meter(fight, self.at, names)
        else:
            self._meter.value = waiting
        self._draw_chart()
        # last, so that all the rest is there when a page tells which roll it is
        self._head.value = teacher_page.headline(frame, len(fight.frames), names, self._unit)

    def _draw_chart(self) -> None:
        fight, names = self.replay, self._names
        fallen = [at for at in range(len(fight.frames) + 1) if fight.knows(at)]
        if not fallen:
            return
        ends = {names["a"]: "a", names["b"]: "b"}
        odds = [fight.odds(at) for at in fallen]
        table = pd.DataFrame(
            {name: [getattr(each, end) for each in odds] for name, end in ends.items()},
            index=fallen,
        ).clip(0, 1)
        error = None
        if not isinstance(fight.chance, Exact):
            error = pd.DataFrame(
                {name: [each.error(end) for each in odds] for name, end in ends.items()},
                index=fallen,
            )
        ended = {"a": f"{names['a']} wins", "b": f"{names['b']} wins", "both": "both are lost"}
        end = ended.get(fight.outcome, "nobody wins")
        title = f"Fight {self._number.value}, roll by roll: {end} in {self._unit} {fight.turn}"
        now: dict[str, list[float]] = {"x": [self.at, self.at], "y": [0.0, 1.0]}
        if self._chart.figure is None:
            figure = charts.curves(
                table, error=error, title=title, x="rolls fallen", y="chance to win", name="odds"
            )
            figure.x_range = Range1d(start=-0.5, end=len(fight.frames) + 0.5)
            marked = ColumnDataSource(data=now, name="now")
            figure.line("x", "y", source=marked, color=charts.INK, line_width=2, line_dash="dotted")
            self._chart.figure = figure
        else:
            columns = curve_columns(table, error)
            self._chart.update({"odds": columns, "now": now}, title=title)

    def _tell_progress(self) -> None:
        count = len(self.replay.frames)
        missing = len(self._missing())
        exact = "exact" if isinstance(self.replay.chance, Exact) else "sampled"
        said = (
            f"{count + 1 - missing} of {count + 1} odds worked out"
            if missing
            else f"the odds of all {count} rolls are there, {exact}"
        )
        self._progress.value = f'<div role="status">{said}</div>'

    # Controls

    def _make_widgets(self) -> None:
        about = {"layout": {"width": "auto"}}
        self._rulebook = widgets.Dropdown(options=RULEBOOKS, description="rulebook", **about)
        self._ships = {x: widgets.Dropdown(description=f"ship {x}", **about) for x in ("a", "b")}
        self._meeting = widgets.Dropdown(description="they meet in", **about)
        self._turns = widgets.IntSlider(value=TURNS, min=1, max=60, description="turns", **about)
        self._number = widgets.BoundedIntText(
            min=0, max=2**53, description="fight number", style={"description_width": "auto"}
        )
        self._slider = widgets.IntSlider(
            min=1, max=1, description="roll", layout={"width": "auto", "flex": "1 1 200px"}
        )
        self._play = widgets.Play(min=1, max=1, interval=int(1000 * SECONDS), show_repeat=False)
        html = {"layout": {"min_width": "0", "overflow": "visible"}}
        self._title, self._notice, self._progress = (widgets.HTML() for _ in range(3))
        self._head, self._dice = (widgets.HTML() for _ in range(2))
        self._rule, self._sides, self._odds, self._meter = (widgets.HTML(**html) for _ in range(4))
        self._chart = LiveFigure()
        for each in (self._rulebook, *self._ships.values(), self._meeting, self._turns):
            each.observe(self._set_up, "value")
        self._number.observe(self._asked_number, "value")
        self._slider.observe(self._moved, "value")
        self._play.observe(self._moved, "value")

    def _laid_out(self) -> tuple[Any, ...]:
        row = {"flex_flow": "row wrap", "overflow": "visible", "align_items": "center"}
        picks = [self._button(which, partial(self.pick, which)) for which in _PICKS]
        back, on = self._button("Back", partial(self.step, -1)), self._button("Step", self.step)
        self._halt = self._button("Stop", self.stop)
        self._more = self._button("Go on", self.resume)
        chosen = [self._rulebook, self._meeting, *self._ships.values(), self._turns]
        controls.line_up(chosen)
        setup = widgets.VBox(chosen, layout={"max_width": "480px", "overflow": "visible"})
        parts = [
            widgets.HBox((widgets.Label("the fight, for a:"), *picks, self._number), layout=row),
            widgets.HBox((back, on, self._play, self._slider), layout=row),
            self._notice,
            widgets.HBox((self._progress, self._halt, self._more), layout=row),
            self._head,
        ]
        column = {"flex": "1 1 340px", "min_width": "0", "overflow": "visible"}
        told = widgets.VBox((self._dice, self._odds, self._rule, self._sides), layout=column)
        drawn = widgets.VBox((self._chart, self._meter), layout=column)
        wide = {"flex_flow": "row wrap", "grid_gap": "16px", "overflow": "visible"}
        whole_ = (*parts, widgets.Box((told, drawn), layout=wide))
        return (setup, self._title, *whole_) if self._setup else (self._title, *whole_)

    def _button(self, text: str, action: Callable[[], None]) -> Any:
        button = widgets.Button(description=text, layout={"width": "auto"})
        button.on_click(lambda _: self._try(action))
        return button

    def _try(self, action: Callable[[], Any]) -> None:
        self._notice.value = ""
        try:
            action()
        except Exception as error:
            self._notice.value = escape(in_words(error))

    def _moved(self, change: Any) -> None:
        if not self._assigning:
            self._try(partial(self.go, change.new))

    def _asked_number(self, change: Any) -> None:
        if not self._assigning:
            self._try(partial(self.show, change.new))

    def _set_up(self, change: Any) -> None:
        if self._assigning:
            return
        if change.owner is self._rulebook:
            self._choose_rulebook(change.new)
        self._try(lambda: self.watch(self._chosen()))

    def _choose_rulebook(self, name: str) -> None:
        """The ships and meetings of a rulebook, the first two of them chosen."""
        module = rulebook(name)
        ready = tuple(module.library()["name"])
        self._assigning = True
        try:
            for place, each in enumerate(self._ships.values()):
                each.options = ready
                each.value = ready[min(place, len(ready) - 1)]
            self._meeting.options = [(each.words, key) for key, each in _meetings(name).items()]
            self._meeting.index = 0
        finally:
            self._assigning = False

    def _chosen(self) -> Scenario:
        name = self._rulebook.value
        a, b = (rulebook(name).ship(each.value) for each in self._ships.values())
        return Scenario(name, self._meeting.value, a, b, turns=self._turns.value)


def _meetings(name: str) -> Mapping[str, Meeting]:
    """The ways in which two ships of a rulebook meet, the usual one first."""
    desk: Desk = import_module(f"navkit.rulebooks.{name}.desk").DESK
    return desk.meetings
