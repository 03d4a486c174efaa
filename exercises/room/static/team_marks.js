/* What this page draws over the board: the cursor, the brush, what may be ordered, what is being
   ordered, orders in transmission, and hexes painted before turn 1. A shape stands beside each colour. */

import { stamp } from './team_icons.js';

export const CONFIDENCE = ['', 'possible', 'likely', 'sure'];
const { goal } = globalThis.averse.signs;
const VIOLET = { day: '#7b16a8', night: '#d59bff' }, ASKED = { day: '#c2410c', night: '#ffb066' };

/* Returns what paints the marks of a page; `app` holds them. */
export function marksOf(app) {
  return (ctx, map) => {
    const v = map.painter.view, night = app.night, palette = map.painter.palette();
    const violet = night ? VIOLET.night : VIOLET.day, asked = night ? ASKED.night : ASKED.day, halo = palette.halo;
    const wide = Math.max(1.4, Math.min(3, v.hexW / 11));

    function hex(cell, inset = 1) {
      const k = 6 * cell, cx = v.cx[cell], cy = v.cy[cell];
      for (let i = 0; i < 6; i++) {
        const x = cx + (v.x[k + i] - cx) * inset, y = cy + (v.y[k + i] - cy) * inset;
        if (i) ctx.lineTo(x, y); else ctx.moveTo(x, y);
      }
      ctx.closePath();
    }
    function rim(cells, inset = 0.93) {
      const all = cells instanceof Set ? cells : new Set(cells), b = map.board;
      ctx.beginPath();
      for (const cell of all) {
        for (let side = 0; side < 6; side++) {
          const other = b.neighbours[6 * cell + side];
          if (other >= 0 && all.has(other)) continue;
          const [a, z] = map.sides[side].map((k) => 6 * cell + k), cx = v.cx[cell], cy = v.cy[cell];
          ctx.moveTo(cx + (v.x[a] - cx) * inset, cy + (v.y[a] - cy) * inset);
          ctx.lineTo(cx + (v.x[z] - cx) * inset, cy + (v.y[z] - cy) * inset);
        }
      }
    }
    function line(colour, width, dash = []) {
      ctx.lineCap = ctx.lineJoin = 'round';
      ctx.setLineDash([]);
      ctx.lineWidth = width + 2; ctx.strokeStyle = halo; ctx.stroke();
      ctx.setLineDash(dash);
      ctx.lineWidth = width; ctx.strokeStyle = colour; ctx.stroke();
      ctx.setLineDash([]);
    }
    function way(cells) {
      ctx.beginPath();
      cells.forEach((cell, k) => { if (k) ctx.lineTo(v.cx[cell], v.cy[cell]); else ctx.moveTo(v.cx[cell], v.cy[cell]); });
    }
    function badge(x, y, text, colour, round = true) {
      const r = Math.max(8, Math.min(12, v.hexW * 0.26));
      ctx.beginPath();
      if (round) ctx.arc(x, y, r, 0, 2 * Math.PI); else ctx.rect(x - r, y - r, 2 * r, 2 * r);
      ctx.fillStyle = colour; ctx.fill();
      ctx.lineWidth = 1.5; ctx.strokeStyle = halo; ctx.stroke();
      ctx.fillStyle = halo; ctx.font = `700 ${r * 1.25}px system-ui, sans-serif`;
      ctx.textAlign = 'center'; ctx.textBaseline = 'middle';
      ctx.fillText(text, x, y + 0.5);
    }

    // ---------------------------------------------------------------- painted before turn 1
    function painted() {
      const { cells } = app.painted;
      if (!cells.size || !app.layers.forecast.on) return;
      ctx.globalAlpha = app.layers.forecast.opacity;
      ctx.fillStyle = violet;
      for (const [cell, sure] of cells) {
        ctx.beginPath(); hex(cell);
        ctx.globalAlpha = app.layers.forecast.opacity * (0.14 + 0.08 * CONFIDENCE.indexOf(sure));
        ctx.fill();
        ctx.globalAlpha = app.layers.forecast.opacity;
        if (v.hexW > 13) sureness(cell, sure);
      }
      rim(new Set(cells.keys()), 0.955);
      line(violet, wide, [0.01, wide * 2]);
      ctx.globalAlpha = 1;
    }
    /* A full disk, half a disk, a ring; nothing where no confidence was given. */
    function sureness(cell, sure) {
      const x = v.cx[cell], y = v.cy[cell] + v.hexW * 0.2, r = Math.max(2, Math.min(6, v.hexW * 0.12));
      if (!sure) return;
      ctx.beginPath(); ctx.arc(x, y, r, 0, 2 * Math.PI);
      ctx.fillStyle = halo; ctx.fill();
      ctx.lineWidth = 1.6; ctx.strokeStyle = violet; ctx.stroke();
      ctx.beginPath();
      if (sure === 'sure') ctx.arc(x, y, r, 0, 2 * Math.PI);
      if (sure === 'likely') ctx.arc(x, y, r, Math.PI / 2, 1.5 * Math.PI);
      ctx.fillStyle = violet; ctx.fill();
    }

    // ---------------------------------------------------------------- in transmission
    function transmitting() {
      const cells = app.now.frame.transmitting;
      if (!cells.length || !app.layers.states.on) return;
      rim(cells, 0.9);
      line(violet, wide);
      if (v.hexW < 17) return;
      const size = Math.max(8, Math.min(18, v.hexW * 0.34));
      for (const cell of cells) stamp(ctx, 'transmitting', v.cx[cell] + v.hexW * 0.27, v.cy[cell] + v.hexW * 0.1, size, violet, halo);
    }

    // ---------------------------------------------------------------- what may be ordered
    function legal() {
      const { draft } = app;
      if (!draft) return;
      const { cells, links } = draft.legal();
      if (cells) {
        ctx.beginPath();
        for (let i = 0; i < map.board.n; i++) if (!cells.has(i)) hex(i, 1.01);
        ctx.fillStyle = night ? 'rgba(10,14,18,0.6)' : 'rgba(245,241,232,0.62)'; ctx.fill();
        rim(cells, 1);
        ctx.lineWidth = 1.5; ctx.strokeStyle = asked; ctx.setLineDash([4, 3]); ctx.stroke(); ctx.setLineDash([]);
      }
      if (links && v.hexW > 15) {
        const r = Math.max(1.6, Math.min(5, v.hexW * 0.09));
        ctx.beginPath();
        for (const edge of links) {
          const [x, y] = map.middle(edge);
          ctx.moveTo(x - r, y); ctx.lineTo(x, y - r); ctx.lineTo(x + r, y); ctx.lineTo(x, y + r); ctx.closePath();
        }
        ctx.lineWidth = 1.4; ctx.strokeStyle = halo; ctx.stroke();
        ctx.fillStyle = asked; ctx.fill();
      }
    }

    // ---------------------------------------------------------------- what is being ordered
    function drafted() {
      const { draft } = app;
      if (!draft) return;
      const at = app.unitAt(draft.unit);
      if (at !== undefined) { ctx.beginPath(); hex(at, 0.98); line(asked, 2.4); }
      const seen = draft.seen, under = app.now.frame.ways[draft.unit];
      if (under && !(seen && seen.way)) { way(under.cells); line(palette.unitInk, 2, [7, 5]); }
      if (seen && seen.way) {
        way(seen.way.cells.map(app.cellOf));
        line(asked, 3);
        seen.way.stops.map(app.cellOf).forEach((cell, k) => badge(v.cx[cell], v.cy[cell], String(k + 1), asked));
      }
      if (draft.kind === 'alert' && draft.cell >= 0) {
        rim(map.disk(draft.cell, draft.radius), 0.97);
        line(asked, wide, [wide * 3, wide * 2]);
      }
      if (draft.cell >= 0) {
        ctx.beginPath(); hex(draft.cell, 0.82); line(asked, 2.6);
        if (draft.kind === 'alert') { ctx.beginPath(); ctx.arc(v.cx[draft.cell], v.cy[draft.cell], 3.5, 0, 2 * Math.PI); ctx.fillStyle = asked; ctx.fill(); }
      }
      if (draft.from >= 0) { ctx.beginPath(); hex(draft.from, 0.86); line(asked, 2, [3, 3]); }
      if (draft.quarter >= 0) quarter(draft.quarter);
      for (const edge of draft.links) {
        way([map.board.edge.low[edge], map.board.edge.high[edge]]);
        line(asked, 4);
      }
      if (draft.links.length === 1) { const [x, y] = map.middle(draft.links[0]); badge(x, y, '!', asked); }
    }
    /* Objectives that no way leads to now, beside those of units that stand before a closed one (§16). */
    function unreachable() {
      if (!app.layers.units.on) return;
      for (const unit of app.units()) {
        if (unit.blocked || unit.to < 0 || !app.now.frame.out_of_reach.includes(unit.name)) continue;
        goal(ctx, palette, v.cx[unit.cell], v.cy[unit.cell], v.cx[unit.to], v.cy[unit.to], Math.max(3, v.hexW * 0.13), true);
      }
    }
    function quarter(number) {
      const cells = new Set();
      for (let i = 0; i < map.board.n; i++) if (map.board.quarter[i] === number) cells.add(i);
      rim(cells, 0.97);
      line(asked, 2.6, [8, 4]);
    }

    // ---------------------------------------------------------------- orders of the turn
    function given() {
      for (const one of app.now.view.pending) {
        const order = one.order, from = app.unitAt(order.unit);
        const link = order.links ? order.links[0] : order.link;
        const to = order.to ?? order.cell ?? order.centre;
        if (to === undefined && link === undefined) continue;
        const [x, y] = link === undefined ? [v.cx[to], v.cy[to]] : map.middle(link);
        if (from !== undefined) {
          ctx.beginPath(); ctx.moveTo(v.cx[from], v.cy[from]); ctx.lineTo(x, y);
          line(palette.unitInk, 1.8, [6, 5]);
        }
        badge(x + v.hexW * 0.3, y - v.hexW * 0.26, String(one.number), palette.ink, false);
      }
    }

    // ---------------------------------------------------------------- events of the ground
    function troubles() {
      const { outages, known_obstacles: stands } = app.now.view, size = Math.max(9, Math.min(20, v.hexW * 0.4));
      const sign = (name, x, y) => stamp(ctx, name, x, y, size, palette.ink, halo);
      for (const [cell, last] of outages) if (app.now.turn <= last) sign('outage', v.cx[cell], v.cy[cell]);
      for (const [cell, last] of stands.jams) if (app.now.turn <= last) sign('jam', v.cx[cell], v.cy[cell]);
      for (const [edge, last] of stands.accidents) if (app.now.turn <= last) sign('accident', ...map.middle(edge));
      for (const edge of stands.roadworks) sign('roadworks', ...map.middle(edge));
      const cut = map.board.cutKnown[0];
      if (v.hexW > 22) for (const edge of stands.obstructed) if (!cut[edge]) sign('obstructed', ...map.middle(edge));
    }

    function cursor() {
      const focused = document.activeElement === map.node, brush = app.brush();
      const aim = map.hover >= 0 ? map.hover : map.cursor;
      if (brush !== null && aim >= 0) {
        rim(map.disk(aim, brush), 1);
        line(app.erasing() ? palette.ink : violet, 1.8, app.erasing() ? [2, 4] : []);
      } else if (map.hover >= 0) {
        ctx.beginPath(); hex(map.hover, 1); ctx.lineWidth = 1.6; ctx.strokeStyle = palette.ink; ctx.stroke();
      }
      if (map.cursor < 0) return;
      ctx.beginPath(); hex(map.cursor, 1);
      ctx.lineWidth = focused ? 6 : 5; ctx.strokeStyle = halo; ctx.stroke();
      ctx.lineWidth = focused ? 3.4 : 2.2; ctx.strokeStyle = focused ? asked : palette.ink; ctx.stroke();
    }

    legal();
    if (app.now.phase === 'forecast') painted();
    transmitting();
    troubles();
    unreachable();
    given();
    drafted();
    if (app.picked >= 0) quarter(app.picked);
    cursor();
  };
}
