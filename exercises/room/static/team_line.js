/* The line to the room: asks for `now` when the room says that it changed, and comes back by itself. */

import { early } from './team_early.js';

const FIRST_WAIT_MS = 400, LONGEST_WAIT_MS = 8000, LONGEST_ANSWER_MS = 10000, QUIET_MS = 30000;

/* `heard` is told: now(now, events since the start), timer(timer), state('live' | 'lost' | 'refused', said). */
export class Line {
  constructor(prefix, heard) {
    this.prefix = prefix;
    this.heard = heard;
    this.seat = '';
    this.lang = 'fr';
    this.socket = null;
    this.wait = FIRST_WAIT_MS;
    this.run = 0;
    this.closed = true;
    window.addEventListener('offline', () => { if (!this.closed) this.cut(); });
    window.addEventListener('online', () => { if (!this.closed) this.retry(); });
    document.addEventListener('visibilitychange', () => {
      if (!this.closed && !document.hidden) this.ask();
    });
    // a network may vanish without a word
    setInterval(() => {
      if (!this.closed && !document.hidden && Date.now() - this.contact > QUIET_MS) this.ask();
    }, 5000);
  }

  open(seat, lang) {
    this.close();
    this.closed = false;
    this.seat = seat;
    this.lang = lang;
    this.events = [];
    this.contact = Date.now();
    this.seq = null;
    this.wait = FIRST_WAIT_MS;
    this.listen();
  }

  close() {
    this.closed = true;
    this.run += 1;
    clearTimeout(this.again);
    this.hangUp();
  }

  hangUp() {
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onclose = null;
    // a browser complains of one that is closed before it was open
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  /* The line is away: say so, and try again later and later. */
  cut() {
    this.hangUp();
    clearTimeout(this.again);
    this.heard.state('lost', this.wait);
    // screens of a room that comes back do not all knock at once
    this.again = setTimeout(() => this.listen(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
  }

  retry() {
    clearTimeout(this.again);
    this.wait = FIRST_WAIT_MS;
    this.hangUp();
    this.listen();
  }

  listen() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${this.prefix}/api/live?seat=${this.seat}`);
    this.socket = socket;
    socket.onmessage = (message) => {
      if (socket !== this.socket) return;
      const pulse = JSON.parse(message.data);
      this.contact = Date.now();
      this.heard.timer(pulse.timer);
      const behind = () => { if (pulse.seq !== this.seq || this.isLost) this.ask(); };
      if (this.asking) this.asking.then(behind); else behind();
    };
    socket.onclose = () => { if (socket === this.socket) { this.isLost = true; this.probe(); } };
  }

  /* The room may have shut the door for good: then there is nothing to come back to. */
  async probe() {
    const run = this.run;
    this.cut();
    try {
      const answer = await this.fetch(`/api/proof?lang=${this.lang}`);
      if (run === this.run && answer.status === 403) this.refused((await answer.json()).said);
    } catch { /* away */ }
  }

  refused(said) {
    this.close();
    this.heard.state('refused', said);
  }

  /* Ends when the page knows all that had happened when it asked. */
  ask() {
    if (this.asking) this.more = true;
    else this.asking = this.asks().finally(() => { this.asking = null; });
    return this.asking;
  }
  async asks() {
    const run = this.run;
    try {
      do {
        this.more = false;
        const since = this.events.length;
        const answer = await this.fetch(`/api/now?seat=${this.seat}&lang=${this.lang}&since=${since}`);
        const now = await answer.json();
        if (run !== this.run) break;
        if (answer.status === 403) { this.refused(now.said); break; }
        if (!answer.ok) throw new Error(now.said);
        if (now.events_total < since) { this.events = []; this.more = true; continue; } // another exercise
        this.events.push(...now.events);
        this.seq = now.seq;
        this.contact = Date.now();
        this.isLost = false;
        this.wait = FIRST_WAIT_MS;
        this.heard.state('live');
        this.heard.now(now, this.events);
      } while (this.more);
    } catch (fault) {
      if (run === this.run) { this.isLost = true; this.cut(); }
      if (!isAway(fault)) console.error(fault);
    }
    // it was opened anew in the meantime, at another seat or in another language
    if (run !== this.run && !this.closed) await this.asks();
  }

  async fetch(path, more = {}) {
    return await early(path) ?? fetch(this.prefix + path, { signal: AbortSignal.timeout(LONGEST_ANSWER_MS), ...more });
  }

  /* Answers {ok, lost, broken, body}: `lost` where nobody answered, `broken` where the room could not
     write it down. */
  async send(path, body) {
    const more = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return this.answer(path, more);
  }

  async answer(path, more) {
    try {
      const answer = await this.fetch(path, more);
      this.contact = Date.now();
      return { ok: answer.ok, lost: false, broken: answer.status >= 500, body: await answer.json() };
    } catch (fault) {
      if (!isAway(fault)) throw fault;
      if (!this.closed && !this.isLost) { this.isLost = true; this.cut(); }
      return { ok: false, lost: true, broken: false, body: {} };
    }
  }
}

/* What `fetch` throws when nobody answers: no network, or too late. */
function isAway(fault) {
  return fault instanceof TypeError || fault.name === 'TimeoutError' || fault.name === 'AbortError';
}
