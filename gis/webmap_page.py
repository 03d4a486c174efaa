"""What a folium page needs to open with the network cut: its scripts and styles lie inside it.

Stock folium names ten hosts, and gives random names to what it draws; the classes here name none
and come out the same twice. ``gis.offline`` then refuses a page that would still ask a host for
anything, whatever was drawn on them.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import folium
from branca.element import Element, Figure, MacroElement
from folium.map import Layer
from folium.template import Template

from gis.board_scripts import BOARD_SCRIPTS

_OWN_SCRIPTS = (*BOARD_SCRIPTS, "webmap_board.js", "webmap_controls.js")


def _text(name: str) -> str:
    return (files("gis") / "assets" / name).read_text(encoding="utf-8")


class Page(Figure):
    """A figure that states its language and lets the browser load nothing from elsewhere."""

    _template = Template(_text("webmap_page.html"))

    def __init__(self, title: str, lang: str) -> None:
        super().__init__(title=title)
        self.lang = lang
        self.header._children.clear()  # folium's own meta tags, said better above


class _Verbatim(Element):
    """Text that goes into the page as it is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def render(self, **kwargs: Any) -> str:
        return self._text


def _render_verbatim(element: MacroElement, kwargs: Mapping[str, Any]) -> str:
    """Put what an element's macros give into its page.

    branca's own way renders the result once more as a template: a place named ``{{ … }}`` would
    then be run here, on the machine that writes the map.
    """
    figure = element.get_root()
    for part in ("header", "html", "script"):
        macro = getattr(element._template.module, part, None)
        if macro is not None:
            text = macro(element, kwargs)
            getattr(figure, part).add_child(_Verbatim(text), name=element.get_name())
    for child in element._children.values():
        child.render(**kwargs)
    return ""


class OfflineMap(folium.Map):
    """A folium map that carries Leaflet inside itself and shows no tiles."""

    _template = Template(_text("webmap_map.html"))

    def __init__(
        self,
        texts: Mapping[str, str],
        heading: str,
        place: str,
        subtitle: str,
        pair: tuple[str, str] | None = None,
    ) -> None:
        # no tiles drops the credit too: the board below restores it
        super().__init__(
            tiles=None,
            zoom_control=False,
            keyboard=False,
            zoom_snap=0,
            zoom_delta=0.5,
            wheel_px_per_zoom_level=90,
            min_zoom=8,
            max_zoom=19,
            inertia=False,
            zoom_animation=pair is None,  # two maps in step cannot both be animated
        )
        # folium's own lists name ten hosts, and are shared between maps
        self.default_js, self.default_css = [], []
        self._id = "map"  # branca's own is random, and a map must come out the same twice
        self.texts = texts
        self.heading, self.place, self.subtitle = heading, place, subtitle
        self.pair = pair  # what stands over two maps side by side
        self.styles = _styles()
        self.scripts = _scripts()

    def render(self, **kwargs: Any) -> str:
        """Put the map and what stands on it into its page."""
        return _render_verbatim(self, kwargs)


class Board(Layer):
    """The hexes and all that stands on them, drawn on one canvas."""

    _template = Template(_text("webmap_board.html"))

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(name="board", overlay=True, control=False, show=False)
        self._name, self._id = "board", "hexes"
        self.data = page_json(data)

    def render(self, **kwargs: Any) -> str:
        """Put the board and its data into its page."""
        return _render_verbatim(self, kwargs)


def page_json(data: Mapping[str, Any]) -> str:
    """Return JSON that cannot end the script element that holds it, nor open a comment in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _styles() -> str:
    leaflet = _text("vendor/leaflet/leaflet.css")
    # its pictures (layer switch, pins) and an old browser's behaviour: nothing here uses them
    kept = [line for line in leaflet.splitlines() if "url(" not in line]
    return "\n".join((*kept, _text("webmap.css")))


def _scripts() -> str:
    licence = _text("vendor/leaflet/LICENSE")
    leaflet = _text("vendor/leaflet/leaflet.js")
    leaflet = leaflet.split("\n//# sourceMappingURL")[0]
    # the one link of its credit line, which is switched off; its notice stays as text
    leaflet = leaflet.replace('<a href="https://leafletjs.com"', "<a").replace("https://", "")
    own = [_text(name) for name in _OWN_SCRIPTS]
    return "\n".join((f"/*! Leaflet\n{licence.strip()}\n*/", leaflet, *own))
