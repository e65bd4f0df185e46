"""Fights roll by roll, held against all that might follow each roll, and against one another."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

import navkit as nk
from navkit.battle import Battle, Either, Repeat, Step, play
from navkit.desk import citations, luck
from navkit.desk.replay import ENDS, Odds, Replay, move, replay
from navkit.engine.midway import resumed
from navkit.engine.sampling import sample, single
from navkit.engine.script import Script
from navkit.errors import InputError
from navkit.rulebooks import gurps, medieval, sea_battles, vehicular_1879
from navkit.rulebooks.gurps import Placed
from navkit.scenario import Scenario
from navkit.tally import STATUSES

# A toy with every kind of roll, alternatives, and a step that repeats


@dataclass(frozen=True)
class Side:
    hull: np.ndarray


@dataclass(frozen=True)
class Toy:
    a: Side
    b: Side
    wind: np.ndarray


def _hit(fight, a=0, b=0):
    left = (np.maximum(side.hull - harm, 0) for side, harm in ((fight.a, a), (fight.b, b)))
    return replace(fight, **dict(zip("ab", map(Side, left), strict=True)))


def weather(fight, chance):
    ahead = chance.roll(
        "d2", "d2", then=lambda x, y: np.sign(x - y), why="weather", sides=("a", "b")
    )
    return replace(fight, wind=ahead)


def aimed(fight, chance):
    hit = chance.check("d2", 1 + (fight.wind > 0), why="aim")
    harm = chance.roll("d2", why="harm")
    return _hit(fight, b=np.where(hit, harm, 0))


def wild(fight, chance):
    ones = chance.faces(2, np.minimum(fight.b.hull, 2), lambda shown: shown[0], why="splinters")
    return _hit(fight, a=ones)


def contest(fight, chance):
    behind = chance.roll_from(
        lambda hull: (nk.dice("d2"), nk.dice("d2") + hull),
        np.minimum(fight.a.hull, 1),
        then=lambda x, y, hull: x - y + hull,
        target=0,
        why="contest",
        sides=("a", "b"),
    )
    return replace(_hit(fight, a=np.maximum(-behind, 0)), wind=behind)


TOY = Battle(
    start=Toy(Side(np.array([2])), Side(np.array([2])), np.array([0])),
    opening=(Step(weather),),
    turn=(
        Step(aimed, when=lambda fight: fight.wind >= 0, side="a"),
        Repeat(
            Either(
                (
                    Step(contest, when=lambda fight: fight.wind == 0),
                    Step(wild, when=lambda fight: fight.wind < 0, side="b"),
                )
            ),
            most=2,
        ),
        Step(lambda fight, chance: replace(fight, wind=-fight.wind)),
    ),
    lost=lambda fight, side: (getattr(fight, side).hull <= 0) * 1,
    causes=("sunk",),
    tracks=("hull",),
)
TURNS = 2


class Missing(Exception):
    """The dice that a fight asks for next."""


class Enumerated(Script):
    def _next(self, which, why):
        if self.used == len(self.rolls):
            raise Missing(which if isinstance(which, nk.Distribution) else nk.dice(which))
        return super()._next(which, why)


@cache
def brute_force(rolls):
    """The odds of the toy after some rolls, from every way in which the others may fall."""
    try:
        history = single(TOY, TURNS, Enumerated(rolls))
    except Missing as missing:
        (dice,) = missing.args
        several = re.fullmatch(r"(\d+)d(\d+)", dice.name)
        if several:
            count, sides = int(several[1]), int(several[2])
            every = product(range(1, sides + 1), repeat=count)
            ways = [(faces, Fraction(1, sides**count)) for faces in every]
        else:
            ways = [(total, dice.equal(total, exact=True)) for total in dice.support.tolist()]
        after = [(brute_force((*rolls, roll)), share) for roll, share in ways]
        return tuple(sum(odds[at] * share for odds, share in after) for at in range(len(ENDS)))
    *_, last = np.nonzero(history.tally.mass)[1].tolist()  # undecided until it ended otherwise
    return tuple(Fraction(end == STATUSES[last]) for end in ENDS)


@pytest.mark.parametrize("number", range(6))
def test_odds_after_each_roll_are_those_of_all_that_may_follow(number):
    fight = replay(play(TOY, TURNS, nk.Sampled(8, seed=3)), number, nk.Exact())
    shown = [frame.entry.faces or (frame.entry.result,) for frame in fight.frames]
    rolls = tuple(faces if len(faces) > 1 else faces[0] for faces in shown)
    assert rolls
    for fallen in range(len(rolls) + 1):
        odds = fight.odds(fallen)
        found = [getattr(odds, end) for end in ENDS]
        assert found == pytest.approx([float(each) for each in brute_force(rolls[:fallen])])


def test_the_toy_takes_every_way():
    history = play(TOY, TURNS, nk.Sampled(64, seed=3))
    stands = [frame.stand for n in range(64) for frame in replay(history, n, nk.Exact()).frames]
    assert {stand.again for stand in stands} == {0, 1}
    assert {stand.branch for stand in stands} == {0, 1}
    assert {stand.turn for stand in stands} == {0, 1, 2}


# Real fights

BRIG, SLOOP = gurps.ship("Brig"), gurps.ship("Sloop")


def fights(chance):
    """A fight of each rulebook, and one on the map, in which steps repeat."""
    v79, v79_foe = vehicular_1879.ship("Paddle gunboat"), vehicular_1879.ship("Merchant steamer")
    hammer, tongs = sea_battles.ship("Hammer"), sea_battles.ship("Tongs")
    cog, galley = medieval.ship("Cog"), medieval.ship("Galley")
    return {
        "gurps duel": lambda: gurps.duel(BRIG, SLOOP, turns=4, chance=chance),
        "gurps board": lambda: gurps.board(BRIG, gurps.ship("Brigantine"), chance=chance),
        "gurps map": lambda: gurps.battle(
            Placed(BRIG, 0, 0), Placed(SLOOP, 6, 0, 3), turns=2, chance=chance
        ),
        "sea_battles": lambda: sea_battles.duel(hammer, tongs, turns=1, chance=chance),
        "1879": lambda: vehicular_1879.duel(v79, v79_foe, turns=2, chance=chance),
        "medieval": lambda: medieval.board(cog, galley, turns=4, chance=chance),
    }


@pytest.mark.parametrize("name", fights(None))
def test_a_fight_taken_up_midway_goes_on_with_its_own_dice(name):
    number, seed = 5, 2
    history = fights(nk.Sampled(6, seed, ends=True))[name]()
    fight = replay(history, number, nk.Sampled(1))
    assert len(fight.frames) > 2
    rolls = [frame.entry.faces or frame.entry.result for frame in fight.frames]
    own = nk.Sampled(1, seed, number, ends=True)
    ended = STATUSES[int(history.codes[number]) % len(STATUSES)].replace("stalemate", "undecided")
    for frame in fight.frames:
        stand = frame.stand
        left = resumed(fight.battle, stand, rolls[stand.rolls : frame.number])
        again = sample(left, fight.turns - stand.turn, own)
        end = again.ends().loc[number]
        assert end["outcome"] == ended
        assert end["turn"] + stand.turn == int(history.codes[number]) // len(STATUSES)
        assert {name: end[name] for name in fight.left} == {
            name: history.left[name][number] for name in fight.left
        }


@pytest.mark.parametrize("name", ["gurps board", "medieval"])
def test_exact_odds_before_a_roll_are_the_mean_of_those_after_it(name):
    fight = replay(fights(nk.Sampled(8))[name](), 7, nk.Exact())
    for frame in fight.frames[:3]:
        before = fight.odds(frame.number - 1)
        after = [fight.odds_if(frame.number, total) for total in frame.dice.support.tolist()]
        for end in ENDS:
            mean = sum(
                getattr(odds, end) * p for odds, p in zip(after, frame.dice.pmf, strict=True)
            )
            assert mean == pytest.approx(getattr(before, end), abs=1e-9)


def test_sampled_odds_agree_with_exact_ones():
    history = fights(nk.Sampled(8))["gurps board"]()
    exact = replay(history, 7, nk.Exact())
    sampled = replay(history, 7, nk.Sampled(4096, seed=9))
    for fallen in range(len(exact.frames) + 1):
        true, seen = exact.odds(fallen), sampled.odds(fallen)
        for end in ENDS:
            assert abs(getattr(seen, end) - getattr(true, end)) <= 4 * seen.error(end)
    for frame in exact.frames:
        told, moved = exact.move(frame.number), sampled.move(frame.number)
        assert told.error == 0
        assert abs(told.value - moved.value) <= 4 * moved.error
        assert moved.error <= 1.01 * np.hypot(
            sampled.odds(frame.number - 1).error(), sampled.odds(frame.number).error()
        )


@pytest.mark.parametrize("name", ["gurps duel", "gurps board", "medieval", "1879"])
def test_moves_add_up_to_what_became_of_the_fight(name):
    fight = replay(fights(nk.Sampled(4))[name](), 3, None if name == "medieval" else nk.Sampled(64))
    last = fight.odds(len(fight.frames))
    ended = "undecided" if fight.outcome == "stalemate" else fight.outcome
    assert [getattr(last, end) for end in ENDS] == pytest.approx(
        [float(end == ended) for end in ENDS]
    )
    *_, done = fight.work()
    assert done == fight.known == len(fight.frames)
    for side in "ab":
        total = getattr(last, side) - getattr(fight.odds(0), side)
        assert fight.table(side)["moved"].sum() == pytest.approx(total)
        for by in ("side", "turn", "why"):
            assert luck.moved(fight, by, side).sum() == pytest.approx(total)


def test_frames_tell_how_the_sides_stood():
    fight = replay(gurps.duel(BRIG, SLOOP, turns=4, chance=nk.Sampled(4)), 2, nk.Sampled(1))
    attack, damage = (
        next(f for f in fight.frames if f.entry.why == w) for w in ("attack", "damage")
    )
    assert not attack.last
    assert damage.last
    assert attack.before == damage.before
    assert attack.after == damage.after
    target = {"a": "b", "b": "a"}[damage.entry.side]
    assert damage.after[f"{target}.hull"] < damage.before[f"{target}.hull"]
    assert fight.left["b.hull"] <= fight.frames[-1].before["b.hull"]
    alone = gurps.duel(BRIG, SLOOP, turns=4, chance=nk.Sampled(4)).replay(2)
    assert fight.left["a.crew"] == alone.mean("a", "crew").iloc[-1]


def test_a_scripted_fight_and_a_scenario_are_replayed_too():
    rolls = [(6,), (1,), (4, 4, 2), 18]
    scripted = gurps.duel(BRIG, SLOOP, turns=1, chance=nk.Scripted(rolls))
    fight = replay(scripted)
    assert fight.frames[2].entry.faces == (4, 4, 2)
    assert [frame.entry.result for frame in fight.frames][:4] == [6, 1, 10, 18]
    tonight = Scenario("gurps", "duel", BRIG, SLOOP, turns=4, seed=3)
    alone = gurps.duel(BRIG, SLOOP, turns=4, chance=nk.Sampled(64, seed=3)).replay(9)
    fight = replay(tonight, 9)
    assert [frame.entry for frame in fight.frames] == list(alone.entries)


def test_what_can_not_be_is_refused():
    history = gurps.duel(BRIG, SLOOP, turns=2, chance=nk.Sampled(4))
    for bad in (-1, 1.5, "x", None):
        with pytest.raises(InputError, match="number of the fight"):
            replay(history, bad)
    with pytest.raises(InputError, match="a Scenario"):
        replay("tonight", 1)
    with pytest.raises(InputError, match="chance"):
        replay(history, 1, nk.Scripted([]))
    fight = replay(history, 1, nk.Sampled(1))
    with pytest.raises(InputError, match="rolls fallen"):
        fight.odds(99)
    with pytest.raises(InputError, match="a roll of d6"):
        fight.odds_if(1, 7)
    with pytest.raises(InputError, match="by"):
        luck.moved(fight, "dice")
    with pytest.raises(InputError, match="figure"):
        luck.fights_by_luck(history, figure="sails")
    with pytest.raises(InputError, match="side"):
        luck.fights_by_luck(history, side="c")


def test_paired_moves_count_only_the_ways_that_end_otherwise():
    ends = np.array([1] * 60 + [2] * 40)
    before = Odds(0.6, 0.4, 0, 0, 100, ends)
    assert move(before, before).value == 0
    assert 0 < move(before, before).error < 0.02
    other = np.array([1] * 65 + [2] * 35)
    moved = move(before, Odds(0.65, 0.35, 0, 0, 100, other))
    assert moved.value == pytest.approx(0.05)
    assert moved.error < 0.03 < np.hypot(0.049, 0.048)


# Luck


def test_fights_are_ranked_by_how_they_ended():
    history = gurps.duel(BRIG, gurps.ship("Brigantine"), turns=7, chance=nk.Sampled(50, seed=4))
    start = {side: history.mean(side, "crew").iloc[0] for side in "ab"}
    ranks = {"b": 0, "both": 1, "undecided": 2, "stalemate": 2, "a": 3}

    def goodness(number):
        fight = replay(history, number, nk.Sampled(1))
        left = {side: fight.left[f"{side}.crew"] / start[side] for side in "ab"}
        later = fight.turn if fight.outcome == "b" else -fight.turn
        return ranks[fight.outcome], left["a"] - left["b"], later, -number

    ranked = luck.fights_by_luck(history, figure="crew")
    assert set(ranked["end"]) == {"won", "lost", "undecided"}
    best = sorted(range(50), key=goodness, reverse=True)
    assert list(ranked.index) == best
    assert luck.picks(ranked) == {"luckiest": best[0], "median": best[25], "unluckiest": best[49]}
    mirrored = luck.fights_by_luck(history, side="b", figure="crew")
    assert (mirrored["end"] == "won").sum() == (ranked["end"] == "lost").sum()


def test_harm_that_counts_up_is_worse():
    chance = nk.Sampled(40, seed=4)
    a, b = vehicular_1879.ship("Paddle gunboat"), vehicular_1879.ship("Merchant steamer")
    history = vehicular_1879.duel(a, b, turns=2, chance=chance)
    ranked = luck.fights_by_luck(history, figure="damage")
    ends = [set(ranked["end"][:n]) for n in (1, 40)]
    assert ends[0] <= ends[1]
    best, worst = ranked.index[0], ranked.index[-1]
    left = [replay(history, n, nk.Sampled(1)).left for n in (best, worst)]
    assert left[0]["a.damage"] - left[0]["b.damage"] <= left[1]["a.damage"] - left[1]["b.damage"]


def test_what_the_dice_did_is_counted_against_what_they_do_on_the_average():
    rolls = [6, 1, 10, 18, 17, 10]
    foe = gurps.ship("Brigantine")
    fight = replay(gurps.duel(BRIG, foe, turns=1, chance=nk.Scripted(rolls)))
    told = luck.dice(fight)
    hits = [frame.chance for frame in fight.frames if frame.chance is not None]
    three = [sum(faces) for faces in product(range(1, 7), repeat=3)]
    aims = [frame.entry.target for frame in fight.frames if frame.chance is not None]
    assert hits == pytest.approx([np.mean([t <= aim for t in three]) for aim in aims])
    made = told.xs("made", level="counts")
    assert made["happened"].sum() == 1
    assert made["expected"].sum() == pytest.approx(sum(hits))
    total = told.loc[("a", "damage", "total")]
    assert (total["happened"], total["expected"]) == (18, fight.frames[3].dice.mean)
    assert total["off"] == pytest.approx((18 - total["expected"]) / fight.frames[3].dice.std)
    assert len(luck.dice(fight, 0)) == 0
    assert any(line.startswith("a, attack: 1 of 1 made") for line in luck.in_words(fight))


def test_the_chance_of_success_counts_all_dice_thrown_for_it():
    fight = replay(play(TOY, TURNS, nk.Sampled(64, seed=3)), 1, nk.Exact())
    for number in range(64):
        fight = replay(play(TOY, TURNS, nk.Sampled(64, seed=3)), number, nk.Exact())
        contests = [frame for frame in fight.frames if frame.entry.why == "contest"]
        if contests:
            first, second = contests[:2]
            hull = min(first.before["a.hull"], 1)
            wins = [x - (y + hull) + hull > 0 for x, y in product((1, 2), repeat=2)]
            assert first.chance is None
            assert second.chance == pytest.approx(np.mean(wins))
            return
    pytest.fail("no fight with a contest")


# Rules in words


def test_each_roll_of_every_rulebook_cites_a_rule_that_is_known():
    for name, fight in fights(nk.Sampled(12)).items():
        history = fight()
        for number in range(0, 12, 4):
            for entry in history.replay(number).entries:
                assert citations.cited(entry.rule), (name, entry)


def test_house_rules_are_told_as_they_are_played():
    (damage,) = citations.cited("G-25")
    volley, miss = citations.house_rules(damage)
    assert citations.in_words(volley).startswith("volley roll: one roll (else each gun)")
    each = gurps.HouseRules(volley_roll="each gun")
    assert citations.in_words(volley, each).startswith("volley roll: each gun (else one roll)")
    assert citations.in_words(miss, each).endswith("(Attacks)")
    assert citations.cited("fire section") == ()


def test_a_replay_is_what_the_rolls_make_of_it():
    history = gurps.board(BRIG, gurps.ship("Brigantine"), chance=nk.Sampled(4))
    fight = replay(history, 1)
    rolls = tuple(frame.entry.result for frame in fight.frames)
    again = Replay(history.battle, history.limit, rolls, nk.Exact())
    assert again.outcome == fight.outcome
    assert again.left == fight.left
