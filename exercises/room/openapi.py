"""The room's interface, described for programs: OpenAPI 3.1, made from the routes that are served.

What is asked and what is answered stands here, once; which addresses there are, the routes say. An
address that nobody described is told with its parameters alone.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.routing import BaseRoute, Mount, Route

from exercises.live import LATEST
from exercises.order_forms import LONGEST_REASON, orders_schema
from exercises.room.folder import MOST_TEAMS
from exercises.room.security import COOKIE
from gis.quarter_names import every_name
from sim.conduct import MESSAGE_SIGNS
from sim.district import District
from sim.events import link_label
from sim.orders import HEX, LINK, QUARTER, SHELTER, UNIT
from sim.rules import CARDS, RULES_VERSION, Seat
from sim.seats import WHOLE_TEAM

Schema = dict[str, Any]

JSON, HTML = "application/json", "text/html; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


# --------------------------------------------------------------------------- shapes
def _thing(**fields: Schema) -> Schema:
    """Return an object that has all of these fields; later versions may add to them."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def _some(shape: Schema) -> Schema:
    return {"type": "array", "items": shape}


def _maybe(shape: Schema) -> Schema:
    return {"anyOf": [shape, {"type": "null"}]}


TEXT: Schema = {"type": "string"}
LINE: Schema = {"type": "string", "pattern": r"^[^\n]*$"}
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
ANY: Schema = {"type": "object"}
SEAT: Schema = {"enum": [WHOLE_TEAM, *(seat.value for seat in Seat)]}
SAID = {**_thing(said=LINE), "description": "Why not, in one sentence."}
TIMER = _maybe(_thing(seconds=WHOLE, left={"type": "number", "minimum": 0}, held=FLAG))
REFUSAL = _maybe(_thing(rule=TEXT, said=LINE))
EVENTS = _some(
    _thing(turn=WHOLE, said=TEXT, rule=TEXT, kind=TEXT, failed=FLAG, quarter=_maybe(WHOLE))
)
MESSAGES = _some(_thing(turn=WHOLE, text=TEXT))
PENDING = _some(_thing(number=WHOLE, said=TEXT, seat=SEAT, by_me=FLAG, reason=TEXT))
PROOF = _thing(sha256={"type": "string", "pattern": "^[0-9a-f]{64}$"}, opened=_maybe(TEXT))
CHANGES = _thing(changes=WHOLE)
HEXES = _some(TEXT)
INJECT = _thing(turn=WHOLE, card=TEXT, label=TEXT, target=TEXT, note=TEXT)
PLAYED = _thing(
    turn=WHOLE,
    card=TEXT,
    label=TEXT,
    target=TEXT,
    note=TEXT,
    origin={"enum": ["hand", "list", "deck"]},
    fell=FLAG,
    teams=_some(TEXT),
)
INJECTS = _thing(injects=_some(INJECT), scheduled=_some(INJECT), played=_some(PLAYED))
PROGRESS = _thing(
    state={"enum": ["none", "running", "ready", "stale", "failed"]},
    stage=TEXT,
    share={"type": "number", "minimum": 0, "maximum": 1},
    said=TEXT,
)
NOW = _thing(
    seq=WHOLE,
    team=_thing(key=TEXT, name=TEXT),
    seat=SEAT,
    turn=WHOLE,
    turns=WHOLE,
    phase={"enum": ["forecast", "play", "over"]},
    clock=TEXT,
    view=ANY,
    frame=_thing(transmitting=_some(WHOLE), ways=ANY, out_of_reach=_some(TEXT)),
    pending=PENDING,
    orders_left={"type": "integer"},
    events=EVENTS,
    events_from=WHOLE,
    events_total=WHOLE,
    bulletin=TEXT,
    messages=MESSAGES,
    timer=TIMER,
    over=FLAG,
    score=_maybe(ANY),
)
PREVIEW = _thing(
    price=WHOLE,
    orders_left={"type": "integer"},
    refusal=REFUSAL,
    cells=HEXES,
    fresh=HEXES,
    quarters=_some(TEXT),
    way=_maybe(_thing(cells=HEXES, stops=HEXES)),
    arrives=_maybe(WHOLE),
    effect={},
)
WHOLE_ROOM = _thing(
    seq=WHOLE,
    held=FLAG,
    truth=_thing(level=WHOLE, stands_for=TEXT, **PROOF["properties"]),
    timer_seconds=WHOLE,
    turns=WHOLE,
    teams=_some(
        _thing(
            key=TEXT,
            name=TEXT,
            turn=WHOLE,
            phase=NOW["properties"]["phase"],
            clock=TEXT,
            pending=PENDING,
            orders_left={"type": "integer"},
            bulletin=TEXT,
            messages=MESSAGES,
            over=FLAG,
            view=ANY,
            frame=ANY,
            believed=ANY,
            cards_to_play=_some(TEXT),
            events=EVENTS,
            events_from=WHOLE,
            score=ANY,
            present={"type": "object", "additionalProperties": WHOLE},
            absent={"type": "object", "additionalProperties": WHOLE},
            timer=TIMER,
        )
    ),
)
PUBLIC_NOW = _thing(
    seq=WHOLE,
    teams=_some(
        _thing(
            key=TEXT,
            name=TEXT,
            view=_thing(unveiled=_maybe(ANY)),
            clock=TEXT,
            bulletin=TEXT,
            events=EVENTS,
            timer=TIMER,
            over=FLAG,
        )
    ),
)
PAST_TURN = _thing(
    turn=WHOLE,
    clock=TEXT,
    night=FLAG,
    bulletin=TEXT,
    frame=ANY,
    believed=ANY,
    orders=_some(_thing(said=TEXT, seat=SEAT, reason=TEXT, why=TEXT)),
    events=EVENTS,
)
STORM = _thing(
    level=WHOLE,
    is_mild=FLAG,
    usual_turns=WHOLE,
    stands_for=TEXT,
    clocks=_some(TEXT),
    frame=ANY,
    threatened=WHOLE,
    threatened_hexes=WHOLE,
    first_cut=_maybe(WHOLE),
    half_cut=_maybe(WHOLE),
    maximum={"type": "number"},
)
UNVEILED = _thing(
    level=WHOLE,
    stands_for=TEXT,
    cut_on_foot=_some(WHOLE),
    teams=_some(
        _thing(key=TEXT, name=TEXT, frame=ANY, turns_played=WHOLE, forecast=_some(WHOLE), score=ANY)
    ),
)
LINKS = _thing(links=_some(_thing(team=_maybe(TEXT), address=TEXT, qr=TEXT)))
GROUND = _thing(board=ANY, rules=ANY, schema=ANY)


