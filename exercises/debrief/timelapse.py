"""An exercise as a film: what was believed and what was true, turn after turn (§17).

Made from the journal and the district pack alone, as all of a debrief; legend, scale and clock are
part of every picture, so that it can be shown without anything else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from PIL import Image

from exercises.debrief.film_codec import Shown, write_gif, write_mp4
from exercises.debrief.map_words import words
from exercises.debrief.material import Team
from exercises.map_frames import frames_of
from gis.aside import require_name, require_outside
from gis.film_page import FilmPage, FilmTexts
from gis.film_signs import SIGNALS
from gis.webmap import read_scene
from gis.wording import spaced
from sim.errors import SourceError
from sim.refusal import refuse

Tell = Callable[[str, float], None]

ENDINGS: Mapping[str, tuple[Callable[[Path, Iterable[Shown]], None], int]] = {
    ".mp4": (write_mp4, 1080),
    ".gif": (partial(write_gif, kept=SIGNALS), 720),
}
"""What writes a film whose name ends so, and its height, pixels."""
TURN_MS = 1000
"""How long a turn is shown, milliseconds."""
_SIGNED = 12
"""Octets by which a film is known (ISO 14496-12, GIF89a)."""
LAST_MS = 3000
"""The end, which is looked at longer."""


def _refuse_to_replace(out: Path) -> None:
    """Keep a file that is no film, whatever its name.

    Raises
    ------
    SourceError
        If there is one.
    """
    try:
        with out.open("rb") as file:
            start = file.read(_SIGNED)
    except OSError:
        return
    if start and not (start[4:8] == b"ftyp" or start.startswith(b"GIF8")):
        raise SourceError(
            refuse(
                "", "{out} exists and is no film: move it away, or give another name", out=str(out)
            )
        )


def write_timelapse(
    pack: Path,
    team: Team,
    out: Path,
    lang: str,
    *,
    turn_ms: int = TURN_MS,
    height: int | None = None,
    tell: Tell = lambda stage, share: None,
) -> Path:
    """Write the exercise of a team as a film.

    Parameters
    ----------
    pack : Path
        District pack.
    team : Team
    out : Path
        Its ending says what it is: ``.mp4`` or ``.gif``.
    lang : {"fr", "en"}
    turn_ms : int
        How long a turn is shown, milliseconds.
    height : int, optional
        Pixels, a multiple of 18; pictures are 16:9 [default: 1080, a GIF's 720].
    tell : callable
        Told the stage and the share of it that is done.

    Returns
    -------
    Path
        ``out``.

    Raises
    ------
    SourceError
        If the name ends otherwise, or lies in the pack or in the exercise.
    DebriefError
        If the file cannot be written: what was there stays.
    AverseError
        If the pack cannot be read.
    """
    require_name(out, *ENDINGS)
    require_outside(out, (pack, team.folder))
    _refuse_to_replace(out)
    write, usual = ENDINGS[out.suffix.lower()]
    tell("reading the pack", 0.0)
    frames = frames_of(team.played, lang)
    say = words(lang)
    texts = FilmTexts(
        title=team.world.district.name,
        subtitle=f"{spaced(say['film'], lang)} · {team.name}",
        believed=spaced(say["believed"], lang),
        true=spaced(say["true"], lang),
    )
    page = FilmPage(read_scene(pack), frames, texts, lang, height or usual)

    def pictures() -> Iterator[Shown]:
        for turn in range(frames.turns + 1):
            tell("drawing the turns", turn / (frames.turns + 1))
            picture: Image.Image = page.frame(turn)
            yield picture, LAST_MS if turn == frames.turns else turn_ms

    write(out, pictures())
    tell("drawing the turns", 1.0)
    return out
