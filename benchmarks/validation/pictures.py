"""Draw what the validations kept: ``python -m benchmarks.validation.pictures WORK docs/pictures``.

Needs matplotlib, which nothing else of the project does: ``pip install matplotlib`` beside it.
"""

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np

from benchmarks.validation import ea, merewether, rochefort

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

BLUE, RED, ORANGE, GREEN, GREY = "#2b6cb0", "#c53030", "#dd6b20", "#2f855a", "#718096"
OURS, OTHER = BLUE, ORANGE


def _finish(figure: plt.Figure, path: Path) -> None:
    figure.savefig(path, dpi=110, bbox_inches="tight", pil_kwargs={"optimize": True})
    plt.close(figure)
    print(path)


def ea_1(work: Path, out: Path) -> None:
    """Levels at both points of test 1."""
    kept = np.load(work / "ea1.npz")
    hours, level = kept["time_s"] / 3600, kept["depth_m"] + kept["bed"]
    figure, axes = plt.subplots(figsize=(7, 3.2))
    sea = [ea.T1_LEVEL.at(s) for s in kept["time_s"]]
    axes.plot(hours, sea, color=GREY, ls="--", label="level held in the west")
    for i, colour in enumerate((BLUE, GREEN)):
        wet = kept["depth_m"][:, i] > 0.001
        axes.plot(hours[wet], level[wet, i], color=colour, label=f"point {i + 1}")
    axes.axhline(ea.T1_SILL_M, color=RED, lw=0.8, label="sill, 10.25 m")
    axes.set(xlabel="hours", ylabel="level, m", title="EA test 1: a body of water cut off")
    axes.legend(frameon=False, fontsize=8)
    _finish(figure, out / "water-ea1.png")


def ea_2(work: Path, out: Path) -> None:
    """Depth at the end of test 2."""
    kept = np.load(work / "ea2.npz")
    figure, axes = plt.subplots(figsize=(5, 4.4))
    depth = np.ma.masked_less(kept["depth"], 0.01)
    extent = (0, ea.T2_SIDE_M, 0, ea.T2_SIDE_M)
    axes.contour(kept["z"][::-1], 24, colors="#a0aec0", linewidths=0.4, extent=extent)
    image = axes.imshow(depth, cmap="Blues", vmin=0, vmax=0.5, extent=extent)
    for i, (x, y) in enumerate(ea.T2_POINTS_M):
        axes.annotate(str(i + 1), (x, y), ha="center", va="center", fontsize=8)
    axes.plot([0, 0], [1900, 2000], color=RED, lw=5, clip_on=False)
    figure.colorbar(image, label="depth at 48 h, m")
    axes.set(title="EA test 2: sixteen depressions", xlabel="m", ylabel="m")
    _finish(figure, out / "water-ea2.png")


def ea_4(work: Path, out: Path) -> None:
    """Depths in time at the points of test 4."""
    kept = np.load(work / "ea4.npz")
    figure, axes = plt.subplots(figsize=(7, 3.6))
    for i in range(6):
        shade = plt.get_cmap("viridis")(i / 6)
        axes.plot(kept["time_s"] / 3600, kept["depth_m"][:, i], color=shade, label=f"point {i + 1}")
        for mark, figures in zip("ox", ea.T4_REFERENCES.values(), strict=True):
            times = [figures["arrival"][i] / 3600, 1, 2]
            depths = [ea.T4_OVER_M, figures[3600][i], figures[7200][i]]
            axes.plot(times, depths, mark, color=shade, ms=5, mfc="none")
    axes.set(
        xlabel="hours", ylabel="depth, m", title="EA test 4: lines ours, ○ LISFLOOD-FP DG2, × ACC"
    )
    axes.legend(frameon=False, fontsize=8, ncols=2)
    _finish(figure, out / "water-ea4.png")


def estuary(work: Path, out: Path) -> None:
    """Hits, misses and false alarms on the estuary; where depths differ."""
    run_of = rochefort.reference()
    last = np.load(work / "output_14.npz")
    dry, over = run_of.start_m == 0, rochefort.OVER_M[1]
    figure, axes = plt.subplots(2, 1, figsize=(7.6, 9.4))
    pairs = {
        "at the end": (last["depth"], run_of.depth_m[14]),
        "largest depth": (last["deepest"], run_of.deepest_m),
    }
    names = ("wet at the start", "hit", "miss", "false alarm")
    colours = ("#cbd5e0", GREEN, RED, ORANGE)
    for ax, (name, (mine, other)) in zip(axes, pairs.items(), strict=True):
        kind = np.full(mine.shape, np.nan)
        model, reference = mine > over, other > over
        kind[~dry] = 0
        kind[dry & model & reference] = 1
        kind[dry & ~model & reference] = 2
        kind[dry & model & ~reference] = 3
        ax.imshow(run_of.ground_m, cmap="gray", vmin=-4, vmax=40, alpha=0.35)
        ax.imshow(kind, cmap=ListedColormap(colours), vmin=-0.5, vmax=3.5, interpolation="nearest")
        ax.set(title=f"Rochefort, {name}: deeper than {over:.2f} m", xticks=[], yticks=[])
    handles = [Patch(color=c, label=n) for n, c in zip(names, colours, strict=True)]
    axes[0].legend(handles=handles, fontsize=8, loc="upper right")
    _finish(figure, out / "water-rochefort.png")


def street(work: Path, out: Path) -> None:
    """Stages of the street beside the observed, and its depths."""
    kept = np.load(work / "merewether.npz")
    points = merewether.observations()
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), width_ratios=(1.2, 1))
    place = np.arange(len(points))
    observed = np.array([p.stage_m for p in points])
    left.axhspan(-merewether.MOST_MISS_M, merewether.MOST_MISS_M, color="#edf2f7")
    left.axhline(0, color=GREY, lw=0.8)
    left.plot(
        place - 0.08, [p.tuflow_m - p.stage_m for p in points], "s", color=OTHER, label="TUFLOW"
    )
    left.plot(place + 0.08, kept["stage_m"][-1] - observed, "o", color=OURS, label="ours")
    left.set(
        xticks=place, xticklabels=[f"{p.name}\n{p.stage_m:.2f} m" for p in points],
        xlabel="point, observed stage", ylabel="miss, m", title="Merewether, June 2007",
    )  # fmt: skip
    left.legend(frameon=False)
    grid = merewether.ground()[0]
    houses = merewether.ground()[1]
    depth = np.ma.masked_less(kept["depth"], 0.05)
    right.imshow(np.where(houses, 0.7, np.nan), cmap="gray", vmin=0, vmax=1)
    image = right.imshow(depth, cmap="Blues", vmin=0, vmax=2)
    for p in points:
        r, c = grid.place(p.x_m, p.y_m)
        right.plot(c, r, "o", color=RED, ms=4)
        right.annotate(p.name, (c + 6, r), color=RED, fontsize=9)
    right.set(xticks=[], yticks=[], title="depth at 1000 s, houses in grey")
    figure.colorbar(image, ax=right, label="m")
    _finish(figure, out / "water-merewether.png")


def main() -> None:
    """Draw all that was kept."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    drawings = {
        "ea1.npz": ea_1, "ea2.npz": ea_2, "ea4.npz": ea_4, "output_14.npz": estuary,
        "merewether.npz": street,
    }  # fmt: skip
    for name, draw in drawings.items():
        if (options.work / name).exists():
            draw(options.work, options.out)


if __name__ == "__main__":
    main()
