"""What happened on a board turn by turn, packed for its scripts; no geodata library is needed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gis.frames import NEVER_SEEN, UNKNOWN_MM, Frames, UnitAt
from gis.webmap_codec import pack, pack_turns
from sim.district import BoolArray, District, IntArray
from sim.links import Links, bare_links, deeper_mm, is_open, open_links
from sim.remembered import remembered
from sim.rules import Mode

UNSEEN = 100_000
"""Turn of what was never observed, as packed: later than any."""
_MODES = (Mode.FOOT, Mode.VEHICLE)


def turns_data(
    district: District, frames: Frames, links: BoolArray | None = None
) -> dict[str, Any]:
    """Return what happened on a district turn by turn, packed for ``assets/board_draw.js``.

    Parameters
    ----------
    links : (n_edge,) bool, optional
        Links whose cuts are shown, as ``gis.shown.links_in_play`` has them when all is over
        [default: every one].
    """
    known = np.asarray(frames.known_depth_mm)
    cut_true = cuts(district, np.asarray(frames.true_depth_mm), frames.true_links)
    # where nothing is known, the team counts on a dry link (§6.3)
    cut_known = cuts(district, np.where(known == UNKNOWN_MM, 0, known), frames.known_links)
    if links is not None:
        cut_true, cut_known = cut_true * links, cut_known * links
    return {
        **moments_data(frames),
        "trueMm": pack_turns(frames.true_depth_mm),
        "cutTrue": pack_turns(cut_true),
        "cutKnown": pack_turns(cut_known),
    }


def believed_data(frames: Frames, cut: npt.NDArray[np.integer[Any]]) -> dict[str, Any]:
    """Return the same where what is believed stands for what is true, too.

    Parameters
    ----------
    frames : Frames
    cut : (turns + 1, n_edge) int
        How every link is believed to be cut, as ``cuts`` numbers it.
    """
    data, bars = moments_data(frames), pack_turns(cut)
    return {**data, "trueMm": data["knownMm"], "cutTrue": bars, "cutKnown": bars}


def moments_data(frames: Frames) -> dict[str, Any]:
    """Return of ``turns_data`` all but the true water and the cuts."""
    known = np.asarray(frames.known_depth_mm)
    return {
        "turns": frames.turns,
        "knownMm": pack_turns(known),
        "seen": pack_turns(_seen(frames.known_age)),
        "alerted": pack_turns(frames.alerted),
        "evacuating": pack_turns(frames.evacuating),
        "sheltered": pack_turns(frames.sheltered),
        "forecast": pack(frames.forecast),
        "filled": pack_turns(frames.shelter_filled),
        "shut": pack_turns(
            np.zeros_like(frames.shelter_filled)
            if frames.shelter_shut is None
            else frames.shelter_shut
        ),
        **({} if frames.ordered is None else {"ordered": pack_turns(frames.ordered)}),
        "units": [[list(UnitAt(*unit)) for unit in row] for row in frames.units],
        "bulletins": list(frames.bulletins),
        "clock": list(frames.clock),
        "night": [bool(n) for n in frames.night],
    }


def _seen(age: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.integer[Any]]:
    """Turn of each observation, ``UNSEEN`` for none: unlike its age it hardly ever changes."""
    turn = np.arange(len(age), dtype=np.int64)[:, None]
    return np.where(age == NEVER_SEEN, UNSEEN, turn - age)


def cuts(
    district: District, depth_mm: IntArray, standing: Sequence[Links] = ()
) -> npt.NDArray[np.int8]:
    """How every link is cut: 0 open, 1 to pedestrians, 2 to every vehicle (§16).

    Parameters
    ----------
    depth_mm : (..., n_hex) int
        True or known depth, millimetres.
    standing : sequence of Links, optional
        The links of every entry of ``depth_mm`` with what stands on them: accidents, works, pumps,
        footbridges (§9.2, 13.1) [default: nothing does].

    Returns
    -------
    (..., n_edge) int8
        Only a link that is open on dry ground can be cut.

    """
    if standing:
        return np.stack([_cut(district, d, s) for d, s in zip(depth_mm, standing, strict=True)])
    return _cut(district, depth_mm, bare_links(district))


def _cut(district: District, depth_mm: IntArray, links: Links) -> npt.NDArray[np.int8]:
    deeper = deeper_mm(district.sheet, depth_mm)
    return cut_where(district, *(~is_open(links, deeper, mode) for mode in _MODES))


def cut_where(
    district: District, on_foot: BoolArray, to_vehicles: BoolArray
) -> npt.NDArray[np.int8]:
    """How every link is cut that is closed to pedestrians, and to vehicles (..., n_edge)."""
    cut = np.zeros(on_foot.shape, dtype=np.int8)
    for value, closed, mode in zip((1, 2), (on_foot, to_vehicles), _MODES, strict=True):
        cut[_open_dry(district, mode) & closed] = value
    return cut


@remembered(4)
def _open_dry(district: District, mode: Mode) -> BoolArray:
    """(n_edge,) whether each link of a district is open where there is no water."""
    return open_links(district, np.zeros(district.sheet.n_hexes, dtype=np.int32), mode)
