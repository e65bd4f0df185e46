"""Samples that grow until they are precise, events by name, and how each fight ended."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from navkit import events
from navkit.chance import GROUP, Exact, Sampled
from navkit.errors import InputError
from navkit.history import OUTCOME, History
from navkit.precision import FIRST, growing, until
from navkit.progress import Interrupted, last
from navkit.rulebooks import gurps, medieval
from navkit.tally import STATUSES

SLOOP, SCHOONER = gurps.ship("Sloop"), gurps.ship("Schooner")
FIGHT = partial(gurps.board, SLOOP, SCHOONER, turns=4)
DUEL = partial(gurps.duel, SLOOP, SCHOONER, turns=3)
PARTING = partial(
    gurps.board,
    replace(SLOOP, crew=12),
    SCHOONER,
    turns=6,
    orders=(gurps.Orders(leaves="outnumbered"), gurps.Orders(leaves="outnumbered")),
)


def same(one: History, other: History) -> bool:
    tracks = one.tally.values.keys() == other.tally.values.keys() and all(
        np.array_equal(np.trim_zeros(values, "b"), np.trim_zeros(other.tally.values[key], "b"))
        for key, values in one.tally.values.items()
    )
    causes = all(
        np.array_equal(found, other.tally.causes[side]) for side, found in one.tally.causes.items()
    )
    mass = np.array_equal(one.tally.mass, other.tally.mass)
    return tracks and causes and mass and one.fights == other.fights


@pytest.mark.parametrize("play", [DUEL, PARTING], ids=["duel", "parting ships, which stall"])
def test_the_fights_are_those_of_one_sample(play: partial[History]) -> None:
    found = until(play, error=0.003, of="a", seed=7, progress=False)
    assert found.fights is not None
    assert found.fights > 2 * FIRST
    assert same(found, play(chance=Sampled(found.fights, 7)))
    assert found.replay(found.fights - 1).outcome().max() == 1


def test_ships_that_part_do_stall() -> None:
    assert PARTING(chance=Sampled(1024)).outcome()["stalemate"] > 0.05


@pytest.mark.parametrize("error", [0.01, 0.004])
@pytest.mark.parametrize("of", ["a", "b lost", "a crew at least 4"])
def test_it_stops_when_it_is_precise_and_not_much_later(error: float, of: str) -> None:
    *before, enough = growing(FIGHT, error=error, of=of, turn=3)
    assert events.at_turn(enough, of, 3)[1] <= error
    for history in before:
        assert events.at_turn(history, of, 3)[1] > error
    assert enough.fights is not None
    share, _ = events.at_turn(enough, of, 3)
    assert enough.fights <= max(FIRST, share * (1 - share) / error**2 * 1.15 + 2 * GROUP)


def test_it_warns_when_it_had_to_stop() -> None:
    with pytest.warns(UserWarning, match="after 5,000 fights, above 0.001"):
        found = until(FIGHT, error=0.001, most=5000, progress=False)
    assert same(found, FIGHT(chance=Sampled(5000)))


def test_what_is_done_is_kept_when_it_is_stopped() -> None:
    def stopped() -> Iterator[History]:
        yield from list(growing(FIGHT, error=0.004))[:2]
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as raised:
        last(stopped(), progress=False, unit="fight", far=lambda h: (h.fights or 0, 10))
    assert raised.value.partial is not None
    assert raised.value.partial.fights > FIRST


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"error": 0}, "error"),
        ({"error": 2}, "error"),
        ({"of": "a eaten"}, "event"),
        ({"of": "c sunk"}, "event"),
        ({"of": "a rum at least 3"}, "track"),
        ({"turn": 9}, "turn"),
        ({"most": 0}, "most"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_input(wrong: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        until(FIGHT, **{"error": 0.1, "progress": False, **wrong})  # type: ignore[arg-type]


# Events


@pytest.mark.parametrize("chance", [Exact(), Sampled(2048)])
def test_events_agree_with_one_another(chance: Exact | Sampled) -> None:
    ship = medieval.ship("Longship")
    h = medieval.board(ship, medieval.ship("Galley"), turns=6, break_off=(6, 0), chance=chance)
    likely = {event: events.chance(h, event) for event in events.events(h)}
    assert sum(likely[event] for event in OUTCOME).to_numpy() == pytest.approx(1)
    for side, foe in (("a", "b"), ("b", "a")):
        assert likely[f"{side} lost"].to_numpy() == pytest.approx(
            (likely[foe] + likely["both"]).to_numpy()
        )
        assert (likely[f"{side} lost"] + likely[f"{side} in action"]).to_numpy() == pytest.approx(1)
        ways = likely[f"{side} overcome"] + likely[f"{side} broke off"]
        assert ways.to_numpy() == pytest.approx(likely[f"{side} lost"].to_numpy())
        kept = likely[f"{side} overcome"] + likely[f"{side} not overcome"]
        assert kept.to_numpy() == pytest.approx(1)
        none_left = events.chance(h, f"{side} crew at most 0").to_numpy()
        assert none_left == pytest.approx(likely[f"{side} overcome"].to_numpy())


# How each fight ended


@pytest.mark.parametrize("play", [DUEL, PARTING], ids=["duel", "parting ships, which stall"])
@pytest.mark.parametrize("drop", [True, False])
def test_ends_add_up_to_the_table(play: partial[History], drop: bool) -> None:
    h = play(chance=Sampled(3000, seed=5, first=700, block=1024, drop=drop, ends=True))
    ends = h.ends()
    assert list(ends.index[[0, -1]]) == [700, 3699]
    for turn in range(h.turns + 1):
        for outcome in STATUSES[1:]:
            share = ((ends["outcome"] == outcome) & (ends["turn"] <= turn)).mean()
            assert share == pytest.approx(h.table()[outcome][turn])
    assert (ends["outcome"] == "undecided").mean() == pytest.approx(h.outcome()["undecided"])


def test_ends_are_those_of_the_replays_and_add_up() -> None:
    whole = FIGHT(chance=Sampled(2000, ends=True)).ends()
    parts = FIGHT(chance=Sampled(900, ends=True)) + FIGHT(
        chance=Sampled(1100, first=900, ends=True)
    )
    pd.testing.assert_frame_equal(whole, parts.ends())
    for number in (0, 1023, 1999):
        alone = FIGHT(chance=Sampled(2000)).replay(number)
        assert alone.outcome()[whole["outcome"][number]] == 1


def test_ends_that_were_not_kept() -> None:
    with pytest.raises(InputError, match="ends"):
        FIGHT(chance=Sampled(10)).ends()
    with pytest.raises(InputError, match="ends"):
        gurps.board(SLOOP, SCHOONER, turns=2, chance=Exact()).ends()
