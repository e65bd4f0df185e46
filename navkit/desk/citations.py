"""The rules that a roll's log cites: in words, with the house rules that bear on them.

>>> [rule.rule for rule in cited("G-42")]
['To hit is 3d6, at most Expertise and Gunnery.']
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

from navkit import rules_map
from navkit.rulebooks.readings import Reading
from navkit.rules_map import Rule

_NUMBER = re.compile(r"\b[A-Z]+-\d+\b")
_ASKED = re.compile(r"\brules\.([a-z]\w*)")
_PLACE = re.compile(r"navkit\.rulebooks\.(\w+)")


def cited(text: str) -> tuple[Rule, ...]:
    """The rules whose numbers stand in a text, such as the `rule` of a log's entry."""
    known = _by_number()
    return tuple(known[number] for number in _NUMBER.findall(text) if number in known)


@cache
def house_rules(rule: Rule) -> tuple[Reading, ...]:
    """The house rules that bear on a rule: those that the code which plays it asks for.

    >>> [reading.name for reading in house_rules(cited("G-42")[0])]
    ['volley_roll', 'miss_half', 'attack_crit', 'hopeless_shot']
    """
    asked = set(_ASKED.findall(rule.source()))
    rulebooks = dict.fromkeys(_PLACE.findall(rule.function))
    return tuple(
        reading
        for name in rulebooks
        for reading in import_module(f"navkit.rulebooks.{name}").HouseRules.readings()
        if reading.name in asked
    )


def in_words(reading: Reading, rules: Any = None) -> str:
    """A house rule as a line: how it is played, how else it may be, what it changes, and where.

    `rules` are those in play (the defaults for None).

    >>> in_words(house_rules(cited("G-25")[0])[0])
    'volley roll: one roll (else each gun): the damage dice are rolled once and multiplied, or \
rolled for each gun (Num of Cannons)'
    """
    value = reading.default if rules is None else getattr(rules, reading.name)
    others = [option for option in reading.options if option != value]
    else_ = f" (else {', '.join(others)})" if others else ""
    return f"{reading.name.replace('_', ' ')}: {value}{else_}: {reading.note} ({reading.where})"


@cache
def _by_number() -> dict[str, Rule]:
    return {rule.id: rule for rule in rules_map.find()}
