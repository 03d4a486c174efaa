"""What pages are made of, the same for everybody: scripts and styles, kept as they are sent.

A page names them under an address that has a hash of them all in it: a browser that has them asks
for none again, and one that comes after they have changed asks for the new ones. Scripts that a
page will import are named in its head, so that none is asked for only once another was read.
"""

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from exercises.room.routes import takes_gzip
from gis.board_scripts import board_script

HERE = Path(__file__).parent
STATIC, PAGES = HERE / "static", HERE / "pages"
BOARD = "board.js"
"""What draws the board, which all pages of averse share: its scripts as one."""
KINDS = {".js": "text/javascript", ".css": "text/css"}
_AT = "/static/"
_VERSION_DIGITS = 16
_HARDEST = 9
_FOR_GOOD = "public, max-age=31536000, immutable"
_IMPORT = re.compile(r"^(?:import|export)\b(?:[^;'\"]*?\bfrom)?\s*['\"]\./([^'\"]+)['\"]", re.M)


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as it is sent.

    Attributes
    ----------
    text, zipped : bytes
    kind : str
        Media type.
    etag : str
        Without its quotes; that of the packed text has another ending.

    """

    text: bytes
    zipped: bytes
    kind: str
    etag: str


class PageFiles:
    """Scripts and styles by their names.

    Parameters
    ----------
    texts : mapping of str to bytes
    """

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self.files = {name: _packed(name, text) for name, text in sorted(texts.items())}
        every = "".join(f"{name} {one.etag}\n" for name, one in self.files.items())
        self.version = hashlib.sha256(every.encode()).hexdigest()[:_VERSION_DIGITS]

    @property
    def at(self) -> str:
        """Address that pages name them under: it is another one where any of them is."""
        return f"{_AT}{self.version}"

    def imported(self, *entries: str) -> tuple[str, ...]:
        """Return the scripts that some import, and those import in turn, in order of names."""
        found, left = set(entries), list(entries)
        while left:
            text = self.files[left.pop()].text.decode()
            fresh = set(_IMPORT.findall(text)) - found
            found |= fresh
            left += fresh
        return tuple(sorted(found - set(entries)))

    def routes(self) -> list[BaseRoute]:
        """Return the routes that send them, under their address and under the bare one."""
        return [Route(f"{_AT}{{path:path}}", self._send)]

    async def _send(self, request: Request) -> Response:
        path = str(request.path_params["path"])
        name = path.removeprefix(f"{self.version}/")
        if (one := self.files.get(name)) is None:
            raise HTTPException(404)
        asked = request.headers
        zipped = takes_gzip(asked.get("accept-encoding", ""))
        headers = {
            "cache-control": "no-cache" if name == path else _FOR_GOOD,
            "etag": f'"{one.etag}-gzip"' if zipped else f'"{one.etag}"',
            "vary": "accept-encoding",
        }
        if headers["etag"] in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if zipped:
            headers["content-encoding"] = "gzip"
        text = one.zipped if zipped else one.text
        return Response(text, media_type=one.kind, headers=headers)


def _packed(name: str, text: bytes) -> PageFile:
    etag = hashlib.sha256(text).hexdigest()[:24]
    zipped = gzip.compress(text, _HARDEST, mtime=0)
    return PageFile(text, zipped, KINDS[Path(name).suffix], etag)


@lru_cache(maxsize=1)
def page_files() -> PageFiles:
    """Return the files of all pages, read once."""
    own = {path.name: path.read_bytes() for path in STATIC.iterdir() if path.suffix in KINDS}
    return PageFiles(own | {BOARD: board_script().encode()})


def templates(files: PageFiles) -> Environment:
    """Return the pages: each names its files by ``static``, and its scripts by ``imported``."""
    pages = Environment(loader=FileSystemLoader(PAGES), autoescape=True, keep_trailing_newline=True)
    pages.globals.update(static=files.at, imported=files.imported)
    return pages
