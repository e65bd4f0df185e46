"""The duel on paper: exact against sampled, against an independent recursion, and by hand."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import navkit as nk
from navkit.rulebooks import gurps

FAMILY_ERROR = 1e-6
PAIRS = 200
FIGHTS = 4096
OUTCOMES = ("a", "b", "both", "undecided")


def recursion(a, b, turns, *, together):
    """Chances of a won, b won, both lost, undecided, as fractions, by plain recursion.

    Written out for ships of one gun a side and default house rules, in ordinary integers.
    """
    ships = (a, b)

    def shots(own, foe):
        skill = own.expertise + foe.size_modifier - own.size_modifier
        hits = sum(sum(d) <= min(max(skill, 4), 16) for d in product(range(1, 7), repeat=3))
        for face in range(1, 7):
            yield True, face, Fraction(hits, 216 * 6)
            yield False, face, Fraction(216 - hits, 216 * 6)

    def strike(side, hit, face):
        hull, dr, crew, loaded = side
        through = max(0, face - dr)
        through = through if hit else through // 2
        lost = min(hull, through)
        return hull - lost, max(0, dr - through // 5), crew - min(crew, lost // 20), loaded

    def can_fire(side, ship):
        return side[3] > 0 and side[2] >= max(2, ship.skeleton_crew)

    def is_lost(side, ship):
        return side[0] <= 0 or side[2] < ship.skeleton_crew

    def fire(sides, shooter):
        """All outcomes of one ship's turn: (sides, chance, whether it fired)."""
        if not can_fire(sides[shooter], ships[shooter]):
            yield sides, Fraction(1)
            return
        for hit, face, chance in shots(ships[shooter], ships[1 - shooter]):
            new = list(sides)
            new[1 - shooter] = strike(sides[1 - shooter], hit, face)
            hull, dr, crew, _ = new[shooter]
            new[shooter] = (hull, dr, crew, 0)
            yield tuple(new), chance

    def both_fire(sides):
        ready = [can_fire(sides[i], ships[i]) for i in (0, 1)]
        for hit_a, face_a, chance_a in shots(a, b) if ready[0] else [(None, 0, Fraction(1))]:
            for hit_b, face_b, chance_b in shots(b, a) if ready[1] else [(None, 0, Fraction(1))]:
                side_a = strike(sides[0], hit_b, face_b) if ready[1] else sides[0]
                side_b = strike(sides[1], hit_a, face_a) if ready[0] else sides[1]
                side_a = (*side_a[:3], 0) if ready[0] else side_a
                side_b = (*side_b[:3], 0) if ready[1] else side_b
                yield (side_a, side_b), chance_a * chance_b

    def reload(before, after, ship):
        """The one gun is loaded again if it was empty when the turn began and hands are there."""
        hull, dr, crew, loaded = after
        ready = before[3] == 0 and crew >= max(2, ship.skeleton_crew)
        return (hull, dr, crew, 1) if ready else (hull, dr, crew, loaded)

    def verdict(sides):
        lost = [is_lost(sides[i], ships[i]) for i in (0, 1)]
        return {(True, True): 2, (False, True): 0, (True, False): 1}.get(tuple(lost))

    @cache
    def play(sides, first, left):
        over = verdict(sides)
        if over is not None or left == 0:
            result = [Fraction(0)] * 4
            result[3 if over is None else over] = Fraction(1)
            return tuple(result)
        total = [Fraction(0)] * 4

        def add(after, chance):
            if verdict(after) is None:
                after = tuple(reload(sides[i], after[i], ships[i]) for i in (0, 1))
            for place, share in enumerate(play(after, first, left - 1)):
                total[place] += chance * share

        if together:
            for after, chance in both_fire(sides):
                add(after, chance)
        else:
            for middle, chance in fire(sides, first):
                if verdict(middle) is not None:
                    add(middle, chance)
                    continue
                for after, more in fire(middle, 1 - first):
                    add(after, chance * more)
        return tuple(total)

    start = tuple((ship.hull, ship.dr, ship.crew, 1) for ship in ships)
    if together:
        return play(start, 0, turns)
    move = [int(ship.base_move()) for ship in ships]
    wins = sum(x + move[0] > y + move[1] for x, y in product(range(1, 7), repeat=2))
    ties = sum(x + move[0] == y + move[1] for x, y in product(range(1, 7), repeat=2))
    a_first = Fraction(2 * wins + ties, 72)
    one, two = play(start, 0, turns), play(start, 1, turns)
    return tuple(a_first * p + (1 - a_first) * q for p, q in zip(one, two, strict=True))


