"""Pictures → MP4 or GIF, the same bytes from the same pictures: no date, one thread, no chance."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image

from gis.aside import share_as_usual
from gis.film_map import rgb
from sim.errors import DebriefError
from sim.refusal import refuse

RATE = 4
"""Frames a second of an MP4: a turn is a whole number of them."""
QUALITY = "23"
"""Constant rate factor of x264: lines and letters stay sharp."""
KEY_EVERY_S = 15
"""Seconds from one whole picture to the next: a player can jump there."""
COLOURS = 128
"""Colours of a GIF, the same in all its frames."""

Shown = tuple[Image.Image, int]
"""A picture and how long it is shown, milliseconds."""


def write_mp4(path: Path, pictures: Iterable[Shown]) -> None:
    """Write pictures as H.264 in MP4, which every player and projector opens.

    Parameters
    ----------
    path : Path
    pictures : iterable of (Image, int)
        RGB, all of one even size; milliseconds, to the nearest quarter of a second.

    Raises
    ------
    DebriefError
        If the file cannot be written: what was there stays.
    """
    # bitexact: the container then names no encoder and no date
    flags = {"fflags": "+bitexact", "movflags": "+faststart"}
    with _whole(path) as aside, av.open(str(aside), "w", format="mp4", options=flags) as film:
        stream = None
        at = 0
        for picture, shown_ms in pictures:
            if stream is None:
                stream = film.add_stream("libx264", rate=RATE)
                stream.width, stream.height = picture.size
                stream.pix_fmt = "yuv420p"
                stream.time_base = stream.codec_context.time_base = Fraction(1, RATE)
                stream.thread_count = 1  # with more, the bits depend on how many
                stream.options = {
                    "crf": QUALITY,
                    "preset": "fast",
                    "g": str(RATE * KEY_EVERY_S),
                    "flags": "+bitexact",
                }
            pixels = np.asarray(picture)
            for _ in range(max(1, round(shown_ms * RATE / 1000))):
                frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
                frame.pts, frame.time_base = at, Fraction(1, RATE)
                at += 1
                film.mux(stream.encode(frame))
        if stream is not None:
            film.mux(stream.encode())


def write_gif(path: Path, pictures: Iterable[Shown], kept: Sequence[str] = ()) -> None:
    """Write pictures as an endless GIF, in one palette.

    Parameters
    ----------
    path : Path
    pictures : iterable of (Image, int)
        RGB, all of one size; milliseconds, to the nearest hundredth of a second.
    kept : sequence of str
        Colours that mean something however few their pixels, as ``#rrggbb``: they stay exact.

    Raises
    ------
    DebriefError
        If the file cannot be written: what was there stays.
    """
    given = list(pictures)
    if not given:
        return
    palette = _palette([picture for picture, _ in given], kept)
    frames = [p.quantize(palette=palette, dither=Image.Dither.NONE) for p, _ in given]
    with _whole(path) as aside:
        frames[0].save(
            aside,
            format="GIF",
            save_all=True,
            append_images=frames[1:],
            duration=[10 * round(shown_ms / 10) for _, shown_ms in given],
            loop=0,
            optimize=True,  # what does not change from a picture to the next is left out
        )


def _palette(pictures: list[Image.Image], kept: Sequence[str]) -> Image.Image:
    """Return one palette for all: of a few of them, from the first to the last."""
    few = [pictures[at] for at in sorted({round(k * (len(pictures) - 1) / 4) for k in range(5)})]
    width, height = few[0].size
    strip = Image.new("RGB", (width, height * len(few)))
    for number, picture in enumerate(few):
        strip.paste(picture, (0, number * height))
    found = strip.quantize(COLOURS - len(kept), method=Image.Quantize.MEDIANCUT).getpalette()
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(found or []), *(part for colour in kept for part in rgb(colour))])
    return palette


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """Yield a file beside one that is wanted, which takes its place if all went well."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise DebriefError(
            refuse(
                "",
                "cannot write {path}: {why}; choose another file",
                path=str(path),
                why=str(error.strerror),
            )
        ) from error
    made = Path(aside)
    try:
        yield made
        share_as_usual(made)
        os.replace(made, path)
    except OSError as error:  # PyAV's errors are, too
        raise DebriefError(
            refuse(
                "",
                "cannot write {path}: {why}; choose another file",
                path=str(path),
                why=str(error.strerror or error),
            )
        ) from error
    finally:
        made.unlink(missing_ok=True)
