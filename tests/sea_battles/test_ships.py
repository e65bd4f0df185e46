"""Ships, fleets, troops and weapons: what can be, and what is refused."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from navkit import InputError
from navkit.resources import data_file
from navkit.rulebooks import sea_battles
from navkit.rulebooks.sea_battles import Character, GreatShip, HouseRules, Ship, Unit
from navkit.rulebooks.sea_battles.captain import leadership
from navkit.rulebooks.sea_battles.ships import check_fleet, check_room
from navkit.rulebooks.sea_battles.troops import Profile
from navkit.rulebooks.sea_battles.vessel import launched, support


@pytest.mark.parametrize(
    ("length", "size"), [(0.1, 1), (2, 1), (2.01, 2), (4, 2), (6.5, 4), (11, 6), (12, 6)]
)
def test_size_is_a_point_for_each_begun_2_cm(length, size):
    assert sea_battles.size_of(length) == size


def test_lengths_stretch_with_the_scale():
    assert sea_battles.size_of(24, rules=HouseRules(cm_per_inch=1.0)) == 6
    assert sea_battles.weapon("cannon").reach() == 24
    assert sea_battles.weapon("great cannon").reach() == 30
    assert sea_battles.weapon("bow").reach(HouseRules(cm_per_inch=1.0)) == 24


def test_bigger_ships_are_refused_unless_they_are_wanted():
    with pytest.raises(InputError, match="length: got 13"):
        sea_battles.size_of(13)
    assert sea_battles.size_of(13, GreatShip) == 7
    assert GreatShip("Ark", 7, "sails", 9).room == 140


@pytest.mark.parametrize(
    ("size", "foot", "horse"), [(1, 20, 10), (2, 40, 20), (3, 60, 30), (6, 120, 60)]
)
def test_room_is_20_a_size_for_foot_and_horse(size, foot, horse):
    for kind, most in (("Empire archer", foot), ("Empire knight", horse)):
        full = Ship("Full", size, "sails", 8, troops=(Unit(kind, most),))
        assert full.aboard == full.room
        with pytest.raises(InputError, match="unit strength aboard the Full"):
            Ship("Full", size, "sails", 8, troops=(Unit(kind, most + 1),))
    mixed = Ship(
        "Mix",
        size,
        "sails",
        troops=(Unit("Empire archer", foot - 4), Unit("Empire knight", 2)),
    )
    assert mixed.aboard == mixed.room


def test_crew_and_fitted_guns_need_no_room_and_cargo_does():
    guns = ("cannon",) * 4
    fitted = Ship("Gun", 1, "sails", 8, troops=(Unit("Empire archer", 20),), guns=guns)
    assert fitted.aboard == 20
    with pytest.raises(
        InputError, match="unit strength aboard the Gun: got 23, allowed is at most 20"
    ):
        Ship("Gun", 1, "sails", 8, troops=(Unit("Empire archer", 20),), cargo=("cannon",))
    with pytest.raises(InputError, match="unit strength aboard the Gun: got 32"):
        check_room(fitted, HouseRules(carried_guns="all are cargo"))


def test_several_units_share_a_ship_and_none_is_on_two():
    reds = Unit("Empire archer", 10, name="The Reds")
    one = Ship("One", 2, "sails", 8, troops=(reds, Unit("Empire archer", 10)))
    two = Ship("Two", 2, "sails", 8, troops=(reds,))
    assert check_fleet([one])
    with pytest.raises(InputError, match=r"unit aboard the Two: got 'The Reds'.*aboard the One"):
        check_fleet([one, two])
    with pytest.raises(InputError, match="unit aboard the Two"):
        sea_battles.fleet_battle([one, two], [Ship("Foe", 1, "sails", 8)])


def test_one_flagship_and_names_of_their_own():
    flag = Ship("Flag", 2, "sails", 8, flagship=True)
    with pytest.raises(InputError, match="flagships"):
        check_fleet([flag, Ship("Other", 2, "sails", 8, flagship=True)])
    with pytest.raises(InputError, match="ships of a fleet"):
        check_fleet([flag, flag.__class__("Flag", 1, "oars", 8)])
    with pytest.raises(InputError, match="ships of a fleet"):
        check_fleet([])


def test_captains_are_given_rolled_or_characters():
    rolled = Ship("A", 1, "sails")
    assert [rolled.command.equal(n, exact=True) * 6 for n in (7, 8, 9)] == [1, 4, 1]
    assert Ship("B", 1, "sails", 10).command.equal(10, exact=True) == 1
    otto = Character("Empire captain", "Otto")
    led = Ship("C", 1, "sails", characters=(otto,), captain="Otto")
    assert led.command.min == led.command.max == 8
    with pytest.raises(InputError, match="captain: got 'Hans'"):
        Ship("C", 1, "sails", characters=(otto,), captain="Hans")
    with pytest.raises(InputError, match="brings his own"):
        Ship("C", 1, "sails", 9, characters=(otto,), captain="Otto")


def test_an_admiral_lends_his_leadership_and_penalties_are_both_ships():
    near = np.array([True])
    own = launched(Ship("A", 1, "sails", 7))
    flag = launched(Ship("F", 1, "sails", 9))
    one = np.array([1], dtype=np.int32)
    assert leadership(own, flag, near, HouseRules()).tolist() == [9]
    assert leadership(own, flag, ~near, HouseRules()).tolist() == [7]
    assert leadership(own, None, None, HouseRules()).tolist() == [7]
    shaken_own, shaken_flag = replace(own, penalty=one), replace(flag, penalty=one)
    by_reading = {
        "both": 7,
        "own only": 8,
        "admiral's only": 8,
        "neither": 9,
    }
    for reading, value in by_reading.items():
        rules = HouseRules(admiral_penalty=reading)
        assert leadership(shaken_own, shaken_flag, near, rules).tolist() == [value]
    gone = replace(flag, gone=one)
    assert leadership(own, gone, near, HouseRules()).tolist() == [7]


def test_crew_support_is_size_less_crew_slain():
    ship = Ship("A", 4, "sails", 8)
    vessel = replace(launched(ship), crew_slain=np.array([3]))
    assert support(vessel, ship, HouseRules()).tolist() == [1]
    assert support(vessel, ship, HouseRules(crew_slain_sign="one more")).tolist() == [7]
    assert support(vessel, Ship("B", 4, "sails", 8, crew=2), HouseRules()).tolist() == [0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Ship("A", 0, "sails"), "size: got 0, allowed is a whole number from 1 to 6"),
        (lambda: Ship("A", 7, "sails"), "size: got 7, allowed is a whole number from 1 to 6"),
        (lambda: Ship("A", 1, "steam"), "propulsion: got 'steam'"),
        (lambda: Ship("A", 1, "sails", 11), "leadership: got 11"),
        (lambda: Ship("", 1, "sails"), "name: got ''"),
        (lambda: Ship("A", 1, "sails", guns=("bow",)), "guns: got 'bow'"),
        (lambda: Ship("A", 1, "sails", guns=("howitzer",)), "weapon: got 'howitzer'"),
        (lambda: Ship("A", 1, "sails", troops=("20 orcs",)), "troops"),
        (lambda: Ship("A", 1, "sails", gunnery=11), "gunnery: got 11"),
        (lambda: Ship("A", 1, "sails", flagship=1), "flagship: got 1"),
        (lambda: Unit("Orc pirate", 5), "profile: got 'Orc pirate'"),
        (lambda: Unit("Orc boy", 0), "models: got 0"),
        (lambda: Unit.parse("many orcs"), "unit: got 'many orcs'"),
        (lambda: Character("Orc boy"), "character: got 'Orc boy'"),
        (lambda: sea_battles.weapon("bow", strength=11), "strength: got 11"),
        (lambda: sea_battles.weapon("bow", length=3), "field of a weapon: got 'length'"),
        (lambda: sea_battles.weapon("bow", kind="laser"), "kind of weapon"),
        (lambda: sea_battles.profile("Orc boy", toughness=11), "toughness: got 11"),
        (lambda: sea_battles.profile("Orc boy", colour="red"), "field of a profile"),
        (lambda: sea_battles.profile("Orc boy", traits="brave"), "trait: got 'brave'"),
        (lambda: sea_battles.ship("Kraken"), "ship: got 'Kraken'"),
        (lambda: sea_battles.ship("Hammer", masts=3), "field of a ship: got 'masts'"),
        (lambda: sea_battles.fleet("Armada"), "fleet: got 'Armada'"),
        (lambda: sea_battles.fire("Hammer", sea_battles.ship("Anvil")), "attacker: got 'Hammer'"),
        (lambda: HouseRules(edition="8th"), "house rule edition"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_the_library_is_the_csv():
    table = sea_battles.library()
    with data_file("sea-battles-fleets.csv").open(encoding="utf-8", newline="") as lines:
        text = lines.read()
    assert "this project's own examples" in text.splitlines()[0]
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    assert sorted(rows[0]) == sorted(table.columns)
    assert [row["name"] for row in rows] == table["name"].tolist()
    for row, name in zip(rows, table["name"], strict=True):
        ship = sea_battles.ship(name)
        assert ";".join(map(str, ship.troops)) == row["troops"]
        assert ";".join(map(str, ship.characters)) == row["characters"]
        assert ship.aboard <= ship.room
    flagships = table[table["flagship"]].groupby("fleet").size()
    assert (flagships == 1).all()
    assert len(flagships) == table["fleet"].nunique()


def test_profiles_and_weapons_are_those_of_the_parent_game():
    by_name = sea_battles.profiles().set_index("name")
    orc = by_name.loc["Orc boy"]
    names = ["movement", "weapon_skill", "ballistic_skill", "strength", "toughness", "wounds"]
    names += ["initiative", "attacks", "leadership"]
    assert orc[names].tolist() == [4, 3, 3, 3, 4, 1, 2, 1, 7]
    assert by_name.loc["Zombie", names].tolist() == [4, 2, 0, 3, 3, 1, 0, 1, 2]
    weapons = sea_battles.weapons().set_index("name")
    assert weapons.loc["great cannon", ["strength", "wounds"]].tolist() == [10, "d6"]
    assert weapons.loc["bolt thrower", ["strength", "wounds"]].tolist() == [6, "d3"]
    assert (weapons["strength"] <= 10).all()


def test_wide_bases_count_twice_and_riders_once():
    assert sea_battles.profile("Ogre bull").width() == 2
    knight = sea_battles.profile("Empire knight")
    assert (knight.width(), knight.width(HouseRules(cavalry_base="two"))) == (1, 2)
    assert not sea_battles.profile("Griffon").fights_aboard
    assert not sea_battles.profile("War chariot").fights_aboard
    assert isinstance(knight, Profile)
