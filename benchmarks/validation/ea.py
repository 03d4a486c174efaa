"""Tests 1, 2 and 4 of the Environment Agency's benchmark of 2D flood models, re-made.

The benchmark is Néelz & Pender (2013), *Benchmarking the latest generation of 2D hydraulic
modelling packages*, report SC120002 (tests and data of 2010, SC080035). Its rasters are not
distributed with this project: the grounds of tests 1 and 2 are drawn here from their description,
test 4 is flat by definition. What was found, and where, stands beside each figure.

``python -m benchmarks.validation.ea [--work FOLDER]`` prints the tables; with a folder it also
keeps the series, for the pictures.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path

import numpy as np

from benchmarks.validation.common import print_table, run
from sim.boundary import HeldLevel, Hydrograph, Inflow
from sim.flow import Flow

HOUR_S = 3600.0


@dataclass(frozen=True)
class Series:
    """Water at some points in time.

    Attributes
    ----------
    time_s : (n_time,) float
    depth_m : (n_time, n_point) float
    """

    time_s: np.ndarray
    depth_m: np.ndarray

    def arrival_s(self, over_m: float) -> np.ndarray:
        """(n_point,) moment at which each point passes a depth, seconds; nan where it does not."""
        moments = []
        for depth in self.depth_m.T:
            late = np.flatnonzero(depth > over_m)
            if not late.size or late[0] == 0:
                moments.append(np.nan)
                continue
            i = late[0]
            share = (over_m - depth[i - 1]) / (depth[i] - depth[i - 1])
            moments.append(self.time_s[i - 1] + share * (self.time_s[i] - self.time_s[i - 1]))
        return np.array(moments)

    def at(self, s: float) -> np.ndarray:
        """(n_point,) depth at a moment, metres."""
        return np.array([np.interp(s, self.time_s, depth) for depth in self.depth_m.T])


def follow(
    flow: Flow, places: Sequence[tuple[int, int]], end_s: float, every_s: float, name: str
) -> Series:
    """Run a flow to its end and note the depth at some pixels."""
    rows, columns = np.array(places).T
    times, depths = [flow.now_s], [flow.depth_m[rows, columns].copy()]

    def look() -> None:
        times.append(flow.now_s)
        depths.append(flow.depth_m[rows, columns].copy())

    run(flow, end_s, every_s, name, look)
    return Series(np.array(times), np.array(depths))


def _all(shape: tuple[int, int], value: float) -> np.ndarray:
    return np.full(shape, value)


# --------------------------------------------------------------------------- test 1
T1_END_S = 20 * HOUR_S
T1_SILL_M, T1_PEAK_M, T1_LOW_M = 10.25, 10.35, 9.7
T1_LEVEL = Hydrograph(
    np.array([0.0, 300.0, 3600.0, 39_600.0, 43_200.0]),
    np.array([T1_LOW_M, T1_LOW_M, T1_PEAK_M, T1_PEAK_M, T1_LOW_M]),
)
"""Level at the western side: 10.35 m from hour 1 to 11, back at 9.7 m from hour 12."""
T1_POINTS_M = (400.0, 600.0)
"""Distance of points 1 and 2 from the western side, metres."""


def profile_1_m(x_m: np.ndarray) -> np.ndarray:
    """Ground along the 700 m of test 1, metres.

    Drawn so that what is published holds: a sill at 10.25 m parts the sea from a pond; 64 m³ lie
    on the ground at the start, under 9.7 m; the pond holds 10,150 m³ under the sill.
    """
    return np.interp(x_m, [0, 90, 110, 572, 700], [9.606, T1_SILL_M, T1_SILL_M, 9.88, 10.471])


def case_1(pixel_m: float = 10.0) -> tuple[Flow, list[tuple[int, int]], np.ndarray]:
    """Flooding of a disconnected water body: the flow, its points, the ground at them.

    A column more, west of the ground, holds the level.
    """
    rows, columns = round(100 / pixel_m), round(700 / pixel_m)
    x = (np.arange(-1, columns) + 0.5) * pixel_m
    z = np.tile(profile_1_m(np.maximum(x, 0.0)), (rows, 1))
    sea = np.zeros(z.shape, bool)
    sea[:, 0] = True
    flow = Flow(
        pixel_m, z, np.ones(z.shape, bool), np.zeros(z.shape, bool), _all(z.shape, 0.03),
        depth_m=np.maximum(T1_LOW_M - z, 0.0) * ~sea,
        levels=[HeldLevel(sea, T1_LEVEL)], rim="closed",
    )  # fmt: skip
    places = [(rows // 2, 1 + int(x / pixel_m)) for x in T1_POINTS_M]
    return flow, places, np.array([z[p] for p in places])


def report_1(work: Path | None) -> None:
    """Print what test 1 gives."""
    flow, places, bed = case_1()
    series = follow(flow, places, T1_END_S, 60.0, "EA 1")
    level = series.depth_m + bed
    print("## EA test 1: flooding of a disconnected water body (10 m, 20 h)\n")
    print_table(
        ("", "point 1", "point 2", "published"),
        [
            ("highest level, m", *level.max(axis=0).tolist(), T1_PEAK_M),
            ("level at 20 h, m", *level[-1].tolist(), T1_SILL_M),
            ("wet from, s", *np.round(series.arrival_s(0.005)).astype(int).tolist(), "not found"),
            ("balance, relative", f"{abs(flow.balance_m3) / flow.in_m3:.1e}", "", ""),
        ],
    )
    keep(work, "ea1", series, bed=bed)


# --------------------------------------------------------------------------- test 2
T2_SIDE_M, T2_END_S = 2000.0, 48 * HOUR_S
T2_INFLOW = Hydrograph(np.array([0, 5, 10, 86, 91]) * 60.0, np.array([0.0, 0.0, 20.0, 20.0, 0.0]))
"""Peak 20 m³/s, about 85 minutes long, 97,200 m³: the ramps of 5 minutes follow from these."""
T2_VOLUME_M3 = 97_200.0
T2_POINTS_M = [(250.0 + 500 * i, 250.0 + 500 * j) for i in range(4) for j in range(4)]
"""x and y of points 1 to 16: columns from the west, each from the south."""


def ground_2_m(x_m: np.ndarray, y_m: np.ndarray) -> np.ndarray:
    """Ground of test 2: 4 × 4 alike depressions on a plane, as a product of sinusoids.

    The plane falls by 1:1500 to the south and 1:3000 to the east. The factors are shifted
    sinusoids, so that saddles part neighbours, each 0.5 m above the bottom but for the plane.
    """
    across, along = (1.5 + np.cos(2 * np.pi * (c - 250.0) / 500.0) for c in (x_m, y_m))
    return 10.0 - x_m / 3000.0 - (T2_SIDE_M - y_m) / 1500.0 - 0.1 * across * along


T2_HOLLOW_M = 0.1


def case_2(pixel_m: float = 20.0) -> tuple[Flow, list[tuple[int, int]], np.ndarray]:
    """Filling of floodplain depressions: the flow, its points, its ground."""
    n = round(T2_SIDE_M / pixel_m)
    middle = (np.arange(n) + 0.5) * pixel_m
    z = ground_2_m(middle[np.newaxis, :], (T2_SIDE_M - middle)[:, np.newaxis])
    source = np.zeros(z.shape, bool)
    source[: round(100 / pixel_m), 0] = True
    flow = Flow(
        pixel_m, z, np.ones(z.shape, bool), np.zeros(z.shape, bool), _all(z.shape, 0.03),
        inflows=[Inflow(source, T2_INFLOW)], rim="closed",
    )  # fmt: skip
    places = [(int((T2_SIDE_M - y) / pixel_m), int(x / pixel_m)) for x, y in T2_POINTS_M]
    return flow, places, z


def spill_level_m(z: np.ndarray, place: tuple[int, int]) -> tuple[float, np.ndarray]:
    """Level at which the hollow below a pixel spills into another, and the pixels under it.

    Water rises from the bottom, always taking the lowest ground beside the pond, until that lies
    well under what it has climbed; a dip of a few centimetres by the wall is no other hollow.
    """
    place = _bottom(z, place)
    waiting, seen, level = [(z[place], place)], {place}, -np.inf
    while waiting:
        height, here = heappop(waiting)
        if height < level - T2_HOLLOW_M:
            break
        level = max(level, height)
        for beside in _beside(z, here):
            if beside not in seen:
                seen.add(beside)
                heappush(waiting, (z[beside], beside))
    drowned = np.zeros(z.shape, bool)
    drowned[place] = True
    ahead = [place]
    while ahead:
        for beside in _beside(z, ahead.pop()):
            if z[beside] < level and not drowned[beside]:
                drowned[beside] = True
                ahead.append(beside)
    return float(level), drowned


def _beside(z: np.ndarray, place: tuple[int, int]) -> list[tuple[int, int]]:
    r, c = place
    around = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
    return [(i, j) for i, j in around if 0 <= i < z.shape[0] and 0 <= j < z.shape[1]]


def _bottom(z: np.ndarray, place: tuple[int, int]) -> tuple[int, int]:
    """The pixel where a drop of water comes to rest."""
    while z[lower := min(_beside(z, place), key=lambda p: z[p])] < z[place]:
        place = lower
    return place


def report_2(work: Path | None) -> None:
    """Print what test 2 gives."""
    flow, places, z = case_2()
    series = follow(flow, places, T2_END_S, 600.0, "EA 2")
    spills = [spill_level_m(z, place) for place in places]
    print("## EA test 2: filling of floodplain depressions (20 m, 48 h)\n")
    print_table(
        ("point", "spills at depth, m", "holds, m³", "depth at 48 h, m", "volume at 48 h, m³"),
        [
            (
                i + 1,
                level - z[place],
                round(float((level - z[pond]).sum()) * flow.pixel_m**2),
                float(series.depth_m[-1, i]),
                round(float(flow.depth_m[pond].sum()) * flow.pixel_m**2),
            )
            for i, (place, (level, pond)) in enumerate(zip(places, spills, strict=True))
        ],
    )
    print(
        f"Water brought {flow.in_m3:.1f} m³ (published 97,200), on the ground "
        f"{flow.stored_m3:.1f} m³, balance {abs(flow.balance_m3) / flow.in_m3:.1e}.\n"
    )
    keep(work, "ea2", series, z=z, depth=flow.depth_m)


# --------------------------------------------------------------------------- test 4
T4_END_S = 5 * HOUR_S
T4_INFLOW = Hydrograph(
    np.array([0.0, 300.0, 3600.0, 14_400.0, 18_000.0]), np.array([0.0, 0.0, 20.0, 20.0, 0.0])
)
T4_VOLUME_M3 = 285_000.0
T4_POINTS_M = [(50, 1000), (100, 1000), (200, 1000), (300, 1000), (400, 1000), (300, 1300)]
T4_OVER_M = 0.02
T4_SPREAD_S = 300.0
"""Spread of the arrivals of the published packages: about 5 minutes (SC120002, §4.5.4)."""
# Shaw et al. (2021), LISFLOOD-FP 8.0, doi.org/10.5281/zenodo.4066824 (CC BY 4.0): arrival is the
# moment of 0.02 m between two outputs, 60 s (DG2) and 100 s (ACC) apart.
T4_REFERENCES = {
    "LISFLOOD-FP DG2, 5 m": {
        "arrival": (629, 1003, 1847, 2760, 3719, 3996),
        3600: (0.3092, 0.2461, 0.1739, 0.1137, 0.0, 0.0),
        7200: (0.3221, 0.2689, 0.2166, 0.1830, 0.1546, 0.1475),
        "peak": (0.3251, 0.2745, 0.2275, 0.2002, 0.1800, 0.1755),
    },
    "LISFLOOD-FP ACC, 1 m": {
        "arrival": (634, 1000, 1850, 2758, 3724, 3967),
        3600: (0.3132, 0.2487, 0.1753, 0.1146, 0.0, 0.0),
        7200: (0.3262, 0.2715, 0.2180, 0.1839, 0.1554, 0.1486),
        "peak": (0.3293, 0.2771, 0.2288, 0.2010, 0.1805, 0.1761),
    },
}


def case_4(pixel_m: float = 5.0) -> tuple[Flow, list[tuple[int, int]]]:
    """Speed of propagation over an extended floodplain, 1000 m × 2000 m: the flow, its points."""
    shape = round(2000 / pixel_m), round(1000 / pixel_m)
    source = np.zeros(shape, bool)
    source[round(990 / pixel_m) : round(1010 / pixel_m), 0] = True
    flow = Flow(
        pixel_m, np.zeros(shape), np.ones(shape, bool), np.zeros(shape, bool), _all(shape, 0.05),
        inflows=[Inflow(source, T4_INFLOW)], rim="closed",
    )  # fmt: skip
    return flow, [(int((2000 - y) / pixel_m), int(x / pixel_m)) for x, y in T4_POINTS_M]


def report_4(work: Path | None) -> None:
    """Print what test 4 gives."""
    flow, places = case_4()
    series = follow(flow, places, T4_END_S, 10.0, "EA 4")
    ours = {
        "arrival": tuple(np.round(series.arrival_s(T4_OVER_M)).astype(int).tolist()),
        3600: tuple(series.at(3600).tolist()),
        7200: tuple(series.at(7200).tolist()),
        "peak": tuple(series.depth_m.max(axis=0).tolist()),
    }
    print("## EA test 4: speed of propagation over an extended floodplain (5 m, 5 h)\n")
    names = {
        "arrival": "arrival, s", 3600: "depth at 1 h, m", 7200: "depth at 2 h, m",
        "peak": "largest depth, m",
    }  # fmt: skip
    print_table(
        ("", "model", *(f"point {i + 1}" for i in range(6))),
        [
            (name, model, *figures[key])
            for key, name in names.items()
            for model, figures in {"this project": ours, **T4_REFERENCES}.items()
        ],
    )
    late = np.array([r["arrival"] for r in T4_REFERENCES.values()])
    print(
        f"Farthest from the two at arrival: {np.abs(late - ours['arrival']).max():.0f} s (spread "
        f"of the packages about {T4_SPREAD_S:.0f} s). On the ground {flow.stored_m3:.1f} m³ of "
        f"{T4_VOLUME_M3:.0f}; balance {abs(flow.balance_m3) / flow.in_m3:.1e}.\n"
    )
    keep(work, "ea4", series, depth=flow.depth_m)


def keep(work: Path | None, name: str, series: Series, **more: np.ndarray) -> None:
    """Keep a series below a folder, if there is one."""
    if work is not None:
        work.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            work / f"{name}.npz", time_s=series.time_s, depth_m=series.depth_m, **more
        )


def main() -> None:
    """Run the three tests."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--work", type=Path, help="where the series are kept")
    work = parser.parse_args().work
    report_1(work)
    report_2(work)
    report_4(work)


if __name__ == "__main__":
    main()
