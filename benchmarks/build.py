"""Time the build of a district: ``python benchmarks/build.py`` prints ``docs/build-speed.md``.

Every run is a process of its own, timed from the end of its imports; builds and osmnx's reading of
the same roads take turns, ``--repeat`` times, and medians are told. osmnx reads an XML file made
beforehand, not counted. ``--largest NODES`` sizes the synthetic towns; ``--whole NODES`` lays a
sheet over the whole of larger ones (minutes each).
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import osmium
import rasterio
from osmium.osm.mutable import Node, Way
from rasterio.transform import from_origin

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
sys.path.insert(0, str(ROOT))

SEED = 20_260
BLOCK_M, STEP_M = 100.0, 25.0  # between crossings; between nodes along a street
BETWEEN = round(BLOCK_M / STEP_M) - 1  # nodes between two crossings
BLOCKS_PER_WAY = 8
WEST, SOUTH = 9.0, 50.0  # corner of the synthetic town, degrees
DEG_PER_M = np.array([1 / (111_320 * np.cos(np.radians(SOUTH))), 1 / 111_320])
MOST_NODES_FOR_OSMNX = 100_000
BYTE_CODE = Path(tempfile.gettempdir()) / "averse-benchmark-byte-code"
PEAK_GOAL_MIB = 2048
GOAL = 0.2
KINDS = ("primary", "secondary", "tertiary", "residential", "residential", "living_street")

FIRST_OF_MAP = "reading the pack"
"""Stage with which the district is done and its map and report begin."""
FIGURES = ("wall", "user", "district_wall", "district_user", "peak_mib")

Run = dict[str, Any]


class Comparison(NamedTuple):
    """A build, osmnx's reading of its roads as users run it, and without simplifying."""

    ours: Run
    usual: Run | None = None
    plain: Run | None = None


# --------------------------------------------------------------------------- in its own process
def measured(work: Callable[[Callable[[str, float], None]], object]) -> Run:
    """Time one piece of work, stage by stage, seconds: wall, and user CPU of all threads."""
    stages: list[tuple[str, float, float]] = []

    def now() -> tuple[float, float]:
        return time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_utime

    def tell(stage: str, _share: float) -> None:
        if not stages or stages[-1][0] != stage:
            stages.append((stage, *now()))

    tell("opening the DEM", 0.0)
    work(tell)
    end = now()
    begun = {stage: at for stage, *at in reversed(stages)}
    start, district = stages[0][1:], begun.get(FIRST_OF_MAP, end)
    by_stage: dict[str, float] = {}
    for (stage, at, _), (_, over, _) in zip(stages, [*stages[1:], ("", *end)], strict=True):
        by_stage[stage] = by_stage.get(stage, 0.0) + over - at
    return {
        "wall": end[0] - start[0],
        "user": end[1] - start[1],
        "district_wall": district[0] - start[0],
        "district_user": district[1] - start[1],
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "stages": by_stage,
    }


def build(job: Run) -> Run:
    from gis.build import BuildOptions, build_district
    from gis.placement import Placement

    placement = Placement(columns=job["size"][0], rows=job["size"][1])
    population = Path(job["population"]) if job.get("population") else None
    options = BuildOptions(
        Path(job["osm"]), Path(job["dem"]), "bench", placement, population=population
    )
    with tempfile.TemporaryDirectory() as folder:
        return measured(lambda tell: build_district(options, Path(folder) / "pack", tell))


def read_by_osmnx(job: Run) -> Run:
    import osmnx

    options: Any = {} if job["as_usual"] else {"simplify": False, "retain_all": True}
    return measured(lambda _: osmnx.graph_from_xml(job["xml"], **options))


def alone(what: str, **job: Any) -> Run:
    """Run a job in a fresh process."""
    # byte code is kept, as of any installed program, aside from the project
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, __file__, "--job", json.dumps({"what": what, **job})],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=kept | {"PYTHONPYCACHEPREFIX": str(BYTE_CODE)},
    )
    if done.returncode:
        raise SystemExit(f"{what} of {job} ended with {done.returncode}")
    run: Run = json.loads(done.stdout.splitlines()[-1])
    return run


def medians(runs: list[Run]) -> Run:
    """Return the median of every figure, and of every stage."""
    middle: Run = {name: median(run[name] for run in runs) for name in FIGURES}
    stages = list(dict.fromkeys(stage for run in runs for stage in run["stages"]))
    middle["stages"] = {
        stage: median(run["stages"].get(stage, 0.0) for run in runs) for stage in stages
    }
    return middle


