/* What the team knows, in words and tables: situation, quarters, shelters, units, journal. */
import { brushHexes, button, capital, el, show } from './team_dom.js';
import { shutOf } from './team_card.js';
import { isBad } from './team_since.js';

const REPORT_LAG_TURNS = 2; // what residents tell is so old when it is heard (§6)
const OPEN_TURNS = 2, NEUTRAL_CAPITAL = 60, CAPITAL_POINTS = 150;

// --------------------------------------------------------------------------- situation
export function drawSituation(app, node) {
  const { say, now, rules } = app, at = rules.situation, view = now.view;
  const off = view.capital - NEUTRAL_CAPITAL;
  const start = [
    say('starts', { hour: at.hour_label, day: say(at.weekend ? 'weekend' : 'weekday') }),
    say('to_shelter_all', { people: at.to_shelter, places: at.places }),
    at.gathering ? say('gathering', at.gathering) : null,
    at.half_staff ? say('half_staff') : null,
    say('credibility', { n: at.credibility }),
  ].filter(Boolean);
  show(node,
    injunctionOf(app),
    now.over ? scoreOf(app) : null,
    el('h3', { text: say('bulletin') }), el('p', { class: 'bulletin', dir: 'auto', text: now.bulletin ? capital(now.bulletin) : say('no_bulletin') }),
    messagesOf(app),
    el('h3', { text: say('capital') }),
    el('p', {}, el('b', { class: 'number', text: String(view.capital) }), el('span', { text: ` ${say('capital_is', { points: off * CAPITAL_POINTS, sign: off > 0 ? '+' : '' })}` })),
    now.over ? null : [el('h3', { text: say('centre') }),
      el('p', { text: view.orders ? say('staffing', { label: capital(staffingOf(app).label), orders: view.orders, radius: view.brush_radius, brush: brushHexes(view.brush_radius) }) : say('no_staffing') }),
      nextStaffing(app)],
    el('h3', { text: say('reports') }), reportsOf(app),
    el('h3', { text: say('at_start') }), el('ul', {}, start.map((text) => el('li', { text }))),
    demandsOf(app));
}
function staffingOf(app) { return app.rules.staffing.findLast((row) => app.now.turn >= row.from_turn); }
function nextStaffing(app) {
  const next = app.rules.staffing.find((row) => row.from_turn > app.now.turn);
  return next ? el('p', { class: 'soft', text: app.say('next_staffing', { turn: next.from_turn, label: next.label, orders: next.orders, radius: next.brush_radius, brush: brushHexes(next.brush_radius) }) }) : null;
}

/* The demand that awaits an answer, with its two answers. */
export function injunctionOf(app) {
  const { say, now, ground } = app, asked = now.view.injunctions.find((one) => one.obeyed === null && one.turn === now.turn);
  if (!asked || now.over) return null;
  const given = now.view.pending.findLast((one) => one.order.kind === 'Answer'), name = ground.board.quarters[asked.quarter];
  const answer = (obey) => () => app.answer(obey);
  return el('section', { class: 'injunction', 'aria-label': say('injunction') },
    el('h3', { text: say('injunction') }),
    el('p', { dir: 'auto', text: say('demand', { name }) }),
    el('p', { class: 'soft', text: say('demand_rule') }),
    given ? el('p', { class: 'doing', text: say(given.order.obey ? 'will_obey' : 'will_refuse') }) : null,
    app.mayOrder('answer') ? el('div', { class: 'row' },
      button(say('obey'), answer(true), { 'aria-pressed': String(Boolean(given && given.order.obey)) }),
      button(say('refuse'), answer(false), { 'aria-pressed': String(Boolean(given && !given.order.obey)) }),
      button(say('see_quarter'), () => app.revealQuarter(asked.quarter))) : el('p', { text: say('director_answers') }));
}
function demandsOf(app) {
  const { say, now, ground } = app, past = now.view.injunctions.filter((one) => one.obeyed !== null);
  if (!past.length) return null;
  return [el('h3', { text: say('past_demands') }), el('ul', {}, past.map((one) => el('li', {
    dir: 'auto', text: say(one.obeyed ? 'obeyed' : 'refused_it', { turn: one.turn, name: ground.board.quarters[one.quarter] }),
  })))];
}

