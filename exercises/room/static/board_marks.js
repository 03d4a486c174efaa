/* Marks over a board: hexes painted before turn 1, orders in transmission, what stands on the ground,
   objectives out of reach, the cursor. A shape stands beside each colour. */
import { stamp } from './icons.js';

const averse = globalThis.averse;
export const CONFIDENCE = ['', 'possible', 'likely', 'sure'];
export const INK = {
  day: { violet: '#7b16a8', asked: '#c2410c', dim: 'rgba(245,241,232,0.62)' },
  night: { violet: '#d59bff', asked: '#ffb066', dim: 'rgba(10,14,18,0.6)' },
};
const STAMP_FROM_PX = 17, SURE_FROM_PX = 13, OBSTRUCTED_FROM_PX = 22;

/* What stands on a board beside its frame, of a view and the frame that was made from it. */
export function toldOf({ view, phase, turn }, frame) {
  const painted = new Map();
  if (phase === 'forecast') {
    for (const { order } of view.pending) {
      if (order.kind === 'Forecast') for (const cell of order.cells) painted.set(cell, order.confidence || '');
    }
  }
  return { turn, painted, transmitting: frame.transmitting, outOfReach: frame.out_of_reach, units: unitsOf(view), outages: view.outages, obstacles: view.known_obstacles };
}

/* Own units with what they do; those of other services stand on the map alone. */
export function unitsOf({ units, pawns }) {
  const own = new Set(units.map((one) => one.name));
  return [...units, ...(pawns || []).filter((one) => !own.has(one.name))];
}

/* Strokes on a board; every line has a halo, so that it reads on any ground. */
export function strokes(ctx, map) {
  const v = map.painter.view, palette = map.painter.palette(), ink = INK[map.table.night ? 'night' : 'day'], { halo } = palette;
  const pen = { v, palette, ...ink, halo, wide: Math.max(1.4, Math.min(3, v.hexW / 11)) };

  pen.hex = (cell, inset = 1) => {
    const k = 6 * cell, cx = v.cx[cell], cy = v.cy[cell];
    // back to the first corner: closePath looks at the whole path again, which a thousand hexes feel
    for (let i = 0; i <= 6; i++) {
      const x = cx + (v.x[k + i % 6] - cx) * inset, y = cy + (v.y[k + i % 6] - cy) * inset;
      if (i) ctx.lineTo(x, y); else ctx.moveTo(x, y);
    }
  };
  /* Outlines around a set of hexes, drawn in towards their centres. */
  pen.rim = (cells, inset = 0.93) => {
    const all = cells.has ? cells : new Set(cells);
    map.painter.region(ctx, (cell) => all.has(cell), inset);
  };
  pen.line = (colour, width, dash = []) => {
    ctx.lineCap = ctx.lineJoin = 'round';
    ctx.setLineDash([]);
    ctx.lineWidth = width + 2; ctx.strokeStyle = halo; ctx.stroke();
    ctx.setLineDash(dash);
    ctx.lineWidth = width; ctx.strokeStyle = colour; ctx.stroke();
    ctx.setLineDash([]);
  };
  pen.way = (cells) => {
    ctx.beginPath();
    cells.forEach((cell, k) => { if (k) ctx.lineTo(v.cx[cell], v.cy[cell]); else ctx.moveTo(v.cx[cell], v.cy[cell]); });
  };
  pen.badge = (x, y, text, colour, round = true) => {
    const r = Math.max(8, Math.min(12, v.hexW * 0.26));
    ctx.beginPath();
    if (round) ctx.arc(x, y, r, 0, 2 * Math.PI); else ctx.rect(x - r, y - r, 2 * r, 2 * r);
    ctx.fillStyle = colour; ctx.fill();
    ctx.lineWidth = 1.5; ctx.strokeStyle = halo; ctx.stroke();
    ctx.fillStyle = halo; ctx.font = `700 ${r * 1.25}px system-ui, sans-serif`;
    ctx.textAlign = 'center'; ctx.textBaseline = 'middle';
    ctx.fillText(text, x, y + 0.5);
  };
  return pen;
}

/* What `toldOf` tells, as the layers of the board allow. */
export function standingMarks(ctx, map, told) {
  const pen = strokes(ctx, map), { layers } = map.state;
  if (told.transmitting.length && layers.states.on) transmitting(ctx, pen, told.transmitting);
  if (told.obstacles) troubles(ctx, map, pen, told);
  if (layers.units.on) unreachable(ctx, pen, told);
}

