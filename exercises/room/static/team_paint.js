/* The forecast, painted before turn 1: strokes of a brush, each one order; undone by withdrawing. */
import { brushSize, button, el, part, picks, show, typed } from './team_dom.js';

const RADII = [0, 1, 2, 3], KEPT_MS = 20 * 60000;

export class Painting {
  constructor(app) {
    this.app = app;
    this.radius = 1;
    this.sure = 'likely';
    this.tool = 'paint';
    this.stroke = null;
    this.waiting = this.left(); // strokes that were not acknowledged yet
    this.settled = new Map();
    this.cells = new Map(); // hex → '' or confidence, as shown
    this.node = el('div', { class: 'painting' });
  }

  /* They are kept in this window: it may be loaded again before the network is back. */
  get place() { return `strokes${this.app.prefix}`; }
  keep() {
    const strokes = this.waiting.map((one) => ({ ...one, cells: [...one.cells] }));
    typed.set(this.place, strokes.length ? JSON.stringify({ at: Date.now(), of: this.app.board.labels.length, strokes }) : '');
  }
  left() {
    try {
      const { at, of, strokes } = JSON.parse(typed.get(this.place));
      if (of !== this.app.board.labels.length || Math.abs(Date.now() - at) > KEPT_MS) return [];
      return strokes.map((one) => ({ ...one, cells: new Set(one.cells), again: true }));
    } catch { return []; /* nothing that can be read */ }
  }

  get isOpen() { return this.app.now.phase === 'forecast'; }
  /* Orders of the forecast that stand, with their numbers. */
  get standing() { return this.app.now.view.pending.filter((one) => one.order.kind === 'Forecast'); }

  refresh() {
    // a button still down as the forecast closes paints no more
    if (this.stroke && !this.isOpen) { this.waiting.push(this.stroke); this.stroke = null; }
    this.cells = new Map();
    for (const { order } of this.standing) for (const cell of order.cells) this.cells.set(cell, order.confidence || '');
    for (const one of this.waiting) this.lay(one);
    this.settled = new Map(this.cells); // all but the stroke that goes on
    if (this.stroke) this.lay(this.stroke);
    this.app.map.mark();
  }
  lay(stroke) {
    for (const cell of stroke.cells) {
      if (stroke.tool === 'erase') this.cells.delete(cell); else this.cells.set(cell, stroke.sure);
    }
  }

  take(tool) {
    this.tool = tool;
    this.draw();
    this.app.map.mark();
  }

  /* Hexes come under the brush one by one; a stroke is sent when it ends. */
  draws(cells, step) {
    if (step === 'dropped') { this.stroke = null; this.refresh(); return; }
    if (!this.isOpen) return;
    if (!this.stroke) this.stroke = { tool: this.tool, sure: this.sure, cells: new Set() };
    const { app, stroke } = this, fresh = new Set();
    for (const cell of cells) {
      for (const one of app.table.disk(cell, this.radius)) if (app.board.active[one] && !stroke.cells.has(one)) fresh.add(one);
    }
    for (const one of fresh) stroke.cells.add(one);
    this.lay({ ...stroke, cells: fresh });
    app.map.add(app.map.marks.stroked(fresh, stroke.tool));
    this.count();
    if (step !== 'done') return;
    this.stroke = null;
    stroke.cells = new Set([...stroke.cells].filter((cell) => this.changes(stroke, cell)));
    if (!stroke.cells.size) { this.refresh(); return; } // all of it was so before
    this.app.say.aloud('spoken_stroke', { n: stroke.cells.size, all: this.cells.size });
    this.waiting.push(stroke);
    this.keep();
    this.settled = new Map(this.cells);
    this.app.map.mark();
    this.send();
  }

  changes({ tool, sure }, cell) { return tool === 'erase' ? this.settled.has(cell) : this.settled.get(cell) !== sure; }

