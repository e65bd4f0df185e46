"""Boardings: one round against a plain recursion, scripted rounds, and how they end."""

from collections import Counter
from fractions import Fraction

import pytest

from navkit import Exact, InputError, Scripted
from navkit.chance import ScriptError
from navkit.rulebooks.sea_battles import (
    Boarders,
    Character,
    HouseRules,
    Ship,
    Unit,
    board,
    odds,
)

IDLE = {"break test": 2, "who strikes first": 1, "damage": 1, "hard or soft": 1}


def quiet(a, b, *first, **settings):
    """A boarding with these first rolls; then nothing hits, and nobody breaks (a double 1)."""
    rolls = list(first)
    while True:
        try:
            return board(a, b, chance=Scripted(rolls), **settings)
        except ScriptError as error:
            if error.value is not None:
                raise
            rolls.append(next((v for why, v in IDLE.items() if why in error.allowed[0]), 0))


def ship(name, size, *troops, **more):
    return Ship(name, size, "oars", 8, troops=troops, **more)


# One round, worked out in plain Python


@pytest.fixture
def one_round(binomial):
    """P(models left of both after a round, before break tests) of two plain units, one wound each.

    Each side is (models, size, to hit, to wound, wound by crew, save, crew's to hit), of which the
    last three are about being struck by it.
    """

    def blows(dice, hit, wound, save):
        chance = Fraction(7 - hit, 6) * Fraction(max(0, 7 - wound), 6)
        chance *= 1 - Fraction(max(0, 7 - save), 6)
        return binomial(dice, chance)

    def one_round(models, width, crew, numbers, step_up):
        """`numbers[side]` = (unit hits, unit wounds, crew hits, crew wounds, foe's save)."""
        states = {(models[0], models[1]): Fraction(1)}
        for side in (0, 1):
            hit, wound, crew_hit, crew_wound, save = numbers[side]
            for group in ("unit", "crew"):
                after = Counter()
                for left, chance in states.items():
                    fallen = models[side] - left[side]
                    start = min(models[side], width[side])
                    able = max(0, start - fallen)
                    if step_up:
                        able = min(start, left[side])
                    dice = able if group == "unit" else crew[side]
                    needs = (hit, wound) if group == "unit" else (crew_hit, crew_wound)
                    foe = left[1 - side]
                    if foe == 0:
                        after[left] += chance
                        continue
                    for kills, share in blows(dice, *needs, save).items():
                        new = list(left)
                        new[1 - side] = max(0, foe - kills)
                        after[tuple(new)] += chance * share
                states = after
        return states

    return one_round


@pytest.mark.parametrize("step_up", ["next round", "at once"])
@pytest.mark.parametrize("obstacle", ["first round", "no obstacle"])
@pytest.mark.parametrize("models", [(3, 2), (2, 4), (5, 5)])
def test_a_first_round_against_a_plain_recursion(one_round, step_up, obstacle, models):
    """Orc-like against halberdiers, so that saves, strengths and skills all differ.

    Skeletons never break, so what is left after the round is what the blows left.
    """
    a = ship("Bones", 1, Unit("Skeleton", models[0]))
    b = ship("Dead", 1, Unit("Zombie", models[1]))
    rules = HouseRules(step_up=step_up, obstacle=obstacle)
    history = board(a, b, rounds=1, chance=Exact(distributions=()), rules=rules)
    chargers_hit = 6 if obstacle == "first round" else 4
    numbers = (
        (chargers_hit, 4, chargers_hit, 4, 7),  # skeletons (WS 2, S3) at zombies (T3, no save)
        (4, 4, 4, 4, 6),  # zombies at skeletons (save 6+)
    )
    wanted = one_round(models, (2, 2), (1, 1), numbers, step_up == "at once")
    for side in (0, 1):
        found = history.distribution("ab"[side], "troops")
        left = Counter()
        for state, chance in wanted.items():
            left[state[side]] += chance
        for value, chance in left.items():
            assert found.equal(value) == pytest.approx(float(chance), rel=1e-9, abs=1e-14)


