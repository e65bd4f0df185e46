"""Dice notation: text, to tokens, to a distribution. Nothing is evaluated; sizes are bounded.

sum     = product (("+" | "-") product)*
product = atom (("*" | "x" | "×" | "//") atom)*
atom    = ("+" | "-") atom | "(" sum ")" | dice | number
dice    = number? "d" (number | "%")? ("!" | ("kh" | "kl") number)?
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from navkit.dice import (
    LARGEST_SUPPORT,
    MOST_KEPT_WORK,
    SMALLEST_TAIL,
    Distribution,
    constant,
    die,
    exploding,
    kept,
    kept_work,
)
from navkit.errors import InputError

T = TypeVar("T")

LONGEST_TEXT = 500
DEEPEST = 40
LARGEST_NUMBER = 10**9
MOST_WORK = 100_000_000
"""Products of two probabilities that adding up the dice of a text may take: a blink."""
WORK_OF_KEEPING = MOST_WORK // MOST_KEPT_WORK
"""How many of them take as long as one sum of whole numbers."""


class NotationError(InputError):
    """Text that is not dice notation: the text, the column (from 1) and what was expected.

    >>> import navkit as nk
    >>> nk.dice("2d6 +")
    Traceback (most recent call last):
        ...
    navkit.notation.NotationError: '2d6 +', column 6: got the end, expected dice, a number or '('
    """

    def __init__(self, text: str, column: int, got: str, expected: str) -> None:
        self.text, self.column, self.expected = text, column, expected
        ValueError.__init__(self, f"{text!r}, column {column}: got {got}, expected {expected}")


class Token(NamedTuple):
    """A piece of the text, and the column it begins at."""

    kind: str
    text: str
    column: int


TOKENS = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<dice>[dD](?![a-zA-Z]*[a-wyzA-WYZ]))|(?P<keep>kh|kl)"
    r"|(?P<operator>//|[-+*x×()!%−])|(?P<word>[^\W\d_]+|.))"
)
TIMES = ("*", "x", "×")
SIGNS = {"+": 1, "-": -1, "−": -1}


def parse(text: str) -> Distribution:
    """The distribution that `text` names; see `navkit.dice.dice`."""
    if not isinstance(text, str):
        raise InputError("dice", text, "a text such as '3d6'")
    if len(text) > LONGEST_TEXT:
        shown = text[:20] + "…"
        raise NotationError(shown, LONGEST_TEXT, f"{len(text)} characters", f"up to {LONGEST_TEXT}")
    reader = _Reader(text)
    result = reader.sum(0)
    reader.expect_end()
    return result if isinstance(result, Distribution) else constant(result)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            Token(kind, match.group(kind), match.start(kind) + 1)
            for match in TOKENS.finditer(text.rstrip())
            if (kind := match.lastgroup)
        ]
        self.tokens.append(Token("end", "", len(text.rstrip()) + 1))
        self.at = 0
        self.work = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def fail(self, expected: str, token: Token | None = None) -> NotationError:
        token = token or self.next
        got = "the end" if token.kind == "end" else repr(token.text)
        return NotationError(self.text, token.column, got, expected)

    def expect_end(self) -> None:
        if self.next.kind != "end":
            raise self.fail("an operator or the end")

    def sum(self, depth: int) -> Distribution | int:
        total = self.product(depth)
        while self.next.text in SIGNS:
            sign = self.take()
            combine = operator.add if SIGNS[sign.text] > 0 else operator.sub
            other = self.product(depth)
            if isinstance(total, Distribution) and isinstance(other, Distribution):
                self.spend(len(total.pmf) * len(other.pmf), sign)
            total = self.within(sign, combine, total, other)
        return total

    def product(self, depth: int) -> Distribution | int:
        value = self.atom(depth)
        while self.next.text in TIMES or self.next.text == "//":
            sign = self.take()
            other = self.atom(depth)
            if isinstance(value, Distribution) and isinstance(other, Distribution):
                raise self.fail("a number on one side, dice on the other", sign)
            if sign.text != "//":
                value = self.within(sign, operator.mul, value, other)
            elif isinstance(other, Distribution) or other < 1:
                raise self.fail("a number from 1 up after it", sign)
            else:
                value = self.within(sign, operator.floordiv, value, other)
        return value

    def atom(self, depth: int) -> Distribution | int:
        if depth > DEEPEST:
            raise self.fail(f"at most {DEEPEST} brackets within each other")
        sign = 1
        while self.next.text in SIGNS:
            sign *= SIGNS[self.take().text]
        token = self.next
        if token.text == "(":
            self.take()
            value = self.sum(depth + 1)
            if self.next.text != ")":
                raise self.fail("an operator or ')'")
            self.take()
        elif token.kind == "number":
            count = self.number()
            value = self.dice(count, token) if self.next.kind == "dice" else count
        elif token.kind == "dice":
            value = self.dice(1, token)
        else:
            raise self.fail("dice, a number or '('")
        return value if sign == 1 else self.within(token, operator.neg, value)

    def dice(self, count: int, start: Token) -> Distribution:
        self.take()
        sides = 6
        if self.next.text == "%":
            self.take()
            sides = 100
        elif self.next.kind == "number":
            sides = self.number()
        if count < 1:
            raise self.fail("at least 1 die", start)
        if not 1 <= sides <= LARGEST_SUPPORT:
            raise self.fail(f"1 to {LARGEST_SUPPORT} sides", self.tokens[self.at - 1])
        if count * (sides - 1) >= LARGEST_SUPPORT or count > LARGEST_SUPPORT:
            raise self.fail(f"dice with at most {LARGEST_SUPPORT} different totals", start)
        if self.next.text == "!":
            mark = self.take()
            if sides == 1:
                raise self.fail("a die that can stop exploding", mark)
            each = self.within(mark, lambda: exploding(sides, tail=SMALLEST_TAIL / count))
            return self.repeated(each, count, mark)
        if self.next.kind == "keep":
            how = self.take()
            if self.next.kind != "number":
                raise self.fail("how many dice to keep")
            keep = self.number()
            if not 1 <= keep <= count:
                raise self.fail(f"1 to {count} dice to keep", self.tokens[self.at - 1])
            self.spend(WORK_OF_KEEPING * kept_work(count, sides, keep), how)
            return self.within(how, lambda: kept(count, sides, keep, highest=how.text == "kh"))
        return self.repeated(die(sides), count, start)

    def repeated(self, each: Distribution, count: int, token: Token) -> Distribution:
        """`count` such dice added up."""
        if count > 1:
            self.spend((len(each.pmf) * count) ** 2 // 2, token)
        return self.within(token, each.repeat, count)

    def spend(self, work: int, token: Token) -> None:
        """Counts the work of adding dice; an error where it becomes too much."""
        self.work += work
        if self.work > MOST_WORK:
            raise self.fail("fewer or smaller dice", token)

    def number(self) -> int:
        token = self.take()
        if len(token.text) > 10 or int(token.text) > LARGEST_NUMBER:
            raise self.fail(f"a number up to {LARGEST_NUMBER}", token)
        return int(token.text)

    def within(self, token: Token, make: Callable[..., T], *parts: Any) -> T:
        """What `make(*parts)` gives; where that cannot be, an error that names the place."""
        try:
            return make(*parts)
        except NotationError:
            raise
        except InputError as error:
            raise self.fail(error.allowed[0], token) from error
