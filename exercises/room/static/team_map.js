/* The map: two canvases, the board that board_draw.js paints and the marks of this page over it,
   moved together. Panned and zoomed by mouse, touch and keyboard; a cursor of one hex beside. */
import { el } from './team_dom.js';

const REST_MS = 90, MARGIN = 0.16, CLICK_PX = 9, LARGEST_HEX_PX = 150, WHEEL = 0.0016;
const averse = globalThis.averse;

export class BoardMap {
  /* `hears`: tap(cell, point), over(cell), stroke(cells, done), paints(event), key(event), moved(cell) */
  constructor(data, board, layers, hears, label) {
    this.data = data;
    this.board = board;
    this.hears = hears;
    this.state = { turn: 0, water: 'known', relief: 'altitude', selected: -1, choice: 0, layers };
    this.painter = averse.painter(data, board, this.state);
    this.cursor = -1;
    this.hover = -1;
    this.marks = () => {};
    this.canvas = el('canvas', { 'aria-hidden': 'true', class: 'board' });
    this.over = el('canvas', { 'aria-hidden': 'true', class: 'board' });
    this.node = el('div', { id: 'map', tabindex: 0, role: 'application', 'aria-label': label, 'aria-describedby': 'map-keys' },
      this.canvas, this.over);
    this.sides = sidesOf(board);
    this.extent = extentOf(board);
    this.s = 1; this.tx = 0; this.ty = 0;
    this.drawn = null;
    this.listen();
    this.sizing = new ResizeObserver(() => this.resize());
    this.sizing.observe(this.node);
  }

  /* Look where another map looked. */
  like(other) {
    this.cursor = other.cursor;
    if (!other.drawn || other.isWhole) return;
    Object.assign(this, { s: other.s, tx: other.tx, ty: other.ty, least: other.least, most: other.most, width: other.width, height: other.height });
    this.draw();
  }

  close() { this.sizing.disconnect(); clearTimeout(this.resting); }

  // ------------------------------------------------------------------ where it stands
  resize() {
    const box = this.node.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const first = !this.drawn, middle = this.drawn && [this.width / 2, this.height / 2].map((v, k) => (v - [this.tx, this.ty][k]) / this.s);
    const wasWhole = this.isWhole;
    this.width = box.width; this.height = box.height;
    if (first || wasWhole) this.whole();
    else {
      this.tx = this.width / 2 - middle[0] * this.s;
      this.ty = this.height / 2 - middle[1] * this.s;
      this.draw();
    }
  }

  whole() {
    const e = this.extent, room = this.width > 600 ? 14 : 4;
    this.s = Math.min((this.width - 2 * room) / (e.right - e.left), (this.height - 2 * room) / (e.bottom - e.top));
    this.least = this.s * 0.7;
    this.most = this.s * Math.max(2, LARGEST_HEX_PX / (e.hex * this.s));
    this.tx = this.width / 2 - this.s * (e.left + e.right) / 2;
    this.ty = this.height / 2 - this.s * (e.top + e.bottom) / 2;
    this.isWhole = true;
    this.draw();
  }

  pan(dx, dy) {
    this.isWhole = false;
    this.tx += dx; this.ty += dy;
    const e = this.extent, keep = 80;
    this.tx = Math.max(keep - e.right * this.s, Math.min(this.width - keep - e.left * this.s, this.tx));
    this.ty = Math.max(keep - e.bottom * this.s, Math.min(this.height - keep - e.top * this.s, this.ty));
    this.shift();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const s = Math.max(this.least, Math.min(this.most, this.s * factor)), by = s / this.s;
    this.isWhole = false;
    this.tx = x - (x - this.tx) * by; this.ty = y - (y - this.ty) * by;
    this.s = s;
    this.shift();
  }