def compared(repeat: int, xml: Path | None, **job: Any) -> Comparison:
    """Builds and osmnx's reading of an XML file, in turns; without a file, builds alone."""
    turns: list[Comparison] = []
    for _ in range(repeat):
        ours = alone("build", **job)
        usual = alone("osmnx", xml=str(xml), as_usual=True) if xml else None
        plain = alone("osmnx", xml=str(xml), as_usual=False) if xml else None
        turns.append(Comparison(ours, usual, plain))
    builds, usuals, plains = zip(*turns, strict=True)
    if xml is None:
        return Comparison(medians(list(builds)))
    return Comparison(medians(list(builds)), medians(list(usuals)), medians(list(plains)))


# --------------------------------------------------------------------------- what is read
def synthetic(folder: Path, nodes: int) -> Run:
    """Write a town of a seeded street grid with so many highway nodes, and its ground.

    A street every 100 m, bent by up to 5 m at every node; one landuse for 8 × 8 blocks and one
    building for ten blocks, so that every main layer has work.
    """
    side = max(9, round((nodes / (1 + 2 * BETWEEN)) ** 0.5))
    chance = np.random.default_rng(SEED)
    name = f"synthetic-{nodes}"
    osm = folder / f"{name}.osm.pbf"
    fine = (side - 1) * (BETWEEN + 1) + 1
    i, j = np.meshgrid(np.arange(fine), np.arange(fine), indexing="ij")
    on = (i % (BETWEEN + 1) == 0) | (j % (BETWEEN + 1) == 0)
    place = np.stack((i, j), axis=-1) * STEP_M + chance.uniform(-5, 5, (fine, fine, 2))
    place = place * DEG_PER_M + (WEST, SOUTH)
    number = np.zeros((fine, fine), dtype=np.int64)
    number[on] = np.arange(1, on.sum() + 1)
    blocks = np.argwhere(chance.random((side - 1, side - 1)) < 0.1)
    corners = np.array([[30, 30], [70, 30], [70, 60], [30, 60]]) + blocks[:, None] * BLOCK_M
    grounds = np.argwhere(np.ones(((side - 1) // 8, (side - 1) // 8)))
    plots = np.array([[12, 12], [788, 12], [788, 788], [12, 788]]) + grounds[:, None] * 8 * BLOCK_M
    outlines = np.concatenate((corners, plots)) * DEG_PER_M + (WEST, SOUTH)
    first = int(on.sum()) + 1
    with osmium.SimpleWriter(str(osm), overwrite=True) as writer:
        for at, (lon, lat) in enumerate(place[on].tolist(), 1):
            writer.add_node(Node(id=at, location=(lon, lat)))
        for at, (lon, lat) in enumerate(outlines.reshape(-1, 2).tolist(), first):
            writer.add_node(Node(id=at, location=(lon, lat)))
        way = 0
        long = BLOCKS_PER_WAY * (BETWEEN + 1)
        for along in (number, number.T):
            for street in range(side):
                kind = KINDS[0 if street % 40 == 0 else 1 if street % 10 == 0 else 2 + street % 4]
                refs = along[:, street * (BETWEEN + 1)].tolist()
                for begin in range(0, fine - 1, long):
                    way += 1
                    part = refs[begin : begin + long + 1]
                    writer.add_way(Way(id=way, nodes=part, tags={"highway": kind}))
        for at in range(len(outlines)):
            way += 1
            refs = [first + 4 * at + k for k in (0, 1, 2, 3, 0)]
            if at < len(blocks):
                tags = {"building": "yes", "building:levels": str(1 + at % 9)}
            else:
                tags = {"landuse": ("residential", "residential", "commercial", "forest")[at % 4]}
            writer.add_way(Way(id=way, nodes=refs, tags=tags))
    extent_m = (side - 1) * BLOCK_M
    dem = folder / f"{name}.tif"
    pixel, margin = 1 / 3600, 0.02
    wide, high = (np.ceil((extent_m * DEG_PER_M + 2 * margin) / pixel)).astype(int)
    y, x = np.mgrid[0:high, 0:wide]
    hills = 100 + 20 * np.sin(x / 60) * np.cos(y / 80) + 0.02 * (x + y)
    hills = (hills + chance.normal(0, 0.5, hills.shape)).astype(np.float32)
    north = SOUTH + extent_m * DEG_PER_M[1] + margin
    profile = {"driver": "GTiff", "count": 1, "dtype": "float32", "crs": "EPSG:4326"}
    profile |= {"width": int(wide), "height": int(high)}
    profile["transform"] = from_origin(WEST - margin, north, pixel, pixel)
    with rasterio.open(dem, "w", **profile) as raster:
        raster.write(hills, 1)
    whole = (int(extent_m / 225.2), int(extent_m / 260))
    return {"osm": str(osm), "dem": str(dem), "nodes": int(on.sum()), "whole": whole}


def roads_alone(osm: str, xml: Path) -> int:
    """Write the roads that averse keeps, with their nodes, as XML; return how many nodes."""
    from gis.sources.osm import CARRIAGEWAYS, FOOTWAYS

    def is_road(way: Any) -> bool:
        return way.tags.get("highway") in CARRIAGEWAYS | FOOTWAYS

    used: set[int] = set()
    ways: Any = osmium.FileProcessor(osm, osmium.osm.WAY)
    for way in ways:
        if is_road(way):
            used.update(node.ref for node in way.nodes)
    features: Any = osmium.FileProcessor(osm, osmium.osm.NODE | osmium.osm.WAY)
    with osmium.SimpleWriter(str(xml), overwrite=True) as writer:
        for feature in features:
            if feature.is_node() and feature.id in used:
                writer.add_node(feature)
            elif feature.is_way() and is_road(feature):
                writer.add_way(feature)
    return len(used)


# --------------------------------------------------------------------------- the page
REAL = {
    "Porto Alegre": {
        "osm": "porto_alegre/poa.osm.pbf",
        "dem": "porto_alegre/poa_elevation.tif",
        "population": "porto_alegre/poa_hexgrid.csv",
    },
    "all of Andorra": {
        "osm": "andorra_full/andorra-2025-01-18.osm.pbf",
        "dem": "andorra_full/N42E001.hgt.zip",
    },
}
HEAD = """| extract | sheet | highway nodes | district, wall s | user CPU s \
| map and report, wall s | peak MiB | osmnx, wall s | user CPU s | peak MiB \
| district ÷ osmnx | by CPU | ÷ osmnx unsimplified |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""
INTRODUCTION = """# How long a build takes

`python benchmarks/build.py` printed this page (Python {python}, {machine}, {cores} cores shared \
with other work: user CPU tells more than wall). Every run is a process of its own, timed from the \
end of its imports, its byte code and compiled kernels kept from a run before; each figure is the \
median of {repeat} (of {single} for synthetic extracts), builds and osmnx taking turns.

*District* is the whole of it: every layer read, sorted and measured, and the pack written. The \
map and the report, one page each, are drawn from it after. *osmnx* (version {osmnx}) is \
`osmnx.graph_from_xml(path)`, its defaults as users run them, of the roads alone in an XML file \
whose making is not counted; *unsimplified* is `osmnx.graph_from_xml(path, simplify=False, \
retain_all=True)`. The goal is the district in a fifth of the time of osmnx: a ratio of {goal:.2f}.
"""


def row(name: str, size: tuple[int, int], nodes: int, found: Comparison) -> str:
    ours, usual, plain = found
    told = "not run | | | | | |"
    if usual and plain:
        ratios = (
            ours["district_wall"] / usual["wall"],
            ours["district_user"] / usual["user"],
            ours["district_wall"] / plain["wall"],
        )
        told = f"{usual['wall']:.1f} | {usual['user']:.1f} | {usual['peak_mib']:.0f} | "
        told += " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |"
    return (
        f"| {name} | {size[0]} × {size[1]} | {nodes:,} | {ours['district_wall']:.1f} "
        f"| {ours['district_user']:.1f} | {ours['wall'] - ours['district_wall']:.1f} "
        f"| {ours['peak_mib']:.0f} | {told}"
    )


def stages_table(runs: dict[str, Comparison]) -> str:
    stages = list(dict.fromkeys(stage for run in runs.values() for stage in run.ours["stages"]))
    lines = ["| stage, wall s | " + " | ".join(runs) + " |", "| --- |" + " ---: |" * len(runs)]
    for stage in stages:
        if stage == FIRST_OF_MAP:
            cells = (f"**{run.ours['district_wall']:.2f}**" for run in runs.values())
            lines.append("| **district** | " + " | ".join(cells) + " |")
        cells = (f"{run.ours['stages'].get(stage, 0.0):.2f}" for run in runs.values())
        lines.append(f"| {stage} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def verdict_on(runs: dict[str, Comparison]) -> str:
    """Where the goal is reached, by wall time, and where it is not."""
    ratios = {
        key: run.ours["district_wall"] / run.usual["wall"] for key, run in runs.items() if run.usual
    }
    reached = [f"{key} ({ratio:.2f})" for key, ratio in ratios.items() if ratio <= GOAL]
    missed = [f"{key} ({ratio:.2f})" for key, ratio in ratios.items() if ratio > GOAL]
    return (
        f"The goal is reached on {', '.join(reached) or 'none'}; "
        f"not on {', '.join(missed) or 'any other'}."
    )


def main(largest: int, most_whole: int, repeat: int, single: int) -> None:
    default = (44, 28)
    print(
        INTRODUCTION.format(
            python=platform.python_version(),
            machine=platform.machine(),
            cores=os.cpu_count(),
            repeat=repeat,
            single=single,
            osmnx=version("osmnx"),
            goal=GOAL,
        )
    )
    print(HEAD, flush=True)
    runs: dict[str, Comparison] = {}
    absent = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm = synthetic(folder, 10_000)
        roads_alone(warm["osm"], xml := folder / "roads.osm")
        compared(1, xml, osm=warm["osm"], dem=warm["dem"], size=(16, 12))  # compiled once
        for town, files in REAL.items():
            job = {kind: str(DATA / path) for kind, path in files.items()}
            if not all(Path(path).is_file() for path in job.values()):
                absent.append(f"{town} was not run: its files are not here.")
                continue
            nodes = roads_alone(job["osm"], xml)
            runs[town] = compared(repeat, xml, **job, size=default)
            print(row(town, default, nodes, runs[town]), flush=True)
        per_node = []
        for share in (0.1, 0.25, 0.5, 1.0):
            made = synthetic(folder, round(largest * share))
            label = f"synthetic {round(largest * share):,}"
            beside = made["nodes"] <= 1.05 * MOST_NODES_FOR_OSMNX
            if beside:
                roads_alone(made["osm"], xml)
            files = {"osm": made["osm"], "dem": made["dem"]}
            for size in (default, made["whole"]):
                if size != default and made["nodes"] > 1.05 * most_whole:
                    continue
                key = label if size == default else f"{label}, whole"
                runs[key] = compared(single, xml if beside else None, **files, size=size)
                print(row(label, size, made["nodes"], runs[key]), flush=True)
            per_node.append((made["nodes"], runs[label], runs.get(f"{label}, whole")))
    print(
        f"\nosmnx was run up to {MOST_NODES_FOR_OSMNX:,} synthetic nodes only, to keep the "
        "benchmark short. *Whole* is a sheet over the whole synthetic extract; the others have the "
        f"usual sheet, over the busiest place. Whole extracts were run up to {most_whole:,} nodes "
        "(`--whole`)."
    )
    print("\n" + verdict_on(runs))
    for reason in absent:
        print(reason)
    largest_runs = [run.ours["peak_mib"] for key, run in runs.items() if key.startswith(label)]
    peak = max(largest_runs)
    verdict = "under" if peak < PEAK_GOAL_MIB else "NOT under"
    print(f"\nPeak memory of the largest extract: {peak:.0f} MiB, {verdict} 2 GiB.")
    print("\nUser CPU of the district per highway node, which in a linear build rises nowhere:\n")
    print("| highway nodes | usual sheet, µs | whole extract, µs |\n| ---: | ---: | ---: |")
    for nodes, usual, whole in per_node:
        over_all = f"{whole.ours['district_user'] / nodes * 1e6:.1f}" if whole else "not run"
        print(f"| {nodes:,} | {usual.ours['district_user'] / nodes * 1e6:.1f} | {over_all} |")
    print("\nBy stage (the background is drawn beside the others, on a second core):\n")
    print(stages_table(runs))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000, help="highway nodes")
    parser.add_argument("--whole", type=int, default=100_000, help="most nodes of a whole sheet")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each real town")
    parser.add_argument("--single", type=int, default=1, help="runs of each synthetic town")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.largest < 800_000:
        parser.error("the usual sheet is larger than a tenth of that: give 800,000 nodes or more")
    if given.job:
        asked = json.loads(given.job)
        print(json.dumps({"build": build, "osmnx": read_by_osmnx}[asked["what"]](asked)))
    else:
        main(given.largest, given.whole, given.repeat, given.single)
