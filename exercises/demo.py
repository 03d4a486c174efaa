"""The whole chain in one command, on the generated reference town."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercises.chain import ExerciseOptions, play_exercise
from exercises.debrief.crew import ALONE, Crew
from exercises.debrief.material import read_material
from exercises.debrief.write import MODULES, DebriefPack, write_pack
from exercises.exercise_folder import EXERCISE
from exercises.exports import SCORES_CSV, SCORES_JSON
from exercises.session import PlayedExercise
from exercises.voice import mark
from gis.build import BuildOptions, build_district
from gis.placement import Placement
from gis.reference import REFERENCE_SEED, TOWN_LAT, TOWN_LON, design_town, draw_town
from gis.reference_ladder import reference_calibration, under_reference_ladder
from gis.reference_names import TOWN
from gis.store import MAP, REPORT, read_district, read_manifest, require_no_pack
from gis.store_ladder import write_ladder
from sim.errors import SourceError
from sim.refusal import reason_of, refuse

Tell = Callable[[str, float], None]

# one exercise for everyone who runs the demo, with the strongest storm: there is something to see
DEMO_SEED = "a7e25e00d1517ab0a7e25e00d1517ab0"
DEMO_LEVEL = 5


@dataclass(frozen=True, slots=True)
class TownFiles:
    """The files of a drawn town, and where its sheet lies."""

    osm: Path
    dem: Path

    @property
    def build_arguments(self) -> str:
        """Arguments of ``averse build`` that lay the sheet where the town was designed."""
        return f"--osm {self.osm} --dem {self.dem} --centre {TOWN_LON},{TOWN_LAT}"


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What the demo made."""

    files: TownFiles
    district: Path
    exercise: Path
    debrief: DebriefPack
    manifest: dict[str, Any]
    played: PlayedExercise

    @property
    def paths(self) -> tuple[tuple[str, Path], ...]:
        """What to open, with what it is: a text to say in a language."""
        return (
            (mark("map of the district"), self.district / MAP),
            (mark("what the build read, and how far to trust it"), self.district / REPORT),
            (mark("map of the exercise, turn by turn"), self.exercise / MAP),
            (mark("the debrief of the exercise"), self.debrief.opens_with),
            (mark("scores"), self.exercise / SCORES_CSV),
            (mark("scores, with all they rest on"), self.exercise / SCORES_JSON),
            (mark("the district in QGIS"), self.district / "district.gpkg"),
        )


def draw_reference(folder: Path, seed: str | None = None, tell: Tell | None = None) -> TownFiles:
    """Draw a reference town into a folder: an OSM extract and a DEM."""
    tell = tell or (lambda stage, share: None)
    require_no_pack(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass  # a folder closed to writing is told before the work
    tell("designing the town", 0.0)
    design = design_town(seed or REFERENCE_SEED)
    tell("drawing the town", 0.0)
    try:
        osm, dem = draw_town(design, folder)
    except RuntimeError as error:  # the writer of the extract, on a full disk
        raise SourceError(
            refuse(
                "",
                "cannot draw the town into {folder}: {error}; make room",
                folder=str(folder),
                error=reason_of(error),
            )
        ) from error
    tell("drawing the town", 1.0)
    return TownFiles(osm, dem)


def run_demo(
    out: Path, lang: str, tell: Tell = lambda stage, share: None, crew: Crew = ALONE
) -> DemoResult:
    """Draw the reference town, build it, play an exercise on it, debrief it.

    The manifest is that of the finished district, its ladder in it.
    """
    files = draw_reference(out / "town", tell=tell)
    district, exercise = out / "district", out / EXERCISE.removesuffix(".json")
    options = BuildOptions(
        osm=files.osm,
        dem=files.dem,
        name=TOWN,
        placement=Placement(centre=(TOWN_LON, TOWN_LAT)),
        lang=lang,
    )
    build_district(options, district, tell)
    calibrated = under_reference_ladder(read_district(district))
    write_ladder(district, calibrated, reference_calibration(), lang=lang, tell=tell)
    asked = ExerciseOptions(seed=DEMO_SEED, level=DEMO_LEVEL, lang=lang, replace=True)
    crew.warm_up(MODULES)
    played = play_exercise(district, exercise, asked, tell)
    material = read_material([exercise], district, tell, crew)
    debrief = write_pack(material, out / "debrief", lang, tell=tell, crew=crew)
    return DemoResult(files, district, exercise, debrief, read_manifest(district), played)
