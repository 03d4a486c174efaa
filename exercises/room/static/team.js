/* A team's page: puts the map, the orders and what is known together, and follows the room. */
import { button, capital, el, kept, picks, sayer, show } from './team_dom.js';
import { drawCard, shelterOf, spokenOf } from './team_card.js';
import { firstLayers, Layers } from './team_layers.js';
import { icon } from './icons.js';
import { Line } from './team_line.js';
import { BoardMap, Table } from './board_map.js';
import { Mail } from './team_mail.js';
import { unitsOf } from './board_marks.js';
import { marksOf } from './team_marks.js';
import { Orders } from './team_orders.js';
import { Painting } from './team_paint.js';
import { drawJournal, drawQuarters, drawShelters, drawSituation, drawUnits, injunctionOf } from './team_panels.js';
import { Since } from './team_since.js';
import { Tutorial } from './team_tutorial.js';

const averse = globalThis.averse, root = document.getElementById('team');
const prefix = location.pathname.replace(/\/$/, '');
const TABS = ['orders', 'situation', 'quarters', 'shelters', 'units', 'journal', 'layers'];
const WIDE = window.matchMedia('(min-width: 1500px)');
const LOST_AFTER_MS = 700;

const line = new Line(prefix, {
  now: (now, events) => app.told(now, events),
  timer: (timer) => app.clocked(timer),
  state: (state, said) => app.connected(state, said),
});

class App {
  constructor() {
    const asked = new URLSearchParams(location.search);
    this.lang = ['fr', 'en'].includes(asked.get('lang')) ? asked.get('lang') : kept.get('lang') || root.dataset.lang;
    this.seat = asked.get('seat') ?? kept.get(`seat${prefix}`) ?? '';
    const night = kept.get('night');
    this.night = night ? night === 'yes' : window.matchMedia('(prefers-color-scheme: dark)').matches;
    this.layers = firstLayers(kept.get('layers'));
    this.line = line;
    this.prefix = prefix;
    this.since = new Since(this);
    this.mail = new Mail(this);
    this.draft = null;
    this.picked = -1;
    this.tab = 'orders';
    this.lost = false;
    this.cellOf = (label) => this.numbers.get(label) ?? -1;
    this.linkName = (edge) => `${this.board.labels[this.board.edge.low[edge]]}-${this.board.labels[this.board.edge.high[edge]]}`;
    this.edgeOf = (name) => { const [a, z] = name.split('-'); return z === undefined ? -1 : this.edgeBetween(this.cellOf(a), this.cellOf(z)); };
  }

  /* Begin, or begin again in another language: what is on the way stays. */
  async start() {
    line.close();
    const lang = this.lang;
    document.documentElement.lang = lang;
    let ground;
    try {
      const answer = await line.fetch(`/api/ground?lang=${lang}`);
      ground = await answer.json();
      if (!answer.ok) { this.alone('alert', ground.said); return; }
    } catch {
      if (!this.board && !this.isWaiting) this.alone('status', root.dataset.wait);
      this.isWaiting = true;
      setTimeout(() => { if (lang === this.lang) this.start(); }, 1500);
      return;
    }
    if (lang !== this.lang) return;
    this.ground = ground;
    this.rules = ground.rules;
    if (!this.rules.seats.some((one) => one.key === this.seat)) this.seat = '';
    this.say = sayer(this.rules.words, lang);
    this.say.aloud = (key, values) => this.speak(this.say(key, values));
    this.reasonLength = ground.schema.oneOf[0].properties.reason.maxLength;
    const before = this.table;
    this.table = new Table(ground.board, this.layers);
    this.base = this.table.cells;
    if (before) this.table.like(before);
    this.numbers = new Map(ground.board.hexes.labels.map((label, cell) => [label, cell]));
    this.edges = new Map();
    for (let e = 0; e < this.base.edge.low.length; e++) this.edges.set(this.base.edge.low[e] * this.base.n + this.base.edge.high[e], e);
    this.now = null;
    this.keepPlace();
    line.open(this.seat, lang);
    line.ask();
  }

  /* All that the page says where there is nothing to be shown. */
  alone(role, text) { show(root, el('main', { class: 'alone' }, el('p', { role, text }))); }

  keepPlace() {
    kept.set('lang', this.lang);
    kept.set(`seat${prefix}`, this.seat);
    history.replaceState(null, '', `${prefix}/?lang=${this.lang}${this.seat ? `&seat=${this.seat}` : ''}`);
  }
  keepLayers() { kept.set('layers', JSON.stringify(this.layers)); }

