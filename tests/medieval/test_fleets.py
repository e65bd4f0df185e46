"""Battles of fleets: against exact boardings, by script, and by number of the fight."""

import re

import pytest

import navkit as nk
from navkit.rulebooks import medieval
from navkit.rulebooks.medieval import Doctrine, HouseRules, Ship

A, B = Ship("A"), Ship("B")
HOLD = Doctrine(aim="hold")
LEAVE_PRIZES = Doctrine(prize_crew=0)
NO_GRAPPLE = Doctrine(grapples=False)
NEVER_TOO_MANY = HouseRules(outnumbered_at="more than twice")


def fleet(letter, ships, **first):
    return [Ship(f"{letter}{n}", **(first if n == 1 else {})) for n in range(1, ships + 1)]


def battle(a, b, script, *, turns=1, **told):
    return medieval.fleet_battle(a, b, turns=turns, chance=nk.Scripted(script), **told)


def played(a, b, turns, dice, **told):
    """The battle in which whatever is rolled for shows 1, but what `dice` has by its words."""
    script = []
    while True:
        try:
            return battle(a, b, script, turns=turns, **told)
        except nk.InputError as error:
            wanted = re.search(
                r"turn (\d+): got None, .* a roll of (\d*)d6 .* for (.*)", str(error)
            )
            turn, count, why = wanted.groups()
            face = next((face for what, face in dice.items() if what in f"{turn} {why}"), 1)
            script.append((face,) * int(count or 1))


def whys(h):
    return h.log["why"].tolist()


# One ship is a fleet


@pytest.mark.parametrize("retaliation", ["sequential", "simultaneous", "next turn"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([A], B),
        ([Ship("A", kind="round", high=True)], Ship("B", siphon=True, flagship=True)),
        ([A, Ship("A2", siphon=True, crew=9)], B),
    ],
)
def test_a_fleet_against_one_ship_is_a_boarding(a, b, retaliation, hold_sample):
    rules = HouseRules(retaliation=retaliation, outnumbered_at="more than twice")
    fights, turns = 4000, 6
    told = {"turns": turns, "rules": rules}
    exact = medieval.board(a, b, chance=nk.Exact(), **told)
    sampled = medieval.fleet_battle(
        a, b, doctrines=(Doctrine(), HOLD), chance=nk.Sampled(fights=fights, seed=4), **told
    )
    compared = []
    for turn in range(1, turns + 1):
        for side in "ab":
            # a flagship's admiral may fall, and word of it puts his fleet to a test after turn 3
            if not b.flagship or turn < 3:
                known, seen = (h.distribution(side, "crew", turn) for h in (exact, sampled))
                for crew in range(0, 40, 3):
                    count = round(seen.at_most(crew) * fights)
                    compared.append((count, known.at_most(crew)))
    hold_sample(compared, fights)


# A turn by script


def test_contact_is_made_by_list_and_all_fight_at_once():
    h = battle(fleet("A", 2), fleet("B", 3), [3, 4, 5, 1, 2, 6])
    assert whys(h) == [
        "A1: attacked",
        "B1: attacked",
        "B2: attacked",
        "A1: blow back",
        "A2: blow back",
        "B3: blow back",
    ]
    assert h.mean("a", "crew")[1] == 40 - 3 - 1 - 2
    assert h.mean("b", "crew")[1] == 60 - 4 - 5 - 6


def test_one_of_two_attackers_scores_and_is_struck_back():
    h = battle(fleet("A", 2), [B], [1, 3], rules=NEVER_TOO_MANY)
    assert h.mean("b", "crew")[1] == 20 - (1 + 2)
    assert h.mean("a", "crew")[1] == 40 - 3


def test_crews_may_have_to_grapple_first():
    rules = HouseRules(contact="grapple first")
    h = battle([A], [B], [2, 3], turns=2, rules=rules)
    assert h.log["turn"].tolist() == [2, 2]
    h = battle([A], [B], [3, 4, 2, 3], turns=3, rules=rules, doctrines=(Doctrine(), NO_GRAPPLE))
    assert whys(h) == ["A: grapple", "A: grapple", "B: attacked", "A: blow back"]


