/* A slider through the turns of an exercise, with a button that plays them. */
import { say } from './said.js';

const STEP_MS = 700, THUMB_PX = 16;

/* `moved` is called with a turn whenever the one shown changes. */
export class Timeline {
  constructor({ label, moved }) {
    this.moved = moved;
    this.clocks = [];
    this.ended = null;
    this.marks = [];
    this.timer = 0;
    this.slider = averse.el('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': label, class: 'turns' });
    // a browser's own ticks are too faint to be seen
    this.ticks = averse.el('span', { class: 'ticks', 'aria-hidden': 'true' });
    this.output = averse.el('output', { class: 'when' });
    this.button = averse.el('button', { type: 'button', class: 'quiet play', 'aria-pressed': 'false', text: '▶', 'aria-label': say('play'), title: say('play') });
    const back = averse.el('button', { type: 'button', class: 'quiet', text: '−1', 'aria-label': say('turn_back'), onclick: () => this.step(-1) });
    const on = averse.el('button', { type: 'button', class: 'quiet', text: '+1', 'aria-label': say('turn_on'), onclick: () => this.step(1) });
    this.button.addEventListener('click', () => this.play(!this.timer));
    this.slider.addEventListener('input', () => { this.play(false); this.tell(); });
    this.root = averse.el('div', { class: 'timeline' }, [this.button, back, averse.el('span', { class: 'track' }, [this.slider, this.ticks]), on, this.output]);
  }

  get turn() { return Number(this.slider.value); }

  /* Turns 0 to `last`; `clocks` are their times of day. The turn shown is kept where there is one.
     `marks` are [turn, said]: what happened there. `ended` = { turn, said } where play ended before
     the last turn: what is said of later ones. */
  span(last, clocks = [], ended = null, marks = []) {
    this.ended = ended;
    this.marks = marks.filter(([turn]) => turn !== null && turn >= 0 && turn <= last);
    // what is said of turns is long: it has a line of its own, and the slider keeps its length
    this.root.classList.toggle('marked', Boolean(ended) || marks.length > 0);
    const atEnd = this.turn === Number(this.slider.max);
    this.clocks = clocks;
    this.slider.max = last;
    if (atEnd) this.slider.value = last;
    this.ticks.replaceChildren(...[...new Set(this.marks.map(([turn]) => turn))].map((turn) => {
      const tick = averse.el('i', { title: [say('turn_n', { n: turn }), ...this.at(turn)].join(' · ') }), share = last ? turn / last : 0;
      tick.style.left = `calc(${100 * share}% + ${THUMB_PX * (0.5 - share)}px)`;
      tick.addEventListener('click', () => { this.play(false); this.go(turn); });
      return tick;
    }));
    this.name();
  }

  go(turn) {
    this.slider.value = turn;
    this.tell();
  }

  step(by) {
    this.play(false);
    this.go(Math.max(0, Math.min(Number(this.slider.max), this.turn + by)));
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = 0;
    if (on) {
      if (this.turn === Number(this.slider.max)) this.go(0);
      this.timer = setInterval(() => {
        if (!this.root.isConnected || this.turn >= Number(this.slider.max)) this.play(false);
        else this.go(this.turn + 1);
      }, STEP_MS);
    }
    this.button.setAttribute('aria-pressed', String(on));
    this.button.textContent = on ? '❚❚' : '▶';
    this.button.setAttribute('aria-label', say(on ? 'pause' : 'play'));
  }

  /* What happened in a turn. */
  at(turn) { return this.marks.filter(([one]) => one === turn).map(([, said]) => said); }

  tell() {
    this.name();
    this.moved(this.turn);
  }

  name() {
    const clock = this.clocks[this.turn], happened = this.at(this.turn);
    if (this.ended && this.turn > this.ended.turn) happened.push(this.ended.said);
    this.output.textContent = [say('turn_of', { n: this.turn, all: Number(this.slider.max) }), clock, ...happened].filter(Boolean).join(' · ');
    this.slider.setAttribute('aria-valuetext', this.output.textContent);
  }
}
