"""The maps that an instructor may project, each one HTML file that opens with the network cut.

Drawn by ``gis.webmap`` as the map of an exercise is; what they tell is in ``map_stories``.
"""

from pathlib import Path

from exercises.debrief.figures import ClassFigures, TeamFigures
from exercises.debrief.map_stories import (
    cuts_story,
    evacuation_story,
    forecast_story,
    known_story,
    teams_story,
)
from exercises.debrief.material import Material
from exercises.map_frames import frames_of
from gis.webmap import Scene, map_of, read_scene, save_map

MAPS = "maps"
"""Folder of the maps, in a team's own folder or in that of the class."""
FORECAST, KNOWN, CUTS, EVACUATION, TEAMS = (
    *("forecast.html", "believed-true.html", "cut-links.html"),
    *("evacuation.html", "two-teams.html"),
)
TEAM_MAPS = (FORECAST, KNOWN, CUTS, EVACUATION)


def write_maps(
    material: Material, figures: ClassFigures, folder: Path, lang: str
) -> tuple[Path, ...]:
    """Write four maps for every team, and one that compares teams where there are several.

    Parameters
    ----------
    material : Material
    figures : ClassFigures
    folder : Path
        Of the debrief pack; it exists.
    lang : str
        ``fr`` or ``en``.

    Returns
    -------
    tuple of Path
        The files, teams in their order.

    Raises
    ------
    DistrictError
        If the district pack cannot be read or a file written.
    """
    scene = read_scene(material.pack)
    written: list[Path] = []
    for team in figures.teams:
        maps = material.folder_of(team.team, folder) / MAPS
        name = team.team.name if figures.is_class else ""
        written += _write_team(scene, team, maps, lang, name)
    if figures.is_class:
        path = folder / MAPS / TEAMS
        save_map(map_of(scene, lang=lang, story=teams_story(figures.teams, lang)), path)
        written.append(path)
    return tuple(written)


def _write_team(
    scene: Scene, figures: TeamFigures, folder: Path, lang: str, name: str
) -> list[Path]:
    frames = frames_of(figures.team.played, lang)
    by_turn = {KNOWN: known_story, CUTS: cuts_story, EVACUATION: evacuation_story}
    shown = {FORECAST: map_of(scene, lang=lang, story=forecast_story(figures, lang, name))}
    for file, story in by_turn.items():
        shown[file] = map_of(scene, frames, lang=lang, story=story(figures, frames, lang, name))
    for file, drawn in shown.items():
        save_map(drawn, folder / file)
    return [folder / file for file in shown]


__all__ = ["MAPS", "TEAMS", "TEAM_MAPS", "write_maps"]
