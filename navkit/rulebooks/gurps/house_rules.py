"""Where GURPS/Naval Combat is silent or contradicts itself, and how to read it.

Small gaps that hardly move odds are settled by the default that the docstring of the rule names.
"""

from __future__ import annotations

from dataclasses import dataclass

from navkit.errors import InputError
from navkit.rulebooks.readings import Readings, amount, reading


@dataclass(frozen=True, kw_only=True)
class HouseRules(Readings):
    """The readings of the document that tables play differently, the default first.

    >>> HouseRules().volley_roll
    'one roll'
    >>> HouseRules(surrender_ratio=8).changed()
    {'surrender_ratio': 8}
    """

    fire_order: str = reading(
        "initiative",
        "together",
        where="Initiative roll",
        note="who fires first: by initiative rolled once for the fight, or both at the same moment",
        prominent=True,
    )
    volley_roll: str = reading(
        "one roll",
        "each gun",
        where="Num of Cannons",
        note="the damage dice are rolled once and multiplied, or rolled for each gun",
        prominent=True,
    )
    miss_half: str = reading(
        "after DR",
        "before DR",
        where="Attacks",
        note="a miss does half of what passes the DR, or half is rolled and then meets the DR",
        prominent=True,
    )
    dr_ablation: str = reading(
        "volley",
        "gun",
        "none",
        where="DR",
        note="DR wears off by 1 for each 5 points that pass it in a volley, for each gun of it "
        "on average, or never",
        prominent=True,
    )
    reload: str = reading(
        "one turn",
        "none",
        where="Reload",
        note="a gun that fired must be reloaded; 'none' (ours, for comparison) keeps guns ready",
        prominent=True,
    )
    reload_starts: str = reading(
        "next turn",
        "at once",
        where="Reload",
        note="spare hands reload a gun in the turn after its shot, or already in the same turn",
    )
    crew_for_guns: str = reading(
        "two each",
        "gun crews",
        where="Reloading",
        note="any 2 hands serve any gun, or those of a gun reload it before they fire another",
    )
    skeleton_gunners: str = reading(
        "all hands",
        "spare hands",
        where="Crew",
        note="all hands may serve guns, or only those beyond the skeleton crew",
    )
    hp_in_fives: str = reading(
        "all points",
        "full fives",
        where="DR",
        note="the hull loses every point that passes the DR, or only full fives of them",
    )
    damage_scale: str = reading(
        "scaled",
        "unscaled",
        where="Scale",
        note="hands and masts are lost by points as marked off, or as they are before Scale",
    )
    crew_damage_base: str = reading(
        "hull lost",
        "rolled",
        where="Crew damage",
        note="hands are lost by the hull points lost, or by the damage rolled",
    )
    threshold_carry: str = reading(
        "attack",
        "fight",
        where="Crew damage",
        note="full 20s and 100s are counted in each attack, or over the whole fight",
    )
    attack_crit: str = reading(
        "always 4, never 17",
        "skill only",
        where="Attacks",
        note="3 and 4 always hit and 17 and 18 never do (as in GURPS), or the skill alone decides",
    )
    hopeless_shot: str = reading(
        "sure miss",
        "4 still hits",
        where="Attacks",
        note="below skill 3 a volley misses (half damage), or 3 and 4 still hit",
    )
    no_commander: str = reading(
        "cap -5",
        "gunner -5",
        "cap 0",
        "no cap",
        where="Leadership",
        note="without a commander: all officers are capped at -5, only gunnery is -5, all are "
        "capped at 0, or nobody is capped",
    )
    medic_order: str = reading(
        "separate",
        "at once",
        where="First-Aid",
        note="a life saved is a wounded hand that needs one more point to stay fit, or is fit",
    )
    move_divisor: str = reading(
        "7",
        "20",
        where="Move; Navigation",
        note="Move is kph divided by 7 (Move) or by 20 (Navigation); it counts for initiative",
    )
    move_floor: str = reading(
        "table",
        "midpoint",
        "tenth",
        where="Move",
        note="the slowest ships have Move 1/10 down to any speed above 0, down to 0.35 kph, or "
        "down to 0.7 kph",
    )
    move_ladder: str = reading(
        "ladder",
        "subtract",
        where="Navigation",
        note="below Move 1 levels go down 1/2, 1/3, 1/4 and on, or are subtracted down to 0",
    )
    boarding_round: str = reading(
        "nearest",
        "down",
        "up",
        where="Boarding",
        note="how a fifth of the hands is rounded",
    )
    boarding_margin: str = reading(
        "difference",
        "if succeeded",
        "own margin",
        where="Boarding",
        note="the winner adds the difference of margins, only if his own roll succeeded, or his "
        "own margin of success",
    )
    disengage: str = reading(
        "must win",
        "not lose",
        "always",
        where="Boarding",
        note="who breaks off at -3 gets free when he wins the contest, does not lose it, or always",
    )
    movement_loss_hp: str = reading(
        "replace",
        "add up",
        where="Structural damage",
        note="hull at a half, a third, a fifth costs 1, 2, 3 points of Move in all, or 1, 3, 6",
    )
    mast_unit: str = reading(
        "Move",
        "kph",
        where="Mast damage",
        note="each 100 points cost one point of Move, or 1 kph of speed",
    )
    ram_dr: str = reading(
        "current",
        "original",
        where="Ramming",
        note="rams count the DR a ship has left, or the one it was built with",
    )
    ram_run: str = reading(
        "entered hex",
        "hexes before",
        where="Ramming",
        note="the hex entered by the ram counts among those run straight, or does not",
    )
    ram_scale_mixed: str = reading(
        "victim",
        "rammer",
        where="Ramming",
        note="ram damage is divided by the Scale of the ship that takes it, or by the rammer's",
    )
    nav_saves_mast: str = reading(
        "allowed",
        "never",
        where="Mast damage",
        note="navigators may give up points of Navigation to save masts, or may not",
    )
    interrupt: str = reading(
        "range and arc",
        "never",
        where="Interrupted attacks",
        note="ready ships fire at an enemy that moves through range and arc, or only in their turn",
    )
    tactician_shift: str = reading(
        "capped",
        "uncapped",
        where="Tactician",
        note="points lent by the tactician count towards the commander's cap, or come on top",
    )
    surrender_ratio: float = amount(
        0,
        0,
        100,
        where="Boarding Example",
        note="a crew gives up when outnumbered so many times (8 in the example; 1 at least); "
        "0: never",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0 < self.surrender_ratio < 1:  # crews that are as good as equal would both give up
            allowed = "0, or a number from 1 to 100"
            raise InputError("house rule surrender_ratio", self.surrender_ratio, allowed)