@pytest.mark.parametrize("order", ["together", "initiative"])
@pytest.mark.parametrize(
    ("changes_a", "changes_b"),
    [
        ({}, {}),
        (dict(hull=9, dr=0, expertise=8), dict(kph=20)),
        (dict(crew=1), dict(size_modifier=3)),
        (dict(hull=25, crew=3, skeleton_crew=3), dict(hull=25, crew=4, skeleton_crew=4)),
    ],
)
def test_against_an_independent_recursion(make_small, order, changes_a, changes_b):
    one_gun = dict(cannons=(1, 0, 0, 0), damage="d", hull=12, kph=10)
    a, b = make_small(**{**one_gun, **changes_a}), make_small(**{**one_gun, **changes_b})
    rules = gurps.HouseRules(fire_order=order)
    found = gurps.duel(a, b, turns=6, chance=nk.Exact(), rules=rules).outcome()
    expected = recursion(a, b, 6, together=order == "together")
    assert found["stalemate"] + found["undecided"] == pytest.approx(float(expected[3]), abs=1e-12)
    for name, chance in zip(("a", "b", "both"), expected, strict=False):
        assert found[name] == pytest.approx(float(chance), abs=1e-12)


READINGS = [
    {reading.name: option}
    for reading in gurps.HouseRules.readings()
    for option in reading.options[1:]
]


def test_exact_and_sampled_agree_on_random_pairs(random_ships):
    tests = 5 * len(OUTCOMES) * PAIRS
    seen = []

    @given(
        a=random_ships,
        b=random_ships,
        rules=st.sampled_from([{}, *READINGS]),
        seed=st.integers(0, 2**32),
    )
    @settings(max_examples=PAIRS, derandomize=True, deadline=None, database=None)
    def compare(a, b, rules, seed):
        rules = gurps.HouseRules(**rules)
        exact = gurps.duel(a, b, turns=5, chance=nk.Exact(), rules=rules)
        sampled = gurps.duel(a, b, turns=5, chance=nk.Sampled(FIGHTS, seed), rules=rules)
        assert exact.table()[["a", "b", "both", "stalemate", "undecided"]].sum(
            axis=1
        ).to_numpy() + exact.lost == pytest.approx(np.ones(6), abs=1e-12)
        one, two = (_with_open(history.table()) for history in (exact, sampled))
        for turn in range(1, 6):
            for name in OUTCOMES:
                chance = min(1.0, max(0.0, one.loc[turn, name]))
                number = round(two.loc[turn, name] * FIGHTS)
                if chance < 1e-12 or chance > 1 - 1e-12:
                    assert number in (0, FIGHTS)
                else:
                    assert binomtest(number, FIGHTS, chance).pvalue > FAMILY_ERROR / tests
        for side in ("a", "b"):
            for track in ("hull", "crew", "dead", "wounded"):
                mean = exact.mean(side, track).iloc[-1]
                drawn = sampled.distribution(side, track)
                assert abs(drawn.mean - mean) <= 6 * drawn.std / FIGHTS**0.5 + 0.01
        seen.append((a, b))

    compare()
    assert len(seen) >= PAIRS


def _with_open(table):
    """Fights that can't end are not told apart from undecided ones within a few turns."""
    return table.assign(undecided=table["undecided"] + table["stalemate"])


READY = ["Sloop", "Schooner"]


@pytest.mark.parametrize("name", READY)
def test_exact_and_sampled_agree_on_ready_ships(name):
    """Those of the eight whose first turns fit an exact answer, with all default rules."""
    a, b = gurps.ship("Sloop"), gurps.ship(name)
    exact = gurps.duel(a, b, turns=3, chance=nk.Exact()).table()
    sampled = gurps.duel(a, b, turns=3, chance=nk.Sampled(100_000)).table()
    for turn in (1, 2, 3):
        for outcome in OUTCOMES:
            number = round(sampled.loc[turn, outcome] * 100_000)
            chance = min(1.0, exact.loc[turn, outcome])
            assert binomtest(number, 100_000, chance).pvalue > FAMILY_ERROR / 24


@pytest.mark.parametrize("name", gurps.library()["name"])
def test_unanswered_fire_agrees_on_all_ready_ships(name):
    a, b = gurps.ship("Brig"), gurps.ship(name)
    exact = gurps.odds.sinking(a, b, turns=25, chance=nk.Exact())
    sampled = gurps.odds.sinking(a, b, turns=25, chance=nk.Sampled(20_000))
    assert exact.is_monotonic_increasing
    for turn in range(26):
        chance = min(1.0, exact[turn])
        if 1e-12 < chance < 1 - 1e-12:
            test = binomtest(round(sampled[turn] * 20_000), 20_000, chance)
            assert test.pvalue > FAMILY_ERROR / 200


