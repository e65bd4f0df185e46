"""Plays turns until the fight ends.

The same steps run with all outcomes at once, with one draw a fight, or with scripted rolls; see
`navkit.chance`. What comes out is a `History`.
"""

from __future__ import annotations

from dataclasses import replace

from navkit.chance import Exact, Sampled, Scripted, TooManyStates
from navkit.engine.exact import LONGEST, finish, solve, some_turns
from navkit.engine.sampling import sample, single
from navkit.engine.script import Script
from navkit.engine.turns import Battle, Either, Repeat, Step, cause_of
from navkit.errors import InputError
from navkit.history import History
from navkit.state import State

__all__ = ["Battle", "Either", "Repeat", "Step", "cause_of", "play", "some_turns"]

AUTOMATIC = Exact(states=200_000, work=4_000_000)
"""How far an exact answer is tried where the caller does not choose."""


def play(
    battle: Battle[State], turns: int | None, chance: Exact | Sampled | Scripted | None = None
) -> History:
    """What becomes of a battle in `turns` turns; None plays it to the end.

    With `chance=None` the odds are exact where that is quick, and else sampled from 20,000
    fights; `history.fights` tells which. An exact fight to the end has one turn, the end; other
    ones play at most 1000. Raises InputError for turns outside 1 to 1000, for another chance, and
    for a script with wrong, missing or left-over rolls; TooManyStates where exact odds do not fit.
    """
    if turns is not None:
        turns = some_turns(turns)
    return replace(_played(battle, turns, chance), battle=battle, limit=turns or LONGEST)


def _played(
    battle: Battle[State], turns: int | None, chance: Exact | Sampled | Scripted | None
) -> History:
    match chance:
        case None if not battle.countable:
            return _played(battle, turns, Sampled())
        case Exact() if not battle.countable:
            raise InputError("chance", chance, "Sampled(...) or Scripted([...]) for this battle")
        case None:
            try:
                return _played(battle, turns, AUTOMATIC)
            except TooManyStates:
                return _played(battle, turns, Sampled())
        case Exact():
            return finish(battle, chance) if turns is None else solve(battle, turns, chance)
        case Sampled():
            return sample(battle, turns or LONGEST, chance)
        case Scripted():
            script = Script(chance.rolls)
            history = single(battle, turns or LONGEST, script)
            script.finish()
            return history
        case _:
            allowed = "None, Exact(...), Sampled(...) or Scripted([...])"
            raise InputError("chance", chance, allowed)
