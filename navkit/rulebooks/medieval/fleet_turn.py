"""What happens in a turn of a battle of fleets: each step a function from sea to sea.

The factors, casualties, captures and morale are those of `melee`, `captures` and `morale`; here
is only who does what to whom. Both fleets act at the same moment, but a makes contact first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.medieval import arrays, tables
from navkit.rulebooks.medieval.captures import (
    may_be_taken,
    may_reoccupy,
    must_keep,
    to_send,
)
from navkit.rulebooks.medieval.doctrines import Doctrine, aimed_at, rank
from navkit.rulebooks.medieval.fleet import (
    HELD,
    HERE,
    JUST_HELD,
    LEFT,
    LOOSE,
    SIDES,
    SUNK,
    Fleet,
    Orders,
    Sea,
    counted,
    fighters,
    flanked,
    in_line,
    pointed_at,
)
from navkit.rulebooks.medieval.grapples import (
    EVERYBODY,
    THE_SINKING,
    need_to_cut,
    need_to_grapple,
    needs_grapple_die,
    who_goes_down,
)
from navkit.rulebooks.medieval.melee import (
    Fighter,
    admiral_dice,
    admiral_survives,
    casualties,
    flankers,
    merit,
    modifier,
    with_friends,
)
from navkit.rulebooks.medieval.morale import dice_of, effect_of, looks_double, shaken, spread
from navkit.state import replace

# Leaving


def want_away(sea: Sea, known: Orders) -> Array:
    """Which ships want to leave: those of a fleet in flight, and those with few crew points.

    Not before a ship they attacked has had its blow back.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat; Morale.
    """
    weak = sea.crew <= known.order("break_off", sea.owner)
    unanswered = sea.faces & (arrays.of(sea.due, sea.target) > 0)
    return sea.manned & (weak | (sea.of_owner("fleeing") > 0)) & ~unanswered


def leave(sea: Sea, known: Orders, chance: Chance) -> Sea:
    """The start of a turn: ships that want away cut, break contact, and are out of play.

    A ship neither grappled nor in combat leaves without a die (MA-02). Where both of a pair want
    away no die is rolled (MA-12). A prize is cut loose by a 3. A ship in flight that gets clear
    is out of play (MA-42). Own crews untie themselves from their line freely (MA-07).
    Source: Medieval Naval Wargame Rules, Grappling; Direct Personnel Combat; Morale.
    """
    rule, wants = known.rules.break_and_cut, want_away(sea, known)
    held, faces = sea.faces & (sea.held > LOOSE), sea.faces
    other_wants = arrays.of(wants, sea.target)
    prize = sea.owner != known.home
    held = held & ~(wants & other_wants)
    tries = held & (wants | other_wants) & (rule != "break alone")
    die = arrays.dice(chance, tries, known.names, "cut the grapnels", "M-11")
    either = prize | arrays.of(prize, sea.target)
    after = held & ~(tries & (die >= need_to_cut(either, True)))
    was_held = held | (arrays.number(sea.target, held) > 0)
    is_held = after | (arrays.number(sea.target, after) > 0)
    resisted = (faces & ~other_wants) | (arrays.number(sea.target, faces & ~wants) > 0)
    rolls = wants & resisted & ~(was_held if rule == "cut alone" else np.zeros_like(wants))
    die = arrays.dice(chance, rolls, known.names, "break contact", "M-28")
    stuck = is_held if rule != "break alone" else np.zeros_like(wants)
    gone = wants & ((die >= tables.BREAK_CONTACT) | ~rolls) & ~stuck
    if known.rules.flee_grappled == "gone at once":
        gone = gone | (sea.manned & (sea.of_owner("fleeing") > 0))
    kept = np.where(faces, np.where(after, sea.held, LOOSE), sea.held)
    return clear(replace(sea, place=np.where(gone, LEFT, sea.place), held=kept))


def clear(sea: Sea) -> Sea:
    """The sea without contacts of ships that are off the table, or now of one side."""
    there = arrays.of(sea.place, sea.target) == HERE
    enemy = arrays.of(sea.owner, sea.target) != sea.owner
    kept = (sea.place == HERE) & (sea.target >= 0) & there & enemy
    return replace(
        sea,
        target=np.where(kept, sea.target, -1),
        held=np.where(kept, sea.held, LOOSE),
        tied=np.where(sea.place == HERE, sea.tied, 0),
        due=np.where(sea.place == HERE, sea.due, 0),
    )


# Making contact


def man_prizes(sea: Sea, known: Orders) -> Sea:
    """Who sends a crew over this turn: of those that lie by a ship without crew, the strongest.

    That fills the turn, with nothing offensive in it; striking back is allowed (MA-32). A ship
    that was attacked may man the one it overcame.
    Source: Medieval Naval Wargame Rules, Captures and Rescues.
    """
    empty = (sea.place == HERE) & (sea.crew == 0)
    overcame = empty & (sea.target >= 0)
    last = arrays.best(sea.target, overcame, np.zeros_like(sea.crew))
    index = np.broadcast_to(np.arange(len(sea.crew))[:, None], sea.crew.shape)
    victim = arrays.total(sea.target, last, index + 1) - 1
    target = np.where(~sea.faces & sea.manned & (victim >= 0), victim, sea.target)
    sea = replace(sea, target=target)
    able = spare_crew(sea, known) & (target >= 0)
    able = able & (arrays.of(sea.owner, target) != sea.owner)
    takes = able & may_be_taken(arrays.of(np.where(empty, 0, 1), target), able)
    return replace(sea, busy=arrays.best(target, takes, sea.crew).astype(np.int32))


def spare_crew(sea: Sea, known: Orders) -> Array:
    """Which ships could man another: with crew to spare, attacked by nobody, and not in flight.

    That ships under attack keep their crews together is doctrine; the document lets them send.
    """
    could = sea.manned & (sea.crew > must_keep("capture", known.rules)) & (sea.faced_by == 0)
    wants = known.order("prize_crew", sea.owner) > 0
    return could & wants & (sea.of_owner("fleeing") == 0)


def man_again(sea: Sea, known: Orders) -> Sea:
    """Free ships man empty hulls of their fleet again, where the enemy passed up the prize.

    The k-th free ship takes the k-th hull.
    Source: Medieval Naval Wargame Rules, Captures and Rescues (MA-30, MA-31).
    """
    begun = arrays.number(sea.target, sea.busy > 0)
    hulls = (sea.place == HERE) & may_reoccupy(sea.crew, begun, sea.empty)
    for side, doctrine in enumerate(known.doctrines):
        if doctrine.remans:
            mine = (sea.owner == side) & (known.home == side)
            free = mine & spare_crew(sea, known) & (sea.busy == 0)
            free = free & ~sea.faces & (sea.of_owner("halt") == 0)
            own = hulls & mine
            free = free & (np.cumsum(free, axis=0) <= own.sum(axis=0))
            hull = aimed_at(Doctrine(), free, np.zeros_like(sea.crew), own)
            sea = replace(
                sea,
                target=np.where(free, hull, sea.target),
                busy=np.where(free, 1, sea.busy),
            )
    return sea


def make_contact(sea: Sea, known: Orders) -> Sea:
    """Free ships make contact with enemies, as their doctrine has it; those of a first.

    Free are ships of a fleet that is neither in flight nor halted, in no contact. Prizes only
    strike back, while their fleet has other ships. Who sets out from a line unties himself
    (MA-07).
    """
    for side, (name, doctrine) in enumerate(zip(SIDES, known.doctrines, strict=True)):
        fleet: Fleet = getattr(sea, name)
        ready = (fleet.fleeing == 0) & (fleet.halt == 0)
        own = sea.manned & (sea.owner == side) & (known.home == side)
        fit = own | (sea.manned & (sea.owner == side) & ~_some(own))
        free = fit & ready & (sea.busy == 0) & ~sea.faces & (sea.faced_by == 0)
        flagship = known.each("flagship") & (sea.owner == known.home)
        wish = rank(doctrine, sea.crew, flagship, sea.faced_by)
        found = aimed_at(doctrine, free, wish, sea.manned & (sea.owner != side))
        sets_out = found >= 0
        sea = replace(
            sea,
            target=np.where(sets_out, found, sea.target),
            held=np.where(sets_out, LOOSE, sea.held),
            tied=np.where(sets_out, 0, sea.tied),
        )
    return sea


def grapple_all(sea: Sea, known: Orders, chance: Chance) -> Sea:
    """Ships in contact grapple: without a die where both want it, with a 4 where one does.

    A ram that made the contact is stuck, and a 3 will do. To grapple is offensive: not for halted
    fleets, ships in flight, or those that send a crew over (MA-32).
    Source: Medieval Naval Wargame Rules, Grappling.
    """
    ready = (sea.of_owner("halt") == 0) & (sea.of_owner("fleeing") == 0) & (sea.busy == 0)
    wants = known.order("grapples", sea.owner) & ready
    both_wants = arrays.of(wants, sea.target)
    open_ = sea.faces & (sea.held == LOOSE)
    ram = known.order("rams", sea.owner) & known.each("ram")
    rolls = open_ & needs_grapple_die(wants, both_wants)
    die = arrays.dice(chance, rolls, known.names, "grapple", "M-03")
    held = (rolls & (die >= need_to_grapple(ram))) | (open_ & wants & both_wants)
    return replace(sea, held=np.where(held, JUST_HELD, sea.held))


# Fighting


def attacks(sea: Sea, known: Orders) -> Array:
    """Which ships attack the enemy they are in contact with in this turn.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat; Morale.
    """
    ready = (sea.of_owner("halt") == 0) & (sea.of_owner("fleeing") == 0) & (sea.busy == 0)
    held = sea.held == HELD if known.rules.contact == "grapple first" else True
    answered = arrays.of(sea.due, sea.target) == 0
    return sea.faces & ready & held & answered


def fight(sea: Sea, known: Orders, chance: Chance) -> Sea:
    """The combats of a turn: one attack on each ship attacked, and its blow back.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    rules, at = known.rules, sea.target
    attacking = attacks(sea, known)
    owed = sea.faces & (arrays.of(sea.due, at) > 0)
    own, beside = fighters(sea, known), flanked(sea, known)
    foe = pointed_at(own, at)
    attackers = arrays.number(at, attacking)
    more = np.maximum(arrays.of(attackers, at) - 1, 0)
    lent = Fighter(
        crew=tables.FULL_CREW,
        flagship=arrays.of(arrays.number(at, attacking & own.flagship) > 0, at),
        siphon=arrays.of(arrays.number(at, attacking & own.siphon) > 0, at),
    )
    flank = flankers(more, arrays.of(beside, at), rules)
    factors = modifier(with_friends(own, lent, rules), foe, rules, more=more, beside=flank)
    scores = arrays.best(at, attacking, merit(factors, sea.crew, attacking))
    die = arrays.dice(chance, attackers > 0, known.names, "attacked", "M-14")
    loss = casualties(die, arrays.total(at, scores, factors), rules)
    crew = np.maximum(sea.crew - np.where(attackers > 0, loss, 0), 0)

    if rules.retaliation == "next turn":
        struck = arrays.best(at, owed, merit(factors, sea.crew, owed))
        now, due = sea.crew, (attackers > 0).astype(np.int32)
    else:
        struck, due = scores, np.zeros_like(sea.due)
        now = sea.crew if rules.retaliation == "simultaneous" else crew
    struck = struck & (arrays.of(now, at) > 0) & (crew > 0)
    back_from = replace(foe, crew=arrays.of(now, at))
    back = modifier(back_from, own, rules, beside=flankers(0, beside, rules))
    die = arrays.dice(chance, struck, known.names, "blow back", "M-14")
    crew = np.maximum(crew - np.where(struck, casualties(die, back, rules), 0), 0)
    sea = _admirals(sea, known, chance, attackers + struck)
    return replace(sea, crew=crew, due=np.where(crew > 0, due, 0))


