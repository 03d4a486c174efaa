/* Boards of hexes, moved together: panned and zoomed by mouse, touch and keyboard, with one cursor.
   Each is two canvases: the board, which board_draw.js paints, and the page's marks over it. */
import { cursorMark, paintedMarks, standingMarks } from './board_marks.js';

const averse = globalThis.averse, { el } = averse;
const REST_MS = 90, MARGIN = 0.16, CLICK_PX = 9, LARGEST_HEX_PX = 150, LEAST_MOST_ZOOM = 2, WHEEL = 0.0016, FAR_STEP = 5;
// layers that marks are drawn by; what was painted is only laid over the board at another opacity
const MARKED = new Set(['states', 'units']);
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/* Layers as they are at first. */
export function firstLayers() {
  return {
    fabric: { on: true, opacity: 0.45 }, density: { on: false, opacity: 0.9 }, water: { on: true, opacity: 0.92 },
    roads: { on: true, opacity: 0.9 }, relief: { on: false, opacity: 0.8 }, forecast: { on: true, opacity: 1 },
    quarters: { on: true, opacity: 0.6 }, classes: { on: true, opacity: 0.88 },
    states: { on: true, opacity: 1 }, units: { on: true, opacity: 1 }, numbers: { on: true, opacity: 1 },
  };
}

/* What boards share: the ground, its layers, where they look and the hex at the cursor. */
export class Table {
  constructor(data, layers = firstLayers()) {
    this.data = data;
    this.cells = averse.decode(data);
    this.layers = layers;
    this.extent = extentOf(this.cells);
    this.boards = new Set();
    this.reads = [];
    this.cursor = -1;
    this.night = false;
    this.whole();
  }

  get isWhole() { return this.zoom === 1; }

  /* The middle of what is seen, in steps of the ground; zoom 1 shows the whole sheet. */
  whole() { this.move(0, 0, 1); }
  move(x, y, zoom) {
    const e = this.extent, midX = (e.left + e.right) / 2, midY = (e.top + e.bottom) / 2;
    this.zoom = Math.max(1, zoom);
    this.x = this.isWhole ? midX : Math.max(e.left, Math.min(e.right, x));
    this.y = this.isWhole ? midY : Math.max(e.top, Math.min(e.bottom, y));
    this.boards.forEach((board) => board.shift());
  }

  /* Look where another table of the same sheet looks. */
  like(other) {
    this.cursor = other.cursor;
    this.move(other.x, other.y, other.zoom);
  }

  select(cell) {
    if (cell === this.cursor) return;
    this.cursor = cell;
    this.boards.forEach((board) => board.aim());
    this.reads.forEach((read) => read(cell));
  }

  dress(night) {
    this.night = night;
    this.boards.forEach((board) => board.dress());
  }

  /* A layer was turned on or off, or its slider moved. */
  changed(layer) {
    this.boards.forEach((board) => { board.paint(); if (MARKED.has(layer)) board.mark(); else board.aim(); });
  }

  neighbours(cell) { return Array.from(this.cells.neighbours.subarray(6 * cell, 6 * cell + 6)).filter((c) => c >= 0); }
  disk(cell, radius) {
    const found = new Set([cell]);
    let ring = [cell];
    for (let step = 0; step < radius; step++) {
      ring = ring.flatMap((c) => this.neighbours(c)).filter((c) => !found.has(c) && found.add(c));
    }
    return found;
  }
}

export class BoardMap {
  /* `water` is 'true' or 'known'; `plain` draws neither states nor units; a `still` board is looked
     at only. `hears`, each if it is there: tap(cell, point), moved(cell), paints(), stroke(cells,
     step), key(event); `hovers` marks the hex under the pointer. `marks` draw over it: painted(ctx, map)
     the forecast before turn 1, standing(ctx, map) what else stays, aim(ctx, map) what follows pointer
     and cursor. */
  constructor(table, { water, label, plain = false, story = null, still = false, hovers = false, hears = {}, marks = ownMarks, ...more }) {
    this.table = table;
    this.hears = hears;
    this.marks = marks;
    this.told = null; // what stands on it beside its frame: see board_marks.js
    this.hover = -1;
    this.width = this.height = 0;
    this.still = still;
    const layers = plain ? Object.create(table.layers) : table.layers;
    if (plain) ['states', 'units', 'forecast'].forEach((name) => { layers[name] = { on: false, opacity: 1 }; });
    this.state = { turn: 0, water, relief: 'altitude', choice: 0, layers, selected: -1 };
    this.data = story ? { ...table.data, story } : table.data;
    this.board = null;
    this.drawn = null;
    this.paintedSheet = document.createElement('canvas');
    this.standingSheet = document.createElement('canvas');
    this.canvas = el('canvas', { class: 'board', 'aria-hidden': 'true' });
    this.over = el('canvas', { class: 'marks', 'aria-hidden': 'true' });
    this.node = el(still ? 'span' : 'div', { class: 'map', role: still ? 'img' : 'application', 'aria-label': label, ...(still ? {} : { tabindex: 0 }), ...more }, [this.canvas, this.over]);
    if (!still) this.listen(hovers);
    this.sizing = new ResizeObserver(() => this.resize());
    this.sizing.observe(this.node);
    table.boards.add(this);
  }

