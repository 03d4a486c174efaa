"""How large and how fast a debrief is: beside plain folium, artefact by artefact, in a browser.

Run from the project's root (``docs/debrief-speed.md`` keeps a printout):

    averse demo --out demo
    python -m benchmarks.debrief --pack demo/district demo/exercise

Several exercises are a class. Times are of the processor, of one process, the best of several where
an artefact is small; frames are those that Debian's chromium, without a screen, really showed.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import folium
import numpy as np
from folium.plugins import TimestampedGeoJson
from pyproj import Transformer

from exercises.debrief.figures import ClassFigures, class_figures
from exercises.debrief.maps import FORECAST, TEAMS
from exercises.debrief.material import Material, read_material
from exercises.debrief.timelapse import write_timelapse
from exercises.debrief.write import ARTEFACTS, INDEX, write_pack
from exercises.map_frames import frames_of
from gis.frames import Frames
from gis.report_maps import DEPTH_COLOURS
from gis.webmap import Scene, board_data, read_scene
from gis.webmap_codec import pack_turns
from sim.rules import WATERS, Water

SMALLER, FASTER, FRAMES_A_SECOND = 50, 20, 30
MAP_BYTES, INDEX_BYTES = 2_000_000, 3_000_000
SCREENS = ((1280, 800), (1920, 1080))
CHROMIUM = "/usr/bin/chromium"
GEOMETRY = ("plane", "hexes", "edges", "places")
RUNS = 3

# moves a slider to and fro for a while, a step a frame, and counts the frames that were shown
SLIDE = """
async ([selector, least]) => {
  const slider = document.querySelector(selector), last = Number(slider.max);
  const frame = () => new Promise(r => requestAnimationFrame(r));
  for (let k = 0; k < 10; k++) await frame();
  const began = performance.now();
  let shown = 0;
  while (performance.now() - began < least) {
    slider.value = shown % (2 * last) < last ? shown % (2 * last) : 2 * last - shown % (2 * last);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await frame();
    shown++;
  }
  return [shown, (performance.now() - began) / 1000];
}
"""


def took(work: Callable[[], Any], runs: int = 1) -> tuple[float, Any]:
    """Return processor seconds of the best of several runs, and what the last one gave."""
    best, result = np.inf, None
    for _ in range(runs):
        began = time.process_time()
        result = work()
        best = min(best, time.process_time() - began)
    return best, result


# --------------------------------------------------------------------------- beside plain folium
def styled_features(scene: Scene, frames: Frames) -> list[dict[str, Any]]:
    """Every hex at every moment as a GeoJSON feature with its colour, as the plugin wants it."""
    lonlat = Transformer.from_crs("EPSG:3857", "EPSG:4326", always_xy=True)
    x, y = lonlat.transform(*scene.corners.reshape(-1, 2).T)
    rings = np.column_stack((x, y)).round(6).reshape(-1, 6, 2)
    rings = np.concatenate((rings, rings[:, :1]), axis=1).tolist()
    from_mm = [WATERS[water].from_mm for water in sorted(Water)]
    classes = np.searchsorted(from_mm, frames.true_depth_mm, side="right") - 1
    return [
        {
            "type": "Feature",
            "geometry": {"type": "Polygon", "coordinates": [rings[cell]]},
            "properties": {
                "times": [f"2000-01-01T{turn // 6:02}:{turn % 6}0:00"],
                "style": {"fillColor": DEPTH_COLOURS[water], "fillOpacity": 0.7, "weight": 0.5},
                "popup": f"{depth // 10} cm",
            },
        }
        for turn, row in enumerate(classes.tolist())
        for cell, (water, depth) in enumerate(
            zip(row, frames.true_depth_mm[turn].tolist(), strict=True)
        )
    ]


def plain_folium(scene: Scene, frames: Frames) -> str:
    """Return the page of a folium map as its documentation makes one."""
    shown = folium.Map(location=(0, 0), zoom_start=12)
    features = {"type": "FeatureCollection", "features": styled_features(scene, frames)}
    TimestampedGeoJson(features, period="PT10M", duration="PT10M").add_to(shown)
    return shown.get_root().render()


def compact_arrays(scene: Scene, frames: Frames) -> str:
    """Return the same hexes and their water, true alone, as the page reads them."""
    kept = {
        "plane": scene.plane,
        "corners": scene.packed_corners,
        "mm": pack_turns(frames.true_depth_mm),
    }
    return json.dumps(kept, separators=(",", ":"))


def all_arrays(scene: Scene, frames: Frames) -> str:
    """Return all that an exercise's map draws beside the background: known water, units, cuts …"""
    board = board_data(scene, frames, "en")
    return json.dumps({name: board[name] for name in (*GEOMETRY, "frames")}, separators=(",", ":"))


def anew(scene: Scene) -> Scene:
    """Return the same scene with nothing but its background packed."""
    again = replace(scene)
    again.__dict__["packed_background"] = scene.packed_background
    return again


