/* Boards of hexes on canvases: moved together, read hex by hex, by mouse, touch and keyboard.
   board_draw.js draws them; nothing here decides a rule. */
import { say } from './said.js';

const MOST_ZOOM = 12, MARGIN_PX = 6;
const KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/* Ground, layers, place on the screen and hex that some boards share. */
export class Table {
  constructor(data, layers) {
    this.data = data;
    this.cells = averse.decode(data);
    const p = data.plane, b = data.bounds;
    this.left = (b[0] - p.west) / p.unit; this.right = (b[2] - p.west) / p.unit;
    this.top = (p.north - b[3]) / p.unit; this.bottom = (p.north - b[1]) / p.unit;
    this.layers = layers || {
      fabric: { on: true, opacity: 0.45 }, density: { on: false, opacity: 0.9 }, water: { on: true, opacity: 0.92 },
      roads: { on: true, opacity: 0.9 }, relief: { on: false, opacity: 0.8 }, forecast: { on: true, opacity: 1 },
      quarters: { on: true, opacity: 0.6 }, classes: { on: true, opacity: 0.88 },
      states: { on: true, opacity: 1 }, units: { on: true, opacity: 1 }, numbers: { on: true, opacity: 1 }
    };
    this.views = new Set();
    this.selected = -1;
    this.night = false;
    this.reads = [];
    this.whole();
  }

  whole() { this.move((this.left + this.right) / 2, (this.top + this.bottom) / 2, 1); }

  move(x, y, zoom) {
    this.zoom = Math.max(1, Math.min(MOST_ZOOM, zoom));
    const free = this.zoom === 1 ? 0 : 0.5;
    const halfX = (this.right - this.left) * free, halfY = (this.bottom - this.top) * free;
    const midX = (this.left + this.right) / 2, midY = (this.top + this.bottom) / 2;
    this.x = Math.max(midX - halfX, Math.min(midX + halfX, x));
    this.y = Math.max(midY - halfY, Math.min(midY + halfY, y));
    this.views.forEach((view) => view.place());
  }

  dress(night) {
    this.night = night;
    this.views.forEach((view) => view.dress());
  }

  redraw() { this.views.forEach((view) => view.redraw()); }

  select(cell) {
    this.selected = cell;
    this.views.forEach((view) => view.repaint());
    this.reads.forEach((read) => read(cell));
  }
}

export class BoardView {
  /* `water` is 'true' or 'known'; `plain` draws neither states nor units; `label` names the board. */
  constructor(table, { water, label, plain = false, story = null, still = false }) {
    this.table = table;
    this.label = label;
    const layers = Object.create(table.layers);
    if (plain) ['states', 'units', 'forecast'].forEach((name) => { layers[name] = { on: false, opacity: 1 }; });
    this.state = { turn: 0, water, relief: 'altitude', choice: 0, layers, selected: -1 };
    this.data = story ? { ...table.data, story } : table.data;
    this.board = null;
    this.canvas = averse.el('canvas', { class: 'board', role: 'img', 'aria-label': label });
    if (!still) this.reach();
    this.watch = new ResizeObserver(() => this.place());
    this.watch.observe(this.canvas);
    table.views.add(this);
  }

  /* Show a moment, or the turns, of an exercise. `rows` are the classes of a story, by turn. */
  show(frame, turn = 0, rows = null) {
    const played = averse.played(this.table.cells, this.data, frame);
    if (rows) played.story = [{ rows, facts: [] }];
    if (this.board) Object.assign(this.board, played);
    else {
      this.board = played;
      this.painter = averse.painter(this.data, this.board, this.state);
      this.painter.dress(this.table.night);
    }
    this.state.turn = turn;
    if (this.placed) { this.painter.stale(['forecast']); this.repaint(); } else this.place();
  }

  setTurn(turn) { this.state.turn = turn; this.repaint(); }

  place() {
    if (!this.board) return;
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight, t = this.table, ratio = averse.ratio();
    if (w < 20 || h < 20) { this.placed = false; return; }
    const wide = Math.round(w * ratio), tall = Math.round(h * ratio);
    if (this.canvas.width !== wide) this.canvas.width = wide;
    if (this.canvas.height !== tall) this.canvas.height = tall;
    const s = t.zoom * Math.min((w - 2 * MARGIN_PX) / (t.right - t.left), (h - 2 * MARGIN_PX) / (t.bottom - t.top));
    this.scale = s;
    this.painter.look(s, w / 2 - t.x * s, h / 2 - t.y * s, w, h, ratio);
    this.placed = true;
    this.paint();
  }

  redraw() {
    if (!this.placed) return;
    this.painter.stale(['under', 'over', 'labels', 'forecast']);
    this.repaint();
  }

  dress() {
    if (!this.painter) return;
    this.painter.dress(this.table.night);
    this.redraw();
  }

