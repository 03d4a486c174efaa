/* A plain map of the district to choose a hex from: who lives where, and the names of the quarters. */
import { number, say } from './said.js';

const el = averse.el, NS = 'http://www.w3.org/2000/svg', SIDE = 10, WIDE = Math.sqrt(3) * SIDE, MOST_NAMES = 10, SHADES = 5;
const LETTER = 9.4, LINE = 19; // of a name on the map, as wide and as high
const CORNERS = [0, 1, 2, 3, 4, 5].map((k) => [SIDE * Math.cos(k * Math.PI / 3), SIDE * Math.sin(k * Math.PI / 3)]);
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/* Columns of flat-top hexes, every second one half a hex lower. */
function centre(label) {
  const digits = label.length / 2, column = Number(label.slice(0, digits)) - 1, row = Number(label.slice(digits)) - 1;
  return [1.5 * SIDE * column, WIDE * (row + (column % 2) / 2)];
}

function shape(tag, attributes) {
  const node = document.createElementNS(NS, tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  return node;
}

/* Show the map; `chosen` is called with a label. */
export function chooseHex(district, now, chosen) {
  const hexes = district.hexes.map((one) => ({ ...one, at: centre(one.label) }));
  const most = Math.max(1, ...hexes.map((one) => one.people));
  const xs = hexes.map((one) => one.at[0]), ys = hexes.map((one) => one.at[1]);
  const left = Math.min(...xs) - 2 * SIDE, top = Math.min(...ys) - 2 * SIDE;
  const svg = shape('svg', {
    viewBox: `${left} ${top} ${Math.max(...xs) - left + 2 * SIDE} ${Math.max(...ys) - top + 2 * SIDE}`,
    tabindex: '0', role: 'application', 'aria-label': say('map_keys'), 'aria-describedby': 'map-read'
  });
  const read = el('output', { id: 'map-read', class: 'read' });
  const cells = hexes.map((one) => {
    const cell = shape('polygon', {
      points: CORNERS.map(([x, y]) => `${one.at[0] + x},${one.at[1] + y}`).join(' '),
      class: `hex p${Math.ceil(SHADES * one.people / most)}`
    });
    cell.addEventListener('pointerenter', () => look(one));
    cell.addEventListener('click', () => done(one));
    svg.append(cell);
    return cell;
  });
  named(district.quarters, hexes, left, left + svg.viewBox.baseVal.width).forEach(({ name, x, y }) => {
    const text = shape('text', { x, y, 'text-anchor': 'middle' });
    text.textContent = name;
    svg.append(text);
  });

  let cursor = hexes.find((one) => one.label === now) || hexes[0];

  function look(one) {
    cells.forEach((cell, at) => cell.classList.toggle('here', hexes[at] === one));
    cursor = one;
    read.textContent = say('map_hex', { hex: one.label, quarter: district.quarters[one.quarter] || '–', n: one.people });
  }

  /* The nearest hex on that side. */
  function step([dx, dy]) {
    let best = null, least = Infinity;
    hexes.forEach((one) => {
      const x = one.at[0] - cursor.at[0], y = one.at[1] - cursor.at[1];
      const along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along > 1 && along + across < least) { best = one; least = along + across; }
    });
    if (best) look(best);
  }

  function done(one) {
    dialog.close(); // gives the focus back, which goes on to the field then
    chosen(one.label);
  }

  svg.addEventListener('keydown', (event) => {
    if (STEPS[event.key]) { event.preventDefault(); step(STEPS[event.key]); }
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); done(cursor); }
  });
  const dialog = el('dialog', { class: 'map-dialog', 'aria-label': say('map_title') }, [
    el('h2', { text: say('map_title') }), el('p', { class: 'hint map-key' }, [
      el('span', { text: say('map_how') }), el('span', { text: number(0) }),
      ...Array.from({ length: SHADES + 1 }, (_, shade) => el('i', { class: `shade p${shade}` })), el('span', { text: number(most) })
    ]), svg, read,
    el('form', { method: 'dialog' }, [el('p', { class: 'choices' }, [el('button', { type: 'submit', text: say('cancel') })])])
  ]);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  svg.focus();
  look(cursor);
}

/* Where the names of quarters stand: of many, whole, those of most people for which there is room;
   the others are read at their hexes. */
function named(quarters, hexes, left, right) {
  const all = quarters.map((name, quarter) => {
    const mine = hexes.filter((one) => one.quarter === quarter), mean = (k) => mine.reduce((sum, one) => sum + one.at[k], 0) / mine.length;
    const wide = name.length * LETTER, x = Math.max(left + wide / 2, Math.min(right - wide / 2, mean(0)));
    return { name, x, y: mean(1), wide, size: mine.length, people: mine.reduce((sum, one) => sum + one.people, 0) };
  }).filter((one) => one.size).sort((a, z) => z.people - a.people);
  if (all.length <= MOST_NAMES) return all;
  const put = [];
  for (const one of all) {
    if (put.every((other) => Math.abs(one.x - other.x) > (one.wide + other.wide) / 2 || Math.abs(one.y - other.y) > LINE)) put.push(one);
  }
  return put;
}

/* What a hex is, for a list to choose from. */
export function hexWords(district, one) {
  return `${district.quarters[one.quarter] || '–'}, ${number(one.people)}`;
}
