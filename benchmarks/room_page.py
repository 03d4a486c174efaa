"""How fast a team's page opens, and what painting and the sliders of its layers cost a frame.

    python -m benchmarks.room_page PACK [--frames 240]

Opens a room on a district pack in Debian's chromium, without a GPU, and prints what is loaded
before the first board stands, and for each action the processor time that the page's main thread
takes a frame, which a busy machine leaves alone; and how long it was kept and how often frames
came, which a quiet machine shows.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from playwright.sync_api import sync_playwright

from tests.exercises.room.places import Served, begun

CHROMIUM = Path("/usr/bin/chromium")
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"]
LAYERS = ("fabric", "density", "water", "roads", "relief", "forecast")
SAME_FRAME_US = 4_000  # two callbacks of one frame are nearer than two frames
OF_APP = "const {app} = await import('/static/team.js');"
FIRST_BOARD = """() => new Promise((done) => {
  const look = () => {
    const entry = performance.getEntriesByName('board')[0];
    if (entry) done(entry.startTime); else requestAnimationFrame(look);
  };
  look();
})"""
NOTES_BOARD = """
const draws = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (...given) {
  const told = draws.apply(this, given);
  if (this.canvas.className === 'board' && !performance.getEntriesByName('board').length) {
    performance.mark('board');
  }
  return told;
};
"""


def frames_of(trace):
    """Milliseconds that each frame kept the main thread, and milliseconds between frames."""
    events = [one for one in json.loads(trace)["traceEvents"] if one.get("ph") == "X"]
    mains = {(one["pid"], one["tid"]) for one in events if one["name"] == "FireAnimationFrame"}
    kept, gaps = [], []
    for main in mains:
        own = [one for one in events if (one["pid"], one["tid"]) == main]
        beats = sorted(one["ts"] for one in own if one["name"] == "FireAnimationFrame")
        beats = [ts for k, ts in enumerate(beats) if k == 0 or ts - beats[k - 1] > SAME_FRAME_US]
        spent = defaultdict(float)
        for one in own:
            if one["name"].endswith("RunTask"):
                spent[np.searchsorted(beats, one["ts"] + one["dur"])] += one["dur"] / 1000
        kept += [spent[k] for k in range(1, len(beats))]
        gaps += list(np.diff(beats) / 1000)
    return np.array(kept), np.array(gaps)


def main_threads(shown):
    """Processor seconds of the main thread of each page's process so far, by its number."""
    session = shown.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    spent = {}
    for one in found:
        stat = Path(f"/proc/{one['id']}/task/{one['id']}/schedstat")
        if one["type"] == "renderer" and stat.exists():
            spent[one["id"]] = int(stat.read_text().split()[0]) / 1e9
    return spent


def told(name, trace, spent_s):
    """Print a line for an action."""
    kept, gaps = frames_of(trace)
    if not len(kept):
        print(f"{name:36} no frame")
        return
    p50, p95 = np.percentile(kept, [50, 95])
    print(
        f"{name:36} {len(kept):4} frames; main thread {1000 * spent_s / len(kept):5.1f} ms of the "
        f"processor a frame; it was kept {p50:5.1f} ms, p95 {p95:5.1f}; frames came every "
        f"{np.percentile(gaps, 50):5.1f} ms, p95 {np.percentile(gaps, 95):5.1f}"
    )


