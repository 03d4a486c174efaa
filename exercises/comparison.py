"""Players side by side on the same storms and the same dice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rich import box
from rich.table import Table

from exercises.exports import UNDEFINED
from exercises.players import PLAYERS
from exercises.session import play
from exercises.voice import SOURCE, Voice, voice
from sim.district import District
from sim.hexes import IntArray
from sim.rules import HOURS, LEVELS
from sim.score import Score
from sim.world import World

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """Means of a player over the seeds of one level, or over all levels (``level`` None).

    Attributes
    ----------
    points, saved, misused, victims, maximum : float
        Means over the games.
    threatened_share : float
        Of those to shelter.
    recall, precision : float or None
        Means over the games where the share exists; None where it exists in none.

    """

    player: str
    level: int | None
    games: int
    points: float
    saved: float
    misused: float
    victims: float
    maximum: float
    threatened_share: float
    recall: float | None
    precision: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of players and levels, on one district at one hour."""

    district: str
    hour: int
    seeds: int
    rows: tuple[ComparisonRow, ...]

    def mean_points(self, player: str) -> float:
        """Mean score of a player over every seed and level."""
        return next(r.points for r in self.rows if r.player == player and r.level is None)


def compare(
    district: District,
    water: Mapping[int, IntArray],
    seeds: int,
    hour: int,
    progress: Progress | None = None,
) -> Comparison:
    """Play every player on every level and seed.

    Parameters
    ----------
    water : mapping of int to (turns + 1, n_hex) int32
        Depth of each level's storm, millimetres.
    seeds : int
        Games a level; seeds are numbered, so that the table comes out alike.
    hour : int
        Hour of the initial situation (§8.2).

    """
    levels = [level for level in LEVELS if level in water]
    scores: dict[tuple[str, int], list[Score]] = {}
    people: dict[int, int] = {}
    done, games = 0, len(PLAYERS) * len(levels) * seeds
    for level in levels:
        for number in range(seeds):
            seed = numbered_seed(number)
            world = World(district, water[level], level, seed, hour, len(water[level]) - 1)
            people[level] = int(world.situation.to_shelter.sum())
            for name, player_for in PLAYERS.items():
                played = play(world, player_for(district))
                scores.setdefault((name, level), []).append(played.score)
                done += 1
                if progress:
                    progress("playing", done / games)
    rows = []
    for name in PLAYERS:
        by_level = [(level, scores[name, level]) for level in levels]
        rows += [_row(name, level, played, people[level]) for level, played in by_level]
        every = [score for _, played in by_level for score in played]
        rows.append(_row(name, None, every, people[levels[0]]))
    return Comparison(district.name, hour, seeds, tuple(rows))


def numbered_seed(number: int) -> str:
    """Return a seed for a comparison: its number as 128 bits, no secret."""
    return f"{number:032x}"


def _row(player: str, level: int | None, scores: list[Score], people: int) -> ComparisonRow:
    games = len(scores)
    return ComparisonRow(
        player=player,
        level=level,
        games=games,
        points=sum(s.points for s in scores) / games,
        saved=sum(s.saved for s in scores) / games,
        misused=sum(s.misused for s in scores) / games,
        victims=sum(s.victims for s in scores) / games,
        maximum=sum(s.maximum for s in scores) / games,
        threatened_share=sum(s.threatened for s in scores) / games / people if people else 0.0,
        recall=_mean([s.recall for s in scores]),
        precision=_mean([s.precision for s in scores]),
    )


def _mean(shares: list[Fraction | None]) -> float | None:
    known = [float(share) for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def comparison_table(comparison: Comparison, lang: str = SOURCE) -> Table:
    """Return the comparison as a table for the console, at most 80 characters wide."""
    say = voice(lang)
    title = say.phrase(
        "{district}, {hour}: means, seeds a level: {seeds}",
        district=comparison.district,
        hour=HOURS[comparison.hour],
        seeds=comparison.seeds,
    )
    table = Table(
        title=title,
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column(say.phrase("player"), justify="left", no_wrap=True)
    for heading in (
        say.phrase("level"),
        say.phrase("points"),
        say.phrase("saved"),
        say.phrase("misused"),
        say.phrase("victims"),
        say.phrase("threat"),
        say.phrase("recall"),
        say.phrase("prec."),
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in comparison.rows:
        table.add_row(
            row.player,
            say.phrase("all") if row.level is None else str(row.level),
            say.number(row.points),
            say.number(row.saved),
            say.number(row.misused),
            say.number(row.victims),
            say.percent(row.threatened_share),
            _percent(row.recall, say),
            _percent(row.precision, say),
            style="bold" if row.level is None else None,
            end_section=row.level is None,
        )
    return table


def _percent(share: float | None, say: Voice) -> str:
    return UNDEFINED if share is None else say.percent(share, 0)