  close() {
    this.sizing.disconnect();
    clearTimeout(this.resting);
    this.table.boards.delete(this);
  }

  // ------------------------------------------------------------------ what it shows
  /* A moment, or the turns, of an exercise. `rows` are the classes of a story, by turn. */
  show(frame, turn = 0, rows = null) {
    const played = averse.played(this.table.cells, this.data, frame);
    if (rows) played.story = [{ rows, facts: [] }];
    this.state.turn = turn;
    if (this.board) {
      Object.assign(this.board, played);
      this.paint();
      this.mark();
      return;
    }
    this.board = played;
    this.painter = averse.painter(this.data, this.board, this.state);
    this.painter.dress(this.table.night);
    this.node.style.background = this.painter.palette().paper;
    this.draw();
  }

  setTurn(turn) { this.state.turn = turn; this.paint(); }

  tell(told) { this.told = told; this.mark(); }

  dress() {
    if (!this.painter) return;
    this.painter.dress(this.table.night);
    this.node.style.background = this.painter.palette().paper;
    this.paint();
    this.mark();
  }

  /* Sections of its legend, for the layers that are shown now; `more` changes what it is made of. */
  legend(heading, more = {}) {
    return averse.legend({
      ...this.painter, words: this.data.texts, state: this.state, data: this.data, cells: this.board, timed: true, densityTint: averse.densityTint, chart: false, ...more,
    }, heading);
  }

  // ------------------------------------------------------------------ where it looks
  resize() {
    const { clientWidth: width, clientHeight: height } = this.node;
    if (width === this.width && height === this.height) return;
    this.width = width; this.height = height;
    this.draw();
  }

  /* Steps of the ground to pixels of the window: scale and shift. */
  get place() {
    const e = this.table.extent, room = this.width > 600 ? 14 : 4;
    const fit = Math.min((this.width - 2 * room) / (e.right - e.left), (this.height - 2 * room) / (e.bottom - e.top));
    const s = this.table.zoom * fit;
    return { s, fit, tx: this.width / 2 - this.table.x * s, ty: this.height / 2 - this.table.y * s };
  }

  pan(dx, dy) {
    const { s } = this.place;
    this.table.move(this.table.x - dx / s, this.table.y - dy / s, this.table.zoom);
  }

