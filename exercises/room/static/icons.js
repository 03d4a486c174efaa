/* Signs of the page as strokes in a square of 24, so that no font has to hold them. */

const STROKES = {
  orders: 'M4 12l5 6L20 5',
  situation: 'M12 3v2M4 13a8 8 0 0 1 16 0zM12 13v5a2.4 2.4 0 0 1-4.8 0',
  quarters: 'M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14',
  shelters: 'M3 12L12 4l9 8M6 10v10h12V10M10 20v-6h4v6',
  units: 'M2 7h11v9H2zM13 10h5l4 4v2h-9zM9 18.5a2 2 0 1 1-4 0a2 2 0 0 1 4 0M20 18.5a2 2 0 1 1-4 0a2 2 0 0 1 4 0',
  journal: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h5',
  layers: 'M12 4l9 5-9 5-9-5zM3 13l9 5 9-5',
  paint: 'M14 4l6 6-8 8H7l-1-5zM11 7l6 6M4 21h8',
  erase: 'M9 19l-5-5L14 4l7 7-8 8zM9 9l7 7M9 19h11',
  move: 'M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3',
  undo: 'M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12H9',
  brush: 'M12 2v4M12 18v4M2 12h4M18 12h4M19 12a7 7 0 1 1-14 0a7 7 0 0 1 14 0M13 12a1 1 0 1 1-2 0a1 1 0 0 1 2 0',
  whole: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  moon: 'M20 14.5A8.5 8.5 0 1 1 10 3.6a7 7 0 0 0 10 10.9z',
  sun: 'M16 12a4 4 0 1 1-8 0a4 4 0 0 1 8 0M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  capital: 'M12 3v17M6 20h12M5 6h14M5 6l-3 7h6zM19 6l-3 7h6z',
  timer: 'M6 3h12M6 21h12M7 3c0 5 5 6 5 9s-5 4-5 9M17 3c0 5-5 6-5 9s5 4 5 9',
  held: 'M8 5v14M16 5v14',
  edit: 'M4 20l1-5L16 4l4 4L9 19z',
  outage: 'M13 2L5 14h6l-1 8 9-13h-6z',
  jam: 'M2 6c3-3 6 3 10 0s7 3 10 0M2 12c3-3 6 3 10 0s7 3 10 0M2 18c3-3 6 3 10 0s7 3 10 0',
  accident: 'M12 3l10 18H2zM12 10v5M12 18v.4',
  roadworks: 'M4 20L14 10M9 4c5 0 10 5 11 11M12 5l7 7',
  obstructed: 'M3 19l5-7 4 5 4-9 5 11z',
  transmitting: 'M5 19a2 2 0 1 1-.1 0M5 13a6 6 0 0 1 6 6M5 8a11 11 0 0 1 11 11M5 3a16 16 0 0 1 16 16',
  lost: 'M3 3l18 18M5 12a10 10 0 0 1 4-2M15 10.500a10 10 0 0 1 4 2M8.500 15.500a5 5 0 0 1 7 0M12 19v.4M2 8.500a15 15 0 0 1 4-2.500M11 5a15 15 0 0 1 11 3.500',
};
const NAMESPACE = 'http://www.w3.org/2000/svg', paths = {};

/* An icon for the page; words stand beside it, so it is hidden from who hears the page. */
export function icon(name) {
  const svg = document.createElementNS(NAMESPACE, 'svg'), path = document.createElementNS(NAMESPACE, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', STROKES[name]);
  svg.append(path);
  return svg;
}

/* The same on a canvas, centred on (x, y). */
export function stamp(ctx, name, x, y, size, colour, halo) {
  paths[name] ??= new Path2D(STROKES[name]);
  ctx.save();
  ctx.translate(x - size / 2, y - size / 2);
  ctx.scale(size / 24, size / 24);
  ctx.lineCap = ctx.lineJoin = 'round';
  ctx.lineWidth = 6.5; ctx.strokeStyle = halo; ctx.stroke(paths[name]);
  ctx.lineWidth = 2.6; ctx.strokeStyle = colour; ctx.stroke(paths[name]);
  ctx.restore();
}