def _order_shape() -> Schema:
    """How a page writes an order: as a file does, but the turn may be left out, the reason is."""
    kinds = []
    of_files: Any = orders_schema()["oneOf"]
    for kind in of_files:
        fields = {name: _placed(field) for name, field in kind["properties"].items()}
        del fields["reason"]
        fields["turn"] = {"type": "integer", "minimum": -LATEST, "maximum": LATEST}
        shape = {**kind, "properties": fields}
        shape["required"] = [name for name in kind["required"] if name != "turn"]
        del shape["examples"]  # of another district
        kinds.append(shape)
    return {"oneOf": kinds}


def _placed(field: Schema) -> Schema:
    """Return a field whose hexes, links, quarters and shelters are those of this room."""
    if field.get("type") == "array":
        return {**field, "items": _placed(field["items"])}
    name = str(field.get("description", "")).partition(",")[0]
    if name == UNIT:  # one that the team has not is refused by the rules
        return {**field, "pattern": ""}
    return {"$ref": f"#/components/schemas/{name}"} if name in _PLACES else field


_PLACES = frozenset({HEX, LINK, QUARTER, SHELTER})


def _names_of(district: District, keys: tuple[str, ...]) -> Schema:
    links = sorted(link_label(district.sheet, edge) for edge in range(district.sheet.n_edges))
    return {
        HEX: {"enum": [district.sheet.label(cell) for cell in range(district.sheet.n_hexes)]},
        LINK: {"enum": links},
        QUARTER: {"enum": sorted({name for names in every_name(district) for name in names})},
        SHELTER: {"enum": [shelter.name for shelter in district.shelters]},
        "team": {
            "enum": [*keys, None],
            "description": "Key of a team; null, or left out, for all that still play.",
        },
        "turns": {
            **_sent(**{key: {**WHOLE, "maximum": LATEST} for key in keys}),
            "description": "Where each team stood when this was decided: refused (409) where one "
            "has gone on since, so that a second click, or a second console, does nothing twice.",
        },
    }


def _sent(required: Iterable[str] = (), **fields: Schema) -> Schema:
    shape = {"type": "object", "properties": fields, "required": list(required)}
    return {**shape, "additionalProperties": False}


_REASON: Schema = {"type": "string", "maxLength": LONGEST_REASON}
ORDER = _sent(("order",), seat=SEAT, order=_order_shape(), reason=_REASON)
TEAM_MEANT: Schema = {"$ref": "#/components/schemas/team"}
SEEN: Schema = {"$ref": "#/components/schemas/turns"}


