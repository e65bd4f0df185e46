import pytest
from hypothesis import strategies as st

from navkit.rulebooks import gurps


def small_ship(name="small", **changes):
    about = dict(kph=10, dr=1, hull=30, cannons=(2, 2, 0, 0), damage="2d", crew=6, skeleton_crew=2)
    return gurps.Ship(name=name, **{**about, **changes})


@pytest.fixture
def make_small():
    """A builder of small ships, whose duels are solved in no time."""
    return small_ship


def small_ships():
    """Random ships: hull up to 40, one or two dice of damage, up to two guns a side."""
    posts = st.one_of(st.none(), st.integers(-3, 4))
    officers = st.builds(
        gurps.Officers,
        leadership=posts,
        gunnery=posts,
        navigation=posts,
        medic=posts,
        care=st.sampled_from(["hands", "lives"]),
    )
    return st.builds(
        small_ship,
        kph=st.sampled_from([0, 1.5, 5, 12, 30]),
        dr=st.integers(0, 4),
        hull=st.integers(1, 40),
        cannons=st.tuples(st.integers(0, 2), st.integers(0, 2), st.just(0), st.just(0)),
        damage=st.sampled_from(["d", "2d", "d+2", "2d-1"]),
        size_modifier=st.integers(0, 6),
        crew=st.integers(0, 12),
        skeleton_crew=st.integers(0, 5),
        expertise=st.integers(3, 16),
        officers=officers,
    )


@pytest.fixture(scope="session")
def random_ships():
    return small_ships()


@pytest.fixture
def jewel():
    """Jahara's Jewel of the document's boarding example, run with Leadership 3."""
    officers = gurps.Officers(leadership=3, tactics=3)
    return gurps.ship("Sloop", name="Jewel", crew=50, expertise=12, officers=officers, weapon=-1)


@pytest.fixture
def sun():
    """Kartazian Sun of the document's boarding example, run with Leadership 2."""
    officers = gurps.Officers(leadership=2, tactics=2)
    return gurps.ship("Sloop", name="Sun", crew=30, expertise=14, officers=officers, weapon=2)