  // ------------------------------------------------------------------ what the room tells
  told(now, events) {
    const before = this.now;
    this.now = now;
    this.events = events;
    if (before) this.map.show(now.frame);
    else this.build();
    const told = !before || this.wasLost ? this.since.back() : this.since.news(before);
    this.wasLost = false;
    this.painting.refresh();
    if (this.draft && (now.phase !== 'play' || before && before.turn !== now.turn)) this.turnOver();
    else if (this.draft) this.orders.preview();
    this.draw();
    if (before && before.turn !== now.turn) {
      this.speak(now.over ? this.say('over') : `${this.say('turn_of', { turn: now.turn, turns: now.turns })}, ${now.clock}. ${this.say('orders_left', { n: now.orders_left, of: now.view.orders })}. ${told}`);
      this.card();
    } else if (told) this.speak(told);
    if (before && before.turn === 0 && now.turn > 0) this.openTab('orders');
    if (now.over && !before?.over) this.openTab('situation');
    if (this.painting.waiting.length) this.painting.send();
    document.title = `${now.turn ? `${now.turn}/${now.turns} · ` : ''}${now.team.name} · averse`;
  }
  /* The turn ended while an order was made: it goes on in the next one, nothing being known of it. */
  turnOver() {
    if (this.now.phase !== 'play') this.draft = null;
    else {
      this.draft.moved();
      this.draft.targets = null;
      if (this.draft.unit) this.orders.ask();
    }
    this.orders.changed();
  }

  clocked(timer) {
    this.timer = timer ? { ...timer, at: performance.now() } : null;
    this.tick();
    clearInterval(this.ticking);
    if (timer && !timer.held) this.ticking = setInterval(() => this.tick(), 250);
  }
  tick() {
    const node = document.getElementById('timer');
    if (!node) return;
    if (!this.timer) { node.hidden = true; return; }
    const { left, held, at, seconds } = this.timer;
    const rest = Math.max(0, held ? left : left - (performance.now() - at) / 1000);
    const whole = Math.ceil(rest), text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
    node.hidden = false;
    node.classList.toggle('hurry', !held && rest <= 10);
    if (node.textContent !== text || node.dataset.held !== String(held)) show(node, icon(held ? 'held' : 'timer'), text);
    node.dataset.held = String(held);
    node.title = this.say(held ? 'timer_held' : 'timer', { seconds });
    for (const mark of [30, 10]) if (whole === mark && this.said !== mark && !held && seconds > mark) { this.said = mark; this.say.aloud('seconds_left', { n: mark }); }
    if (whole > 30) this.said = 0;
  }

  connected(state, said) {
    clearTimeout(this.losing);
    if (state === 'live') {
      if (this.lost) { this.lost = false; this.banner(); this.say?.aloud('back'); this.orders?.changed(); }
      return;
    }
    if (state === 'refused') { this.alone('alert', capital(said)); return; }
    // a socket that is back at once is no loss
    if (!this.lost) this.losing = setTimeout(() => { this.lost = this.wasLost = true; this.banner(); this.say?.aloud('lost'); this.orders?.changed(); this.painting?.draw(); }, navigator.onLine ? LOST_AFTER_MS : 0);
  }
  banner() {
    const node = document.getElementById('lost');
    if (!node) return;
    node.hidden = !this.lost;
    document.body.classList.toggle('lost', this.lost);
    if (this.lost) show(node, icon('lost'), el('span', { text: this.say('lost') }), button(this.say('try_now'), () => line.retry()));
  }

  speak(text) {
    const node = document.getElementById('spoken');
    if (!node) return;
    // the same words twice are spoken twice
    node.textContent = node.textContent === text ? `${text}\u00a0` : text;
  }

