"""How a prep sheet is prepared: fight by fight, so that what is done is kept when it is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from navkit.chance import Exact, Sampled, TooManyStates
from navkit.desk.compare import single_readings
from navkit.desk.trials import chance_of, desk_of, played
from navkit.errors import InputError
from navkit.history import History
from navkit.paired import difference
from navkit.progress import last
from navkit.rulebooks.desk import Decision, Desk
from navkit.rulebooks.readings import Readings
from navkit.scenario import Scenario
from navkit.sheet.dials import Places, dialled, known_dial, with_number
from navkit.sheet.prepared import RULES, SIDES, Decided, Dial, PrepSheet, Swing


def prep_sheet(scenario: Scenario, *, dial: str | None = None, progress: bool = True) -> PrepSheet:
    """The sheet of a fight: odds, what is left, decisions of a, and what would change most.

    Odds are exact where the scenario asks for that, or leaves it open and the fight is small; else
    sampled, with the same dice in every variant: as many fights as the scenario says, or as many as
    its rulebook can play in the seconds that a person waits. `dial` is the number whose other
    values are played too, for the sliders of a page: a path of the rulebook's `desk.DESK.sought`,
    None for its usual one, "" for none.

    Raises InputError for a scenario without a number of turns and for an unknown dial, before
    anything is played; TooManyStates where exact odds are asked for and do not fit; Interrupted
    for Ctrl-C, with what was done.
    """
    return last(
        preparing(scenario, dial=dial),
        progress=progress,
        unit="fight",
        far=lambda so_far: (so_far.done, so_far.wanted),
    )


def preparing(scenario: Scenario, *, dial: str | None = None) -> Iterator[PrepSheet]:
    """The sheet as it grows: after the fight itself, each decision, each change, each dial."""
    if scenario.turns is None:
        raise InputError("turns", None, "a whole number: a sheet tells the odds turn by turn")
    desk = desk_of(scenario)
    sought = known_dial(desk, desk.dial if dial is None else dial)
    variants = list(_variants(scenario, desk))
    places = dialled(scenario, desk, sought) if sought else None
    wanted = 1 + len(desk.decisions) + len(variants) + (len(places.pairs) if places else 0)
    chance = chance_of(scenario, desk.effort.fights)
    base = played(replace(scenario, fights=_fights(scenario, desk.effort.fights)), chance)
    sheet = PrepSheet(scenario, base, wanted=wanted)
    yield sheet
    few = _fights(scenario, desk.effort.variants)
    luck = chance if base.fights is None else Sampled(few, scenario.seed, ends=True)
    again = replace(scenario, fights=few)
    for decision in desk.decisions:
        decided = (*sheet.decided, _decided(decision, again, luck))
        sheet = _next(sheet, f"decision: {decision.name}", decided=decided)
        yield sheet
    same = base.fights in (None, few)
    reference = base if same else played(again, luck)
    for side, change, variant in variants:
        found = played(replace(variant, fights=few), luck)
        gap = Swing(side, change, *difference(reference, found, "a", base.turns))
        sheet = _next(sheet, change, swung=(*sheet.swung, gap))
        yield sheet
    if places:
        yield from _dialling(sheet, places, again, luck)


def _next(sheet: PrepSheet, step: str, **more: Any) -> PrepSheet:
    return replace(sheet, done=sheet.done + 1, step=step, **more)


def _fights(scenario: Scenario, usual: int) -> int:
    """How many fights are sampled, where they are."""
    return scenario.fights or usual


def _variants(scenario: Scenario, desk: Desk) -> Iterator[tuple[str, str, Scenario]]:
    """Each change of the desk on either side, and each other reading of a prominent house rule."""
    for side in SIDES:
        for words, ship in desk.changes(getattr(scenario, side)).items():
            yield side, words, replace(scenario, **{side: ship})
    rules: Readings = scenario.rules
    prominent = [rule.name for rule in rules.readings() if rule.prominent]
    for words, other in single_readings(rules).items():
        if any(getattr(other, name) != getattr(rules, name) for name in prominent):
            yield RULES, words, replace(scenario, rules=other)


def _decided(decision: Decision, scenario: Scenario, luck: Exact | Sampled) -> Decided:
    """A decision played: exactly if the fight is and it can be, else sampled."""
    sampled = Sampled(scenario.fights or 1, scenario.seed, ends=True)
    told: dict[str, Any] = {"turns": scenario.turns, "rules": scenario.rules}
    ships = scenario.a, scenario.b
    try:
        if isinstance(luck, Exact):
            once = decision.play(*ships, chance=replace(sampled, fights=1), **told)
            if once.battle.countable:
                try:
                    return Decided(decision, decision.play(*ships, chance=luck, **told))
                except TooManyStates:
                    pass
        return Decided(decision, decision.play(*ships, chance=sampled, **told))
    except InputError as error:
        return Decided(decision, None, str(error))


def _dialling(
    sheet: PrepSheet, places: Places, scenario: Scenario, luck: Exact | Sampled
) -> Iterator[PrepSheet]:
    """Plays the pairs ring by ring, so that what is done is a dial of its own, only smaller."""
    histories: dict[tuple[int, int], History] = {}
    pairs, path = places.pairs, places.sought.path
    for at, (one, two) in enumerate(pairs):
        variant = replace(
            scenario,
            a=with_number(scenario.a, path, one),
            b=with_number(scenario.b, path, two),
        )
        histories[one, two] = played(variant, luck)
        ring = places.rings[one, two]
        dial = sheet.dial
        if at + 1 == len(pairs) or places.rings[pairs[at + 1]] > ring:
            a, b = (tuple(sorted(set(side))) for side in zip(*histories, strict=True))
            dial = Dial(places.sought, a, b, places.at, dict(histories))
        sheet = _next(sheet, f"{places.sought.words}: {one} and {two}", dial=dial)
        yield sheet