  /* About a point of the window, which stays where it is. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const t = this.table, { s, fit, tx, ty } = this.place;
    const most = Math.max(LEAST_MOST_ZOOM, LARGEST_HEX_PX / (t.extent.hex * fit)), zoom = Math.max(1, Math.min(most, t.zoom * factor));
    const groundX = (x - tx) / s, groundY = (y - ty) / s, by = 1 / (fit * zoom);
    t.move(groundX - (x - this.width / 2) * by, groundY - (y - this.height / 2) * by, zoom);
  }

  /* Move what is drawn at once; draw it anew where it comes to rest. */
  shift() {
    if (!this.drawn) { this.draw(); return; }
    const d = this.drawn, { s, tx, ty } = this.place, by = s / d.s;
    const x = tx - (d.tx + d.pad) * by, y = ty - (d.ty + d.pad) * by;
    for (const canvas of [this.canvas, this.over]) canvas.style.transform = `translate(${x}px, ${y}px) scale(${by})`;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.draw(), REST_MS);
  }

  draw() {
    clearTimeout(this.resting);
    this.drawn = null;
    if (!this.board || this.width < 20 || this.height < 20) return;
    const { s, tx, ty } = this.place, ratio = averse.ratio();
    const pad = this.still || this.table.isWhole ? 0 : Math.round(MARGIN * Math.max(this.width, this.height));
    const width = this.width + 2 * pad, height = this.height + 2 * pad;
    this.drawn = { s, tx, ty, pad };
    for (const canvas of [this.canvas, this.over]) {
      sized(canvas, Math.round(width * ratio), Math.round(height * ratio));
      canvas.style.width = `${width}px`; canvas.style.height = `${height}px`;
      canvas.style.transform = `translate(${-pad}px, ${-pad}px)`;
    }
    this.painter.look(s, tx + pad, ty + pad, width, height, ratio);
    this.paintNow();
    this.markNow();
  }

  paint() {
    if (this.painting || !this.drawn) return;
    this.painting = requestAnimationFrame(() => { this.painting = 0; this.paintNow(); });
  }
  // the board covers its canvas whole: what shines through nothing is laid over the page faster
  paintNow() { if (this.drawn) this.painter.paint(this.canvas.getContext('2d', { alpha: false })); }

  /* Draw all marks anew; `aim` those alone that follow pointer and cursor. */
  mark() { this.settled = false; this.aim(); }
  aim() {
    if (this.marking || !this.drawn) return;
    this.marking = requestAnimationFrame(() => { this.marking = 0; this.aimNow(); });
  }
  markNow() { this.settled = false; this.aimNow(); }
  aimNow() {
    if (!this.drawn) return;
    if (!this.settled) {
      this.marks.painted(this.cleared(this.paintedSheet), this);
      this.marks.standing(this.cleared(this.standingSheet), this);
      this.settled = true;
    }
    const ctx = this.cleared(this.over), { forecast } = this.state.layers;
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = forecast.on ? forecast.opacity : 0;
    ctx.drawImage(this.paintedSheet, 0, 0);
    ctx.globalAlpha = 1;
    ctx.drawImage(this.standingSheet, 0, 0);
    ctx.restore();
    this.marks.aim(ctx, this);
  }
  /* Draw something more on what stays. */
  add(draws) {
    if (this.settled && this.drawn) draws(this.standingSheet.getContext('2d'), this);
    this.aim();
  }
  cleared(canvas) {
    const ctx = canvas.getContext('2d'), { ratio } = this.painter.view;
    sized(canvas, this.over.width, this.over.height);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    return ctx;
  }

  // ------------------------------------------------------------------ hexes and links
  get cursor() { return this.table.cursor; }

  /* A point of the page, on the drawn canvas. */
  spot(event) {
    const box = this.node.getBoundingClientRect(), d = this.drawn, { s, tx, ty } = this.place;
    const x = event.clientX - box.left, y = event.clientY - box.top;
    return { x: (x - tx) / s * d.s + d.tx + d.pad, y: (y - ty) / s * d.s + d.ty + d.pad };
  }
  cellAt(event) {
    if (!this.drawn) return -1;
    const at = this.spot(event);
    return this.painter.cellAt(at.x, at.y);
  }
  /* Where the middle of a hex is drawn, in the window. */
  centreOf(cell) {
    const box = this.node.getBoundingClientRect(), { cx, cy } = this.painter.view;
    return [box.left + cx[cell] - this.drawn.pad, box.top + cy[cell] - this.drawn.pad];
  }
  middle(edge) {
    const v = this.painter.view, low = this.board.edge.low[edge], high = this.board.edge.high[edge];
    return [(v.cx[low] + v.cx[high]) / 2, (v.cy[low] + v.cy[high]) / 2];
  }
  /* The link among some whose middle is next to a point; -1 where none is near. */
  linkAt(point, links) {
    let best = -1, near = this.painter.view.hexW * 0.7;
    for (const edge of links) {
      const [x, y] = this.middle(edge), far = Math.hypot(point.x - x, point.y - y);
      if (far < near) { near = far; best = edge; }
    }
    return best;
  }

  setCursor(cell, quiet) {
    if (cell < 0 || cell === this.cursor) return;
    this.table.select(cell);
    if (!quiet) this.hears.moved?.(cell);
  }

  /* Bring a hex into sight. */
  reveal(cell) {
    if (cell < 0 || !this.drawn) return;
    const { s, tx, ty } = this.place, c = this.table.cells.corners, x = c[12 * cell] * s + tx, y = c[12 * cell + 1] * s + ty;
    const edge = Math.min(60, this.width / 5, this.height / 5);
    if (x < edge || y < edge || x > this.width - edge || y > this.height - edge) this.pan(this.width / 2 - x, this.height / 2 - y);
  }

  /* Along the columns and rows of the sheet. */
  step(columns, rows) {
    const { sheet } = this.table.data, from = this.cursor;
    if (from < 0) {
      const box = this.node.getBoundingClientRect();
      this.setCursor(Math.max(0, this.cellAt({ clientX: box.left + this.width / 2, clientY: box.top + this.height / 2 })));
      return;
    }
    const column = Math.floor(from / sheet.rows) + columns, row = from % sheet.rows + rows;
    if (column < 0 || row < 0 || column >= sheet.columns || row >= sheet.rows) return;
    this.setCursor(column * sheet.rows + row);
    this.reveal(this.cursor);
  }

  // ------------------------------------------------------------------ mouse, touch, keys
  listen(hovers) {
    const { node, hears } = this, fingers = new Map();
    let start = null, pinch = null, stroke = null, moved = false;
    const both = () => {
      const [a, z] = fingers.values();
      return { x: (a.x + z.x) / 2, y: (a.y + z.y) / 2, far: Math.hypot(a.x - z.x, a.y - z.y) };
    };
    node.addEventListener('pointerdown', (event) => {
      node.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) {
        pinch = both();
        if (stroke) { stroke = null; hears.stroke([], 'dropped'); }
        return;
      }
      start = { x: event.clientX, y: event.clientY };
      moved = false;
      if (event.button === 0 && hears.paints?.()) {
        stroke = { last: -1 };
        this.trail(stroke, event);
      }
    });
    node.addEventListener('pointermove', (event) => {
      const finger = fingers.get(event.pointerId);
      if (!finger) { if (hovers) this.overCell(event); return; }
      const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
      finger.x = event.clientX; finger.y = event.clientY;
      if (fingers.size === 2 && pinch) {
        const now = both(), box = node.getBoundingClientRect();
        this.pan(now.x - pinch.x, now.y - pinch.y);
        this.zoom(now.far / Math.max(1, pinch.far), now.x - box.left, now.y - box.top);
        pinch = now;
        moved = true;
      } else if (stroke) {
        const path = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
        for (const one of path.length ? path : [event]) this.trail(stroke, one);
      } else if (start && (moved || Math.hypot(event.clientX - start.x, event.clientY - start.y) > CLICK_PX)) {
        if (!moved) this.pan(event.clientX - start.x, event.clientY - start.y);
        else this.pan(dx, dy);
        moved = true;
      }
    });
    const up = (event) => {
      if (!fingers.delete(event.pointerId)) return;
      if (fingers.size) { pinch = null; start = null; moved = true; return; }
      if (stroke) hears.stroke([], event.type === 'pointerup' ? 'done' : 'dropped');
      else if (!moved && start && event.type === 'pointerup' && event.button === 0) {
        const cell = this.cellAt(event);
        if (cell >= 0) { this.setCursor(cell, true); hears.tap?.(cell, this.spot(event)); }
      }
      start = pinch = stroke = null;
    };
    node.addEventListener('pointerup', up);
    node.addEventListener('pointercancel', up);
    node.addEventListener('pointerleave', () => { if (this.hover >= 0) { this.hover = -1; this.aim(); } });
    node.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = node.getBoundingClientRect(), lines = event.deltaMode === 1 ? 16 : 1;
      this.zoom(Math.exp(-event.deltaY * lines * WHEEL), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    node.addEventListener('contextmenu', (event) => event.preventDefault());
    node.addEventListener('keydown', (event) => this.pressed(event));
    node.addEventListener('focus', () => this.aim());
    node.addEventListener('blur', () => this.aim());
  }

  overCell(event) {
    const cell = this.cellAt(event);
    if (cell === this.hover) return;
    this.hover = cell;
    this.aim();
  }

  trail(stroke, event) {
    const cell = this.cellAt(event);
    if (cell < 0 || cell === stroke.last) return;
    stroke.last = cell;
    this.hover = cell;
    this.setCursor(cell, true);
    this.hears.stroke([cell], 'going');
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const way = ARROWS[event.key];
    if (way) this.step(...way.map((v) => v * (event.shiftKey ? FAR_STEP : 1)));
    else if (event.key === '+' || event.key === '=') this.zoom(1.3);
    else if (event.key === '-') this.zoom(1 / 1.3);
    else if (event.key === '0') this.table.whole();
    else if (!this.hears.key?.(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/* What is told to stand on a board, and the cursor. */
const ownMarks = {
  painted(ctx, map) { if (map.told) paintedMarks(ctx, map, map.told.painted); },
  standing(ctx, map) { if (map.told) standingMarks(ctx, map, map.told); },
  aim(ctx, map) { if (!map.still) cursorMark(ctx, map); },
};

/* A canvas keeps its memory where its size stays: it is drawn over whole. */
function sized(canvas, width, height) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

function extentOf(cells) {
  const e = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i < cells.corners.length; i += 2) {
    e.left = Math.min(e.left, cells.corners[i]); e.right = Math.max(e.right, cells.corners[i]);
    e.top = Math.min(e.top, cells.corners[i + 1]); e.bottom = Math.max(e.bottom, cells.corners[i + 1]);
  }
  const xs = [0, 2, 4, 6, 8, 10].map((k) => cells.corners[k]);
  return { ...e, hex: Math.max(...xs) - Math.min(...xs) };
}