def test_a_mirror_match_is_even(make_small):
    ship = make_small(hull=25, crew=8)
    together = gurps.HouseRules(fire_order="together")
    found = gurps.duel(ship, ship, turns=8, chance=nk.Exact(), rules=together)
    assert found.outcome()["a"] == pytest.approx(found.outcome()["b"], abs=1e-12)
    assert found.mean("a", "hull").to_numpy() == pytest.approx(
        found.mean("b", "hull").to_numpy(), abs=1e-10
    )
    by_order = gurps.duel(ship, ship, turns=8, chance=nk.Exact()).outcome()
    assert by_order["a"] == pytest.approx(by_order["b"], abs=1e-12)
    sampled = gurps.duel(ship, ship, turns=8, chance=nk.Sampled(50_000)).outcome()
    assert abs(sampled["a"] - sampled["b"]) < 5 * (2 * 0.25 / 50_000) ** 0.5


class TestSamples:
    def test_blocks_and_dropping_change_nothing(self):
        a, b = gurps.ship("Brig"), gurps.ship("Brigantine")
        same = [
            nk.Sampled(5000, 3, block=1024),
            nk.Sampled(5000, 3, block=65536),
            nk.Sampled(5000, 3, drop=False),
            nk.Sampled(5000, 3, block=2048, drop=False),
        ]
        first, *others = (gurps.duel(a, b, turns=20, chance=chance) for chance in same)
        for other in others:
            assert first.table().equals(other.table())
            for side, track in [("a", "hull"), ("b", "crew"), ("b", "dead")]:
                one, two = first.distribution(side, track), other.distribution(side, track)
                assert one.min == two.min
                assert np.array_equal(one.pmf, two.pmf)

    def test_samples_add_up(self):
        a, b = gurps.ship("Brig"), gurps.ship("Sloop")
        whole = gurps.duel(a, b, turns=9, chance=nk.Sampled(5000, 9))
        parts = [
            gurps.duel(a, b, turns=9, chance=nk.Sampled(n, 9, first=first))
            for n, first in [(1500, 0), (2500, 1500), (1000, 4000)]
        ]
        added = parts[0] + parts[1] + parts[2]
        assert added.fights == 5000
        assert added.table().equals(whole.table())
        with pytest.raises(nk.InputError, match="follow on"):
            parts[0] + parts[2]

    def test_each_fight_can_be_replayed_alone(self):
        a, b = gurps.ship("Brig"), gurps.ship("Brig")
        sample = gurps.duel(a, b, turns=12, chance=nk.Sampled(1300, 5))
        alone = [sample.replay(n) for n in range(1024, 1300)]
        winners = np.mean([fight.outcome()["a"] for fight in alone])
        part = gurps.duel(a, b, turns=12, chance=nk.Sampled(276, 5, first=1024))
        assert part.outcome()["a"] == pytest.approx(winners)
        hulls = np.mean([fight.mean("b", "hull").iloc[-1] for fight in alone])
        assert part.mean("b", "hull").iloc[-1] == pytest.approx(hulls)
        log = alone[0].log
        assert log.columns.tolist() == [
            "turn",
            "side",
            "why",
            "dice",
            "faces",
            "target",
            "result",
            "success",
            "rule",
        ]
        assert log.loc[0, "why"] == "initiative"

    def test_a_replay_is_what_its_rolls_make_of_it(self):
        """The rolls of the log, played as a script, give the same fight."""
        a, b = gurps.ship("Brig"), gurps.ship("Schooner")
        alone = gurps.duel(a, b, turns=10, chance=nk.Sampled(2000, 11)).replay(1999)
        rolls = alone.log["result"].tolist()
        scripted = gurps.duel(a, b, turns=10, chance=nk.Scripted(rolls))
        assert scripted.table().equals(alone.table())
        assert scripted.mean("b", "crew").equals(alone.mean("b", "crew"))
        assert scripted.log.equals(alone.log)

    @pytest.mark.parametrize("number", [-1, 500])
    def test_fights_that_were_not_sampled(self, number):
        sample = gurps.duel(gurps.ship("Sloop"), gurps.ship("Sloop"), chance=nk.Sampled(500))
        with pytest.raises(nk.InputError, match=f"fight: got {number}"):
            sample.replay(number)


