"""Texts that people paste by mistake or by malice: random, spoilt, huge, deep, and unfolding.

Each kind in `KINDS` has a strategy that makes texts and a reader that opens them. A reader gives
what it opened, or raises an InputError; anything else is a fault.
"""

import base64
import copy
import json
import zlib

from hypothesis import strategies as st

import navkit as nk
from navkit import records
from navkit.rulebooks import gurps, sea_battles, vehicular_1879
from navkit.scenario import MARK, RULEBOOKS, Scenario, rulebook

# Texts that open


def scenarios():
    """A scenario of every fight, with its ships told in full, as JSON."""
    found = []
    for name in RULEBOOKS:
        module = rulebook(name)
        a, b = (module.ship(each) for each in module.library()["name"].iloc[[0, -1]])
        for fight, resolver in module.RESOLVERS.items():
            told = json.loads(Scenario(name, fight, a, b).to_json())
            told["parameters"] = {
                each: records.to_plain(about.default) for each, about in resolver.parameters.items()
            }
            told |= {"a": records.to_plain(a), "title": "Tonight"}
            found.append(told)
    board, fire = (
        next(t for t in found if (t["rulebook"], t["fight"]) == kind)
        for kind in (("sea_battles", "board"), ("vehicular_1879", "duel"))
    )
    board["parameters"]["a_fights"] = records.to_plain(sea_battles.Boarders(order=(1, 0)))
    board["a"]["class"] = "GreatShip"
    fire["parameters"]["supplement"] = records.to_plain(vehicular_1879.EXAMPLE)
    ram = next(t for t in found if t["fight"] == "ram")
    ram["parameters"]["orders"][0]["party"] = {"binds": 2, "fells": "d2"}
    return found


SCENARIOS = scenarios()
SHIPS = [gurps.ship(name) for name in ("Sloop", "Brig", "70-gun military")]
SHIPS_CSV = records.to_csv(SHIPS, gurps.Ship)
SHIPS_JSON = json.loads(records.to_json(SHIPS, gurps.Ship))

# What goes wrong with them

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.integers()
    | st.sampled_from([2**63, -(2**63), 10**30, 10**4000, 1e308, 1e-320, 0.5, float("nan")])
    | st.text(max_size=6)
    | st.sampled_from(["", "Brig", "Orc boy", "Ship", "1000d6", "9d9kh4", "d6!", "x" * 9999])
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@st.composite
def spoilt_json(draw, seeds):
    """The JSON of one of `seeds` with one to four places changed."""
    told = copy.deepcopy(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 4))):
        place, key = _place(draw, told)
        if place is None:
            return json.dumps(draw(JUNK))
        match draw(st.integers(0, 5)):
            case 0 | 1:
                place[key] = draw(_like(place[key]))
            case 2:
                place[key] = draw(JUNK)
            case 3:
                del place[key]
            case 4 if isinstance(place, dict):
                place[draw(st.text(max_size=6))] = place.pop(key)
            case _:  # one thing many times over, up to a few million letters
                most = 3_000_000 // len(json.dumps(place[key]))
                times = min(most, draw(st.sampled_from([1, 2, 9, 1000, 20_000])))
                place[key] = [place[key]] * times
                break  # since what is changed in one of them changes in all
    return json.dumps(told, ensure_ascii=draw(st.booleans()))


def _like(value):
    """Another value of the same type, which may well be allowed."""
    match value:
        case bool():
            return st.booleans()
        case int():
            return st.integers(0, 12)
        case float():
            return st.floats(0, 30)
        case str():
            return st.text(max_size=8)
    return JUNK


def _place(draw, told):
    """A dict or list somewhere in JSON and one of its keys; (None, None) in one without any."""
    place, key = None, None
    while isinstance(told, dict | list) and told:
        keys = list(told) if isinstance(told, dict) else range(len(told))
        place, key = told, draw(st.sampled_from(keys))
        told = told[key]
        if draw(st.integers(0, 3)) == 0:
            break
    return place, key