  /* Move what is drawn at once; draw it anew where it comes to rest. */
  shift() {
    const d = this.drawn, by = this.s / d.s;
    const x = this.tx - d.tx * by - d.pad * by + 0, y = this.ty - d.ty * by - d.pad * by + 0;
    for (const canvas of [this.canvas, this.over]) canvas.style.transform = `translate(${x}px, ${y}px) scale(${by})`;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.draw(), REST_MS);
  }

  draw() {
    clearTimeout(this.resting);
    if (!this.width) return;
    const pad = Math.round(MARGIN * Math.max(this.width, this.height)), ratio = averse.ratio();
    const width = this.width + 2 * pad, height = this.height + 2 * pad;
    this.drawn = { s: this.s, tx: this.tx, ty: this.ty, pad };
    for (const canvas of [this.canvas, this.over]) {
      canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`; canvas.style.height = `${height}px`;
      canvas.style.transform = `translate(${-pad}px, ${-pad}px)`;
    }
    this.painter.look(this.s, this.tx + pad, this.ty + pad, width, height, ratio);
    this.paintNow();
    this.markNow();
  }

  paint() {
    if (this.painting || !this.drawn) return;
    this.painting = requestAnimationFrame(() => { this.painting = 0; this.paintNow(); });
  }
  paintNow() { if (this.drawn) this.painter.paint(this.canvas.getContext('2d')); }

  mark() {
    if (this.marking || !this.drawn) return;
    this.marking = requestAnimationFrame(() => { this.marking = 0; this.markNow(); });
  }
  markNow() {
    if (!this.drawn) return;
    const ctx = this.over.getContext('2d'), ratio = this.painter.view.ratio;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.over.width, this.over.height);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.marks(ctx, this);
  }

  stale(names) { this.painter.stale(names); this.paint(); }

  dress(night) {
    this.painter.dress(night);
    this.node.style.background = this.painter.palette().paper;
    this.painter.stale(['under', 'over', 'labels', 'forecast']);
    this.paint();
    this.mark();
  }

  // ------------------------------------------------------------------ hexes and links
  /* A point of the page, on the drawn canvas. */
  spot(event) {
    const box = this.node.getBoundingClientRect(), d = this.drawn;
    const x = event.clientX - box.left, y = event.clientY - box.top;
    return { x: (x - this.tx) / this.s * d.s + d.tx + d.pad, y: (y - this.ty) / this.s * d.s + d.ty + d.pad, inX: x, inY: y };
  }
  cellAt(event) {
    const at = this.spot(event);
    return this.painter.cellAt(at.x, at.y);
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
  neighbours(cell) { return Array.from(this.board.neighbours.subarray(6 * cell, 6 * cell + 6)).filter((c) => c >= 0); }
  disk(cell, radius) {
    const found = new Set([cell]);
    let ring = [cell];
    for (let step = 0; step < radius; step++) {
      ring = ring.flatMap((c) => this.neighbours(c)).filter((c) => !found.has(c) && found.add(c));
    }
    return found;
  }

  setCursor(cell, quiet) {
    if (cell < 0 || cell === this.cursor) return;
    this.cursor = cell;
    this.mark();
    if (!quiet) this.hears.moved(cell);
  }

  /* Bring a hex into sight. */
  reveal(cell) {
    if (cell < 0 || !this.drawn) return;
    const b = this.board, x = b.corners[12 * cell] * this.s + this.tx, y = b.corners[12 * cell + 1] * this.s + this.ty;
    const edge = Math.min(60, this.width / 5, this.height / 5);
    if (x < edge || y < edge || x > this.width - edge || y > this.height - edge) this.pan(this.width / 2 - x, this.height / 2 - y);
  }

  step(columns, rows) {
    const { sheet } = this.data;
    if (this.cursor < 0) {
      const box = this.node.getBoundingClientRect();
      this.setCursor(Math.max(0, this.cellAt({ clientX: box.left + this.width / 2, clientY: box.top + this.height / 2 })));
      return;
    }
    const column = Math.floor(this.cursor / sheet.rows) + columns, row = this.cursor % sheet.rows + rows;
    if (column < 0 || row < 0 || column >= sheet.columns || row >= sheet.rows) return;
    this.setCursor(column * sheet.rows + row);
    this.reveal(this.cursor);
  }

  // ------------------------------------------------------------------ mouse, touch, keys
  listen() {
    const node = this.node, fingers = new Map();
    let start = null, pinch = null, stroke = null, moved = false;
    const both = () => {
      const [a, z] = fingers.values();
      return { x: (a.x + z.x) / 2, y: (a.y + z.y) / 2, far: Math.hypot(a.x - z.x, a.y - z.y) };
    };
    node.addEventListener('pointerdown', (event) => {
      if (event.target.closest('button')) return;
      node.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) {
        pinch = both();
        if (stroke) { stroke = null; this.hears.stroke([], 'dropped'); }
        return;
      }
      start = { x: event.clientX, y: event.clientY };
      moved = false;
      if (event.button === 0 && this.hears.paints(event)) {
        stroke = { last: -1 };
        this.trail(stroke, event);
      }
    });
    node.addEventListener('pointermove', (event) => {
      const finger = fingers.get(event.pointerId);
      if (!finger) { this.overCell(event); return; }
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
      if (stroke) this.hears.stroke([], event.type === 'pointerup' ? 'done' : 'dropped');
      else if (!moved && start && event.type === 'pointerup' && event.button === 0) {
        const cell = this.cellAt(event);
        if (cell >= 0) { this.setCursor(cell, true); this.hears.tap(cell, this.spot(event)); }
      }
      start = pinch = stroke = null;
    };
    node.addEventListener('pointerup', up);
    node.addEventListener('pointercancel', up);
    node.addEventListener('pointerleave', () => { this.hover = -1; this.hears.over(-1); this.mark(); });
    node.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = node.getBoundingClientRect(), lines = event.deltaMode === 1 ? 16 : 1;
      this.zoom(Math.exp(-event.deltaY * lines * WHEEL), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    node.addEventListener('contextmenu', (event) => event.preventDefault());
    node.addEventListener('keydown', (event) => this.pressed(event));
    node.addEventListener('focus', () => this.mark());
    node.addEventListener('blur', () => this.mark());
  }

  overCell(event) {
    const cell = this.cellAt(event);
    if (cell === this.hover) return;
    this.hover = cell;
    this.hears.over(cell);
    this.mark();
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
    if (event.target !== this.node || event.ctrlKey || event.altKey || event.metaKey) return;
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (way) this.step(...way.map((v) => v * (event.shiftKey ? 5 : 1)));
    else if (event.key === '+' || event.key === '=') this.zoom(1.3);
    else if (event.key === '-') this.zoom(1 / 1.3);
    else if (event.key === '0') this.whole();
    else if (!this.hears.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/* The two corners of each side of a hex: those it shares with its neighbour there. */
function sidesOf(board) {
  const sides = [];
  for (let cell = 0; cell < board.n && sides.filter(Boolean).length < 6; cell++) {
    for (let side = 0; side < 6; side++) {
      const other = board.neighbours[6 * cell + side];
      if (sides[side] || other < 0) continue;
      const theirs = new Set(board.vertex.subarray(6 * other, 6 * other + 6));
      sides[side] = [0, 1, 2, 3, 4, 5].filter((k) => theirs.has(board.vertex[6 * cell + k]));
    }
  }
  return sides;
}

function extentOf(board) {
  const e = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i < board.corners.length; i += 2) {
    e.left = Math.min(e.left, board.corners[i]); e.right = Math.max(e.right, board.corners[i]);
    e.top = Math.min(e.top, board.corners[i + 1]); e.bottom = Math.max(e.bottom, board.corners[i + 1]);
  }
  const xs = [0, 2, 4, 6, 8, 10].map((k) => board.corners[k]);
  return { ...e, hex: Math.max(...xs) - Math.min(...xs) };
}
