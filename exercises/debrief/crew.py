"""Processes that share the work of a debrief; or none, and the work is done here, in order.

What comes out is the same either way. Processes are spawned, not forked: that is safe on every
system, and the geodata libraries load in them while the journals are being read.

Whatever goes wrong with a piece of work, or stops whoever asked for it, ends the processes at once:
once ``Crew.each`` has raised, none of them writes any more, and what they wrote can be removed.
"""

import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from sim.errors import DebriefError
from sim.refusal import refuse

Item = TypeVar("Item")
Result = TypeVar("Result")
Share = Callable[[float], None]
MOST_PROCESSES = 8
"""Each holds the libraries and a class: more would be short of memory before they were faster."""


class Crew:
    """Those who do the work.

    Parameters
    ----------
    pool : ProcessPoolExecutor, optional
        None does every piece of work where it is asked for.

    """

    def __init__(self, pool: ProcessPoolExecutor | None = None) -> None:
        self._pool = pool

    @property
    def is_alone(self) -> bool:
        """Whether no process helps."""
        return self._pool is None

    def warm_up(self, modules: Sequence[str]) -> None:
        """Load modules where the work will be done, and do not wait for it."""
        if self._pool is not None:
            for _ in range(processes_here()):
                self._pool.submit(_load, tuple(modules))

    def each(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        told: Share = lambda share: None,
    ) -> list[Result]:
        """Do a piece of work for every item; the results are in the order of the items.

        Parameters
        ----------
        function : callable
            Of a module, so that a process can find it.
        items : sequence
        told : callable
            Told the share that is done.

        Raises
        ------
        Exception
            As the work does, and as whatever stops it here: the crew is disbanded then
            (``disband``).
        DebriefError
            If a process was stopped.
        """
        told(0.0)
        if self._pool is None or len(items) == 1:
            results = []
            for done, item in enumerate(items, start=1):
                results.append(function(item))
                told(done / len(items))
            return results
        try:
            given: list[Future[Result]] = [self._pool.submit(function, item) for item in items]
            for done, future in enumerate(as_completed(given), start=1):
                future.result()
                told(done / len(items))
            return [future.result() for future in given]
        except BrokenProcessPool:
            self.disband()
            raise DebriefError(
                refuse(
                    "",
                    "a process that helped was stopped, for want of memory perhaps: try again "
                    "with fewer teams, or close other programs",
                )
            ) from None
        except BaseException:  # Ctrl-C too
            self.disband()
            raise

    def disband(self) -> None:
        """End the processes at once, whatever they are at; no more work can be given to them."""
        if self._pool is None:
            return
        # named so in every Python that averse runs on; public from 3.14 on (``kill_workers``)
        processes = list((getattr(self._pool, "_processes", None) or {}).values())
        results = getattr(self._pool, "_result_queue", None)
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
        # a result cut off in the middle is waited for as long as this process might write the rest
        if results is not None:
            results._writer.close()
        self._pool.shutdown(wait=False, cancel_futures=True)


ALONE = Crew()


def processes_here() -> int:
    """How many processes may work at once on this machine."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(MOST_PROCESSES, allowed or 1)


@contextmanager
def crew_of(processes: int) -> Iterator[Crew]:
    """Yield a crew of so many processes; of one, the work is done here."""
    if processes <= 1:
        yield ALONE
        return
    # removed after them: what they lay there, a copy of a journal say, does not outlive them
    with tempfile.TemporaryDirectory(prefix="averse-", ignore_cleanup_errors=True) as aside:
        pool = ProcessPoolExecutor(
            processes,
            multiprocessing.get_context("spawn"),
            initializer=_begin_work,
            initargs=(aside,),
        )
        crew = Crew(pool)
        try:
            yield crew
        except BaseException:
            crew.disband()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _begin_work(aside: str) -> None:
    """Leave Ctrl-C to whoever asked for the work, and end with it; lay files aside where told."""
    tempfile.tempdir = aside
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _load(modules: tuple[str, ...]) -> None:
    for name in modules:
        with suppress(ImportError):  # told by whoever needs it
            import_module(name)


# --------------------------------------------------------------------------- what all work on
def lay_out(path: Path, work: object) -> None:
    """Lay what every process will work on into a file of a folder that is ours alone."""
    with path.open("wb") as file:
        pickle.dump(work, file, pickle.HIGHEST_PROTOCOL)


_laid_out: dict[Path, Any] = {}


def laid_out(path: Path) -> Any:
    """Return what was laid into a file, read once by each process."""
    if path not in _laid_out:
        _laid_out.clear()
        with path.open("rb") as file:
            _laid_out[path] = pickle.load(file)
    return _laid_out[path]
