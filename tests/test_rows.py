"""States gathered as they are looked at: what rules make of them is what they make of others."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest

from navkit.chance import Array
from navkit.engine import rows
from navkit.state import flatten, rebuild, replace


@dataclass(frozen=True)
class Gun:
    loaded: Array


@dataclass(frozen=True)
class Side:
    crew: Array
    hull: Array
    guns: tuple[Gun, Gun]


@dataclass(frozen=True)
class Fight:
    a: Side
    b: Side
    turn: Array


def fight():
    numbers = iter(np.arange(45, dtype=np.int32).reshape(9, 5))
    side = [
        Side(next(numbers), next(numbers), (Gun(next(numbers)), Gun(next(numbers)))) for _ in "ab"
    ]
    return Fight(*side, next(numbers))


def hit(by):
    """A rule that looks at some fields, changes others, and changes one of them twice."""

    def rule(state):
        b = by(state.b, hull=state.b.hull - state.a.crew)
        b = by(b, hull=b.hull + 1, guns=(b.guns[0], by(b.guns[1], loaded=b.guns[1].loaded * 0)))
        return by(state, b=b, turn=state.turn + b.crew)

    return rule


def sides_exchanged(state):
    return replace(state, a=state.b, b=state.a)


def whole_side_new(state):
    return replace(state, a=Side(state.a.hull, state.a.crew, state.a.guns))


@pytest.mark.parametrize(
    "rule", [hit(replace), hit(dataclasses.replace), sides_exchanged, whole_side_new]
)
@pytest.mark.parametrize("at", [None, np.array([0, 3])])
def test_a_rule_makes_the_same_of_a_state_seen_in_part(rule, at):
    whole = fight()
    arrays = flatten(whole)
    gathered = arrays if at is None else [array[at] for array in arrays]
    wanted = flatten(rule(rebuild(whole, gathered)))
    before = rows.seen(rows.Plan.of(whole), arrays, at)
    new = rows.changes(before, rule(before))
    for place, (was, now) in enumerate(zip(gathered, wanted, strict=True)):
        np.testing.assert_array_equal(new.get(place, was), now)


def test_only_what_a_rule_changes_is_written_back():
    whole = fight()
    before = rows.seen(rows.Plan.of(whole), flatten(whole), np.array([1]))
    after = replace(before, a=replace(before.a, crew=before.a.crew - 1))
    assert after.a.hull.tolist() == [6]  # looked at, and as it was
    assert list(rows.changes(before, after)) == [0]
    assert rows.changes(before, replace(after, a=before.a)) == {}


def test_a_field_that_is_not_there_is_refused():
    whole = fight()
    for state in (whole.a, rows.seen(rows.Plan.of(whole), flatten(whole), None).a):
        with pytest.raises(TypeError, match="crews"):
            replace(state, crews=state.crew)


def test_one_state_or_the_other_by_fight():
    whole, mask = fight(), np.array([True, False, True, True, False])
    before = rows.seen(rows.Plan.of(whole), flatten(whole), None)
    for state in (whole, before):
        one, other = hit(replace)(state), replace(state, turn=state.turn * 0)
        mixed = flatten(rows.either(mask, one, other))
        for got, x, y in zip(mixed, flatten(one), flatten(other), strict=True):
            np.testing.assert_array_equal(got, np.where(mask, x, y))
    some = rows.either(mask, replace(before, turn=before.turn + 1), before)
    assert list(rows.changes(before, some)) == [8]
