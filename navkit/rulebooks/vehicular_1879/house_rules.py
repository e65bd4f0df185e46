"""Where the 1879 vehicular combat preview is silent or contradicts itself, and how to read it.

The preview is unfinished: what it leaves to other books is listed in `supplement.LEFT_OUT`, and
a user's own tables stand in for it. Small gaps that hardly move odds are settled by the default
that the docstring of the rule names.
"""

from __future__ import annotations

from dataclasses import dataclass

from navkit.rulebooks.readings import Readings, amount, reading


@dataclass(frozen=True, kw_only=True)
class HouseRules(Readings):
    """The readings of the document that tables play differently, the default first.

    >>> HouseRules().critical_basis
    'each test'
    >>> HouseRules(edition="third").changed()
    {'edition': 'third'}
    """

    edition: str = reading(
        "fourth",
        "third",
        "first",
        "first, 14 is 2d12",
        where="Preview",
        note="whose table turns steps into dice; those of the first edition end at step 40",
    )
    rule_of_one_min_dice: float = amount(
        2,
        1,
        2,
        where="Resolve Maneuvers",
        note="the Rule of One (all dice show 1) needs a test of at least so many dice",
    )
    karma_step: int = amount(4, 1, 20, where="Unit Attack Rating", note="the Karma Step: 4 is a d6")
    harried: int = amount(
        2,
        0,
        10,
        where="Vehicle Ratings",
        note="Steps that a Harried captain or commander loses; the preview gives no figure",
    )
    harried_scope: str = reading(
        "tests",
        "tests and defenses",
        where="Vehicle Ratings",
        note="an officer below the Captain Rating is Harried in his tests, or his vehicle's "
        "defenses fall by as much",
    )
    rating_step: str = reading(
        "skill rank",
        "captain rating",
        "crew rating",
        where="Make Maneuver Tests",
        note="the Rating Step of a Maneuver Test: the acting captain's rank, or the vehicle's "
        "Captain or Crew Rating",
        prominent=True,
    )
    initiative_ties: str = reading(
        "maneuverability",
        "coin",
        where="Make Maneuver Tests",
        note="equal Maneuver Tests: the more maneuverable goes first and a coin decides between "
        "equals, or a coin (as good as rolling again) at once",
    )
    maneuver_dn: str = reading(
        "defense",
        "opposed",
        where="Resolve Maneuvers",
        note="a Vehicle Maneuver is tested against the target's Physical Defense, or against "
        "its captain's own test",
    )
    rule_of_one_line: str = reading(
        "its own line",
        "failure as well",
        where="Resolve Maneuvers",
        note="a Rule of One has its own effect only, or that of a failure too",
    )
    two_success_reaction: str = reading(
        "none",
        "one, counted",
        where="Resolve Maneuvers",
        note="against two or more successes the target may not react, or once, counted",
    )
    fire_timing: str = reading(
        "in place",
        "after all maneuvers",
        "together",
        where="Unit and Weapon Battery Attacks",
        note="batteries fire in their captain's place in the order, after everybody's maneuvers "
        "in that order, or all at the same moment",
        prominent=True,
    )
    volleys: int = amount(
        1,
        1,
        10,
        where="Unit and Weapon Battery Attacks",
        note="how often a battery fires in a turn",
    )
    gunnery_test: str = reading(
        "none",
        "own test",
        where="Single Character/Team/Commander Actions",
        note="a commander's use of Gunnery needs no test, or one like the attack before it, "
        "without which the battery misses; each success beyond its first is worth 2 Steps",
    )
    professional_bonus: str = reading(
        "steps",
        "result",
        where="Single Character/Team/Commander Actions",
        note="the Professional Rating is added to the Step of a test, or to its result",
    )
    attack_rating: str = reading(
        "commander",
        "captain rating",
        where="Unit Attack Rating",
        note="Gunnery Step and the commander's own number, or the vehicle's Captain Rating",
    )
    karma_on_attack: str = reading(
        "step",
        "die",
        where="Unit Attack Rating",
        note="Karma adds its Step to the Attack Rating, or its die to the test",
    )
    karma_declared: str = reading(
        "after the attack",
        "with the attack",
        where="Make Damage Tests",
        note="Karma for a Damage Test is spent once there is a hit, or beforehand",
    )
    cover: str = reading(
        "crew",
        "crew and vehicle",
        where="Unit Attack Rating",
        note="the +2 of cover protects the crew, or the vehicle as well",
    )
    excess_success: str = reading(
        "+2 steps",
        "+2 result",
        where="Unit Attack Rating",
        note="a success over the number of weapons adds 2 Steps to a Damage Test, or 2 points",
        prominent=True,
    )
    called_shot: str = reading(
        "both",
        "3 steps",
        "target's step",
        "the larger",
        where="Called Shot",
        note="a called shot costs the target's Step and 3 Steps (Maneuverability then counts "
        "twice, as it is part of the defense too), only one of them, or the larger",
        prominent=True,
    )
    called_penalty_kind: str = reading(
        "by kind",
        "highest",
        "lowest",
        where="Called Shot",
        note="the target's Step: a vehicle's Maneuverability and a crew's Dexterity, or the "
        "active defense if that is higher; or the highest, or the lowest, of all three",
    )
    called_unit: str = reading(
        "steps",
        "result",
        where="Called Shot",
        note="the target's Step is taken off the Step of the attack, or off its result",
    )
    step_floor: str = reading(
        "step 1",
        "no shot",
        where="Called Shot",
        note="a called shot below Step 1 is made at Step 1, or cannot be made",
    )
    called_crew_defense: str = reading(
        "crew",
        "vehicle",
        where="Called Shot",
        note="a shot at the crew must reach the crew's defense, with cover, or the vehicle's",
    )
    called_instead: str = reading(
        "instead",
        "as well",
        where="Called Shot",
        note="a called hit lowers the attribute instead of damage to the hull, or besides it",
    )
    called_surplus: str = reading(
        "lost",
        "one more each",
        where="Called Shot",
        note="successes over the number of weapons are lost where a called hit needs no Damage "
        "Test, or lower the attribute by one more each",
    )
    armament_loss: str = reading(
        "weapon",
        "damage step",
        "gunnery step",
        where="Called Shot",
        note="what a hit on Armament takes off a battery",
    )
    crew_cargo_damage: str = reading(
        "wounds and points",
        "heads and points",
        where="Called Shot",
        note="damage to the crew hurts its members one by one, or each point is a head",
    )
    pd_tracks: str = reading(
        "current",
        "as built",
        where="Vehicle Ratings",
        note="Physical Defense falls with Maneuverability, or stays as it was",
    )
    critical_basis: str = reading(
        "each test",
        "battery total",
        where="Make Damage Tests",
        note="the Critical Hit Threshold is met by each Damage Test less armor, or by all those "
        "of an attack together",
        prominent=True,
    )
    group_damage: str = reading(
        "first living",
        "split evenly",
        where="Make Damage Tests",
        note="damage to a group goes to the first living member and on to the next, or is split",
    )
    death_boundary: str = reading(
        "above",
        "at",
        where="Make Damage Tests",
        note="a member dies when his damage is above his Death Rating, or when it is at it",
    )
    crew_state_basis: str = reading(
        "able hands",
        "heads",
        where="Vehicle Ratings",
        note="the crew's state goes by its able hands, or by its head count",
    )
    below_crew_rating: float = amount(
        0.5,
        0,
        1,
        where="Vehicle Ratings",
        note="what a hand below the Crew Rating counts for",
    )
    movement_points: int = amount(
        1,
        0,
        20,
        where="Declare Maneuvers",
        note="movement points for each point of Speed; a hex or a step of range costs one (ours)",
    )
    mandatory_part: int = amount(
        1,
        0,
        20,
        where="Declare Maneuvers",
        note="movement points that must be used from Speed 3 on; the preview prints no figure",
    )
    maneuver_count: str = reading(
        "one beside officers",
        "one or officers",
        where="The Vehicular Combat Turn",
        note="a captain has a Vehicle Maneuver beside his Officer Maneuvers, or either",
    )
    decisive_response: str = reading(
        "free",
        "officer maneuver",
        where="Decisive Moments",
        note="opponents near a Decisive Moment respond freely, or for an Officer Maneuver",
    )
    hazard_in_combat: str = reading(
        "no",
        "yes",
        where="Decisive Moments",
        note="whether a Decisive Moment in combat takes a Hazard Damage Test as well",
    )
    gmc_decisive: str = reading(
        "one a side",
        "one each",
        where="Decisive Moments",
        note="the Gamemaster's characters have one Decisive Moment a turn together, or each",
    )
