"""Three games played by scripted orders: a storm that threatens one hex, a serious one, a night."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from sim.orders import (
    Alert,
    Answer,
    Clear,
    CloseShelter,
    Deliver,
    DoorToDoor,
    Footbridge,
    Forecast,
    Move,
    OpenShelter,
    Order,
    Protect,
    Pump,
    Reserve,
    Withdraw,
)
from sim.rules import Card, Confidence, Protection
from sim.scenario import Gathering, Inject
from sim.world import World
from tests.golden.town import QUARTERS, cell, flood, link, world_of

Orders = Mapping[int, tuple[Order, ...]]
QUARTER = {name: number for number, name in enumerate(QUARTERS)}
SHELTER = {"École": 0, "Gymnase": 1, "Lycée": 2, "Salle": 3}


@dataclass(frozen=True)
class Game:
    """A game of which a transcript is kept.

    Attributes
    ----------
    name : str
        Of its file.
    title, lang : str
    world : World
    orders : mapping of int to tuple of Order
    """

    name: str
    title: str
    lang: str
    world: World
    orders: Orders


def dated(turns: Mapping[int, tuple[Callable[[int], Order], ...]]) -> Orders:
    """Orders by turn, each told its turn."""
    return {turn: tuple(give(turn) for give in given) for turn, given in turns.items()}


def alert(label: str, radius: int, option: Protection | None = None, reason: str = ""):
    return lambda turn: Alert(
        turn=turn, centre=cell(label), radius=radius, option=option, reason=reason
    )


def move(unit: str, label: str, reason: str = ""):
    return lambda turn: Move(turn=turn, unit=unit, to=cell(label), reason=reason)


def door(unit: str, label: str):
    return lambda turn: DoorToDoor(turn=turn, unit=unit, cell=cell(label))


def work(kind: type, unit: str, one: str, other: str):
    return lambda turn: kind(turn=turn, unit=unit, link=link(one, other))


def reserve(unit: str, *labels: str):
    links = tuple(link(one, other) for one, other in pairwise(labels))
    return lambda turn: Reserve(turn=turn, unit=unit, links=links)


def protect(quarter: str, option: Protection):
    return lambda turn: Protect(turn=turn, quarter=QUARTER[quarter], option=option)


def deliver(unit: str, label: str):
    return lambda turn: Deliver(turn=turn, unit=unit, cell=cell(label))


def close(shelter: str):
    return lambda turn: CloseShelter(turn=turn, shelter=SHELTER[shelter])


def reopen(shelter: str):
    return lambda turn: OpenShelter(turn=turn, shelter=SHELTER[shelter])


def answer(*, obey: bool):
    return lambda turn: Answer(turn=turn, obey=obey)


def withdraw(number: int):
    return lambda turn: Withdraw(turn=turn, number=number)


def paint(*labels: str, sure: Confidence | None = None):
    return lambda turn: Forecast(turn=turn, cells=tuple(map(cell, labels)), confidence=sure)


def dry() -> Game:
    """A one-year storm by day: whoever alerts widely pays for it; a card and a rumour tempt."""
    injects = (
        Inject(4, Card.RUMOUR, QUARTER["La Gare"]),
        Inject(6, Card.INJUNCTION, QUARTER["Vieille ville"]),
        Inject(9, Card.INJUNCTION, QUARTER["La Gare"]),
    )
    world = world_of(
        flood(330, 8, 13, 15, 120), 1, 14, "0" * 31 + "1", injects=injects, credibility=9
    )
    orders = dated(
        {
            0: (paint("0407", "0406", "0405"), alert("0406", 1)),
            1: (move("patrol-1", "0406"), move("patrol-1", "0404"), move("pump-1", "0704")),
            2: (
                move("patrol-2", "0702", "to look over the east bank"),
                alert("0304", 2),
                move("patrol-9", "0702"),
            ),
            4: (alert("0705", 1, reason="deep water is reported"), move("patrol-3", "0705")),
            5: (withdraw(1), alert("0705", 1), withdraw(2)),
            6: (answer(obey=False), answer(obey=True)),
            7: (protect("Les Tours", Protection.UP), alert("0702", 1)),
            9: (answer(obey=True),),
            11: (door("patrol-2", "0603"), work(Pump, "pump-1", "0704", "0705")),
            12: (door("patrol-1", "0407"), work(Clear, "patrol-2", "0402", "0502")),
            14: (move("patrol-1", "0307"), alert("0407", 0)),
            16: (close("École"), reopen("Lycée")),
            17: (reopen("École"),),
        }
    )
    return Game("dry", "Dry: a storm that threatens one hex", "en", world, orders)


def serious() -> Game:
    """A five-year storm at the morning's peak: crowds, cuts, link actions, isolation, boats."""
    injects = (
        Inject(3, Card.ACCIDENT, link("0306", "0406")),
        Inject(5, Card.ROADWORKS, link("0203", "0204")),
        Inject(8, Card.STAMPEDE, SHELTER["École"]),
        Inject(7, Card.JAM, cell("0702")),
    )
    world = world_of(
        flood(950, 4, 11, 13, 170),
        5,
        8,
        "0" * 31 + "2",
        injects=injects,
        gathering=Gathering(cell("0306"), 900),
    )
    orders = dated(
        {
            0: (
                paint("0404", "0405", "0406", "0407", sure=Confidence.SURE),
                paint("0303", "0304", "0305", "0604", "0605", sure=Confidence.LIKELY),
            ),
            1: (
                alert("0406", 1, reason="the lowest bank first"),
                move("patrol-2", "0605"),
                move("pump-1", "0704"),
                alert("0605", 1),
            ),
            2: (
                alert("0305", 1),
                reserve("patrol-1", "0304", "0303", "0302"),
                work(Pump, "pump-1", "0704", "0705"),
            ),
            3: (
                alert("0605", 2, Protection.SHELTER),
                work(Clear, "patrol-3", "0306", "0406"),
                work(Footbridge, "pump-2", "0404", "0405"),
                work(Footbridge, "pump-2", "0405", "0406"),
                door("patrol-4", "0407"),
            ),
            4: (alert("0205", 2), protect("Les Tours", Protection.UP)),
            5: (alert("0303", 2), alert("0705", 2), door("patrol-2", "0604")),
            6: (
                protect("La Gare", Protection.OUT),
                move("patrol-4", "0606"),
                move("patrol-2", "0606"),
                move("pump-1", "0606"),
            ),
            7: (alert("0202", 3), close("Salle"), move("boat-1", "0603")),
            9: (protect("La Gare", Protection.SHELTER), move("patrol-1", "0102")),
            12: (deliver("boat-1", "0406"), deliver("boat-2", "0605")),
            14: (deliver("boat-1", "0406"),),
            16: (work(Clear, "pump-1", "0606", "0706"), work(Clear, "patrol-1", "0306", "0406")),
        }
    )
    return Game("serious", "Serious: the bank is lost in an hour", "en", world, orders)


