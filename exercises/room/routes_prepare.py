"""The instructor's page before there is a room, and the one address that both have.

Until the room is open, nothing but this page and its files is there; then the room's own
application takes its place, under the same secret.
"""

import asyncio
import logging
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from exercises.fault_words import fault_said
from exercises.plain_values import json_bytes
from exercises.room.boards import keep_board
from exercises.room.classroom import Classroom
from exercises.room.folder import pack_of
from exercises.room.inject_list import MOST_BYTES
from exercises.room.pack_upload import MOST_ZIP_BYTES, PackRefusedError, too_large
from exercises.room.page_files import page_files, templates
from exercises.room.prepare_words import prepare_page
from exercises.room.preparing import (
    MOST_DRAFT_BYTES,
    ChangedSinceError,
    Preparation,
    StoppedError,
    Writer,
    injects_sent,
)
from exercises.room.rooms import Room
from exercises.room.routes import CLOSED_CONSOLE, NO_STORE, answer, one_an_address, told
from exercises.room.routes_instructor import PREFIX
from exercises.room.security import Guard, body_of, object_of, session_of, set_cookie
from exercises.room.server import FAULTS, app_of, files_of_pages
from exercises.scenario_check import Fault
from exercises.scenario_file import SaidError, ScenarioFaultsError, written_place
from exercises.scenario_model import ScenarioFile
from exercises.voice import voice
from sim.errors import AverseError
from sim.severity_words import LANGUAGES

Plain = dict[str, Any]
STATE = "/api/prepare"
_SAMPLES = {
    "en": (
        "turn,card,target,note\n4,accident,,the lorry on the ring road\n"
        "6,power_cut,,\n9,injunction,,\n"
    ),
    "fr": (
        "tour,carte,cible,remarque\n4,accident,,le camion sur la rocade\n"
        "6,coupure électrique,,\n9,injonction politique,,\n"
    ),
}

log = logging.getLogger(__name__)