@st.composite
def spoilt_text(draw, texts):
    """A text with pieces cut out, doubled, or replaced by others."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 20)))
        piece = draw(st.text(max_size=4) | st.sampled_from(['"', "{", "[", ",", "9" * 30, "-"]))
        text = text[:start] + draw(st.sampled_from([piece, "", text[start:end] * 2])) + text[end:]
    return text


def many_fields(count):
    """An object with many fields that nobody knows."""
    return json.dumps(dict.fromkeys(map(str, range(min(count, 100_000))), 0))


SIZES = st.sampled_from([10, 500, 3000, 100_000, 1_000_000])
MONSTERS = st.one_of(
    st.builds(lambda size: "[" * size, SIZES),
    st.builds(lambda size: "[" * size + "]" * size, st.sampled_from([30, 300, 500, 800])),
    st.builds(lambda size: '{"a":' * size, SIZES),
    st.builds(lambda size: "9" * size, SIZES),
    st.builds(lambda size: f'{{"navkit": {"9" * size}}}', SIZES),
    st.builds(lambda size: f'{{"navkit": 1e{"9" * size}}}', st.integers(1, 9)),
    st.builds(lambda size: f"[{'0,' * size}0]", SIZES),
    st.builds(lambda size: f'"{"x" * size}"', SIZES),
    st.builds(lambda size: "#\n" * size, SIZES),
    st.builds(lambda size: "," * size + "\n" + "," * size, SIZES),
    st.builds(many_fields, SIZES),
)
JSON_TEXTS = st.one_of(
    spoilt_json(SCENARIOS),
    spoilt_json(SCENARIOS),
    spoilt_text(st.sampled_from(SCENARIOS).map(json.dumps)),
    JUNK.map(json.dumps),
    st.text(),
    MONSTERS,
)


def packed(text):
    """A text as scenarios are packed, whatever it is."""
    return MARK + base64.urlsafe_b64encode(zlib.compress(text.encode("utf-8", "replace"))).decode()


BOMBS = [packed(letter * 40_000_000)[:19_990] for letter in " [9"]
SHORT_TEXTS = st.one_of(
    JSON_TEXTS.map(packed),
    JSON_TEXTS.map(packed),
    spoilt_text(st.sampled_from(SCENARIOS).map(json.dumps).map(packed)),
    st.text().map(MARK.__add__),
    st.binary(max_size=300).map(lambda raw: MARK + base64.urlsafe_b64encode(raw).decode()),
    st.sampled_from(BOMBS),
    st.text(),
)
CSV_TEXTS = st.one_of(
    spoilt_text(st.just(SHIPS_CSV)),
    spoilt_text(st.just(SHIPS_CSV)),
    st.builds(
        lambda old, new: SHIPS_CSV.replace(old, new),
        st.sampled_from(sorted(set(SHIPS_CSV.replace("\n", ",").split(",")) - {""})),
        SCALARS.map(str),
    ),
    st.text(),
    MONSTERS,
)
RECORD_TEXTS = st.one_of(
    spoilt_json([SHIPS_JSON]),
    spoilt_text(st.just(json.dumps(SHIPS_JSON))),
    MONSTERS,
)
PIECES = (
    *("d", "d6", "3d6", "d%", "d50000", "d9999", "2d7000", "2000d6", "4d6kh3", "20d20kl9", "d2!"),
    *(
        "40d9!",
        "kh",
        "kl2",
        "!",
        "+",
        "-",
        "−",
        "*",
        "x",
        "//",
        "//7",
        "(",
        ")",
        "10",
        " ",
        "9" * 9,
    ),
    *("1000d4kh1", "499d2kh250", "30d30kh20"),
)
DICE_TEXTS = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="0123456789dkhlx!%+-*/() D×−", max_size=24),
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=12).map("+".join),
    st.builds(lambda dice, times: "+".join([dice] * times), st.sampled_from(PIECES), SIZES),
    st.builds(
        "{}d{}{}".format,
        st.integers(0, 60_000),
        st.integers(0, 60_000),
        st.sampled_from(["", "!", "kh1", "kl3", "kh50"]),
    ),
)


def opened_again(scenario):
    """A scenario, once it has come back as it was from both of its forms."""
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert Scenario.from_text(scenario.to_text()) == scenario
    return scenario


KINDS = {
    "dice notation": (DICE_TEXTS, nk.dice),
    "scenario texts": (SHORT_TEXTS, Scenario.from_text),
    "scenario JSON": (JSON_TEXTS, Scenario.from_json),
    "CSV records": (CSV_TEXTS, lambda text: records.from_csv(text, gurps.Ship, unique="name")),
    "JSON records": (RECORD_TEXTS, lambda text: records.from_json(text, gurps.Ship)),
}
"""What is read: a strategy of texts, and what opens them."""
