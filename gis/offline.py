"""A guard: a page that would ask any host for anything is not saved."""

import os
import re
import tempfile
from html.parser import HTMLParser
from pathlib import Path

from sim.errors import AverseError, DistrictError
from sim.refusal import refuse
from sim.signs import for_xml

# an attribute by which an element loads, links or sends somewhere
_LOADING = {
    *("src", "href", "srcset", "poster", "data", "action", "formaction", "background", "cite"),
    *("ping", "manifest", "xlink:href", "longdesc", "profile", "codebase", "archive", "srcdoc"),
}
_CSS_LOADS = re.compile(r"url\(\s*(?!['\"]?\s*(?:data:|#))|@import", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:\bhttps?|\bwss?|\bftp|\bfile):\\?/\\?/[^\s'\"`)]*", re.IGNORECASE)
# names of XML dialects, which are never fetched
_DIALECTS = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/")
_SCRIPT_LOADS = re.compile(
    r"\bimport\s*\(|\bimport\s+[\w{*'\"]|\bfetch\s*\(|\bXMLHttpRequest\b|\bWebSocket\b"
    r"|\bEventSource\b|\bsendBeacon\b|\bimportScripts\b"
)
_RUNS = frozenset(("", "text/javascript", "application/javascript", "module"))


class OutsideReferenceError(AverseError):
    """A page that would not open whole with the network cut."""


def refuse_outside_references(html: str) -> None:
    """Refuse a page that refers to anything outside itself.

    Looked at: every loading or linking attribute, style sheets and style attributes (``url()``,
    ``@import``), and scripts that run (addresses, ``import``, ``fetch`` and their like). Text, and
    data in scripts of another type, may say what it likes: it is never loaded.

    Raises
    ------
    OutsideReferenceError
        Naming the first such reference.

    Examples
    --------
    >>> refuse_outside_references('<img src="data:image/gif;base64,R0lGOD"><a href="#map">map</a>')
    >>> refuse_outside_references('<script src="https://example.org/a.js"></script>')
    Traceback (most recent call last):
    ...
    gis.offline.OutsideReferenceError: the page refers to https://example.org/a.js (script src)...

    """
    reader = _References()
    reader.feed(html)
    reader.close()
    for where, found in reader.found:
        raise OutsideReferenceError(
            f"the page refers to {found[:120]} ({where}), so it would not open offline; "
            "put what it needs inside the page"
        )


def save_page(html: str, path: Path) -> None:
    """Save a page that refers to nothing outside itself: whole, or not at all.

    Signs that no page holds, in a name or a text of whoever played, are left out.

    Raises
    ------
    OutsideReferenceError
        If the page would ask a host for anything.
    DistrictError
        If the file cannot be written.
    """
    html = for_xml(html)
    refuse_outside_references(html)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise DistrictError(
            refuse(
                "",
                "cannot write {path}: {why}; choose another file",
                path=str(path),
                why=str(error.strerror),
            )
        ) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(html)
        os.chmod(aside, 0o644)
        os.replace(aside, path)
    except OSError as error:
        Path(aside).unlink(missing_ok=True)
        raise DistrictError(
            refuse(
                "",
                "cannot write {path}: {why}; choose another file",
                path=str(path),
                why=str(error.strerror),
            )
        ) from error


class _References(HTMLParser):
    """Collects (where, what) of outside references."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: (value or "").strip() for name, value in attrs}
        self._inside = ""
        if tag == "style" or (tag == "script" and values.get("type", "").lower() in _RUNS):
            self._inside = tag
        for name, value in values.items():
            inside_page = value.lower().startswith(("data:", "#")) or not value
            if name in _LOADING and not inside_page:
                self.found.append((f"{tag} {name}", value))
            if name == "style":
                self._look(f"{tag} style", _CSS_LOADS, value)
            if name.startswith("on"):
                self._script(f"{tag} {name}", value)
        if tag == "meta" and values.get("http-equiv", "").lower() == "refresh":
            self.found.append(("meta refresh", values.get("content", "")))
        if tag == "base":
            self.found.append(("base", values.get("href", "")))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self._look("style", _CSS_LOADS, data)
        elif self._inside == "script":
            self._script("script", data)

    def _script(self, where: str, text: str) -> None:
        self._look(where, _SCRIPT_LOADS, text)
        for match in _ADDRESS.finditer(text):
            if not match.group().startswith(_DIALECTS):
                self.found.append((where, match.group()))

    def _look(self, where: str, pattern: re.Pattern[str], text: str) -> None:
        match = pattern.search(text)
        if match:
            self.found.append((where, text[match.start() : match.start() + 80]))
