"""The instructor's pages: everything is seen, turns are advanced (§13, 14, 18)."""

from dataclasses import asdict
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from exercises.family import INSTRUCTOR
from exercises.room.console_words import console_page
from exercises.room.debriefing import progress_of
from exercises.room.inject_list import (
    MOST_BYTES,
    listed,
    load_list,
    played,
    scheduled,
    workbook,
)
from exercises.room.routes import (
    NO_STORE,
    AsAsked,
    answer,
    classroom_of,
    ground,
    join,
    lang_of,
    live,
    page_behind,
    require,
    told,
)
from exercises.room.security import body_of, object_of
from exercises.voice import voice
from sim.refusal import refuse
from sim.severity_words import LANGUAGES

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

PREFIX = "/i"


async def _join(request: Request) -> Response:
    return await join(request, PREFIX)


def _page(request: Request) -> Response:
    return page_behind(request, PREFIX, "console.html", **console_page(lang_of(request)))


def _ground(request: Request) -> Response:
    require(request, PREFIX)
    return ground(request)


def _now(request: Request) -> Response:
    require(request, PREFIX)
    return answer(request, classroom_of(request).whole(lang_of(request)))


async def _sent(request: Request, *names: str) -> dict[str, Any]:
    """Return what was sent, none but these names in it."""
    await run_in_threadpool(require, request, PREFIX)
    sent = object_of(await body_of(request))
    if unknown := sorted(set(sent) - set(names)):
        raise ValueError(
            refuse(
                "",
                "unknown field {name}; it has {known}",
                name=f"{unknown[0]!a:.40}",
                known=", ".join(names),
            )
        )
    return sent


def _team_of(sent: dict[str, Any]) -> str | None:
    team = sent.get("team")
    if team is not None and not isinstance(team, str):
        raise ValueError(refuse("", '"team" is the key of a team, or null for all'))
    return team


def _turns_of(sent: dict[str, Any]) -> dict[str, int]:
    """Return where the teams stood when this was decided, by key."""
    turns = sent.get("turns", {})
    if not isinstance(turns, dict) or not all(type(turn) is int for turn in turns.values()):
        raise ValueError(refuse("", '"turns" is the turn of each team, by its key'))
    return turns


async def _advance(request: Request) -> Response:
    sent = await _sent(request, "team", "turns")
    room = classroom_of(request).room
    await run_in_threadpool(room.advance, _team_of(sent), _turns_of(sent))
    return told({"changes": room.changes})


async def _hold(request: Request) -> Response:
    sent = await _sent(request, "held")
    held = sent.get("held")
    if not isinstance(held, bool):
        raise ValueError(refuse("", '"held" is true or false'))
    room = classroom_of(request).room
    await run_in_threadpool(room.hold, held)
    return told({"held": held})


async def _teams(request: Request) -> Response:
    sent = await _sent(request, "name")
    key = await run_in_threadpool(classroom_of(request).room.add_team, _text(sent, "name"))
    return told({"key": key})


async def _card(request: Request) -> Response:
    sent = await _sent(request, "team", "card", "target", "note", "turns")
    room = classroom_of(request).room
    given = (_team_of(sent), _text(sent, "card"), _text(sent, "target"), _text(sent, "note"))
    await run_in_threadpool(room.play_card, *given, _turns_of(sent))
    return told({"changes": room.changes})


async def _message(request: Request) -> Response:
    sent = await _sent(request, "team", "text")
    room = classroom_of(request).room
    await run_in_threadpool(room.message, _team_of(sent), _text(sent, "text"))
    return told({"changes": room.changes})


async def _end(request: Request) -> Response:
    sent = await _sent(request, "team", "reason", "turns")
    room = classroom_of(request).room
    await run_in_threadpool(room.end, _team_of(sent), _text(sent, "reason"), _turns_of(sent))
    return told({"changes": room.changes})


def _text(sent: dict[str, Any], name: str) -> str:
    """Return a text that was sent; '' where it was left out."""
    value = sent.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(refuse("", '"{name}" is a text', name=name))
    return value


# --------------------------------------------------------------------------- injects, debrief
def _injects(request: Request) -> Response:
    require(request, PREFIX)
    room, lang = classroom_of(request).room, lang_of(request)
    cards = {"injects": listed, "scheduled": scheduled, "played": played}
    return told({name: made(room, lang) for name, made in cards.items()})


async def _load_injects(request: Request) -> Response:
    await run_in_threadpool(require, request, PREFIX)
    content = await body_of(request, MOST_BYTES)
    room = classroom_of(request).room
    await run_in_threadpool(load_list, room, request.query_params.get("name", ""), content)
    return await run_in_threadpool(_injects, request)


def _workbook(request: Request) -> Response:
    require(request, PREFIX)
    content = workbook(classroom_of(request).room, lang_of(request))
    headers = {**NO_STORE, "content-disposition": 'attachment; filename="injects.xlsx"'}
    return Response(content, media_type=XLSX, headers=headers)


def _debrief(request: Request) -> Response:
    require(request, PREFIX)
    classroom = classroom_of(request)
    return told(asdict(progress_of(classroom.debriefing, classroom.room, lang_of(request))))


async def _write_debrief(request: Request) -> Response:
    sent = await _sent(request, "lang")
    lang = _text(sent, "lang") or lang_of(request)
    if lang not in LANGUAGES:
        raise ValueError(refuse("", '"lang" is one of {known}', known=", ".join(LANGUAGES)))
    debriefing = classroom_of(request).debriefing
    await run_in_threadpool(debriefing.begin, lang)
    return told(asdict(debriefing.progress))


def _archive(request: Request) -> Response:
    require(request, PREFIX)
    archive = classroom_of(request).debriefing.archive
    if not archive.is_file():
        raise HTTPException(404, voice(lang_of(request)).phrase("no debrief was written yet"))
    return FileResponse(archive, filename=archive.name, headers=NO_STORE)


async def _live(socket: WebSocket) -> None:
    room = classroom_of(socket).room
    try:
        await run_in_threadpool(require, socket, PREFIX)
    except HTTPException:
        await socket.close(1008)
        return
    await live(
        socket,
        PREFIX,
        lambda hears: room.listen(INSTRUCTOR, hears),
        lambda: {"seq": room.changes},
    )


INSTRUCTOR_ROUTES = [
    Route("/join", _join),
    Route("/", _page),
    Route("/api/ground", _ground),
    Route("/api/now", _now),
    Route("/api/advance", _advance, methods=["POST"]),
    Route("/api/hold", _hold, methods=["POST"]),
    Route("/api/teams", _teams, methods=["POST"]),
    Route("/api/card", _card, methods=["POST"]),
    Route("/api/message", _message, methods=["POST"]),
    Route("/api/end", _end, methods=["POST"]),
    Route("/api/injects", _injects),
    Route("/api/injects", _load_injects, methods=["POST"]),
    Route("/files/injects.xlsx", _workbook),
    Route("/api/debrief", _debrief),
    Route("/api/debrief", _write_debrief, methods=["POST"]),
    Route("/files/debrief.zip", _archive, middleware=[Middleware(AsAsked)]),
    WebSocketRoute("/api/live", _live),
]