  /* One after the other, in their order; what nobody could take stays on the page and is sent again,
     what was refused is gone, with its reason. */
  async send() {
    if (this.sending) return;
    this.sending = true;
    let late = 0;
    try {
      while (this.waiting.length && this.isOpen) {
        const stroke = this.waiting[0];
        if (stroke.again) this.spare(stroke);
        const came = !stroke.cells.size && !stroke.owed ? 'taken' : stroke.tool === 'erase' ? await this.erase(stroke) : await this.give(stroke);
        if (came === 'lost') break;
        await this.app.line.ask();
        this.waiting.shift();
        if (came === 'refused' && !this.isOpen && this.lacks(stroke)) late += 1;
        this.keep();
      }
      if (!this.isOpen) {
        late += this.waiting.filter((one) => this.lacks(one)).length;
        this.waiting = [];
      }
    } finally { this.sending = false; this.keep(); }
    if (late) this.app.notice(this.app.say('strokes_late', { n: late }));
    this.refresh();
    this.draw();
  }
  /* Of a stroke that was kept, what stands by now is not sent again: the room may have had it, or a copy of
     this window may have sent it. */
  spare(stroke) {
    const stands = new Map();
    for (const { order } of this.standing) for (const cell of order.cells) stands.set(cell, order.confidence || '');
    const isSo = (cell) => (stroke.tool === 'erase' ? !stands.has(cell) : stands.get(cell) === stroke.sure);
    stroke.cells = new Set([...stroke.cells].filter((cell) => !isSo(cell)));
    if (stroke.owed?.cells.every((cell) => stands.get(cell) === stroke.owed.sure)) stroke.owed = null;
  }
  /* Whether the forecast that stands for good is without some of a stroke. */
  lacks({ tool, sure, cells, owed }) {
    const isSo = (cell) => this.app.forecastOf(cell) === (tool === 'erase' ? null : sure);
    return ![...cells].every(isSo) || Boolean(owed?.cells.some((cell) => this.app.forecastOf(cell) !== owed.sure));
  }
  async give({ cells, sure }) {
    const order = { turn: 0, order: 'forecast', cells: [...cells].sort((a, z) => a - z).map((cell) => this.app.board.labels[cell]) };
    if (sure) order.confidence = sure;
    return this.app.offer(order, '');
  }
  /* An order stands or it does not: those that hold an erased hex are withdrawn, the rest given anew. */
  async erase(stroke) {
    const { cells } = stroke, last = new Map();
    const restore = async () => {
      const came = await this.give(stroke.owed);
      if (came !== 'lost') stroke.owed = null;
      return came;
    };
    // the network went between a withdrawal and what was to stand in its place
    if (stroke.owed && await restore() === 'lost') return 'lost';
    for (const { number, order } of this.standing) for (const cell of order.cells) last.set(cell, number);
    for (const { number, order } of this.standing) {
      if (!order.cells.some((cell) => cells.has(cell))) continue;
      let came = await this.app.offer({ turn: 0, order: 'withdraw', number }, '');
      const left = order.cells.filter((cell) => !cells.has(cell) && last.get(cell) === number);
      if (came === 'taken' && left.length) {
        stroke.owed = { cells: left, sure: order.confidence || '' };
        this.keep();
        came = await restore();
      }
      if (came !== 'taken') return came;
    }
    return 'taken';
  }

  async undo() {
    if (this.waiting.length && !this.sending) { this.waiting.pop(); this.keep(); this.refresh(); this.draw(); return; }
    const last = this.standing.at(-1);
    if (!last) return;
    if (await this.app.give({ turn: 0, order: 'withdraw', number: last.number }, '')) {
      await this.app.line.ask();
      this.app.say.aloud('spoken_undone', { all: this.cells.size });
    }
  }

  draw() {
    const { app } = this, { say } = app, pick = (name) => (value) => { this[name] = value; this.draw(); app.map.mark(); };
    const sizes = RADII.map((radius) => brushSize(say, radius));
    const sures = [...app.rules.confidences.map((one) => [one.key, `${{ sure: '●', likely: '◐', possible: '○' }[one.key]} ${one.label}`]), ['', say('no_confidence')]];
    show(this.node,
      el('p', { text: say('forecast_lead', { rule: say('cut_rule') }) }),
      part(say('tool'), picks(say('tool'), ['paint', 'erase', 'move'].map((tool) => [tool, say(tool === 'move' ? 'move_map' : tool), undefined, tool]), this.tool, pick('tool'))),
      part(say('brush'), picks(say('brush'), sizes, this.radius, pick('radius'))),
      part(say('confidence'), picks(say('confidence'), sures, this.sure, pick('sure'))),
      el('p', { class: 'tally' }),
      el('div', { class: 'row' }, button(say('undo'), () => this.undo(), { id: 'undo', disabled: !this.standing.length && !this.waiting.length }, 'undo')),
      this.waiting.length && app.lost ? el('p', { class: 'warn', text: say('strokes_wait', { n: this.waiting.length }) }) : null,
      el('p', { class: 'soft', text: say('forecast_keys') }));
    this.count();
  }
  count() {
    const line = this.node.querySelector('.tally');
    if (line) line.textContent = this.app.say('painted', { n: this.cells.size });
  }
}