def test_a_stuck_ram_grapples_on_a_three():
    ram = Ship("A", ram=True)
    rules = HouseRules(contact="grapple first")
    for rams, script in ((True, [3, 2, 2]), (False, [3, 3])):
        h = battle(
            [ram], [B], script, turns=2, rules=rules, doctrines=(Doctrine(rams=rams), NO_GRAPPLE)
        )
        assert h.mean("b", "crew")[2] == (18 if rams else 20)


def test_friends_in_line_flank_the_one_attacked():
    line = [Ship(f"B{n}", line="van") for n in (1, 2, 3)]
    aims = (Doctrine(aim="weakest"), HOLD)
    line[1] = Ship("B2", line="van", crew=19)
    h = battle(fleet("A", 2), line, [5, 6, 1, 2], doctrines=aims)
    assert whys(h)[:2] == ["B1: attacked", "B2: attacked"]
    assert h.mean("b", "crew")[1] == 59 - (5 - 1) - (6 - 2)


# Captures


def test_a_prize_is_manned_in_a_turn_of_its_own_and_counts_for_its_captor():
    a, b = [A], [Ship("B1", crew=3), Ship("B2")]
    h = battle(a, b, [6, 5], turns=2, doctrines=(Doctrine(prize_crew=5), HOLD))
    assert whys(h) == ["B1: attacked", "morale of b"]  # no attack in turn 2, and 2 ships against 1
    assert h.mean("a", "ships").tolist() == [1, 1, 2]
    assert h.mean("a", "prizes").tolist() == [0, 0, 1]
    assert h.mean("a", "crew").tolist() == [20, 20, 20]
    assert h.mean("b", "ships").tolist() == [2, 1, 1]


def test_who_sends_a_crew_over_attacks_nobody_but_may_strike_back():
    a, b = [A, Ship("A2", crew=1)], [Ship("B1", crew=3), Ship("B2")]
    dice = {"1 B1: attacked": 6, "1 A2: blow back": 6, "morale": 5}
    h = played(a, b, 2, dice, doctrines=(Doctrine(), LEAVE_PRIZES))
    # turn 2: A mans B1, and only answers B2, which has overcome A2 and comes up
    assert h.log[h.log["turn"] == 2]["why"].tolist() == [
        "B2: grapple",  # A would rather not, since it is offensive
        "A: attacked",
        "B2: blow back",
        "morale of b",
    ]
    assert h.mean("a", "prizes")[2] == 1


def test_a_defender_may_man_the_attacker_it_overcame():
    a, b = [Ship("A1", crew=2), Ship("A2")], [B, Ship("B2")]
    told = {"doctrines": (Doctrine(), Doctrine(aim="hold", prize_crew=3))}
    h = played(a, b, 2, {"1 A1: blow back": 6, "morale": 5}, **told)
    assert h.mean("b", "prizes").tolist() == [0, 0, 1]
    assert h.mean("b", "ships").tolist() == [2, 2, 3]


def test_a_prize_may_be_taken_back():
    a, b = [Ship("A1", crew=3), Ship("A2")], [B, Ship("B2", crew=3)]
    told = {"doctrines": (Doctrine(aim="weakest"), Doctrine(aim="hold", prize_crew=2))}
    dice = {"1 B: attacked": 1, "A1: blow back": 6, "4 A1: attacked": 6, "morale": 5}
    h = played([a[1], a[0]], [b[1], b[0]], 5, dice | {"1 A2: blow back": 1}, **told)
    # 1: A1 falls to B; 2: B mans it, B2 falls; 3: A2 mans B2; 4: A2 empties A1; 5: and mans it
    assert h.mean("b", "prizes").tolist() == [0, 0, 1, 1, 0, 0]
    assert h.mean("a", "prizes").tolist() == [0, 0, 0, 1, 1, 1]
    assert h.mean("a", "ships").tolist() == [2, 1, 1, 2, 2, 3]