function messagesOf(app) {
  const said = app.now.messages || [];
  if (!said.length) return null;
  return [el('h3', { text: app.say('messages') }), el('ul', { class: 'messages' }, said.slice(-6).reverse().map((one) => el('li', { dir: 'auto' },
    el('span', { class: 'soft', text: `${app.say('turn_short', { turn: one.turn })} · ` }), one.text)))];
}

function reportsOf(app) {
  const { say, now } = app, told = app.events.filter((one) => one.kind === 'Reported');
  if (!told.length) return el('p', { class: 'soft', text: say('no_reports') });
  return el('ul', { class: 'reports' }, told.slice(-8).reverse().map((one) => el('li', { dir: 'auto' },
    el('span', { class: 'age', text: say('report_age', { n: now.turn - one.turn + REPORT_LAG_TURNS }) }), ` ${capital(one.said)}`)));
}

function scoreOf(app) {
  const { say, now } = app;
  if (!now.score) return el('p', { class: 'doing', text: say('over_wait') });
  const share = (value) => (value === null || value === undefined ? '–' : `${say.number(Math.round(value * 100))} %`);
  const early = now.score.turns_counted < now.score.turns;
  return [el('h3', { text: say('score') }),
    early ? el('p', { class: 'soft', text: say('ended_early', { n: now.score.turns_counted, all: now.score.turns, later: say.number(now.score.not_yet_cut) }) }) : null, el('dl', {},
    el('dt', { text: say('points') }), el('dd', { text: say('of_maximum', { points: say.number(now.score.points), maximum: say.number(now.score.maximum) }) }),
    el('dt', { text: say('recall') }), el('dd', { text: share(now.score.recall) }),
    el('dt', { text: say('precision') }), el('dd', { text: share(now.score.precision) }),
    el('dt', { text: say('capital') }), el('dd', { text: String(now.view.capital) }))];
}

// --------------------------------------------------------------------------- tables
function table(caption, heads, rows) {
  return el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption },
    el('table', {}, el('caption', { class: 'hidden', text: caption }),
      el('thead', {}, el('tr', {}, heads.map(([text, isNumber, isHidden]) => el('th', { scope: 'col', class: isNumber ? 'count' : null }, el('span', { text, class: isHidden ? 'hidden' : null }))))),
      el('tbody', {}, rows)));
}

export function drawQuarters(app, node) {
  const { say, now, board, ground } = app, n = ground.board.quarters.length;
  const sums = Array.from({ length: n }, () => ({ size: 0, risk: 0, alerted: 0, done: 0, going: 0 }));
  const alerted = new Set(now.view.alerted), done = new Set(now.view.evacuated), going = new Set(now.frame.transmitting);
  for (let cell = 0; cell < board.n; cell++) {
    const sum = sums[board.quarter[cell]];
    if (!sum || !board.active[cell]) continue;
    sum.size += 1; sum.risk += board.toShelter[cell];
    sum.alerted += alerted.has(cell); sum.done += done.has(cell); sum.going += going.has(cell);
  }
  const may = app.mayOrder('protect') && now.phase === 'play';
  const order = sums.map((_, number) => number).filter((number) => sums[number].size).sort((a, z) => sums[z].risk - sums[a].risk || a - z);
  show(node, el('p', { class: 'soft', text: say('quarters_lead') }), table(say('quarters'),
    [[say('quarter')], [say('to_shelter'), true], [say('alerted'), true], [say('evacuated'), true], [say('option_short')]],
    order.map((number) => {
      const sum = sums[number], name = ground.board.quarters[number];
      const state = sum.going ? `${sum.alerted}+${sum.going}/${sum.size}` : `${sum.alerted}/${sum.size}`;
      return el('tr', { class: app.picked === number ? 'picked' : null },
        el('th', { scope: 'row' }, button(name, () => app.pickQuarter(number), { class: 'link', dir: 'auto', 'aria-pressed': String(app.picked === number) }),
          app.rules.sirens[number] ? el('span', { class: 'siren', title: say('sirens'), role: 'img', 'aria-label': say('sirens'), text: '◉' }) : null),
        el('td', { class: 'count', text: say.number(sum.risk) }),
        el('td', { class: 'count', text: state }),
        el('td', { class: 'count', text: `${sum.done}/${sum.size}` }),
        el('td', {}, may ? button(app.optionName(number), () => app.orders.begin('quarter', { quarter: number }), {
          class: 'option', 'aria-label': `${app.optionName(number)}. ${say.labelled(say('kind_protect'), name)}`, 'data-key': `protect/${number}`,
        }) : app.optionName(number)));
    })));
}

