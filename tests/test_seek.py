"""What it would take: against looking at every value with the resolver itself."""

from dataclasses import replace

import pytest

from navkit.chance import Exact, Sampled
from navkit.desk.seek import SCANNED, cheapest, pricing, seek, seeking
from navkit.desk.seek_question import UNSURE, Found
from navkit.desk.seek_range import usual_range
from navkit.errors import InputError
from navkit.paths import changed
from navkit.rulebooks import gurps, medieval, sea_battles
from navkit.scenario import Scenario

SLOOP, SCHOONER = gurps.ship("Sloop"), gurps.ship("Schooner")
BOARDING = Scenario("gurps", "board", SLOOP, SCHOONER, turns=4)
GALLEYS = Scenario("medieval", "board", medieval.ship("Galley"), medieval.ship("Galley"), turns=6)
CREWS = range(1, 90)


@pytest.fixture(scope="module")
def chances() -> dict[int, dict[str, float]]:
    """By hands of the sloop: how the boarding ends."""
    return {
        crew: gurps.board(replace(SLOOP, crew=crew), SCHOONER, turns=4, chance=Exact())
        .outcome()
        .to_dict()
        for crew in CREWS
    }


def brute(chances: dict[int, dict[str, float]], of: str, at_least: float) -> list[int]:
    return [crew for crew, chance in chances.items() if chance[of] >= at_least]


@pytest.mark.parametrize("at_least", [0.001, 0.1, 0.5, 0.9, 0.999])
def test_the_fewest_hands_that_win(chances: dict[int, dict[str, float]], at_least: float) -> None:
    found = seek(
        BOARDING, "a.crew", "smallest", of="a", at_least=at_least, low=1, high=89, progress=False
    )
    assert found.value == min(brute(chances, "a", at_least))
    assert found.monotone
    assert not found.scanned
    assert found.unsure == ()
    assert len(found.curve) < 40
    for crew, row in found.curve.iterrows():
        assert row["chance"] == chances[int(crew)]["a"]  # type: ignore[call-overload]
        assert row["does"] == ("yes" if row["chance"] >= at_least else "no")


@pytest.mark.parametrize("at_least", [0.001, 0.3, 0.9])
def test_the_most_hands_that_lose(chances: dict[int, dict[str, float]], at_least: float) -> None:
    found = seek(
        BOARDING, "a.crew", "largest", of="b", at_least=at_least, low=1, high=89, progress=False
    )
    assert found.value == max(brute(chances, "b", at_least))


@pytest.mark.parametrize("want", ["largest", "smallest"])
def test_a_chance_that_rises_and_falls(chances: dict[int, dict[str, float]], want: str) -> None:
    """Undecided: the peak lies between the values that are looked at first."""
    most = max(chance["undecided"] for chance in chances.values())
    for at_least in (most, 0.9 * most, 0.2 * most):
        found = seek(
            BOARDING,
            "a.crew",
            want,  # type: ignore[arg-type]
            of="undecided",
            at_least=at_least,
            low=1,
            high=89,
            progress=False,
        )
        assert not found.monotone
        assert "does not only rise, or only fall" in found.sentence
        end = max if want == "largest" else min
        assert found.value == end(brute(chances, "undecided", at_least))


def test_few_values_are_all_looked_at() -> None:
    found = seek(GALLEYS, "b.crew", "largest", of="a", at_least=0.6, progress=False)
    assert found.scanned
    assert list(found.curve.index) == list(range(1, 21))
    wins = {
        crew: medieval.board(GALLEYS.a, medieval.ship("Galley", crew=crew), turns=6).outcome()["a"]
        for crew in range(1, 21)
    }
    assert found.value == max(crew for crew, chance in wins.items() if chance >= 0.6)
    assert f"{found.value} is the largest with which the Galley (a) wins" in found.sentence


def test_a_sample_tells_of_which_values_it_can_not_tell(
    chances: dict[int, dict[str, float]],
) -> None:
    for seed in (1, 2, 3):
        sampled = replace(BOARDING, fights=1024, seed=seed)
        found = seek(
            sampled, "a.crew", "smallest", of="a", at_least=0.5, low=1, high=89, progress=False
        )
        truth = min(brute(chances, "a", 0.5))
        assert found.unsure
        assert found.unsure[0] - 1 <= truth <= found.unsure[-1] + 1
        low, high = found.unsure[0], found.unsure[-1]
        assert (
            f"{low} to {high} the sample" if low < high else f"{low} the sample"
        ) in found.sentence
        does = found.curve["does"]
        assert (does[does.index < low] == "no").all()
        assert (does[does.index > high] == "yes").all()
        edges = {low - 1, high + 1}
        assert edges <= set(found.curve.index)  # to the integer, not as far as it was looked
        for crew, row in found.curve.iterrows():
            ship = replace(SLOOP, crew=crew)
            alone = gurps.board(ship, SCHOONER, turns=4, chance=Sampled(1024, seed)).table()
            assert row["chance"] == alone["a"].iloc[-1]
            assert row["error"] == alone["a_error"].iloc[-1]
            near = abs(row["chance"] - 0.5) <= 1.96 * row["error"]
            assert (row["does"] == UNSURE) == near


