"""Whatever text is read gives a result or an InputError; what opens comes back as it was."""

import runpy
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navkit.errors import InputError
from navkit.scenario import MARK, Scenario

fuzzed = runpy.run_path(str(Path(__file__).with_name("fuzzed_texts.py")))


@pytest.mark.parametrize("kind", fuzzed["KINDS"])
@given(data=st.data())
@settings(
    max_examples=60,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_any_text_opens_or_is_refused_clearly(kind, data):
    strategy, read = fuzzed["KINDS"][kind]
    text = data.draw(strategy)
    opened, said = None, None
    try:
        opened = read(text)
    except InputError as error:
        said = str(error)
    assert (opened is None) == bool(said)
    if isinstance(opened, Scenario):
        fuzzed["opened_again"](opened)
    if said is not None:
        assert len(said) < 5000


@pytest.mark.parametrize("told", fuzzed["SCENARIOS"], ids=lambda told: told["rulebook"])
def test_the_texts_that_are_spoilt_open_when_they_are_not(told):
    import json

    assert Scenario.from_json(json.dumps(told)).rulebook == told["rulebook"]


@pytest.mark.parametrize("bomb", fuzzed["BOMBS"], ids=lambda bomb: bomb[7:20])
def test_a_bomb_is_refused(bomb):
    assert bomb.startswith(MARK)
    with pytest.raises(InputError):
        Scenario.from_text(bomb)
