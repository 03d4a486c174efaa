"""A frame of a moving picture: what was believed and what was true, side by side, with their key.

Title, clock, bulletin, legend, scale and credit are part of every frame: a film is shown without
the page that it came from.
"""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from gis.film_map import (
    BARRIER,
    EXPRESSWAY_CORE,
    INK,
    LINKS,
    PANEL,
    PAPER,
    QUARTER,
    Cover,
    Draw,
    FilmMap,
    font,
    rgb,
    sign_of,
)
from gis.film_signs import DONE, STEPS, bar, pawn, ring, shelter
from gis.film_text import write_line
from gis.frames import UNKNOWN_MM, Frames, UnitAt
from gis.provenance import shown_credit
from gis.report_maps import DEPTH_COLOURS
from gis.shown import links_in_play
from gis.webmap import Scene, cuts
from gis.webmap_words import table_labels, words
from gis.wording import written
from sim.rules import WATERS, LinkClass, Water

Ints = npt.NDArray[np.int64]

NIGHT, TRACK, MARKER = "#c9c8cc", "#ebe5d7", "#c2410c"
WATER_INKS = ("#2f7fae", "#0e4f85", "#a9d3f5", "#ffffff")
WATER_HATCHES = ("wave", "waves", "lines", "cross")
OLD_TURNS = 5
FADES = ((0, 0.92), (2, 0.64), (OLD_TURNS, 0.4))
"""From what age on, turns, and how much of the ground known water then hides."""
FOG = Cover("#e4e1d9", 0.5, "#8d8c86", "slant")
_DEPTHS = tuple(zip(DEPTH_COLOURS[1:], WATER_INKS, WATER_HATCHES, strict=True))
TRUE_COVERS = tuple(Cover(colour, 0.92, ink, hatch) for colour, ink, hatch in _DEPTHS)
AGED = tuple(
    Cover(colour, alpha, ink, hatch) for _, alpha in FADES for colour, ink, hatch in _DEPTHS
)
KNOWN_COVERS = (*AGED, FOG)
RING, SIGN = 1.3, 0.95
"""Sides of the squares in which states and signs are drawn, hexes."""


@dataclass(frozen=True)
class FilmTexts:
    """What stands over a film and its two maps."""

    title: str
    subtitle: str
    believed: str
    true: str