/* The forecast before turn 1: hexes with how sure each is. The layer's opacity is the board's matter. */
export function paintedMarks(ctx, map, cells) {
  if (!cells.size) return;
  const pen = strokes(ctx, map), { v, violet, wide } = pen;
  for (const [rank, sure] of CONFIDENCE.entries()) {
    const some = new Set();
    for (const [cell, how] of cells) if (how === sure) some.add(cell);
    if (!some.size) continue;
    pen.rim(some, 1);
    ctx.fillStyle = violet;
    ctx.globalAlpha = 0.14 + 0.08 * rank;
    ctx.fill();
    ctx.globalAlpha = 1;
    if (sure && v.hexW > SURE_FROM_PX) sureness(ctx, pen, some, sure);
  }
  pen.rim(cells, 0.955);
  pen.line(violet, wide, [0.01, wide * 2]);
}

/* A full disk, half a disk, a ring, from a small picture: a thousand of them as paths take 20 ms. */
function sureness(ctx, { v, violet, halo }, cells, sure) {
  const r = Math.max(2, Math.min(6, v.hexW * 0.12)), half = r + 1;
  const picture = averse.tools.tile(2 * half, v.ratio, (c) => {
    c.translate(half, half);
    const disk = (from, to) => { c.beginPath(); c.arc(0, 0, r, from, to); c.closePath(); };
    disk(0, 2 * Math.PI);
    c.fillStyle = halo; c.fill();
    c.lineWidth = 1.6; c.strokeStyle = violet; c.stroke();
    if (sure === 'possible') return;
    if (sure === 'likely') disk(Math.PI / 2, 1.5 * Math.PI);
    c.fillStyle = violet; c.fill();
  });
  const wide = picture.width / v.ratio, snap = (px) => Math.round(px * v.ratio) / v.ratio;
  for (const cell of cells) ctx.drawImage(picture, snap(v.cx[cell] - wide / 2), snap(v.cy[cell] + v.hexW * 0.2 - wide / 2), wide, wide);
}

function transmitting(ctx, pen, cells) {
  const { v, violet, halo, wide } = pen;
  pen.rim(cells, 0.9);
  pen.line(violet, wide);
  if (v.hexW < STAMP_FROM_PX) return;
  const size = Math.max(8, Math.min(18, v.hexW * 0.34));
  for (const cell of cells) stamp(ctx, 'transmitting', v.cx[cell] + v.hexW * 0.27, v.cy[cell] + v.hexW * 0.1, size, violet, halo);
}

/* What cards and water have left on hexes and links, as far as is known. */
function troubles(ctx, map, { v, palette, halo }, { outages, obstacles, turn }) {
  const size = Math.max(9, Math.min(20, v.hexW * 0.4)), sign = (name, x, y) => stamp(ctx, name, x, y, size, palette.ink, halo);
  for (const [cell, last] of outages) if (turn <= last) sign('outage', v.cx[cell], v.cy[cell]);
  for (const [cell, last] of obstacles.jams) if (turn <= last) sign('jam', v.cx[cell], v.cy[cell]);
  for (const [edge, last] of obstacles.accidents) if (turn <= last) sign('accident', ...map.middle(edge));
  for (const edge of obstacles.roadworks) sign('roadworks', ...map.middle(edge));
  const cut = map.board.cutKnown[map.state.turn];
  if (v.hexW > OBSTRUCTED_FROM_PX) for (const edge of obstacles.obstructed) if (!cut[edge]) sign('obstructed', ...map.middle(edge));
}

/* Objectives that no way leads to now, beside those of units that stand before a closed one (§16). */
function unreachable(ctx, { v, palette }, { units, outOfReach }) {
  for (const unit of units) {
    if (unit.blocked || unit.to < 0 || !outOfReach.includes(unit.name)) continue;
    averse.signs.goal(ctx, palette, v.cx[unit.cell], v.cy[unit.cell], v.cx[unit.to], v.cy[unit.to], Math.max(3, v.hexW * 0.13), true);
  }
}

/* The hex at the cursor; it stands out where the keyboard is at the board. */
export function cursorMark(ctx, map) {
  if (map.cursor < 0) return;
  const { palette, asked, halo, hex } = strokes(ctx, map), focused = document.activeElement === map.node;
  ctx.lineJoin = ctx.lineCap = 'round';
  ctx.beginPath(); hex(map.cursor, 1);
  ctx.lineWidth = focused ? 6 : 5; ctx.strokeStyle = halo; ctx.stroke();
  ctx.lineWidth = focused ? 3.4 : 2.2; ctx.strokeStyle = focused ? asked : palette.ink; ctx.stroke();
}
