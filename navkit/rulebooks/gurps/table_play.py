"""A fight on the map as it is played at a table: a person chooses for some ships.

A `Game` is a value: `do` gives the game after a choice, and `before` is the one before it, so
that nothing has to be undone. The rules are the functions of `sea`, called in the order in which
its sampled fights call them, with the same random numbers: a game in which captains sail all
ships is fight `number` of a sample with the same seed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
import pandas as pd

from navkit.battle import Battle, Repeat, Step, play
from navkit.chance import GROUP, Array, Chance, Roll, Sampled
from navkit.draws import Draws
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.log import Entry
from navkit.rulebooks.gurps import table_words as words
from navkit.rulebooks.gurps.captains import Captain, captain
from navkit.rulebooks.gurps.fleet import Fleet, Placed, Sea, at_start, fleet_of
from navkit.rulebooks.gurps.grappling import can_board, fights_boarding, grappled, has_boarders
from navkit.rulebooks.gurps.gunfire import guns_on, shot_at
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.sea import MOST_ACTIONS, Deed, Part, deeds, sea_battle, turn_parts
from navkit.rulebooks.gurps.steering import TURNS, is_shut, may_ram, moved
from navkit.rulebooks.gurps.table_words import Told, only
from navkit.rulebooks.gurps.turn_order import roll_initiative
from navkit.rulebooks.gurps.vessel import SIDES
from navkit.script import Script
from navkit.turns import BRANCHES, standing

LONGEST = 200
Kind = Literal["move", "fire", "board", "hold", "end", "fight on", "break off"]


@dataclass(frozen=True)
class Action:
    """A choice of a ship.

    `move` is a hex ahead and a turning (1 left, 0 none, −1 right), `fire` a volley of `guns` of
    the battery `side` at ship `foe`, `board` the start of a boarding. `hold` lets those act who
    may act now, `end` ends the turn. `fight on` and `break off` are for a boarding.
    """

    kind: Kind
    ship: int
    turn: int = 0
    foe: int = -1
    side: str = ""
    guns: int = 0


@dataclass(frozen=True, eq=False)
class Event:
    """A line of the log: what happened, by which rule, the rolls made, and the sea after it."""

    turn: int
    ship: int
    words: str
    rule: str
    rolls: tuple[Entry, ...] = ()
    sea: Sea = field(repr=False, kw_only=True)


@dataclass(frozen=True, eq=False)
class Game:
    """A fight on the map and what is played of it.

    `played` are the numbers of the ships a person plays; captains sail the others, and give the
    standing orders of all (points lent, masts saved, the surgeon). `asked` is the ship that must
    choose now, None when the fight is over, and `actions` are its choices. `at` is the part of
    the turn, `again` how often it has been played; `passed` are ships that let this moment go by,
    `told` what was said about breaking off.
    """

    fleet: Fleet
    played: frozenset[int]
    seed: int
    number: int
    turns: int
    sea: Sea
    turn: int = 0
    at: int = 0
    again: int = 0
    passed: frozenset[int] = frozenset()
    told: tuple[tuple[int, bool], ...] = ()
    log: tuple[Event, ...] = ()
    before: Game | None = field(default=None, repr=False)

    # What is so

    @cached_property
    def winner(self) -> str | None:
        """The side that has won, "both" where both are lost, None while the fight is open."""
        status, _ = standing(_battle(self.fleet), self.sea)
        return {0: None, 1: "a", 2: "b", 3: "both"}[int(status[0])]

    @property
    def is_over(self) -> bool:
        """Whether a side is lost, or all turns are played."""
        return self.winner is not None or self.turn > self.turns

    @property
    def asked(self) -> int | None:
        """The number of the ship that must choose now."""
        choices = self.actions
        return choices[0].ship if choices else None

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What the ship that is asked may do.

        Source: GURPS/Naval Combat, Initiative roll; Vessel Movement; Attacks; Boarding.
        """
        return () if self.is_over else _choices(self)

    @property
    def is_interrupting(self) -> bool:
        """Whether the ship that is asked may act in another's turn."""
        part = self._part
        return part.kind == "deeds" and self.asked not in (None, part.ship)

    @property
    def is_threatened(self) -> bool:
        """Whether enemies will act as soon as the ship whose turn it is lets them."""
        part = self._part
        mine = part.kind == "deeds" and self.asked == part.ship
        return mine and any(action.kind == "hold" for action in self.actions)

    def table(self) -> pd.DataFrame:
        """The log: turn, ship, what happened, and the rule it comes from."""
        rows = [
            (e.turn, words.name(self.fleet, e.ship) if e.ship >= 0 else "", e.words, e.rule)
            for e in self.log
        ]
        return pd.DataFrame(rows, columns=["turn", "ship", "what happened", "rule"])

    @property
    def _part(self) -> Part:
        return _parts(self.fleet)[self.at]

    # What is done

    def do(self, action: Action, rolls: Sequence[Roll] = ()) -> Game:
        """The game after a choice, and after all that captains do until a person is asked again.

        `rolls` are made at the table: the next rolls, in the order in which they are made, as
        totals or as tuples of faces. Where there are none left, the seed decides, and gives the
        same rolls to the same choices. Raises InputError for what is not among `actions`, and for
        rolls that can't be or are not made.
        """
        allowed = self.actions
        same = [each for each in allowed if replace(each, guns=action.guns) == action]
        if not same or not 1 <= max(action.guns, 1) <= max(same[0].guns, 1):
            raise InputError("action", action, *map(str, allowed))
        luck = _Luck(self, rolls)
        game = _done(replace(self, before=self), action, luck)
        game = _onward(game, luck)
        luck.finish()
        return game

    def sail(self, path: Iterable[int]) -> Game:
        """The game after some hexes, each with its turning, as far as nothing comes between."""
        game, ship = self, self.asked
        for turn in path:
            action = Action("move", -1 if ship is None else ship, turn)
            if game is not self and action not in game.actions:
                break
            count = len(game.log)
            game = game.do(action)
            if any(event.ship not in (ship, -1) for event in game.log[count:]):
                break
        return replace(game, before=self)

    def ordered(self, ship: int, by: Captain | str) -> Game:
        """The game with another captain for a ship."""
        whole("ship", ship, 0, len(self.fleet) - 1)
        placed = list(self.fleet.placed)
        placed[ship] = replace(placed[ship], captain=captain(by))
        return replace(self, fleet=replace(self.fleet, placed=tuple(placed)), before=self)

    def odds(self, turns: int = 10, chance: Sampled | None = None) -> History:
        """What becomes of the fight if captains sail all ships from here, in so many more turns.

        Turn 0 of the history is the end of this turn.

        >>> from navkit.rulebooks.gurps import ship
        >>> game = new_game(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 6, 0, 3))
        >>> round(float(game.odds(5, Sampled(fights=1024)).outcome()["a"]), 1)
        1.0
        """
        if self.turn == 0:
            raise InputError("odds before", "initiative", "a game that has begun")
        battle = sea_battle(self.fleet, self.sea, self.at)
        return play(battle, turns, Sampled(seed=self.seed) if chance is None else chance)


