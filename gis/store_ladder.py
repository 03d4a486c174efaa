"""Writes a ladder into a district pack: the whole pack anew, or nothing of it (§7.6)."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gis.aside import written_aside
from gis.report import write_report
from gis.store import MANIFEST, PACK, REPORT, read_manifest
from sim.district import District
from sim.errors import SourceError
from sim.refusal import refuse

CALIBRATION = "calibration"
"""Entry of the manifest that says how the ladder was found."""

Tell = Callable[[str, float], None]


def require_open(pack: Path) -> None:
    """Refuse a pack that cannot be replaced, before any work.

    Raises
    ------
    DistrictError
        If the folder is no pack.
    SourceError
        If the folder, its manifest or the folder beside it cannot be written, or it holds something
        else too.
    """
    pack = Path(os.path.realpath(pack))  # the pack goes where a link leads, and a loop nowhere
    read_manifest(pack)
    for path in (pack.parent, pack, pack / MANIFEST):
        if not os.access(path, os.W_OK):
            raise SourceError(
                refuse(
                    "",
                    "{path} is closed to writing: copy the district to a folder of yours and "
                    "calibrate that",
                    path=str(path),
                )
            )
    if strangers := PACK.strangers(pack):
        raise SourceError(
            refuse(
                "",
                "{pack} holds something else than a district pack ({some}), which would be lost: "
                "move that out of it, or calibrate a copy of the district alone",
                pack=str(pack),
                some=", ".join(strangers[:3]) + (", …" if len(strangers) > 3 else ""),
            )
        )


def write_ladder(
    pack: Path,
    district: District,
    calibration: dict[str, Any],
    *,
    lang: str = "en",
    tell: Tell | None = None,
) -> None:
    """Give a pack the ladder and the storm of a district, and say how they were found.

    The pack's hash changes with them, and its report is drawn again; the rest is copied.

    Parameters
    ----------
    pack : Path
        Replaced once the new one is whole; left as it was when something goes wrong.
    district : District
        The pack's own, under another ladder and another form of the storm.
    calibration : dict
        Plain data for the manifest.
    lang : {"fr", "en"}
        Language of the report.

    Raises
    ------
    SourceError
        If the folder holds something else than a pack, or cannot be written.
    """
    pack = Path(pack)
    require_open(pack)
    manifest = read_manifest(pack)
    manifest["ladder"] = [asdict(rung) for rung in district.ladder]
    manifest["hyetograph"] = asdict(district.hyetograph)
    manifest["district_sha256"] = district.digest
    manifest[CALIBRATION] = calibration
    with written_aside(pack, PACK) as folder:
        try:
            shutil.copytree(pack, folder, dirs_exist_ok=True)
        except (OSError, shutil.Error) as error:
            raise SourceError(
                refuse(
                    "",
                    "cannot copy {pack} beside itself ({error}); make room and try again",
                    pack=str(pack),
                    error=f"{error!s:.120}",
                )
            ) from error
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        (folder / MANIFEST).write_text(text, encoding="utf-8")
        write_report(folder, folder / REPORT, lang=lang, progress=tell)