  // ------------------------------------------------------------------ who may do what, names
  get seatRow() { return this.rules.seats.find((one) => one.key === this.seat); }
  mayOrder(kind) { return !this.seat || this.seatRow.orders.includes(kind); }
  mayMove(unit) { return !this.seat || this.seat === 'director' || this.seatRow.moves.includes(unit.split('-')[0]); }
  mayWithdraw(one) {
    const { order } = this.now.view.pending.find((other) => other.number === one.number) || {};
    if (!order) return false;
    const kind = order.kind.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase();
    return this.mayOrder(kind) && (kind !== 'move' || this.mayMove(order.unit));
  }
  seatName(key) { return key ? capital(this.rules.seats.find((one) => one.key === key)?.label || key) : this.say('whole_team'); }
  unitName(name) { const [kind, number] = name.split('-'); return `${this.rules.units.find((one) => one.key === kind)?.label || kind} ${number}`; }
  pawn(name) { const [kind, number] = name.split('-'); return `${{ patrol: '', pump: 'P', boat: 'B' }[kind] ?? kind}${number}`; }
  units() { return unitsOf(this.now.view); }
  get board() { return this.map?.board; }
  unitAt(name) { return name ? this.units().find((one) => one.name === name)?.cell : undefined; }
  doing(unit) {
    const { say, now, board } = this, action = this.rules.actions.find((one) => one.key === unit.task);
    const task = action ? action.label : unit.task ? say(`kind_${unit.task}`) : '', way = now.frame.ways[unit.name];
    const load = unit.name.startsWith('boat') && unit.task !== undefined ? `, ${say(unit.loaded ? 'loaded' : 'empty')}` : '';
    if (unit.to >= 0) {
      const hex = board.labels[unit.to];
      const going = unit.blocked || now.frame.out_of_reach.includes(unit.name) ? say('blocked', { hex }) : way && way.arrives !== null ? say('on_way_at', { hex, turn: way.arrives }) : say('on_way', { hex });
      return (task ? `${going} (${task})` : going) + load;
    }
    if (!task) return say('in_place') + load;
    if (unit.ready > now.turn) return say('set_up', { task, turn: unit.ready }) + load;
    return `${task} ${unit.links.map(this.linkName).join(', ')}`.trim() + load;
  }
  shelter(number) { return shelterOf(this, number); }
  optionName(number) { return capital(this.rules.protections[this.now.view.protection[number]].label); }
  edgeBetween(a, z) { return this.edges.get(Math.min(a, z) * this.base.n + Math.max(a, z)) ?? -1; }
  /* Whether water is known on a hex of a link: as it is told where depths are not. */
  isWet(edge) {
    const { low, high } = this.board.edge, from = this.ground.board.waterFromMm[1], { water } = this.now.view;
    return [low[edge], high[edge]].some((cell) => (water ? water[cell] > 0 : this.board.knownMm[0][cell] >= from));
  }
  edgesOf(cell) { return this.table.neighbours(cell).map((other) => this.edgeBetween(cell, other)).filter((edge) => edge >= 0); }
  get painted() { return this.painting; }
  /* How sure a hex was painted: null where it was not, '' without confidence. */
  forecastOf(cell) {
    if (this.now.phase === 'forecast') return this.painting.cells.has(cell) ? this.painting.cells.get(cell) : null;
    const at = this.now.view.forecast.indexOf(cell);
    return at < 0 ? null : this.rules.confidences.find((one) => one.percent === this.now.view.confidence[at])?.key || '';
  }

  // ------------------------------------------------------------------ orders
  /* Give an order that has no form of its own. Returns whether it was taken. */
  async give(order, reason) { return await this.offer(order, reason) === 'taken'; }
  /* The same; returns 'taken', 'refused', or 'lost' where nobody could take it now. */
  async offer(order, reason) {
    const answer = await line.send(`/api/orders?lang=${this.lang}`, { seat: this.seat, order, reason });
    const refusal = answer.lost ? { said: this.say('not_sent') } : answer.ok ? answer.body.refusal : answer.body;
    if (refusal) this.notice(refusal.rule ? this.say('refused', { rule: refusal.rule, why: refusal.said }) : refusal.said);
    if (!refusal) return 'taken';
    return answer.lost || answer.broken ? 'lost' : 'refused';
  }
  async answer(obey) {
    const given = this.now.view.pending.find((one) => one.order.kind === 'Answer');
    if (given && given.order.obey === obey) return;
    if (given && !await this.give({ turn: this.now.turn, order: 'withdraw', number: given.number }, '')) return;
    await this.give({ turn: this.now.turn, order: 'answer', obey }, this.orders.reason.value);
  }
  notice(text) {
    const node = document.getElementById('notice');
    show(node, el('span', { text, dir: 'auto' }), button('×', () => { node.hidden = true; }, { 'aria-label': this.say('close') }));
    node.hidden = false;
    clearTimeout(this.noticed);
    this.noticed = setTimeout(() => { node.hidden = true; }, 12000);
  }