def new_game(
    a: Placed | Sequence[Placed],
    b: Placed | Sequence[Placed],
    *,
    played: str | Collection[int] | None = "a",
    seed: int = 1,
    number: int = 0,
    turns: int = 50,
    rules: HouseRules | None = None,
    players: str | None = None,
    rolls: Sequence[Roll] = (),
) -> Game:
    """A game on the map, up to the first choice of a person.

    `played` is the side a person plays, or "ab", or numbers of ships (those of a first), or None:
    then captains sail all ships to the end. `players` names the side that wins ties of
    initiative, by default the one a person plays. Fight `number` of `seed` gives the rolls that
    `rolls` doesn't.
    Source: GURPS/Naval Combat, Naval Combat Mechanics.

    >>> from navkit.rulebooks.gurps import ship
    >>> game = new_game(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 14, 0, 3))
    >>> game.log[0].words
    'Initiative: Brig 2 + Move 3; Sloop 3 + Move 2'
    >>> [action.kind for action in game.actions]
    ['move', 'move', 'move', 'end']
    """
    rules = HouseRules.of(rules)
    if players is None and played in ("a", "b"):
        players = str(played)
    fleet = fleet_of(a, b, rules, players)
    whole("seed", seed, 0, 2**64 - 1)
    whole("number", number, 0, 2**53)
    whole("turns", turns, 1, LONGEST)
    game = Game(fleet, _numbers(fleet, played), seed, number, turns, at_start(fleet))
    luck = _Luck(game, rolls)
    step = Step(roll_initiative(fleet))
    sea, made = luck.run(step.run, game.sea, 0, 0, 0, "")
    game = _noted(replace(game, sea=sea, turn=1), words.initiative_rolled(fleet, sea), made)
    game = _onward(game, luck)
    luck.finish()
    return game


