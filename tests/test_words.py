import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navkit.errors import InputError
from navkit.words import NORMAL_95, percent, points, standard_error

chances = st.floats(0, 1)
fights = st.integers(1, 10**7)


@given(chances)
def test_only_certainty_is_said_to_be_certain(chance):
    said = percent(chance)
    assert (said == "0 %") == (chance == 0)
    assert (said == "100 %") == (chance == 1)
    assert said not in ("0.0 %", "100.0 %")


@given(chances, fights)
def test_a_sample_never_claims_certainty(chance, fights):
    said = percent(chance, fights=fights)
    assert said.startswith(("under ", "over ")) or " ±" in said
    assert not said.startswith(("0.0 %", "100.0 %"))


@given(st.integers(0, 3000), st.integers(1, 3000))
def test_the_bounds_named_lie_beyond_what_was_seen(seen, fights):
    share = min(seen, fights) / fights
    said = percent(share, fights=fights)
    if said.startswith("under"):
        assert share < float(said.split()[1]) / 100
    if said.startswith("over"):
        assert share > float(said.split()[1]) / 100


@given(st.integers(10, 10**6))
def test_the_standard_error_is_the_textbook_one_in_the_middle(fights):
    textbook = math.sqrt(0.25 / fights)
    assert standard_error(0.5, fights) == pytest.approx(textbook, rel=2 / fights + 0.2 / fights)


def test_none_of_many_bounds_the_chance_as_the_rule_of_three_does():
    assert 3 / 20_000 < 2 * NORMAL_95 * standard_error(0, 20_000) < 4 / 20_000


@pytest.mark.parametrize("chance", [-0.1, 1.1, math.nan, math.inf])
def test_what_is_no_chance_is_refused(chance):
    with pytest.raises(InputError, match="chance: got"):
        percent(chance)
    with pytest.raises(InputError, match="chance: got"):
        standard_error(chance, 10)


@pytest.mark.parametrize("say", [percent, points])
@pytest.mark.parametrize("error", [-1, math.nan])
def test_what_is_no_error_is_refused(say, error):
    with pytest.raises(InputError, match="error: got"):
        say(0.5, error=error)


def test_a_sample_of_nothing_is_refused():
    with pytest.raises(InputError, match="fights: got 0"):
        percent(0.5, fights=0)


def test_an_error_of_nothing_for_nothing_claims_little():
    assert percent(0, error=0) == "near 0 %"
    assert percent(1, error=0) == "near 100 %"
