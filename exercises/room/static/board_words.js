/* Boards of the console and of the public screen, and what stands at one of their hexes, in words. */
import { BoardMap } from './board_map.js';
import { say } from './said.js';

const averse = globalThis.averse;

export function boardOn(table, { label, ...options }) {
  return new BoardMap(table, { ...options, label: options.still ? label : `${label}. ${say('board_keys')}` });
}

/* Each kind of hex of a story's row, drawn as on the board, with how many there are. */
export function countsOf(board, kinds, row) {
  const signs = board.legend('h3'), { el } = averse;
  return kinds.map(([look, word], k) => el('span', { class: 'key' }, [
    signs.classHex(look), el('span', { text: say(word) }), el('strong', { text: ` ${row.filter((kind) => kind === k + 1).length}` }),
  ]));
}

/* `truth` and `belief` are boards, each of which may be left out. */
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

/* How many hexes of play are under water, turn by turn. */
export function wetByTurn(table, board) {
  return board.trueMm.map((row) => row.reduce((n, mm, cell) => n + (table.cells.active[cell] && waterClass(table, mm) > 0 ? 1 : 0), 0));
}

function depth(table, mm) {
  if (mm < 0) return '–';
  return `${Math.round(mm / 10)} cm, ${table.data.tables.waters[waterClass(table, mm)]}`;
}

function aged(texts, age) {
  if (age === 255) return texts.unknown;
  return age === 0 ? texts.seen_now : age === 1 ? texts.seen_last : averse.filled(texts.seen_ago, { n: age });
}
