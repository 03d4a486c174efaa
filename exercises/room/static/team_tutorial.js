/* A first turn, guided: a few steps beside the page, which goes on working; put away for good when done. */
import { button, el, kept, show } from './team_dom.js';

const STEPS = [
  ['map', '#map'], ['layers', '#tab-layers'], ['forecast', '#tab-orders'], ['orders', '#tab-orders'], ['news', '#tab-situation'], ['turn', '#clock'],
];

// told while the map is looked at: where the screen is small, they do not cover it
const OF_THE_MAP = new Set(['map', 'layers', 'turn']);
const PAINTS_FROM = STEPS.findIndex(([name]) => name === 'forecast');

export class Tutorial {
  constructor(app) {
    this.app = app;
    this.at = -1;
    this.node = el('section', { id: 'tutorial', class: 'tutorial', 'aria-label': app.say('tutorial'), hidden: true,
      onkeydown: (event) => { if (event.key === 'Escape') { event.stopPropagation(); this.end(); } } });
  }
  /* `at` is the step where it was in another language, -1 where it was put away. */
  begin(asked, at = undefined) {
    if (!asked && (at === undefined ? kept.get('tutorial') === 'done' : at < 0)) return;
    this.at = at ?? 0;
    this.hold();
    this.draw(asked);
  }
  end() {
    this.at = -1;
    kept.set('tutorial', 'done');
    this.hold();
    this.light(null);
    this.node.hidden = true;
    document.getElementById('help').focus({ preventScroll: true });
  }
  go(step) { this.at = step; this.hold(); if (step >= STEPS.length) this.end(); else this.draw(true); }
  /* Until painting was told of, what is dragged moves the map. */
  hold() { if (this.app.now) this.app.painting.take(this.at >= 0 && this.at < PAINTS_FROM ? 'move' : 'paint'); }
  light(where) {
    document.querySelectorAll('.lit').forEach((one) => one.classList.remove('lit'));
    if (where) document.querySelector(where)?.classList.add('lit');
  }
  /* A button that shows a layer, and takes it away again. */
  layer(name, key) {
    const { app } = this, shown = () => app.layers[name].on;
    const act = () => { app.layersPanel.turn(name, !shown()); button_.setAttribute('aria-pressed', String(shown())); };
    const button_ = button(app.say(key), act, { 'aria-pressed': String(shown()), 'data-key': key });
    return button_;
  }
  draw(focus) {
    const { say } = this.app, [name, where] = STEPS[this.at], last = this.at === STEPS.length - 1;
    this.node.hidden = false;
    this.node.classList.toggle('off-map', OF_THE_MAP.has(name));
    this.light(where);
    const title = el('h2', { text: say(`step_${name}`), tabindex: -1 });
    show(this.node,
      el('p', { class: 'soft', text: say('step_of', { n: this.at + 1, all: STEPS.length }) }), title,
      el('p', { text: say(`step_${name}_how`, { rule: say('cut_rule') }) }),
      name === 'layers' ? el('div', { class: 'row' }, this.layer('relief', 'step_relief'), this.layer('density', 'step_density')) : null,
      el('div', { class: 'row' },
        this.at ? button(say('step_back'), () => this.go(this.at - 1)) : null,
        button(last ? say('step_done') : say('step_next'), () => this.go(this.at + 1), { class: 'main', 'data-key': 'step' }),
        last ? null : button(say('step_skip'), () => this.end(), { id: 'skip-tutorial' })));
    if (focus) title.focus({ preventScroll: true });
  }
}
