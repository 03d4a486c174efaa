/* Giving orders: a subject, its target by map or by keyboard, what it would do, a reason, the word. */
import { brushSize, button, capital, choices, el, field, part, picks, show, typed } from './team_dom.js';
import { Draft } from './team_draft.js';

const SOON_MS = 140, CLEAR_PX = 8;
const CHOSEN = ['kind', 'unit', 'cell', 'radius', 'option', 'links', 'from', 'shelter', 'quarter'];
const UNIT_KINDS = ['move', 'door_to_door', 'reserve', 'pump', 'footbridge', 'clear', 'deliver'];
const BY_KIND = {
  patrol: ['move', 'door_to_door', 'reserve', 'clear'], pump: ['move', 'pump', 'footbridge', 'clear'], boat: ['move', 'deliver'],
};

export class Orders {
  constructor(app) {
    this.app = app;
    this.node = el('div', { class: 'composer' });
    this.list = el('ol', { class: 'pending', id: 'pending' });
    this.reason = el('input', { type: 'text', id: 'reason', maxlength: app.reasonLength, autocomplete: 'off', 'data-key': 'reason' });
    this.target = el('input', { type: 'text', id: 'target', inputmode: 'numeric', autocomplete: 'off', spellcheck: 'false', size: 10, 'data-key': 'target',
      onchange: () => this.typed(), onkeydown: (event) => { if (event.key === 'Enter') { event.preventDefault(); this.typed(); } } });
    this.answer = el('div', { class: 'answer', role: 'status', id: 'answer' });
    this.target.addEventListener('input', () => this.keep());
    this.reason.addEventListener('input', () => this.keep());
  }

  get draft() { return this.app.draft; }

  // ------------------------------------------------------------------ begin, change, leave
  begin(subject, more = {}) {
    const { app } = this;
    if (app.now.phase !== 'play') return;
    app.draft = new Draft(subject, { radius: Math.min(app.now.view.brush_radius, this.radius ?? 1), ...more });
    this.target.value = '';
    app.openTab('orders');
    this.changed();
    if (app.draft.unit) this.ask();
    this.node.querySelector('.first')?.focus({ preventScroll: true });
    this.node.scrollIntoView({ block: 'start' });
  }
  cancel() {
    if (!this.draft) return false;
    this.app.draft = null;
    this.changed();
    this.app.say.aloud('spoken_cancelled');
    return true;
  }
  /* What is being made is kept in this window: the page may be loaded again, in another language too. */
  get place() { return `order${this.app.prefix}/${this.app.seat}`; }
  keep() {
    const { draft } = this, reason = this.reason.value, target = this.target.value;
    const made = draft && { subject: draft.subject, values: Object.fromEntries(CHOSEN.map((name) => [name, draft[name]])), target };
    typed.set(this.place, made || reason ? JSON.stringify({ made, reason }) : '');
  }
  /* Take up what was left, where it can be ordered still. */
  resume() {
    const { app } = this;
    if (app.now.phase !== 'play') return;
    if (!app.draft) {
      try {
        const { made, reason } = JSON.parse(typed.get(this.place) || '{}');
        this.reason.value = reason || '';
        if (made) { app.draft = new Draft(made.subject, made.values); this.target.value = made.target; }
      } catch { /* nothing that can be read */ }
    }
    if (!app.draft) return;
    const target = this.target.value;
    app.draft.moved();
    if (app.draft.unit) { app.draft.targets = null; this.ask(); }
    this.changed();
    this.target.value = target; // it may have been half written
    this.keep();
  }
  set(values) {
    Object.assign(this.draft, values);
    this.draft.moved();
    this.changed();
  }
  changed() {
    const { draft } = this;
    if (!this.app.now) return; // the page begins again
    if (draft && document.activeElement !== this.target) this.target.value = this.shownTarget();
    this.keep();
    this.draw();
    this.app.map.mark();
    clearTimeout(this.soon);
    if (draft && draft.isComplete) this.soon = setTimeout(() => this.preview(), SOON_MS);
  }
  shownTarget() {
    const { draft, app } = this;
    if (draft.onLinks) return draft.links.map(app.linkName).join(' ');
    return draft.cell >= 0 ? app.board.labels[draft.cell] : '';
  }

