"""Records in files: what is read, what is refused and where, and nothing lost on the way."""

import json
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navkit import records
from navkit.errors import InputError, whole
from navkit.records import LARGEST_FILE, RecordError


@dataclass(frozen=True)
class Lamp:
    colour: Literal["red", "green"] = "red"
    flashes: int | None = None
    dark: bool = False


@dataclass(frozen=True)
class Buoy:
    name: str
    depth: float
    lights: tuple[int, int]
    lamp: Lamp = Lamp()
    keepers: int | None = 3
    lit: bool = True

    def __post_init__(self):
        if self.keepers is not None:
            whole("keepers", self.keepers, 0, 9)


@dataclass(frozen=True)
class Spar(Buoy):
    height: float = 4.5


class Water(IntEnum):
    SHOAL = 1
    DEEP = 2


@dataclass(frozen=True)
class Chart:
    buoys: tuple[Buoy, ...] = ()
    names: tuple[str, ...] = ()
    soundings: tuple[tuple[str, int], ...] = ()
    best: Lamp | None = None
    pair: tuple[Lamp | None, Lamp | None] = (None, None)
    water: Water = Water.DEEP
    edge: Water | str = "shore"


RED = Buoy("Red Head", 12.5, (1, 2))
GREEN = Buoy("Green, dark", 7, (0, 0), Lamp("green", 4, True), None, False)
AS_CSV = """name,depth,lights,lamp,keepers,lit
Red Head,12.5,1/2,,3,yes
"Green, dark",7,0/0,colour=green flashes=4 dark=yes,,no
"""


def lamps():
    colours, flashes = st.sampled_from(["red", "green"]), st.none() | st.integers(0, 9)
    return st.builds(Lamp, colours, flashes, st.booleans())


def buoys():
    return st.builds(
        Buoy,
        st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
        st.floats(-1e15, 1e15) | st.integers(-99, 99),
        st.tuples(st.integers(-9, 9), st.integers(0, 99)),
        lamps(),
        st.none() | st.integers(0, 9),
        st.booleans(),
    )


def test_csv_is_written_as_a_person_would():
    assert records.to_csv([RED, GREEN], Buoy) == AS_CSV
    assert records.from_csv(AS_CSV, Buoy) == (RED, GREEN)


def test_json_is_a_list_of_objects():
    text = records.to_json([GREEN], Buoy)
    assert '"lamp": {\n   "colour": "green",' in text
    assert '"lights": [\n   0,\n   0\n  ]' in text
    assert records.from_json(text, Buoy) == (GREEN,)


@given(st.lists(buoys(), max_size=4))
def test_all_records_come_back(listed):
    assert records.from_csv(records.to_csv(listed, Buoy), Buoy) == tuple(listed)
    assert records.from_json(records.to_json(listed, Buoy), Buoy) == tuple(listed)


@given(lamps())
def test_a_record_in_one_text_comes_back(lamp):
    assert records.from_text(records.to_text(lamp), Lamp) == lamp


def test_fields_with_a_default_may_be_left_out_and_order_is_free():
    assert records.from_csv("lights,depth,name\n1/2,12.5,Red Head\n", Buoy) == (RED,)
    text = '[{"depth": 12.5, "name": "Red Head", "lights": [1, 2]}]'
    assert records.from_json(text, Buoy) == (RED,)


def test_remarks_blank_lines_and_byte_order_marks_are_passed_over():
    text = "\ufeff# a remark\r\n# another\r\nname,depth,lights\r\n\r\n#1,2,3/4\r\n"
    assert records.from_csv(text, Buoy) == (Buoy("#1", 2, (3, 4)),)
    assert records.from_json("\ufeff[]", Buoy) == ()


def test_the_places_of_lines_count_remarks():
    with pytest.raises(RecordError, match=r"^here, line 4: depth: got 'x'") as caught:
        records.from_csv("# a\n# b\nname,depth,lights\nA,x,1/2\n", Buoy, place="here")
    assert caught.value.place == "here, line 4"
    assert caught.value.error.what == "depth"


