"""Scenarios: files and short texts that open the same fight, and errors that name their place."""

import json
import pickle
import subprocess
import sys
from dataclasses import replace

import pytest

import navkit as nk
from navkit import records
from navkit.errors import InputError
from navkit.records import RecordError
from navkit.rulebooks import gurps, medieval, sea_battles, vehicular_1879
from navkit.scenario import RULEBOOKS, Scenario, rulebook


def tonight(**changes):
    a = gurps.ship("Brig", crew=30, officers=gurps.Officers(leadership=2, medic=1))
    about = dict(
        rulebook="gurps",
        fight="duel",
        a=a,
        b=gurps.ship("Sloop"),
        turns=5,
        fights=2048,
        rules=gurps.HouseRules(reload="none", surrender_ratio=8),
        title="Tonight: Brig & Sloop",
    )
    return Scenario(**{**about, **changes})


def in_full(name):
    """A fight of ships that no library has, with parameters of every kind, of a rulebook."""
    return IN_FULL[name]()


def full_gurps():
    party = gurps.Party(binds=2, fells="d2")
    orders = (gurps.Orders(guns=1, leaves="outnumbered"), gurps.Orders(party=party))
    ark = gurps.Ship("Ark", 9, 4, 777, (1, 2, 3, 4), "3d", crew=40, skeleton_crew=3)
    about = dict(turns=3, fights=512, parameters={"run": 2, "orders": orders})
    return Scenario("gurps", "ram", ark, gurps.ship("Sloop", crew=12), **about)


def full_sea_battles():
    troops = (sea_battles.Unit("Orc boy", 4, "Gits"), sea_battles.Unit("Goblin", 3))
    boss = sea_battles.Character("Orc warboss", "Gorbad", joins=1)
    hulk = sea_battles.GreatShip(
        "Hulk", 8, "sails and oars", troops=troops, characters=(boss,), captain="Gorbad"
    )
    boarders = sea_battles.Boarders(order=(1, 0), challenges=False)
    parameters = {"a_fights": boarders, "facing": "rear"}
    about = dict(turns=None, fights=64, parameters=parameters, title="Érik “the Red” 🏴")
    return Scenario("sea_battles", "board", hulk, sea_battles.ship("Nipper"), **about)


def full_vehicular_1879():
    of = vehicular_1879
    boarders = of.Unit(members=9, attack=8, damage=9, member=of.Member(armor=2))
    launch = of.Vehicle(
        name="Launch",
        maneuverability=8,
        speed=5,
        armor=3,
        critical_threshold=12,
        destroyed_at=60,
        officers=(of.Officer(position="Captain", rank=5), of.Officer(position="Gunner")),
        out=("Gunner",),
        batteries=(of.Battery(name="bow", weapons=2, gunnery=9, damage=12, shots=7),),
        boarders=boarders,
    )
    doctrine = of.Doctrine(maneuver="Close in", surplus="spread", range="close")
    parameters = {"doctrines": (None, doctrine), "distance": "far", "supplement": of.EXAMPLE}
    about = dict(turns=3, fights=256, parameters=parameters)
    return Scenario("vehicular_1879", "duel", launch, of.ship("Scout Giffard", crew=20), **about)


def full_medieval():
    cog = medieval.Ship("Cog", "round", True, 17, siphon=True)
    parameters = {"grappled": True, "break_off": (3, 0), "flanking": (1, 2)}
    about = dict(turns=4, fights=None, parameters=parameters)
    return Scenario("medieval", "board", cog, medieval.ship("Galley", crew=9), **about)


IN_FULL = {
    "gurps": full_gurps,
    "sea_battles": full_sea_battles,
    "vehicular_1879": full_vehicular_1879,
    "medieval": full_medieval,
}
SCENARIOS = [tonight, *IN_FULL.values()]


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_fight_of_a_rulebook_comes_back_and_is_swapped(name):
    module = rulebook(name)
    ready = [module.ship(each) for each in module.library()["name"]]
    for fight in module.RESOLVERS:
        scenario = Scenario(name, fight, ready[0], ready[-1], turns=2)
        assert Scenario.from_text(scenario.to_text()) == scenario
        assert scenario.swapped() == Scenario(name, fight, ready[-1], ready[0], turns=2)