  async ask() {
    const { draft, app } = this;
    const answer = await app.line.answer(`/api/targets?unit=${encodeURIComponent(draft.unit)}&seat=${app.seat}`, {});
    if (draft !== this.draft) return;
    if (answer.lost) { draft.targets = null; this.draw(); return; }
    draft.targets = {};
    for (const [kind, places] of Object.entries(answer.body)) {
      draft.targets[kind] = new Set(places.map((name) => (name.includes('-') ? app.edgeOf(name) : app.cellOf(name))));
    }
    if (!draft.kind || !draft.targets[draft.kind]) draft.kind = UNIT_KINDS.find((kind) => draft.targets[kind]) || '';
    draft.why = draft.kind ? null : await this.whyNone(draft.unit);
    if (draft === this.draft) this.changed();
  }
  /* Why a unit can be ordered nothing: as the room would answer. */
  async whyNone(unit) {
    const { app } = this, one = app.units().find((other) => other.name === unit);
    if (!one) return null;
    const beside = app.table.neighbours(one.cell)[0];
    const order = { turn: app.now.turn, order: 'move', unit, to: app.board.labels[beside] };
    return (await app.line.send(`/api/preview?lang=${app.lang}`, { seat: app.seat, order, reason: '' })).body.refusal || null;
  }

  // ------------------------------------------------------------------ aim
  /* A hex was touched or entered on the map. Returns whether the order that is made took it. */
  aim(cell, point) {
    const { draft, app } = this;
    if (!draft || draft.subject === 'shelter') return false;
    if (draft.subject === 'quarter') {
      if (app.board.quarter[cell] < 0) return false;
      this.set({ quarter: app.board.quarter[cell] });
      app.say.aloud('spoken_quarter', { name: app.ground.board.quarters[draft.quarter] });
      return true;
    }
    if (draft.subject === 'unit' && !draft.unit) return false;
    if (!draft.onLinks) { draft.aim(cell); app.say.aloud('spoken_target', { hex: app.board.labels[cell] }); this.changed(); return true; }
    const near = point ? app.map.linkAt(point, draft.legal().links || app.map.board.edge.low.keys()) : -1;
    if (near >= 0) this.take(near);
    else if (!point) this.walk(cell);
    return true;
  }
  /* A link by its two hexes, one after the other; a chain goes on from its last hex. */
  walk(cell) {
    const { draft, app } = this, edge = draft.from >= 0 ? app.edgeBetween(draft.from, cell) : -1;
    if (edge < 0) { draft.from = cell; app.say.aloud('spoken_from', { hex: app.board.labels[cell] }); this.changed(); return; }
    draft.from = draft.kind === 'reserve' ? cell : -1;
    this.take(edge);
  }
  take(edge) {
    this.draft.join(edge);
    this.app.say.aloud('spoken_target', { hex: this.shownTarget() });
    this.changed();
  }
  typed() {
    const { draft, app } = this, words = this.target.value.trim().split(/[\s,;]+/).filter(Boolean);
    if (!draft || this.isDrawing || this.target.value === this.shownTarget()) return;
    if (draft.onLinks) {
      const edges = words.map(app.edgeOf);
      if (!words.length || edges.some((edge) => edge < 0)) { this.fault('no_link'); return; }
      draft.links = draft.kind === 'reserve' ? edges : edges.slice(0, 1);
      draft.moved();
    } else {
      const cell = app.cellOf(words[0] || '');
      if (cell < 0) { this.fault('no_hex'); return; }
      draft.aim(cell);
      app.map.setCursor(cell, true);
      app.map.reveal(cell);
    }
    this.target.value = this.shownTarget();
    this.changed();
  }
  fault(key) {
    const { say, board } = this.app;
    show(this.answer, el('p', { class: 'refused', text: say(key, { word: this.target.value, first: board.labels[0], last: board.labels.at(-1) }) }));
  }

