"""The ship builder: what is made and refused, what follows, what is odd, and files of ships."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import navkit as nk
from navkit.records import RecordError
from navkit.resources import data_file
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps import builder
from navkit.rulebooks.gurps.movement import base_move

NAMES = gurps.library()["name"].tolist()
READY = [gurps.ship(name) for name in NAMES]


def built(**changes):
    about = dict(kph=14, dr=1, hull=300, left=3, right=3, crew=12, skeleton_crew=4)
    return builder.build("Cutter", **{**about, **changes})


def value(ship, what, rules=None):
    return builder.derived(ship, rules).loc[what, "value"]


class TestBuild:
    def test_a_ship_of_the_library_from_its_sheet(self):
        brig = builder.build(
            "Brig", kph=17.7, dr=3, hull=900, left=7, right=7, front=1, damage="5d", range=5,
            scale=10, size_modifier=8, crew=23, skeleton_crew=6, weight=358, price=387400,
        )  # fmt: skip
        assert brig == gurps.ship("Brig")

    def test_what_the_document_calls_usual_is_the_default(self):
        assert (built().range, built().scale) == (5, 10)

    def test_figures_before_scale_are_divided_by_it(self):
        ship = built(dr=30, hull=9000, damage="5dx10", scaled=False)
        assert (ship.dr, ship.hull, ship.damage, ship.scale) == (3, 900, "5d", 10)
        assert built(dr=0, hull=100, damage="6d × 20", scale=10, scaled=False).damage == "6dx2"
        assert built(dr=7, hull=30, damage="5d+1", scale=1, scaled=False).damage == "5d+1"

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            (dict(hull=9005, dr=30, scaled=False), "hull: got 9005, allowed is a multiple of the"),
            (dict(hull=9000, dr=35, scaled=False), "dr: got 35, allowed is a multiple of the sc"),
            (dict(hull=900, dr=30, damage="5d", scaled=False), "damage: got '5d', allowed is dice"),
            (dict(hull=900, dr=30, damage="5dx15", scaled=False), "damage: got '5dx15'"),
            (dict(hull=900, dr=30, scale=0, scaled=False), "scale: got 0"),
            (dict(scale=20), "scale: got 20, allowed is 1, 10, 100 or 1000"),
            (dict(kph=-1), "kph: got -1"),
            (dict(dr=-1), "dr: got -1"),
            (dict(hull=0), "hull: got 0"),
            (dict(left=-1), "cannons left: got -1"),
            (dict(right=1001), "cannons right: got 1001"),
            (dict(front=0.5), "cannons front: got 0.5"),
            (dict(back=True), "cannons back: got True"),
            (dict(damage="five dice"), "'five dice', column 1"),
            (dict(damage="d-2"), "damage: got 'd-2'"),
            (dict(range=0), "range: got 0"),
            (dict(size_modifier=41), "size_modifier: got 41"),
            (dict(crew=-1), "crew: got -1"),
            (dict(skeleton_crew=2.5), "skeleton_crew: got 2.5"),
            (dict(weight=-1), "weight: got -1"),
            (dict(price=float("inf")), "price: got inf"),
            (dict(expertise=0), "expertise: got 0"),
        ],
    )
    def test_what_cannot_be_is_refused(self, changes, said):
        with pytest.raises(nk.InputError) as caught:
            built(**changes)
        assert str(caught.value).startswith(said)

    @pytest.mark.parametrize("name", ["", " ", "two\nlines", "a\x00b", "half \ud800", 5, None])
    def test_a_name_is_one_line_of_text(self, name):
        with pytest.raises(nk.InputError, match="name: got"):
            gurps.ship("Brig", name=name)


class TestDerived:
    def test_every_line_has_a_source_and_a_row_of_the_checklist(self):
        for ship in READY:
            table = builder.derived(ship)
            assert list(table.columns) == ["value", "from", "section", "rule"]
            assert table.index.is_unique
            assert table["rule"].str.fullmatch(r"G-\d+").all()
            assert (table[["from", "section"]] != "").all(axis=None)

    @pytest.mark.parametrize(
        ("kph", "move", "comes_from", "rule"),
        [
            (12.9, 2, "12.9 kph, from 10.5 to 17.5", "G-12"),
            (10.5, 2, "10.5 kph, from 10.5 to 17.5", "G-12"),
            (5.25, 1, "5.25 kph, from 5.25 to 10.5", "G-12"),
            (35, 5, "35 kph, from 31.5 to 38.5", "G-12"),
            (5, Fraction(1, 2), "5 kph, from 2.917 to 5.25", "G-13"),
            (0.8, Fraction(1, 9), "0.8 kph, from 0.739 to 0.826", "G-13"),
            (0.1, Fraction(1, 10), "0.1 kph, from 0 to 0.739", "G-14"),
            (0, 0, "0 kph, too slow", "G-14"),
        ],
    )
    def test_move_names_the_row_of_the_table(self, kph, move, comes_from, rule):
        line = builder.derived(built(kph=kph)).loc["Move"]
        assert (line["value"], line["from"], line["rule"]) == (move, comes_from, rule)

    @given(st.floats(0.01, 60), st.sampled_from(["7", "20"]))
    def test_a_speed_lies_in_the_row_of_its_move(self, kph, divisor):
        rules = gurps.HouseRules(move_divisor=divisor)
        low, high = builder.speeds(base_move(kph, rules), rules)
        assert low <= Fraction(str(kph)) < high

    def test_no_ship_is_built_with_other_moves(self):
        for move in (Fraction(2, 3), Fraction(1, 11), Fraction(-1)):
            with pytest.raises(nk.InputError, match="move: got"):
                builder.speeds(move)

    def test_navigation(self):
        ship = built(officers=gurps.Officers())
        assert value(ship, "Move with Navigation") == Fraction(1, 5)
        assert value(ship, "initiative") == "1d + 1/5"

    def test_hands_and_guns(self):
        ship = built(left=10, right=10, front=4, back=3, crew=33)
        assert value(ship, "guns") == 27
        assert value(ship, "guns manned at once") == 16
        assert value(ship, "guns of a broadside manned") == 10
        assert value(ship, "hands to fire a broadside") == 20
        assert value(ship, "hands to fire one and reload the other") == 40
        assert value(ship, "hands for all guns") == 54
        assert value(ship, "mean roll of that broadside") == 175

    def test_hands_below_the_skeleton_crew_serve_no_guns(self):
        ship = built(crew=3)
        assert value(ship, "guns manned at once") == 0
        assert value(ship, "hands lost that stop it") == 0

    def test_hull_and_what_it_costs(self):
        brig = builder.derived(gurps.ship("Brig"))
        levels = [brig.loc[f"hull at a {part}", "value"] for part in ("half", "third", "fifth")]
        assert levels == [450, 300, 180]
        assert brig.loc["hull at a fifth", "from"].endswith("Move 3 becomes 1/2")
        adding = gurps.HouseRules(movement_loss_hp="add up")
        added = builder.derived(gurps.ship("Brig"), adding)
        assert added.loc["hull at a fifth", "from"].endswith("Move 3 becomes 1/5")

    def test_points_for_hands_and_masts(self):
        assert value(built(), "damage for each hand") == 20
        assert value(built(), "damage for each point of Move") == 100
        rules = gurps.HouseRules(damage_scale="unscaled", mast_unit="kph")
        assert value(built(), "damage for each hand", rules) == 2
        assert value(built(), "damage for each kph", rules) == 10

    def test_boarding_and_officers(self, jewel):
        assert value(jewel, "boarding blow of all hands") == 9
        assert value(jewel, "boarding skill") == 15
        mage = built(officers=gurps.Officers(leadership=1, medic=3, fatigue=15))
        assert value(mage, "healing spells in a fight") == 3
        assert value(mage, "hands the surgeon keeps a turn") == 1

    def test_hands_to_spare(self):
        sloop = gurps.ship("Sloop")
        assert value(sloop, "hands to spare") == 4
        assert value(sloop, "hands lost that stop it") == 5

    def test_scale(self):
        scale = builder.derived(gurps.ship("Brig")).loc["scale"]
        assert (scale["value"], scale["from"]) == (10, "hull 9000, DR 30 before it")


class TestWarnings:
    def test_the_two_large_ships_have_nothing_odd(self):
        assert [s.name for s in READY if not builder.warnings(s)] == [
            "Barquentine",
            "70-gun military",
        ]

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            (dict(), []),
            (dict(crew=11), ["6 guns, but hands for 5 of them at once."]),
            (dict(left=0, right=0), ["It has no guns."]),
            (dict(kph=0), ["It cannot move."]),
            (dict(kph=0.5, officers=gurps.Officers()), ["With its navigator it cannot move."]),
            (dict(left=2), ["Its broadsides differ: 2 guns on the left, 3 on the right."]),
            (dict(dr=30), ["Its guns cannot pass a DR like its own: 5d against 30."]),
            (dict(hull=49), ["A mean hit by 3 guns like its own sinks it: 49.5 points."]),
            (dict(hull=50), []),
            (
                dict(expertise=2),
                ["Its attack skill is 2 at its own size: too low for GURPS to allow a try."],
            ),
            (
                dict(skeleton_crew=12),
                [
                    "No hand more than its skeleton crew: "
                    "half move or an attack in a turn, not both."
                ],
            ),
            (
                dict(skeleton_crew=13),
                [
                    "6 guns, but hands for none of them at once.",
                    "Fewer hands (12) than its skeleton crew (13): out of action at once.",
                ],
            ),
            (
                dict(skeleton_crew=0),
                ["Its skeleton crew is 0: it sails and fights with nobody aboard."],
            ),
            (
                dict(officers=gurps.Officers(leadership=1, gunnery=3, navigation=0)),
                ["Gunnery +3 counts as +1, by the commander's Leadership."],
            ),
            (
                dict(officers=gurps.Officers(navigation=0)),
                ["Navigation +0 counts as -5, by the commander's Leadership."],
            ),
        ],
    )
    def test_each_oddity_is_told(self, changes, said):
        assert builder.warnings(built(**changes)) == said

    def test_house_rules_count(self):
        rules = gurps.HouseRules(skeleton_gunners="spare hands")
        assert builder.warnings(built(), rules) == ["6 guns, but hands for 4 of them at once."]

    def test_only_ships_are_told_about(self):
        for ask in (builder.warnings, builder.derived):
            with pytest.raises(nk.InputError, match="ship: got 'Brig'"):
                ask("Brig")


def ships():
    """Ships of any kind that can be."""
    level = st.none() | st.integers(-10, 10)
    officers = st.builds(
        gurps.Officers,
        leadership=level,
        gunnery=level,
        navigation=level,
        tactics=level,
        medic=level,
        care=st.sampled_from(["hands", "lives"]),
        fatigue=st.integers(0, 40),
        powerstone=st.integers(0, 40),
    )
    guns = st.integers(0, 60)
    text = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=9)
    return st.builds(
        gurps.Ship,
        name=text.filter(lambda name: name.strip() and name.isprintable()),
        kph=st.floats(0, 1000) | st.integers(0, 40),
        dr=st.integers(0, 10_000),
        hull=st.integers(1, 1_000_000),
        cannons=st.tuples(guns, guns, guns, guns),
        damage=st.sampled_from(["5d", "d", "2d+1", "6dx2", "0"]),
        range=st.integers(1, 1000),
        scale=st.sampled_from([1, 10, 100, 1000]),
        size_modifier=st.integers(-20, 40),
        crew=st.integers(0, 100_000),
        skeleton_crew=st.integers(0, 100_000),
        weight=st.floats(0, 1e9),
        price=st.floats(0, 1e12) | st.integers(0, 10**12),
        expertise=st.integers(1, 30),
        officers=officers,
        weapon=st.integers(-20, 100),
    )


KINDS = ["csv", "json"]


def through_file(folder, kind, fleet):
    path = folder / f"ships.{kind}"
    getattr(builder, f"write_{kind}")(path, fleet)
    return getattr(builder, f"read_{kind}")(path)


class TestFiles:
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_ready_ships_come_back(self, tmp_path, kind):
        assert through_file(tmp_path, kind, READY) == tuple(READY)

    def test_the_library_is_such_a_file(self, tmp_path):
        path = tmp_path / "ships.csv"
        builder.write_csv(path, READY)
        lines = data_file("gurps-ships.csv").read_text(encoding="utf-8").splitlines()
        written = path.read_text(encoding="utf-8").splitlines()
        assert written == [line for line in lines if not line.startswith("#")]
        assert builder.read_csv(data_file("gurps-ships.csv")) == tuple(READY)

    @pytest.mark.parametrize("kind", KINDS)
    def test_empty_posts_and_the_surgeons_orders_come_back(self, tmp_path, kind):
        crews = [
            gurps.Officers(),
            gurps.Officers(leadership=2, medic=-1, care="lives"),
            gurps.Officers(care="lives", fatigue=15, powerstone=4),
        ]
        fleet = [
            gurps.ship("Brig", name=f"Brig {n}", officers=crew) for n, crew in enumerate(crews)
        ]
        assert through_file(tmp_path, kind, fleet) == tuple(fleet)

    @given(fleet=st.lists(ships(), max_size=3, unique_by=lambda ship: ship.name))
    def test_any_ships_come_back(self, tmp_path_factory, fleet):
        folder = tmp_path_factory.mktemp("ships")
        for kind in KINDS:
            assert through_file(folder, kind, fleet) == tuple(fleet)

    @given(ships())
    def test_any_ship_is_explained(self, ship):
        assert len(builder.derived(ship)) == 23
        assert all(isinstance(said, str) for said in builder.warnings(ship))

    def test_one_ship_is_a_file_too(self, tmp_path):
        assert through_file(tmp_path, "json", READY[0]) == (READY[0],)

    @pytest.mark.parametrize("kind", KINDS)
    def test_what_is_no_fleet_is_not_written(self, tmp_path, kind):
        write = getattr(builder, f"write_{kind}")
        with pytest.raises(nk.InputError, match="name: got 'Sloop', allowed is each once"):
            write(tmp_path / "ships", [READY[0], READY[1], READY[0]])
        with pytest.raises(nk.InputError, match="ship: got 'Sloop'"):
            write(tmp_path / "ships", ["Sloop"])
        assert not (tmp_path / "ships").exists()

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("7/7/1/0", "7/7/1", "line 8: cannons: got '7/7/1', allowed is 4 whole numbers"),
            ("7/7/1/0", "7/7/1/-1", "line 8: cannons back: got -1"),
            ("5d", "5x", "line 3: '5x', column"),
            ("387400", "much", "line 8: price: got 'much', allowed is a number"),
            ("\nBrig,", "\nSloop,", "line 8: name: got 'Sloop', allowed is each once in a file"),
            ("kph", "knots", "line 2: column: got 'knots', allowed are 'name', 'kph'"),
            ("kph,", "", "line 2: columns: got ['name', 'dr',"),
            ("medic=0", "cook=0", "line 3: officers: field of Officers: got 'cook'"),
            ("medic=0", "medic=11", "line 3: officers: medic: got 11"),
        ],
    )
    def test_a_fault_in_a_file_is_named_with_its_place(self, tmp_path, old, new, said):
        path = tmp_path / "mine.csv"
        builder.write_csv(path, READY)
        text = "# a remark\n" + path.read_text(encoding="utf-8")
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(RecordError) as caught:
            builder.read_csv(path)
        assert str(caught.value).startswith(f"mine.csv, {said}")

    @pytest.mark.parametrize("kind", KINDS)
    @given(data=st.data())
    def test_any_text_gives_ships_or_a_clear_error(self, tmp_path_factory, kind, data):
        path = tmp_path_factory.mktemp("ships") / "any"
        getattr(builder, f"write_{kind}")(path, READY[:2])
        text = path.read_text(encoding="utf-8")
        cuts = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        letters = st.characters(exclude_categories=["Cs"]) | st.sampled_from('0123456789/,=[]{}"\n')
        spoilt = text[: cuts[0]] + data.draw(st.text(letters)) + text[cuts[1] :]
        path.write_text(spoilt, encoding="utf-8", newline="")
        read = getattr(builder, f"read_{kind}")
        assert said(read, path).startswith(("any", "ships"))


def said(read, path):
    try:
        return f"ships {read(path)}"
    except nk.InputError as error:
        return str(error)
