"""The page of a debrief: a part for the class, one a team, in one file that opens offline (§17)."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from exercises.debrief import page_class, page_course, page_forecast, page_regret, page_terms
from exercises.debrief.figures import ClassFigures, TeamFigures
from exercises.debrief.material import Material
from exercises.debrief.page_decisions import decision_rows
from exercises.debrief.page_svg import DEFINITIONS
from exercises.debrief.page_tongue import Tongue
from exercises.debrief.page_twin import frames_for, gap_track, script_words, twin_data
from exercises.debrief.write import INDEX
from gis.board_scripts import board_script
from gis.hex_paths import HexPaths
from gis.offline import save_page
from gis.provenance import shown_credit
from gis.webmap import Scene, board_data, read_scene
from gis.webmap_page import page_json
from sim.rules import HOURS, RULES_VERSION
from sim.severity_words import ladder_words

_OWN_SCRIPTS = ("twin.js", "page.js")
SECTIONS = (
    "terms",
    "rates",
    "forecast",
    "twin",
    "decisions",
    "regret",
    "shelters",
    "capital",
    "cards",
    "bulletin",
)
"""Sections of a team's part, in the order shown."""
TOO_FINE = ("building", "wall", "path")
"""Kinds of the background that the boards leave out."""


def write_page(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write ``index.html``.

    Parameters
    ----------
    material : Material
    figures : ClassFigures
        Every figure of the page is read from them.
    folder : Path
        Of the debrief pack; it exists.
    lang : {"fr", "en"}

    Returns
    -------
    tuple of Path
        The page.

    Raises
    ------
    DistrictError
        If the pack is damaged or the page cannot be written.
    OutsideReferenceError
        If the page would ask a host for anything.

    """
    path = folder / INDEX
    save_page(page_of(material, figures, lang), path)
    return (path,)


def page_of(material: Material, figures: ClassFigures, lang: str) -> str:
    """Return the text of the page."""
    scene = read_scene(material.pack)
    world = figures.teams[0].team.world
    tongue = Tongue(lang, material.district, world.hour)
    hexes = HexPaths(scene)
    teams: list[dict[str, Any]] = []
    for team in figures.teams:
        first = teams[0]["turns"] if teams else None
        teams.append(_team(team, hexes, tongue, first))
    people = int(world.situation.to_shelter.sum())
    stands_for = ladder_words(material.district, lang)[world.level]
    return (
        _environment()
        .get_template("page.html")
        .render(
            lang=lang,
            say=tongue.say,
            tongue=tongue,
            heading=material.district.name,
            styles=Markup(_asset("page.css")),
            scripts=Markup(_scripts()),
            definitions=DEFINITIONS,
            symbols=[
                page_forecast.ground_symbol(hexes),
                *(page_forecast.forecast_symbol(team, hexes) for team in figures.teams),
            ],
            sections=SECTIONS,
            facts={
                "storm": f"{tongue.say('level', n=world.level)} · {stands_for}",
                "start": tongue.scene.voice.label(HOURS[world.hour]),
                "length": page_class.length_said(figures, tongue),
                "people": tongue.say("n_people", n=people),
            },
            words=Markup(page_json(script_words(tongue))),
            ground=Markup(page_json(_ground(scene, lang))),
            teams=teams,
            classed=_class(figures, tongue) if figures.is_class else None,
            credit=shown_credit(scene.manifest, lang),
            rules_version=RULES_VERSION,
            seed=world.seed,
        )
    )


def _ground(scene: Scene, lang: str) -> dict[str, Any]:
    """What the boards are drawn from, without what two small maps side by side cannot show."""
    data = board_data(scene, None, lang)
    return {**data, "basemap": {**data["basemap"], **dict.fromkeys(TOO_FINE, "")}}


def _team(
    figures: TeamFigures, hexes: HexPaths, tongue: Tongue, storm: dict[str, Any] | None
) -> dict[str, Any]:
    """All that the part of a team shows."""
    frames = frames_for(figures, tongue.lang)
    turns = twin_data(figures, frames, tongue, storm)
    people, unit = page_terms.crowds(figures, tongue)
    team = figures.team
    return {
        "id": f"team-{team.number}",
        "number": team.number,
        "name": team.name,
        "ended_early": team.ended_early,
        "turns_played": team.played.turns,
        "turns_all": team.world.turns,
        "figures": figures,
        "crowds": people,
        "unit": unit,
        "terms_lead": page_terms.terms_lead(figures, tongue),
        "terms": page_terms.term_rows(figures, tongue),
        "rates": page_terms.rates(figures, tongue),
        "painted": page_forecast.painted(figures),
        "cut": page_forecast.cut(figures),
        "map": page_forecast.forecast_map(figures, hexes, tongue),
        "rings": page_forecast.rings(figures, tongue),
        "confidence": page_forecast.confidence_rows(figures, tongue),
        "reliability": page_forecast.reliability_plot(figures, tongue)
        if figures.skill.reliability
        else None,
        "turns": turns,
        "turns_json": Markup(page_json(turns)),
        "track": gap_track(figures, frames, tongue),
        "decisions": decision_rows(figures, tongue),
        "ways": page_regret.way_rows(figures, tongue),
        "regret_chart": page_regret.regret_chart(figures, tongue),
        "earlier": page_regret.earlier(figures, tongue),
        "shelters": page_course.shelter_rows(figures, tongue),
        "places_taken": int(figures.places_taken[-1]),
        "places": sum(shelter.places for shelter in tongue.district.shelters),
        "capital_start": int(figures.capital[0]),
        "capital_chart": page_course.capital_chart(figures, tongue),
        "forks": page_course.fork_rows(figures, tongue),
        "cards": page_course.card_lines(figures, tongue),
        "bulletin_chart": page_course.bulletin_chart(figures, tongue),
        "bulletin_rows": page_course.bulletin_rows(figures, tongue),
        "level": team.world.level,
    }


def _class(figures: ClassFigures, tongue: Tongue) -> dict[str, Any]:
    """All that the part of the class shows."""
    return {
        "columns": page_class.class_columns(figures),
        "lines": page_class.team_lines(figures, tongue),
        "terms_plot": page_class.terms_plot(figures, tongue),
        "rates_plot": page_class.rates_plot(figures, tongue),
        "forecast_columns": page_class.FORECAST_COLUMNS,
        "forecasts": page_class.forecast_lines(figures, tongue),
        "differences": page_class.differences(figures, tongue),
        "ended": page_class.ended_said(figures, tongue),
    }


def _asset(name: str) -> str:
    return (files("exercises.debrief") / "assets" / name).read_text(encoding="utf-8")


def _scripts() -> str:
    return "\n".join((board_script(), *map(_asset, _OWN_SCRIPTS)))


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(_asset),
    )