class FilmPage:
    """Draws the frames of a film.

    Parameters
    ----------
    scene : Scene
    frames : Frames
    texts : FilmTexts
    lang : str
        ``fr`` or ``en``.
    height : int
        Pixels, a multiple of 18; a frame is 16:9.

    """

    def __init__(
        self, scene: Scene, frames: Frames, texts: FilmTexts, lang: str, height: int
    ) -> None:
        self.height, self.width = height, height * 16 // 9
        self._u = height / 720
        self._lang, self._texts, self._frames = lang, texts, frames
        self._words = words(lang)
        labels = table_labels(scene.district, lang)
        self._waters, self._links = labels["waters"], labels["links"]
        self._credit = shown_credit(scene.manifest, lang)
        self.map = FilmMap(scene, self._px(616), self._px(448))
        self._lefts = (self._px(16), self._px(648))
        self._top = self._px(88)
        district = scene.district
        self._district = district
        from_mm = [WATERS[water].from_mm for water in sorted(Water)]
        depths = (np.asarray(frames.known_depth_mm), np.asarray(frames.true_depth_mm))
        self._known, self._true = (
            np.where(district.active, np.searchsorted(from_mm, mm, side="right") - 1, 0)
            for mm in depths
        )
        self._unseen = (depths[0] == UNKNOWN_MM) & district.active
        known = np.where(depths[0] == UNKNOWN_MM, 0, depths[0])
        shown = links_in_play(district)
        self._cuts = (
            cuts(district, known, frames.known_links) * shown,
            cuts(district, depths[1], frames.true_links) * shown,
        )
        self._page = self._furniture()

    def _px(self, units: float) -> int:
        """Pixels in so many 720ths of the height."""
        return round(units * self._u)

    # ------------------------------------------------------------------ a frame
    def frame(self, turn: int) -> Image.Image:
        """Return the frame of a moment, RGB."""
        image = self._page.copy()
        for left, known in zip(self._lefts, (True, False), strict=True):
            image.paste(self._board(turn, known), (left, self._top))
        self._scale_bar(image)
        self._head(image, turn)
        self._counts(image, turn)
        self._marker(image, turn)
        return image

    def _board(self, turn: int, known: bool) -> Image.Image:
        drawn = self.map
        if known:
            image = drawn.picture(self._known_classes(turn), KNOWN_COVERS)
        else:
            image = drawn.picture(self._true[turn], TRUE_COVERS)
        self._states(image, turn)
        cut = self._cuts[0 if known else 1][turn]
        for edge in np.flatnonzero(cut):
            self._bar(image, int(edge), int(cut[edge]))
        self._shelters(image, turn)
        for unit in self._frames.units[turn]:
            self._unit(image, UnitAt(*unit))
        return image

    def _known_classes(self, turn: int) -> Ints:
        """(n_hex,) class of cover: depth by how old the last look is, or never lately seen."""
        age = np.asarray(self._frames.known_age[turn])
        water = self._known[turn]
        fade = np.searchsorted([since for since, _ in FADES], age, side="right") - 1
        classes = np.where(water > 0, len(_DEPTHS) * fade + water, 0)
        dry = self._district.active & (water <= 0)
        fog = (dry & (age >= OLD_TURNS)) | self._unseen[turn]
        return np.where(fog, len(KNOWN_COVERS), classes)

    # ------------------------------------------------------------------ signs of the map
    def _states(self, image: Image.Image, turn: int) -> None:
        frames, side = self._frames, self.map.hex_px * RING
        done = np.asarray(frames.sheltered[turn]) >= 100
        going = np.asarray(frames.evacuating[turn])
        for cell in np.flatnonzero(np.asarray(frames.alerted[turn]) | (going > 0) | done):
            step = DONE if done[cell] else int(going[cell]) * STEPS // 100
            at = self.map.centres[cell]
            self.map.stamp(image, f"state{step}", at, side, partial(self._ring, step=step))

    def _ring(self, pen: ImageDraw.ImageDraw, side: float, step: int) -> None:
        corners = self.map.corners[0] - self.map.centres[0]
        corners = corners / (self.map.hex_px * RING) * side * 0.84 + side / 2
        ring(pen, side, [(float(x), float(y)) for x, y in corners[[2, 1, 0, 5, 4, 3]]], step)

    def _bar(self, image: Image.Image, edge: int, kind: int) -> None:
        ends = self.map.side(edge, 0.62)
        across = ends[1] - ends[0]
        slope = round(float(np.degrees(np.arctan2(across[1], across[0]))) % 180 / 15)

        def draw(pen: ImageDraw.ImageDraw, side: float) -> None:
            bar(pen, side, across / self.map.hex_px * side, to_all=kind == 2)

        key = f"bar{kind}-{slope}"
        self.map.stamp(image, key, ends.mean(axis=0), self.map.hex_px, draw)

    def _shelters(self, image: Image.Image, turn: int) -> None:
        side, shut = self._sign_side(), self._frames.shelter_shut
        for number, place in enumerate(self._district.shelters):
            taken = int(self._frames.shelter_filled[turn][number])
            filled = min(10, 10 * taken // place.places) if place.places else 0
            closed = bool(shut is not None and shut[turn][number])
            draw = partial(shelter, number=str(number + 1), filled=filled / 10, shut=closed)
            key = f"shelter{number}-{filled}-{closed}"
            self.map.stamp(image, key, self.map.centres[place.cell], side, draw)

    def _unit(self, image: Image.Image, unit: UnitAt) -> None:
        at = self.map.centres[unit.cell] + (0, self.map.hex_px * 0.42)
        label = unit.label[:3]
        draw = partial(pawn, label=label, status=unit.status)
        self.map.stamp(image, f"unit{label}-{unit.status}", at, self._sign_side(), draw)

    def _sign_side(self) -> float:
        return max(self.map.hex_px * SIGN, self._px(16))

    # ------------------------------------------------------------------ what changes beside them
    def _head(self, image: Image.Image, turn: int) -> None:
        draw, frames, say = ImageDraw.Draw(image), self._frames, self._words
        right = self.width - self._px(24)
        clock = font(self._px(36), True)
        draw.text((right, self._px(42)), frames.clock[turn], INK, clock, anchor="rs")
        right -= round(max(map(clock.getlength, frames.clock))) + self._px(16)
        name = say["turn_of"].format(t=turn, last=frames.turns) if turn else say["start"]
        light = say["night"] if frames.night[turn] else say["day"]
        self._text(image, (right, self._px(27)), f"{name} · {light}", 17, True, "rs", 420)
        self._text(image, (right, self._px(47)), frames.bulletins[turn], 15, False, "rs", 420)

    def _counts(self, image: Image.Image, turn: int) -> None:
        frames = self._frames
        alerted = int(np.asarray(frames.alerted[turn]).sum())
        done = int((np.asarray(frames.sheltered[turn]) >= 100).sum())
        for which, left in enumerate(self._lefts):
            wet = int(((self._known, self._true)[which][turn] > 0).sum())
            counted = {
                "wet": wet,
                "cut": int((self._cuts[which][turn] > 0).sum()),
                "alerted": alerted,
                "done": done,
            }
            said = {name: written(value, self._lang) for name, value in counted.items()}
            middle = left + self.map.width // 2
            text = self._words["summary"].format(**said)
            self._text(image, (middle, self._px(552)), text, 15, False, "ms", 600)

    def _marker(self, image: Image.Image, turn: int) -> None:
        draw = ImageDraw.Draw(image)
        left, top, step, tall = self._track()
        x = left + (turn + 0.5) * step
        draw.rectangle((x - self._u, top - self._px(3), x + self._u, top + tall), fill=MARKER)

    def _track(self) -> tuple[float, float, float, float]:
        """Left and top of the bars of all turns, width of one, height."""
        left = self._px(16)
        width = self.width - 2 * left
        return left, self._px(562), width / (self._frames.turns + 1), self._px(36)

    # ------------------------------------------------------------------ what every frame has
    def _furniture(self) -> Image.Image:
        image = Image.new("RGB", (self.width, self.height), PAPER)
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 0, self.width, self._px(56)), fill=PANEL)
        draw.rectangle((0, self._px(604), self.width, self.height), fill=PANEL)
        self._text(image, (self._px(24), self._px(28)), self._texts.title, 24, True, "ls", 660)
        self._text(image, (self._px(24), self._px(48)), self._texts.subtitle, 15, False, "ls", 660)
        for left, over in zip(self._lefts, (self._texts.believed, self._texts.true), strict=True):
            middle = left + self.map.width // 2
            self._text(image, (middle, self._px(79)), over, 18, True, "ms", 600)
        self._bars(draw)
        self._legend(image)
        return image

    def _bars(self, draw: ImageDraw.ImageDraw) -> None:
        """Active hexes under water in truth, by class, turn by turn."""
        left, top, step, tall = self._track()
        counts = np.array([np.bincount(row, minlength=5)[1:] for row in self._true])
        most = max(1, int(counts.sum(axis=1).max()))
        for turn, row in enumerate(counts):
            x = left + turn * step
            ground = NIGHT if self._frames.night[turn] else TRACK
            draw.rectangle((x, top, x + step, top + tall), fill=ground)
            base = top + tall
            for cover, count in zip(TRUE_COVERS[::-1], row[::-1], strict=True):
                high = count / most * (tall - self._px(3))
                if high >= 0.5:
                    inner = (x + step * 0.12, base - high, x + step * 0.88, base)
                    draw.rectangle(inner, fill=cover.colour)
                base -= high

    def _scale_bar(self, image: Image.Image) -> None:
        """On both maps, one kilometre or more, whole."""
        draw = ImageDraw.Draw(image)
        km = next(k for k in (1, 2, 5, 10, 20) if k * self.map.pixels_per_km >= self._px(60))
        long = km * self.map.pixels_per_km
        for left in self._lefts:
            x, y = left + self._px(8), self._top + self.map.height - self._px(8)
            box = (x - self._px(4), y - self._px(20), x + long + self._px(4), y + self._px(5))
            draw.rectangle(box, fill=PANEL)
            draw.line(
                (x, y - self._px(5), x, y, x + long, y, x + long, y - self._px(5)),
                INK,
                max(1, self._px(2)),
            )
            self._text(
                image, (round(x + long / 2), y - self._px(5)), f"{km} km", 13, True, "ms", 90
            )

    def _legend(self, image: Image.Image) -> None:
        say = self._words
        for place, (key, text) in enumerate(self._keys()):
            column, row = divmod(place, 4)
            x, y = self._px(24 + 249 * column), self._px(610 + 22 * row)
            image.paste(key, (x, y + (self._px(22) - key.height) // 2), key)
            self._text(image, (x + self._px(36), y + self._px(16)), text, 14, False, "ls", 206)
        foot = f"{say['north']} ↑ · {say['disclaimer']} · {self._credit}"
        self._text(image, (self._px(24), self._px(714)), foot, 12, False, "ls", 1232)

    def _keys(self) -> list[tuple[Image.Image, str]]:
        """Keys and words of the legend, four to a column."""
        say = self._words
        bounds = [WATERS[water].from_mm // 10 for water in sorted(Water)]
        spans = [f"{a}–{b} cm" for a, b in pairwise(bounds[1:])]
        spans.append(f"> {bounds[-1]} cm")
        waters = [f"{span} · {name}" for span, name in zip(spans, self._waters[1:], strict=True)]
        keys = [(self._swatch(c), text) for c, text in zip(TRUE_COVERS, waters, strict=True)]
        keys += [(self._swatch(AGED[-3]), say["aged"]), (self._swatch(FOG), say["unseen"])]
        for step, text in ((0, "alerted"), (STEPS // 2, "evacuating"), (DONE, "evacuated")):
            keys.append((self._key(partial(self._ring, step=step)), say[text]))
        for to_all, text in ((False, "cut_foot"), (True, "cut_all")):
            keys.append((self._key(partial(_upright_bar, to_all=to_all)), say[text]))
        for shut, text in ((False, "shelter"), (True, "shelter_shut")):
            draw = partial(shelter, number="7", filled=0.6, shut=shut)
            keys.append((self._key(draw), say[text]))
        units = {"in_place": "patrol", "moving": "patrol_moving", "blocked": "patrol_blocked"}
        for status, text in units.items():
            keys.append((self._key(partial(pawn, label="3", status=status)), say[text]))
        for link in (LinkClass.EXPRESSWAY, LinkClass.PRIMARY):
            keys.append((self._key(partial(_road, link=link)), self._links[link]))
        keys.append((self._key(partial(_stroke, colour=BARRIER, share=0.1)), say["barrier"]))
        keys.append((self._key(partial(_stroke, colour=QUARTER, share=0.06)), say["quarter_limit"]))
        return keys

    def _key(self, draw: Draw) -> Image.Image:
        """A sign in the middle of a key's place."""
        key = Image.new("RGBA", (self._px(26), self._px(22)), (*rgb(PANEL), 0))
        small = sign_of(self._px(22), draw)
        key.paste(small, ((key.width - small.width) // 2, 0))
        return key

    def _swatch(self, cover: Cover) -> Image.Image:
        """A patch of a cover, as on the map."""
        wide, tall = self._px(26), self._px(17)
        area = np.full((tall, wide, 3), rgb(PAPER), np.float32)
        area += (np.array(rgb(cover.colour), np.float32) - area) * cover.alpha
        if cover.hatch:
            inked = self.map.hatch(cover.hatch)[:tall, :wide]
            area[inked] += (np.array(rgb(cover.ink), np.float32) - area[inked]) * cover.alpha
        opaque = np.full((tall, wide), 255)
        return Image.fromarray(np.dstack((np.rint(area), opaque)).astype(np.uint8), "RGBA")

    def _text(
        self,
        image: Image.Image,
        at: tuple[int, int],
        text: str,
        size: float,
        bold: bool,
        anchor: str,
        widest: float,
    ) -> None:
        """Write a text on one line, smaller or cut short where it would be too wide."""
        high, most = self._px(size), self._px(widest)
        write_line(image, at, text, high, most, bold=bold, anchor=anchor, ink=INK)


def _upright_bar(pen: ImageDraw.ImageDraw, side: float, to_all: bool) -> None:
    bar(pen, side, np.array([0.0, 0.8 * side]), to_all)


def _road(pen: ImageDraw.ImageDraw, side: float, link: LinkClass) -> None:
    _stroke(pen, side, *LINKS[link])
    if link == LinkClass.EXPRESSWAY:
        _stroke(pen, side, *EXPRESSWAY_CORE)


def _stroke(pen: ImageDraw.ImageDraw, side: float, colour: str, share: float) -> None:
    pen.line((0, side / 2, side, side / 2), fill=colour, width=max(2, round(side * share)))
