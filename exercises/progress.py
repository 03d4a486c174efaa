"""Progress of long work, on the console's error stream; silent where that is not a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from exercises.command_language import said
from sim.refusal import mark

Tell = Callable[[str, float], None]
STAGES = (
    mark("archive"),
    mark("classing the fabric"),
    mark("copying the files"),
    mark("cutting quarters"),
    mark("designing the town"),
    mark("drawing the background"),
    mark("drawing the map"),
    mark("drawing the town"),
    mark("drawing the turns"),
    mark("fetching streets"),
    mark("fetching the ground"),
    mark("finding the place"),
    mark("maps"),
    mark("moving into the database"),
    mark("moving the storm"),
    mark("placing shelters"),
    mark("playing"),
    mark("reading OSM"),
    mark("reading population"),
    mark("reading the journals"),
    mark("reading the pack"),
    mark("seeking it under the storm found"),
    mark("seeking the ladder"),
    mark("shaping the ground"),
    mark("snapping roads"),
    mark("sorting the layers"),
    mark("water"),
    mark("water of every level"),
    mark("writing the map"),
    mark("writing the pack"),
    mark("writing the report"),
)
"""Stages of long work, as they are told; what follows one, such as a tile's name, is kept."""


def stage_said(stage: str) -> str:
    """Return a stage in the language that is spoken.

    >>> stage_said("fetching the ground N48E002")
    'fetching the ground N48E002'
    """
    found = [one for one in STAGES if stage == one or stage.startswith(f"{one} ")]
    known = max(found, key=len, default="")
    return said(known) + stage.removeprefix(known)


@contextmanager
def console_progress() -> Iterator[Tell]:
    """Yield a function ``tell(stage, share)``: one bar a stage, share from 0 to 1."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", justify="left"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def tell(stage: str, share: float) -> None:
            if stage not in tasks:
                for task in tasks.values():
                    bars.update(task, completed=1.0)  # a new stage: those before are done
                words = stage_said(stage)
                tasks[stage] = bars.add_task(f"{words[:1].upper()}{words[1:]}", total=1.0)
            bars.update(tasks[stage], completed=share)

        yield tell
        for task in tasks.values():
            bars.update(task, completed=1.0)