def test_the_width_is_twice_the_size_and_wide_bases_count_twice():
    for size, models in ((1, 2), (5, 10)):
        a = ship("A", size, Unit("Skeleton", 20))
        b = ship("B", size, Unit("Zombie", 20))
        log = quiet(a, b, rounds=1).log
        assert log["dice"].tolist()[:4] == [
            f"{models}d6≥6",
            f"{size}d6≥6",
            f"{models}d6≥4",
            f"{size}d6≥4",
        ]
    ogres = ship("Ogres", 3, Unit("Ogre bull", 6))
    log = quiet(
        ogres,
        b,
        rounds=1,
    ).log
    assert log["dice"].iloc[0] == "9d6≥6"  # 3 ogres of 3 attacks from a Size 3 ship


def test_chargers_need_6s_in_the_first_round_alone_and_strike_first():
    a, b = ship("A", 1, Unit("Skeleton", 9)), ship("B", 1, Unit("Zombie", 9))
    log = quiet(
        a,
        b,
        rounds=2,
    ).log
    assert log["dice"].tolist() == ["2d6≥6", "1d6≥6", *["2d6≥4", "1d6≥4"] * 3]
    until_won = HouseRules(obstacle="until won")
    log = quiet(a, b, rounds=2, rules=until_won).log
    assert log["dice"].tolist()[4] == "2d6≥6"


def test_equal_initiative_is_tossed_for_and_the_7th_edition_looks_at_the_last_winner():
    a, b = ship("A", 1, Unit("Zombie", 9)), ship("B", 1, Unit("Zombie", 9))
    log = quiet(a, b, rounds=2).log
    assert log["why"].tolist()[4] == "who strikes first"
    # b wins round 1 by a wound and strikes first in round 2 without a toss
    seventh = HouseRules(edition="7th", outnumber="off")
    log = quiet(a, b, 0, 0, 1, 1, rounds=2, rules=seventh).log
    assert "who strikes first" not in log["why"].tolist()


def test_great_weapons_strike_last_unless_they_charge():
    swords = ship("Swords", 1, Unit("Empire greatsword", 5))
    bones = ship("Bones", 1, Unit("Zombie", 5))
    log = quiet(
        swords,
        bones,
        rounds=2,
    ).log
    # round 1: swords first with 6s; round 2: zombies (Initiative 0) before great weapons
    assert [log["dice"].iloc[n] for n in (4, 6)] == ["2d6≥4", "2d6≥3"]


def test_crew_support_is_size_at_weapon_skill_2_and_strength_3():
    a, b = ship("A", 3, Unit("Dwarf warrior", 9)), ship("B", 2, Unit("Chaos warrior", 9))
    history = quiet(
        a,
        b,
        rounds=1,
    )
    # dwarfs WS 4 and crew at an obstacle; chaos warriors WS 5 against 4; crew WS 2 against 4
    assert history.log["dice"].tolist() == ["6d6≥6", "3d6≥6", "4d6≥3", "2d6≥4"]
    last = HouseRules(support_timing="last")
    log = quiet(a, b, rounds=1, rules=last).log
    assert log["dice"].tolist() == ["6d6≥6", "4d6≥3", "3d6≥6", "2d6≥4"]


def test_wounds_by_the_crew_count_or_do_not():
    a, b = ship("A", 1, Unit("Skeleton", 5)), ship("B", 1, Unit("Goblin", 6))
    # the crew kills one goblin; the goblins lose by 1 and test on 6 − 1
    log = quiet(a, b, 0, 1, 1, rounds=1, rules=HouseRules(outnumber="off")).log
    assert (log["why"].iloc[-1], log["target"].iloc[-1]) == ("break test", 5)
    rules = HouseRules(support_counts="do not", outnumber="off")
    log = quiet(a, b, 0, 1, 1, rounds=1, rules=rules).log
    assert "break test" not in log["why"].tolist()