  // ------------------------------------------------------------------ the map
  brush() {
    if (this.now.phase === 'forecast') return this.painting.tool === 'move' ? null : this.painting.radius;
    return this.draft && this.draft.kind === 'alert' && this.draft.cell < 0 ? this.draft.radius : null;
  }
  erasing() { return this.now.phase === 'forecast' && this.painting.tool === 'erase'; }
  hears() {
    return {
      tap: (cell, point) => {
        if (!this.orders.aim(cell, point)) this.speak(spokenOf(this, cell));
        this.map.node.focus({ preventScroll: true });
        this.card();
      },
      moved: (cell) => { this.speak(spokenOf(this, cell)); this.card(); },
      paints: () => this.now.phase === 'forecast' && this.painting.tool !== 'move',
      stroke: (cells, step) => { this.painting.draws(cells, step); if (step === 'done') this.card(); },
      key: (event) => this.key(event),
    };
  }
  key(event) {
    const cell = this.map.cursor, key = event.key.toLowerCase();
    if (key === 'escape') return this.orders.cancel();
    if (this.now.phase === 'forecast') {
      if ((key === 'enter' || key === ' ') && cell >= 0) { this.painting.draws([cell], 'going'); this.painting.draws([], 'done'); return true; }
      if (key === 'backspace' || key === 'u') { this.painting.undo(); return true; }
      return false;
    }
    if ((key === 'enter' || key === ' ') && cell >= 0) {
      if (event.shiftKey || this.draft && this.draft.isComplete && key === 'enter' && this.draft.cell === cell && !this.draft.onLinks) {
        this.node('#give')?.focus();
        return true;
      }
      if (!this.orders.aim(cell, null)) this.speak(spokenOf(this, cell));
      this.card();
      return true;
    }
    if (key === 'a' && this.mayOrder('alert')) { this.orders.begin('brush', { cell }); return true; }
    if (key === 'm') {
      const here = this.units().find((unit) => unit.cell === cell && this.mayMove(unit.name));
      this.orders.begin('unit', here ? { unit: here.name } : {});
      return true;
    }
    return false;
  }
  node(where) { return root.querySelector(where); }
  card() { drawCard(this, this.cardNode); }
  /* What may be ordered from a hex. */
  acts(cell) {
    if (this.now.phase !== 'play' || this.now.orders_left < 1) return [];
    const { say, orders, now } = this, out = [];
    if (this.mayOrder('alert') && this.board.active[cell]) out.push(button(say('alert_here'), () => orders.begin('brush', { cell }), {}, 'brush'));
    for (const unit of this.units().filter((one) => one.cell === cell && this.mayMove(one.name)).slice(0, 4)) {
      out.push(button(capital(this.unitName(unit.name)), () => orders.begin('unit', { unit: unit.name }), {}, 'units'));
    }
    for (const place of this.map.painter.placesOf[cell] || []) {
      if (place.kind === 'shelter' && this.mayOrder('close_shelter')) {
        const kind = now.view.closed[place.number] ? 'open_shelter' : 'close_shelter';
        out.push(button(say(`kind_${kind}`), () => orders.begin('shelter', { shelter: place.number, kind }), {}, 'shelters'));
      }
    }
    if (this.mayOrder('protect') && this.board.quarter[cell] >= 0) out.push(button(say('kind_protect'), () => orders.begin('quarter', { quarter: this.board.quarter[cell] }), {}, 'quarters'));
    return out;
  }
  hexButton(cell) {
    return button(this.board.labels[cell], () => { this.map.setCursor(cell); this.map.reveal(cell); }, { class: 'link number', 'aria-label': this.say('go_to', { hex: this.board.labels[cell] }) });
  }
  pickQuarter(number) {
    this.picked = this.picked === number ? -1 : number;
    if (this.picked >= 0) this.revealQuarter(number);
    this.draw();
    this.map.mark();
  }
  revealQuarter(number) {
    const cells = [];
    for (let i = 0; i < this.board.n; i++) if (this.board.quarter[i] === number) cells.push(i);
    if (cells.length) this.map.reveal(cells[Math.floor(cells.length / 2)]);
  }