HEAD = "name,depth,lights"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: columns: got [], allowed is a list with 'name' too"),
        ("name,depth\n", "line 1: columns: got ['name', 'depth'], allowed is a list with 'lights'"),
        (f"{HEAD},mast\n", "line 1: column: got 'mast', allowed are 'name', 'depth', 'lights'"),
        (f"{HEAD},name\n", "line 1: column: got 'name', allowed is each name once"),
        (f"{HEAD}\nA,1,1/2\nB,1\n", "line 3: cells: got 2, allowed is 3, as in the head"),
        (f"{HEAD}\nA,1,1/2,9\n", "line 2: cells: got 4"),
        (f"{HEAD}\nA,nan,1/2\n", "line 2: depth: got 'nan', allowed is a number"),
        (f"{HEAD}\nA,1_0,1/2\n", "line 2: depth: got '1_0'"),
        (f"{HEAD}\nA, 1,1/2\n", "line 2: depth: got ' 1'"),
        (f"{HEAD}\nA,1e9999,1/2\n", "line 2: depth: got '1e9999'"),
        (f"{HEAD}\nA,1,1/2/3\n", "line 2: lights: got '1/2/3', allowed is 2 whole numbers with /"),
        (f"{HEAD}\nA,1,1/x\n", "line 2: lights: got '1/x'"),
        (f"{HEAD}\nA,1,1/{'9' * 5000}\n", "line 2: lights: got '1/999"),
        (f"{HEAD},keepers\nA,1,1/2,10\n", "line 2: keepers: got 10, allowed is a whole number"),
        (f"{HEAD},keepers\nA,1,1/2,1.0\n", "line 2: keepers: got '1.0'"),
        (f"{HEAD},lit\nA,1,1/2,maybe\n", "line 2: lit: got 'maybe', allowed are 'yes', 'no'"),
        (f"{HEAD},lamp\nA,1,1/2,flashes\n", "line 2: lamp: Lamp: got 'flashes', allowed is name="),
        (f"{HEAD},lamp\nA,1,1/2,flashes=x\n", "line 2: lamp: flashes: got 'x'"),
        (f"{HEAD},lamp\nA,1,1/2,hue=4\n", "line 2: lamp: field of Lamp: got 'hue', allowed are"),
        (f"{HEAD},lamp\nA,1,1/2,flashes=1 flashes=1\n", "line 2: lamp: Lamp: got 'flashes=1'"),
        (f'{HEAD}\nA,1,1/2\n"B\n', "line 3: row: got 'unexpected end of data'"),
        (f'{HEAD}\n"A"x,1,1/2\n', "line 2: row: got"),
        (f"{HEAD}\nA,1,1/2\nA,2,1/2\n", "line 3: name: got 'A', allowed is each once in a file"),
    ],
)
def test_a_csv_with_a_fault_is_refused_where_it_stands(text, said):
    with pytest.raises(RecordError) as caught:
        records.from_csv(text, Buoy, unique="name", place="buoys.csv")
    assert str(caught.value).startswith(f"buoys.csv, {said}")


def charts():
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
    edge = text.filter(lambda name: name not in Water.__members__)
    return st.builds(
        Chart,
        st.lists(buoys() | st.builds(Spar, text, st.just(1.0), st.just((1, 2)))).map(tuple),
        st.lists(text).map(tuple),
        st.lists(st.tuples(text, st.integers())).map(tuple),
        st.none() | lamps(),
        st.tuples(st.none() | lamps(), st.none() | lamps()),
        st.sampled_from(Water),
        st.sampled_from(Water) | edge,
    )


@given(charts())
def test_records_in_tuples_in_records_come_back_from_json(chart):
    again = records.from_json(records.to_json([chart], Chart), Chart)
    assert again == (chart,)
    assert [type(each) for each in again[0].buoys] == [type(each) for each in chart.buoys]


def test_a_record_of_another_kind_is_told_by_its_class():
    told = records.to_plain(Chart(buoys=(RED, Spar("A", 1, (1, 2)))))
    assert [each.get("class") for each in told["buoys"]] == [None, "Spar"]
    assert told["edge"] == "shore"
    assert told["water"] == "DEEP"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (dict(buoys={}), "here: buoys: got {}, allowed is a list"),
        (dict(buoys=[3]), "here: buoys 1: got 3, allowed is an object"),
        (dict(names=["A", 5]), "here: names 2: got 5, allowed is a text"),
        (dict(names=["\ud800"]), "here: names 1: got '\\ud800', allowed is a text"),
        (
            dict(soundings=[["A", 1], ["B", "x"]]),
            "here: soundings 2 2: got 'x', allowed is a whole",
        ),
        (dict(soundings=[["A"]]), "here: soundings 1: got ['A'], allowed is a list of 2"),
        (dict(pair=[{"dark": 1}, None]), "here, pair 1: dark: got 1, allowed are 'true', 'false'"),
        (dict(best={"class": "Buoy"}), "here, best: class: got 'Buoy', allowed is Lamp"),
        (dict(buoys=[{"class": "Chart"}]), "here, buoys 1: class: got 'Chart', allowed are 'Buoy'"),
        (dict(buoys=[{"class": ["Spar"]}]), "here, buoys 1: class: got ['Spar']"),
        (dict(water=2), "here: water: got 2, allowed are 'SHOAL', 'DEEP'"),
        (dict(water="deep"), "here: water: got 'deep'"),
        (dict(edge=1), "here: edge: got 1, allowed are 'SHOAL', 'DEEP', 'a text'"),
    ],
)
def test_a_fault_deep_in_a_record_is_named_with_its_place(change, said):
    with pytest.raises(RecordError) as caught:
        records.from_plain(change, Chart, "here")
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("number", [float("inf"), float("nan"), "1", 2**63])
def test_a_number_that_is_none(number):
    with pytest.raises(RecordError, match="here: depth: got"):
        records.value_from_plain(number, float, "depth", "here")


def test_what_has_no_cell_is_no_csv():
    for attempt in (
        lambda: records.to_csv([Chart()], Chart),
        lambda: records.from_csv("buoys\n", Chart),
        lambda: records.from_text("", Chart),
        lambda: records.to_text(Chart()),
    ):
        with pytest.raises(InputError, match="Chart as a CSV: got 'buoys', allowed is JSON"):
            attempt()