@pytest.mark.parametrize("make", SCENARIOS)
def test_it_comes_back_as_it_was(make, tmp_path):
    scenario = make()
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert Scenario.from_text(f"  {scenario.to_text()}\n") == scenario
    scenario.save(tmp_path / "fight.json")
    assert Scenario.load(tmp_path / "fight.json") == scenario
    assert scenario.swapped().swapped() == scenario


def test_the_texts_give_the_same_odds_in_another_process():
    code = (
        "import sys; from navkit.scenario import Scenario;"
        "print([Scenario.from_text(text).play().outcome().tolist() for text in sys.argv[1:]])"
    )
    command = [sys.executable, "-c", code, *(make().to_text() for make in SCENARIOS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [make().play().outcome().tolist() for make in SCENARIOS]


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_parameters_reach_the_resolver(name):
    scenario = in_full(name)
    resolver = rulebook(name).RESOLVERS[scenario.fight]
    common = {resolver.turns: scenario.turns, "chance": scenario.chance, "rules": scenario.rules}
    by_hand = resolver.resolve(scenario.a, scenario.b, **common, **scenario.parameters)
    assert scenario.play().outcome().tolist() == by_hand.outcome().tolist()
    plain = scenario.duplicate(parameters={})
    assert scenario.play().table().values.tolist() != plain.play().table().values.tolist()


VERSION_1 = {
    # A fight of two ready ships with changes, house rules and a title
    "navkit:eNpNULtuwzAM_JWAQycNSdoCgcb-QrsXikzbRGTRoKUGReB_7ylOgG68B8kjb5TDz0UK-YMjq4nPqhfyN"
    "FSbF3JUpCQG_tIsw1j87sNk2L3sPpPqDL1vLPSucgIM5G9kHLpfcM0KLhpfyb_uHWnfS2RbminBhHKUmfzRYV_Ob"
    "OjKNSXXQskQimh-MiXEInF5wok7iffQMVgLOIbctcA9uoYKBvtmvWJF0bzBqNMEF9u3POasq6Pz_8jbWev2imVTk"
    "oYOUm5jHC3VjO9DrOUjf4K7VMtwvz_-gfK4fzvBzIzWw_oHkrt19g": (
        tonight,
        [1.0, 0.0, 0.0, 0.0, 0.0],
    ),
    "navkit:eNpVjUEKgDAQA_-Scy-Cp37DF7S6WrF2y9YKUvy7K3jxNslA0pDcua0HbGcgNZJn3mCxVMkFBvO6BJUQt"
    "2tysA1Cbrq0GsbAnEhwG_ifiMz5bd-9okbxqJIU-29RMdUYDQrRpN_3A9dTLEc": (
        lambda: Scenario(
            "gurps", "ram", gurps.ship("Schooner"), gurps.ship("Sloop"), turns=4, fights=None
        ),
        [0.6005779434952914, 0.33887849062618924, 0.03347038276135832, 0.0, 0.027073183117160404],
    ),
    "navkit:eNpNjj0KwzAMha8S3tDJS5cOnjv2EjJWEmPFLv4JlJADFHqr0ntVgQ7dPn0PSW9DojWGBns2KF3Y5Rxhs"
    "bAPvJLAoIUmrOr9LCEOp-HzEhrVj2GadQ8uU_E6E-yGwuQfKq8lLzlhN3D_-pbTVOdwP4LjW9VQsfWSFC-_o4qpi"
    "xhUZq_N9i8cvDcY": (
        lambda: Scenario(
            "medieval",
            "board",
            medieval.ship("Dromon"),
            medieval.ship("Longship"),
            turns=6,
            fights=None,
            title="Érik & Ōlaf",
        ),
        [0.9999805869428001, 1.132864760622533e-06, 0.0, 0.0, 1.828019243904778e-05],
    ),
    # A ship of one's own, told in full
    "navkit:eNotkU1uAyEMhe_iNYsmkygqu56hy6qKHPDMWMMAMkzTNsrda5junn94_vR4QMSvhSvYgwHZAt1SWsDCt"
    "EkuYGDkadYh3BKK1xrBPvTJStp7k0U7S57BvhrwAvZkYN5CAHu5XAw4jDHFAvbjYI5mMKdP3cIVp_Z4aG6CsRVnA"
    "8VhUHV4Ucm_dF2T55FJPbXjhO5q3mYLBaopXvfWYOBOO6EOs7Cjrug7k1QuzfFoII2jTqQ09kDoVc6c--a0xUjy0"
    "7UmwRNWTrGXFV1lV7peybPbWVAa_ozR93x0f9r2qznd1Vnp9tKlddUtkiurSdRcng0Xc_dXfWs8ojx6Ht5DShme-"
    "yc0UpV1kxbf8P8NpeVz1IwLkdeMn39HvYwC": (
        lambda: Scenario(
            "gurps",
            "board",
            gurps.Ship("Ark", 9, 4, 777, (1, 2, 3, 4), "3d", crew=40, skeleton_crew=3),
            gurps.ship("Sloop"),
            turns=3,
            fights=1024,
            seed=7,
        ),
        [1.0, 0.0, 0.0, 0.0, 0.0],
    ),
}
"""Texts as the first version wrote them, with what they stand for and the odds they gave."""


@pytest.mark.parametrize("text", VERSION_1)
def test_texts_of_version_1_still_open(text):
    make, odds = VERSION_1[text]
    opened = Scenario.from_text(text)
    assert opened == make()
    assert opened.play().outcome().tolist() == pytest.approx(odds, rel=1e-9, abs=1e-15)


def test_version_1_has_no_parameters():
    with pytest.raises(RecordError, match="field: got 'parameters'"):
        Scenario.from_json(changed(navkit=1))
    told = json.loads(changed(navkit=1))
    del told["parameters"]
    assert Scenario.from_json(json.dumps(told)) == tonight()


def test_the_file_is_readable():
    told = json.loads(tonight().to_json())
    assert told["navkit"] == 2
    assert told["a"]["ready"] == "Brig"
    assert told["a"]["crew"] == 30
    assert told["b"] == {"ready": "Sloop"}
    assert told["rules"] == {"reload": "none", "surrender_ratio": 8}


def test_a_ship_of_ones_own_is_told_in_full(tmp_path):
    own = gurps.Ship("Ark", 9, 4, 777, (1, 2, 3, 4), "3d", crew=40, skeleton_crew=3)
    told = json.loads(tonight(a=own).to_json())
    assert told["a"]["hull"] == 777
    assert "ready" not in told["a"]


def changed(**changes):
    told = json.loads(tonight().to_json())
    told.update(changes)
    return json.dumps({name: value for name, value in told.items() if value != "drop"})


def spoilt(name, **changes):
    return json.dumps(json.loads(in_full(name).to_json()) | changes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1"),
        ("[1, 2]", "an object"),
        (changed(navkit=99), "navkit: got 99"),
        (changed(navkit=True), "navkit: got True"),
        (changed(rulebook="chess"), "rulebook: got 'chess'"),
        (changed(rulebook=["gurps"]), "rulebook: got"),
        (changed(fight="race"), "fight: got 'race'"),
        (changed(navkit=2.0), "navkit: got 2.0"),
        (changed(wind=3), "field: got 'wind'"),
        (changed(a="drop"), "'a' too"),
        (changed(turns="five"), "turns: got 'five'"),
        (changed(turns=10**9), "turns: got 1000000000"),
        (changed(fights=10**12), "fights: got"),
        (changed(a={"ready": "Frigate"}), "scenario, a: ship: got 'Frigate'"),
        (changed(a={"ready": "Brig", "hull": "many"}), "scenario, a: hull: got 'many'"),
        (changed(a={"ready": "Brig", "masts": 3}), "scenario, a: field: got 'masts'"),
        (changed(a={"ready": "Brig", "officers": {"cook": 1}}), "'cook'"),
        (changed(rules={"reload": "never"}), "scenario, rules: house rule reload: got 'never'"),
        (changed(rules={"luck": 1}), "house rule: got 'luck'"),
        (changed(rules=[]), "rules: got"),
        (changed(title=5), "title: got 5"),
        (changed(title="\ud800"), "title: got"),
        (changed(a={"ready": ["Brig"]}), "scenario, a: ready: got ['Brig']"),
        (changed(a={"ready": "Brig", "class": "Raft"}), "scenario, a: class: got 'Raft'"),
        (changed(parameters=[]), "parameters: got []"),
        (changed(parameters={"run": 2}), "parameters: parameter: got 'run', allowed is none"),
        (spoilt("gurps", parameters={"run": 2.5}), "parameters: run: got 2.5"),
        (spoilt("gurps", parameters={"walk": 2}), "allowed are 'run', 'orders'"),
        (spoilt("gurps", parameters={"orders": [{}]}), "orders: got [{}], allowed is a list of 2"),
        (
            spoilt("gurps", parameters={"orders": [{}, {"guns": "all"}]}),
            "scenario, parameters, orders 2: guns: got 'all', allowed is a whole number",
        ),
        (
            spoilt("sea_battles", b={"ready": "Anvil", "troops": [{"kind": "Orc boy"}, 3]}),
            "scenario, b: troops 2: got 3, allowed is an object",
        ),
        (
            spoilt(
                "sea_battles", b={"ready": "Anvil", "troops": [{"kind": "Orc boy", "models": ""}]}
            ),
            "scenario, b, troops 1: models: got ''",
        ),
        (
            spoilt("sea_battles", b={"ready": "Anvil", "class": "Ship", "size": 9}),
            "scenario, b: size: got 9",
        ),
        (
            spoilt("vehicular_1879", parameters={"doctrines": [None, {"range": 1}]}),
            "scenario, parameters, doctrines 2: range: got 1, allowed is a text",
        ),
        (
            spoilt("vehicular_1879", parameters={"supplement": {"hazards": [["fire", "hot"]]}}),
            "scenario, parameters, supplement: hazards 1 2: got 'hot'",
        ),
        (spoilt("medieval", parameters={"break_off": [1, 2, 3]}), "break_off: got [1, 2, 3]"),
        (spoilt("medieval", parameters={"grappled": 1}), "grappled: got 1"),
        (spoilt("vehicular_1879", turns=None), "turns: got None"),
        ('{"navkit": 1, "navkit": 1}', "each name once"),
        ('{"navkit": NaN}', "NaN"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text, said):
    with pytest.raises(RecordError, match="scenario") as caught:
        Scenario.from_json(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-9],
        lambda text: text[:40] + "A" + text[41:],
        lambda text: text.replace("navkit:", ""),
        lambda text: "navkit:",
        lambda text: "navkit:é",
        lambda text: "navkit:" + "A" * 30_000,
        lambda text: 5,
    ],
)
def test_a_text_that_is_no_scenario(spoil):
    with pytest.raises(RecordError, match="text"):
        Scenario.from_text(spoil(tonight().to_text()))


def test_a_small_text_cannot_unfold_without_bound():
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000, 9)).decode()[:19_000]
    with pytest.raises(RecordError):
        Scenario.from_text("navkit:" + bomb)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (dict(a="Brig"), "a: got 'Brig'"),
        (dict(turns=0), "turns: got 0"),
        (dict(fights=-1), "fights: got -1"),
        (dict(seed=-1), "seed: got -1"),
        (dict(rules="house"), "rules: got 'house'"),
        (dict(parameters=3), "parameters: got 3"),
        (dict(parameters={"wind": 3}), "parameters: parameter: got 'wind'"),
        (dict(fight="ram", parameters={"run": 2.5}), "parameters: run: got 2.5"),
        (dict(fight="ram", parameters={"orders": [1, 2]}), "parameters: orders: got"),
        (dict(turns=None), "turns: got None"),
    ],
)
def test_bad_input(changes, said):
    with pytest.raises(nk.InputError, match=said):
        tonight(**changes)


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    far = tonight(a=gurps.ship("Brig", name="海🏴" * 14_000))
    assert Scenario.from_text(far.to_text()) == far
    noise = "".join(map(chr, range(0x4E00, 0x4E00 + 14_000)))
    long = tonight(a=gurps.ship("Brig", name=noise))
    assert Scenario.from_json(long.to_json()) == long
    with pytest.raises(nk.InputError, match="length of the short text: got"):
        long.to_text()
    endless = tonight(a=gurps.ship("Brig", name="x" * 60_000))
    with pytest.raises(nk.InputError, match="length of the JSON: got"):
        endless.save(tmp_path / "fight.json")
    assert not (tmp_path / "fight.json").exists()


