"""Progress of long work, on the console's error stream; silent where that is not a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

Tell = Callable[[str, float], None]


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
                tasks[stage] = bars.add_task(f"{stage[:1].upper()}{stage[1:]}", total=1.0)
            bars.update(tasks[stage], completed=share)

        yield tell
        for task in tasks.values():
            bars.update(task, completed=1.0)