# --------------------------------------------------------------------------- calls
@dataclass(frozen=True, slots=True)
class Call:
    """What is asked at an address, and answered.

    Attributes
    ----------
    said : str
        What it is for.
    answer : dict
        Shape of a 200 in JSON; empty for anything.
    query : dict of str to dict
        Parameters, none of them required.
    body : dict, optional
        Shape of what is sent, in JSON.
    media : str
        Of what is answered.
    raw : bool
        Whether a file is sent as it is.
    conflicts : bool
        Whether it is refused where a team has gone on since (409).

    """

    said: str
    answer: Schema = field(default_factory=dict)
    query: Mapping[str, Schema] = field(default_factory=dict)
    body: Schema | None = None
    media: str = JSON
    raw: bool = False
    conflicts: bool = False


_SEAT_ASKED = {"seat": SEAT}
_CALLS: Mapping[tuple[str, str], Call] = {
    ("GET", "/t/{key}/api/ground"): Call("Board, rules and how orders are written.", GROUND),
    ("GET", "/t/{key}/api/now"): Call(
        "What a seat knows now; of events those after the first `since`.",
        NOW,
        {**_SEAT_ASKED, "since": {**WHOLE, "maximum": 999_999_999}},
    ),
    ("GET", "/t/{key}/api/proof"): Call("Salted hash of the hidden truth.", PROOF),
    ("GET", "/t/{key}/api/targets"): Call(
        "Where a unit may be ordered, by kind of order.",
        {"type": "object", "additionalProperties": HEXES},
        {**_SEAT_ASKED, "unit": TEXT},
    ),
    ("POST", "/t/{key}/api/orders"): Call(
        "Give an order: it is in the journal once this is answered.",
        _thing(accepted=FLAG, refusal=REFUSAL, number=WHOLE, seq=WHOLE),
        body=ORDER,
    ),
    ("POST", "/t/{key}/api/preview"): Call(
        "What an order would do, as far as the team knows.", PREVIEW, body=ORDER
    ),
    ("GET", "/i/api/ground"): Call("Board, rules and how orders are written.", GROUND),
    ("GET", "/i/api/now"): Call("Everything, of every team.", WHOLE_ROOM),
    ("POST", "/i/api/advance"): Call(
        "Resolve the turn and open the next.",
        CHANGES,
        body=_sent(team=TEAM_MEANT, turns=SEEN),
        conflicts=True,
    ),
    ("POST", "/i/api/hold"): Call(
        "Let the timers stand still, or run on.",
        _thing(held=FLAG),
        body=_sent(("held",), held=FLAG),
    ),
    ("POST", "/i/api/teams"): Call(
        f"Let another team begin; a room has {MOST_TEAMS}.",
        _thing(key=TEXT),
        body=_sent(("name",), name={**TEXT, "examples": ["Green"]}),
    ),
    ("POST", "/i/api/card"): Call(
        "Have a card fall as the next turn opens.",
        CHANGES,
        body=_sent(
            ("card",),
            team=TEAM_MEANT,
            card={"enum": [card.value for card in CARDS]},
            target=_maybe(TEXT),
            note=_maybe(TEXT),
            turns=SEEN,
        ),
        conflicts=True,
    ),
    ("POST", "/i/api/message"): Call(
        "Tell the teams something.",
        CHANGES,
        body=_sent(
            ("text",),
            team=TEAM_MEANT,
            text={"type": "string", "minLength": 1, "maxLength": MESSAGE_SIGNS},
        ),
    ),
    ("POST", "/i/api/end"): Call(
        "End the exercise where it stands.",
        CHANGES,
        body=_sent(team=TEAM_MEANT, reason=_maybe(_REASON), turns=SEEN),
        conflicts=True,
    ),
    ("GET", "/i/api/injects"): Call("The list of cards to play by hand.", INJECTS),
    ("POST", "/i/api/injects"): Call(
        "Put another list in its place.", INJECTS, {"name": TEXT}, raw=True
    ),
    ("GET", "/i/files/injects.xlsx"): Call("The list as a workbook.", media=XLSX),
    ("GET", "/i/api/forms.pdf"): Call(
        "What a team plays with on paper, as a PDF; so many turns have a form of their own.",
        query={"order_turns": {**WHOLE, "maximum": 999_999_999}},
        media="application/pdf",
    ),
    ("GET", "/i/api/debrief"): Call("How far the debrief pack is.", PROGRESS),
    ("POST", "/i/api/debrief"): Call(
        "Begin to write it.", PROGRESS, body=_sent(lang=_maybe({"enum": ["fr", "en"]}))
    ),
    ("GET", "/i/files/debrief.zip"): Call("The pack.", media="application/zip"),
    ("GET", "/i/api/turn/{team}/{turn}"): Call("A past turn: as seen, and as it was.", PAST_TURN),
    ("GET", "/i/api/preview-storm"): Call("The storm as it will be.", STORM),
    ("GET", "/i/api/links"): Call("Links of the teams, with their codes.", LINKS),
    ("POST", "/i/api/links"): Call(
        "End the link of a team, null for the screen's, with all that came by it; another is made.",
        LINKS,
        body=_sent(("team",), team=TEAM_MEANT),
    ),
    ("GET", "/i/api/openapi.json"): Call("This description.", ANY),
    ("GET", "/p/api/ground"): Call("Board, rules and how orders are written.", GROUND),
    ("GET", "/p/api/now"): Call("What anybody may see of the teams.", PUBLIC_NOW),
    ("GET", "/p/api/proof"): Call("Salted hash of the hidden truth.", PROOF),
    ("GET", "/p/api/unveiled"): Call("The storm, once nobody plays it any more.", UNVEILED),
}