def test_a_duel_by_hand(make_small):
    """Initiative 5+1 against 2+1; a hits for 8 − 1 a gun, b misses for half, and so on."""
    a = make_small("a", kph=10, hull=200, cannons=(2, 0, 0, 0), crew=10, skeleton_crew=3)
    b = make_small("b", kph=10, hull=60, cannons=(1, 0, 0, 0), crew=4, skeleton_crew=4, dr=1)
    h = gurps.duel(a, b, turns=3, chance=nk.Scripted([5, 2, 9, 8, 15, 12, 7, 12]))
    # turn 1: a does 2·8 − 2·1 = 14, DR 1 → 0; b misses with 12 − 1 = 11, half is 5, DR 1 → 0
    assert h.mean("b", "hull").tolist() == [60, 46, 46, 22]
    assert h.mean("a", "hull").tolist() == [200, 195, 195, 195]
    assert h.mean("b", "dr").tolist() == [1, 0, 0, 0]
    # turn 2: both reload. turn 3: a does 2·12 = 24: one hand out, and b is below its skeleton crew
    assert h.mean("b", "crew").tolist() == [4, 4, 4, 3]
    assert h.outcome()["a"] == 1
    assert h.cause("b")["out_of_action"].tolist() == [0, 0, 0, 1]


def test_ties_of_initiative(make_small):
    a, b = make_small(), make_small()
    h = gurps.duel(a, b, turns=1, chance=nk.Scripted([3, 3, 2, 18, 2, 18, 2]))
    assert h.log["side"].tolist()[3:] == ["b", "b", "a", "a"]
    skilled = make_small(officers=gurps.Officers(leadership=1, gunnery=0, navigation=1))
    # Navigation +1 makes Move 2; 3 + 2 against 4 + 1 is a tie, and the better navigator goes first
    h = gurps.duel(skilled, b, turns=1, chance=nk.Scripted([3, 4, 18, 2, 18, 2]))
    assert h.log["side"].tolist()[2] == "a"


def test_ships_that_cannot_hurt_each_other_are_a_stalemate(make_small):
    tough = make_small(dr=100)
    for chance in (nk.Exact(), nk.Sampled(2000)):
        found = gurps.duel(tough, tough, turns=6, chance=chance)
        assert found.outcome()["stalemate"] == pytest.approx(1)
    unarmed = make_small(cannons=(0, 0, 0, 0))
    found = gurps.duel(unarmed, unarmed, turns=3, chance=nk.Exact())
    assert found.outcome()["stalemate"] == pytest.approx(1)


def test_a_fight_that_only_takes_long_is_no_stalemate(make_small):
    """Both reload in the last turn, so nothing can be decided in the next one or two."""
    slow = make_small(cannons=(1, 0, 0, 0), crew=2, hull=40)
    found = gurps.duel(slow, slow, turns=4, chance=nk.Exact()).outcome()
    assert found["stalemate"] == 0
    assert found["undecided"] > 0.5


def test_a_ship_that_is_lost_before_the_fight(make_small):
    found = gurps.duel(make_small(crew=1), make_small(), turns=2, chance=nk.Exact())
    assert found.table()["b"].tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda a: gurps.duel(a, a, turns=0), "turns: got 0"),
        (lambda a: gurps.duel(a, a, turns=1_000_000), "turns: got 1000000"),
        (lambda a: gurps.duel(a, a, turns=2.5), "turns: got 2.5"),
        (lambda a: gurps.duel(a, "Brig"), "b: got 'Brig'"),
        (lambda a: gurps.duel(a, a, chance=0.5), "chance: got 0.5"),
        (lambda a: gurps.duel(a, a, rules={"reload": "none"}), "rules: got"),
        (lambda a: gurps.board(a, None), "b: got None"),
        (lambda a: gurps.odds.sinking(a, a, turns=-1), "turns: got -1"),
        (lambda a: gurps.odds.hit(a, 3), "target: got 3"),
        (lambda a: gurps.duel(a, a, chance=nk.Exact(distributions=("rum",))), "got 'rum'"),
    ],
)
def test_bad_input(make_small, use, said):
    with pytest.raises(nk.InputError, match=said):
        use(make_small())


def test_too_many_states_are_refused_with_advice():
    big = gurps.ship("70-gun military")
    with pytest.raises(nk.TooManyStates, match=r"gurps\.odds\.out_of_action\(.*Sampled"):
        gurps.duel(big, big, turns=20, chance=nk.Exact(states=1000))


def test_chance_none_is_exact_where_that_is_quick(make_small):
    assert gurps.duel(make_small(hull=10), make_small(hull=10), turns=3).fights is None
    assert gurps.duel(gurps.ship("Brig"), gurps.ship("Brig")).fights == 20_000
