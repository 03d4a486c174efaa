"""An exercise of every family, the tests-only one included: what contract and journal are tried on.

A step is an order (an ``Envelope``) or a moment to advance to.
"""

from dataclasses import dataclass, replace
from typing import Any

from exercises.families import FAMILIES
from exercises.family import INSTRUCTOR, Envelope
from sim.acts import Message, PlayCard
from sim.orders import Alert, DoorToDoor, Forecast, Move, Withdraw
from sim.rules import Card
from sim.scenario import Gathering, Inject, Scenario
from tests.exercises.timed_family import WATCH, Valve, bet, look
from tests.strategies import seed_of, synthetic_district, synthetic_world

ALL = {**FAMILIES, WATCH.name: WATCH}


@dataclass(frozen=True)
class Case:
    family: Any
    scenario: Any
    steps: tuple[Any, ...]
    seed: str = seed_of(7)

    def start(self):
        return self.family.start(self.scenario, self.seed)


def play(case, steps=None, seed=None):
    """States after every step, the start first, and the events of every step."""
    family = case.family
    states, events = [family.start(case.scenario, seed or case.seed)], []
    for step in case.steps if steps is None else steps:
        do = family.apply if isinstance(step, Envelope) else family.advance
        state, happened = do(states[-1], step)
        states.append(state)
        events.append(tuple(happened))
    return states, events


def flood_case(turns=8, columns=8, rows=6):
    scenario = Scenario(
        weekend=True,
        gathering=Gathering(cell=9, people=700),
        cards=True,
        injects=(Inject(turn=2, card=next(iter(Card))),),
        credibility=6,
    )
    world = replace(
        synthetic_world(synthetic_district(columns, rows), level=5, turns=turns), scenario=scenario
    )
    n = world.district.sheet.n_hexes

    def order(turn, kind, reason="", **fields):
        return Envelope("team", "", turn, kind(turn=turn, reason=reason, **fields), reason)

    def act(turn, kind, reason="", **fields):
        return Envelope(INSTRUCTOR, "", turn, kind(turn=turn, reason=reason, **fields), reason)

    acts = {
        2: [act(2, PlayCard, "la panne", card=Card.POWER_CUT, target=9)],
        3: [act(3, Message, text="Bon courage"), act(3, PlayCard, card=Card.REINFORCEMENT)],
    }
    steps = [order(0, Forecast, cells=(1, 2, 9)), 1]
    for turn in range(1, turns + 1):
        steps += [
            order(turn, Alert, reason="eau « basse »", centre=turn * 11 % n, radius=1),
            order(turn, Move, unit="patrol-1", to=turn * 5 % n),
            order(turn, Alert, centre=0, radius=9),  # refused
            order(turn, Withdraw, number=2 if turn % 2 else 3),
            order(turn, DoorToDoor, unit="patrol-2", cell=turn * 3 % n),
            *acts.get(turn, ()),
            turn + 1,
        ]
    return Case(FAMILIES["flood"], world, tuple(steps))


def watch_case():
    steps = (
        look("red", 2),
        bet("red", 3, 9),
        10,
        look("blue", 11),
        bet("red", 12, 30),  # refused
        bet("blue", 12, 14),
        25,
        look("red", 30),
        40,
    )
    return Case(WATCH, Valve(), steps)


CASES = {"flood": flood_case(), "watch": watch_case()}