def test_what_no_record_holds():
    with pytest.raises(InputError, match="value: got"):
        records.to_plain({"a": 1})
    with pytest.raises(TypeError, match="no record holds"):
        records.value_from_plain({}, dict, "names", "here")


def test_a_long_value_is_shown_in_part():
    error = InputError("names", "x" * 9999, "a text")
    assert len(str(error)) < 300
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert "too large to show" in str(InputError("names", deep, "a text"))


def entry(**changes):
    return json.dumps([{"name": "A", "depth": 1, "lights": [1, 2], **changes}])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ", line 1, column 1: JSON: got 'Expecting value'"),
        ("[\n1,]", ", line 2, column 3: JSON: got "),
        ("{}", ": JSON: got {}, allowed is a list of objects"),
        ("[3]", ", entry 1: entry: got 3, allowed is an object"),
        ("[{}]", ", entry 1: fields: got [], allowed is a list with 'name' too"),
        (entry(mast=1), ", entry 1: field: got 'mast'"),
        (entry(name=4), ", entry 1: name: got 4, allowed is a text"),
        (entry(depth="1"), ", entry 1: depth: got '1', allowed is a number"),
        (entry(depth=True), ", entry 1: depth: got True"),
        (entry(depth=10**30), ", entry 1: depth: got 1000"),
        (entry(depth=float("nan")), ": number: got 'NaN'"),
        (entry(lights="1/2"), ", entry 1: lights: got '1/2', allowed is a list of 2"),
        (entry(lights=[1, 2.0]), ", entry 1: lights 2: got 2.0, allowed is a whole number"),
        (entry(keepers=1.0), ", entry 1: keepers: got 1.0, allowed is a whole number"),
        (entry(keepers=False), ", entry 1: keepers: got False"),
        (entry(keepers=99), ", entry 1: keepers: got 99"),
        (entry(lit="yes"), ", entry 1: lit: got 'yes', allowed are 'true', 'false'"),
        (entry(lamp="red"), ", entry 1: lamp: got 'red', allowed is an object"),
        (entry(lamp={"flashes": "x"}), ", entry 1, lamp: flashes: got 'x'"),
        (
            entry(lamp={"colour": None}),
            ", entry 1, lamp: colour: got None, allowed are 'red', 'green'",
        ),
        ('[{"name": "A", "name": "B"}]', ": fields: got ['name', 'name'], allowed is each name"),
        ("[" * 100_000, ": JSON: got 'maximum recursion depth"),
        (f"[{'9' * 5000}]", ": JSON: got 'Exceeds the limit"),
    ],
)
def test_a_json_with_a_fault_is_refused_where_it_stands(text, said):
    with pytest.raises(RecordError) as caught:
        records.from_json(text, Buoy, place="buoys.json")
    assert str(caught.value).startswith(f"buoys.json{said}")


@given(st.text())
def test_any_text_gives_records_or_a_placed_error(text):
    for read in (records.from_csv, records.from_json):
        for given_text in (text, f"{HEAD}\n{text}", f'[{{"name": {text}}}]'):
            assert said(read, given_text).startswith(("text", "buoys"))


def said(read, text):
    try:
        return f"buoys {read(text, Buoy)}"
    except RecordError as error:
        return str(error)


def test_only_records_of_the_kind_are_written():
    with pytest.raises(InputError, match="record: got 3, allowed is a Buoy"):
        records.to_csv([RED, 3], Buoy)
    with pytest.raises(InputError, match="record: got 'RED', allowed is a Buoy"):
        records.to_json(["RED"], Buoy)


class TestFiles:
    @pytest.mark.parametrize("kind", ["csv", "json"])
    def test_written_and_read(self, tmp_path, kind):
        path = tmp_path / f"buoys.{kind}"
        getattr(records, f"write_{kind}")(path, [RED, GREEN], Buoy)
        assert getattr(records, f"read_{kind}")(path, Buoy) == (RED, GREEN)
        assert b"\r" not in path.read_bytes()

    @pytest.mark.parametrize("kind", ["csv", "json"])
    def test_nothing_is_written_where_something_is_wrong(self, tmp_path, kind):
        path = tmp_path / f"buoys.{kind}"
        path.write_text("kept")
        with pytest.raises(InputError):
            getattr(records, f"write_{kind}")(path, [RED, None], Buoy)
        assert path.read_text() == "kept"

    def test_a_file_that_is_not_text(self, tmp_path):
        path = tmp_path / "buoys.csv"
        path.write_bytes(b"name\n\xff")
        with pytest.raises(RecordError, match=r"buoys.csv: text: got 'byte 0xff at 5'"):
            records.read_csv(path, Buoy)

    def test_a_file_too_large(self, tmp_path):
        path = tmp_path / "buoys.csv"
        path.write_bytes(b" " * (LARGEST_FILE + 1))
        with pytest.raises(RecordError, match=r"buoys\.csv: size: got 'more', allowed is at most"):
            records.read_csv(path, Buoy)

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            records.read_json(tmp_path / "none.json", Buoy)
