"""``class.pdf``: the teams of a class side by side on a page or two of A4 (§17).

Its figures and its drawings are those of the page: both are read from ``page_class``.
"""

from pathlib import Path
from typing import Any

from markupsafe import Markup

from exercises.debrief.figures import ClassFigures
from exercises.debrief.material import Material
from exercises.debrief.page_class import (
    FORECAST_COLUMNS,
    class_columns,
    differences,
    ended_said,
    forecast_lines,
    length_said,
    rates_plot,
    short_name,
    team_lines,
    terms_plot,
)
from exercises.debrief.page_tongue import Tongue
from exercises.debrief.report_words import report_say, unfilled_report
from gis.provenance import shown_credit
from gis.sheet_labels import clean
from gis.store import read_manifest
from gis.typesetting import set_pages, write_whole
from sim.errors import DebriefError
from sim.rules import HOURS
from sim.severity_words import ladder_words

CLASS_REPORT = "class.pdf"
MOST_NAMED = 34
"""Characters of a team's name that fit in a table."""
# what the page's style sheet says of the same drawings
_STYLE = """<style>
text { font-family: "Source Sans 3"; fill: #1d2b33; }
.tick { font-size: 13px; } .label { font-size: 14.5px; } .key { font-size: 14px; }
.grid { stroke: #d9d3c4; fill: none; } .stem { stroke: #a9a294; stroke-width: 2; fill: none; }
.sign-good { fill: #0072b2; stroke: #1d2b33; stroke-width: 1.2; }
.sign-missed { fill: none; stroke: #d55e00; stroke-width: 4; }
.sign-needless { fill: #e6a817; stroke: #1d2b33; stroke-width: 1.2; }
.sign-lost { fill: #1d2b33; }
</style>"""


def write_class_report(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write the class on paper; nothing where there is one team.

    Raises
    ------
    AverseError
        If the pack cannot be read, or the file cannot be written.
    """
    if not figures.is_class:
        return ()
    data = class_data(figures, shown_credit(read_manifest(material.pack), lang), lang)
    names = "".join((material.district.name, *(team.team.name for team in figures.teams)))
    path = folder / CLASS_REPORT
    pages = set_pages("exercises.debrief", "report/class.typ", data, names)
    write_whole(path, pages, DebriefError)
    return (path,)


def class_data(figures: ClassFigures, credit: str, lang: str) -> dict[str, Any]:
    """Return all that the template prints, as plain values."""
    world = figures.teams[0].team.world
    tongue = Tongue(lang, world.district, world.hour)
    differs = differences(figures, tongue)
    return {
        "lang": lang,
        "title": report_say("class_report", lang),
        "district": clean(world.district.name),
        "heading": tongue.say("class_title", n=len(figures.teams)),
        "lead": tongue.say("class_lead"),
        "differences": tongue.say("differences", list=differs) if differs else "",
        "ended": [clean(said) for said in ended_said(figures, tongue)],
        "setting": report_say(
            "class_setting",
            lang,
            turns=length_said(figures, tongue),
            hour=tongue.scene.voice.label(HOURS[world.hour]),
            people=tongue.say("n_people", n=figures.teams[0].sums.people_to_shelter),
            places=sum(shelter.places for shelter in world.district.shelters),
            storm=report_say(
                "storm_is",
                lang,
                level=world.level,
                words=ladder_words(world.district, lang)[world.level],
            ),
        ),
        "ground": report_say("class_ground", lang),
        "page_text": unfilled_report("page", lang),
        "credit": clean(credit),
        "teams": {
            "title": tongue.say("class_table"),
            "head": [tongue.say(key) for key in ("team", *class_columns(figures))],
            "rows": [[_named(line.name), *line.cells] for line in team_lines(figures, tongue)],
        },
        "plots": [
            {"title": tongue.say(key), "svg": _printed(plot)}
            for key, plot in (
                ("class_terms", terms_plot(figures, tongue)),
                ("class_rates", rates_plot(figures, tongue)),
            )
        ],
        "forecasts": {
            "title": tongue.say("class_forecasts"),
            "head": [tongue.say(key) for key in ("team", *FORECAST_COLUMNS)],
            "rows": [[_named(line.name), *line.cells] for line in forecast_lines(figures, tongue)],
        },
        "alt_chart": report_say("alt_chart", lang),
    }


def _named(team: str) -> str:
    return short_name(clean(team), MOST_NAMED)


def _printed(drawing: Markup) -> str:
    """Return a drawing of the page as a file of its own, in its own style."""
    opened, rest = str(drawing).split(">", 1)
    return f'{opened} xmlns="http://www.w3.org/2000/svg">{_STYLE}{rest}'