  // ------------------------------------------------------------------ what it would do, and the word
  async preview() {
    const { draft, app } = this;
    if (!draft || !draft.isComplete) return;
    const body = { seat: app.seat, order: this.written(draft), reason: '' }, asked = JSON.stringify(body);
    const answer = await app.line.send(`/api/preview?lang=${app.lang}`, body);
    if (draft !== this.draft || !draft.isComplete || asked !== JSON.stringify({ ...body, order: this.written(draft) })) return;
    draft.seen = answer.lost ? { lost: true } : answer.ok ? answer.body : { refusal: answer.body };
    this.draw();
    app.map.mark();
  }
  written(draft) {
    const { app } = this;
    return draft.order(app.now.turn, (cell) => app.board.labels[cell], app.linkName, app.ground.board);
  }
  async give() {
    const { draft, app } = this;
    if (!draft || !draft.isComplete || this.busy) return;
    this.busy = true;
    try {
      const answer = await app.line.send(`/api/orders?lang=${app.lang}`, { seat: app.seat, order: this.written(draft), reason: this.reason.value });
      if (answer.lost) draft.refusal = { said: app.say('not_sent') };
      else if (!answer.ok) draft.refusal = answer.body;
      else if (answer.body.refusal) draft.refusal = answer.body.refusal;
      else {
        this.radius = draft.radius;
        this.reason.value = '';
        app.draft = null;
        await app.line.ask();
        app.say.aloud('spoken_taken', { number: answer.body.number, left: app.now.orders_left });
      }
    } finally { this.busy = false; }
    this.changed();
    if (!app.draft) this.node.querySelector('.begin button')?.focus({ preventScroll: true });
  }
  async withdraw(number) {
    const { app } = this;
    if (await app.give({ turn: app.now.turn, order: 'withdraw', number }, '')) app.say.aloud('spoken_withdrawn', { number });
  }

