"""The hex map in a notebook: a fight played by mouse or keys, with its log and its odds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from navkit.chance import Roll
from navkit.errors import InputError, whole
from navkit.explorers.charted import in_words
from navkit.explorers.refinement import Refinement
from navkit.explorers.sea_picture import in_words as pose_in_words
from navkit.explorers.sea_picture import label, sea_picture
from navkit.history import History
from navkit.rulebooks.gurps.captains import CAPTAINS
from navkit.rulebooks.gurps.fleet import Fleet, Placed, Sea
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.reach import chance_to_hit, poses_in_reach
from navkit.rulebooks.gurps.sides import CAUSES
from navkit.rulebooks.gurps.table_play import Game, new_game
from navkit.rulebooks.gurps.table_position import Action, Event
from navkit.rulebooks.gurps.table_words import name, only
from navkit.rulebooks.gurps.vessel import SIDES
from navkit.rulebooks.views import growing
from navkit.words import percent

_HERE = Path(__file__)
QUICK = (256, 1024)
"""Fights of the first answers; each later one has MORE fights more."""
MORE = 2048
KEYS = {"fire": "F", "board": "B", "hold": "H", "end": "E", "fight on": "E", "break off": "O"}


def sea_map(
    a: Placed | Sequence[Placed],
    b: Placed | Sequence[Placed],
    *,
    played: str | Collection[int] = "a",
    seed: int = 1,
    rules: HouseRules | None = None,
    players: str | None = None,
    turns: int = 10,
    fights: int = 8192,
) -> SeaMap:
    """A map on which a person plays side `played`, to be shown in a notebook.

    Beneath it are the odds of the next `turns` turns if captains sail all ships from here, from up
    to `fights` sampled fights. `seed` gives the rolls, `players` the side that wins ties.

    >>> from navkit.rulebooks.gurps import ship
    >>> board = sea_map(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 14, 0, 3), fights=256)
    >>> board.choose("end turn")
    >>> board.game.turn
    2
    """
    game = new_game(a, b, played=played, seed=seed, rules=rules, players=players)
    return SeaMap(game, turns=turns, fights=fights)


class Stage(anywidget.AnyWidget):
    """A map with its ships and its log; what else is on it is up to who shows it."""

    # As text, since anywidget would hold every widget whose script is a file for good.
    _esm = traitlets.Unicode(_HERE.with_suffix(".js").read_text("utf-8")).tag(sync=True)
    _css = traitlets.Unicode(_HERE.with_suffix(".css").read_text("utf-8")).tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    odds = traitlets.Dict().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.on_msg(Stage._hear)

    def _hear(self, asked: dict[str, Any], buffers: Sequence[memoryview]) -> None:
        if "loaded" in asked:  # by a page, which missed what changed meanwhile (see LivePanel)
            self.send_state()
            return
        try:
            self.answer(**asked)
        except Exception as error:
            self.shown = {**self.shown, "notice": in_words(error)}

    def answer(self, **asked: Any) -> None:
        """Do what the page asks for."""
        raise NotImplementedError


class SeaMap(Stage):
    """A fight on the map. `game` is how it stands; assigning another shows that one."""

    def __init__(self, game: Game, *, turns: int = 10, fights: int = 8192) -> None:
        self._turns = whole("turns", turns, 1, 200)
        self._fights = whole("fights", fights, 1, 1_000_000)
        self._refinement = Refinement()
        self._history: History | None = None
        self._game = game
        super().__init__()
        self._show()

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._game

    @game.setter
    def game(self, game: Game) -> None:
        self._game = game
        self._show()

    @property
    def history(self) -> History | None:
        """The odds as far as they are known: a sample of fights from here."""
        return self._history

    def choose(self, words: str, rolls: Sequence[Roll] = ()) -> None:
        """Choose what is offered in words that begin so, such as "end turn" or "fire 7 left"."""
        offered = {_words(self.game, each): each for each in self.game.actions}
        for known, action in offered.items():
            if known.lower().startswith(words.lower()):
                self.game = self.game.do(action, rolls)
                return
        raise InputError("choice", words, *offered)

    def settle(self) -> None:
        """Take the odds to the full number of fights now."""
        self._refinement.settle()

    def close(self) -> None:
        """Stop sampling and take the map off every page."""
        self._refinement.stop()
        super().close()

    def answer(self, **asked: Any) -> None:
        """Do what the page asks for: a choice, a way to sail, undo, other orders, odds."""
        game, rolls = self.game, _rolls(asked.get("rolls", ""))
        match asked:
            case {"do": int(number)}:
                self.game = game.do(_of(game.actions, number), rolls)
            case {"go": int(number)}:
                self.game = game.sail(_of(poses_in_reach(game), number).path)
            case {"undo": True} if game.before is not None:
                self.game = game.before
            case {"order": [int(ship), str(captain)]}:
                self.game = game.ordered(ship, captain)
            case {"cancel": True}:
                self._refinement.stop()
                self.odds = {**self.odds, "running": False}
            case {"more": True}:
                self._refinement.start(self._answers(self._history))

    def _show(self) -> None:
        game = self.game
        poses = poses_in_reach(game)
        fleet = game.fleet
        self.shown = {
            "kind": "play",
            "board": sea_picture(fleet, game.sea, poses=poses, asked=game.asked, key=self._key),
            "poses": [pose_in_words(fleet, each) for each in poses],
            "headline": _headline(game),
            "notice": "",
            "choices": [
                {"number": number, "words": _words(game, each), "key": KEYS.get(each.kind, "")}
                for number, each in enumerate(game.actions)
                if each.kind != "move"
            ],
            "undo": game.before is not None,
            "captains": list(CAPTAINS),
            "ships": ships(fleet, game.sea, played=game.played),
            "log": [line(fleet, event) for event in game.log],
        }
        if game.is_over:
            self._refinement.stop()
            self._history, self.odds = None, {"over": _headline(game)}
        else:
            self._refinement.start(self._answers())

    @property
    def _key(self) -> str:
        return f"hexes-{self.model_id}"

    def _answers(self, so_far: History | None = None) -> Iterator[None]:
        """Odds from more and more fights, those of `so_far` among them."""
        try:
            for seen in _samples(self.game, self._turns, self._fights, so_far):
                self._history = seen
                self.odds = _odds(seen, self._fights)
                yield
        except Exception as error:
            self._history, self.odds = None, {"over": in_words(error)}


def _samples(game: Game, turns: int, fights: int, so_far: History | None) -> Iterator[History]:
    """Histories of more and more fights from here, after those of `so_far`."""
    few = (size for size in QUICK if size < fights)
    sizes = (*few, *range(QUICK[-1] + MORE, fights, MORE), fights)
    return growing(partial(game.odds, turns), sizes, seed=game.seed, so_far=so_far)


def ships(fleet: Fleet, sea: Sea, played: Collection[int] = ()) -> list[dict[str, Any]]:
    """What is told of each ship beside the map."""
    found = []
    for i, vessel in enumerate(sea.ships):
        ship = fleet.ship(i)
        lost = only(vessel.lost)
        found.append(
            {
                "name": name(fleet, i),
                "label": label(fleet, i),
                "side": fleet.sides[i],
                "played": i in played,
                "captain": fleet.captain(i).name,
                "bars": [
                    ["hull", only(vessel.hull), ship.hull],
                    ["hands", only(vessel.crew), ship.crew],
                ],
                "guns": [
                    f"{side} {only(loaded)}/{guns}"
                    for side, loaded, guns in zip(SIDES, vessel.loaded, ship.cannons, strict=True)
                    if guns
                ],
                "dr": only(vessel.dr),
                "lost": CAUSES[lost - 1].replace("_", " ") if lost else "",
            }
        )
    return found


def line(fleet: Fleet, event: Event) -> dict[str, Any]:
    """A line of the log for the page."""
    who = name(fleet, event.ship) if event.ship >= 0 else ""
    side = fleet.sides[event.ship] if event.ship >= 0 else ""
    return {"who": who, "side": side, "words": event.words, "rule": event.rule}


def _of(offered: Sequence[Any], number: int) -> Any:
    return offered[whole("choice", number, 0, len(offered) - 1)]


def _rolls(text: str) -> list[Roll]:
    """Rolls typed by a person: whole numbers with anything between them.

    >>> _rolls("9, 18")
    [9, 18]
    """
    if re.fullmatch(r"[\d\s,;]*", text) is None:
        raise InputError("rolls", text, "whole numbers, such as 9, 18")
    return [int(each) for each in re.findall(r"\d+", text)]


def _words(game: Game, action: Action) -> str:
    """A choice as its button says it."""
    match action.kind:
        case "fire":
            chance = percent(chance_to_hit(game, action.ship, action.foe))
            foe = name(game.fleet, action.foe)
            return f"Fire {action.guns} {action.side} at {foe} ({chance})"
        case "board":
            return f"Board {name(game.fleet, action.foe)}"
        case "hold":
            return "Hold"
        case "end":
            return "End turn"
        case "move":
            return {1: "Ahead, turn left", 0: "Ahead", -1: "Ahead, turn right"}[action.turn]
        case kind:
            return kind.capitalize()


def _headline(game: Game) -> str:
    """Whose choice it is, and why."""
    fleet, winner = game.fleet, game.winner
    if winner is not None:
        names = {"a": "Side A has won.", "b": "Side B has won.", "both": "Both sides are lost."}
        return names[winner]
    if game.asked is None:
        return f"Undecided after {game.turns} turns."
    ship = name(fleet, game.asked)
    if any(action.kind == "break off" for action in game.actions):
        return f"Turn {game.turn}: {ship} is in a boarding. Fight on, or break off at −3?"
    if game.is_interrupting:
        return f"Turn {game.turn}: an enemy is moving. {ship} may act now, or hold."
    if game.is_threatened:
        return f"Turn {game.turn}: an enemy is about to act. {ship} may act first, or hold."
    return f"Turn {game.turn}: {ship} to move and fire."


def _odds(seen: History, goal: int) -> dict[str, Any]:
    end, fights = seen.outcome(), seen.fights or 0
    rows = [
        [words, float(end[outcome]), percent(float(end[outcome]), fights=fights)]
        for outcome, words in (
            ("a", "A wins"),
            ("b", "B wins"),
            ("both", "both lost"),
            ("undecided", "undecided"),
        )
    ]
    return {
        "title": f"If all fight on like this, in the next {seen.turns} turns:",
        "rows": rows,
        "fights": fights,
        "goal": goal,
        "running": fights < goal,
    }
