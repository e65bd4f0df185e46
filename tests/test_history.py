"""What a history keeps of fights, whenever they are counted and however long they last."""

from functools import partial

import numpy as np
import pytest

from navkit import Exact, InputError, Sampled, tally
from navkit.rulebooks import gurps, medieval, sea_battles, vehicular_1879
from navkit.rulebooks.gurps.when_to_board import Doctrine, duel_or_board


def test_tracks_laid_by_are_counted_as_tracks_counted_at_once(monkeypatch):
    fight = gurps.ship("Sloop"), gurps.ship("Brig")
    later = gurps.duel(*fight, turns=3, chance=Sampled(3000))
    monkeypatch.setattr(tally, "MOST_LAID_BY", 0)
    at_once = gurps.duel(*fight, turns=3, chance=Sampled(3000))
    values = at_once.tally.values
    assert values.keys() == later.tally.values.keys()
    for key, counts in values.items():
        np.testing.assert_array_equal(later.tally.values[key], counts)
    # each fight once a track: the undecided at the end, and those that ended
    ended = [c for (name, turn, status), c in values.items() if name == "a.hull" and status]
    still_on = values["a.hull", 3, tally.UNDECIDED]
    assert sum(int(counts.sum()) for counts in ended) + still_on.sum() == 3000


SOME = Sampled(2500, seed=3)
BRIGS = gurps.ship("Brig"), gurps.ship("Brigantine")
GALLEYS = medieval.ship("Galley"), medieval.ship("Cog")
PLAYED = {
    "duel": partial(gurps.duel, *BRIGS, chance=SOME),
    "boarding": partial(gurps.board, *BRIGS, chance=SOME),
    "exact boarding": partial(gurps.board, *BRIGS, chance=Exact()),
    "exact means": partial(gurps.board, *BRIGS, chance=Exact(distributions=())),
    "medieval": partial(medieval.board, *GALLEYS, chance=Exact()),
    "fleets": partial(medieval.fleet_battle, *GALLEYS, chance=SOME),
    "fire": partial(
        sea_battles.fire,
        *(sea_battles.ship(name) for name in sea_battles.library()["name"][:2]),
        chance=SOME,
    ),
    "vehicles": partial(
        vehicular_1879.duel,
        *(vehicular_1879.ship(name) for name in vehicular_1879.library()["name"][:2]),
        chance=SOME,
    ),
}


@pytest.mark.parametrize("play", PLAYED.values(), ids=PLAYED)
@pytest.mark.parametrize("counted", [False, True])
def test_fewer_turns_of_a_history_are_those_of_a_shorter_fight(play, counted):
    longer, shorter = play(turns=6), play(turns=3)
    if counted:
        assert longer.tally.values is not None
    cut = longer.until(3)
    assert (cut.turns, cut.limit) == (3, 3)
    np.testing.assert_allclose(cut.tally.mass, shorter.tally.mass, atol=1e-12)
    for side, found in shorter.tally.causes.items():
        np.testing.assert_allclose(cut.tally.causes[side], found, atol=1e-12)
    assert cut.tally.values.keys() == shorter.tally.values.keys()
    for key, counts in shorter.tally.values.items():
        np.testing.assert_allclose(cut.tally.values[key], counts, atol=1e-12)
    assert cut.tally.sums == pytest.approx(shorter.tally.sums)
    assert longer.turns == 6
    assert len(longer.tally.mass) == 7


def test_a_single_fight_and_a_replay_are_cut_with_their_logs():
    longer, shorter = (gurps.duel(*BRIGS, turns=turns, chance=SOME) for turns in (8, 2))
    assert longer.until(2).replay(7).log.equals(shorter.replay(7).log)
    assert len(longer.replay(7).log) > len(shorter.replay(7).log)


def test_histories_cut_alike_are_added():
    first, more = (gurps.duel(*BRIGS, turns=8, chance=Sampled(1024, first=n)) for n in (0, 1024))
    whole = gurps.duel(*BRIGS, turns=3, chance=Sampled(2048))
    before = {key: each.copy() for key, each in first.tally.values.items()}
    assert (first.until(3) + more.until(3)).table().equals(whole.table())
    for key, each in before.items():
        np.testing.assert_array_equal(first.tally.values[key], each)


def test_a_fight_of_samples_that_were_added_is_replayed_as_it_was_counted():
    parting = (gurps.Orders(leaves="always"), gurps.Orders())
    board = partial(gurps.board, *BRIGS, turns=9, orders=parting)
    first, more = (board(chance=Sampled(40, first=n, ends=True)) for n in (0, 40))
    both = first + more
    ends = both.ends()
    assert set(ends["outcome"]) >= {"stalemate", "b"}
    for number, outcome in ends["outcome"].items():
        assert both.replay(number).outcome()[outcome] == 1


