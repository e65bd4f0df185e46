"""Battles of fleets against a referee who plays them ship by ship, in plain Python.

He throws real dice and writes them down; the rulebook, given his dice as a script, must ask for
the same rolls and come to the same end.
"""

import random

import pytest

import navkit as nk
from navkit.rulebooks import medieval
from navkit.rulebooks.medieval import Doctrine, HouseRules, Ship


class Referee:
    def __init__(self, a, b, doctrines, rules, seed):
        self.luck, self.rolled = random.Random(seed), []
        self.doctrines, self.rules = doctrines, rules
        self.ships = [
            {
                "ship": s,
                "owner": side,
                "home": side,
                "crew": s.crew,
                "place": "here",
                "at": None,
                "held": 0,
                "tied": s.line != "",
            }
            for side, fleet in enumerate((a, b))
            for s in fleet
        ]
        flag = [any(s.flagship for s in fleet) for fleet in (a, b)]
        self.fleets = [
            {
                "flag": f,
                "admiral": f,
                "fell": False,
                "fleeing": False,
                "halt": 0,
                "rumour": 0,
                "told": False,
            }
            for f in flag
        ]

    def die(self):
        self.rolled.append(self.luck.randint(1, 6))
        return self.rolled[-1]

    def manned(self, side=None):
        return [
            n
            for n, s in enumerate(self.ships)
            if s["place"] == "here" and s["crew"] > 0 and side in (None, s["owner"])
        ]

    def faces(self, n):
        me = self.ships[n]
        foe = None if me["at"] is None else self.ships[me["at"]]
        return (
            foe is not None
            and n in self.manned()
            and me["at"] in self.manned()
            and foe["owner"] != me["owner"]
        )

    def facing(self, n):
        return [i for i in range(len(self.ships)) if self.faces(i) and self.ships[i]["at"] == n]

    def clear(self):
        for me in self.ships:
            foe = None if me["at"] is None else self.ships[me["at"]]
            there = foe and me["place"] == foe["place"] == "here"
            if not there or foe["owner"] == me["owner"]:
                me["at"], me["held"] = None, 0

    def turn(self):
        self.leave()
        self.man_prizes()
        for side in (0, 1):
            self.contact(side)
        self.grapple()
        self.fight()
        self.transfer()
        return self.end()

    def fleet_of(self, n):
        return self.fleets[self.ships[n]["owner"]]

    def orders_of(self, n):
        return self.doctrines[self.ships[n]["owner"]]

    def leave(self):
        wants = {
            n
            for n in self.manned()
            if self.fleet_of(n)["fleeing"] or self.ships[n]["crew"] <= self.orders_of(n).break_off
        }
        if not wants:
            return
        pairs = {n: self.ships[n]["at"] for n in range(len(self.ships)) if self.faces(n)}
        for n, t in pairs.items():
            me = self.ships[n]
            if me["held"] and n in wants and t in wants:
                me["held"] = 0
            elif me["held"] and (n in wants or t in wants):
                prize = any(self.ships[x]["owner"] != self.ships[x]["home"] for x in (n, t))
                if self.die() >= (3 if prize else 4):
                    me["held"] = 0
        gone = []
        for n in sorted(wants):
            others = [pairs[n]] if n in pairs else []
            others += [i for i, t in pairs.items() if t == n]
            stays = [o for o in others if o not in wants]
            free = self.die() >= 4 if stays else True
            edges = [i for i, t in pairs.items() if n in (i, t) and self.ships[i]["held"]]
            if free and not edges:
                gone.append(n)
        for n in gone:
            self.ships[n]["place"] = "left"
        self.clear()

    def man_prizes(self):
        empty = [n for n, s in enumerate(self.ships) if s["place"] == "here" and s["crew"] == 0]
        facing = {n: self.faces(n) for n in range(len(self.ships))}
        for n in self.manned():
            mine = [e for e in empty if self.ships[e]["at"] == n]
            if mine and not facing[n]:
                self.ships[n]["at"] = mine[0]
        self.busy = []
        for e in empty:
            takers = [
                n
                for n in self.manned()
                if self.ships[n]["at"] == e
                and self.ships[n]["crew"] > 1
                and not self.facing(n)
                and self.ships[n]["owner"] != self.ships[e]["owner"]
                and not self.fleet_of(n)["fleeing"]
                and self.orders_of(n).prize_crew
            ]
            if takers:
                self.busy.append(max(takers, key=lambda n: (self.ships[n]["crew"], -n)))

    def contact(self, side):
        fleet, doctrine = self.fleets[side], self.doctrines[side]
        if fleet["fleeing"] or fleet["halt"]:
            return
        own = [n for n in self.manned(side) if self.ships[n]["home"] == side] or self.manned(side)
        free = [n for n in own if n not in self.busy and not self.faces(n) and not self.facing(n)]
        enemies = self.manned(1 - side)
        wish = {
            "line": lambda e: 0,
            "weakest": lambda e: self.ships[e]["crew"],
            "strongest": lambda e: -self.ships[e]["crew"],
            "flagship": lambda e: (
                not (
                    self.ships[e]["ship"].flagship
                    and self.ships[e]["owner"] == self.ships[e]["home"]
                )
            ),
        }[doctrine.aim]
        order = sorted(enemies, key=lambda e: (len(self.facing(e)), wish(e), e))
        for k, n in enumerate(free):
            if order:
                target = order[k // doctrine.mass % len(order)]
                self.ships[n].update(at=target, held=0, tied=False)

    def able(self, n):
        fleet = self.fleet_of(n)
        return not fleet["fleeing"] and not fleet["halt"] and n not in self.busy

    def grapple(self):
        for n in range(len(self.ships)):
            if self.faces(n) and not self.ships[n]["held"]:
                t = self.ships[n]["at"]
                wants = [self.orders_of(x).grapples and self.able(x) for x in (n, t)]
                rams = self.orders_of(n).rams and self.ships[n]["ship"].ram
                if all(wants) or (any(wants) and self.die() >= (3 if rams else 4)):
                    self.ships[n]["held"] = 1

    def factors(self, n, t, crews, more):
        me, foe = self.ships[n], self.ships[t]
        ship, other = me["ship"], foe["ship"]
        total = 2 * more - self.beside(t)
        total += self.is_flag(n) - self.is_flag(t)
        total += (crews[t] <= 10) - (crews[n] <= 10)
        total += 2 * (ship.siphon - other.siphon)
        higher = other.kind == "round" or (other.high and not ship.high)
        return total - 2 * (ship.kind == "long" and higher)

    def is_flag(self, n):
        s = self.ships[n]
        return int(
            s["ship"].flagship and s["owner"] == s["home"] and self.fleets[s["home"]]["flag"]
        )

    def beside(self, n):
        me = self.ships[n]
        line = [
            i
            for i, s in enumerate(self.ships)
            if s["home"] == me["home"] and s["ship"].line == me["ship"].line != ""
        ]
        if not line:
            return 0
        place = line.index(n)
        near = line[max(place - 1, 0) : place] + line[place + 1 : place + 2]
        return sum(
            me["tied"]
            and self.ships[i]["tied"]
            and i in self.manned()
            and me["place"] == "here"
            and self.ships[i]["owner"] == me["owner"]
            for i in near
        )

    def fight(self):
        start = {n: s["crew"] for n, s in enumerate(self.ships)}
        attackers, scorers, losses = {}, {}, {}
        for n in range(len(self.ships)):
            if self.faces(n) and self.able(n):
                attackers.setdefault(self.ships[n]["at"], []).append(n)
        for t in sorted(attackers):
            more = len(attackers[t]) - 1
            merit = {n: self.factors(n, t, start, more) for n in attackers[t]}
            best = max(attackers[t], key=lambda n: (merit[n], start[n], -n))
            scorers[best] = t
            losses[t] = max(self.die() + merit[best], 0)
        after = {n: max(crew - losses.get(n, 0), 0) for n, crew in start.items()}
        at_once = self.rules.retaliation == "simultaneous"
        now = start if at_once else dict(after)
        hits = {t: len(mine) for t, mine in attackers.items()}
        for n in sorted(scorers):
            t = scorers[n]
            if now[t] and after[n]:
                back = self.die() + self.factors(t, n, {t: now[t], n: start[n]}, 0)
                losses[n] = max(back, 0)
                after[n] = max(after[n] - losses[n], 0)
                hits[n] = hits.get(n, 0) + 1
        for n, crew in after.items():
            self.ships[n]["crew"] = crew
        for side, fleet in enumerate(self.fleets):
            for n, s in enumerate(self.ships):
                attacked = s["home"] == s["owner"] == side and hits.get(n)
                in_danger = attacked and s["ship"].flagship and fleet["admiral"]
                if in_danger and self.die() == 6:
                    fleet["admiral"], fleet["fell"] = False, True

    def transfer(self):
        for n in self.busy:
            giver, prize = self.ships[n], self.ships[self.ships[n]["at"]]
            points = min(self.orders_of(n).prize_crew, giver["crew"] - 1)
            if points > 0:
                giver["crew"] -= points
                prize.update(crew=points, owner=giver["owner"], at=None)
        self.clear()

    def end(self):
        counts = [len(self.manned(side)) for side in (0, 1)]
        for side, fleet in enumerate(self.fleets):
            kept = any(s["ship"].flagship and s["home"] == s["owner"] == side for s in self.ships)
            double = counts[side] > 0 and counts[1 - side] >= 2 * counts[side]
            events = [
                fleet["flag"] and not kept,
                double and not fleet["told"],
                fleet["rumour"] == 1,
            ]
            dice = sum(events) if counts[side] and not fleet["fleeing"] else 0
            shown = tuple(self.luck.randint(1, 6) for _ in range(dice))
            self.rolled += [shown] if dice else []
            worst = min(shown, default=6)
            fleet["rumour"] = 2 if fleet["fell"] else max(fleet["rumour"] - 1, 0)
            fleet["halt"] = 2 if 3 <= worst <= 4 else max(fleet["halt"] - 1, 0)
            fleet["fleeing"] = fleet["fleeing"] or worst <= 2
            fleet.update(flag=kept, fell=False, told=fleet["told"] or double)
        return [side for side in (0, 1) if not counts[side]]


NAMED = ["A1", "A2", "A3", "B1", "B2", "B3"]


@pytest.mark.parametrize("seed", range(200))
def test_a_battle_as_the_referee_has_it(seed):
    luck = random.Random(1000 + seed)

    def fleet(names):
        flag = luck.choice([*names, None])
        line = luck.choice(["", "line"])
        return [
            Ship(
                name,
                kind=luck.choice(["long", "round"]),
                high=luck.random() < 0.3,
                crew=luck.randint(1, 20),
                flagship=name == flag,
                siphon=luck.random() < 0.3,
                ram=luck.random() < 0.5,
                line=line,
            )
            for name in names
        ]

    a, b = fleet(NAMED[: luck.randint(1, 3)]), fleet(NAMED[3 : 3 + luck.randint(1, 3)])
    doctrines = tuple(
        Doctrine(
            aim=luck.choice(["line", "weakest", "strongest", "flagship"]),
            mass=luck.randint(1, 2),
            grapples=luck.random() < 0.7,
            rams=luck.random() < 0.5,
            break_off=luck.choice([0, 0, 6]),
            prize_crew=luck.choice([0, 3, 6]),
        )
        for _ in "ab"
    )
    rules = HouseRules(retaliation=luck.choice(["sequential", "simultaneous"]))
    referee = Referee(a, b, doctrines, rules, seed)
    turns, over = 0, []
    while not over and turns < 40:
        over, turns = referee.turn(), turns + 1
    told = {"doctrines": doctrines, "rules": rules, "turns": turns}
    h = medieval.fleet_battle(a, b, chance=nk.Scripted(referee.rolled), **told)
    assert h.outcome()[{(): "undecided", (0,): "b", (1,): "a", (0, 1): "both"}[tuple(over)]] == 1
    for side, name in enumerate("ab"):
        mine = referee.manned(side)
        assert h.mean(name, "ships").iloc[-1] == len(mine)
        assert h.mean(name, "crew").iloc[-1] == sum(referee.ships[n]["crew"] for n in mine)
        prizes = [n for n in mine if referee.ships[n]["home"] != side]
        assert h.mean(name, "prizes").iloc[-1] == len(prizes)
        assert h.mean(name, "fleeing").iloc[-1] == referee.fleets[side]["fleeing"]
        assert h.mean(name, "admiral").iloc[-1] == referee.fleets[side]["admiral"]