def test_a_unit_that_breaks_is_destroyed_and_its_ship_lost():
    a, b = ship("A", 1, Unit("Skeleton", 5)), ship("B", 1, Unit("Goblin", 6))
    history = quiet(a, b, 1, 1, 0, 0, 0, 0, 12, rounds=1)
    assert history.outcome()["a"] == 1
    assert history.cause("b").iloc[-1].to_dict()["scuttled"] == 1  # nobody of a can command her
    assert history.mean("b", "troops").iloc[-1] == 0


def test_what_a_break_test_is_on():
    a = ship("A", 2, Unit("Skeleton", 6))
    goblins = ship("G", 1, Unit("Goblin", 9))
    two_dead = (2, 2)  # hits, wounds; goblins with spears and shields save on a 5+
    for rules, target in (
        (HouseRules(), 4),  # 6 − 2 wounds; 7 goblins outnumber 6 skeletons: + 1 − 1
        (HouseRules(outnumber="off"), 4),
        (HouseRules(outnumber="models fighting"), 3),  # 4 skeletons fight, 2 goblins
        (HouseRules(break_leadership="ship's", outnumber="off"), 6),
    ):
        log = quiet(a, goblins, *two_dead, rounds=1, rules=rules).log
        target = target + 1 if rules == HouseRules() else target
        assert (log["why"].iloc[-1], log["target"].iloc[-1]) == ("break test", target)


def test_a_double_1_holds_or_not():
    killers = ship("A", 3, Unit("Chaos warrior", 6))
    goblins = ship("G", 1, Unit("Night goblin", 9))
    for reading, target in (("holds", 2), ("no", -2)):
        rules = HouseRules(insane_courage=reading, outnumber="off")
        log = quiet(killers, goblins, 6, 6, rounds=1, rules=rules).log
        assert log["target"].iloc[-1] == max(target, 5 - 6 if reading == "no" else 2)
        assert bool(log["success"].iloc[-1]) == (reading == "holds")


def test_stubborn_units_take_nothing_off_and_standards_count():
    off = HouseRules(outnumber="off")
    swords = ship("S", 1, Unit("Empire greatsword", 3))
    bones = ship("B", 1, Unit("Skeleton", 6, standard=True))
    assert quiet(bones, swords, 1, 1, rounds=1, rules=off).log["target"].iloc[-1] == 8
    goblins = ship("G", 1, Unit("Goblin", 6))
    for standard, target in ((True, 4), (False, 5)):
        charging = ship("B", 1, Unit("Skeleton", 6, standard=standard))
        log = quiet(charging, goblins, 1, 1, rounds=1, rules=off).log
        assert log["target"].iloc[-1] == target


def test_the_next_unit_in_line_fights_the_next_round():
    goblins = ship("G", 1, Unit("Goblin", 1), Unit("Clanrat", 4))
    bones = ship("B", 1, Unit("Skeleton", 8))
    log = quiet(bones, goblins, 1, 1, rounds=2).log
    second = log[log["turn"] == 2]["dice"].tolist()
    assert second[:2] == ["2d6≥3", "1d6≥4"]  # rats (WS 3, Initiative 4) strike before skeletons
    reverse = Boarders(order=(1, 0))
    log = quiet(bones, goblins, rounds=1, b_fights=reverse).log
    assert log["dice"].tolist()[2] == "2d6≥3"


# Characters

OTTO = Character("Empire captain", "Otto")