  // ------------------------------------------------------------------ the page
  build() {
    const { say, ground } = this;
    document.documentElement.dataset.theme = this.night ? 'night' : 'day';
    const before = this.map, was = document.activeElement, at = was?.id ? `#${was.id}` : was?.closest('#language') ? `#language [data-value=${this.lang}]` : '';
    before?.close();
    this.table.night = this.night;
    this.map = new BoardMap(this.table, {
      water: 'known', label: say('map_label'), hovers: true, hears: this.hears(), marks: marksOf(this), id: 'map', 'aria-describedby': 'map-keys',
    });
    this.map.state.relief = 'low';
    this.map.show(this.now.frame);
    // what is being painted or ordered stays, in whatever language
    this.painting ??= new Painting(this);
    this.orders ??= new Orders(this);
    this.layersPanel = new Layers(this);
    const step = this.tutorial?.at;
    this.tutorial = new Tutorial(this);
    this.cardNode = el('div', { class: 'card' });
    this.panels = Object.fromEntries(TABS.map((tab) => [tab, el('div', { class: 'panel-body' })]));
    const tool = (text, label, act, sign = null) => button(text, act, { class: 'tool', 'aria-label': label, title: label }, sign);
    show(root,
      el('a', { class: 'skip', href: '#map', text: say('skip'), onclick: (event) => { event.preventDefault(); this.map.node.focus(); } }),
      el('header', { class: 'top' },
        el('h1', {}, el('span', { id: 'team-name', dir: 'auto' }), el('small', { id: 'district', dir: 'auto', text: this.rules.district })),
        el('div', { id: 'clock', class: 'clock' }),
        el('div', { id: 'timer', class: 'timer', role: 'timer', hidden: true }),
        el('div', { class: 'tools' },
          el('label', { class: 'seat' }, el('span', { class: 'label', text: say('seat') }), this.seatList()),
          picks(say('language'), [['fr', 'FR', 'Français'], ['en', 'EN', 'English']], this.lang, (lang) => { this.lang = lang; this.start(); }, { id: 'language' }),
          button('', () => this.dress(!this.night), { id: 'night', 'aria-label': say('night_mode'), title: say('night_mode'), 'aria-pressed': String(this.night) }, 'moon'),
          el('button', { type: 'button', id: 'help', 'aria-label': say('tutorial'), title: say('tutorial'), onclick: () => this.tutorial.begin(true) }, el('b', { text: '?' }), el('span', { class: 'label', text: say('tutorial') })))),
      el('div', { id: 'lost', class: 'lost-bar', role: 'alert', hidden: true }),
      el('main', { class: 'middle' },
        el('div', { class: 'stage' },
          this.map.node,
          el('p', { id: 'map-keys', class: 'hidden', text: say('map_keys') }),
          el('div', { class: 'zooms' },
            tool('+', say('zoom_in'), () => this.map.zoom(1.4)), tool('−', say('zoom_out'), () => this.map.zoom(1 / 1.4)), tool('', say('zoom_whole'), () => this.table.whole(), 'whole')),
          el('p', { class: 'credit' }, el('b', { text: ground.board.texts.disclaimer }), el('span', { text: ground.board.credit })),
          el('div', { class: 'notices' }, this.mail.node, el('div', { id: 'notice', class: 'notice', role: 'alert', hidden: true })),
          this.tutorial.node),
        el('section', { class: 'panel', id: 'panel-orders', tabindex: 0, 'aria-labelledby': 'head-orders' },
          el('h2', { id: 'head-orders' }), this.panels.orders),
        TABS.slice(1).map((tab) => el('section', { class: 'panel', id: `panel-${tab}`, tabindex: 0, 'aria-labelledby': `head-${tab}` }, el('h2', { id: `head-${tab}`, text: say(`tab_${tab}`) }), this.panels[tab]))),
      el('nav', { class: 'tabs', 'aria-label': say('tabs') }, TABS.map((tab) => el('button', {
        type: 'button', id: `tab-${tab}`, 'aria-expanded': 'false', 'aria-controls': `panel-${tab}`, onclick: () => this.openTab(this.tab === tab && this.narrow() ? '' : tab),
      }, icon(tab), el('span', { class: 'text', text: say(`tab_${tab}`) }), el('span', { class: 'bubble', id: `bubble-${tab}` })))),
      el('div', { id: 'spoken', class: 'hidden', 'aria-live': 'polite', role: 'status' }));
    show(this.panels.orders, el('div', { id: 'demand' }), this.since.node, this.orders.node, el('section', { 'aria-label': say('pending') }, el('h3', { text: say('pending') }), this.orders.list), el('section', { 'aria-label': say('hex_card') }, el('h3', { class: 'hidden', text: say('hex_card') }), this.cardNode));
    show(this.panels.layers, this.layersPanel.node);
    this.painting.draw();
    this.card();
    this.openTab(this.tab);
    this.banner();
    this.tick();
    this.tutorial.begin(false, step);
    this.orders.resume();
    this.since.again();
    if (at) root.querySelector(at)?.focus({ preventScroll: true });
  }
  narrow() { return window.matchMedia('(max-width: 860px)').matches; }
  seatList() {
    const list = el('select', { id: 'seat', onchange: () => { this.seat = list.value; this.draft = null; this.keepPlace(); this.start(); } },
      el('option', { value: '', text: this.say('whole_team') }),
      this.rules.seats.map((one) => el('option', { value: one.key, text: capital(one.label) })));
    list.value = this.seat;
    return list;
  }
  dress(night) {
    this.night = night;
    kept.set('night', night ? 'yes' : 'no');
    document.documentElement.dataset.theme = night ? 'night' : 'day';
    this.node('#night').setAttribute('aria-pressed', String(night));
    this.table.dress(night);
    this.layersPanel.draw();
  }

