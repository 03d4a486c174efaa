"""What happened, one sentence an event, in French or English: the lines of the event log (§18)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from exercises.moment_words import bulletin_text
from exercises.order_words import Scene, refused, said_order
from exercises.voice import mark, voice
from sim.district import District
from sim.events import (
    AlertRolled,
    Arrived,
    BulletinIssued,
    CardDrawn,
    CardHidden,
    CardPlanned,
    Delivered,
    Event,
    ExerciseEnded,
    Found,
    HexesCut,
    InjunctionAnswered,
    InjunctionSettled,
    Isolated,
    LeftArea,
    LossRolled,
    MessageSent,
    Observed,
    Obstructed,
    OrderRefused,
    OrderTaken,
    OrderWithdrawn,
    PreparationRolled,
    ProtectionSet,
    QuarterAlerted,
    Reported,
    RoutesLost,
    RoutesTaken,
    ShelterClosed,
    ShelterFull,
    UnitBlocked,
    UnitMoved,
    WorkDone,
    WorkReady,
)
from sim.rules import (
    ACTIONS,
    ALERTS,
    BOAT_MOBILITY,
    CARDS,
    COUNTER_STEP,
    PREPARATION_DELAY_TURNS,
    PROTECTIONS,
    WATERS,
    Action,
    AlertMeans,
    Card,
    Protection,
    UnitKind,
    Water,
)
from sim.unit import kind_of
from sim.units import AFLOAT

MM_A_CM = 10
MINUS = "\u2212"


def told(event: Event, district: District, lang: str) -> str:
    """Return what happened as a sentence for whoever may see the event (``event.for_side``).

    Parameters
    ----------
    event : Event
    district : District
    lang : {"fr", "en"}
    """
    said = _EVENTS[type(event)](Scene(voice(lang), district), event)
    return said[:1].upper() + said[1:]


# --------------------------------------------------------------------------- orders
def _taken(scene: Scene, event: OrderTaken) -> str:
    said = said_order(scene, event.order)
    if not event.order.reason:
        return scene.voice.phrase("order: {order}", order=said)
    return scene.voice.phrase("order: {order}; reason: {why}", order=said, why=event.order.reason)


def _withdrawn(scene: Scene, event: OrderWithdrawn) -> str:
    return scene.voice.phrase("order withdrawn: {order}", order=said_order(scene, event.order))


def _refused(scene: Scene, event: OrderRefused) -> str:
    # the order itself may name what does not exist: the refusal says which
    return scene.voice.phrase(
        "order refused by rule {rule}: {why}",
        rule=event.by_rule,
        why=refused(event.refusal, scene.voice.lang),
    )


# --------------------------------------------------------------------------- units
def _moved(scene: Scene, event: UnitMoved) -> str:
    values = {
        "unit": event.unit,
        "start": scene.hex(event.from_cell),
        "end": scene.hex(event.to_cell),
    }
    if event.points is None:
        return scene.voice.phrase("{unit}: from hex {start} to {end}", **values)
    if kind_of(event.unit) is UnitKind.BOAT:
        # towed or afloat, a boat spends shares of its turn (§5.1)
        return scene.voice.phrase(
            "{unit}: from hex {start} to {end}, {spent} of the {whole} shares of its turn",
            spent=event.points,
            whole=AFLOAT * BOAT_MOBILITY,
            **values,
        )
    return scene.voice.plural(
        "{unit}: from hex {start} to {end}, {n} point",
        "{unit}: from hex {start} to {end}, {n} points",
        event.points,
        **values,
    )


def _blocked(scene: Scene, event: UnitBlocked) -> str:
    return scene.voice.phrase(
        "{unit}: stopped on hex {hex}, no open way towards {towards}",
        unit=event.unit,
        hex=scene.hex(event.at_cell),
        towards=scene.hex(event.towards_cell),
    )


def _ready(scene: Scene, event: WorkReady) -> str:
    return scene.voice.phrase(
        "{unit}: '{action}' takes effect on {links}",
        unit=event.unit,
        action=ACTIONS[Action(event.action)],
        links=scene.links(event.links),
    )


def _done(scene: Scene, event: WorkDone) -> str:
    return scene.voice.phrase(
        "{unit}: road cleared on {links}, the unit is free",
        unit=event.unit,
        links=scene.links(event.links),
    )


def _delivered(scene: Scene, event: Delivered) -> str:
    return scene.voice.phrase(
        "{unit}: supplies brought to {quarter}",
        unit=event.unit,
        quarter=scene.quarter(event.quarter),
    )


# --------------------------------------------------------------------------- knowledge
def _observed(scene: Scene, event: Observed) -> str:
    wet = [
        f"{scene.hex(cell)} ({scene.voice.number(depth // MM_A_CM)} cm)"
        for cell, depth in zip(event.cells, event.depth_mm, strict=True)
        if depth >= WATERS[Water.SLOWED].from_mm
    ]
    if not wet:
        return scene.voice.plural(
            "{n:,} hex seen, not under water",
            "{n:,} hexes seen, none under water",
            len(event.cells),
        )
    return scene.voice.plural(
        "{n:,} hex seen, under water: {wet}",
        "{n:,} hexes seen, of which under water: {wet}",
        len(event.cells),
        wet=scene.voice.listed(wet),
    )


def _reported(scene: Scene, event: Reported) -> str:
    said = [
        f"{scene.hex(cell)} ({scene.voice.label(WATERS[Water(water)])})"
        for cell, water in zip(event.cells, event.water, strict=True)
    ]
    return scene.voice.phrase("residents report: {hexes}", hexes=scene.voice.listed(said))


def _bulletin(scene: Scene, event: BulletinIssued) -> str:
    said = bulletin_text(event.levels, scene.district.is_literal, scene.voice.lang)
    return scene.voice.phrase("bulletin: {said}", said=said)


def _found(scene: Scene, event: Found) -> str:
    return scene.voice.plural(
        "found gone: link {links}",
        "found gone: links {links}",
        len(event.links),
        links=scene.links(event.links),
    )


def _obstructed(scene: Scene, event: Obstructed) -> str:
    return scene.voice.plural(
        "left to be cleared by deep water or an accident: link {links}",
        "left to be cleared by deep water or an accident: links {links}",
        len(event.links),
        links=scene.links(event.links),
    )


def _cut(scene: Scene, event: HexesCut) -> str:
    return scene.voice.plural(
        "{n:,} hex loses its last dry way to a shelter: {hexes}",
        "{n:,} hexes lose their last dry way to a shelter: {hexes}",
        len(event.cells),
        hexes=scene.hexes(event.cells),
    )


# --------------------------------------------------------------------------- decisions
def _protection(scene: Scene, event: ProtectionSet) -> str:
    return scene.voice.phrase(
        "{quarter}: option '{option}'",
        quarter=scene.quarter(event.quarter),
        option=PROTECTIONS[Protection(event.option)],
    )


def _shelter_closed(scene: Scene, event: ShelterClosed) -> str:
    name = scene.shelter(event.shelter)
    if event.closed:
        return scene.voice.phrase("{shelter} closes", shelter=name)
    return scene.voice.phrase("{shelter} opens again", shelter=name)


def _answered(scene: Scene, event: InjunctionAnswered) -> str:
    values = {"quarter": scene.quarter(event.quarter), "capital": event.capital}
    if event.obeyed:
        return scene.voice.phrase(
            "the prefecture is obeyed for {quarter}; political capital: {capital}", **values
        )
    return scene.voice.phrase(
        "the prefecture is refused for {quarter}; political capital: {capital}", **values
    )


def _settled(scene: Scene, event: InjunctionSettled) -> str:
    return scene.voice.phrase(
        "{quarter} was not threatened: the refusal was right; political capital: {capital}",
        quarter=scene.quarter(event.quarter),
        capital=event.capital,
    )


# --------------------------------------------------------------------------- cards
# what each card does, by §13.1; the fields are those of ``_card``
_CARD_EFFECTS: Mapping[Card, str] = MappingProxyType(
    {
        Card.ACCIDENT: mark("{card}: link {links} is cut for {turns} turns"),
        Card.ROADWORKS: mark("{card}: link {links} no longer exists, and nobody knows"),
        Card.JAM: mark("{card}: vehicles crawl for {turns} turns on {hexes}"),
        Card.COUNTER_CURRENT: mark("{card}: people of {quarter} turn back"),
        Card.STAMPEDE: mark("{card}: {shelter} turns people away for {turns} turns"),
        Card.POWER_CUT: mark(
            "{card}: no radio, no report, no station for {turns} turns on {hexes}"
        ),
        Card.RUMOUR: mark("{card}: alarming reports from {quarter}, which is dry, on {hexes}"),
        Card.REINFORCEMENT: mark("{card}: new patrols on {hexes}"),
        Card.INJUNCTION: mark("{card}: the prefecture wants {quarter} evacuated; obey or refuse"),
    }
)


def _planned(scene: Scene, event: CardPlanned) -> str:
    card = CARDS[Card(event.card)]
    on = (
        *(scene.hex(cell) for cell in event.cells),
        *(scene.link(link) for link in event.links),
        *(() if event.quarter is None else (scene.quarter(event.quarter),)),
        *(() if event.shelter is None else (scene.shelter(event.shelter),)),
    )
    if not on:
        return scene.voice.phrase("the instructor has a card fall next turn, {card}", card=card)
    return scene.voice.phrase(
        "the instructor has a card fall next turn, {card}: {target}", card=card, target=on[0]
    )


def _message(scene: Scene, event: MessageSent) -> str:
    return scene.voice.phrase("message from the instructor: {said}", said=event.text)


def _ended(scene: Scene, event: ExerciseEnded) -> str:
    return scene.voice.phrase("the instructor ends the exercise")


def _card(scene: Scene, event: CardDrawn) -> str:
    card = Card(event.card)
    struck = event.links or event.cells or (event.quarter, event.shelter) != (None, None)
    if not struck:
        return scene.voice.phrase("card, {card}: nothing for it to strike", card=CARDS[card])
    said = scene.voice.phrase(
        _CARD_EFFECTS[card],
        card=CARDS[card],
        links=scene.links(event.links),
        hexes=scene.hexes(event.cells),
        quarter="" if event.quarter is None else scene.quarter(event.quarter),
        shelter="" if event.shelter is None else scene.shelter(event.shelter),
        turns=CARDS[card].lasts_turns or 0,
    )
    return scene.voice.phrase("card, {effect}", effect=said)


# --------------------------------------------------------------------------- alerts
def _alerted(scene: Scene, event: AlertRolled) -> str:
    values = {
        "quarter": scene.quarter(event.quarter),
        "means": ALERTS[AlertMeans(event.means)],
        "roll": _roll(scene, event.dice, event.modifier),
    }
    if not event.success:
        return scene.voice.phrase("{quarter}, {means}{roll}: the alert fails", **values)
    return scene.voice.plural(
        "{quarter}, {means}{roll}: {n:,} hex alerted, {hexes}",
        "{quarter}, {means}{roll}: {n:,} hexes alerted, {hexes}",
        len(event.cells),
        hexes=scene.hexes(event.cells),
        **values,
    )


def _roll(scene: Scene, dice: int | None, modifier: int) -> str:
    """Sum of two dice and what is added to it, such as " (7 − 2)"; nothing without dice."""
    if dice is None:
        return ""
    if not modifier:
        return f" ({dice})"
    return f" ({dice} {'+' if modifier > 0 else MINUS} {abs(modifier)})"


def _all_alerted(scene: Scene, event: QuarterAlerted) -> str:
    return scene.voice.plural(
        "{quarter}, as the prefecture demands, without order nor roll: {n:,} hex alerted, {hexes}",
        "{quarter}, as the prefecture demands, without order nor roll: {n:,} hexes alerted, "
        "{hexes}",
        len(event.cells),
        quarter=scene.quarter(event.quarter),
        hexes=scene.hexes(event.cells),
    )


def _prepared(scene: Scene, event: PreparationRolled) -> str:
    values = {
        "quarter": scene.quarter(event.quarter),
        "roll": _roll(scene, event.dice, event.modifier),
    }
    if event.success:
        return scene.voice.phrase("{quarter}{roll}: ready, people start at once", **values)
    return scene.voice.plural(
        "{quarter}{roll}: not ready, people start {n} turn late",
        "{quarter}{roll}: not ready, people start {n} turns late",
        PREPARATION_DELAY_TURNS,
        **values,
    )


# --------------------------------------------------------------------------- evacuation
def _routes(scene: Scene, event: RoutesTaken) -> str:
    rim = scene.voice.phrase("the rim of the sheet, by bus")
    ways = [
        scene.voice.plural(
            "{hex} to {goal} ({n} turn)",
            "{hex} to {goal} ({n} turns)",
            -(-target // COUNTER_STEP),
            hex=scene.hex(cell),
            goal=scene.shelter(shelter) if shelter >= 0 else rim,
        )
        for cell, shelter, target in zip(event.cells, event.shelters, event.targets, strict=True)
    ]
    return scene.voice.phrase("on their way: {ways}", ways=scene.voice.listed(ways))


def _stranded(scene: Scene, event: RoutesLost) -> str:
    return scene.voice.plural(
        "{n:,} hex waits, alerted, without an open route: {hexes}",
        "{n:,} hexes wait, alerted, without an open route: {hexes}",
        len(event.cells),
        hexes=scene.hexes(event.cells),
    )


def _arrived(scene: Scene, event: Arrived) -> str:
    if event.people is None:
        return _evacuated(scene, event.cell)
    values = {
        "hex": scene.hex(event.cell),
        "people": scene.voice.people(event.people),
        "shelter": scene.shelter(event.shelter),
    }
    if event.complete:
        return scene.voice.phrase("hex {hex} is evacuated: {people} at {shelter}", **values)
    return scene.voice.phrase(
        "hex {hex}: {people} at {shelter}, the others look for another shelter", **values
    )


def _evacuated(scene: Scene, cell: int) -> str:
    """Say of a hex what the map shows: nobody counted."""
    return scene.voice.phrase("hex {hex} is evacuated", hex=scene.hex(cell))


def _left(scene: Scene, event: LeftArea) -> str:
    if event.people is None:
        return _evacuated(scene, event.cell)
    return scene.voice.phrase(
        "hex {hex} is evacuated: {people} out of the area by bus",
        hex=scene.hex(event.cell),
        people=scene.voice.people(event.people),
    )


def _full(scene: Scene, event: ShelterFull) -> str:
    return scene.voice.phrase("{shelter} is full", shelter=scene.shelter(event.shelter))


def _isolated(scene: Scene, event: Isolated) -> str:
    values = {
        "quarter": scene.quarter(event.quarter),
        "hexes": scene.hexes(event.cells),
    }
    if not event.people:
        return scene.voice.plural(
            "{quarter} is isolated and uses {n} point of supplies: {hexes}",
            "{quarter} is isolated and uses {n} points of supplies: {hexes}",
            event.need,
            **values,
        )
    return scene.voice.plural(
        "{quarter} is isolated and lacks supplies ({n} point needed), victims for want of them "
        "among all who are still there: {people}; upstairs, evacuated hexes included: {upstairs}; "
        "{hexes}",
        "{quarter} is isolated and lacks supplies ({n} points needed), victims for want of them "
        "among all who are still there: {people}; upstairs, evacuated hexes included: {upstairs}; "
        "{hexes}",
        event.need,
        people=scene.voice.people(event.people),
        upstairs=scene.voice.people(event.upstairs),
        **values,
    )


def _lost(scene: Scene, event: LossRolled) -> str:
    values = {
        "quarter": scene.quarter(event.quarter),
        "roll": _roll(scene, event.dice, 0),
        "hexes": scene.hexes(event.cells),
    }
    if not event.success:
        return scene.voice.phrase("{quarter}{roll}: hostile water, no victim; {hexes}", **values)
    return scene.voice.phrase(
        "{quarter}{roll}: hostile water, victims among those neither upstairs nor in a shelter: "
        "on their way, {walking}; on the ground floor or in the streets, {below}; {hexes}",
        walking=scene.voice.people(event.on_their_way),
        below=scene.voice.people(event.people - event.on_their_way),
        **values,
    )


_EVENTS: Mapping[type[Event], Callable[[Scene, Any], str]] = MappingProxyType(
    {
        OrderTaken: _taken,
        OrderWithdrawn: _withdrawn,
        OrderRefused: _refused,
        UnitMoved: _moved,
        UnitBlocked: _blocked,
        WorkReady: _ready,
        WorkDone: _done,
        Delivered: _delivered,
        Observed: _observed,
        Reported: _reported,
        BulletinIssued: _bulletin,
        Found: _found,
        Obstructed: _obstructed,
        HexesCut: _cut,
        ProtectionSet: _protection,
        ShelterClosed: _shelter_closed,
        InjunctionAnswered: _answered,
        InjunctionSettled: _settled,
        CardDrawn: _card,
        CardHidden: _card,
        CardPlanned: _planned,
        MessageSent: _message,
        ExerciseEnded: _ended,
        AlertRolled: _alerted,
        QuarterAlerted: _all_alerted,
        PreparationRolled: _prepared,
        RoutesTaken: _routes,
        RoutesLost: _stranded,
        Arrived: _arrived,
        LeftArea: _left,
        ShelterFull: _full,
        Isolated: _isolated,
        LossRolled: _lost,
    }
)
