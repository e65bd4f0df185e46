"""House rules: where Sea Battles, or the parent game behind it, is read differently.

What the document leaves open and tables would hardly play differently is settled by the rule that
needs it, and said there.
"""

from __future__ import annotations

from dataclasses import dataclass

from navkit.rulebooks.readings import Readings, amount, reading


@dataclass(frozen=True, kw_only=True)
class HouseRules(Readings):
    """The readings of the document that tables play differently, the default first.

    >>> HouseRules().troops_hit
    'shooting and magic'
    >>> HouseRules(admiral_reach=8).changed()
    {'admiral_reach': 8}
    """

    troops_hit: str = reading(
        "shooting and magic",
        "all hits",
        "shooting only",
        "never",
        where="Ships taking damage",
        note="which hits go to the troops aboard on a 6: those of shooting and magic, rams too, "
        "shooting alone, or none",
        prominent=True,
    )
    extra_multiples: str = reading(
        "one a face",
        "each pair",
        "all pairs",
        where="Extra damage",
        note="a face shown n times gives one result, one for each full pair, or one for each of "
        "the n(n−1)/2 ways to pair them",
        prominent=True,
    )
    ram_at_10: str = reading(
        "d6",
        "d3",
        where="Ramming",
        note="the wounds of a ram after exactly 10 cm, which the document puts in both rows",
        prominent=True,
    )
    obstacle: str = reading(
        "first round",
        "until won",
        "no obstacle",
        where="Who can fight",
        note="attackers need 6s to hit in the first round, until they win a round (6th edition), "
        "or never: chargers then only lose their first strike (7th edition)",
        prominent=True,
    )
    step_up: str = reading(
        "next round",
        "at once",
        where="Who can fight",
        note="places of the fallen are filled in the next round (6th edition), or at once, so that "
        "as many strike back",
        prominent=True,
    )
    edition: str = reading(
        "6th",
        "7th",
        where="Introduction",
        note="equal Initiative: a roll-off (6th), or who won the last round strikes first (7th); "
        "chariots count 4 in both",
    )
    normal_speed: str = reading(
        "full",
        "half",
        where="Command tests",
        note="the normal speed that one order allows: 20 cm or 10 cm",
    )
    order_count: str = reading(
        "orders",
        "moves",
        where="Command tests",
        note="what the −2 counts: orders passed this turn, or moves of over 0 cm",
    )
    blunder_ends: str = reading(
        "ends the orders",
        "loses the order",
        where="Blunders",
        note="a blunder is a failed test and ends the ship's orders, or (ours, for comparison) "
        "only this order is lost and she may be ordered again",
    )
    ld_cap: str = reading(
        "after all",
        "bonuses only",
        where="Command tests",
        note="the limit of 10 comes after all modifiers, or bonuses raise Leadership to at most 10 "
        "and penalties follow",
    )
    wind_applies: str = reading(
        "under sail",
        "has sails",
        where="Command tests",
        note="wind counts for ships that move by sails, or for all that have them",
    )
    crew_loss: str = reading(
        "any result",
        "shooting only",
        where="Command tests",
        note="which Crew slain results cost −1: all, or those from shooting",
    )
    crew_count: str = reading(
        "no count",
        "a number",
        where="Transport capability",
        note="crew are only Size support attacks, and a ship sails without any; or each ship has "
        "a number, and with none left obeys no orders",
    )
    crew_slain_sign: str = reading(
        "one fewer",
        "one more",
        where="Extra damage",
        note="Crew slain lowers support attacks by one, or by minus one as printed",
    )
    captain_slain: str = reading(
        "adds up",
        "once",
        where="Extra damage",
        note="each Captain slain costs a point of Leadership, or only the first",
    )
    captain_loss: str = reading(
        "next or table",
        "his Leadership stays",
        "Leadership 7",
        where="Leadership",
        note="after a character captain's death another character commands, else one from the "
        "table; or his Leadership stays; or it is 7",
    )
    extra_chain: str = reading(
        "no",
        "yes",
        where="Extra damage",
        note="whether the points of Hull damaged are rolled for in turn",
    )
    extra_pool: str = reading(
        "all together",
        "each attacker",
        where="Extra damage",
        note="points of all attackers in a phase are rolled for together, or each attacker's",
    )
    tangled: str = reading(
        "nothing more",
        "oars",
        where="Blunders",
        note="Tangled rigging with damaged sails does nothing, or damages the oars",
    )
    waterline: str = reading(
        "sinks",
        "vanishes",
        where="Extra damage",
        note="a ship hit below the waterline leaves wreckage with swimmers, or nothing",
    )
    template_on_ship: str = reading(
        "hole on a hit",
        "always 4",
        where="Ships taking damage",
        note="a stone that lands in the middle hits with Strength 8 and D6 wounds, or all with 4",
    )
    template_units: str = reading(
        "on a 6",
        "always",
        where="Shooting",
        note="a template hits a unit aboard only where the D6 for troops sends it, or always too",
    )
    deck_moved: str = reading(
        "standing",
        "moved",
        where="Shooting",
        note="models on a ship that moved count as standing still, or as having moved",
    )
    carried_guns: str = reading(
        "fitted are free",
        "all are cargo",
        where="Transport capability",
        note="a ship's own guns need no room, or take the unit strength of war machines",
    )
    ram_facing: str = reading(
        "front",
        "by contact",
        where="Ramming",
        note="the rammer is hit in front, or on the side she touches with",
    )
    after_ram: str = reading(
        "ends movement",
        "may go on",
        where="Ramming",
        note="a ram ends the ship's orders for the turn, or she may be ordered again",
    )
    wreck_save_sign: str = reading(
        "minus 1",
        "plus 1",
        where="Sunk ships",
        note="a save of 3+ or better makes a swimmer's roll worse, or better as 'subtract −1' says",
    )
    wreck_natural: str = reading(
        "none",
        "1 and 6",
        where="Sunk ships",
        note="swimmers live by the modified roll alone, or a 1 always drowns and a 6 lives",
    )
    rescue_again: str = reading(
        "rolled again",
        "stay alive",
        where="Sunk ships",
        note="swimmers left in the water are rolled for again at the next marker, or live on",
    )
    rescue_save: str = reading(
        "on foot",
        "full",
        where="Sunk ships",
        note="the save of cavalry in the water: without mount and barding, or with them",
    )
    arcs: str = reading(
        "quarters",
        "hull corners",
        where="Ships taking damage",
        note="facings are quarters from the centre, or lines through the corners of the hull",
    )
    sail_run: str = reading(
        "each move",
        "adds up",
        where="Moves",
        note="the run before a turn under sail is made in each move, or adds up over the phase",
    )
    admiral_penalty: str = reading(
        "both",
        "own only",
        "admiral's only",
        "neither",
        where="Leadership; Blunders",
        note="whose lasting penalties lower a borrowed Leadership: those of both ships, the "
        "borrower's, the Flagship's, or none",
    )
    admiral_distance: str = reading(
        "hulls",
        "centres",
        where="Leadership",
        note="the distance from the Flagship is taken between the nearest points, or the centres",
    )
    hull_melee: str = reading(
        "automatic",
        "weapon skill 2",
        "4+",
        where="Combat",
        note="how blows hit a ship without troops: always, as against WS 2, or on a 4+",
    )
    bare_ship: str = reading(
        "one round",
        "at once",
        "never",
        where="Combat results",
        note="a ship without troops is taken after one round, at once, or never",
    )
    stand_and_shoot: str = reading(
        "rams and flyers",
        "flyers only",
        where="Combat",
        note="who is shot at when charging: ramming ships and flyers, or flyers alone",
    )
    flyer_width: str = reading(
        "attacked ship",
        "all fight",
        where="Who can fight",
        note="how many flyers fight: as many as the attacked ship's width, or all",
    )
    cavalry_base: str = reading(
        "one",
        "two",
        where="Who can fight",
        note="how many models a rider counts as",
    )
    support_timing: str = reading(
        "with the unit",
        "last",
        where="Support attacks from crew",
        note="crew strike with the unit they support, or after everybody",
    )
    support_counts: str = reading(
        "count",
        "do not",
        where="Support attacks from crew",
        note="whether wounds by the crew count in the combat result",
    )
    outnumber: str = reading(
        "whole units",
        "models fighting",
        "off",
        where="Combat results",
        note="outnumbering goes by whole units, by those who fight, or gives nothing",
    )
    break_leadership: str = reading(
        "unit's own",
        "ship's",
        where="Combat results",
        note="break tests are on the Leadership of the unit and its character, or of the captain",
    )
    insane_courage: str = reading(
        "holds",
        "no",
        where="Combat results",
        note="a double 1 passes every break test, or not",
    )
    broken_characters: str = reading(
        "destroyed",
        "survive",
        where="Combat results",
        note="a character in a unit that breaks is lost with it, or fights on alone",
    )
    hatred_round: str = reading(
        "unit's first",
        "boarding's first",
        where="Who can fight",
        note="hatred re-rolls misses in each unit's own first round, or only when boarding begins",
    )
    animosity_move: str = reading(
        "straight at her",
        "by orders",
        where="Army specific rules",
        note="an angry ship goes 20 cm at its friend without a test, or needs orders to",
    )
    undead_move: str = reading(
        "half",
        "full",
        where="Army specific rules",
        note="how far the spells that move undead ships move them: 10 cm or 20 cm",
    )
    spell_ram: str = reading(
        "by the spell",
        "by the phase",
        "no ram",
        where="Ramming; Magic",
        note="a ship moved into contact by a spell rams by that move, by her Movement phase, or "
        "not at all",
    )
    cm_per_inch: float = amount(
        0.5,
        0.1,
        5.0,
        where="Scale",
        note="centimetres of an inch of the parent game; all lengths of the document follow",
    )
    admiral_reach: float = amount(
        6,
        0,
        60,
        where="Leadership",
        note="centimetres from the Flagship within which the Admiral's Leadership serves",
    )
