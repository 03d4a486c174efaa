"""From a district pack to the same pack under a ladder found for it (§7.6)."""

from collections.abc import Sequence
from pathlib import Path

from exercises.calibrate import DEFAULT_SHARES, Tell, calibrate
from exercises.calibration_entry import Entry, calibration_entry
from gis.store_ladder import require_open, write_ladder


def calibrate_pack(
    pack: Path,
    shares: Sequence[float] = DEFAULT_SHARES,
    hour: int = 14,
    *,
    keep_storm: bool = False,
    write: bool = True,
    lang: str = "en",
    tell: Tell | None = None,
) -> Entry:
    """Find the ladder of a pack, write it there, and return how it was found.

    Parameters
    ----------
    shares, hour, keep_storm, tell
        As for ``exercises.calibrate.calibrate``.
    write : bool
        Whether the pack takes the ladder.
    lang : {"fr", "en"}
        Language of the pack's report.

    Raises
    ------
    AverseError
        If the pack or a setting is at fault; the pack is left as it was then.
    """
    if write:
        require_open(Path(pack))
    found = calibrate(pack, shares, hour, keep_storm=keep_storm, tell=tell)
    entry = calibration_entry(found)
    if write:
        write_ladder(pack, found.district, entry, lang=lang, tell=tell)
    return entry
