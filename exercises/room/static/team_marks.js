/* What a team's page draws over the board, beside what stands on it: the brush, what may be ordered,
   what is being ordered, the orders of the turn. */
import { cursorMark, paintedMarks, standingMarks, strokes, toldOf } from './board_marks.js';

const LINKS_FROM_PX = 15, MANY_LINKS = 120;

/* Returns what paints the marks of a page; `app` holds them. */
export function marksOf(app) {
  return {
    painted: (ctx, map) => { if (app.now.phase === 'forecast') paintedMarks(ctx, map, app.painted.settled); },
    standing: (ctx, map) => painter(app, ctx, map).standing(),
    aim: (ctx, map) => painter(app, ctx, map).aim(),
    stroked: (cells, tool) => (ctx, map) => painter(app, ctx, map).stroked(cells, tool),
  };
}

function painter(app, ctx, map) {
  const pen = strokes(ctx, map), { v, palette, asked, violet, halo, wide, dim, hex, rim, line, way, badge } = pen;

  // ---------------------------------------------------------------- what may be ordered
  function legal() {
    const { draft } = app;
    if (!draft) return;
    const { cells, links } = draft.legal();
    if (cells) {
      ctx.beginPath();
      for (let i = 0; i < map.board.n; i++) if (!cells.has(i)) hex(i, 1.01);
      ctx.fillStyle = dim; ctx.fill();
      rim(cells, 1);
      ctx.lineWidth = 1.5; ctx.strokeStyle = asked; ctx.setLineDash([4, 3]); ctx.stroke(); ctx.setLineDash([]);
    }
    if (!links || v.hexW <= LINKS_FROM_PX) return;
    // of a whole town of links, those that are known to stand in water come first
    const many = links.size > MANY_LINKS, wet = many ? new Set([...links].filter((edge) => app.isWet(edge))) : links;
    if (many) {
      const r = Math.max(0.8, Math.min(3, v.hexW * 0.035));
      ctx.beginPath();
      for (const edge of links) if (!wet.has(edge)) { const [x, y] = map.middle(edge); ctx.rect(x - r, y - r, 2 * r, 2 * r); }
      ctx.fillStyle = palette.ink; ctx.globalAlpha = 0.4; ctx.fill(); ctx.globalAlpha = 1;
    }
    const r = Math.max(1.6, Math.min(5, v.hexW * 0.09));
    ctx.beginPath();
    for (const edge of wet) {
      const [x, y] = map.middle(edge);
      ctx.moveTo(x - r, y); ctx.lineTo(x, y - r); ctx.lineTo(x + r, y); ctx.lineTo(x, y + r); ctx.lineTo(x - r, y);
    }
    ctx.lineWidth = 1.4; ctx.strokeStyle = halo; ctx.stroke();
    ctx.fillStyle = asked; ctx.fill();
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
      rim(map.table.disk(draft.cell, draft.radius), 0.97);
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

  /* Under the brush, or under the pointer. */
  function brushed() {
    const brush = app.brush(), at = map.hover >= 0 ? map.hover : map.cursor;
    if (brush !== null && at >= 0) {
      rim(map.table.disk(at, brush), 1);
      line(app.erasing() ? palette.ink : violet, 1.8, app.erasing() ? [2, 4] : []);
    } else if (map.hover >= 0) {
      ctx.beginPath(); hex(map.hover, 1); ctx.lineCap = 'round'; ctx.lineWidth = 1.6; ctx.strokeStyle = palette.ink; ctx.stroke();
    }
  }

  /* Hexes of a stroke that goes on: plain, each drawn once, until the stroke has ended. */
  function stroked(cells, tool) {
    ctx.beginPath();
    for (const cell of cells) hex(cell);
    ctx.fillStyle = tool === 'erase' ? dim : violet;
    ctx.globalAlpha = tool === 'erase' ? 1 : 0.36;
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  return {
    standing() {
      legal();
      standingMarks(ctx, map, toldOf(app.now, app.now.frame));
      given();
      drafted();
      if (app.picked >= 0) quarter(app.picked);
      if (app.painted.stroke) stroked(app.painted.stroke.cells, app.painted.stroke.tool);
    },
    stroked,
    aim() {
      brushed();
      cursorMark(ctx, map);
    },
  };
}