def test_challenges_keep_characters_to_each_other_and_overkill_counts():
    empire = Ship(
        "E", 2, "oars", troops=(Unit("Empire spearman", 5),), characters=(OTTO,), captain="Otto"
    )
    orcs = Ship(
        "O", 2, "oars", 7, troops=(Unit("Orc boy", 5),), characters=(Character("Orc big boss"),)
    )
    # captain 3 attacks at WS 5 = boss's 5: 6s at the obstacle
    log = quiet(empire, orcs, rounds=1).log
    assert log["dice"].tolist()[1] == "3d6≥6"
    # without a challenge he strikes the unit (WS 3): the same 6s at an obstacle, later 3+
    peace = Boarders(challenges=False)
    free = HouseRules(obstacle="no obstacle")
    log = quiet(
        empire,
        orcs,
        rounds=1,
        a_fights=peace,
        b_fights=peace,
        rules=free,
    ).log
    assert log["dice"].tolist()[1] == "3d6≥3"
    challenged = quiet(empire, orcs, rounds=1, rules=free).log
    assert challenged["dice"].tolist()[1] == "3d6≥4"
    aims = Boarders(challenges=False, aim="character")
    log = quiet(
        empire,
        orcs,
        rounds=1,
        a_fights=aims,
        b_fights=peace,
        rules=free,
    ).log
    assert log["dice"].tolist()[0] == "3d6≥4"  # spearmen (WS 3) at the boss (WS 5)


def test_a_challenge_may_be_refused_while_others_stand_back():
    free = HouseRules(obstacle="no obstacle", outnumber="off")
    refuses = Boarders(accepts=False, challenges=False)
    empire = Ship("E", 1, "oars", 8, troops=(Unit("Empire spearman", 5),), characters=(OTTO,))
    boss = Character("Orc big boss")
    many = Ship("O", 2, "oars", 7, troops=(Unit("Orc boy", 9),), characters=(boss,))
    log = quiet(empire, many, rounds=1, b_fights=refuses, rules=free).log
    assert len(log) == 5  # the boss does not strike
    few = Ship("O", 2, "oars", 7, troops=(Unit("Orc boy", 3),), characters=(boss,))
    log = quiet(empire, few, rounds=1, b_fights=refuses, rules=free).log
    assert len(log) == 6  # nobody stands back: he must accept


def test_characters_alone_are_struck_by_crew_and_units_shelter_them():
    free = HouseRules(obstacle="no obstacle")
    alone = Ship("H", 1, "oars", 8, characters=(Character("Empire captain", joins=None),))
    bones = ship("B", 1, Unit("Skeleton", 4))
    log = quiet(bones, alone, rounds=1, rules=free).log
    assert log["dice"].tolist()[:4] == ["2d6≥5", "1d6≥5", "3d6≥3", "1d6≥4"]


def test_a_character_who_may_command_takes_the_prize():
    karl = Character("Empire general", "Karl")
    goblins = ship("G", 1, Unit("Goblin", 1))

    def cause(characters, captain, fights=None):
        empire = Ship(
            "E",
            2,
            "oars",
            None if captain else 8,
            troops=(Unit("Empire spearman", 5),),
            characters=characters,
            captain=captain,
        )
        history = quiet(empire, goblins, 1, 1, rounds=1, a_fights=fights)
        return history.cause("b").iloc[-1].idxmax()

    assert cause((karl,), "") == "captured"
    assert cause((karl,), "Karl") == "scuttled"
    assert cause((), "") == "scuttled"
    assert cause((karl,), "", Boarders(prize="scuttle")) == "scuttled"
    assert cause((karl,), "", Boarders(prize="leave")) == "beaten"


def test_characters_of_a_broken_unit_are_lost_or_fight_on():
    goblins = Ship(
        "G", 1, "oars", 8, troops=(Unit("Goblin", 9),), characters=(Character("Orc big boss"),)
    )
    bones = ship("B", 3, Unit("Skeleton", 20))
    off = {"outnumber": "off"}
    breaks = (4, 4, 0, 0, 0, 0, 12)  # the skeletons kill 4; the goblins test and break
    for reading, left in (("destroyed", 0), ("survive", 1)):
        rules = HouseRules(broken_characters=reading, **off)
        history = quiet(bones, goblins, *breaks, rounds=1, rules=rules)
        assert history.mean("b", "troops").iloc[-1] == left