def opening(page, address):
    """Load a page and print what it took."""
    sizes = []
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.on("Network.loadingFinished", lambda one: sizes.append(one["encodedDataLength"]))
    page.goto(address, wait_until="domcontentloaded")
    first = page.evaluate(FIRST_BOARD)
    entry = page.evaluate("() => performance.getEntriesByType('navigation')[0].toJSON()")
    metrics = {
        one["name"]: one["value"] for one in client.send("Performance.getMetrics")["metrics"]
    }
    print(
        f"first page: {len(sizes)} requests, {sum(sizes) / 1000:.0f} kB; DOM "
        f"{entry['domContentLoadedEventEnd']:.0f} ms, first board {first:.0f} ms from the start; "
        f"script {1000 * metrics.get('ScriptDuration', 0):.0f} ms"
    )


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("pack", type=Path)
    asked.add_argument("--frames", type=int, default=240)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        room = begun(given.pack, Path(folder) / "room", ("Red",), turns=30)
        with Served(room, given.pack) as served:
            served.classroom.ground("en")  # drawn before class
            shown = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
            measure(shown, served, given.frames)
            shown.close()


def measure(shown, served, frames):
    token = served.classroom.token("/t/1-red")
    context = shown.new_context(viewport={"width": 1366, "height": 768})
    link = f"{served.base}/t/1-red/join?token={token}"
    context.request.get(link, max_redirects=0)
    page = context.new_page()
    page.add_init_script(NOTES_BOARD)
    client = context.new_cdp_session(page)
    client.send("Performance.enable")
    for visit in ("first", "again"):
        print(f"({visit})", end=" ")
        opening(page, f"{served.base}/t/1-red/?lang=en")
    assert urlsplit(page.url).netloc == urlsplit(served.base).netloc
    page.click("#skip-tutorial")
    page.wait_for_timeout(500)

    def traced(name, act):
        before = main_threads(shown)
        shown.start_tracing(page=page, categories=CATEGORIES)
        act()
        after = main_threads(shown)
        most = max(after[pid] - before.get(pid, 0) for pid in after)
        told(name, shown.stop_tracing(), most)

    box = page.locator("#map").bounding_box()

    def stroke():
        x, y = box["x"] + box["width"] * 0.15, box["y"] + box["height"] * 0.15
        page.mouse.move(x, y)
        page.mouse.down()
        for row in range(6):
            y = box["y"] + box["height"] * (0.15 + 0.12 * row)
            for k in range(frames // 6):
                share = k / (frames // 6)
                way = 0.15 + 0.7 * (share if row % 2 == 0 else 1 - share)
                page.mouse.move(box["x"] + box["width"] * way, y)
        page.mouse.up()

    def hover():
        for k in range(frames):
            page.mouse.move(
                box["x"] + box["width"] * (0.1 + 0.8 * k / frames), box["y"] + box["height"] / 2
            )

    def slide(layer):
        page.evaluate(
            """async ([layer, frames]) => {
              const slider = document.querySelector(`[data-layer=${layer}]`);
              for (let k = 0; k < frames; k++) {
                slider.value = 10 + 90 * (k % 40) / 40;
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                await new Promise(requestAnimationFrame);
              }
            }""",
            [layer, frames // 2],
        )

    print(f"{page.evaluate(f'async () => {{ {OF_APP} return app.board.n; }}')} hexes")
    page.click("[data-key='Width of the brush, in hexes/2']")
    traced("painting, brush of 19", stroke)
    page.click("[data-value=move]")
    traced("moving the pointer", hover)
    page.click("#tab-layers")
    for layer in LAYERS:
        page.evaluate(
            "(name) => { const one = document.querySelector(`[data-layer=${name}]`);"
            "one.value = 90; one.dispatchEvent(new Event('input', { bubbles: true })); }",
            layer,
        )
    page.wait_for_timeout(300)
    for layer in LAYERS:
        traced(f"slider of {layer}, all six shown", lambda layer=layer: slide(layer))

    def panned():
        page.mouse.move(box["x"] + 300, box["y"] + 300)
        for _ in range(6):
            page.mouse.wheel(0, -120)
            page.wait_for_timeout(16)
        page.mouse.down()
        for k in range(frames // 2):
            page.mouse.move(box["x"] + 300 + k, box["y"] + 300 + k / 2)
        page.mouse.up()

    traced("zooming in and panning", panned)


if __name__ == "__main__":
    main()
