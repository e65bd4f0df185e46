"""One attack: to hit, volley, hull, DR, crew and surgeon, against the document and all faces."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import navkit as nk
from navkit.engine.script import Script
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.attack import Shot, highest_hit, to_hit, volley
from navkit.rulebooks.gurps.damage import casualties, crew_damage, hole
from navkit.rulebooks.gurps.guns import guns_to_fire, reloaded, spend
from navkit.rulebooks.gurps.sides import ready_side

DEFAULT = gurps.HouseRules()


def one(value):
    return np.array([value], dtype=np.int32)


def after(make_small, out, **officers):
    ship = make_small(crew=20, officers=gurps.Officers(leadership=9, **officers))
    side = casualties(ready_side(ship, DEFAULT), ship, one(out), DEFAULT)
    return int(side.dead[0]), int(side.wounded[0])


class TestToHit:
    def test_size_counts_both_ways(self, make_small):
        big, little = make_small(size_modifier=5), make_small(size_modifier=3)
        assert to_hit(big, little, DEFAULT) - to_hit(little, little, DEFAULT) == -2
        assert to_hit(little, big, DEFAULT) - to_hit(big, big, DEFAULT) == 2

    def test_gunner(self, make_small):
        good = make_small(expertise=12, officers=gurps.Officers(leadership=2, gunnery=2))
        assert to_hit(good, good, DEFAULT) == 14
        assert to_hit(make_small(officers=gurps.Officers()), good, DEFAULT) == 7

    @pytest.mark.parametrize(
        ("skill", "chance"),
        [(2, 0), (1, 0), (3, 4), (4, 4), (12, 160), (16, 212), (17, 212), (25, 212)],
    )
    def test_chance_out_of_216(self, make_small, skill, chance):
        a = make_small(expertise=max(1, skill - 10 if skill > 20 else skill))
        b = make_small(size_modifier=10 if skill > 20 else 0)
        assert gurps.odds.hit(a, b, exact=True) == Fraction(chance, 216)
        assert gurps.odds.hit(a, b) == pytest.approx(chance / 216)

    def test_readings(self):
        plain = gurps.HouseRules(attack_crit="skill only")
        assert [highest_hit(skill, plain) for skill in (3, 18)] == [3, 18]
        hopeful = gurps.HouseRules(hopeless_shot="4 still hits")
        assert [highest_hit(skill, hopeful) for skill in (-4, 2, 3)] == [4, 4, 4]


class TestVolley:
    @pytest.mark.parametrize(
        ("rules", "rolls", "rolled", "through"),
        [
            ({}, [12, 8], 32, 24),
            ({}, [13, 8], 32, 12),
            ({}, [13, 3], 12, 2),
            ({}, [12, 2], 8, 0),
            (dict(miss_half="before DR"), [13, 8], 16, 8),
            (dict(volley_roll="each gun"), [12, 21], 21, 13),
        ],
    )
    def test_by_hand(self, make_small, rules, rolls, rolled, through):
        """Four guns of 2d against DR 2 (8 in all); skill 12 hits on 12 and misses on 13."""
        a, b = make_small(expertise=12), make_small(dr=2)
        script = Script(rolls)
        shot = volley(a, b, one(4), one(2), script, gurps.HouseRules(**rules))
        script.finish()
        assert (int(shot.rolled[0]), int(shot.through[0])) == (rolled, through)

    def test_other_scale_is_converted(self, make_small):
        a, b = make_small(scale=100), make_small(scale=10, dr=0)
        assert volley(a, b, one(1), one(0), Script([3, 5]), DEFAULT).rolled.tolist() == [50]
        assert volley(b, a, one(1), one(0), Script([3, 9]), DEFAULT).rolled.tolist() == [0]

    @pytest.mark.parametrize(
        "rules", [{}, dict(miss_half="before DR"), dict(hp_in_fives="full fives")]
    )
    @pytest.mark.parametrize("guns", [0, 1, 2])
    def test_damage_against_all_faces(self, make_small, rules, guns):
        a, b = make_small(expertise=11), make_small(hull=15, dr=3)
        found = gurps.odds.damage(a, b, guns=guns, rules=gurps.HouseRules(**rules))
        expected: Counter[int] = Counter()
        for attack in product(range(1, 7), repeat=3):
            for faces in product(range(1, 7), repeat=2):
                points = guns * sum(faces)
                miss = sum(attack) > 11
                if rules.get("miss_half") and miss:
                    through = max(0, points // 2 - guns * 3)
                else:
                    through = max(0, points - guns * 3)
                    through = through // 2 if miss else through
                if rules.get("hp_in_fives"):
                    through -= through % 5
                lost = min(15, through)
                expected[lost] += 1
        assert found.pmf.sum() == pytest.approx(1, abs=1e-12)
        for points, number in expected.items():
            assert found.equal(points) == pytest.approx(number / 6**5, rel=1e-13)

    def test_each_gun_has_the_same_mean_and_less_spread(self, make_small):
        a, b = make_small(cannons=(4, 4, 0, 0), crew=8), make_small(hull=400, dr=0)
        together = gurps.odds.damage(a, b)
        apart = gurps.odds.damage(a, b, rules=gurps.HouseRules(volley_roll="each gun"))
        assert apart.mean == pytest.approx(together.mean, rel=0.01)
        assert apart.std < together.std

    @pytest.mark.parametrize("guns", [-1, 3, 2.5, float("nan")])
    def test_guns_a_broadside_does_not_have(self, make_small, guns):
        with pytest.raises(nk.InputError, match=f"guns: got {guns}"):
            gurps.odds.damage(make_small(), make_small(), guns=guns)


class TestHull:
    def hit(self, make_small, through, guns=1, **rules):
        side = ready_side(make_small(hull=200, dr=6), DEFAULT)
        shot = Shot(one(through), one(through))
        hurt = hole(side, shot, one(guns), gurps.HouseRules(**rules))
        return int(hurt.hull[0]), int(hurt.dr[0])

    def test_dr_wears_off_by_one_for_each_five(self, make_small):
        assert self.hit(make_small, 14) == (186, 4)
        assert self.hit(make_small, 4) == (196, 6)
        assert self.hit(make_small, 60) == (140, 0)

    def test_readings(self, make_small):
        assert self.hit(make_small, 14, hp_in_fives="full fives") == (190, 4)
        assert self.hit(make_small, 14, dr_ablation="none") == (186, 6)
        assert self.hit(make_small, 40, guns=4, dr_ablation="gun") == (160, 4)

    def test_the_hull_stops_at_zero(self, make_small):
        assert self.hit(make_small, 500)[0] == 0


class TestCrew:
    def lost(self, make_small, points, rolled=0, **rules):
        ship = make_small(crew=50)
        side = crew_damage(
            ready_side(ship, DEFAULT),
            ship,
            Shot(one(rolled), one(points)),
            one(points),
            gurps.HouseRules(**rules),
        )
        return 50 - int(side.crew[0]), int(side.dead[0]), int(side.wounded[0])

    def test_the_example(self, make_small):
        assert self.lost(make_small, 100) == (5, 2, 3)

    def test_only_full_twenties_count(self, make_small):
        assert self.lost(make_small, 119) == (5, 2, 3)
        assert self.lost(make_small, 19) == (0, 0, 0)

    def test_readings(self, make_small):
        assert self.lost(make_small, 30, damage_scale="unscaled")[0] == 15
        assert self.lost(make_small, 19, rolled=45, crew_damage_base="rolled")[0] == 2

    def test_carried_over_a_fight(self, make_small):
        ship = make_small(crew=50)
        side, rules = ready_side(ship, DEFAULT), gurps.HouseRules(threshold_carry="fight")
        for points in (15, 15, 15):
            side = crew_damage(side, ship, Shot(one(points), one(points)), one(points), rules)
        assert 50 - int(side.crew[0]) == 45 // 20
        assert int(side.strain[0]) == 45 % 20

    @pytest.mark.parametrize(
        ("out", "level", "care", "dead", "wounded"),
        [
            (5, None, "hands", 2, 3),
            (5, -3, "hands", 2, 3),
            (5, 2, "lives", 0, 5),
            (5, 2, "hands", 2, 1),
            (5, 4, "hands", 1, 1),
            (5, 5, "hands", 1, 0),
            (5, 6, "hands", 0, 1),
            (5, 7, "hands", 0, 0),
            (5, 3, "lives", 0, 4),
            (5, 7, "lives", 0, 0),
            (0, 3, "hands", 0, 0),
        ],
    )
    def test_the_surgeon(self, make_small, out, level, care, dead, wounded):
        assert after(make_small, out, medic=level, care=care) == (dead, wounded)

    def test_split_of_the_example(self, make_small):
        """With +2: 0 dead and 5 injured, or 2 dead and 1 injured, or 1 dead and 3 injured.

        The third is one point of each kind, which is what +1 for lives and then +1 for hands is.
        """
        assert after(make_small, 5, medic=2, care="lives") == (0, 5)
        assert after(make_small, 5, medic=2, care="hands") == (2, 1)

    def test_a_life_saved_may_be_a_hand_kept(self, make_small):
        ship = make_small(crew=20, officers=gurps.Officers(leadership=9, medic=4))
        rules = gurps.HouseRules(medic_order="at once")
        side = casualties(ready_side(ship, DEFAULT), ship, one(5), rules)
        assert (int(side.dead[0]), int(side.wounded[0])) == (1, 0)

    def test_no_more_hands_than_there_are(self, make_small):
        ship = make_small(crew=3)
        side = casualties(ready_side(ship, DEFAULT), ship, one(9), DEFAULT)
        assert (int(side.crew[0]), int(side.dead[0]), int(side.wounded[0])) == (0, 1, 2)

    def test_a_surgeon_does_not_hold_a_ship_alone(self, make_small):
        """9 are hit, 2 of them kept fit: more than the 3 hands there are."""
        ship = make_small(crew=3, officers=gurps.Officers(leadership=2, medic=2))
        side = casualties(ready_side(ship, DEFAULT), ship, one(9), DEFAULT)
        assert (int(side.crew[0]), int(side.dead[0]), int(side.wounded[0])) == (0, 1, 2)


class TestGuns:
    def fired(self, make_small, turns, rules=DEFAULT, **ship):
        ship = make_small(**ship)
        side, fired = ready_side(ship, DEFAULT), []
        for _ in range(turns):
            guns = guns_to_fire(side, ship, rules)
            fired.append(int(guns[0]))
            side = reloaded(spend(side, guns, rules), ship, rules)
        return fired

    def test_ten_guns_need_twenty_hands(self, make_small):
        ship = dict(cannons=(10, 0, 0, 0), skeleton_crew=2)
        assert self.fired(make_small, 1, crew=20, **ship) == [10]
        assert self.fired(make_small, 1, crew=19, **ship) == [9]

    def test_reloading_one_side_or_firing_the_other(self, make_small):
        """10 left and 10 right with 20 hands: a turn reloads a side or fires one."""
        found = self.fired(make_small, 6, cannons=(10, 10, 0, 0), crew=20)
        assert found == [10, 10, 0, 10, 0, 10]

    def test_hands_for_both(self, make_small):
        assert self.fired(make_small, 5, cannons=(3, 3, 0, 0), crew=12) == [3, 3, 3, 3, 3]

    def test_few_hands_fire_before_they_reload(self, make_small):
        assert self.fired(make_small, 6, cannons=(3, 0, 0, 0), crew=3) == [1, 1, 1, 0, 1, 0]

    def test_below_skeleton_crew_nobody_fires(self, make_small):
        assert self.fired(make_small, 2, crew=3, skeleton_crew=4) == [0, 0]
        assert self.fired(make_small, 1, crew=4, skeleton_crew=4) == [2]

    @pytest.mark.parametrize(
        ("rules", "found"),
        [
            (dict(reload="none"), [4, 4, 4, 4, 4, 4]),
            (dict(reload_starts="at once"), [4, 4, 0, 4, 0, 4]),
            (dict(crew_for_guns="gun crews"), [4, 0, 4, 0, 4, 0]),
            (dict(skeleton_gunners="spare hands"), [2, 2, 2, 2, 0, 2]),
        ],
    )
    def test_readings(self, make_small, rules, found):
        ship = dict(cannons=(4, 4, 0, 0), crew=8, skeleton_crew=4)
        assert self.fired(make_small, 6, gurps.HouseRules(**rules), **ship) == found
