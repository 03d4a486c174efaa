/* A slider through the turns of an exercise, with a button that plays them. */
import { say } from './said.js';

const STEP_MS = 700;
let made = 0;

/* `moved` is called with a turn whenever the one shown changes. */
export class Timeline {
  constructor({ label, moved }) {
    this.moved = moved;
    this.clocks = [];
    this.ended = null;
    this.timer = 0;
    // the turn with which play ended early has a mark of its own on the slider
    this.mark = averse.el('option', { value: 0 });
    const marks = averse.el('datalist', { id: `timeline-marks-${++made}` }, [this.mark]);
    this.slider = averse.el('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': label, class: 'turns', list: marks.id });
    this.output = averse.el('output', { class: 'when' });
    this.button = averse.el('button', { type: 'button', class: 'quiet play', 'aria-pressed': 'false', text: '▶', 'aria-label': say('play'), title: say('play') });
    const back = averse.el('button', { type: 'button', class: 'quiet', text: '−1', 'aria-label': say('turn_back'), onclick: () => this.step(-1) });
    const on = averse.el('button', { type: 'button', class: 'quiet', text: '+1', 'aria-label': say('turn_on'), onclick: () => this.step(1) });
    this.button.addEventListener('click', () => this.play(!this.timer));
    this.slider.addEventListener('input', () => { this.play(false); this.tell(); });
    this.root = averse.el('div', { class: 'timeline' }, [this.button, back, this.slider, marks, on, this.output]);
  }

  get turn() { return Number(this.slider.value); }

  /* Turns 0 to `last`; `clocks` are their times of day. The turn shown is kept where there is one.
     `ended` = { turn, said } where play ended before the last turn: what is said of later ones. */
  span(last, clocks = [], ended = null) {
    this.ended = ended;
    this.mark.value = ended ? ended.turn : last;
    const atEnd = this.turn === Number(this.slider.max);
    this.clocks = clocks;
    this.slider.max = last;
    if (atEnd) this.slider.value = last;
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

  tell() {
    this.name();
    this.moved(this.turn);
  }

  name() {
    const clock = this.clocks[this.turn];
    this.output.textContent = say('turn_of', { n: this.turn, all: Number(this.slider.max) }) + (clock ? ` · ${clock}` : '');
    if (this.ended && this.turn > this.ended.turn) this.output.textContent += ` · ${this.ended.said}`;
    this.slider.setAttribute('aria-valuetext', this.output.textContent);
  }
}