def _admirals(sea: Sea, known: Orders, chance: Chance, attackers: Array) -> Sea:
    """Both fleets after the dice for the admirals of flagships that were attacked."""
    fleets = {}
    for side, name in enumerate(SIDES):
        fleet: Fleet = getattr(sea, name)
        flagship = known.each("flagship") & (known.home == side) & (sea.owner == side)
        times = np.where(flagship, attackers, 0).sum(axis=0)
        dice = admiral_dice(times, fleet.admiral, known.rules)
        alive = admiral_survives(fleet.admiral, dice, chance, f"admiral of {name}, a 6")
        fleets[name] = replace(fleet, admiral=alive, fell=fleet.admiral - alive)
    return replace(sea, a=fleets["a"], b=fleets["b"])


# The end of a turn


def transfer(sea: Sea, known: Orders) -> Sea:
    """Ships without crew belong to the crews that came over in this turn (MA-28).

    Source: Medieval Naval Wargame Rules, Captures and Rescues.
    """
    wanted = known.order("prize_crew", sea.owner)
    sends = (sea.busy > 0) & sea.manned & (arrays.of(sea.place, sea.target) == HERE)
    sends = sends & (arrays.of(sea.crew, sea.target) == 0)
    points = np.where(sends, to_send(sea.crew, wanted, "capture", known.rules), 0)
    got = arrays.total(sea.target, sends, points)
    taken = got > 0
    return clear(
        replace(
            sea,
            crew=np.where(taken, got, sea.crew - points),
            owner=np.where(taken, arrays.total(sea.target, sends, sea.owner), sea.owner),
            target=np.where(taken, -1, sea.target),
            due=np.where(taken, 0, sea.due),
            busy=np.zeros_like(sea.busy),
        )
    )


