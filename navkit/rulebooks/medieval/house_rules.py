"""Where Medieval Naval Wargame Rules are silent or contradict themselves, and how to read them.

Small gaps that hardly move odds are settled by the default that the docstring of the rule names.
"""

from __future__ import annotations

from dataclasses import dataclass

from navkit.rulebooks.readings import Readings, reading


@dataclass(frozen=True, kw_only=True)
class HouseRules(Readings):
    """The readings of the document that tables play differently, the default first.

    >>> HouseRules().retaliation
    'sequential'
    >>> HouseRules(retaliation="simultaneous").changed()
    {'retaliation': 'simultaneous'}
    """

    retaliation: str = reading(
        "sequential",
        "simultaneous",
        "next turn",
        where="Direct Personnel Combat",
        note="the ship attacked strikes back in the same turn with what it has left, at the same "
        "moment, or in a turn of its own",
        prominent=True,
    )
    min_casualty: str = reading(
        "none",
        "one",
        where="Direct Personnel Combat",
        note="an attack whose die and factors come to 0 or less hurts nobody, or always one point",
        prominent=True,
    )
    flank_sign: str = reading(
        "defender's friends",
        "attacker's ships",
        where="Direct Personnel Combat, list",
        note="-1 for each ship beside the defender: of its own side, or of the attacker's",
        prominent=True,
    )
    height_rule: str = reading(
        "long ship attacks",
        "any lower ship",
        where="Direct Personnel Combat, list",
        note="-2 against higher sides for long ships only, or for any ship that is the lower one",
        prominent=True,
    )
    morale_outnumber: str = reading(
        "once",
        "each turn",
        where="Morale",
        note="a fleet that is outnumbered is tested when it first is, or in each turn it is",
        prominent=True,
    )
    half_lost: str = reading(
        "ten or more",
        "more than ten",
        where="Direct Personnel Combat, list",
        note="half the crew is lost with 10 of 20 points, or with the 11th",
    )
    factor_source: str = reading(
        "scoring ship",
        "any attacker",
        where="Direct Personnel Combat",
        note="of several attackers, the flagship and the siphon count of the ship that scores, or "
        "of any of them",
    )
    admiral: str = reading(
        "each turn",
        "each attacker",
        where="Direct Personnel Combat",
        note="one die a turn for the admiral of a flagship under attack, or one for each attacker",
    )
    after_admiral: str = reading(
        "keeps",
        "loses",
        where="Direct Personnel Combat",
        note="a flagship keeps its +1 and -1 when its admiral is dead, or loses them",
    )
    contact: str = reading(
        "is enough",
        "grapple first",
        where="Direct Personnel Combat",
        note="crews fight as soon as ships touch, or from the turn after they were grappled",
    )
    break_and_cut: str = reading(
        "both dice",
        "cut alone",
        "break alone",
        where="Grappling; Direct Personnel Combat",
        note="a ship that is grappled and in combat gets away by both dice, or by one of them",
    )
    sink_group: str = reading(
        "twice as many afloat",
        "more afloat",
        "three cases",
        where="Grappling",
        note="ships tied together are saved if those afloat are twice those sinking, or more than "
        "those sinking; or ties count in the three cases of the document alone",
    )
    transfer: str = reading(
        "keep one when capturing",
        "always keep one",
        "no limit",
        where="Captures and Rescues",
        note="crew points a ship must keep when it mans a prize, and when it is evacuated",
    )
    fire_rescue: str = reading(
        "once",
        "each turn",
        where="Captures and Rescues",
        note="who takes people off a burning ship risks fire once, or in each turn of it",
    )
    outnumbered_at: str = reading(
        "twice",
        "more than twice",
        where="Morale",
        note="a fleet is outnumbered by just twice its ships, or by more only",
    )
    flee_grappled: str = reading(
        "get clear first",
        "gone at once",
        where="Morale",
        note="a fleet in flight must cut and break away first, or is gone at once",
    )
    drift_dir: str = reading(
        "downwind",
        "as printed",
        where="Grappling; Fire",
        note="burning ships drift downwind like grappled ones, or to windward as printed",
    )
