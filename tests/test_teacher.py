"""The teacher's panel without a page: what it says, and what becomes of odds half worked out."""

import asyncio
import re

import ipywidgets
import pytest

import navkit as nk
from navkit.desk.replay import Move
from navkit.errors import InputError
from navkit.explorers import teacher
from navkit.explorers.dice_picture import dice_picture, faces_that_sum
from navkit.explorers.teacher_page import points
from navkit.log import Entry
from navkit.rulebooks import gurps
from navkit.scenario import RULEBOOKS, Scenario

BRIG, SLOOP = gurps.ship("Brig"), gurps.ship("Sloop")
TONIGHT = Scenario("gurps", "duel", BRIG, SLOOP, turns=3, seed=2)
FEW = nk.Sampled(64)


@pytest.fixture
def panel():
    opened = teacher(TONIGHT, number=4, chance=FEW)
    opened.settle()
    yield opened
    opened.close()


def widgets_of(box):
    yield box
    for child in getattr(box, "children", ()):
        yield from widgets_of(child)


def text_of(panel):
    html = [each.value for each in widgets_of(panel) if type(each) is ipywidgets.HTML]
    return re.sub("<[^>]*>", "", " ".join(html))


def pressed(panel, description):
    (button,) = [
        each for each in widgets_of(panel) if getattr(each, "description", "") == description
    ]
    button.click()


def test_steps_go_forward_and_back_and_stay_at_the_ends(panel):
    count = len(panel.replay.frames)
    pressed(panel, "Back")
    assert panel.at == 1
    for number in range(2, count + 1):
        pressed(panel, "Step")
        assert panel.at == number
        assert f"roll {number} of {count}" in text_of(panel)
    pressed(panel, "Step")
    assert panel.at == count
    pressed(panel, "Back")
    assert panel.at == count - 1


def test_a_roll_is_told_with_its_rule_its_ships_and_its_odds(panel):
    frame = next(each for each in panel.replay.frames if each.entry.why == "damage")
    panel.go(frame.number)
    said = text_of(panel)
    assert f"rolls {frame.entry.dice} for damage" in said
    assert f"shows {frame.entry.result}" in said
    assert "G-25 The gun dice are multiplied by the guns that fire." in said
    assert "volley roll: one roll" in said
    hull = frame.after["b.hull"] if frame.entry.side == "a" else frame.after["a.hull"]
    assert f"{hull} (−" in said
    assert "Brig wins: from" in said
    assert "damage:" in said


def test_odds_half_worked_out_are_kept(panel):
    panel.stop()
    assert panel.replay.known == len(panel.replay.frames)
    panel.show(5)
    assert panel.replay.known < len(panel.replay.frames)
    assert "are not worked out yet" in text_of(panel)
    panel.stop()
    panel.resume()
    panel.settle()
    assert panel.replay.known == len(panel.replay.frames)
    assert "are not worked out yet" not in text_of(panel)


def test_odds_are_worked_out_by_themselves_where_a_loop_runs():
    async def watched():
        opened = teacher(TONIGHT, number=4, chance=FEW)
        opened.go(3)
        while not opened.replay.knows(3):
            await asyncio.sleep(0.01)
        opened.stop()
        known = [at for at in range(len(opened.replay.frames) + 1) if opened.replay.knows(at)]
        opened.close()
        return known

    known = asyncio.run(watched())
    assert {2, 3} <= set(known)  # the roll in sight comes first; others may follow before the stop


def test_the_fight_is_picked_by_its_luck_or_its_number(panel):
    for which in ("luckiest", "median", "unluckiest"):
        pressed(panel, which)
    panel.pick("luckiest")
    assert panel.replay.outcome == "a"
    panel.pick("unluckiest")
    assert panel.replay.outcome != "a"
    with pytest.raises(InputError, match="luckiest"):
        panel.pick("best")
    with pytest.raises(InputError, match="roll"):
        panel.go(99)


def test_a_history_is_watched_too():
    history = gurps.duel(BRIG, SLOOP, turns=3, chance=nk.Sampled(32, seed=2))
    opened = teacher(history, chance=FEW)
    opened.settle()
    entries = [frame.entry for frame in opened.replay.frames]
    alone = [list(history.replay(number).entries) for number in range(32)]
    assert entries in alone
    assert "a wins: from" in text_of(opened)
    opened.close()
    with pytest.raises(InputError, match="fights"):
        teacher(TONIGHT, fights=1)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_rulebook_is_a_choice_away(name):
    opened = teacher(chance=nk.Sampled(4), fights=8)
    (choice,) = [
        each for each in widgets_of(opened) if getattr(each, "description", "") == "rulebook"
    ]
    choice.value = name
    assert opened.replay.frames
    assert "do not work" not in text_of(opened)
    assert "could not be worked out" not in text_of(opened)
    opened.close()


def test_moves_in_words():
    assert points(Move(0.0004, 0.0)) == "±0.0 points"
    assert points(Move(-0.25, 0.01)) == "−25.0 ±2.0 points"


# Dice


def entry(dice, result, faces=()):
    return Entry(1, "a", "damage", dice, faces, None, result, None, "")


def test_pips_are_those_of_the_faces():
    assert dice_picture(entry("3d6", 9, (6, 2, 1))).count("<circle") == 9
    assert dice_picture(entry("5d6", 17)).count("<circle") == 17
    assert dice_picture(entry("2d12!", 31)).count("<circle") == 0
    assert ">31<" in dice_picture(entry("2d12!", 31))
    assert ">7<" in dice_picture(entry("d10", 7))
    assert 'aria-label="7d6≥6 shows 1"' in dice_picture(entry("7d6≥6", 1))


def test_faces_add_up_and_are_as_likely_as_with_real_dice():
    shown = [faces_that_sum(3, 6, 10, number) for number in range(5400)]
    assert all(sum(faces) == 10 and len(faces) == 3 for faces in shown)
    ways = {faces: shown.count(faces) for faces in set(shown)}
    assert len(ways) == 27
    assert sum((seen - 200) ** 2 / 200 for seen in ways.values()) < 48.3  # 99.5 % of chi-square, 26
    assert faces_that_sum(1, 20, 13, 5) == (13,)