  // ------------------------------------------------------------------ what is shown
  draw() {
    // fields that stay are moved into what is shown anew, and would lose the focus on the way
    const at = this.node.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.isDrawing = true; // what is half written stays so, though its field loses the focus on the way
    this.fill();
    this.isDrawing = false;
    if (!at || this.node.contains(document.activeElement)) return;
    const to = this.node.querySelector(`[data-key="${CSS.escape(at)}"]`), foot = this.node.querySelector('.foot');
    to?.focus({ preventScroll: true });
    // the foot may have grown over it
    const under = to && foot && !foot.contains(to) ? to.getBoundingClientRect().bottom + CLEAR_PX - foot.getBoundingClientRect().top : 0;
    if (under > 0) this.node.closest('.panel').scrollBy(0, under);
  }
  fill() {
    const { app, draft } = this, { say } = app;
    app.since.node.classList.toggle('folded', Boolean(draft));
    if (app.now.phase !== 'play') { show(this.node, app.now.phase === 'forecast' ? app.painting.node : el('p', { text: say('over') })); return; }
    if (!draft) {
      const ways = [
        ['brush', 'brush', 'alert'], ['unit', 'units', 'move'], ['shelter', 'shelters', 'close_shelter'], ['quarter', 'quarters', 'protect'],
      ].filter(([, , kind]) => app.mayOrder(kind));
      show(this.node,
        ways.length ? el('p', { class: 'soft', text: say('orders_lead') }) : el('p', { text: say('seat_orders_nothing') }),
        el('div', { class: 'begin' }, ways.map(([subject, sign, kind]) => button(say(`begin_${subject}`), () => this.begin(subject), {
          disabled: app.now.orders_left < 1, 'data-key': `begin/${subject}`, 'data-kind': kind,
        }, sign))),
        app.now.orders_left < 1 ? el('p', { class: 'warn', text: say('none_left') }) : null);
      return;
    }
    const parts = { brush: () => this.brushParts(), unit: () => this.unitParts(), shelter: () => this.shelterParts(), quarter: () => this.quarterParts() }[draft.subject]();
    show(this.answer, this.told());
    show(this.node,
      el('h3', { text: say(`begin_${draft.subject}`) }), parts,
      field(say('reason'), this.reason),
      // what it costs, or why it is refused, never scrolls away from the button
      el('div', { class: 'foot' }, this.answer, el('div', { class: 'row' },
        button(say('give'), () => this.give(), { class: 'main', id: 'give', 'data-key': 'give', disabled: !draft.isComplete || Boolean(draft.seen && draft.seen.refusal) }, 'orders'),
        button(say('cancel'), () => this.cancel(), { 'data-key': 'cancel' }))));
  }
  targetPart() {
    const { draft, app } = this, { say } = app;
    return [
      field(say(draft.onLinks ? (draft.kind === 'reserve' ? 'target_links' : 'target_link') : 'target_hex'), this.target),
      el('p', { class: 'soft how', text: say(draft.onLinks ? 'target_link_how' : 'target_hex_how') }),
    ];
  }
  optionPart(withNone) {
    const { draft, app } = this, { say } = app;
    const options = app.rules.protections.map((one) => [one.key, capital(one.label)]);
    return [
      part(say('option'), picks(say('option'), withNone ? [['', say('option_kept')], ...options] : options, draft.option, (option) => this.set({ option }))),
      options.map(([key, label]) => el('p', { class: 'soft how', text: say.labelled(label, say(`option_${key}`)) })),
    ];
  }
  brushParts() {
    const { draft, app } = this, { say } = app, sizes = [];
    for (let radius = 0; radius <= app.now.view.brush_radius; radius++) {
      sizes.push(brushSize(say, radius));
    }
    return [part(say('brush'), picks(say('brush'), sizes, draft.radius, (radius) => this.set({ radius }))), this.targetPart(), this.optionPart(true)];
  }
  unitParts() {
    const { draft, app } = this, { say } = app;
    const units = app.units().filter((unit) => app.mayMove(unit.name));
    const list = choices([['', say('choose_unit')], ...units.map((unit) => [unit.name, `${capital(app.unitName(unit.name))} · ${app.board.labels[unit.cell]} · ${app.doing(unit)}`])],
      draft.unit, (unit) => { this.set({ unit, kind: '', targets: null, links: [], from: -1, cell: -1 }); if (unit) { this.reveal(unit); this.ask(); } },
      { class: 'first', id: 'unit', 'data-key': 'unit' });
    if (!draft.unit) return [field(say('unit'), list)];
    if (!draft.targets) return [field(say('unit'), list), el('p', { class: 'soft', text: say(app.lost ? 'not_connected' : 'asking') })];
    const kinds = BY_KIND[draft.unit.split('-')[0]].filter((kind) => app.mayOrder(kind)).filter((kind) => draft.targets[kind]);
    if (!kinds.length) {
      return [field(say('unit'), list), el('p', { class: 'refused', text: draft.why ? this.refusalText(draft.why) : say('no_targets') })];
    }
    return [
      field(say('unit'), list),
      part(say('what'), picks(say('what'), kinds.map((kind) => [kind, say(`kind_${kind}`), say('n_targets', { n: draft.targets[kind].size })]), draft.kind,
        (kind) => this.set({ kind, links: [], from: -1, cell: -1 }))),
      this.targetPart(),
    ];
  }
  reveal(name) {
    const cell = this.app.unitAt(name);
    if (cell !== undefined) { this.app.map.setCursor(cell, true); this.app.map.reveal(cell); }
  }
  shelterParts() {
    const { draft, app } = this, { say, now } = app, shelters = app.ground.board.places.shelter;
    const closes = (number) => (now.view.closed[number] ? 'open_shelter' : 'close_shelter');
    const list = choices([[-1, say('choose_shelter')], ...shelters.map(([, name], number) => [number, `${number + 1} · ${name} · ${app.shelter(number)}`])],
      draft.shelter, (value) => { const shelter = Number(value); this.set({ shelter, kind: shelter < 0 ? '' : closes(shelter) }); if (shelter >= 0) { app.map.setCursor(shelters[shelter][0], true); app.map.reveal(shelters[shelter][0]); } },
      { class: 'first', id: 'shelter', 'data-key': 'shelter' });
    return [field(say('shelter'), list), draft.kind ? el('p', { class: 'doing', text: say(`kind_${draft.kind}`) }) : null];
  }
  quarterParts() {
    const { draft, app } = this, { say } = app;
    const names = app.ground.board.quarters.map((name, number) => [number, `${name} · ${app.optionName(number)}`]);
    const list = choices([[-1, say('choose_quarter')], ...names], draft.quarter, (value) => { this.set({ quarter: Number(value) }); app.revealQuarter(Number(value)); },
      { class: 'first', id: 'quarter', 'data-key': 'quarter' });
    return [field(say('quarter'), list), this.optionPart(false)];
  }

