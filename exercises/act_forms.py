"""How an instructor's act is written: in a journal, and by the pages of a room (§13.2, 18).

::

    {"act": "play_card", "card": "accident", "target": "2314-2315"}
    {"act": "message", "text": "…"}
    {"act": "end_exercise"}
"""

from collections.abc import Mapping
from typing import Any

from exercises.injects_file import card_named, target_from, target_label
from exercises.order_forms import LONGEST_REASON, NO_SIGN, FaultyOrderError
from sim.acts import Act, EndExercise, Message, PlayCard
from sim.district import District
from sim.errors import OrderError
from sim.refusal import refuse
from sim.scenario import Inject
from sim.signs import lone_surrogate

_FIELDS = {
    "play_card": frozenset({"card", "target"}),
    "message": frozenset({"text"}),
    "end_exercise": frozenset(),
}


def act_to_plain(district: District, act: Act) -> dict[str, Any]:
    """Return an act as plain values; turn and reason are the envelope's."""
    match act:
        case PlayCard(card=card):
            label = target_label(district, inject_of(act))
            return {"act": "play_card", "card": card.value, **({"target": label} if label else {})}
        case Message(text=text):
            return {"act": "message", "text": text}
        case EndExercise():
            return {"act": "end_exercise"}
    raise OrderError(f"no act of the rules: {type(act).__name__}")


def act_from(district: District, entry: Mapping[str, Any], turn: int, reason: str) -> Act:
    """Return an act that was written.

    Raises
    ------
    OrderError
        If it is none.
    """
    left = dict(entry)
    if sign := lone_surrogate([left, reason]):
        raise OrderError(refuse("18", NO_SIGN, sign=sign))
    kind = left.pop("act", None)
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise OrderError(
            refuse("18", 'no act; "act" is one of {known} (§13.2, 18)', known=", ".join(_FIELDS))
        )
    for name, value in left.items():
        if name not in _FIELDS[kind]:
            raise OrderError(
                refuse("18", 'unknown field "{name}" in an act {kind}', name=name[:40], kind=kind)
            )
        if not isinstance(value, str):
            raise OrderError(
                refuse(
                    "18",
                    '"{name}" of an act {kind} is no text: write it as text',
                    name=name,
                    kind=kind,
                )
            )
    if len(reason) > LONGEST_REASON:
        raise OrderError(
            refuse(
                "13.2",
                "a note of {found} characters: keep it within {most}",
                found=len(reason),
                most=LONGEST_REASON,
            )
        )
    if kind == "message":
        return Message(turn=turn, reason=reason, text=left.get("text", ""))
    if kind == "end_exercise":
        return EndExercise(turn=turn, reason=reason)
    try:
        card = card_named(left.get("card", ""))
        target = left.get("target", "")
        place = target_from(district, card, target) if target else None
    except FaultyOrderError as fault:
        raise OrderError(fault.refusal) from None
    return PlayCard(turn=turn, reason=reason, card=card, target=place)


def inject_of(act: PlayCard) -> Inject:
    """Return the inject that an act amounts to: its card falls as the next turn opens (§13.2)."""
    return Inject(turn=act.turn + 1, card=act.card, target=act.target, note=act.reason)