def test_a_flagship_taken_is_a_test_of_morale_at_once_and_no_flagship_again():
    b = [Ship("B1", crew=3, flagship=True), Ship("B2"), Ship("B3"), Ship("B4")]
    told = {"doctrines": (Doctrine(prize_crew=2), Doctrine(aim="hold")), "rules": NEVER_TOO_MANY}
    h = played([A], b, 2, {"1 B1: attacked": 6, "morale of b": 3, "morale": 5}, **told)
    assert h.log[h.log["why"] == "morale of b"]["turn"].tolist() == [2]
    assert h.mean("b", "flagship").tolist() == [1, 1, 0]
    assert h.mean("b", "halt").tolist() == [0, 0, 2]
    assert h.mean("a", "flagship").tolist() == [0, 0, 0]


def test_former_owners_man_a_hull_again_when_the_enemy_passed_it_up():
    a = [Ship("A1", crew=2), Ship("A2"), Ship("A3")]
    doctrines = (Doctrine(aim="hold", remans=True, prize_crew=6), LEAVE_PRIZES)
    h = played(a, [B], 4, {"1 A1: attacked": 3, "morale": 5}, doctrines=doctrines)
    assert h.mean("a", "ships").tolist() == [3, 2, 2, 3, 3]
    without = (Doctrine(aim="hold", prize_crew=6), LEAVE_PRIZES)
    h = played(a, [B], 4, {"1 A1: attacked": 3, "morale": 5}, doctrines=without)
    assert h.mean("a", "ships").tolist() == [3, 2, 2, 2, 2]


# Morale


def test_outnumbered_at_the_end_of_the_first_turn():
    h = played(fleet("A", 2), [B], 2, {"morale": 5})
    tests = h.log[h.log["rule"] == "M-41"]
    assert tests["turn"].tolist() == [1]
    each = HouseRules(morale_outnumber="each turn")
    h = played(fleet("A", 2), [B], 2, {"morale": 5}, rules=each)
    assert h.log[h.log["rule"] == "M-41"]["turn"].tolist() == [1, 2]


def test_word_of_a_dead_admiral_is_tested_two_turns_later():
    h = played([A], [Ship("B1", flagship=True)], 4, {"1 admiral of b": 6, "morale": 5})
    assert h.log[h.log["rule"] == "M-26"]["turn"].tolist() == [1]
    assert h.log[h.log["rule"] == "M-41"]["turn"].tolist() == [3]
    assert h.mean("b", "admiral").tolist() == [1, 0, 0, 0, 0]


def test_a_halted_fleet_only_strikes_back_for_two_turns():
    b = [Ship("B", flagship=True)]
    told = {"doctrines": (HOLD, Doctrine()), "rules": NEVER_TOO_MANY}
    h = played([A], b, 7, {"1 admiral of b": 6, "3 morale of b": 4}, **told)
    attacks = h.log[h.log["why"] == "A: attacked"]
    assert attacks["turn"].tolist() == [1, 2, 3, 6, 7]


@pytest.mark.parametrize(("cut", "broke", "gone"), [(4, 4, 1), (3, 4, 0), (4, 3, 0)])
def test_a_fleet_in_flight_must_get_clear(cut, broke, gone):
    dice = {"morale": 2, "cut": cut, "break": broke}
    h = played(fleet("A", 2), [B], 2, dice)
    assert h.mean("b", "fleeing").tolist() == [0, 1, 1]
    assert h.cause("b")["fled"].tolist() == [0, 0, gone]
    assert whys(h).count("B: attacked") == 2 - gone


def test_a_fleet_in_flight_may_be_gone_at_once():
    rules = HouseRules(flee_grappled="gone at once")
    h = played(fleet("A", 2), [B], 2, {"morale": 2}, rules=rules)
    assert h.cause("b")["fled"].tolist() == [0, 0, 1]


