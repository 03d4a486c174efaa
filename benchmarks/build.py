"""Time the build of a district: ``python benchmarks/build.py`` prints "How long it takes".

Every run is a process of its own: wall time and user CPU from the end of its imports, and the peak
resident memory of the whole process. osmnx reads the same roads in the same session from an XML
file made beforehand, not counted. ``--largest NODES`` sizes the synthetic towns;
``--whole NODES`` lays a sheet over the whole of larger ones (minutes each).
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
from pathlib import Path
from typing import Any

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
PEAK_GOAL_MIB = 2048
KINDS = ("primary", "secondary", "tertiary", "residential", "residential", "living_street")

Run = dict[str, Any]


# --------------------------------------------------------------------------- in its own process
def measured(work: Callable[[Callable[[str, float], None]], None]) -> Run:
    """Time one piece of work, stage by stage."""
    stages: list[tuple[str, float]] = []

    def tell(stage: str, _share: float) -> None:
        if not stages or stages[-1][0] != stage:
            stages.append((stage, time.perf_counter()))

    user = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    start = time.perf_counter()
    tell("opening the DEM", 0.0)
    work(tell)
    end = time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_SELF)
    ends = [at for _, at in stages[1:]] + [end]
    by_stage: dict[str, float] = {}
    for (stage, begun), over in zip(stages, ends, strict=True):
        by_stage[stage] = by_stage.get(stage, 0.0) + over - begun
    return {
        "wall": end - start,
        "user": used.ru_utime - user,
        "peak_mib": used.ru_maxrss / 1024,
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
        return measured(lambda tell: build_district(options, Path(folder) / "pack", tell) and None)


def read_by_osmnx(job: Run) -> Run:
    import osmnx

    return measured(
        lambda _: osmnx.graph_from_xml(job["xml"], simplify=False, retain_all=True) and None
    )


def alone(what: str, **job: Any) -> Run:
    """Run a job in a fresh process."""
    done = subprocess.run(
        [sys.executable, __file__, "--job", json.dumps({"what": what, **job})],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    if done.returncode:
        raise SystemExit(f"{what} of {job} ended with {done.returncode}")
    run: Run = json.loads(done.stdout.splitlines()[-1])
    return run


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
HEAD = """| extract | sheet | highway nodes | wall s | user CPU s | peak MiB | osmnx wall s \
| osmnx peak MiB | build ÷ osmnx |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


def row(name: str, size: tuple[int, int], nodes: int, ours: Run, beside: Run | None) -> str:
    told = "not run | | |"
    if beside:
        ratio = ours["wall"] / beside["wall"]
        told = f"{beside['wall']:.1f} | {beside['peak_mib']:.0f} | {ratio:.2f} |"
    return (
        f"| {name} | {size[0]} × {size[1]} | {nodes:,} | {ours['wall']:.1f} | {ours['user']:.1f} "
        f"| {ours['peak_mib']:.0f} | {told}"
    )


def stages_table(runs: dict[str, Run]) -> str:
    stages = list(dict.fromkeys(stage for run in runs.values() for stage in run["stages"]))
    lines = ["| stage, s | " + " | ".join(runs) + " |", "| --- |" + " ---: |" * len(runs)]
    for stage in stages:
        cells = (f"{run['stages'].get(stage, 0.0):.2f}" for run in runs.values())
        lines.append(f"| {stage} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(largest: int, most_whole: int) -> None:
    default = (44, 28)
    print("## How long it takes\n")
    print(
        f"`python benchmarks/build.py` printed this section (Python {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} cores shared with other work). Every run is a "
        "process of its own, timed once, after its imports. osmnx reads the roads alone, from an "
        "XML file whose making is not counted; the goal is a ratio of 0.20, a fifth of its time.\n"
    )
    print(HEAD, flush=True)
    runs: dict[str, Run] = {}
    absent = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm = synthetic(folder, 10_000)
        alone("build", osm=warm["osm"], dem=warm["dem"], size=(16, 12))  # numba compiles once
        for town, files in REAL.items():
            job = {kind: str(DATA / path) for kind, path in files.items()}
            if not all(Path(path).is_file() for path in job.values()):
                absent.append(f"{town} was not run: its files are not here.")
                continue
            nodes = roads_alone(job["osm"], xml := folder / "roads.osm")
            beside = alone("osmnx", xml=str(xml))
            runs[town] = alone("build", **job, size=default)
            print(row(town, default, nodes, runs[town], beside), flush=True)
        per_node = []
        for share in (0.1, 0.25, 0.5, 1.0):
            town = synthetic(folder, round(largest * share))
            label = f"synthetic {round(largest * share):,}"
            beside = None
            if town["nodes"] <= 1.05 * MOST_NODES_FOR_OSMNX:
                roads_alone(town["osm"], xml := folder / "roads.osm")
                beside = alone("osmnx", xml=str(xml))
            files = {"osm": town["osm"], "dem": town["dem"]}
            for size in (default, town["whole"]):
                if size != default and town["nodes"] > 1.05 * most_whole:
                    continue
                key = label if size == default else f"{label}, whole"
                run = runs[key] = alone("build", **files, size=size)
                print(row(label, size, town["nodes"], run, beside), flush=True)
            per_node.append((town["nodes"], runs[label], runs.get(f"{label}, whole")))
    print(
        f"\nosmnx was run up to {MOST_NODES_FOR_OSMNX:,} synthetic nodes only, to keep the "
        "benchmark short. *Whole* is a sheet over the whole synthetic extract; the others have the "
        "usual sheet, over the busiest place."
    )
    print(
        f"Whole extracts were run up to {most_whole:,} nodes (`--whole`): a larger sheet takes "
        "more than its share, since placing its shelters weighs every hex against every other."
    )
    for reason in absent:
        print(reason)
    peak = max(run["peak_mib"] for key, run in runs.items() if key in {label, f"{label}, whole"})
    verdict = "under" if peak < PEAK_GOAL_MIB else "NOT under"
    which = "the usual sheet" if f"{label}, whole" not in runs else "either sheet"
    print(f"\nPeak memory of the largest extract, on {which}: {peak:.0f} MiB, {verdict} 2 GiB.")
    print("\nBuild time per highway node, which a linear build keeps level:\n")
    print("| highway nodes | usual sheet, µs | whole extract, µs |\n| ---: | ---: | ---: |")
    for nodes, usual, whole in per_node:
        over_all = f"{whole['wall'] / nodes * 1e6:.1f}" if whole else "not run"
        print(f"| {nodes:,} | {usual['wall'] / nodes * 1e6:.1f} | {over_all} |")
    print("\nBy stage:\n\n" + stages_table(runs))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000, help="highway nodes")
    parser.add_argument("--whole", type=int, default=100_000, help="most nodes of a whole sheet")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.largest < 800_000:
        parser.error("the usual sheet is larger than a tenth of that: give 800,000 nodes or more")
    if given.job:
        asked = json.loads(given.job)
        print(json.dumps({"build": build, "osmnx": read_by_osmnx}[asked["what"]](asked)))
    else:
        main(given.largest, given.whole)
