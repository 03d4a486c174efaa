"""How fast the water moves: cells, cores, memory, and other solvers on the same raster and storm.

Run from the project's root, with nothing else running (``docs/water-speed.md`` keeps a printout):

    python -m benchmarks.water [--peers-only]

Other solvers are left out, and named, where they are not installed. They pull in much; keep them
in an environment of their own, with one thread each (set here):

    python -m venv peers
    peers/bin/pip install "numba>=0.68,<0.69" landlab==2.11 "requireit<0.6" itzi==25.8 anuga==4.2
    peers/bin/python -m benchmarks.water --peers-only

Times are the best of several repeats, taken by turns so that a busy moment hurts all alike; those
of one thread are of the processor, so that other work on the machine does not count.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import importlib
import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from functools import partial

import numba
import numpy as np
import numpy.typing as npt

from sim.flow import Flow
from sim.rain import RAIN_STEP_S

Float64Array = npt.NDArray[np.float64]

PIXEL_M = 30.0
MANNING = 0.1
STORM_MM, STORM_S, RUN_S = 60.0, 1800.0, 3600.0
REPEATS = 5


def best(
    *runs: Callable[[], object],
    repeats: int = REPEATS,
    clock: Callable[[], float] = time.process_time,
) -> list[float]:
    """Shortest time of each run, seconds, taken by turns."""
    times = np.full(len(runs), np.inf)
    for _ in range(repeats):
        for i, run in enumerate(runs):
            start = clock()
            run()
            times[i] = min(times[i], clock() - start)
    return times.tolist()


def bumpy_ground(n: int) -> Float64Array:
    """(n, n) float64: a valley that falls to the south-east with hollows of a metre or two."""
    y, x = np.mgrid[:n, :n] * PIXEL_M
    hollows = 1.5 * np.sin(x / 150.0) * np.cos(y / 190.0) + 0.4 * np.sin(x / 61.0 + y / 77.0)
    return np.asarray(20.0 - 0.002 * x - 0.001 * y + hollows)


def storm() -> Float64Array:
    """Rain table of the storm, metres."""
    seconds = np.arange(int(RUN_S / RAIN_STEP_S) + 1) * RAIN_STEP_S
    return np.asarray(np.minimum(seconds / STORM_S, 1.0)[:, None] * STORM_MM / 1000)


def flow_over(z: Float64Array) -> Flow:
    """Dry closed ground under the storm."""
    inside, sink = np.ones(z.shape, bool), np.zeros(z.shape, bool)
    roughness = np.full(z.shape, MANNING)
    return Flow(PIXEL_M, z, inside, sink, roughness, fallen_m=storm(), rim="closed")


def per_step(flow: Flow, steps: int) -> Callable[[], None]:
    """Run a flow on by about so many steps of a second."""

    def run() -> None:
        flow.longest_s = 1.0
        flow.advance(flow.now_s + steps)

    return run


# --------------------------------------------------------------------------- cells and cores
def print_cost_by_size(sides: tuple[int, ...]) -> None:
    """Edge updates a second from small rasters to large ones; a line's slope in log-log."""
    print("cells        steps  ms a step  ns a cell  million edge updates/s")
    sizes, costs = [], []
    for side in sides:
        flow = flow_over(bumpy_ground(side))
        steps = int(np.clip(4e6 / side**2, 2, 400))
        flow.advance(60.0)
        before = flow.steps
        run = per_step(flow, steps)
        run()
        taken = flow.steps - before
        (seconds,) = best(run, repeats=REPEATS if side < 2000 else 3)
        step_s = seconds / taken
        sizes.append(side**2)
        costs.append(step_s)
        print(
            f"{side**2:10,d} {taken:6d} {step_s * 1e3:10.3f} {step_s / side**2 * 1e9:10.2f} "
            f"{2 * side**2 / step_s / 1e6:10.0f}"
        )
    slope = np.polyfit(np.log(sizes), np.log(costs), 1)[0]
    print(f"cost grows as cells^{slope:.2f}\n")