export function drawShelters(app, node) {
  const { say, now, ground } = app, taken = now.view.places_taken;
  const may = app.mayOrder('close_shelter') && now.phase === 'play';
  show(node, taken ? null : el('p', { class: 'soft', text: say('places_unheard') }), table(say('shelters'),
    [[say('number')], [say('shelter')], [say('hex')], [say(taken ? 'taken' : 'offered'), true], [say('state')], ...(may ? [[say('what'), false, true]] : [])],
    ground.board.places.shelter.map(([cell, name, places], number) => {
      const shut = shutOf(app, number), full = taken ? Math.min(1, taken[number] / places) : 0;
      const gauge = el('meter', { min: 0, max: places, value: taken ? taken[number] : 0, 'aria-label': name, class: full >= 1 ? 'full' : null });
      return el('tr', {},
        el('td', { class: 'count', text: String(number + 1) }), el('th', { scope: 'row', text: name, dir: 'auto' }),
        el('td', {}, app.hexButton(cell)),
        el('td', { class: 'count' }, taken ? [gauge, el('span', { text: `${say.number(taken[number])}/${say.number(places)}` })] : say.number(places)),
        el('td', { class: shut.length ? 'shut' : null, text: shut.join(', ') || say('open') }),
        may ? el('td', {}, button('', () => app.orders.begin('shelter', { shelter: number, kind: now.view.closed[number] ? 'open_shelter' : 'close_shelter' }), { class: 'small', 'aria-label': say.labelled(say('begin_shelter'), name), 'data-key': `shelter/${number}` }, 'edit')) : null);
    })));
}

export function drawUnits(app, node) {
  const { say, now } = app, may = now.phase === 'play';
  const rows = app.units().map((unit) => el('tr', {},
    el('th', { scope: 'row' }, el('span', { class: `pawn ${unit.blocked ? 'blocked' : unit.to >= 0 ? 'moving' : 'here'}`, 'aria-hidden': 'true', text: app.pawn(unit.name) }),
      el('span', { text: ` ${capital(app.unitName(unit.name))}` })),
    el('td', {}, app.hexButton(unit.cell)), el('td', { text: app.doing(unit) }),
    may ? el('td', {}, app.mayMove(unit.name) ? button('', () => app.orders.begin('unit', { unit: unit.name }), { class: 'small', 'aria-label': say.labelled(say('begin_unit'), app.unitName(unit.name)), 'data-key': `unit/${unit.name}` }, 'edit') : null) : null));
  show(node, table(say('units'), [[say('unit')], [say('hex')], [say('does')], ...(may ? [[say('what'), false, true]] : [])], rows));
}

// --------------------------------------------------------------------------- journal
export function drawJournal(app, node) {
  const { say, now } = app, turns = new Map(), open = new Map();
  node.querySelectorAll('details').forEach((one) => open.set(Number(one.dataset.turn), one.open));
  for (const one of app.events) {
    if (!turns.has(one.turn)) turns.set(one.turn, []);
    turns.get(one.turn).push(one);
  }
  show(node, turns.size ? [...turns.keys()].sort((a, z) => z - a).map((turn) => {
    const fill = () => show(list, turns.get(turn).map((one) => el('li', { dir: 'auto', class: isBad(one) ? `${one.kind} bad` : one.kind },
      one.said ? capital(one.said) : one.kind, el('span', { class: 'rule', text: ` §${one.rule}` }))));
    const list = el('ul', { class: 'events' });
    const more = el('details', { 'data-turn': turn, ontoggle: () => { if (more.open && !list.children.length) fill(); } },
      el('summary', { text: `${turn ? say('turn_n', { turn }) : say('forecast')} · ${say('n_events', { n: turns.get(turn).length })}`, 'data-key': `turn/${turn}` }), list);
    more.open = open.get(turn) ?? turn > now.turn - OPEN_TURNS;
    if (more.open) fill();
    return more;
  }) : el('p', { class: 'soft', text: say('no_events') }));
}