def test_what_is_cut_in_flight_stays_cut():
    dice = {"morale": 2, "2 A1: cut": 4, "2 A2: cut": 3, "3 A2: cut": 4, "3 B: break": 4}
    h = played(fleet("A", 2), [B], 3, dice)
    leaving = h.log[h.log["rule"].isin(["M-11", "M-28"])]
    assert leaving[["turn", "why"]].to_numpy().tolist() == [
        [2, "A1: cut the grapnels"],
        [2, "A2: cut the grapnels"],
        [2, "B: break contact"],
        [3, "A2: cut the grapnels"],
        [3, "B: break contact"],
    ]


def test_ships_that_break_off_are_a_fleet_that_withdrew():
    doctrines = (Doctrine(grapples=False, break_off=19), NO_GRAPPLE)
    h = played([A], [B], 2, {"A: break": 4}, doctrines=doctrines)
    assert h.cause("a")["withdrew"].tolist() == [0, 0, 1]


def test_a_ship_in_no_contact_leaves_without_a_die():
    h = battle([A], [B], [], turns=1, doctrines=(Doctrine(aim="hold", break_off=20), HOLD))
    assert h.cause("a")["withdrew"].iloc[-1] == 1


# Sinking


@pytest.mark.parametrize(
    ("grapples", "ships", "sinking", "left"),
    [
        (True, (1, 1), {"B1": 1}, (0, 0)),
        (False, (1, 1), {"B1": 1}, (1, 0)),
        (True, (2, 1), {"B1": 1}, (2, 1)),
        (True, (2, 1), {"A1": 1, "A2": 1}, (0, 0)),
        (True, (2, 2), {"B1": 1}, (1, 1)),
    ],
)
def test_what_sinks_with_what(grapples, ships, sinking, left):
    a, b = fleet("A", ships[0]), fleet("B", ships[1])
    doctrines = (Doctrine(grapples=grapples), Doctrine(aim="hold", grapples=grapples))
    h = played(a, b, 1, {"morale": 6}, doctrines=doctrines, sinking=sinking, rules=NEVER_TOO_MANY)
    assert (h.mean("a", "ships")[1], h.mean("b", "ships")[1]) == left


def test_a_line_goes_down_with_one_ship_of_two():
    line = [Ship("B1", line="van"), Ship("B2", line="van")]
    h = battle([A], line, [], doctrines=(HOLD, HOLD), sinking={"B2": 1})
    assert h.outcome()["a"] == 1


def test_a_flagship_sunk_is_a_test_of_morale():
    h = battle([A], fleet("B", 2, flagship=True), [2], doctrines=(HOLD, HOLD), sinking={"B1": 1})
    assert whys(h) == ["morale of b"]
    assert h.mean("b", "fleeing")[1] == 1


# Large ones


def test_a_battle_is_the_same_alone_and_in_any_block():
    a, b = fleet("A", 6, flagship=True), fleet("B", 5, flagship=True)
    sample = nk.Sampled(fights=1500, seed=8)
    h = medieval.fleet_battle(a, b, turns=20, chance=sample)
    small = nk.Sampled(fights=1500, seed=8, block=1024, drop=False)
    again = medieval.fleet_battle(a, b, turns=20, chance=small)
    assert h.table().equals(again.table())
    assert h.mean("a", "crew").equals(again.mean("a", "crew"))
    few = medieval.fleet_battle(a, b, turns=20, chance=nk.Sampled(fights=12, seed=8))
    alone = [h.replay(n) for n in range(12)]
    for outcome in ("a", "b", "both", "undecided"):
        count = sum(one.outcome()[outcome] for one in alone)
        assert few.outcome()[outcome] * 12 == pytest.approx(count)
    crew = sum(one.mean("b", "crew").iloc[-1] for one in alone)
    assert few.mean("b", "crew").iloc[-1] * 12 == pytest.approx(crew)


