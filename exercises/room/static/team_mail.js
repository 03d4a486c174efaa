/* Messages from the instructor: over the map, whatever part of the page is open, until they are closed. */
import { button, el, kept, show } from './team_dom.js';
import { icon } from './icons.js';

export class Mail {
  constructor(app) {
    this.app = app;
    this.node = el('section', { id: 'mail', class: 'mail', role: 'alert', hidden: true });
    this.shown = '';
    this.closed = null; // how many this page closed, where the browser keeps nothing
  }

  get place() { return `mail${this.app.prefix}/${this.app.seat}`; }
  /* How many of the messages were closed here: none where the last of them is of another exercise. */
  get read() {
    try {
      const { n, text } = this.closed?.place === this.place ? this.closed : JSON.parse(kept.get(this.place));
      return this.app.now.messages[n - 1]?.text === text ? n : 0;
    } catch { return 0; }
  }

  /* What is spoken once is not drawn again: an alert is spoken whenever it changes. */
  draw() {
    const { app } = this, { say } = app, fresh = app.now.messages.slice(this.read), said = JSON.stringify([app.lang, fresh]);
    this.node.hidden = !fresh.length;
    if (said === this.shown) return;
    this.shown = said;
    show(this.node, fresh.length ? [
      el('div', {}, el('b', {}, icon('journal'), el('span', { text: say('message_notice') })),
        fresh.map(({ turn, text }) => el('p', { dir: 'auto' }, el('span', { class: 'soft', text: `${say('turn_short', { turn })} · ` }), text))),
      button('×', () => this.close(), { id: 'mail-close', class: 'small', 'aria-label': say('close') }),
    ] : []);
  }

  close() {
    const { messages } = this.app.now;
    this.closed = { place: this.place, n: messages.length, text: messages.at(-1).text };
    kept.set(this.place, JSON.stringify(this.closed));
    this.draw();
    this.app.map.node.focus({ preventScroll: true });
  }
}
