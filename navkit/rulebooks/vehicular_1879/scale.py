"""How long a turn is, decisive moments, and what single characters do beside a battery."""

from __future__ import annotations

from dataclasses import dataclass

from navkit.dice import Distribution
from navkit.errors import InputError, whole
from navkit.rulebooks.vehicular_1879 import tables
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.steps import last_step, step, successes
from navkit.rulebooks.vehicular_1879.supplement import Supplement


def turn_seconds(activity: str) -> int:
    """How long a turn is, in seconds, by what is going on.

    Raises InputError for something that the preview does not name.
    Source: 1879: Vehicular Combat Preview, Scale of Play.

    >>> turn_seconds("ship combat"), turn_seconds("hostile travel") // 3600
    (60, 4)
    """
    if activity not in tables.TURN_SECONDS:
        raise InputError("activity", activity, *tables.TURN_SECONDS)
    return tables.TURN_SECONDS[activity]


def rounds_in(activity: str) -> int:
    """Combat rounds of 6 seconds in a turn: ten in ship combat.

    Source: 1879: Vehicular Combat Preview, The Vehicular Combat Turn; Scale of Play.

    >>> rounds_in("ship combat")
    10
    """
    return turn_seconds(activity) // tables.SECONDS_PER_ROUND


@dataclass(frozen=True)
class Shift:
    """A change of scale that the Gamemaster tells the players.

    `opens_with` is what is rolled at the new scale first: "Initiative", "a roll to engage" or "".
    `others` is how many of the new turns (or rounds) are one turn for everybody else.
    """

    before: str
    after: str
    opens_with: str
    others: int