def test_only_samples_of_one_battle_are_added():
    duel = partial(gurps.duel, *BRIGS, turns=4)
    first = duel(chance=Sampled(100))
    others = {
        "fight numbers follow on": duel(chance=Sampled(100, first=50)),
        "seed of what is added: got 2": duel(chance=Sampled(100, first=100, seed=2)),
        "turns of what is added: got 5": duel(turns=5, chance=Sampled(100, first=100)),
        "ends kept of what is added": duel(chance=Sampled(100, first=100, ends=True)),
        "start of what is added": gurps.duel(
            *reversed(BRIGS), turns=4, chance=Sampled(100, first=100)
        ),
    }
    for message, other in others.items():
        with pytest.raises(InputError, match=message):
            first + other
    with pytest.raises(TypeError):
        first + 1


@pytest.mark.parametrize("turns", [0, 9, 2.5])
def test_turns_that_were_not_played_are_refused(turns):
    with pytest.raises(InputError, match=f"turns: got {turns}"):
        gurps.duel(*BRIGS, turns=8, chance=SOME).until(turns)


def test_a_sample_with_its_ends_is_not_cut():
    with pytest.raises(InputError, match="a sample without ends"):
        gurps.duel(*BRIGS, turns=8, chance=Sampled(1024, ends=True)).until(2)


IRONCLADS = [vehicular_1879.ship("Paddle gunboat"), vehicular_1879.ship("Merchant steamer")]
HULLS = [sea_battles.ship(name) for name in ("Hammer", "Swift")]
ENDED = {
    "duel": partial(gurps.duel, *BRIGS),
    "sinking": partial(gurps.odds.sinking, *BRIGS, chance=Exact()),
    "battle": partial(gurps.battle, gurps.Placed(BRIGS[0], 0, 0), gurps.Placed(BRIGS[1], 8, 0)),
    "duel or board": partial(duel_or_board, *BRIGS, doctrine=Doctrine(turn=1)),
    "ships' fire": partial(sea_battles.fire, *HULLS),
    "ships' ram": partial(sea_battles.ram, *HULLS),
    "ships' duel": partial(sea_battles.duel, *HULLS),
    "vehicles' boarding": partial(
        vehicular_1879.board, vehicular_1879.ship("Pirate airship"), IRONCLADS[1]
    ),
    "vehicles' maneuver": partial(vehicular_1879.maneuver, *IRONCLADS),
    "raking": partial(
        vehicular_1879.rake,
        IRONCLADS[0],
        vehicular_1879.Unit(members=1, attack=14, damage=18),
    ),
    "galleys": partial(medieval.odds.boarding, *GALLEYS),
}


@pytest.mark.parametrize("play", ENDED.values(), ids=ENDED)
def test_what_is_not_fought_to_its_end_needs_a_number_of_turns(play):
    with pytest.raises(InputError, match="turns: got None, allowed is a whole number from 1"):
        play(turns=None)


DUELS = gurps.duel(*BRIGS, turns=2, chance=SOME)
BOARDINGS = gurps.board(*BRIGS, turns=3, chance=Exact())


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: DUELS.quantiles("a", "crew", 0.5), "q: got 0.5, allowed is a list"),
        (lambda: DUELS.quantiles("a", "crew", ["x"]), "q: got 'x'"),
        (lambda: DUELS.quantiles("a", "crew", "05"), "q: got '05'"),
        (lambda: DUELS.probability("a", "crew", at_least=2.5), "at_least: got 2.5"),
        (lambda: DUELS.probability("a", "crew", at_least=np.nan), "at_least: got nan"),
        (lambda: DUELS.probability("a", "crew", at_most="3"), "at_most: got '3'"),
        (lambda: DUELS.mean(["a"], "crew"), "side: got"),
        (lambda: DUELS.mean("a", ["crew"]), "track: got"),
        (lambda: DUELS.mean("a", "crew", given=5), "given: got 5"),
        (lambda: DUELS.cause(["a"]), "side: got"),
        (lambda: DUELS.replay(1).replay(1), "replay of: got 'a single fight'"),
        (lambda: BOARDINGS.replay(1), "replay of: got 'exact odds'"),
        (lambda: BOARDINGS.log, r"log of: got 'exact odds', allowed is .*chance=Scripted"),
        (lambda: DUELS.log, r"log of: got '2500 fights', allowed is h.replay\(n\).log"),
    ],
)
def test_questions_that_have_no_answer_are_refused(ask, said):
    with pytest.raises(InputError, match=said):
        ask()