def test_exact_sampled_and_free_choice():
    assert tonight(fights=None).chance == nk.Exact()
    assert tonight(fights=0).chance is None
    assert tonight(fights=100, seed=3).chance == nk.Sampled(100, 3)


def test_what_goes_with_a_side_is_swapped_with_it():
    gurps_orders = in_full("gurps").parameters["orders"]
    assert in_full("gurps").swapped().parameters == {"run": 2, "orders": gurps_orders[::-1]}
    boarders = in_full("sea_battles").parameters["a_fights"]
    swapped = in_full("sea_battles").swapped().parameters
    assert swapped == {"b_fights": boarders, "facing": "rear"}
    assert in_full("medieval").swapped().parameters["break_off"] == (0, 3)


def test_parameters_that_the_ships_do_not_go_with_are_refused_before_anything_is_played():
    gunboat, airship = (vehicular_1879.ship(each) for each in ("Paddle gunboat", "Pirate airship"))
    bow, keel = gunboat.batteries[0].name, airship.batteries[0].name
    fire = Scenario("vehicular_1879", "fire", gunboat, airship, parameters={"battery": bow})
    with pytest.raises(
        InputError, match=f"battery of Pirate airship: got '{bow}', allowed is {keel}"
    ):
        fire.swapped()
    told = fire.to_json().replace(f'"battery": "{bow}"', f'"battery": "{keel}"')
    with pytest.raises(InputError, match=f"scenario: battery of Paddle gunboat: got '{keel}'"):
        Scenario.from_json(told)
    aimed = vehicular_1879.Doctrine(called="armament", armament=keel)
    with pytest.raises(InputError, match="battery of Paddle gunboat"):
        replace(fire, parameters={"doctrine": aimed}).swapped()
    duel = replace(fire, fight="duel", parameters={"doctrines": (aimed, None)})
    assert duel.swapped().parameters == {"doctrines": (None, aimed)}
    with pytest.raises(InputError, match="battery of Paddle gunboat"):
        replace(duel, parameters={"doctrines": (None, aimed)})
    hammer, tongs = sea_battles.ship("Hammer"), sea_battles.ship("Tongs")
    worn = Scenario("sea_battles", "fire", tongs, hammer, parameters={"damage": 6 * hammer.size})
    with pytest.raises(InputError, match=f"damage: got {6 * hammer.size}"):
        worn.swapped()


