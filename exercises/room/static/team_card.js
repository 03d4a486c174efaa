/* What there is to say of a hex: the card beside the map, and the same spoken. */
import { capital, el, show } from './team_dom.js';

const KNOWN_BY_REPORT = 1;

/* Rows [label, text] of all that the team knows of a hex. */
export function factsOf(app, cell) {
  const { say, board: b, ground, now } = app, data = ground.board, view = now.view, W = data.texts, rows = [];
  const row = (label, text) => rows.push([label, text]);
  const from = data.waterFromMm;
  if (b.quarter[cell] >= 0) row(say('quarter'), data.quarters[b.quarter[cell]]);
  row(W.fabric, b.openWater[cell] && !b.active[cell] ? W.open_water : data.tables.fabrics[b.fabric[cell]]);
  if (b.active[cell]) row(say('people'), say('people_of', { people: b.residents[cell], risk: b.toShelter[cell] }));
  const depth = b.knownMm[0][cell], water = view.water ? view.water[cell] : from.findLastIndex((mm) => depth >= mm);
  const exact = !view.water || view.seen.some(([seen]) => seen === cell);
  const age = now.turn - view.known_turn[cell], told = view.known_by[cell] === KNOWN_BY_REPORT;
  const what = exact && !told
    ? say('water_depth', { n: water, label: data.tables.waters[water], cm: Math.round(depth / 10) })
    : say('water_class', { n: water, label: data.tables.waters[water] });
  row(W.water_known, `${what}, ${told ? say('by_report') : say('by_sight')}, ${ageOf(say, age)}`);
  if (view.alerted.includes(cell) || view.evacuated.includes(cell)) {
    row(say('state'), view.evacuated.includes(cell) ? W.evacuated : W.alerted);
  } else if (now.frame.transmitting.includes(cell)) row(say('state'), say('transmitting'));
  const sure = app.forecastOf(cell);
  if (sure !== null) row(W.forecast, sure ? app.rules.confidences.find((one) => one.key === sure).label : say('painted_plain'));
  for (const place of app.map.painter.placesOf[cell] || []) {
    if (place.kind === 'shelter') row(say('shelter_n', { n: place.number + 1 }), `${place.name} · ${shelterOf(app, place.number)}`);
    else row(W[place.kind], place.name);
  }
  const units = app.units().filter((unit) => unit.cell === cell);
  if (units.length) row(say('units'), units.map((unit) => `${capital(app.unitName(unit.name))} (${app.doing(unit)})`).join('; '));
  row(W.elevation, say('metres', { n: say.number(b.elevation[cell] / 10) }));
  if (b.sink[cell] >= 100) row(W.low_point, say('metres', { n: say.number(Math.round(b.sink[cell] / 10) / 100) }));
  const trouble = troublesOf(app, cell);
  if (trouble.length) row(say('trouble'), trouble.join(', '));
  const cuts = cutsOf(app, cell);
  if (cuts.length) row(say('cuts'), cuts.join(', '));
  return rows;
}

export function ageOf(say, age) { return age > 0 ? say('ago', { n: age }) : say('this_turn'); }

/* Places taken and what shuts a shelter. */
export function shelterOf(app, number) {
  const { say, now, ground } = app, places = ground.board.places.shelter[number][2], taken = now.view.places_taken;
  const count = taken ? say('places_taken', { taken: taken[number], places }) : say('places', { places });
  return [count, ...shutOf(app, number)].join(' · ');
}
export function shutOf(app, number) {
  const { say, now, ground } = app, [cell, , places] = ground.board.places.shelter[number], view = now.view, why = [];
  if (view.closed[number]) why.push(say('closed'));
  if (view.crushed[number]) why.push(say('crushed'));
  if (view.places_taken && view.places_taken[number] >= places) why.push(say('full'));
  if (app.board.knownMm[0][cell] >= ground.board.waterFromMm[2]) why.push(say('wet'));
  return why;
}

function troublesOf(app, cell) {
  const { say, now } = app, { outages, known_obstacles: stands } = now.view, out = [];
  for (const [at, last] of outages) if (now.turn <= last && app.table.disk(at, 1).has(cell)) out.push(say('outage', { turn: last }));
  for (const [at, last] of stands.jams) if (now.turn <= last && app.table.disk(at, 1).has(cell)) out.push(say('jam', { turn: last }));
  const touches = (edge) => app.board.edge.low[edge] === cell || app.board.edge.high[edge] === cell;
  for (const [edge, last] of stands.accidents) if (now.turn <= last && touches(edge)) out.push(say('accident', { link: app.linkName(edge) }));
  for (const edge of stands.roadworks) if (touches(edge)) out.push(say('roadworks', { link: app.linkName(edge) }));
  for (const edge of stands.obstructed) if (touches(edge)) out.push(say('obstructed', { link: app.linkName(edge) }));
  return out;
}

/* Sides that are cut, by the hex on the other side. */
function cutsOf(app, cell) {
  const { say, board: b } = app, out = [];
  const first = app.edgesOf(cell);
  for (const edge of first) {
    const cut = b.cutKnown[0][edge];
    if (!cut) continue;
    const other = b.edge.low[edge] === cell ? b.edge.high[edge] : b.edge.low[edge];
    out.push(say(cut === 2 ? 'cut_all' : 'cut_foot', { hex: b.labels[other] }));
  }
  return out;
}

export function spokenOf(app, cell) {
  const name = app.board.labels[cell];
  const off = app.board.active[cell] ? '' : `, ${app.ground.board.texts.inactive}`;
  return `${name}${off}. ${factsOf(app, cell).map(([label, text]) => app.say.labelled(label, text)).join('. ')}.`;
}

/* The card of the hex under the cursor, with what may be ordered from there. */
export function drawCard(app, node) {
  const cell = app.map.cursor, { say } = app;
  if (cell < 0) { show(node, el('p', { class: 'soft', text: say('card_empty') })); return; }
  show(node,
    el('h3', {}, el('b', { class: 'number', text: app.board.labels[cell] }),
      app.board.active[cell] ? null : el('span', { class: 'soft', text: ` ${app.ground.board.texts.inactive}` })),
    el('dl', {}, factsOf(app, cell).flatMap(([label, text]) => [el('dt', { text: label }), el('dd', { text, dir: 'auto' })])),
    el('div', { class: 'row' }, app.acts(cell)));
}
