"""What the instructor's console asks beside the state of now: past turns, the storm, links."""

from typing import Any

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exercises.room.classroom import Classroom, team_prefix
from exercises.room.observer import storm_of, turn_of
from exercises.room.printing import ORDER_TURNS, forms_of
from exercises.room.routes import NO_STORE, classroom_of, lang_of, number_of, require, told
from exercises.room.security import body_of, object_of
from sim.refusal import refuse

Plain = dict[str, Any]
_INSTRUCTOR, _PUBLIC = "/i", "/p"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


def _turn(request: Request) -> Response:
    require(request, _INSTRUCTOR)
    asked = request.path_params
    classroom, lang = classroom_of(request), lang_of(request)
    key, turn = asked["team"], asked["turn"]

    def made() -> Plain:
        return turn_of(classroom.room, key, turn, lang)

    if turn < classroom.room.desk(key).turn:  # nothing changes it any more
        return told(classroom.kept(("turn", key, turn, lang), made))
    return told(made())


def _storm(request: Request) -> Response:
    require(request, _INSTRUCTOR)
    classroom, lang = classroom_of(request), lang_of(request)
    return told(classroom.kept(("storm", lang), lambda: storm_of(classroom.room, lang)))


async def _links(request: Request) -> Response:
    await run_in_threadpool(require, request, _INSTRUCTOR)
    return told(await run_in_threadpool(links_of, classroom_of(request), _base(request)))


async def _renew(request: Request) -> Response:
    await run_in_threadpool(require, request, _INSTRUCTOR)
    sent = object_of(await body_of(request))
    team = sent.get("team")
    if set(sent) != {"team"} or not (team is None or isinstance(team, str)):
        raise ValueError(
            refuse("", '"team" alone is sent: the key of a team, or null for the public screen')
        )
    return told(await run_in_threadpool(renewed, classroom_of(request), team, _base(request)))


def renewed(classroom: Classroom, team: str | None, base: str) -> Plain:
    """End the links of a team, or of the public screen, and return all links as they are then.

    Raises
    ------
    ExerciseError
        If there is no such team.
    """
    prefix = _PUBLIC if team is None else team_prefix(classroom.room.desk(team).key)
    classroom.doors.renew(prefix)
    return links_of(classroom, base)


def _base(request: Request) -> str:
    """Address of the room as others reach it: the one that the console was reached by."""
    host = request.headers["host"]
    name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    ours = classroom_of(request).address
    if ours and name in _LOOPBACK:
        return f"http://{ours}:{port}" if port else f"http://{ours}"
    return f"http://{host}"


def links_of(classroom: Classroom, base: str) -> Plain:
    """Return a link for each team and for the public screen, each with its QR code.

    Parameters
    ----------
    classroom : Classroom
    base : str
        Address that they begin with.
    """
    ways: list[tuple[str | None, str]] = [(key, team_prefix(key)) for key in classroom.room.keys]
    found = []
    for team, prefix in (*ways, (None, _PUBLIC)):
        address = f"{base}{prefix}/join?token={classroom.token(prefix)}"
        image = segno.make(address, error="m", micro=False).svg_data_uri(scale=6, border=2)
        found.append({"team": team, "address": address, "qr": image})
    return {"links": found}


def _forms(request: Request) -> Response:
    require(request, _INSTRUCTOR)
    classroom, lang = classroom_of(request), lang_of(request)
    own = number_of(request, "order_turns", ORDER_TURNS)
    content = forms_of(classroom.room.folder, classroom.pack, lang, own)
    headers = {**NO_STORE, "content-disposition": 'attachment; filename="forms.pdf"'}
    return Response(content, media_type="application/pdf", headers=headers)


CONSOLE_ROUTES = [
    Route("/api/turn/{team}/{turn:int}", _turn),
    Route("/api/preview-storm", _storm),
    Route("/api/links", _links),
    Route("/api/links", _renew, methods=["POST"]),
    Route("/api/forms.pdf", _forms),
]