def compare(scene: Scene, frames: Frames) -> None:
    """Print the sizes and times of the two ways, and their ratios."""
    _ = scene.packed_background  # the background is neither's
    theirs_s, theirs = took(lambda: plain_folium(scene, frames), RUNS)
    print(f"plain folium, true water alone     {len(theirs) / 1e6:8.2f} MB {theirs_s:7.2f} s")
    for name, make in (("the same in arrays", compact_arrays), ("all of an exercise", all_arrays)):
        ours_s, ours = took(lambda make=make: make(anew(scene), frames), RUNS)
        smaller, faster = len(theirs) / len(ours), theirs_s / ours_s
        print(
            f"{name:<34} {len(ours) / 1e6:8.3f} MB {ours_s:7.3f} s"
            f"   {smaller:5.0f} × smaller, {faster:4.0f} × faster"
        )
        if make is compact_arrays:
            verdict(smaller >= SMALLER and faster >= FASTER, f"{SMALLER} ×, {FASTER} ×")


def verdict(reached: bool, target: str) -> None:
    """Say whether a target is reached."""
    print(f"    {'reached' if reached else 'MISSED'}: {target}")


# --------------------------------------------------------------------------- the pack
def time_artefacts(material: Material, figures: ClassFigures, lang: str) -> None:
    """Print how long each artefact of the pack takes, one after the other in one process."""
    total = 0.0
    print("\nartefact             files        MB       s")
    for one in ARTEFACTS:
        with tempfile.TemporaryDirectory() as folder:
            loaded = one.writer  # loading a library is not the artefact's work
            here = Path(folder)
            seconds, _ = took(lambda w=loaded, f=here: w(material, figures, f, lang))
            files = [path for path in here.rglob("*") if path.is_file()]
            size = sum(path.stat().st_size for path in files)
        total += seconds
        print(f"{one.function:<20} {len(files):>5} {size / 1e6:>9.2f} {seconds:>7.2f}")
    print(f"{'sum':<20} {'':>5} {'':>9} {total:>7.2f}")


def time_films(material: Material, lang: str) -> None:
    """Print how long a film takes, of either kind."""
    print("\nfilm                 MB       s")
    for ending in (".mp4", ".gif"):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / f"film{ending}"
            team = material.teams[0]
            seconds, _ = took(lambda o=out, t=team: write_timelapse(material.pack, t, o, lang))
            print(f"{ending:<14} {out.stat().st_size / 1e6:>8.2f} {seconds:>7.2f}")


def write_and_measure(material: Material, lang: str, folder: Path) -> list[Path]:
    """Write a pack; print the size of every page in it, and return those with a slider."""
    began = time.perf_counter()
    pack = write_pack(material, folder, lang)
    print(f"\nthe whole pack, one process: {time.perf_counter() - began:.1f} s by the clock")
    pages = [path for path in pack.files if path.suffix == ".html"]
    for path in pages:
        most = INDEX_BYTES if path.name == INDEX else MAP_BYTES
        name = path.relative_to(folder).as_posix()
        size = path.stat().st_size
        said = "" if size <= most else f"   MISSED: {most / 1e6:.0f} MB"
        print(f"{name:<38} {size / 1e6:6.2f} MB{said}")
    return [path for path in pages if path.name not in {FORECAST, TEAMS}]


# --------------------------------------------------------------------------- in a browser
def helpers_s() -> float:
    """Processor seconds so far of all processes that this one started, and of those they did."""
    parents, spent = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        number = int(stat.parent.name)
        parents[number] = int(fields[1])
        spent[number] = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    found, more = set(), {os.getpid()}
    while more:
        found |= more
        more = {child for child, parent in parents.items() if parent in more} - found
    return sum(spent[number] for number in found - {os.getpid()})


def slide(pages: Sequence[Path], seconds: float) -> None:
    """Print how many frames a second are shown while a slider moves by a turn a frame.

    And what a frame costs all of the browser's processes together: on a busy machine the frames
    shown say how much of it was left.
    """
    from playwright.sync_api import sync_playwright

    print("\na slider moved by a turn a frame     frames a second, ms of processor a frame")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for width, height in SCREENS:
            for path in pages:
                page = browser.new_page(viewport={"width": width, "height": height})
                page.goto(path.absolute().as_uri())
                selector = "input[type=range][id$=slider]" if path.name == INDEX else "#turn"
                page.locator(selector).first.scroll_into_view_if_needed()
                before = helpers_s()
                frames, took_s = page.evaluate(SLIDE, [selector, 1000 * seconds])
                cost_ms = 1000 * (helpers_s() - before) / frames
                shown = frames / took_s
                said = "" if shown >= FRAMES_A_SECOND else f"   MISSED: {FRAMES_A_SECOND}"
                print(f"{path.name:<22} {width} × {height}  {shown:6.1f} {cost_ms:7.1f}{said}")
                page.close()
        browser.close()


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("exercises", type=Path, nargs="+")
    parser.add_argument("--pack", type=Path, help="district pack")
    parser.add_argument("--lang", choices=("fr", "en"), default="en")
    parser.add_argument("--seconds", type=float, default=4.0, help="a page's slider is moved")
    given = parser.parse_args()
    material = read_material(given.exercises, given.pack)
    frames = frames_of(material.teams[0].played, given.lang)
    print(
        f"{material.district.name}: {material.district.sheet.n_hexes:,} hexes, {frames.turns} "
        f"turns, {len(material.teams)} team(s)\n"
    )
    compare(read_scene(material.pack), frames)
    figures_s, figures = took(lambda: class_figures(material))
    print(f"\nfigures of the class {figures_s:.2f} s")
    time_artefacts(material, figures, given.lang)
    time_films(material, given.lang)
    with tempfile.TemporaryDirectory() as folder:
        slide(write_and_measure(material, given.lang, Path(folder) / "debrief"), given.seconds)


if __name__ == "__main__":
    main()
