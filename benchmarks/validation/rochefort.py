"""The Charente estuary at Rochefort against a finished run of LISFLOOD-FP.

Ground, roughness, state at the start and level of the sea in time are those of the run, which
LittoSIM made with LISFLOOD-FP's ``acceleration`` solver (its launcher writes ``acceleration`` and
``SGC_enable``; the first step of the log, 1.3234 s, is 0.7 × 20 m / √(9.807 × 11.412 m)). The sea
comes in across 202 cells of the western side; every other side is a wall. The forcing is that
called Low: the largest level of the run along the western side, 3.958 m, is its peak.

``python -m benchmarks.validation.rochefort --work FOLDER`` runs 199,990 s, keeps its state every
half hour of the flood and goes on from there when started again; ``--only-scores`` prints the
scores of what a finished run kept.
"""

import argparse
import pickle
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.validation.common import (
    DATA,
    Score,
    print_table,
    read_grid,
    rmse,
    run,
    text_of,
)
from sim.boundary import HeldLevel, Hydrograph
from sim.flow import COURANT, Flow

FOLDER = DATA / "rochefort_estuary"
SAVED_S = 14_285.0
"""Interval of the run's outputs."""
END_S = 14 * SAVED_S
CHECKPOINT_S = 1800.0
OUTPUTS = (1, 7, 14)
SEA_FROM_NORTH = slice(19, 221)
"""Rows of the western side between y 6551130 and 6547090."""
OVER_M = (0.05, 0.10, 0.30)
LEAST_CSI, MOST_RMSE_M = 0.90, 0.15


@dataclass(frozen=True)
class Reference:
    """What LISFLOOD-FP was given and what it gave, (n_row, n_col) each, metres.

    Attributes
    ----------
    ground_m, roughness, start_m, deepest_m : array
    depth_m : dict
        Depth at outputs 1, 7 and 14.
    sea : Hydrograph
        Level at the western side.
    """

    ground_m: np.ndarray
    roughness: np.ndarray
    start_m: np.ndarray
    deepest_m: np.ndarray
    depth_m: dict[int, np.ndarray]
    sea: Hydrograph


def reference() -> Reference:
    """Read the run."""

    def grid(name: str) -> np.ndarray:
        return read_grid(text_of(FOLDER / f"{name}.asc.gz")).value

    level, seconds = np.loadtxt(text_of(FOLDER / "estuary_coast_Low.bdy")[3:]).T
    return Reference(
        ground_m=grid("lisflood_dem_used"),
        roughness=grid("manning"),
        start_m=grid("lisflood_low_depth_0000"),
        deepest_m=grid("lisflood_low_max"),
        depth_m={k: grid(f"lisflood_low_depth_{k:04d}") for k in OUTPUTS},
        sea=Hydrograph(seconds, level),
    )


def start(run_of: Reference, courant: float) -> Flow:
    """The estuary at the start; a column more, west of the ground, is the sea."""
    z = np.pad(run_of.ground_m, ((0, 0), (1, 0)), mode="edge")
    sea = np.zeros(z.shape, bool)
    sea[SEA_FROM_NORTH, 0] = True
    inside = np.ones(z.shape, bool)
    inside[:, 0] = sea[:, 0]
    return Flow(
        20.0,
        z,
        inside,
        np.zeros(z.shape, bool),
        np.pad(run_of.roughness, ((0, 0), (1, 0)), mode="edge"),
        depth_m=np.pad(run_of.start_m, ((0, 0), (1, 0))),
        levels=[HeldLevel(sea, run_of.sea)],
        rim="closed",
        courant=courant,
        track_deepest=True,
    )