  repaint() {
    if (this.waiting || !this.placed) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.paint(); });
  }

  paint() {
    this.state.selected = this.table.selected;
    this.painter.paint(this.canvas.getContext('2d'));
  }

  close() {
    this.watch.disconnect();
    this.table.views.delete(this);
  }

  // -------------------------------------------------------------- mouse, touch, keyboard
  reach() {
    const canvas = this.canvas, table = this.table, fingers = new Map();
    let moved = 0, spread = 0;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', `${this.label}. ${say('board_keys')}`);
    const at = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };

    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, at(event));
      moved = 0; spread = 0;
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = fingers.get(event.pointerId), here = at(event);
      if (!before) return;
      fingers.set(event.pointerId, here);
      moved += Math.hypot(here[0] - before[0], here[1] - before[1]);
      if (fingers.size === 2) {
        const [a, z] = [...fingers.values()], now = Math.hypot(a[0] - z[0], a[1] - z[1]);
        if (spread) this.zoomAt((a[0] + z[0]) / 2, (a[1] + z[1]) / 2, now / spread);
        spread = now;
      } else if (moved > 4 && table.zoom > 1) {
        table.move(table.x - (here[0] - before[0]) / this.scale, table.y - (here[1] - before[1]) / this.scale, table.zoom);
      }
    });
    const up = (event) => {
      if (!fingers.delete(event.pointerId) || event.type === 'pointercancel' || moved > 4) return;
      if (this.painter) table.select(this.painter.cellAt(...at(event)));
    };
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoomAt(...at(event), Math.exp(-event.deltaY / 400));
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (KEYS[event.key]) this.step(...KEYS[event.key]);
      else if (event.key === '+' || event.key === '=') this.zoomAt(canvas.clientWidth / 2, canvas.clientHeight / 2, 1.5);
      else if (event.key === '-') this.zoomAt(canvas.clientWidth / 2, canvas.clientHeight / 2, 1 / 1.5);
      else if (event.key === '0') table.whole();
      else return;
      event.preventDefault();
    });
  }

  zoomAt(x, y, by) {
    const t = this.table, next = Math.max(1, Math.min(MOST_ZOOM, t.zoom * by)), s = this.scale;
    const gx = t.x + (x - this.canvas.clientWidth / 2) / s, gy = t.y + (y - this.canvas.clientHeight / 2) / s;
    const grown = next / t.zoom;
    t.move(gx - (gx - t.x) / grown, gy - (gy - t.y) / grown, next);
  }

  /* To the neighbour that lies most in a direction. */
  step(dx, dy) {
    if (!this.placed) return;
    const view = this.painter.view, table = this.table, from = table.selected;
    if (from < 0) { table.select(this.painter.cellAt(view.w / 2, view.h / 2)); return; }
    let best = -1, most = 0.1;
    for (let side = 0; side < 6; side++) {
      const to = table.cells.neighbours[6 * from + side];
      if (to < 0) continue;
      const x = view.cx[to] - view.cx[from], y = view.cy[to] - view.cy[from];
      const along = (x * dx + y * dy) / Math.hypot(x, y);
      if (along > most) { most = along; best = to; }
    }
    if (best < 0) return;
    table.select(best);
    const x = view.cx[best], y = view.cy[best];
    if (x < 0 || y < 0 || x > view.w || y > view.h) {
      table.move(table.x + (x - view.w / 2) / this.scale, table.y + (y - view.h / 2) / this.scale, table.zoom);
    }
  }
}

/* What stands at a hex, in words: `truth` and `belief` are boards, each of which may be left out. */
export function hexWords(table, cell, { truth = null, belief = null, turn = 0 } = {}) {
  const texts = table.data.texts, c = table.cells, parts = [];
  if (cell < 0) return say('board_hint');
  parts.push(`${texts.hex_card} ${c.labels[cell]}`);
  if (c.quarter[cell] >= 0 && c.active[cell]) parts.push(table.data.quarters[c.quarter[cell]]);
  parts.push(c.openWater[cell] ? texts.open_water : c.active[cell] ? table.data.tables.fabrics[c.fabric[cell]] : texts.inactive);
  if (c.toShelter[cell]) parts.push(`${texts.to_shelter} ${c.toShelter[cell]}`);
  if (truth) parts.push(`${texts.depth_true} ${depth(table, truth.trueMm[turn][cell])}`);
  if (belief) parts.push(`${texts.depth_known} ${depth(table, belief.knownMm[turn][cell])} (${aged(texts, belief.age[turn][cell])})`);
  (belief || truth ? (belief || truth).units[turn] : []).filter((unit) => unit[1] === cell).forEach((unit) => parts.push(`${texts.units} ${unit[0]}`));
  return parts.join(' · ');
}

export function waterClass(table, mm) {
  const from = table.data.waterFromMm;
  for (let cls = from.length - 1; cls > 0; cls--) if (mm >= from[cls]) return cls;
  return 0;
}

function depth(table, mm) {
  if (mm < 0) return '–';
  return `${Math.round(mm / 10)} cm, ${table.data.tables.waters[waterClass(table, mm)]}`;
}

function aged(texts, age) {
  if (age === 255) return texts.unknown;
  return age === 0 ? texts.seen_now : age === 1 ? texts.seen_last : averse.filled(texts.seen_ago, { n: age });
}
