/* What happened while a seat was away, in one glance: for who comes back after a turn, or comes late. */
import { button, capital, el, kept, show } from './team_dom.js';

const MOST_LINES = 6;
// the last of each tells where things stand; of the others, every one counts
const LAST_OF = ['BulletinIssued'];
const TOLD = ['MessageSent', 'CardDrawn', 'InjunctionSettled', 'LossRolled', 'ShelterFull', 'Isolated', 'UnitBlocked', ...LAST_OF];

export class Since {
  constructor(app) {
    this.app = app;
    this.node = el('section', { id: 'since', class: 'since', role: 'status', hidden: true });
  }

  get place() { return `seen${this.app.prefix}/${this.app.seat}`; }

  /* What this browser has shown at this seat; null where it showed nothing of this exercise yet. */
  get left() {
    try {
      const { turn, events } = JSON.parse(kept.get(this.place));
      return turn <= this.app.now.turn && events <= this.app.events.length ? { turn, events } : null;
    } catch { return null; }
  }

  /* The page shows all that happened now. */
  seen() { kept.set(this.place, JSON.stringify({ turn: this.app.now.turn, events: this.app.events.length })); }

  /* To be called where the page shows a moment after having shown none, or a lost one. */
  back() {
    const { app } = this, { now } = app, left = this.left, from = left ? left.turn : 0;
    if (now.turn > from && now.turn > 1) this.draw(left, from);
    this.seen();
  }

  draw(left, from) {
    const { app } = this, { say, now } = app, events = app.events.slice(left ? left.events : 0);
    const last = new Map(LAST_OF.map((kind) => [kind, events.findLast((one) => one.kind === kind)]));
    const lines = events.filter((one) => TOLD.includes(one.kind) && (last.get(one.kind) ?? one) === one).slice(-MOST_LINES);
    const close = () => { this.node.hidden = true; };
    show(this.node,
      el('h3', { text: left ? say('since_left', { from }) : say('since_start', { turn: now.turn }) }),
      el('p', { text: say('since_turns', { n: now.turn - Math.max(1, from), orders: events.filter((one) => one.kind === 'OrderTaken').length }) }),
      el('ul', {}, lines.reverse().map((one) => el('li', { dir: 'auto' }, el('span', { class: 'soft', text: `${say('turn_short', { turn: one.turn })} · ` }), capital(one.said)))),
      el('div', { class: 'row' },
        button(say('since_all'), () => { close(); app.openTab('journal'); }, {}, 'journal'),
        button(say('close'), close, { id: 'since-close' })));
    this.node.hidden = false;
  }
}
