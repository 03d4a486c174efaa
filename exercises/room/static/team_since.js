/* What has just happened to a seat, in one strip: as a turn opens or a message comes, and for who comes back or comes late. */
import { button, capital, el, kept, show } from './team_dom.js';

const MOST_LINES = 6, MOST_SPOKEN = 6;
// the last of each tells where things stand; of the others, every one counts
const LAST_OF = ['BulletinIssued'];
const TOLD = ['MessageSent', 'CardDrawn', 'InjunctionSettled', 'LossRolled', 'ShelterFull', 'Isolated', 'UnitBlocked', ...LAST_OF];
// as a turn opens: what befell the team, what became of its orders; the rest only while there is room
const BEFELL = ['CardDrawn', 'InjunctionAnswered', 'InjunctionSettled', 'LossRolled', 'ExerciseEnded'];
const CAME_OF_ORDERS = ['OrderRefused', 'UnitBlocked', 'AlertRolled', 'QuarterAlerted', 'RoutesLost', 'Isolated', 'ShelterFull', 'WorkReady', 'WorkDone', 'Delivered', 'ProtectionSet', 'ShelterClosed'];
const IF_ROOM = ['Found', 'Reported', 'Observed', 'UnitMoved'];
const ROLL = / \((\d+(?: [+−] \d+)?)\)(?=\u00a0?:)/;
const BAD = new Set(['OrderRefused', 'UnitBlocked', 'RoutesLost', 'Isolated', 'LossRolled']);

/* What went wrong: an alert that nobody heard, an order that was not carried out. */
export function isBad(one) { return Boolean(one.failed) || BAD.has(one.kind); }
/* Messages, then what went wrong. Of a turn's alerts some of which failed, each that failed stands beside one that
   did not, of the same quarter where there is one: who reads the first lines learns both. */
export function badFirst(lines) {
  const isAlert = (one) => one.kind === 'AlertRolled', failed = lines.filter((one) => isAlert(one) && isBad(one));
  const came = lines.filter((one) => isAlert(one) && !isBad(one) && failed.some((other) => other.turn === one.turn));
  const besides = new Map(), pair = (fits) => {
    for (const one of failed) {
      const at = besides.has(one) ? -1 : came.findIndex((other) => other.turn === one.turn && fits(one, other));
      if (at >= 0) besides.set(one, ...came.splice(at, 1));
    }
  };
  pair((one, other) => one.quarter === other.quarter);
  pair(() => true);
  const alerts = [...failed.flatMap((one) => (besides.has(one) ? [one, besides.get(one)] : [one])), ...came], rest = lines.filter((one) => !alerts.includes(one)), of = (wanted) => rest.filter((one) => rank(one) === wanted);
  return [...of(0), ...alerts, ...of(1), ...of(2)];
}
function rank(one) { return one.kind === 'MessageSent' ? 0 : isBad(one) ? 1 : 2; }
/* What is said of an alert, the figure in brackets told for what it is. */
function plainly(app, one) {
  return capital(one.said).replace(ROLL, (_, roll) => ` (${app.say('dice')} ${roll})`);
}

