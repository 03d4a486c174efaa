"""The ladder of the reference town: found once, kept as data, so that a demo need not seek it.

``averse calibrate`` on a district built of the town prints it with ``--json``; a test holds its
figures to the ground. Another seed's town would have another.
"""

import json
from dataclasses import fields, replace
from importlib.resources import files
from typing import Any

from sim.district import District, Severity
from sim.hyetograph import Hyetograph


def reference_calibration() -> dict[str, Any]:
    """Return what calibration found on the reference town, as a manifest keeps it (§7.6)."""
    text = (files("gis") / "assets" / "reference" / "calibration.json").read_text(encoding="utf-8")
    entry: dict[str, Any] = json.loads(text)
    return entry


def under_reference_ladder(district: District) -> District:
    """Return the reference town's district under the ladder and the storm found for it."""
    entry = reference_calibration()
    names = [field.name for field in fields(Severity)]
    ladder = tuple(Severity(**{name: level[name] for name in names}) for level in entry["levels"])
    return replace(district, ladder=ladder, hyetograph=Hyetograph(**entry["hyetograph"]))