# --------------------------------------------------------------------------- the document
def described(routes: Iterable[BaseRoute], district: District, keys: Iterable[str]) -> Schema:
    """Return the interface of a room as an OpenAPI document.

    Parameters
    ----------
    routes : iterable of Route or Mount
        As the application serves them; pages, links and static files are left out.
    district : District
        As its players know it.
    keys : iterable of str
        Keys of the teams.
    """
    paths: dict[str, Schema] = {}
    known = tuple(keys)
    for method, path, kinds in _addresses(routes, ""):
        if "/api/" in path or "/files/" in path:
            call = _CALLS.get((method, path), Call(""))
            paths.setdefault(path, {})[method.lower()] = _operation(path, kinds, call, known)
    return {
        "openapi": "3.1.0",
        "info": {"title": "A room of averse", "version": RULES_VERSION},
        "paths": paths,
        "components": {
            "schemas": _names_of(district, known),
            "securitySchemes": {"cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
        "security": [{"cookie": []}],
    }


def undescribed(routes: Iterable[BaseRoute]) -> list[str]:
    """Return the calls that are served and not described here."""
    served = [(method, path) for method, path, _ in _addresses(routes, "") if "/api/" in path]
    return [f"{method} {path}" for method, path in served if (method, path) not in _CALLS]


def _addresses(
    routes: Iterable[BaseRoute], before: str
) -> Iterable[tuple[str, str, Mapping[str, str]]]:
    """Yield method, path and kinds of its whole numbers of every address that is served."""
    for route in routes:
        if isinstance(route, Mount):
            yield from _addresses(route.routes, before + route.path)
        elif isinstance(route, Route):
            kinds = dict(re.findall(r"{(\w+):(\w+)}", route.path))
            path = re.sub(r":\w+}", "}", before + route.path)
            for method in sorted((route.methods or set()) - {"HEAD"}):
                yield method, path, kinds


def _operation(path: str, kinds: Mapping[str, str], call: Call, keys: tuple[str, ...]) -> Schema:
    answers: dict[str, Schema] = {"200": _content(call.media, call.answer)}
    refusals = {"400", "403", *(("404",) if "{" in path or "/files/" in path else ())}
    if call.body is not None or call.raw:
        refusals |= {"413"}
    if call.conflicts:
        refusals |= {"409"}
    answers |= {status: _content(JSON, SAID) for status in sorted(refusals)}
    operation: Schema = {
        "summary": call.said,
        "parameters": [
            *(_parameter("path", name, kinds, keys) for name in re.findall(r"{(\w+)}", path)),
            *(_query(name, shape) for name, shape in call.query.items()),
            _query("lang", TEXT),
        ],
        "responses": answers,
    }
    if call.body is not None:
        operation["requestBody"] = {"required": True, **_asked(JSON, call.body)}
    elif call.raw:
        operation["requestBody"] = {"required": True, **_asked("application/octet-stream", {})}
    return operation


def _content(media: str, shape: Schema) -> Schema:
    return {"description": shape.get("description", "As asked."), **_asked(media, shape)}


def _asked(media: str, shape: Schema) -> Schema:
    return {"content": {media: {"schema": shape}}}


def _parameter(where: str, name: str, kinds: Mapping[str, str], keys: tuple[str, ...]) -> Schema:
    shape: Schema = {"enum": list(keys)} if name in {"key", "team"} else TEXT
    if kinds.get(name) == "int":
        shape = WHOLE
    return {"in": where, "name": name, "required": True, "schema": shape}


def _query(name: str, shape: Schema) -> Schema:
    return {"in": "query", "name": name, "required": False, "schema": shape}