export class Since {
  constructor(app) {
    this.app = app;
    this.node = el('section', { id: 'since', class: 'since', hidden: true });
    this.spans = []; // of events and messages, the last first
    this.missed = null;
    this.unread = { situation: 0, journal: 0 };
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

  /* To be called where the page shows a moment after having shown none, or a lost one. Returns what is to be spoken. */
  back() {
    const { app } = this, { now } = app, left = this.left, from = left ? left.turn : 0;
    const missed = now.turn > from && now.turn > 1;
    if (missed) {
      this.spans = [];
      this.missed = { left, from, turn: now.turn, to: app.events.length };
      this.drawMissed();
    }
    this.seen();
    return missed ? this.node.querySelector('h3').textContent : '';
  }

  /* To be called where the page shows a moment after another. Returns what is new, to be spoken. */
  news(before) {
    const { app } = this, { now } = app, opened = now.turn !== before.turn;
    const span = { from: before.events_total, to: app.events.length, mail: before.messages.length, mailTo: now.messages.length, opened };
    const lines = this.linesOf(span), mail = span.mailTo - span.mail;
    this.seen();
    if (opened) this.spans = [];
    if (lines.some((one) => one.kind !== 'Observed')) {
      this.spans.unshift(span);
      this.missed = null;
      this.unread.situation += mail;
      this.unread.journal += lines.length;
      this.drawNews();
    } else if (opened) this.node.hidden = true;
    const also = opened ? app.events.slice(span.from, span.to).filter((one) => one.kind === 'BulletinIssued').slice(-1) : [];
    // a message speaks for itself, in its own notice
    return [...lines.filter((one) => one.kind !== 'MessageSent').slice(0, MOST_SPOKEN), ...also].map((one) => capital(one.said).replace(/\.$/, '')).join('. ');
  }

  /* What is told of a stretch of events and messages, in the page's language. */
  linesOf({ from, to, mail, mailTo, opened }) {
    const { app } = this, letters = app.now.messages.slice(mail, mailTo).map(({ turn, text }) => ({ turn, kind: 'MessageSent', said: app.say('message_says', { text }) }));
    const fresh = opened ? app.events.slice(from, to) : [], of = (kinds) => fresh.filter((one) => kinds.includes(one.kind));
    const most = badFirst([...letters, ...of(BEFELL), ...of(CAME_OF_ORDERS)]);
    return [...most, ...of(IF_ROOM).slice(0, Math.max(0, MOST_LINES - most.length))];
  }

  /* The same in another language. */
  again() {
    if (this.node.hidden) return;
    if (this.missed) this.drawMissed(); else this.drawNews();
  }

  /* A part that is looked at holds nothing unread. */
  looked(tab) { if (tab in this.unread) this.unread[tab] = 0; }

  close() {
    this.node.hidden = true;
    this.spans = [];
    this.missed = null;
    this.unread.journal = 0;
    this.app.draw();
  }

  drawNews() { this.put(this.app.say('just_happened'), null, this.spans.flatMap((span) => this.linesOf(span))); }

  drawMissed() {
    const { app, missed } = this, { left, from, turn, to } = missed, { say } = app, events = app.events.slice(left ? left.events : 0, to);
    const last = new Map(LAST_OF.map((kind) => [kind, events.findLast((one) => one.kind === kind)]));
    const lines = events.filter((one) => TOLD.includes(one.kind) && (last.get(one.kind) ?? one) === one).slice(-MOST_LINES);
    this.put(left ? say('since_left', { from }) : say('since_start', { turn }),
      say('since_turns', { n: turn - Math.max(1, from), orders: events.filter((one) => one.kind === 'OrderTaken').length }), badFirst(lines.reverse()));
  }

  put(title, lead, lines) {
    const { app } = this, { say } = app;
    show(this.node,
      el('div', { class: 'since-head' }, el('div', {}, el('h3', { text: title }), el('p', { class: 'soft when-folded', text: say('news_folded', { n: lines.length }) })), button('×', () => this.close(), { id: 'since-close', class: 'small', 'aria-label': say('close') })),
      lead && el('p', { text: lead }),
      el('ul', { tabindex: 0, 'aria-label': title }, lines.map((one) => el('li', { dir: 'auto', class: isBad(one) ? `${one.kind} bad` : one.kind },
        el('span', { class: 'soft', text: `${say('turn_short', { turn: one.turn })} · ` }), plainly(app, one)))),
      button(say('since_all'), () => { this.close(); app.openTab('journal'); }, { class: 'link' }));
    this.node.setAttribute('aria-label', title);
    this.node.hidden = false;
    // who is at work on an order is not carried off from it: the badges tell
    if (!app.draft) this.node.closest('.panel')?.scrollTo(0, 0);
  }
}
