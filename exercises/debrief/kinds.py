"""What maps, layers and reports say alike of every hex and link: its outcome, whether cut."""

import numpy as np
import numpy.typing as npt

from exercises.debrief.figures import TeamFigures
from exercises.debrief.material import Team
from sim.district import BoolArray
from sim.links import deeper_mm, is_open
from sim.obstacles import Obstacles, links_with
from sim.rules import Mode


def cut_links(team: Team, mode: Mode) -> BoolArray:
    """Links open on dry, bare ground that are not, what stands on them included.

    Returns
    -------
    (turns, n_edge) bool
        Of turn 1 to the last that was played.
    """
    world, district = team.world, team.world.district
    dry = np.zeros(district.sheet.n_edges, dtype=np.int32)
    was_open = is_open(links_with(district, Obstacles(), (), 0), dry, mode)
    cut = []
    for turn, state in enumerate(team.played.moments):
        if turn:
            links = links_with(district, state.obstacles, state.units, state.turn)
            wet = deeper_mm(district.sheet, world.depth_mm[turn])
            cut.append(was_open & ~is_open(links, wet, mode))
    return np.array(cut)


def outcomes(figures: TeamFigures) -> npt.NDArray[np.object_]:
    """Say in a word what became of most of the people of every hex, victims before all."""
    people = figures.people
    counts = np.stack([people.saved, people.late, people.left])
    most = np.array(["saved", "late", "left"], dtype=object)[counts.argmax(axis=0)]
    said = np.where(people.threatened > 0, most, "none")
    said = np.where((people.threatened == 0) & (people.misused > 0), "not_needed", said)
    return np.where(people.lost > 0, "victims", said)


def forecast_kinds(figures: TeamFigures) -> npt.NDArray[np.object_]:
    """Say of every hex "hit", "miss", "false_alarm" or "quiet" (§12.4)."""
    world, state = figures.team.world, figures.team.played.states[-1]
    painted = np.zeros(world.district.sheet.n_hexes, dtype=bool)
    painted[list(state.forecast)] = True
    cut = world.cut_on_foot
    said = np.full(len(cut), "quiet", dtype=object)
    said[painted & cut], said[~painted & cut], said[painted & ~cut] = "hit", "miss", "false_alarm"
    return said