def test_a_swap_exchanges_the_odds_where_both_play_the_same_part():
    galley, cog = medieval.ship("Galley"), medieval.ship("Galley", crew=15)
    rules = medieval.HouseRules(retaliation="simultaneous")
    about = dict(turns=6, rules=rules, fights=None, parameters={"break_off": (5, 0)})
    here = Scenario("medieval", "board", galley, cog, **about)
    a, b, *_ = here.play().outcome()
    other_a, other_b, *_ = here.swapped().play().outcome()
    assert (a, b) == pytest.approx((other_b, other_a))


def test_parameters_at_their_default_are_left_out():
    sloop = gurps.ship("Sloop")
    told = {"run": 1, "orders": (gurps.Orders(), gurps.Orders())}
    assert Scenario("gurps", "ram", sloop, sloop, parameters=told).parameters == {}


def test_a_ship_of_another_kind_is_told_by_its_class():
    told = json.loads(in_full("sea_battles").to_json())["a"]
    assert told["class"] == "GreatShip"
    grown = sea_battles.GreatShip(**vars(sea_battles.ship("Hammer")) | {"size": 9})
    scenario = in_full("sea_battles").duplicate(a=grown, parameters={})
    assert json.loads(scenario.to_json())["a"] == {
        "ready": "Hammer",
        "class": "GreatShip",
        "size": 9,
    }
    assert Scenario.from_json(scenario.to_json()).a == grown


def test_a_duplicate_has_changes_and_a_title_of_its_own():
    copy = tonight().duplicate(turns=9)
    assert (copy.turns, copy.title) == (9, "Tonight: Brig & Sloop (2)")
    assert copy.duplicate().title == "Tonight: Brig & Sloop (3)"
    assert tonight(title="").duplicate().title == "Brig against Sloop, duel (2)"
    assert tonight().duplicate(title="Later").title == "Later"
    assert len(tonight(title="x" * 200).duplicate().title) == 200
    with pytest.raises(nk.InputError, match="field of a scenario: got 'wind'"):
        tonight().duplicate(wind=3)


@pytest.mark.parametrize("make", SCENARIOS)
def test_it_goes_through_a_pickle_and_a_set(make):
    assert pickle.loads(pickle.dumps(make())) == make()
    assert len({make(), make()}) == 1


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_parameter_of_every_fight_can_be_told(name):
    """No resolver asks for what a text can't hold: the types of all parameters are known."""
    for resolver in rulebook(name).RESOLVERS.values():
        for parameter, about in resolver.parameters.items():
            plain = records.to_plain(about.default)
            hint = about.hint
            read = records.value_from_plain(plain, hint, parameter, "here")
            assert read == about.default