# Frenzy and hatred


def test_frenzy_adds_an_attack_until_beaten():
    mad = ship("M", 1, Unit("Frenzied marauder", 5))
    bones = ship("B", 1, Unit("Skeleton", 5))
    log = quiet(
        mad,
        bones,
        rounds=2,
    ).log
    assert log["dice"].iloc[0] == "4d6≥6"
    assert log["dice"].iloc[4] == "4d6≥3"
    # beaten in round 1 by a wound, they have lost it in round 2
    log = quiet(mad, bones, 0, 0, 1, 1, rounds=2, rules=HouseRules(outnumber="off")).log
    assert "2d6≥3" in log[log["turn"] == 2]["dice"].tolist()
    assert "4d6≥3" not in log[log["turn"] == 2]["dice"].tolist()


def test_hatred_rerolls_misses_in_the_units_first_round():
    elves = ship("H", 1, Unit("High elf spearman", 5))
    corsairs = ship("D", 1, Unit("Dark elf corsair", 5))
    log = quiet(corsairs, elves, 1, rounds=1).log
    assert log["why"].tolist()[:2] == ["hits", "hits, re-rolled"]
    assert log["dice"].tolist()[:2] == ["4d6≥6", "3d6≥6"]


def test_a_second_unit_hates_in_its_own_first_round_or_not():
    elves = ship("H", 1, Unit("High elf spearman", 9))
    dark = ship("D", 1, Unit("Clanrat", 1), Unit("Dark elf corsair", 9))
    # the rat falls in round 1; the corsairs step in, and the elves' blows miss from then on
    for reading, again in (("unit's first", True), ("boarding's first", False)):
        rules = HouseRules(hatred_round=reading)
        log = quiet(elves, dark, 1, 1, rounds=2, rules=rules).log
        second = log[log["turn"] == 2]["why"].tolist()
        assert ("hits, re-rolled" in second) == again


def test_winners_break_off_unless_pinned():
    leaves = Boarders(breaks_off="after a won round")
    goblins = ship("G", 1, Unit("Goblin", 9))
    off = HouseRules(outnumber="off")
    bones = ship("B", 1, Unit("Skeleton", 9))
    history = quiet(bones, goblins, 1, 1, rounds=3, a_fights=leaves, rules=off)
    assert history.log["turn"].max() == 1
    assert history.outcome()["undecided"] == 1
    mad = ship("M", 1, Unit("Frenzied marauder", 9))
    assert quiet(mad, goblins, 1, 1, rounds=3, a_fights=leaves, rules=off).log["turn"].max() == 3


def test_parting_and_endless_boardings_are_stalemates():
    leaves = Boarders(breaks_off="after a won round")
    a, b = ship("A", 1, Unit("Skeleton", 2)), ship("B", 1, Unit("Zombie", 2))
    outcome = board(a, b, a_fights=leaves, b_fights=leaves, chance=Exact()).outcome()
    assert outcome["stalemate"] > 0.2
    assert outcome.sum() == pytest.approx(1, abs=1e-9)


# Bare ships, holds, flyers


def test_a_ship_without_troops_is_struck_herself_and_taken_after_a_round():
    bare = Ship("Bare", 2, "sails", 8)
    a = ship("A", 1, Unit("Black orc", 5), characters=(Character("Orc warboss"),))
    # black orcs S4 (+1 choppa): 1 fighter (the warboss takes a place), boss 4 blows, crew 1
    history = board(a, bare, rounds=1, chance=Scripted([0, 5, 6, 4, 10, 5, 6]))
    assert history.cause("b").iloc[-1]["captured"] == 1
    assert history.log["rule"].tolist()[0] == "S-120"
    assert "sinking" not in history.log["why"].tolist()


