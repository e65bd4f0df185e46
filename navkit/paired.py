"""Two histories of one fight: how far one outcome is likelier in the other, and what differs.

>>> from navkit.chance import Sampled
>>> from navkit.rulebooks import gurps
>>> sloop, brig = gurps.ship("Sloop"), gurps.ship("Brig")
>>> sample = Sampled(2048, ends=True)
>>> one = gurps.duel(sloop, brig, turns=3, chance=sample)
>>> two = gurps.duel(sloop, brig, turns=3, chance=sample, rules=gurps.HouseRules(reload="none"))
>>> effect(one, two)
'outcome'
>>> [round(each, 3) for each in difference(one, two, "b", 3)]
[0.003, 0.001]
"""

from __future__ import annotations

import numpy as np

from navkit.chance import Array
from navkit.history import History
from navkit.tally import STATUSES, UNDECIDED
from navkit.words import NORMAL_95

EQUAL = 1e-12
"""Exact chances that are closer than this differ by what the odds leave out, if at all."""
NO_EFFECT, OTHER_FIGURES, CHANGES = "none", "figures alone", "outcome"


def difference(base: History, other: History, outcome: str, turn: int) -> tuple[float, float]:
    """By how much likelier an outcome is by the end of `turn` in another history, and the error.

    Of two samples that share their dice and know their ends, the error comes from the fights that
    went otherwise: far less than that of two samples of their own, if few did. An error is above 0
    even if none did, as Wilson's is. Other samples count as independent of one another.
    """
    one, two = (h.table()[outcome].iloc[turn] for h in (base, other))
    gap = float(two - one)
    if base.codes is not None and other.codes is not None and _same_fights(base, other):
        fights = len(base.codes)
        ahead = _is_so(other.codes, outcome, turn).astype(np.int8)
        step = ahead - _is_so(base.codes, outcome, turn)
        spread = float(np.mean(step * step)) - float(np.mean(step)) ** 2
        return gap, float(np.sqrt(spread / fights + (NORMAL_95 / (2 * fights)) ** 2))
    own = [h.error_of(h.table()[[outcome]])[outcome].iloc[turn] for h in (base, other)]
    return gap, float(np.hypot(*own))


def effect(base: History, other: History) -> str:
    """What is otherwise in another history: nothing, figures of the sides alone, or the outcome."""
    same_ends = _close(base.tally.mass, other.tally.mass)
    if base.codes is not None and other.codes is not None:
        same_ends = same_ends and bool(np.array_equal(base.codes, other.codes))
    causes = ((found, other.tally.causes[side]) for side, found in base.tally.causes.items())
    if not same_ends or not all(_close(*pair) for pair in causes):
        return CHANGES
    values = _values(base), _values(other)
    same = values[0].keys() == values[1].keys()
    if same and all(_close(found, values[1][key]) for key, found in values[0].items()):
        return NO_EFFECT
    return OTHER_FIGURES


def _same_fights(base: History, other: History) -> bool:
    return base.first == other.first and base.fights == other.fights


def _is_so(codes: Array, outcome: str, turn: int) -> Array:
    ended, status = np.divmod(codes, len(STATUSES))
    if outcome == STATUSES[UNDECIDED]:
        return (status == UNDECIDED) | (ended > turn)
    return (status == STATUSES.index(outcome)) & (ended <= turn)


def _values(history: History) -> dict[tuple[str, int, int], Array]:
    """Tracks by turn and status, without the tails of zeros."""
    found = {key: np.trim_zeros(each, "b") for key, each in history.tally.values.items()}
    return found | {key: np.array([each]) for key, each in history.tally.sums.items()}


def _close(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=0, atol=EQUAL))