class Hall:
    """An application that prepares a room, and then serves it.

    Parameters
    ----------
    preparation : Preparation
    hosts : iterable of str
        Names under which it is reached, beside its addresses.
    opened : callable
        Called with the classroom once it is open.
    """

    def __init__(
        self,
        preparation: Preparation,
        hosts: Iterable[str] = (),
        opened: Callable[[Classroom], None] = lambda classroom: None,
    ) -> None:
        self.preparation = preparation
        self.classroom: Classroom | None = None
        self._hosts, self._opened = tuple(hosts), opened
        self._preparing: ASGIApp = self._prepare_app()
        self._serving = self._preparing
        self._task: asyncio.Task[None] | None = None
        self._stack = AsyncExitStack()

    def _prepare_app(self) -> Starlette:
        app = Starlette(
            routes=[Mount(PREFIX, routes=one_an_address(*PREPARE_ROUTES)), *files_of_pages()],
            exception_handlers={**FAULTS, SaidError: _said, ChangedSinceError: _changed},
        )
        app.state.hall, app.state.preparation = self, self.preparation
        app.state.pages = templates(page_files())
        app.add_middleware(Guard, hosts=self._hosts)
        return app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the room where it is open, else from its preparation."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        # a page that asks whether the room is open is answered to the end
        asks = scope.get("path") == PREFIX + STATE
        await (self._preparing if asks else self._serving)(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.preparation.stop()
        if self._task is not None:
            await asyncio.wait({self._task})
        await self._stack.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    def open(self, scenario: ScenarioFile) -> None:
        """Write the room and serve it, from now on and beside what is answered."""
        if self.preparation.begin():
            self._task = asyncio.get_running_loop().create_task(self._open(scenario))

    async def _open(self, scenario: ScenarioFile) -> None:
        try:
            await run_in_threadpool(self.preparation.create, scenario, PREFIX)
            self.preparation.drawing()
            classroom = await run_in_threadpool(self._enter)
        except StoppedError:
            return
        except (AverseError, OSError) as fault:
            log.error("the room was not opened: %s", fault)
            self.preparation.failed(fault)
            return
        app = app_of(classroom, self._hosts)
        await self._stack.enter_async_context(app.router.lifespan_context(app))
        self.classroom, self._serving = classroom, app
        self._opened(classroom)
        self.preparation.opened()

    def _enter(self) -> Classroom:
        """Open the room that was written; the secret of its preparation opens it too."""
        folder = self.preparation.out
        self.preparation.ahead.give_boards(folder)
        room = Room(folder)
        self._stack.callback(room.close)
        pack = pack_of(folder, self.preparation.pack)
        keep_board(folder, pack, room.lang, self.preparation.drawing)
        classroom = Classroom(room, pack)
        self._stack.callback(classroom.close)
        classroom.joins = self.preparation.joins
        classroom.doors.links[PREFIX] = self.preparation.token
        return classroom


# --------------------------------------------------------------------------- who asks
def _preparation(request: Request) -> Preparation:
    found: Preparation = request.app.state.preparation
    return found


def _lang(request: Request) -> str:
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else _preparation(request).lang


def _require(request: Request) -> Preparation:
    """Let only the instructor through; 403."""
    preparation = _preparation(request)
    if not preparation.admits(session_of(request)):
        raise HTTPException(403, voice(_lang(request)).phrase(CLOSED_CONSOLE))
    return preparation


async def _join(request: Request) -> Response:
    preparation = _preparation(request)
    address = request.client.host if request.client else ""
    if not preparation.joins.allows(address):
        return _page(request, "refused.html", 429, why="often")
    token = request.query_params.get("token", "")
    if not preparation.opens(token):
        return _page(request, "refused.html", 403, why="wrong", who="instructor")
    response = RedirectResponse(f"{PREFIX}/", 303, NO_STORE)
    set_cookie(response, PREFIX, preparation.session)
    return response


def _page(request: Request, name: str, status: int = 200, **values: Any) -> Response:
    lang = _lang(request)
    said = {"needs_script": voice(lang).phrase("this page needs JavaScript")}
    text = request.app.state.pages.get_template(name).render(lang=lang, said=said, **values)
    return HTMLResponse(text, status, NO_STORE)


def _form(request: Request) -> Response:
    return _page(request, "prepare.html", **prepare_page(_lang(request)))


# --------------------------------------------------------------------------- the form
def _state(request: Request) -> Response:
    return told(_require(request).told(_lang(request)))


async def _sent(request: Request) -> Plain:
    _require(request)
    return object_of(await body_of(request, MOST_DRAFT_BYTES))


async def _draft(request: Request) -> Response:
    """Keep what is chosen, and tell what is wrong with it."""
    faults, _ = await _checked(request)
    return _kept(request, faults)


async def _open(request: Request) -> Response:
    faults, scenario = await _checked(request)
    if scenario is not None:
        request.app.state.hall.open(scenario)
    return _kept(request, faults)


async def _look(request: Request) -> Response:
    """Compute the storm of what is chosen; the seed it is drawn by is told, to be chosen too."""
    faults, scenario = await _checked(request)
    seed = ""
    if scenario is not None:
        seed = await run_in_threadpool(_preparation(request).look_ahead, scenario)
    return _kept(request, faults, seed=seed)


async def _checked(request: Request) -> tuple[list[Fault], ScenarioFile | None]:
    """Keep what is sent; return its faults, and the scenario where there are none."""
    sent, preparation = await _sent(request), _preparation(request)
    await run_in_threadpool(preparation.keep, sent, _writer(request))
    scenario, faults = await run_in_threadpool(preparation.check, sent, _lang(request))
    return faults, scenario


def _writer(request: Request) -> Writer | None:
    """Return which page changes what is chosen; None where it does not say what it has seen."""
    asked = request.query_params
    return Writer(asked["seen"], asked.get("by", "")) if "seen" in asked else None


def _kept(request: Request, faults: Iterable[Fault], **more: Any) -> Response:
    preparation = _preparation(request)
    state = preparation.progress.state
    return told({"faults": _told(faults), "version": preparation.version, "state": state, **more})


def _storm(request: Request) -> Response:
    return told(_require(request).ahead.told(_lang(request)))


def _preview(request: Request) -> Response:
    return told(_require(request).ahead.storm(_lang(request)))


def _board(request: Request) -> Response:
    preparation = _require(request)
    if preparation.pack is None:
        raise SaidError(voice(_lang(request)).phrase("send a district pack first"))
    return answer(request, json_bytes(preparation.ahead.board(preparation.pack, _lang(request))))


async def _let_go(request: Request) -> Response:
    _require(request).ahead.let_go()
    return told({})


def _told(faults: Iterable[Fault]) -> list[Plain]:
    return [
        {"at": ".".join(map(str, fault.place)), "where": written_place(fault.place),
         "said": fault.said}
        for fault in faults
    ]  # fmt: skip


async def _scenario(request: Request) -> Response:
    """Take a scenario file into the form."""
    preparation, lang = _require(request), _lang(request)
    content, name = await body_of(request, MOST_BYTES), _name(request, "scenario.toml")
    writer = _writer(request)
    draft, lines = await run_in_threadpool(preparation.read_text, name, content, lang, writer)
    _, faults = await run_in_threadpool(preparation.check, draft, lang)
    return _kept(request, faults, draft=draft, lines=lines)


def _name(request: Request, instead: str) -> str:
    """Return how the sender calls a file, fit for a sentence."""
    asked = request.query_params.get("name", "")[:60]
    return asked if asked.isprintable() and asked else instead


def _text(request: Request) -> Response:
    preparation, lang = _require(request), _lang(request)
    try:
        text = preparation.text(lang)
    except ScenarioFaultsError as faults:
        raise SaidError("; ".join(faults.lines)) from None
    return _file(text, "scenario.toml", "application/toml")


def _sample(request: Request) -> Response:
    _require(request)
    return _file(_SAMPLES[_lang(request)], "injects.csv", "text/csv")


def _file(text: str, name: str, kind: str) -> Response:
    headers: Mapping[str, str] = {
        **NO_STORE, "content-disposition": f'attachment; filename="{name}"',
    }  # fmt: skip
    return PlainTextResponse(text, media_type=kind, headers=dict(headers))


async def _injects(request: Request) -> Response:
    _require(request)
    content = await body_of(request, MOST_BYTES)
    name = request.query_params.get("name", "")
    return told({"injects": await run_in_threadpool(injects_sent, name, content)})


async def _weather(request: Request) -> Response:
    """Take a weather file; one that is empty takes it away."""
    preparation, lang = _require(request), _lang(request)
    content = await body_of(request, MOST_BYTES)
    await run_in_threadpool(preparation.read_weather, content, lang)
    return told(preparation.told(lang))


async def _pack(request: Request) -> Response:
    """Take a district pack: written to a file as it comes, then looked at."""
    preparation, lang = _require(request), _lang(request)
    sent = request.headers.get("content-length", "")
    if sent.isdigit() and int(sent) > MOST_ZIP_BYTES:
        raise PackRefusedError(too_large(lang))
    with tempfile.TemporaryDirectory(prefix="averse-") as folder:
        archive, length = Path(folder) / "pack.zip", 0
        with archive.open("wb") as file:
            async for part in request.stream():
                length += len(part)
                if length > MOST_ZIP_BYTES:
                    raise PackRefusedError(too_large(lang))
                await run_in_threadpool(file.write, part)
        name = _name(request, "pack.zip")
        await run_in_threadpool(preparation.read_pack, archive, name, lang)
    return told(preparation.told(lang))


async def _changed(request: Request, fault: Exception) -> Response:
    """Tell what stands there instead."""
    preparation = _preparation(request)
    response = told(
        {
            "said": fault_said(fault, _lang(request)),
            "draft": preparation.draft,
            "version": preparation.version,
        }
    )
    response.status_code = 409
    return response


async def _said(request: Request, fault: Exception) -> Response:
    response = told({"said": str(fault)})
    response.status_code = 400
    return response


PREPARE_ROUTES = [
    Route("/join", _join),
    Route("/", _form),
    Route(STATE, _state),
    Route("/api/draft", _draft, methods=["POST"]),
    Route("/api/open", _open, methods=["POST"]),
    Route("/api/storm", _storm),
    Route("/api/storm", _look, methods=["POST"]),
    Route("/api/storm/end", _let_go, methods=["POST"]),
    Route("/api/preview-storm", _preview),
    Route("/api/board", _board),
    Route("/api/scenario", _scenario, methods=["POST"]),
    Route("/api/injects", _injects, methods=["POST"]),
    Route("/api/weather", _weather, methods=["POST"]),
    Route("/api/pack", _pack, methods=["POST"]),
    Route("/files/scenario.toml", _text),
    Route("/files/injects.csv", _sample),
]
