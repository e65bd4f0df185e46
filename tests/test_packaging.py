import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import navkit
from navkit.resources import checkout

ROOT = Path(__file__).resolve().parent.parent


def run(*command, cwd):
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The Python of an environment in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("installed")
    # Its dependencies are borrowed from this environment, by a path file, in which the path files
    # of this environment do not count: the checkout cannot be imported.
    venv.create(folder / "env", symlinks=sys.platform != "win32")
    paths = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    python = next(Path(sysconfig.get_path("scripts", "venv", paths)).glob("python*"))
    site = Path(sysconfig.get_path("purelib", "venv", paths))
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "borrowed.pth").write_text("\n".join(sorted(borrowed)))
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    run(*pip, "install", "--no-deps", "--no-index", "--force-reinstall", wheel, cwd=folder)
    return python


def files_below(folder):
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }


def test_the_wheel_carries_data_and_notebooks(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"navkit/_data/{name}" for name in files_below(ROOT / "data")} <= names
    assert {f"navkit/_notebooks/{name}" for name in files_below(ROOT / "notebooks")} <= names
    assert any(re.fullmatch(r"navkit/_data/.*\.csv", name) for name in names)
    assert any(re.fullmatch(r"navkit/_notebooks/.*\.ipynb", name) for name in names)


def test_the_wheel_carries_the_package_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "navkit/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names} == {
        "navkit",
        f"navkit-{navkit.__version__}.dist-info",
    }


def test_the_metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        metadata = archive.read(name).decode()
    assert f"\nVersion: {navkit.__version__}\n" in metadata
    assert "\nLicense-Expression: MIT\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    required = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*$", metadata, flags=re.MULTILINE)
    base = ["anywidget", "bokeh", "ipywidgets", "numpy", "pandas", "scipy", "tqdm"]
    assert sorted(required) == base


def test_the_installed_wheel_finds_its_files(installed, tmp_path):
    table = next(name for name in sorted(files_below(ROOT / "data")) if name.endswith(".csv"))
    program = (
        "from navkit.resources import checkout, data_file, notebooks_folder\n"
        f"print(checkout(), data_file({table!r}), notebooks_folder(), sep='\\n')"
    )
    root, data, notebooks = run(installed, "-c", program, cwd=tmp_path).splitlines()
    assert root == "None"
    assert Path(data).read_bytes() == (ROOT / "data" / table).read_bytes()
    assert Path(data).parent.name == "_data"
    assert files_below(Path(notebooks)) == files_below(ROOT / "notebooks")


def test_the_installed_wheel_copies_its_notebooks(installed, tmp_path):
    program = (
        "from pathlib import Path\n"
        "from navkit.cli import copy_notebooks\n"
        "folder = Path('navkit-notebooks')\n"
        "print(len(copy_notebooks(folder)), len(copy_notebooks(folder)))"
    )
    printed = run(installed, "-c", program, cwd=tmp_path)
    names = files_below(ROOT / "notebooks")
    assert printed.split() == ["0", str(len(names))]
    assert files_below(tmp_path / "navkit-notebooks") == names


def test_the_installed_command(installed, tmp_path):
    assert run(installed.parent / "navkit", "--version", cwd=tmp_path) == (
        f"navkit {navkit.__version__}\n"
    )


def test_the_tests_run_from_the_checkout():
    assert checkout() == ROOT


@pytest.mark.parametrize("module", ["navkit", "navkit.cli"])
def test_importing_is_light(module):
    program = f"import sys, {module}; print(*sys.modules)"
    loaded = run(sys.executable, "-c", program, cwd=ROOT).split()
    assert not {"bokeh", "ipywidgets", "anywidget", "jupyterlab", "IPython"} & set(loaded)


def test_the_top_level_holds_what_the_design_names():
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    # Whoever runs the tests need not own the checkout.
    listed = run("git", "-c", f"safe.directory={ROOT}", "ls-files", cwd=ROOT).splitlines()
    shown = {name.split("/")[0] for name in listed if not name.startswith(".")}
    assert shown <= {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "navkit",
        "notebooks",
        "data",
        "tests",
    }
