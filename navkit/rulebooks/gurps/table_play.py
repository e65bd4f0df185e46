"""A fight on the map as it is played at a table: a person chooses for some ships.

A `Game` is a value: `do` gives the game after a choice, and `before` is the one before it, so
that nothing has to be undone. The rules are the functions of `sea`, called in the order in which
its sampled fights call them, with the same random numbers: a game in which captains sail all
ships is fight `number` of a sample with the same seed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from navkit.battle import Repeat, Step, play, some_turns
from navkit.chance import Array, Chance, Roll, Sampled
from navkit.engine.turns import BRANCHES
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.log import Entry
from navkit.rulebooks.gurps import table_words as words
from navkit.rulebooks.gurps.captains import Captain, captain
from navkit.rulebooks.gurps.fleet import Fleet, Placed, Sea, at_start, fleet_of
from navkit.rulebooks.gurps.grappling import fights_boarding, grappled
from navkit.rulebooks.gurps.gunfire import shot_at
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.sea import MOST_ACTIONS, Part, sea_battle
from navkit.rulebooks.gurps.steering import moved
from navkit.rulebooks.gurps.table_luck import Luck
from navkit.rulebooks.gurps.table_position import (
    Action,
    Event,
    Position,
    comes_next,
    deeds_of,
)
from navkit.rulebooks.gurps.table_words import Told, only
from navkit.rulebooks.gurps.turn_order import roll_initiative
from navkit.rulebooks.gurps.vessel import SIDES

LONGEST = 200


@dataclass(frozen=True, eq=False)
class Game(Position):
    """A fight on the map and what is played of it: a position, and what may be done in it.

    `before` is the game before the last choice, None at the start. See `Position` for the rest.

    >>> from navkit.rulebooks.gurps import ship
    >>> game = new_game(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 14, 0, 3))
    >>> after = game.do(Action("move", ship=0))
    >>> after.log[-1].words, after.before is game
    ('goes ahead', True)
    """

    before: Game | None = field(default=None, repr=False)

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
        luck = Luck(self.seed, self.number, rolls)
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
        turns = some_turns(turns)
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
    'Initiative: Brig rolls 2 + Move 3; Sloop rolls 3 + Move 2'
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
    luck = Luck(seed, number, rolls)
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


# What is done


def _done(game: Game, action: Action, luck: Luck) -> Game:
    """The game after a person's choice alone."""
    part, fleet = game.part, game.fleet
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
    found = deeds_of(game.fleet, game.part.ship)
    return next(at for at, deed in enumerate(found) if (deed.kind, deed.by, deed.to) == wanted)


def _acted(
    game: Game,
    luck: Luck,
    place: int,
    rule: Callable[[Sea, Chance], Sea],
    starter: int | None = None,
) -> Game:
    """The game after a deed of the ship's turn: `place` among its deeds, done as `rule` does."""
    fleet, deed = game.fleet, deeds_of(game.fleet, game.part.ship)[place]
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
    if game.part.kind in ("deeds", "begin"):
        game = replace(game, told=())
    return game


def _onward(game: Game, luck: Luck) -> Game:
    """The game played on until a person is asked, or it is over."""
    while not game.is_over and not game.actions:
        game = _played_on(game, luck)
    return game


def _played_on(game: Game, luck: Luck) -> Game:
    """The game after the next thing that captains, or nobody, decide."""
    part = game.part
    if part.kind == "deeds":
        first = comes_next(game) if part.is_active(game.sea) and game.again < MOST_ACTIONS else None
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
