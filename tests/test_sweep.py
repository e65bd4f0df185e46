"""Sweeps: the same numbers by whoever works them out, nothing lost, and bad input refused."""

import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import distributed
import pandas as pd
import psutil
import pytest

import navkit as nk
from navkit.rulebooks import gurps, medieval, vehicular_1879
from navkit.sweep import SweepCancelled, SweepFailed, SweepInterrupted
from navkit.sweep.grid import Plan

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
GRID = {"a": ["Sloop", "Schooner"], "b": "Sloop", "a.crew": [8, 12]}
CHANCE = nk.Sampled(fights=2048, seed=3)
MEASURE = ["a.crew", "b.sunk", "b.crew@0.05"]


@pytest.fixture(scope="module")
def questions():
    """Functions that other processes can import too."""
    sys.path.insert(0, str(TESTS))
    import sweep_questions

    yield sweep_questions
    sys.path.remove(str(TESTS))


@pytest.fixture(scope="module")
def client():
    """A client of a Dask scheduler with two workers, started as processes of their own."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(TESTS)])}
    begun = []

    def start(what, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options]
        quiet = subprocess.DEVNULL
        begun.append(subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet))

    with tempfile.TemporaryDirectory() as folder:
        told = str(Path(folder) / "scheduler.json")
        on = ("--host", "127.0.0.1", "--scheduler-file", told)
        try:
            start("scheduler", *on, "--port", "0", "--no-dashboard")
            for _ in range(2):
                start("worker", *on, "--nthreads", "1", "--no-nanny", "--no-dashboard")
            with distributed.Client(scheduler_file=told, timeout=60) as client:
                client.wait_for_workers(2, timeout=60)
                yield client
        finally:
            for process in reversed(begun):
                process.terminate()
                process.wait()


def sweep(question, grid, **more):
    return nk.sweep(question, grid, progress=False, **more)


def same(found, expected):
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


# What comes out


def test_each_cell_is_a_call_of_the_resolver():
    table = sweep(gurps.duel, GRID, turns=20, chance=CHANCE, measure=MEASURE)
    assert table[["a", "b", "a.crew"]].to_numpy().tolist() == [
        ["Sloop", "Sloop", 8],
        ["Sloop", "Sloop", 12],
        ["Schooner", "Sloop", 8],
        ["Schooner", "Sloop", 12],
    ]
    for row in table.itertuples(index=False, name=None):
        found = dict(zip(table.columns, row, strict=True))
        ship = gurps.ship(found["a"], crew=found["a.crew"])
        h = gurps.duel(ship, gurps.ship("Sloop"), turns=20, chance=CHANCE)
        end = h.table().iloc[-1]
        for short, long in [("a", "a_wins"), ("b", "b_wins"), ("both", "both_lost")]:
            assert found[long] == end[short]
            assert found[f"{long}_error"] == end[f"{short}_error"]
        for name in ("stalemate", "undecided"):
            assert found[name] == end[name]
        assert found["a.crew (answer)"] == h.mean("a", "crew").iloc[-1]
        assert found["b.sunk"] == h.cause("b")["sunk"].iloc[-1]
        assert found["b.crew@0.05"] == h.quantiles("b", "crew", [0.05])[0.05].iloc[-1]
        assert (found["fights"], found["left_out"]) == (2048, 0.0)


def test_exact_and_sampled_cells_stand_side_by_side():
    luck = {"exact": nk.Exact(), "sampled": CHANCE}
    table = sweep(gurps.board, {"a": "Sloop", "b": "Brig", "chance": luck}, turns=6)
    assert table["chance"].tolist() == ["exact", "sampled"]
    assert table["fights"].isna().tolist() == [True, False]
    assert table["a_wins_error"].gt(0).tolist() == [False, True]
    h = gurps.board(gurps.ship("Sloop"), gurps.ship("Brig"), turns=6, chance=nk.Exact())
    assert table["b_wins"][0] == h.outcome()["b"]


def test_changes_reach_into_officers_tuples_house_rules_and_chance():
    grid = {
        "a": "Sloop",
        "b": "Sloop",
        "a.officers": [gurps.Officers(leadership=3)],
        "a.officers.medic": [0, 1],
        "a.cannons.0": [4, 6],
        "rules.volley_roll": ["one roll", "each gun"],
        "chance.seed": [1, 2],
    }
    plan = Plan.of(gurps.duel, grid, {"chance": CHANCE})
    assert len(plan) == 16
    last = plan.cells[-1].arguments
    assert last["a"].officers == gurps.Officers(leadership=3, medic=1)
    assert last["a"].cannons == (6, 4, 0, 0)
    assert last["rules"] == gurps.HouseRules(volley_roll="each gun")
    assert last["chance"] == nk.Sampled(fights=2048, seed=2)
    assert plan.labels.iloc[-1].tolist()[2:] == [
        "leadership=3", 1, 6, "each gun", 2,
    ]  # fmt: skip


def test_several_grids_one_after_another_tell_what_stands_where_they_change_nothing():
    duel = {"a": "Sloop", "b": "Brig"}
    grids = [duel, duel | {"a.crew": 18}, duel | {"rules.reload": "none"}]
    plan = Plan.of(gurps.duel, grids, {})
    assert plan.labels["a.crew"].tolist() == [8, 18, 8]
    assert plan.labels["rules.reload"].tolist() == ["one turn", "one turn", "none"]
    assert [cell.name for cell in plan.cells][1] == "a=Sloop, b=Brig, a.crew=18"


def test_what_a_ship_of_another_grid_has_not_is_missing():
    told = {"b": "War kettle", "a.batteries.1.weapons": [1, 2]}
    grids = [{"a": "Armored train", **told}, {"a": "Paddle gunboat", "b": "War kettle"}]
    labels = Plan.of(vehicular_1879.duel, grids, {}).labels
    assert labels["a.batteries.1.weapons"].tolist() == [1, 2, pd.NA]


def test_answers_by_turn():
    grid = {"attacker": "Brig", "target": ["Sloop", "Brig"]}
    table = sweep(gurps.odds.sinking, grid, turns=4, chance=nk.Exact(), by_turn=True)
    brig, sloop = gurps.ship("Brig"), gurps.ship("Sloop")
    expected = gurps.odds.sinking(brig, sloop, turns=4, chance=nk.Exact())
    assert table.loc[0, "turn"].tolist() == list(range(5))
    assert table.loc[0, "value"].tolist() == expected.tolist()
    duel = sweep(gurps.duel, GRID, turns=14, chance=CHANCE, by_turn=True, measure="b.crew")
    assert len(duel) == 4 * 15
    assert duel.loc[0, "b.crew"].iloc[0] == 8


def test_calculators_of_all_kinds():
    grid = {"a": "Sloop", "b": ["Sloop", "Brig"]}
    assert list(sweep(gurps.odds.contest, grid).columns) == ["a", "b", "win", "tie", "lose"]
    damage = sweep(gurps.odds.damage, {"attacker": "Sloop", "target": "Brig", "guns": [0, 4]})
    assert damage["mean"].round(2).tolist() == [0, 50.48]
    assert sweep(lambda x: x * 0.5, {"x": range(3)})["value"].tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("question", "grid", "more"),
    [
        (medieval.board, {"a.crew": [10, 20]}, {"turns": 6}),
        (
            vehicular_1879.duel,
            {"rules": {"as written": vehicular_1879.HouseRules()}},
            {"turns": 3, "chance": nk.Sampled(fights=64)},
        ),
        (medieval.odds.boarding, {"rules.after_admiral": ["keeps"]}, {"turns": 3}),
    ],
    ids=["medieval", "1879", "medieval odds"],
)
def test_every_rulebook_is_swept_alike(question, grid, more):
    rulebook = medieval if "medieval" in question.__module__ else vehicular_1879
    first, second = rulebook.library()["name"][:2]
    table = sweep(question, {"a": [first, second], "b": second, **grid}, **more)
    ends = ["a_wins", "b_wins", "both_lost", "stalemate", "undecided"]
    assert table[ends].sum(axis=1).sub(1).abs().max() < 1e-9


# The same by whoever works it out


def test_one_process_two_processes_and_a_cluster_agree_bit_for_bit(client, tmp_path):
    asked = dict(chance=CHANCE, measure=MEASURE)
    alone = sweep(gurps.duel, GRID, **asked)
    same(sweep(gurps.duel, GRID, workers=2, **asked), alone)
    same(sweep(gurps.duel, GRID, client=client, **asked), alone)
    for place, who in [("one", {}), ("two", {"workers": 2}), ("dask", {"client": client})]:
        to = tmp_path / f"{place}.parquet"
        same(sweep(gurps.duel, GRID, to=to, **who, **asked), alone)
        assert sorted(pd.read_parquet(to)["cell"]) == [0, 1, 2, 3]
        same(sweep(gurps.duel, GRID, to=to, **asked), alone)  # read back whole


def test_exact_by_turn_and_missing_values_come_back_from_disk_as_they_were(tmp_path):
    grid = {"a": ["Sloop", "Brig"], "b": "Sloop", "a.officers.medic": [None, 1], "turns": 4}
    asked = dict(by_turn=True, measure=["a.dead", "b.captured"])
    table = sweep(gurps.board, grid, **asked)
    assert table["fights"].isna().all()
    sweep(gurps.board, grid, to=tmp_path / "kept", **asked)
    same(sweep(gurps.board, grid, to=tmp_path / "kept", **asked), table)


# Nothing lost


def test_killed_three_times(record_property):
    command = [sys.executable, str(TESTS / "benchmarks" / "sweep_kills.py"), "--kills", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    record_property("killed sweeps:", done.stdout.splitlines()[-1])


def test_a_cell_over_which_workers_die_is_tried_again_and_then_told_by_name(questions, tmp_path):
    lives = {2: 1, 4: 99}
    with pytest.raises(SweepFailed, match="x=4: the worker that had it died, 3 times") as failed:
        sweep(questions.deadly, {"x": range(6)}, lives=lives, marks=str(tmp_path), workers=2)
    assert list(failed.value.cells) == ["x=4"]
    assert failed.value.table["value"].tolist() == [0, 1, 2, 3, 5]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2-0", "4-0", "4-1", "4-2"]


def test_a_worker_of_the_cluster_that_dies_is_survived(questions, client, tmp_path):
    first = dict(lives={1: 1}, marks=str(tmp_path), client=client)
    # one of the two workers is gone for good after this, so this test is the cluster's last
    assert sweep(questions.deadly, {"x": range(6)}, **first)["value"].tolist() == list(range(6))
    assert len(client.nthreads()) == 1


def test_cells_that_fail_are_told_when_all_others_are_done(questions, tmp_path):
    for more in ({}, {"workers": 2}):
        with pytest.raises(SweepFailed, match="three is no good") as failed:
            sweep(questions.picky, {"x": range(6)}, to=tmp_path / "kept", **more)
        assert list(failed.value.cells) == ["x=3"]
        assert failed.value.table["value"].tolist() == [0, 1, 2, 4, 5]


def test_exact_odds_that_do_not_fit_are_told_by_name():
    chance = {"little": nk.Exact(work=1000), "sampled": CHANCE}
    with pytest.raises(SweepFailed, match="chance=little: TooManyStates") as failed:
        sweep(gurps.duel, {"a": "Brig", "b": "Brig", "chance": chance})
    assert failed.value.table["chance"].tolist() == ["sampled"]


@pytest.mark.parametrize("workers", [1, 2])
def test_partial_results_and_cancelling(questions, tmp_path, workers):
    to = tmp_path / "kept"
    going = nk.start_sweep(questions.product, {"x": range(500)}, pause=0.05, workers=workers, to=to)
    begun = time.monotonic()
    while not list(to.glob("part-*.parquet")):
        assert time.monotonic() - begun < 60
        time.sleep(0.02)
    partial, on_disk = going.table(), pd.read_parquet(to)
    assert going.running
    assert 0 < len(partial) < 500
    assert set(on_disk["cell"]) <= set(going.table().index)
    assert (partial["value"] == partial["x"] + 0.1).all()
    with pytest.raises(TimeoutError):
        going.result(timeout=0.01)
    with pytest.raises(nk.InputError, match="no other sweep is writing"):
        sweep(questions.product, {"x": range(500)}, pause=0.05, to=to)
    going.cancel()
    with pytest.raises(SweepCancelled, match="of 500 cells finished") as cancelled:
        going.result(timeout=60)
    assert len(cancelled.value.table) == len(pd.read_parquet(to)) < 500
    assert not multiprocessing.active_children()


def test_a_keyboard_interrupt_keeps_what_is_finished(tmp_path):
    def question(x):
        if x == 3:
            raise KeyboardInterrupt
        return x

    with pytest.raises(SweepInterrupted, match="3 cells were finished") as stopped:
        sweep(question, {"x": range(6)})
    assert stopped.value.table["value"].tolist() == [0, 1, 2]


def test_progress_is_told_in_letters(capsys):
    nk.sweep(lambda x: x, {"x": range(3)})
    assert "3/3" in capsys.readouterr().err


# Bad input


@pytest.mark.parametrize(
    ("grid", "more", "words"),
    [
        ({}, {}, "at least one name"),
        ([], {}, "grid"),
        ("a", {}, "grid"),
        ({"a": "Sloop"}, {}, "a grid with 'b' too"),
        ({"a": "Sloop", "b": []}, {}, "values of b.*at least one value"),
        ({"a": "Sloop", "b": ["Brig", "Brig"]}, {}, "each once"),
        ({"a": "Sloop", "b": "Frigate"}, {}, "ship: got 'Frigate'"),
        ({"a": "Sloop", "b": "Brig", "c": 1}, {}, "parameter of duel: got 'c'"),
        ({"a": "Sloop", "b": "Brig", "a.sails": 3}, {}, "field of a: got 'sails'"),
        ({"a": "Sloop", "b": "Brig", "a.crew.fit": 3}, {}, "to change its 'fit'"),
        ({"a": "Sloop", "b": "Brig", "a.cannons.4": 3}, {}, "place in a.cannons"),
        ({"a": "Sloop", "b": "Brig", "a.crew": [5, "__import__('os')"]}, {}, "crew: got .__imp"),
        ({"a": "Sloop", "b": "Brig", "rules.reload": "never"}, {}, "house rule reload"),
        ({"a": "Sloop", "b": "Brig", "chance.seed": [1]}, {}, "given as chance="),
        ({"a": "Sloop", "b": "Brig"}, {"chance": "exact"}, "chance: got 'exact'"),
        ({"a": "Sloop", "b": "Brig"}, {"chance": nk.Scripted([3])}, "Sampled.* in a sweep"),
        ({"a": "Sloop", "b": "Brig", "turns": 3}, {"turns": 4}, "not both"),
        ({"a": "Sloop", "b": "Brig"}, {"wind": 4}, "parameter of duel: got 'wind'"),
        ({"a": "Sloop", "b": "Brig"}, {"workers": 0}, "workers"),
        ({"a": "Sloop", "b": "Brig"}, {"client": "here"}, "distributed.Client"),
        ({"a": "Sloop", "b": "Brig"}, {"measure": "crew"}, "side.track"),
        ({"a": "Sloop", "b": "Brig"}, {"measure": "a.crew@2"}, "a quantile from 0 to 1"),
        ({"a": "Sloop", "b": "Brig"}, {"measure": "a.sails"}, "measure: got 'a.sails'"),
        ({"a": "Sloop", "b": "Brig"}, {"measure": ["a.crew", "a.crew"]}, "each once"),
        ({"a": "Sloop", "b": "Brig"}, {"turns": 1_000_000}, "turns: got 1000000"),
        ({"a": "Sloop", "b": "Brig", "turns": [5, 1_000_000]}, {}, "turns: got 1000000"),
        ({"a": "Sloop", "b": "Brig", "a.hull": [450, 10**9]}, {}, "hull: got 1000000000"),
        (
            {"a": "Sloop", "b": "Brig", "chance.fights": [10**9]},
            {"chance": nk.Sampled()},
            "fights: got 1000000000",
        ),
        (
            {"a": "Sloop", "b": "Brig", "a.crew": range(10**6), "b.crew": range(10**6)},
            {},
            "cells: got .*at most 100000",
        ),
    ],
)
def test_bad_input_is_refused_before_anything_runs(grid, more, words, tmp_path):
    before = psutil.Process().memory_info().rss
    with pytest.raises(nk.InputError, match=words):
        sweep(gurps.duel, grid, to=tmp_path / "kept", **more)
    assert not (tmp_path / "kept").exists()
    assert psutil.Process().memory_info().rss - before < 200e6


def test_places_that_cannot_be_written_to_are_refused(questions, tmp_path):
    grid = {"x": range(3)}
    sweep(questions.product, grid, to=tmp_path / "kept")
    (tmp_path / "file").touch()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()
    for to, words in [
        (tmp_path / "no" / "folder", "can be made and written to"),
        (tmp_path / "file", "can be made and written to"),
        (tmp_path / "full", "holds 'letter.txt'"),
        (7, "a path"),
    ]:
        with pytest.raises(nk.InputError, match=words):
            sweep(questions.product, grid, to=to)
    for other in [
        dict(grid={"x": range(4)}),
        dict(grid=grid, y=2),
        dict(grid=grid, by_turn=True),
    ]:
        with pytest.raises(nk.InputError, match="another one is there"):
            sweep(questions.product, to=tmp_path / "kept", **other)
    assert sweep(questions.product, grid, to=tmp_path / "kept")["x"].tolist() == [0, 1, 2]


def test_what_other_processes_cannot_find_is_refused(tmp_path):
    for more in ({"workers": 2}, {"to": tmp_path / "kept"}):
        with pytest.raises(nk.InputError, match="a module that can be imported"):
            sweep(lambda x: x, {"x": range(3)}, **more)


def test_a_part_that_is_damaged_is_told_by_name(questions, tmp_path):
    sweep(questions.product, {"x": range(3)}, to=tmp_path / "kept")
    (part,) = (tmp_path / "kept").glob("part-*.parquet")
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(nk.InputError, match=f"{part.name} can't be read"):
        sweep(questions.product, {"x": range(3)}, to=tmp_path / "kept")


def test_half_a_file_of_a_killed_sweep_does_no_harm(questions, tmp_path):
    sweep(questions.product, {"x": range(3)}, to=tmp_path / "kept")
    half = tmp_path / "kept" / ".part-00000007.parquet.new"
    half.write_bytes(b"PAR1")
    assert len(pd.read_parquet(tmp_path / "kept")) == 3
    assert len(sweep(questions.product, {"x": range(3)}, to=tmp_path / "kept")) == 3
    assert not half.exists()


def test_a_large_sweep_takes_little_memory(questions):
    before = psutil.Process().memory_info().rss
    peak = before
    over = threading.Event()

    def watch():
        nonlocal peak
        while not over.wait(0.02):
            peak = max(peak, psutil.Process().memory_info().rss)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        table = sweep(questions.product, {"x": range(5_000)})
    finally:
        over.set()
        thread.join()
    assert len(table) == 5_000
    assert peak - before < 300e6
