"""Orders and why they are refused, each as a person reads it, in French or English (§9.5)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from exercises.voice import Voice, voice
from gis.quarter_names import quarters_said
from sim.district import District
from sim.events import link_label
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
from sim.refusal import Refusal
from sim.rules import CONFIDENCES, PROTECTIONS


@dataclass(frozen=True, slots=True)
class Scene:
    """A voice and the district that it speaks of."""

    voice: Voice
    district: District

    def hex(self, cell: int) -> str:
        """Return a hex's printed number."""
        return self.district.sheet.label(cell)

    def hexes(self, cells: tuple[int, ...]) -> str:
        """Return the printed numbers of hexes."""
        return self.voice.listed([self.hex(cell) for cell in cells])

    def link(self, edge: int) -> str:
        """Return a link's printed sign."""
        return link_label(self.district.sheet, edge)

    def links(self, edges: tuple[int, ...]) -> str:
        """Return the printed signs of links."""
        return self.voice.listed([self.link(edge) for edge in edges])

    def quarter(self, number: int) -> str:
        """Return a quarter's name."""
        return quarters_said(self.district, self.voice.lang)[number]

    def shelter(self, number: int) -> str:
        """Return a shelter's name."""
        return self.district.shelters[number].name


def ordered(order: Order, district: District, lang: str) -> str:
    """Return what an order asks, in a line; its reason is left out.

    Parameters
    ----------
    order : Order
        One that ``refusal_on_paper`` lets pass.
    district : District
    lang : {"fr", "en"}
    """
    return said_order(Scene(voice(lang), district), order)


def said_order(scene: Scene, order: Order) -> str:
    """Return what an order asks, as part of a sentence."""
    return _ORDERS[type(order)](scene, order)


def refused(refusal: Refusal, lang: str) -> str:
    """Return why an order is refused and what to do, without the rule's number."""
    return voice(lang).phrase(refusal.text, **dict(refusal.values))


def told_fault(where: str, refusal: Refusal, lang: str) -> str:
    """Return where a fault is, what it is and its rule: "orders.jsonl, line 3: … (§9.5)"."""
    return voice(lang).phrase(
        "{where}: {why} (§{rule})", where=where, why=refused(refusal, lang), rule=refusal.rule
    )


def _forecast(scene: Scene, order: Forecast) -> str:
    said = scene.voice.plural(
        "forecast: {n:,} hex will be cut, {hexes}",
        "forecast: {n:,} hexes will be cut, {hexes}",
        len(order.cells),
        hexes=scene.hexes(order.cells),
    )
    if order.confidence is None:
        return said
    return f"{said} ({scene.voice.label(CONFIDENCES[order.confidence])})"


def _alert(scene: Scene, order: Alert) -> str:
    say, where = scene.voice, scene.hex(order.centre)
    said = (
        say.phrase("alert within {radius} of hex {hex}", radius=order.radius, hex=where)
        if order.radius
        else say.phrase("alert hex {hex} alone", hex=where)
    )
    if order.option is None:
        return said
    return say.phrase("{alert}, option '{option}'", alert=said, option=PROTECTIONS[order.option])


def _move(scene: Scene, order: Move) -> str:
    return scene.voice.phrase("{unit}: go to hex {hex}", unit=order.unit, hex=scene.hex(order.to))


def _door_to_door(scene: Scene, order: DoorToDoor) -> str:
    return scene.voice.phrase(
        "{unit}: door to door in hex {hex}", unit=order.unit, hex=scene.hex(order.cell)
    )


def _pump(scene: Scene, order: Pump) -> str:
    return scene.voice.phrase(
        "{unit}: pump on link {link}", unit=order.unit, link=scene.link(order.link)
    )


def _footbridge(scene: Scene, order: Footbridge) -> str:
    return scene.voice.phrase(
        "{unit}: lay a footbridge on link {link}", unit=order.unit, link=scene.link(order.link)
    )


def _clear(scene: Scene, order: Clear) -> str:
    return scene.voice.phrase(
        "{unit}: clear the road on link {link}", unit=order.unit, link=scene.link(order.link)
    )


def _reserve(scene: Scene, order: Reserve) -> str:
    return scene.voice.phrase(
        "{unit}: reserve the axis {links}", unit=order.unit, links=scene.links(order.links)
    )


def _protect(scene: Scene, order: Protect) -> str:
    return scene.voice.phrase(
        "{quarter}: option '{option}'",
        quarter=scene.quarter(order.quarter),
        option=PROTECTIONS[order.option],
    )


def _close(scene: Scene, order: CloseShelter) -> str:
    return scene.voice.phrase("close {shelter}", shelter=scene.shelter(order.shelter))


def _open(scene: Scene, order: OpenShelter) -> str:
    return scene.voice.phrase("open {shelter} again", shelter=scene.shelter(order.shelter))


def _deliver(scene: Scene, order: Deliver) -> str:
    return scene.voice.phrase(
        "{unit}: bring supplies to hex {hex}", unit=order.unit, hex=scene.hex(order.cell)
    )


def _answer(scene: Scene, order: Answer) -> str:
    phrase = scene.voice.phrase
    if order.obey:
        return phrase("obey the prefecture")
    return phrase("refuse what the prefecture asks")


def _withdraw(scene: Scene, order: Withdraw) -> str:
    return scene.voice.phrase("withdraw order {number}", number=order.number)


_ORDERS: Mapping[type[Order], Callable[[Scene, Any], str]] = MappingProxyType(
    {
        Forecast: _forecast,
        Alert: _alert,
        Move: _move,
        DoorToDoor: _door_to_door,
        Pump: _pump,
        Footbridge: _footbridge,
        Clear: _clear,
        Reserve: _reserve,
        Protect: _protect,
        CloseShelter: _close,
        OpenShelter: _open,
        Deliver: _deliver,
        Answer: _answer,
        Withdraw: _withdraw,
    }
)
