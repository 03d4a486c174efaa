/* Any past turn of a team: as it saw it, as it was, and the difference (the observer's seat). */
import { boardOn, countsOf, hexWords, waterClass } from './board_words.js';
import { fill, figure, orderLine, section } from './console_play.js';
import { tried } from './console_dialogs.js';
import { get } from './net.js';
import { capital, say } from './said.js';
import { Timeline } from './timeline.js';

const el = averse.el;
const SAME = 0, RIGHT = 1, MISSED = 2, FALSE = 3;
const KINDS = [['hit', 'seen_right'], ['miss', 'seen_missed'], ['falseAlarm', 'seen_false']];

export class Past {
  constructor(app) {
    this.app = app;
    this.boards = this.single = true;
    this.kept = new Map();
    const story = {
      title: say('difference'), legend: KINDS.map(([look, key]) => [look, say(key)]), choices: [{ legend: [] }]
    };
    this.belief = boardOn(app.table, { water: 'known', label: say('what_is_believed') });
    this.truth = boardOn(app.table, { water: 'true', label: say('what_is_true') });
    this.gap = boardOn(app.table, { water: 'true', label: say('difference'), plain: true, story });
    this.gap.state.layers.water = { on: false, opacity: 1 };
    this.believedBy = el('figcaption', {});
    this.counts = el('p', { class: 'counts' });
    this.line = new Timeline({ label: say('turn_shown'), moved: () => this.load() });
    this.heading = el('h2', {});
    this.bulletin = el('p', { class: 'bulletin' });
    this.read = el('output', { class: 'read', text: say('board_hint') });
    this.orders = el('ol', { class: 'orders' });
    this.events = el('ul', { class: 'events' });
    this.root = el('section', { class: 'part', 'aria-label': say('part_past') }, [
      el('div', { class: 'lead' }, [this.heading, this.bulletin]), this.line.root,
      el('div', { class: 'boards three' }, [
        figure(this.belief, this.believedBy), figure(this.truth, el('figcaption', { text: say('what_was_true') })), el('figure', {}, [el('figcaption', { text: say('difference') }), this.gap.node, this.counts])
      ]),
      this.read,
      el('div', { class: 'columns two' }, [section(say('orders_then'), this.orders), section(say('log_then'), this.events)])
    ]);
    app.table.reads.push(() => this.describe());
  }

  show(now) {
    const team = this.app.someTeam();
    if (this.key !== team.key) { this.key = team.key; this.line.slider.value = this.line.slider.max; }
    this.heading.textContent = team.name;
    this.believedBy.textContent = say('believed_then', { team: team.name });
    this.line.span(Math.min(team.turn, now.turns), []);
    this.load();
  }

  /* A turn that is over is kept: nothing changes it any more. */
  async load() {
    const key = this.key, turn = this.line.turn, name = `${key}/${turn}`;
    const team = this.app.now.teams.find((one) => one.key === key);
    const found = this.kept.get(name) || await tried(() => get(`turn/${encodeURIComponent(key)}/${turn}`));
    if (!found) return;
    if (turn < team.turn) this.kept.set(name, found);
    if (key !== this.key || turn !== this.line.turn) return;
    this.line.clocks[turn] = found.clock;
    this.line.name();
    this.bulletin.textContent = capital(found.bulletin);
    this.belief.show(found.believed);
    this.truth.show(found.frame);
    const row = this.difference();
    this.gap.show(found.frame, 0, [row]);
    this.counts.replaceChildren(...countsOf(this.gap, KINDS, row));
    fill(this.orders, found.orders.map((one) => orderLine(this.app, one)), say('no_orders_then'));
    fill(this.events, found.events.map((event) => el('li', {}, [el('span', { text: event.said })])), say('no_events'));
    this.describe();
  }

  describe() {
    if (!this.truth.board || !this.root.isConnected) return;
    this.read.textContent = hexWords(this.app.table, this.app.table.cursor, { truth: this.truth.board, belief: this.belief.board });
  }

  /* By hex: wet as believed, wet unbeknown, dry but believed wet. */
  difference() {
    const table = this.app.table, truth = this.truth.board.trueMm[0], known = this.belief.board.knownMm[0];
    return Int32Array.from(truth, (mm, cell) => {
      if (!table.cells.active[cell]) return SAME;
      const wet = waterClass(table, mm) > 0, thought = waterClass(table, known[cell]) > 0;
      return wet ? (thought ? RIGHT : MISSED) : thought ? FALSE : SAME;
    });
  }
}