def _numbers(fleet: Fleet, played: str | Collection[int] | None) -> frozenset[int]:
    if played is None:
        return frozenset()
    if isinstance(played, str):
        if played not in ("a", "b", "ab"):
            raise InputError("played", played, "a", "b", "ab", "None", "numbers of ships")
        return frozenset(i for i, side in enumerate(fleet.sides) if side in played)
    return frozenset(whole("played", each, 0, len(fleet) - 1) for each in played)


@lru_cache(maxsize=64)
def _battle(fleet: Fleet) -> Battle[Sea]:
    return sea_battle(fleet)


@lru_cache(maxsize=64)
def _parts(fleet: Fleet) -> list[Part]:
    return turn_parts(fleet)


@lru_cache(maxsize=256)
def _deeds(fleet: Fleet, i: int) -> list[Deed]:
    return deeds(fleet, i)


# Luck


class _Luck:
    """The rolls of a person first, then those of the fight's number and seed."""

    def __init__(self, game: Game, rolls: Sequence[Roll]) -> None:
        group, place = np.array([game.number // GROUP]), np.array([game.number % GROUP])
        self._log: list[Entry] = []
        self._typed = Script(rolls)
        self._drawn = Draws(game.seed, group, place)
        self._typed.log = self._drawn.log = self._log

    def run(
        self,
        rule: Callable[[Sea, Chance], Sea],
        sea: Sea,
        turn: int,
        step: int,
        again: int,
        side: str,
    ) -> tuple[Sea, tuple[Entry, ...]]:
        """The sea after a rule, and the rolls made for it."""
        self._typed.begin(turn, step, again, side)
        self._drawn.begin(turn, step, again, side)
        count = len(self._log)
        return rule(sea, self), tuple(self._log[count:])

    def finish(self) -> None:
        """Raises InputError if rolls are left over."""
        left = self._typed.left[self._typed.used :]
        if left:
            raise InputError("rolls", left, "no more rolls than are made before the next choice")

    @property
    def _next(self) -> Script | Draws:
        return self._typed if self._typed.used < len(self._typed.left) else self._drawn

    def roll(self, *which: Any, **about: Any) -> Array:
        """See `Chance.roll`."""
        return self._next.roll(*which, **about)

    def check(self, which: Any, at_most: Array | int, **about: Any) -> Array:
        """See `Chance.check`."""
        return self._next.check(which, at_most, **about)

    def roll_from(self, family: Any, *numbers: Array, **about: Any) -> Array:
        """See `Chance.roll_from`."""
        return self._next.roll_from(family, *numbers, **about)

    def faces(self, sides: int, count: Array, then: Any, **about: Any) -> Array:
        """See `Chance.faces`."""
        return self._next.faces(sides, count, then, **about)


# What may be chosen


def _choices(game: Game) -> tuple[Action, ...]:
    part, sea = game._part, game.sea
    if part.ship < 0 or not part.is_active(sea):
        return ()
    i = part.ship
    if part.kind == "boarding":
        fights = only(sea.ships[i].boarder) > 0 and only(sea.ships[i].foe) == part.foe + 1
        undecided = [k for k in (i, part.foe) if k in game.played - dict(game.told).keys()]
        if not fights or not undecided:
            return ()
        return Action("fight on", undecided[0]), Action("break off", undecided[0])
    if part.kind != "deeds" or game.again >= MOST_ACTIONS:
        return ()
    if i not in game.played:
        return _of_interrupter(game, _first(game))
    own = _attacks(game, i)
    first = _first(game)
    if first is not None and own and i not in game.passed:
        return (*own, Action("hold", i))
    if first is not None:
        return _of_interrupter(game, first)
    return (*_steering(game, i), *own, Action("end", i))


def _of_interrupter(game: Game, first: int | tuple[int, Deed] | None) -> tuple[Action, ...]:
    """The choices of a person whose ship may act in another's turn."""
    if not isinstance(first, int):
        return ()
    return (*_attacks(game, first, only_at=game._part.ship), Action("hold", first))


def _first(game: Game) -> int | tuple[int, Deed] | None:
    """What comes next in a ship's turn: a deed of a captain with its place, or a played ship.

    The ship that moves comes first, then those that interrupt it. What a person does with the
    ship that moves is not among these.
    """
    i, sea, fleet = game._part.ship, game.sea, game.fleet
    mine = i in game.played
    asked = not only(sea.ships[i].moved)
    for place, deed in enumerate(_deeds(fleet, i)):
        foe = deed.to if deed.by == i else deed.by
        if deed.kind in ("interrupt", "move") and not asked:
            asked = True
            for j in fleet.enemies(i):
                if j in game.played - game.passed and _attacks(game, j, only_at=i):
                    return j
        if deed.kind == "board":
            wants = any(
                k not in game.played and fleet.captain(k).boards and has_boarders(fleet, sea, k)[0]
                for k in (i, foe)
            )
            if wants and can_board(sea, i, foe)[0]:
                return place, deed
        elif deed.by not in game.played and deed.guard(sea)[0] and not (mine and deed.by == i):
            return place, deed
    return None


def _attacks(game: Game, i: int, only_at: int | None = None) -> list[Action]:
    """Volleys that ship i can fire now, and boardings that it can begin."""
    fleet, sea, found = game.fleet, game.sea, []
    interrupts = only_at is not None
    for j in fleet.enemies(i) if only_at is None else [only_at]:
        if not interrupts or fleet.rules.interrupt != "never":
            for side, guns in zip(SIDES, guns_on(fleet, sea, i, j), strict=True):
                if only(guns) > 0:
                    found.append(Action("fire", i, foe=j, side=side, guns=only(guns)))
        touch = can_board(sea, j, i) if interrupts else can_board(sea, i, j)  # the mover first
        if touch[0] and has_boarders(fleet, sea, i)[0]:
            found.append(Action("board", i, foe=j))
    return sorted(found, key=lambda each: (each.kind == "board", -each.guns))


def _steering(game: Game, i: int) -> list[Action]:
    """The next hexes that ship i may move to.

    Source: GURPS/Naval Combat, Vessel Movement; Ramming.
    """
    fleet, sea = game.fleet, game.sea
    if not _deeds(fleet, i)[-1].guard(sea)[0]:
        return []
    if may_ram(fleet, sea, i)[0]:
        return [Action("move", i)]
    return [Action("move", i, turn) for turn in TURNS if not is_shut(fleet, sea, i, turn)[0]]


# What is done


def _done(game: Game, action: Action, luck: _Luck) -> Game:
    """The game after a person's choice alone."""
    part, fleet = game._part, game.fleet
    i, j = action.ship, action.foe
    match action.kind:
        case "hold":
            return replace(game, passed=game.passed | {i})
        case "end":
            return _next_part(game)
        case "fight on" | "break off":
            return replace(game, told=(*game.told, (i, action.kind == "break off")))
        case "move":
            return _acted(game, luck, _place_of(game, "move", i, i), _steered(fleet, action))
        case "board":
            place = _place_of(game, "board", part.ship, j if i == part.ship else i)
            return _acted(game, luck, place, lambda sea, _: grappled(sea, i, j, _one(sea)), i)
        case "fire":
            kind = "fire" if i == part.ship else "interrupt"
            return _acted(game, luck, _place_of(game, kind, i, j), _aimed(fleet, action))


def _one(sea: Sea) -> Array:
    return np.ones_like(sea.ships[0].foe)


def _steered(fleet: Fleet, action: Action) -> Callable[[Sea, Chance], Sea]:
    def rule(sea: Sea, chance: Chance) -> Sea:
        stay = np.zeros(1, dtype=bool)
        return moved(fleet, sea, action.ship, stay=stay, turn=np.array([action.turn]))

    return rule


def _aimed(fleet: Fleet, action: Action) -> Callable[[Sea, Chance], Sea]:
    side = np.array([SIDES.index(action.side)])
    guns = np.array([action.guns], dtype=np.int32)
    return lambda sea, chance: shot_at(fleet, sea, action.ship, action.foe, side, guns, chance)


def _place_of(game: Game, kind: str, by: int, to: int) -> int:
    """Where a deed stands among those of this turn; its random numbers hang on that."""
    wanted = (kind, by, to)
    found = _deeds(game.fleet, game._part.ship)
    return next(at for at, deed in enumerate(found) if (deed.kind, deed.by, deed.to) == wanted)


def _acted(
    game: Game,
    luck: _Luck,
    place: int,
    rule: Callable[[Sea, Chance], Sea],
    starter: int | None = None,
) -> Game:
    """The game after a deed of the ship's turn: `place` among its deeds, done as `rule` does."""
    fleet, deed = game.fleet, _deeds(game.fleet, game._part.ship)[place]
    step = game.at * BRANCHES + place
    side = fleet.sides[deed.by]
    sea, rolls = luck.run(rule, game.sea, game.turn, step, game.again, side)
    match deed.kind:
        case "move":
            told = words.moved(fleet, game.sea, sea, deed.by)
            game = replace(game, passed=frozenset())
        case "board":
            first = starter
            if first is None:
                first = deed.by if only(sea.ships[deed.by].boarder) else deed.to
            told = words.grappled(fleet, first, deed.to if first == deed.by else deed.by)
        case kind:
            told = words.fired(fleet, game.sea, sea, deed.by, deed.to, rolls, kind == "interrupt")
    return _noted(replace(game, sea=sea, again=game.again + 1), told, rolls)


def _noted(game: Game, told: Iterable[Told], rolls: Sequence[Entry] = ()) -> Game:
    """The game with lines added to its log, the rolls to the first of them."""
    log = list(game.log)
    for each in told:
        log.append(Event(game.turn, *each, rolls=tuple(rolls), sea=game.sea))
        rolls = ()
    return replace(game, log=tuple(log))


def _next_part(game: Game) -> Game:
    game = replace(game, again=0, passed=frozenset(), at=game.at + 1)
    if game._part.kind in ("deeds", "begin"):
        game = replace(game, told=())
    return game


def _onward(game: Game, luck: _Luck) -> Game:
    """The game played on until a person is asked, or it is over."""
    while not game.is_over and not game.actions:
        game = _played_on(game, luck)
    return game


def _played_on(game: Game, luck: _Luck) -> Game:
    """The game after the next thing that captains, or nobody, decide."""
    part = game._part
    if part.kind == "deeds":
        first = _first(game) if part.is_active(game.sea) and game.again < MOST_ACTIONS else None
        if first is None or isinstance(first, int):
            return _next_part(game)
        place, deed = first
        rule = deed.rule
        if deed.kind == "board" and game.played & {deed.by, deed.to}:
            (starter,) = {deed.by, deed.to} - game.played
            other = deed.to if starter == deed.by else deed.by
            return _acted(
                game, luck, place, lambda sea, _: grappled(sea, starter, other, _one(sea)), starter
            )
        return _acted(game, luck, place, rule)
    repeats = isinstance(part.part, Repeat)
    step = part.part.step if isinstance(part.part, Repeat) else part.part
    if not isinstance(step, Step):
        raise TypeError(f"alternatives in a part that is {part.kind}")
    most = part.part.most if isinstance(part.part, Repeat) else 1
    if game.again >= most or (step.when is not None and not step.when(game.sea)[0]):
        return _next_turn(game) if part.kind == "end" else _next_part(game)
    rule = step.run
    if part.kind == "boarding":
        rule = fights_boarding(game.fleet, part.ship, part.foe, dict(game.told))
    number = game.at * BRANCHES
    sea, rolls = luck.run(rule, game.sea, game.turn, number, game.again, step.side)
    after = replace(game, sea=sea, again=game.again + 1)
    after = _noted(after, _told(game, part, sea, rolls), rolls)
    if part.kind == "end":
        return _next_turn(after)
    return after if repeats else _next_part(after)


def _next_turn(game: Game) -> Game:
    return replace(game, turn=game.turn + 1, at=0, again=0, passed=frozenset(), told=())


def _told(game: Game, part: Part, sea: Sea, rolls: Sequence[Entry]) -> Iterable[Told]:
    match part.kind:
        case "roll-off":
            return words.rolled_off(game.fleet, sea)
        case "begin":
            return words.begun(game.fleet, sea, game.turn)
        case "boarding":
            return words.boarded(game.fleet, game.sea, sea, part.ship, part.foe, rolls)
        case "end":
            return words.ended(game.fleet, game.sea, sea)
        case _:
            return ()