def test_readings_of_a_bare_ship():
    bare = Ship("Bare", 1, "sails", 8)
    a = ship("A", 1, Unit("Clanrat", 5))
    at_once = board(a, bare, rounds=1, chance=Scripted([]), rules=HouseRules(bare_ship="at once"))
    assert at_once.outcome()["a"] == 1
    never = board(a, bare, chance=Exact(), rules=HouseRules(bare_ship="never"))
    assert never.outcome()["a"] == 0
    default = board(a, bare, chance=Exact())
    assert default.outcome()["a"] > 0.9
    for reading, needs in (("automatic", None), ("4+", 4), ("weapon skill 2", 3)):
        log = quiet(a, bare, rounds=1, rules=HouseRules(hull_melee=reading)).log
        assert (f"2d6≥{needs}" in log["dice"].tolist()) == (needs is not None)


def test_monsters_and_chariots_stay_below_and_mounts_do_not_count():
    a = ship("A", 2, Unit("War chariot", 1), Unit("Skeleton", 3))
    b = ship("B", 1, Unit("Zombie", 3))
    log = quiet(
        a,
        b,
        rounds=1,
    ).log
    assert log["dice"].iloc[0] == "3d6≥6"
    with pytest.raises(InputError, match="boarders of the A: got 'nobody'"):
        board(ship("A", 1, Unit("War chariot", 1)), b)
    knights = ship("K", 1, Unit("Empire knight", 3))
    log = quiet(b, knights, 2, 1, rounds=1).log
    assert log["dice"].tolist()[2] == "1d6≥4"  # a knight saves on 4+ on foot, not 2+ mounted


def test_flyers_fight_with_the_attacked_ships_width_and_no_crew():
    eagles = ship("E", 2, Unit("Great eagle", 4))
    bones = ship("B", 2, Unit("Skeleton", 9))
    log = quiet(
        eagles,
        bones,
        rounds=1,
        flyers=True,
    ).log
    # two eagles (wide) of 2 attacks in a width of 4, at the obstacle; no crew of theirs
    assert log["dice"].tolist() == ["4d6≥6", "4d6≥5", "2d6≥5"]
    every = HouseRules(flyer_width="all fight")
    log = quiet(eagles, bones, rounds=1, flyers=True, rules=every).log
    assert log["dice"].iloc[0] == "8d6≥6"


def test_attrition_by_round():
    a, b = ship("A", 1, Unit("Skeleton", 4)), ship("B", 1, Unit("Zombie", 4))
    table = odds.boarding(a, b, rounds=3, chance=Exact())
    chances = table[["a", "b", "stalemate", "undecided"]]
    assert chances.sum(axis=1).tolist() == pytest.approx([1] * 4, abs=1e-9)
    assert (table["a_left"].diff().dropna() <= 0).all()
    assert table["a_left"].iloc[0] == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Boarders(order=(1, 1)), "order: got"),
        (lambda: Boarders(aim="legs"), "aim: got 'legs'"),
        (lambda: Boarders(accepts=1), "accepts: got 1"),
        (
            lambda: board(
                ship("A", 1, Unit("Zombie", 2)),
                ship("B", 1, Unit("Zombie", 2)),
                a_fights=Boarders(order=(3,)),
            ),
            "place of a unit: got 3",
        ),
        (
            lambda: board(
                ship("A", 1, Unit("Zombie", 2)), ship("B", 1, Unit("Zombie", 2)), a_fights="hard"
            ),
            "boarders: got 'hard'",
        ),
        (
            lambda: board(
                ship("A", 1, Unit("Zombie", 2)), ship("B", 1, Unit("Zombie", 2)), flyers=None
            ),
            "flyers: got None",
        ),
        (
            lambda: board(Ship("A", 1, "sails"), ship("B", 1, Unit("Zombie", 2))),
            "boarders of the A",
        ),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