def test_fifty_against_fifty_are_decided_and_nothing_is_lost_count_of():
    a, b = fleet("A", 50, flagship=True), fleet("B", 50, flagship=True)
    h = medieval.fleet_battle(a, b, chance=nk.Sampled(fights=200))
    table = h.table()[["a", "b", "both", "undecided"]]
    assert table.sum(axis=1).to_numpy() == pytest.approx(1)
    assert table["undecided"].iloc[-1] < 0.05
    assert (h.mean("a", "ships") + h.mean("b", "ships") <= 100).all()
    assert (h.mean("a", "crew") + h.mean("b", "crew")).is_monotonic_decreasing


def test_a_larger_mass_decides_sooner():
    a, b = fleet("A", 12), fleet("B", 6)
    spread, massed = (
        medieval.fleet_battle(
            a, b, turns=4, doctrines=(Doctrine(mass=mass), HOLD), rules=NEVER_TOO_MANY,
            chance=nk.Sampled(fights=500),
        )
        for mass in (1, 4)
    )  # fmt: skip
    assert massed.mean("b", "ships")[2] < spread.mean("b", "ships")[2] - 1


# What is refused


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"a": []}, "a: got '0 ships', allowed is 1 to 200 ships"),
        ({"b": fleet("B", 201)}, "b: got '201 ships'"),
        ({"b": [Ship("x", flagship=True)] * 2}, "b, flagships: got"),
        ({"turns": None}, "turns: got None"),
        ({"turns": 1001}, "turns: got 1001"),
        ({"doctrines": Doctrine()}, "doctrines: got"),
        ({"doctrines": (Doctrine(), "line")}, "doctrines: got"),
        ({"sinking": {"C": 1}}, "sinking ship: got 'C', allowed are 'A', 'B'"),
        ({"sinking": {"A": 0}}, "turn in which A sinks: got 0"),
        ({"chance": nk.Exact()}, r"chance: got Exact.* allowed is Sampled"),
        ({"rules": 3}, "rules: got 3"),
    ],
)
def test_what_a_battle_cannot_be_is_refused(told, message):
    told = {"a": [A], "b": [B]} | told
    with pytest.raises(nk.InputError, match=message):
        medieval.fleet_battle(told.pop("a"), told.pop("b"), **told)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"aim": "nearest"}, "aim: got 'nearest', allowed are 'line', 'weakest'"),
        ({"mass": 0}, "mass: got 0"),
        ({"break_off": 21}, "break_off: got 21"),
        ({"prize_crew": -1}, "prize_crew: got -1"),
        ({"rams": "yes"}, "rams: got 'yes', allowed is True or False"),
    ],
)
def test_what_a_doctrine_cannot_be_is_refused(told, message):
    with pytest.raises(nk.InputError, match=message):
        Doctrine(**told)


# How ships lie


@pytest.mark.parametrize("number", [0, 5, 1030])
@pytest.mark.parametrize("turns", [0, 1, 3, 30])
def test_how_the_ships_of_a_battle_lie_is_that_battle(number, turns):
    a, b = fleet("A", 5, flagship=True), [Ship(f"B{n}", line="van") for n in range(4)]
    told = {"doctrines": (Doctrine(), Doctrine(aim="hold", grapples=False))}
    lying, tied = medieval.tied_after(a, b, turns=turns, fight=number, seed=6, **told)
    sample = nk.Sampled(fights=number + 1, seed=6)
    one = medieval.fleet_battle(a, b, turns=max(turns, 1), chance=sample, **told).replay(number)
    for side in "ab":
        manned = lying[(lying["side"] == side) & (lying["crew"] > 0)]
        assert one.mean(side, "ships")[turns] == len(manned)
        assert one.mean(side, "crew")[turns] == manned["crew"].sum()
    assert tied.ships == tuple(lying.index)
    assert all({name[0] for name in pair} == {"A", "B"} for pair in tied.grapples)
    if turns == 0:
        assert tied == medieval.TiedShips.of(a, b)


def test_ships_of_one_name_have_no_graph():
    with pytest.raises(nk.InputError, match="names that differ"):
        medieval.tied_after([A, A], [B], turns=1)
