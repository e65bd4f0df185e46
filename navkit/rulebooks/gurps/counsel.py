"""When to board, told to people: the best decisions of small ships, simple doctrines of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from navkit.engine.induction import TooManyDecisions
from navkit.rulebooks.desk import Counsel
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.policy import Policy, finding
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.when_to_board import comparing, doctrines
from navkit.words import percent, points

STATES = 250_000
"""States up to which a person at a panel waits for the best decisions: a few seconds."""
FIGHTS = 4096
BEST = "the best decisions"


def counsel(
    a: Ship, b: Ship, *, turns: int, rules: HouseRules | None = None, states: int = STATES
) -> Iterator[Counsel]:
    """When a should board, in a duel on paper: step by step, the last the full answer.

    Of ships too large for the best decisions simple doctrines are compared, by fights.

    >>> from navkit.rulebooks.gurps import ship
    >>> *_, last = counsel(ship("Sloop"), ship("Sloop"), turns=2)
    >>> last.sentence
    'With the best decisions the Sloop wins in 38.5 % of fights. The best simple doctrine, \
“board in turn 1, never if she fires first”, is 1.3 points short of that.'
    """
    rules = HouseRules.of(rules)
    try:
        for turn, policy in finding(a, b, turns=turns, rules=rules, states=states):
            if policy is None:
                yield Counsel(
                    done=turn, wanted=turns + 1, sentence=f"States after {turn} turns are found."
                )
            else:
                yield _of_policy(policy, turns + 1)
    except TooManyDecisions as error:
        wanted = len(doctrines(a, b, turns, rules))
        for table in comparing(a, b, turns=turns, fights=FIGHTS, rules=rules):
            yield _of_doctrines(table, wanted, a.name, error.allowed)


def _of_policy(policy: Policy, parts: int) -> Counsel:
    chances = policy.fixed[["chance"]]
    best = pd.DataFrame({"chance": [policy.chance]}, index=[BEST])
    told = [_told(row) for row in policy.advice.to_dict("records")]
    table = pd.DataFrame(told, index=policy.advice.index)
    ranked = pd.concat([best, chances])
    return Counsel(done=parts, wanted=parts, sentence=policy.sentence, chances=ranked, table=table)


def _told(row: Mapping[Any, float]) -> dict[str, str]:
    """A turn of the advice in words."""

    def share(name: str) -> str:
        return "" if row[name] != row[name] else percent(min(row[name], 1.0))

    return {
        "still apart": percent(min(row["apart"], 1.0)),
        "she boards in": share("board"),
        "if she fires first": share("if_first"),
        "if she fires second": share("if_second"),
        "always with hands": "" if row["lead"] != row["lead"] else f"{row['lead']:+.0f} or better",
    }


def _of_doctrines(table: pd.DataFrame, wanted: int, name: str, allowed: int) -> Counsel:
    wins, error = float(table["wins"].iloc[0]), float(table["error"].iloc[0])
    sentence = (
        f"Too large for the best decisions (over {allowed:,} states): of {len(table)} simple "
        f"doctrines the best is “{table.index[0]}”, with which the {name} wins in "
        f"{percent(wins, error=error)} of fights."
    )
    gaps = zip(table["short"], table["short_error"], strict=True)
    told = ["" if gap == 0 == off else points(-gap, error=off) for gap, off in gaps]
    return Counsel(
        done=len(table),
        wanted=wanted,
        sentence=sentence,
        chances=table[["wins"]],
        errors=table[["error"]],
        table=pd.DataFrame({"she wins, against the best of these": told}, index=table.index),
    )