  openTab(tab) {
    this.tab = tab;
    // where there is room, orders stand beside the rest
    const beside = WIDE.matches, shown = beside && (tab === 'orders' || !tab) ? this.second || 'situation' : tab;
    if (tab && tab !== 'orders') this.second = tab;
    for (const one of TABS) {
      const on = one === shown || beside && one === 'orders';
      this.node(`#panel-${one}`).hidden = !on;
      this.node(`#tab-${one}`).setAttribute('aria-expanded', String(on));
    }
    root.classList.toggle('folded', !shown);
    if (this.shows('layers')) this.layersPanel.draw();
    this.draw();
  }

  draw() {
    if (!this.now) return; // it begins again
    const { say, now } = this, view = now.view;
    this.node('#team-name').textContent = now.team.name;
    const phase = now.phase === 'forecast' ? say('forecast') : now.phase === 'over' ? say('over_short') : say('turn_of', { turn: now.turn, turns: now.turns });
    show(this.node('#clock'),
      el('b', { class: 'turn', text: phase }),
      el('span', { class: 'hour', title: say(view.night ? 'night' : 'day') }, icon(view.night ? 'moon' : 'sun'), el('span', { class: 'hidden', text: say(view.night ? 'night' : 'day') }), now.clock),
      now.phase === 'play' ? el('span', { class: 'left', id: 'left', text: say('orders_left', { n: now.orders_left, of: view.orders }) }) : null,
      el('span', { class: 'capital', title: say('capital') }, icon('capital'), el('span', { class: 'hidden', text: say('capital') }), String(view.capital)),
      now.bulletin ? el('span', { class: 'bulletin', dir: 'auto', title: say('bulletin') }, icon('situation'), el('span', { class: 'hidden', text: say('bulletin') }), capital(now.bulletin)) : null);
    this.node('#head-orders').textContent = say(now.phase === 'forecast' ? 'forecast' : 'tab_orders');
    this.node('#tab-orders .text').textContent = say(now.phase === 'forecast' ? 'forecast_short' : 'tab_orders');
    this.node('#bubble-orders').textContent = now.pending.length ? String(now.pending.length) : '';
    const demand = injunctionOf(this);
    this.badges(demand && !view.pending.some((one) => one.order.kind === 'Answer'));
    show(this.node('#demand'), demand);
    this.mail.draw();
    this.painting.draw();
    this.orders.draw();
    this.orders.drawList();
    this.card();
    this.drawPanels();
  }
  /* What came and was not looked at yet. */
  badges(isDemanded) {
    const { unread } = this.since;
    for (const tab of Object.keys(unread)) if (this.shows(tab)) this.since.looked(tab);
    this.node('#bubble-situation').textContent = isDemanded ? '!' : unread.situation || '';
    this.node('#bubble-journal').textContent = unread.journal || '';
  }
  shows(tab) { const panel = this.node(`#panel-${tab}`); return Boolean(panel) && !panel.hidden; }
  drawPanels() {
    const draw = { situation: drawSituation, quarters: drawQuarters, shelters: drawShelters, units: drawUnits, journal: drawJournal };
    for (const [tab, fill] of Object.entries(draw)) if (this.shows(tab)) fill(this, this.panels[tab]);
  }
}

const app = new App();
WIDE.addEventListener('change', () => app.map && app.openTab(app.tab || 'orders'));
// from wherever the keyboard is, once nothing else took it
document.addEventListener('keydown', (event) => { if (event.key === 'Escape' && !event.defaultPrevented && app.tutorial?.at >= 0) app.tutorial.end(); });
app.start();
export { app };