def night() -> Game:
    """A three-year storm at three in the morning, half of the units away, cards drawn."""
    injects = (
        Inject(5, Card.POWER_CUT, cell("0305")),
        Inject(8, Card.COUNTER_CURRENT, QUARTER["Vieille ville"]),
        Inject(10, Card.REINFORCEMENT),
    )
    world = world_of(
        flood(800, 5, 12, 14, 170),
        3,
        3,
        "0" * 31 + "3",
        injects=injects,
        cards=True,
        half_staff=True,
        weekend=True,
        credibility=7,
    )
    orders = dated(
        {
            0: (paint("0405", "0406", "0407", sure=Confidence.POSSIBLE),),
            1: (alert("0406", 1), alert("0605", 1), move("patrol-1", "0405")),
            2: (alert("0406", 1), alert("0305", 1), door("patrol-2", "0604")),
            3: (alert("0406", 2), alert("0605", 2), move("patrol-1", "0406")),
            4: (alert("0406", 2), alert("0606", 1), door("patrol-2", "0605")),
            5: (alert("0306", 2), alert("0706", 2), work(Pump, "pump-1", "0606", "0607")),
            6: (alert("0306", 3), door("patrol-1", "0407"), alert("0706", 1)),
            8: (alert("0304", 3), door("patrol-2", "0704")),
            9: (answer(obey=True),),
            11: (door("patrol-3", "0101"), move("patrol-4", "0304")),
            13: (deliver("boat-1", "0407"),),
            15: (move("boat-1", "0802"),),
        }
    )
    return Game("night", "Nuit : l'eau vient pendant le sommeil", "fr", world, orders)


GAMES = (dry(), serious(), night())