def shift(before: str, after: str) -> Shift:
    """A change of scale, which may come in the middle of a conflict.

    Rounds open with Initiative, an engagement out of a pursuit with a roll to engage. Ten rounds
    are one turn for all who are not in them (VA-45). Raises InputError for other activities.
    Source: 1879: Vehicular Combat Preview, Scale of Play; Decisive Moments.

    >>> shift("ship combat", "individual combat").opens_with
    'Initiative'
    >>> shift("pursuit", "engagement").opens_with, shift("pursuit", "engagement").others
    ('a roll to engage', 60)
    """
    longer, shorter = turn_seconds(before), turn_seconds(after)
    opens = ""
    if after == "individual combat":
        opens = "Initiative"
    elif after == "engagement" and longer > shorter:
        opens = "a roll to engage"
    return Shift(before, after, opens, max(1, longer // shorter))


def engages(number: int, difficulty: int, *, rules: HouseRules | None = None) -> Distribution:
    """Successes of a roll to engage, at a Step and a difficulty of the user's own.

    The preview prints neither. Source: 1879: Vehicular Combat Preview, Scale of Play.

    >>> round(engages(10, 9).at_least(1), 3)
    0.562
    """
    return successes(number, difficulty, rules=rules)


def holds(supplement: Supplement, *, rules: HouseRules | None = None) -> Distribution:
    """Successes of a Morale Test by a user's figures; raises InputError without them.

    Source: 1879: Vehicular Combat Preview, Scale of Play, names the test.

    >>> from navkit.rulebooks.vehicular_1879 import EXAMPLE
    >>> round(holds(EXAMPLE).at_least(1), 3)
    0.4
    """
    if not supplement.morale_step or not supplement.morale_difficulty:
        raise InputError("morale", 0, "a Supplement with morale_step and morale_difficulty")
    return successes(supplement.morale_step, supplement.morale_difficulty, rules=rules)


def turn_opening(*, vehicle_combat: bool) -> tuple[str, ...]:
    """Who speaks when at the opening of a turn, first to last.

    Source: 1879: Vehicular Combat Preview, Scale of Play.

    >>> turn_opening(vehicle_combat=True)[-1]
    "single players' intentions are asked"
    """
    opening = (
        "the Gamemaster sums up",
        "the players confer and settle their group's and vehicle's movement or action",
        "the players tell the Gamemaster",
        "the Gamemaster settles his own side's movement or action",
        "the Gamemaster narrates and calls for tests or single actions",
    )
    return (*opening, "single players' intentions are asked") if vehicle_combat else opening


def actions_in_turn(groups: int) -> int:
    """Coordinated actions in a turn: one for the party, its vehicle, and each other group.

    `groups` are the Gamemaster's groups and vehicles. Each also moves, throughout the turn.
    Source: 1879: Vehicular Combat Preview, Scale of Play.

    >>> actions_in_turn(3)
    5
    """
    return 2 + whole("groups", groups, 0, 10_000)


# Decisive moments


@dataclass(frozen=True)
class Moment:
    """A Decisive Moment.

    `rounds` are those of each who takes it; `together` whether they may combine their efforts.
    `response_rounds` are the rounds of nearby opponents, and `response_counts` whether these
    cost an Officer Maneuver. `hazard_test` tells whether all who act make a Hazard Damage Test.
    """

    rounds: int
    together: bool
    response_rounds: int
    response_counts: bool
    hazard_test: bool


def decisive_moment(
    activity: str, *, in_combat: bool, characters: int = 1, rules: HouseRules | None = None
) -> Moment:
    """What a Decisive Moment gives and risks: two rounds of actions, once a turn.

    It is taken in turns longer than a round, beside whatever else the characters do. In vehicular
    combat opponents nearby have two rounds in reply, free (VA-06); against other hazards all who
    act make a Hazard Damage Test (VA-07). Characters who take theirs together may combine.
    Raises InputError in combat rounds and without characters.
    Source: 1879: Vehicular Combat Preview, Decisive Moments; Single Character/Team/Commander
    Actions.

    >>> decisive_moment("ship combat", in_combat=True)
    Moment(rounds=2, together=False, response_rounds=2, response_counts=False, hazard_test=False)
    """
    rules = HouseRules.of(rules)
    if turn_seconds(activity) <= tables.SECONDS_PER_ROUND:
        raise InputError("activity", activity, "one whose turn is longer than a combat round")
    replies = in_combat and turn_seconds(activity) == tables.TURN_SECONDS["ship combat"]
    return Moment(
        rounds=tables.DECISIVE_ROUNDS,
        together=whole("characters", characters, 1, 1000) > 1,
        response_rounds=tables.DECISIVE_ROUNDS if replies else 0,
        response_counts=replies and rules.decisive_response == "officer maneuver",
        hazard_test=not in_combat or rules.hazard_in_combat == "yes",
    )


def decisive_moments_left(
    taken: int, *, gamemaster: bool, important: int = 1, rules: HouseRules | None = None
) -> int:
    """Decisive Moments left in a turn: one for each player, one for the Gamemaster's whole side.

    `taken` are those taken already, by the player, or by the Gamemaster's side. `important` are
    the Gamemaster's characters weighty enough to take one; a house rule gives one to each.
    Source: 1879: Vehicular Combat Preview, Decisive Moments.

    >>> decisive_moments_left(0, gamemaster=True, important=4)
    1
    """
    each = HouseRules.of(rules).gmc_decisive == "one each"
    important = whole("important", important, 0, 1000)
    allowed = (important if each else min(1, important)) if gamemaster else 1
    return max(0, allowed - whole("taken", taken, 0, 1000))


def initiative_result(
    number: int, *, needs_test: bool, rules: HouseRules | None = None
) -> Distribution:
    """Initiative in a Decisive Moment: the Step itself, unless a skill needs the test.

    Source: 1879: Vehicular Combat Preview, Decisive Moments.

    >>> initiative_result(7, needs_test=False).mean
    7.0
    """
    whole("step", number, 1, last_step(HouseRules.of(rules)))
    if needs_test:
        return step(number, rules=rules)
    return Distribution.of({number: 1})


def hazard_damage(
    hazard: str, supplement: Supplement, *, characters: int = 1, rules: HouseRules | None = None
) -> Distribution:
    """The damage of Hazard Damage Tests, one for each character who acts, all added up.

    The Hazard Step is a user's. Raises InputError for a hazard that the supplement has not.
    Source: 1879: Vehicular Combat Preview, Decisive Moments.

    >>> from navkit.rulebooks.vehicular_1879 import EXAMPLE
    >>> round(hazard_damage("fire on deck", EXAMPLE, characters=2).mean, 6)
    16.8
    """
    known = dict(supplement.hazards)
    if hazard not in known:
        allowed = list(known) or ["none: Supplement(...) has no hazards"]
        raise InputError("hazard", hazard, *allowed)
    return step(known[hazard], rules=rules).repeat(whole("characters", characters, 1, 100))


# Single characters, teams and commanders


@dataclass(frozen=True)
class Actions:
    """What a character, team or commander may do in a turn beside the battery.

    `rounds` of actions, with no Initiative Test; `bonuses` uses of the Professional Rating (one
    on an Action Test, one on a Damage or Effect Test); `spellcasting` Spellcasting Tests more.
    `must_use` names a skill that has to be used.
    """

    rounds: int
    bonuses: tuple[str, ...]
    spellcasting: int
    must_use: str


def actions(*, commander: bool = False, trades_bonus: bool = False) -> Actions:
    """What a single character, a team, an officer or a battery's commander may do in a turn.

    One round of actions, as part of the battery's larger action and with any Karma they may
    spend, apart from the commander's point (VA-29). A magician may give up his Professional
    Rating bonus, both uses of it (VA-27), for one more Spellcasting Test. A commander must use
    Gunnery to bring fire onto the target.
    Source: 1879: Vehicular Combat Preview, Single Character/Team/Commander Actions.

    >>> actions(trades_bonus=True)
    Actions(rounds=1, bonuses=(), spellcasting=1, must_use='')
    """
    return Actions(
        rounds=tables.MASS_COMBAT_ROUNDS,
        bonuses=() if trades_bonus else ("Action Test", "Damage or Effect Test"),
        spellcasting=1 if trades_bonus else 0,
        must_use="Gunnery" if commander else "",
    )


def personal_test(
    number: int,
    difficulty: int,
    *,
    professional: int = 0,
    karma: bool = False,
    rules: HouseRules | None = None,
) -> Distribution:
    """Successes of a character's test, with his Professional Rating and a Karma die if he has.

    The rating is added as Steps (VA-26), or to the result by house rule.
    Raises InputError for what cannot be.
    Source: 1879: Vehicular Combat Preview, Single Character/Team/Commander Actions.

    >>> round(personal_test(8, 8).at_least(1), 3), round(personal_test(8, 8,
    ...     professional=3).at_least(1), 3)
    (0.472, 0.738)
    """
    rules = HouseRules.of(rules)
    rating = whole("professional", professional, 0, 100)
    extra = rules.karma_step if karma else 0
    if rules.professional_bonus == "steps":
        return successes(number + rating, difficulty, karma=extra, rules=rules)
    return successes(number, difficulty, karma=extra, points=rating, rules=rules)