def simulate(run_of: Reference, work: Path, until_s: float, courant: float) -> None:
    """Run, or go on with, the flood; keep depths at the run's outputs, and the volume in time."""
    work.mkdir(parents=True, exist_ok=True)
    state = work / "state.pickle"
    if state.exists():
        flow, volumes = pickle.loads(state.read_bytes())  # our own file
    else:
        flow, volumes = start(run_of, courant), []
    while flow.now_s < until_s:
        ends = [k * SAVED_S for k in OUTPUTS if k * SAVED_S > flow.now_s]
        end = min([until_s, *ends])

        def look() -> None:
            volumes.append((flow.now_s, flow.stored_m3, float((flow.depth_m > 0.01).sum()) * 400))
            fresh = state.with_suffix(".new")
            fresh.write_bytes(pickle.dumps((flow, volumes)))
            fresh.replace(state)

        run(flow, end, CHECKPOINT_S, f"Rochefort to {end:,.0f} s", look)
        k = round(flow.now_s / SAVED_S)
        np.savez_compressed(
            work / f"output_{k if k * SAVED_S == flow.now_s else flow.now_s}.npz",
            depth=flow.depth_m[:, 1:].astype(np.float32),
            deepest=flow.deepest_m[:, 1:],
            volumes=np.array(volumes),
            steps=flow.steps,
            balance=flow.balance_m3 / flow.in_m3,
        )


def scores(run_of: Reference, work: Path) -> None:
    """Print how the depths agree over the cells that were dry at the start."""
    dry = run_of.start_m == 0
    kept = {k: work / f"output_{k}.npz" for k in OUTPUTS if (work / f"output_{k}.npz").exists()}
    # at output 1 the sea has only fallen: nothing that was dry is wet
    told = {k: path for k, path in kept.items() if k > 1}
    ours = {f"output {k}": np.load(path)["depth"].astype(float) for k, path in told.items()}
    theirs = {f"output {k}": run_of.depth_m[k] for k in told}
    if 14 in kept:
        ours["largest depth"] = np.load(kept[14])["deepest"].astype(float)
        theirs["largest depth"] = run_of.deepest_m
    print("## Rochefort against LISFLOOD-FP, cells dry at the start\n")
    rows = []
    for name, mine in ours.items():
        other = theirs[name]
        wet = dry & ((mine > OVER_M[0]) | (other > OVER_M[0]))
        both = dry & (mine > OVER_M[0]) & (other > OVER_M[0])
        for over in OVER_M:
            score = Score.of(mine, other, dry, over)
            rows.append(
                (name, f"{over:.2f}", score.csi, score.hits, score.misses, score.false_alarms,
                 rmse(mine, other, wet), rmse(mine, other, both), rmse(mine, other, dry),
                 float((mine - other)[wet].mean()))
            )  # fmt: skip
    print_table(
        ("", "wet over, m", "CSI", "hits", "misses", "false alarms", "RMSE wet in either, m",
         "RMSE wet in both, m", "RMSE all dry at start, m", "mean difference, m"),
        rows,
    )  # fmt: skip
    print(f"Goals: CSI ≥ {LEAST_CSI}, RMSE ≤ {MOST_RMSE_M} m.\n")
    last = np.load(kept[max(kept)])
    print(
        f"{int(last['steps']):,} steps; balance {abs(float(last['balance'])):.1e} of what came in."
    )
    _volumes(last["volumes"])


def _volumes(ours: np.ndarray) -> None:
    """Print the water on the ground in time beside LISFLOOD-FP's log."""
    log = np.loadtxt(text_of(FOLDER / "lisflood_low_mass.txt.gz")[1:], usecols=(0, 5))
    seconds, stored = ours[:, 0], ours[:, 1]
    theirs = np.interp(seconds, *log.T)
    off = (stored - theirs) / theirs.max()
    print(
        f"Water on the ground: {np.abs(off).max():.2%} of its peak off at most, "
        f"{np.abs(off).mean():.2%} on average.\n"
    )


def main() -> None:
    """Run the flood, or print its scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--work", type=Path, required=True, help="where state and outputs are kept")
    parser.add_argument("--until", type=float, default=END_S, help="stop there, seconds")
    parser.add_argument("--courant", type=float, default=COURANT)
    parser.add_argument("--only-scores", action="store_true")
    options = parser.parse_args()
    if not FOLDER.exists():
        print(f"## Rochefort: left out, for {FOLDER} is absent\n")
        return
    run_of = reference()
    if not options.only_scores:
        simulate(run_of, options.work, options.until, options.courant)
    scores(run_of, options.work)


if __name__ == "__main__":
    main()
