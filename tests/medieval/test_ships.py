"""Ships, the library of ready ones, and what neither can be."""

import csv
from dataclasses import fields

import pytest

import navkit as nk
from navkit.resources import data_file
from navkit.rulebooks import medieval
from navkit.rulebooks.medieval import Ship


def test_a_name_alone_is_a_plain_long_ship():
    ship = Ship("Plain")
    assert (ship.kind, ship.crew, ship.siphon, ship.flagship) == ("long", 20, False, False)
    assert (ship.high, ship.ram, ship.line) == (False, False, "")


def test_the_library_has_the_fields_of_a_ship_and_so_has_the_file():
    names = [entry.name for entry in fields(Ship)]
    library = medieval.library()
    assert list(library.columns) == names
    with data_file("medieval-ships.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    assert rows[0] == names
    assert len(rows) - 1 == len(library)


def test_long_and_round_ships_of_twenty_crew_points():
    kinds = medieval.library().set_index("name")["kind"]
    assert kinds.to_dict() == {
        "Dromon": "long",
        "Longship": "long",
        "Galley": "long",
        "Knorr": "round",
        "Cog": "round",
        "Lateener": "round",
    }
    assert (medieval.library()["crew"] == 20).all()


def test_each_row_is_the_ship_of_that_name():
    for row in medieval.library().to_dict("records"):
        assert Ship(**row) == medieval.ship(row["name"])


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"name": " "}, "name: got ' '"),
        ({"kind": "galleon"}, "kind: got 'galleon', allowed are 'long', 'round'"),
        ({"crew": 21}, "crew: got 21, allowed is a whole number from 0 to 20"),
        ({"crew": 9.5}, "crew: got 9.5"),
        ({"crew": True}, "crew: got True"),
        ({"siphon": "yes"}, "siphon: got 'yes', allowed is True or False"),
        ({"high": 1}, "high: got 1"),
        ({"size": 0}, "size: got 0"),
        ({"line": None}, "line: got None"),
    ],
)
def test_what_a_ship_cannot_be_is_refused(told, message):
    with pytest.raises(nk.InputError, match=message):
        Ship(**{"name": "x"} | told)


def test_unknown_ships_and_fields_are_refused():
    with pytest.raises(nk.InputError, match="ship: got 'Trireme', allowed are 'Dromon'"):
        medieval.ship("Trireme")
    with pytest.raises(nk.InputError, match="field of a ship: got 'hull'"):
        medieval.ship("Cog", hull=3)