def test_no_value_does() -> None:
    found = seek(
        BOARDING, "a.crew", "smallest", of="a", at_least=0.5, low=1, high=8, progress=False
    )
    assert found.value is None
    assert found.sentence.startswith(
        "Fit hands of the Sloop: there is no number from 1 to 8 with which the Sloop wins in at "
        "least 50.0 % of fights; the most is"
    )


def test_a_number_that_makes_no_difference() -> None:
    """The gunner is capped by his commander, and nobody fires in a boarding."""
    found = seek(BOARDING, "a.officers.gunnery", "smallest", of="a", at_least=0.9, progress=False)
    assert found.value is None
    assert "It makes no difference here." in found.sentence
    found = seek(BOARDING, "a.officers.gunnery", "smallest", of="a", at_least=0.01, progress=False)
    assert found.value == -5
    assert "-5, the end of the range, is the smallest" in found.sentence


def test_an_event_by_a_turn_of_its_own() -> None:
    found = seek(
        BOARDING, "a.crew", "smallest", of="b lost", at_least=0.5, turn=2, low=1, high=60,
        progress=False,
    )  # fmt: skip
    early = [
        crew
        for crew in range(1, 61)
        if gurps.board(replace(SLOOP, crew=crew), SCHOONER, turns=2).outcome()["a"] >= 0.5
    ]
    assert found.value == min(early)
    assert "by turn 2" in found.sentence


def test_the_cheapest_ship() -> None:
    found = cheapest(BOARDING, "a", of="a", at_least=0.5, progress=False)
    ships = gurps.library().sort_values("price")
    assert list(found.curve.index) == list(ships["name"])
    wins = [
        name
        for name in ships["name"]
        if gurps.board(gurps.ship(name), SCHOONER, turns=4).outcome()["a"] >= 0.5
    ]
    assert found.value == wins[0]
    assert found.scanned
    assert f"The {wins[0]}, for " in found.sentence
    assert "with which she wins in at least 50.0 % of fights" in found.sentence
    assert cheapest(BOARDING, "b", of="a", at_least=1, progress=False).value is None


def test_partial_answers_say_what_is_known_so_far() -> None:
    first, second, *_ = pricing(BOARDING, "a", of="a", at_least=0.5)
    assert (len(first.curve), len(second.curve), first.scanned) == (1, 2, False)
    parts: list[Found] = list(
        seeking(BOARDING, "a.crew", "smallest", of="a", at_least=0.5, low=1, high=89)
    )
    assert [len(part.curve) for part in parts] == list(range(1, len(parts) + 1))
    assert parts[-1].wanted >= SCANNED // 2


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"path": "hull"}, "path"),
        ({"path": "c.hull"}, "path"),
        ({"path": "a.sails", "low": 1, "high": 2}, "field of a"),
        ({"path": "a.weapon"}, "number without limits"),
        ({"want": "best"}, "want"),
        ({"of": "a eaten"}, "event"),
        ({"at_least": 1.5}, "at_least"),
        ({"low": 9, "high": 8}, "high"),
        ({"low": -3}, "crew"),
        ({"turn": 5}, "turn"),
    ],
)
def test_bad_input(wrong: dict[str, object], what: str) -> None:
    given = {"path": "a.crew", "want": "smallest", "of": "a", "at_least": 0.5, **wrong}
    with pytest.raises(InputError, match=what):
        seek(BOARDING, progress=False, **given)  # type: ignore[arg-type]


def test_the_usual_range_is_what_the_ship_may_have() -> None:
    hammer, anvil = sea_battles.ship("Hammer"), sea_battles.ship("Anvil")
    fight = Scenario("sea_battles", "fire", hammer, anvil)
    path = f"a.{sea_battles.desk.DESK.sought[0].path}"
    low, high = usual_range(fight, path)
    inside = path.removeprefix("a.").split(".")
    changed(hammer, inside, low, "a")
    changed(hammer, inside, high, "a")
    if high < sea_battles.desk.DESK.sought[0].high:
        with pytest.raises(InputError):
            changed(hammer, inside, high + 1, "a")
    assert usual_range(BOARDING, "b.crew") == (0, 1000)


def test_ships_without_prices() -> None:
    with pytest.raises(InputError, match="prices"):
        cheapest(GALLEYS, "a", of="a", at_least=0.5, progress=False)
    with pytest.raises(InputError, match="side"):
        cheapest(BOARDING, "c", of="a", at_least=0.5)  # type: ignore[arg-type]
