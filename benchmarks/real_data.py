"""Build every real town: ``python benchmarks/real_data.py [NAME…]`` prints ``docs/real-data.md``.

Each is built in a process of its own, whose peak memory is told; the first, untimed, only lets
numba compile.
"""

import multiprocessing
import platform
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
sys.path.insert(0, str(ROOT))

HEAD = """# What came out on real towns

Every OpenStreetMap extract and elevation raster of the team's test data, built or refused. Where
there is no DEM the town stands on a slope; Rochefort has a DEM and layers that are not
OpenStreetMap's, from which an extract is drawn. `python benchmarks/real_data.py` printed this page
({machine}).

| town | sheet | active | residents | links of class 4 / 3 / 2 / 1 / 0 | barriers | \
bridges, underpasses | open water | mean confidence | left out | seconds | peak MiB |
| --- | --- | ---: | ---: | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |"""

NOTES = """
*Open water* is the share of the sheet's ground. *Left out* counts features, not kinds. Seconds and
memory are those of the whole build, its map included, in a process of its own, run once on a
machine with other work: [build-speed.md](build-speed.md) measures them with care.

## Left out, by reason
"""


@dataclass(frozen=True)
class Outcome:
    name: str
    size: tuple[int, int]
    manifest: dict | None
    refusal: str
    seconds: float
    peak_mib: float


def outcome(name: str) -> Outcome:
    from gis.build import build_district
    from sim.errors import AverseError
    from tests.gis.real_towns import REAL_TOWNS

    town = next(town for town in REAL_TOWNS if town.name == name)
    manifest, refusal = None, ""
    with tempfile.TemporaryDirectory() as folder:
        options = town.options(DATA, Path(folder))
        start = time.perf_counter()
        try:
            manifest = build_district(options, Path(folder) / "pack")
        except AverseError as fault:
            refusal = str(fault)
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Outcome(name, town.size, manifest, refusal, seconds, peak)


def alone(name: str) -> Outcome:
    """The outcome of a town, built in a fresh process."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(outcome, (name,))


def row(found: Outcome) -> str:
    sheet = f"{found.size[0]} × {found.size[1]}"
    cost = f"{found.seconds:.1f} | {found.peak_mib:.0f} |"
    if found.manifest is None:
        return f"| {found.name} | {sheet} | refused, see below | | | | | | | | {cost}"
    totals, report = found.manifest["totals"], found.manifest["report"]
    links = " / ".join(f"{count:,}" for count in totals["links"].values())
    left_out = sum(entry["count"] for entry in report["dropped"])
    return (
        f"| {found.name} | {sheet} | {totals['active']:,} | {totals['residents']:,} | {links} "
        f"| {totals['barriers']:,} | {totals['bridges']}, {totals['underpasses']} "
        f"| {report['terrain']['open_water_share']:.1%} "
        f"| {report['fabric']['mean_confidence']:.0%} | {left_out:,} | {cost}"
    )


def left_out(found: Outcome, most: int = 8) -> str:
    if found.manifest is None:
        return f"- **{found.name}** is refused: “{found.refusal}”"
    dropped = sorted(found.manifest["report"]["dropped"], key=lambda entry: -entry["count"])
    told = "; ".join(f"{d['layer']} {d['count']:,}: {d['reason']}" for d in dropped[:most])
    more = f"; and by {len(dropped) - most} more" if len(dropped) > most else ""
    return f"- **{found.name}** — {told}{more}."


def main(names: list[str]) -> None:
    from tests.gis.real_towns import REAL_TOWNS

    towns = [town for town in REAL_TOWNS if not names or town.name in names]
    here = [t.name for t in towns if all((DATA / name).is_file() for name in t.files)]
    if here:
        alone(here[0])
    found = [alone(name) for name in here]
    machine = f"Python {platform.python_version()}, {platform.machine()}, shared machine"
    print(HEAD.format(machine=machine))
    for one in found:
        print(row(one))
    print(NOTES)
    for one in found:
        print(left_out(one))
    for town in towns:
        if town.name not in here:
            print(f"- **{town.name}**: its files are not here.")


if __name__ == "__main__":
    main(sys.argv[1:])
