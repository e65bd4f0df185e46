import json
import subprocess
import sys
import types
from functools import partial

import pytest

import navkit
from navkit import cli
from navkit.cli import main
from navkit.precision import until
from navkit.resources import notebooks_folder
from navkit.rulebooks import gurps


@pytest.fixture
def jupyterlab(monkeypatch):
    """Stand in for JupyterLab and note the options it is started with."""
    started = []
    labapp = types.ModuleType("jupyterlab.labapp")
    labapp.main = started.append
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", labapp)
    return started


@pytest.fixture
def notebooks(tmp_path, monkeypatch):
    """A small notebooks folder in place of the real one."""
    folder = tmp_path / "source"
    (folder / "images").mkdir(parents=True)
    (folder / "a.ipynb").write_text("ours")
    (folder / "images" / "a.png").write_bytes(b"\x89PNG\r\n")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "a-checkpoint.ipynb").write_text("old")
    monkeypatch.setattr(cli, "notebooks_folder", lambda: folder)
    return folder


def test_version(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"navkit {navkit.__version__}\n"


def test_the_module_is_the_command():
    run = subprocess.run(
        [sys.executable, "-m", "navkit", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"navkit {navkit.__version__}\n"


def test_a_checkout_opens_its_own_notebooks_on_this_machine_only(jupyterlab):
    assert cli.main(["lab"]) == 0
    (options,) = jupyterlab
    assert f"--ServerApp.root_dir={notebooks_folder()}" in options
    assert "--ServerApp.ip=127.0.0.1" in options
    assert "--no-browser" not in options


def test_a_server_takes_the_port_it_is_given_or_none(jupyterlab, tmp_path):
    assert cli.main(["lab", "--no-browser", "--port", "8899", str(tmp_path / "mine")]) == 0
    (options,) = jupyterlab
    assert f"--ServerApp.root_dir={tmp_path / 'mine'}" in options
    assert {"--no-browser", "--ServerApp.port=8899", "--ServerApp.port_retries=0"} < set(options)


def test_a_wheel_opens_a_copy(jupyterlab, notebooks, tmp_path, monkeypatch):
    monkeypatch.setattr(cli, "checkout", lambda: None)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab"]) == 0
    (options,) = jupyterlab
    assert f"--ServerApp.root_dir={tmp_path / 'navkit-notebooks'}" in options
    assert (tmp_path / "navkit-notebooks" / "a.ipynb").read_text() == "ours"


def test_copying_never_overwrites(jupyterlab, notebooks, tmp_path, capsys):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "a.ipynb").write_text("the user's")
    assert cli.main(["lab", str(folder)]) == 0
    assert capsys.readouterr().out == f"navkit: kept your {folder / 'a.ipynb'}\n"
    assert (folder / "a.ipynb").read_text() == "the user's"
    assert (folder / "images" / "a.png").read_bytes() == b"\x89PNG\r\n"
    assert not (folder / ".ipynb_checkpoints").exists()


def test_copying_into_a_file_says_so(jupyterlab, notebooks, tmp_path, capsys):
    (tmp_path / "mine").write_text("a file")
    assert cli.main(["lab", str(tmp_path / "mine")]) == 1
    assert str(tmp_path / "mine") in capsys.readouterr().err
    assert not jupyterlab


def test_without_jupyterlab_it_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    assert cli.main(["lab", str(tmp_path / "mine")]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "pip install" in error
    assert "[lab]" in error
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("port", ["0", "65536", "-1", "eighty", "8 8", "٨٠"])
def test_a_bad_port_is_named(port, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["lab", f"--port={port}"])
    assert f"a port is a number from 1 to 65535, not {port!r}" in capsys.readouterr().err


def test_without_a_command_it_shows_how(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main([])
    assert "usage: navkit" in capsys.readouterr().err


class TestOdds:
    FIRE = ("odds", "sea_battles", "fire", "Hammer", "Anvil", "--set", "turns=1")
    ARGUMENTS = ("odds", "gurps", "duel", "Brig", "Sloop", "--set", "turns=2")

    def test_a_table_with_its_error_and_a_text_to_share(self, capsys):
        assert main([*self.ARGUMENTS, "--set", "fights=512"]) == 0
        told = capsys.readouterr().out
        assert told.startswith("Brig (a) against Sloop (b), duel: 512 fights sampled\n")
        assert "a wins" in told
        assert "±" in told
        assert " 0 %" not in told
        text = told.split()[-1]
        assert main(["odds", "--scenario", text]) == 0
        assert capsys.readouterr().out == told

    def test_for_other_programs(self, capsys):
        changes = ["--set", "a.officers.medic=1", "--set", "rules.reload=none"]
        assert main([*self.ARGUMENTS, *changes, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["scenario"]["a"]["officers"]["medic"] == 1
        assert told["scenario"]["rules"] == {"reload": "none"}
        assert len(told["by_turn"]["a"]) == 3

    def test_a_change_within_a_ship_leaves_the_rest_of_it(self, capsys):
        changes = [
            "--set",
            "a.officers.medic=1",
            "--set",
            "turns=1",
            "--set",
            "fights=64",
            "--json",
        ]
        assert main(["odds", "gurps", "duel", "Brig", "Sloop", *changes]) == 0
        officers = json.loads(capsys.readouterr().out)["scenario"]["a"]["officers"]
        assert (officers["gunnery"], officers["medic"]) == (0, 1)

    def test_fights_are_played_until_the_error_is_small_enough(self, capsys):
        fight = ["odds", "gurps", "duel", "Sloop", "Schooner", "--set", "turns=4", "--json"]
        assert main([*fight, "--error", "0.004"]) == 0
        told = json.loads(capsys.readouterr().out)
        duel = partial(gurps.duel, gurps.ship("Sloop"), gurps.ship("Schooner"), turns=4)
        found = until(duel, error=0.004, progress=False)
        assert told["sampled"] == found.fights > 4096
        assert told["by_turn"]["a"] == found.table()["a"].tolist()
        assert main([*fight, "--error", "0"]) == 1
        assert "a number above 0" in capsys.readouterr().err

    def test_turns_in_which_nothing_changes_any_more_are_told_in_one_line(self, capsys):
        fight = ["odds", "medieval", "board", "Galley", "Cog", "--set", "fights=64"]
        assert main([*fight, "--set", "turns=1000"]) == 0
        *_, last, note, _ = capsys.readouterr().out.splitlines()
        assert note == "and so to turn 1000"
        assert main([*fight, "--set", f"turns={last.split()[0]}"]) == 0
        assert capsys.readouterr().out.splitlines()[-2] == last

    @pytest.mark.parametrize(
        ("fight", "changes"),
        [
            ("gurps ram Brig Sloop", {"run": 2, "orders.2.leaves": "always"}),
            ("medieval board Galley Cog", {"parameters.break_off": [0, 5], "grappled": True}),
            (
                "sea_battles board Nipper Tongs",
                {"a_fights.challenges": False, "facing": "front", "a.troops.1.models": 5},
            ),
            (
                "vehicular_1879 fire Paddle_gunboat War_kettle",
                {"distance": "far", "doctrine.surplus": "spread", "a.batteries.1.weapons": 1},
            ),
        ],
    )
    def test_every_rulebook(self, fight, changes, capsys):
        changes |= {"turns": 2, "fights": 64}
        settings = [f"--set={name}={json.dumps(value)}" for name, value in changes.items()]
        names = [name.replace("_", " ") for name in fight.split()[2:]]
        assert main(["odds", *fight.split()[:2], *names, *settings]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"{names[0]} (a) against {names[1]} (b), ")
        assert "64 fights sampled" in told
        assert main(["odds", "--scenario", told.split()[-1], "--json"]) == 0
        scenario = json.loads(capsys.readouterr().out)["scenario"]
        for name, value in changes.items():
            told = scenario if name.split(".")[0] in scenario else scenario["parameters"]
            for part in name.split("."):
                told = told[int(part) - 1 if isinstance(told, list) else part]
            assert told == value

    def test_from_a_file(self, tmp_path, capsys):
        file = tmp_path / "fight.json"
        file.write_text(
            '{"navkit": 1, "rulebook": "gurps", "fight": "board",'
            ' "a": {"ready": "Sloop"}, "b": {"ready": "Brig"}, "turns": 3}'
        )
        assert main(["odds", "--scenario", str(file)]) == 0
        assert "board: exact" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (("odds", "gurps", "duel", "Brig"), "RULEBOOK FIGHT A B, or --scenario"),
            (("odds", "gurps", "duel", "Brig", "Frigate"), "ship: got 'Frigate'"),
            (("odds", "chess", "duel", "Brig", "Brig"), "rulebook: got 'chess'"),
            ((*ARGUMENTS, "--set", "a.crew"), "NAME=VALUE"),
            ((*ARGUMENTS, "--set", "a.crew=many"), "crew: got 'many'"),
            ((*ARGUMENTS, "--set", "turns.x=1"), "got 'x', allowed is nothing: what is before it"),
            ((*ARGUMENTS, "--set", "facing=rear"), "parameter: got 'facing', allowed is none"),
            ((*ARGUMENTS, "--set", "a.dr=" + "[" * 9000), "dr: got '[[["),
            ((*ARGUMENTS, "--set", "a.name=A\nB", "--set", "a.dr=[]"), "dr: got []"),
            ((*FIRE, "--set", "facing=up"), "facing: got 'up'"),
            ((*FIRE, "--set", "wind=3"), "allowed are 'facing', 'distance', 'damage'"),
            ((*FIRE, "--set", "b.troops.9.models=3"), "got '9', allowed are '1'"),
            ((*FIRE, "--set", "b.troops.1.models=no"), "odds, b, troops 1: models: got 'no'"),
            (("odds", "vehicular_1879", "duel", "Brig", "Brig"), "vehicle: got 'Brig'"),
            (("odds", "--scenario", "navkit:eNo"), "scenario: got 'navkit:eNo'"),
            ((*ARGUMENTS, "--set", "rules.luck=1"), "house rule: got 'luck'"),
            (("odds", "--scenario", "no-such-file.json"), "no-such-file.json"),
        ],
    )
    def test_a_mistake_is_told_in_one_line(self, change, said, capsys):
        assert main(list(change)) == 1
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1


def test_notebooks_are_copied_and_yours_kept(tmp_path, capsys):
    (tmp_path / "01-gurps-sea-fight.ipynb").write_text("mine")
    assert main(["notebooks", str(tmp_path)]) == 0
    assert (tmp_path / "01-gurps-sea-fight.ipynb").read_text() == "mine"
    assert "kept your" in capsys.readouterr().out
    assert len(list(tmp_path.glob("*.ipynb"))) > 1