  /* What it would do, as the room reckons from what the team knows. */
  told() {
    const { draft, app } = this, { say } = app, { seen } = draft;
    if (draft.refusal) return el('p', { class: 'refused', text: this.refusalText(draft.refusal) });
    if (!draft.isComplete) return null;
    if (!seen) return el('p', { class: 'soft', text: say('asking') });
    if (seen.lost) return el('p', { class: 'warn', text: say('not_connected') });
    if (seen.refusal) return el('p', { class: 'refused', text: this.refusalText(seen.refusal) });
    const lines = [el('p', { class: 'price', text: `${say('price', { n: seen.price })} ${say('left', { n: seen.orders_left, of: app.now.view.orders })}` })];
    const told = (key, values) => lines.push(el('p', { text: say(key, values) }));
    if (draft.kind === 'alert') {
      const risk = seen.fresh.reduce((sum, name) => sum + app.board.toShelter[app.cellOf(name)], 0);
      told('touches', { n: seen.cells.length, fresh: seen.fresh.length, risk });
      told('rolls', { n: seen.quarters.length, names: seen.quarters.join(', ') });
    } else if (seen.way) {
      told(seen.arrives === null ? 'never' : 'arrives', { n: seen.way.cells.length - 1, turn: seen.arrives, stops: seen.way.stops.join(', ') });
    }
    if (draft.subject === 'unit' && !seen.way) told('no_way');
    if (draft.kind === 'pump' && !app.isWet(draft.links[0])) told('pump_dry');
    if (seen.effect !== null && draft.kind !== 'move') told('effect', { turn: seen.effect });
    return lines;
  }
  refusalText(refusal) {
    const { say } = this.app;
    return refusal.rule ? say('refused', { rule: refusal.rule, why: refusal.said }) : refusal.said;
  }

  /* Orders of the turn that stand. */
  drawList() {
    const { app } = this, { say, now } = app;
    show(this.list, now.pending.length ? now.pending.map((one) => el('li', { value: one.number },
      el('div', {}, el('span', { class: 'number', text: String(one.number) }), el('span', { text: one.said, dir: 'auto' })),
      el('div', { class: 'soft', dir: 'auto', text: [one.seat && say('by', { seat: app.seatName(one.seat) }), one.reason && say('because', { reason: one.reason })].filter(Boolean).join(' · ') }),
      now.phase === 'over' ? null : button(say('withdraw'), () => this.withdraw(one.number), {
        'aria-label': `${say('withdraw')}, ${one.number}: ${one.said}`, 'data-key': `withdraw/${one.number}`, disabled: !app.mayWithdraw(one),
      }))) : el('li', { class: 'none', text: say('no_orders') }));
  }
}