def sink(sea: Sea, known: Orders) -> Sea:
    """Ships that have begun to sink go down, or are held up, with all that hang on them.

    Source: Medieval Naval Wargame Rules, Grappling (MA-13, MA-14, MA-15).
    """
    never = np.iinfo(np.int32).max
    begins = np.array([known.sinking.get(n, never) for n in range(len(sea.crew))])[:, None]
    here = sea.place == HERE
    hurt = here & (sea.turn + 1 >= begins)
    ties = here & (sea.held > LOOSE) & (arrays.of(sea.place, sea.target) == HERE)
    group = arrays.groups(sea.target, ties, known.before, in_line(sea, known))
    sound, sinking = arrays.number(group, here & ~hurt), arrays.number(group, hurt)
    found = arrays.of(who_goes_down(sound, sinking, known.rules), group)
    lost = here & ((found == EVERYBODY) | ((found == THE_SINKING) & hurt))
    place = np.where(lost, SUNK, sea.place)
    return clear(replace(sea, place=place, hurt=hurt.astype(np.int32)))


def end(sea: Sea, known: Orders, chance: Chance) -> Sea:
    """The end of a turn: ships are counted, and fleets tested whose morale is in question.

    Source: Medieval Naval Wargame Rules, Morale.
    """
    sea = counted(sea, known)
    fleets, counts = {}, {name: getattr(sea, name).ships for name in SIDES}
    for side, name in enumerate(SIDES):
        fleet: Fleet = getattr(sea, name)
        own, enemy = counts[name], counts[SIDES[1 - side]]
        flagship = known.each("flagship") & (known.home == side)
        kept = _some(flagship & (sea.owner == side) & (sea.place != SUNK))
        lost = (fleet.flagship > 0) & ~kept
        dice = dice_of(fleet.spirit, lost, own, enemy, known.rules)
        effect = effect_of(dice, chance, f"morale of {name}")
        spirit = spread(fleet.spirit, fleet.fell > 0)
        spirit = shaken(spirit, effect, looks_double(own, enemy, known.rules))
        fleets[name] = replace(fleet, flagship=kept * 1, fell=np.zeros_like(fleet.fell))
        fleets[name] = fleets[name].with_spirit(spirit)
    held = np.where(sea.held == JUST_HELD, HELD, sea.held)
    empty = np.where((sea.place == HERE) & (sea.crew == 0), sea.empty + 1, 0)
    return replace(sea, held=held, empty=empty, turn=sea.turn + 1, a=fleets["a"], b=fleets["b"])


def some_want_away(sea: Sea, known: Orders) -> Array:
    """The fights in which some ship wants to leave."""
    return _some(want_away(sea, known))


def _some(ships: Array) -> Array:
    """The fights in which it is so of some ship."""
    return np.asarray(np.logical_or.reduce(ships, axis=0))


def alone(rule: Callable[[Sea, Orders], Sea], known: Orders) -> Callable[[Sea, Chance], Sea]:
    """A step of a rule that rolls nothing."""
    return lambda sea, chance: rule(sea, known)
