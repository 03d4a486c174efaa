/* Layers of the map, each with its slider, and the legend of what is shown. */
import { firstLayers as boardLayers } from './board_map.js';
import { el, picks, show } from './team_dom.js';
import { icon } from './icons.js';

const averse = globalThis.averse;
export const SIX = ['fabric', 'density', 'water', 'roads', 'relief', 'forecast'];
const MORE = ['states', 'units', 'quarters'];

/* Layers as they were left, else as they are at first. */
export function firstLayers(left) {
  const first = { ...boardLayers(), relief: { on: true, opacity: 0.8 } }; // low points are what a forecast is read from
  try {
    for (const [name, layer] of Object.entries(JSON.parse(left || '{}'))) {
      if (name in first && typeof layer.on === 'boolean' && layer.opacity >= 0 && layer.opacity <= 1) first[name] = { on: layer.on, opacity: layer.opacity };
    }
  } catch { /* as at first */ }
  return first;
}

export class Layers {
  constructor(app) {
    this.app = app;
    this.legend = el('div', { class: 'legend' });
    const W = app.ground.board.texts;
    this.groups = app.map.legend('h4');
    this.relief = el('div');
    this.boxes = {};
    this.node = el('div', {},
      el('h3', { text: W.layers }), SIX.map((name) => this.row(name, true)), this.relief,
      MORE.map((name) => this.row(name, false)),
      el('h3', { text: W.legend }), this.legend);
    this.draw();
  }

  row(name, slides) {
    const { app } = this, layer = app.layers[name], W = app.ground.board.texts;
    const changed = () => app.table.changed(name);
    const box = el('input', { type: 'checkbox', onchange: () => { layer.on = box.checked; changed(); app.keepLayers(); this.draw(); } });
    box.checked = layer.on;
    this.boxes[name] = box;
    const slider = slides ? el('input', { type: 'range', min: 0, max: 100, step: 1, class: 'slider', 'data-layer': name, 'aria-label': averse.filled(W.opacity, { layer: W[name] }),
      oninput: () => {
        layer.opacity = slider.value / 100;
        if (!layer.on) { layer.on = box.checked = true; this.draw(); }
        changed();
      },
      onchange: () => app.keepLayers() }) : null;
    if (slider) slider.value = Math.round(layer.opacity * 100);
    return el('div', { class: 'layer' }, el('label', {}, box, el('span', { text: W[name] })), slider);
  }

  /* Turn a layer on or off from elsewhere on the page. */
  turn(name, on) {
    this.boxes[name].checked = on;
    this.boxes[name].dispatchEvent(new Event('change'));
  }

  draw() {
    const { app } = this, W = app.ground.board.texts, { state } = app.map;
    show(this.relief, app.layers.relief.on ? picks(W.relief_choice, [['altitude', W.altitude], ['low', W.low_points]], state.relief, (value) => {
      state.relief = value;
      app.map.paint();
      this.draw();
    }) : null);
    if (app.shows('layers')) show(this.legend, this.groups(), this.own());
  }

  /* What this page draws over the board. */
  own() {
    const { say } = this.app, rows = [
      ['transmitting', 'legend_transmitting'], ['● ◐ ○', 'legend_confidence'], ['outage', 'legend_outage'], ['jam', 'legend_jam'], ['accident', 'legend_accident'],
      ['roadworks', 'legend_roadworks'], ['obstructed', 'legend_obstructed'], ['1', 'legend_number'],
    ];
    return el('section', {}, el('h4', { text: say('legend_page') }), el('ul', {}, rows.map(([sign, key]) => el('li', {},
      /^[a-z]/.test(sign) ? el('span', { class: 'sign' }, icon(sign)) : el('span', { class: sign === '1' ? 'sign number-sign' : 'sign', 'aria-hidden': 'true', text: sign }), el('span', { text: say(key) })))));
  }
}