@numba.njit(error_model="numpy")
def _triad(a, b, c, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        for i in range(a.size):
            a[i] = b[i] + np.float32(3) * c[i]


@numba.njit(error_model="numpy")
def _sums(a, times):  # type: ignore[no-untyped-def]
    """Sums and products that do not wait for one another: what one core computes at most."""
    for _ in range(times):
        for i in range(a.size):
            x = a[i]
            y = x * np.float32(1.5) + np.float32(0.5)
            z = x * np.float32(0.5) + np.float32(0.25)
            for _k in range(8):
                y = y * np.float32(0.99) + x
                z = z * np.float32(0.98) + x
            a[i] = (y - z) * np.float32(0.1)


def print_limits(edges_s: float) -> None:
    """The machine's memory bandwidth and arithmetic in this run, and what share a step takes."""
    large = [np.ones(8_000_000, np.float32) for _ in range(3)]
    near = [np.ones(80_000, np.float32) for _ in range(3)]
    few = np.ones(4096, np.float32)
    _triad(*large, 1), _sums(few, 1)
    far_s, near_s, sums_s = best(
        lambda: _triad(*large, 1),
        lambda: _triad(*near, 100),
        lambda: _sums(few, 200),  # type: ignore[call-arg]
    )
    far, close = 12 * 8e6 / far_s / 1e9, 12 * 8e6 / near_s / 1e9
    sums = 38 * 4096 * 200 / sums_s / 1e9
    # bytes of a cell and step: six float32 layers read for each of two sides, two written; a
    # float64 depth and its film read and written, keeps, kind
    moved = edges_s / 2 * 130 / 1e9
    worked = edges_s / 2 * (2 * 85 + 12) / 1e9
    print(f"copy triad: {far:.1f} GB/s in memory, {close:.1f} GB/s in cache")
    print(f"sums and products (float32, one core): {sums:.1f} G/s")
    print(f"a step moves about 130 bytes a cell: {moved:.1f} GB/s, {moved / far:.0%} of memory's")
    print(f"and makes about 182 operations a cell: {worked:.1f} G/s, {worked / sums:.0%}\n")


def print_second_core(side: int = 286) -> None:
    """What a second storm at the same time costs."""
    flows = [flow_over(bumpy_ground(side)) for _ in range(3)]
    for flow in flows:
        flow.advance(60.0)
    one, *pair = (per_step(flow, 300) for flow in flows)
    pool = ThreadPoolExecutor(2)
    alone_s, both_s = best(
        one,
        lambda: list(pool.map(lambda run: run(), pair)),
        repeats=15,
        clock=time.perf_counter,
    )
    print(f"two storms on two threads: {2 * alone_s / both_s:.2f} × one\n")


# --------------------------------------------------------------------------- other solvers
def ours(z: Float64Array) -> Float64Array:
    flow = flow_over(z)
    flow.advance(RUN_S)
    return flow.depth_m


def landlab(z: Float64Array) -> Float64Array:
    """OverlandFlow (de Almeida et al. 2012), its own defaults: θ 0.8, Courant 0.7."""
    from landlab import RasterModelGrid  # type: ignore[import-not-found]
    from landlab.components import OverlandFlow  # type: ignore[import-not-found]

    grid = RasterModelGrid((z.shape[0] + 2, z.shape[1] + 2), xy_spacing=PIXEL_M)
    grid.add_field("topographic__elevation", np.pad(z, 1, mode="edge").ravel(), at="node")
    grid.add_zeros("surface_water__depth", at="node")
    grid.set_closed_boundaries_at_grid_edges(True, True, True, True)
    flow = OverlandFlow(grid, mannings_n=MANNING, steep_slopes=False)
    now = 0.0
    while now < RUN_S:
        until = STORM_S if now < STORM_S else RUN_S
        flow.rainfall_intensity = STORM_MM / 1000 / STORM_S if now < STORM_S else 0.0
        step = min(flow.calc_time_step(), until - now)
        flow.run_one_step(dt=step)
        now += step
    depth = grid.at_node["surface_water__depth"].reshape(grid.shape)[1:-1, 1:-1]
    return np.asarray(depth, float)


def itzi(z: Float64Array) -> Float64Array:
    """The core of Itzi (de Almeida & Bates 2013), its own defaults, without GRASS."""
    from itzi.const import DefaultValues  # type: ignore[import-not-found]
    from itzi.rasterdomain import RasterDomain  # type: ignore[import-not-found]
    from itzi.surfaceflow import SurfaceFlowSimulation  # type: ignore[import-not-found]

    domain = RasterDomain(np.float32, np.zeros(z.shape, bool), (PIXEL_M, PIXEL_M))
    domain.update_array("dem", z.astype(np.float32))
    domain.update_array("friction", np.full(z.shape, MANNING, np.float32))
    param = {
        "dtmax": DefaultValues.DTMAX,
        "cfl": DefaultValues.CFL,
        "g": DefaultValues.G,
        "theta": DefaultValues.THETA,
        "hmin": DefaultValues.HFMIN,
        "slmax": DefaultValues.SLMAX,
        "vrouting": DefaultValues.VROUTING,
    }
    flow = SurfaceFlowSimulation(domain, param)
    flow.update_flow_dir()
    now = 0.0
    while now < RUN_S:
        until = STORM_S if now < STORM_S else RUN_S
        rain = STORM_MM / 1000 / STORM_S if now < STORM_S else 0.0
        domain.get_array("ext")[:] = rain
        flow.solve_dt()
        flow._dt = min(flow._dt, until - now)
        flow.step()
        now += flow._dt
    return np.asarray(domain.get_array("water_depth"), float)


def anuga(z: Float64Array) -> Float64Array:
    """ANUGA's finite volumes (the whole shallow-water equations), four triangles to a pixel."""
    import anuga as model  # type: ignore[import-not-found]

    n_row, n_col = z.shape
    domain = model.rectangular_cross_domain(n_col, n_row, n_col * PIXEL_M, n_row * PIXEL_M)
    domain.set_name("averse")
    domain.store = False

    def ground(x: Float64Array, y: Float64Array) -> Float64Array:
        column = np.clip((x / PIXEL_M).astype(int), 0, n_col - 1)
        row = np.clip(n_row - 1 - (y / PIXEL_M).astype(int), 0, n_row - 1)
        return np.asarray(z[row, column])

    domain.set_quantity("elevation", ground, location="centroids")
    domain.set_quantity("friction", MANNING)
    domain.set_quantity(
        "stage", domain.quantities["elevation"].centroid_values, location="centroids"
    )
    wall = model.Reflective_boundary(domain)
    domain.set_boundary(dict.fromkeys(domain.get_boundary_tags(), wall))
    rate = STORM_MM / 1000 / STORM_S
    model.Rate_operator(domain, rate=lambda t: rate if t < STORM_S else 0.0)
    for _ in domain.evolve(yieldstep=RUN_S / 2, finaltime=RUN_S):
        pass
    stage = domain.quantities["stage"].centroid_values
    deep = stage - domain.quantities["elevation"].centroid_values
    x, y = domain.centroid_coordinates.T
    depth, count = np.zeros(z.shape), np.zeros(z.shape)
    place = n_row - 1 - (y / PIXEL_M).astype(int), (x / PIXEL_M).astype(int)
    np.add.at(depth, place, deep)
    np.add.at(count, place, 1)
    return np.asarray(depth / count)


PEERS = {"landlab": landlab, "itzi": itzi, "anuga": anuga}


def print_peers(side: int, repeats: int, names: tuple[str, ...]) -> None:
    """Wall time for the storm's hour and depths at its end, beside ours."""
    z = bumpy_ground(side)
    here = ours(z)
    cells = side * side
    print(f"{STORM_MM:.0f} mm in {STORM_S / 60:.0f} min, {RUN_S / 3600:.0f} h, {cells:,} cells")
    print("solver   CPU s  × ours   mean depth  off by: mean     p99     most (mm)")
    for name in names:
        run = partial(PEERS[name], z)
        try:
            importlib.import_module(name)
        except ImportError as error:
            print(f"{name:8} left out: {error}")
            continue
        quiet = io.StringIO()
        with redirect_stdout(quiet):
            depth = run()
            mine_s, theirs_s = best(partial(ours, z), run, repeats=repeats)
        off = np.abs(depth - here) * 1000
        print(f"ours     {mine_s:6.2f} {1:7.1f} {here.mean() * 1000:10.1f}")
        print(
            f"{name:8} {theirs_s:6.2f} {theirs_s / mine_s:7.1f} {depth.mean() * 1000:10.1f} "
            f"{off.mean():15.1f} {np.quantile(off, 0.99):8.1f} {off.max():8.1f}"
        )


def main() -> None:
    """Print every figure of ``docs/water-speed.md``."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers-only", action="store_true")
    options = parser.parse_args()
    if not options.peers_only:
        print_cost_by_size((100, 316, 1000, 3162))
        flow = flow_over(bumpy_ground(286))
        flow.advance(60.0)
        before = flow.steps
        run = per_step(flow, 200)
        run()
        taken = flow.steps - before
        (seconds,) = best(run)
        print_limits(2 * 286**2 * taken / seconds)
        print_second_core()
    print_peers(286, 3, ("landlab", "itzi"))
    print_peers(64, 1, ("anuga",))  # slow


if __name__ == "__main__":
    main()
