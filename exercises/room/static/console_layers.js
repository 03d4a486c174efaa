/* Layers of the boards and their legend, in a panel that opens over the page. */
import { say } from './said.js';

const el = averse.el;
const NAMES = ['water', 'roads', 'fabric', 'density', 'relief', 'forecast', 'states', 'units', 'quarters'];

export class Layers {
  constructor(app) {
    this.app = app;
    const table = app.table, texts = table.data.texts;
    this.rows = el('div', { class: 'rows' });
    this.legend = el('div', { class: 'legend' });
    NAMES.forEach((name) => this.rows.append(this.row(name, texts)));
    const whole = el('button', { type: 'button', class: 'quiet', text: texts.whole, onclick: () => table.whole() });
    this.root = el('details', { class: 'layers' }, [
      el('summary', { text: texts.panel }), el('div', { class: 'panel', tabindex: '0', 'aria-label': texts.panel, role: 'region' }, [this.rows, whole, this.legend])
    ]);
    this.root.addEventListener('toggle', () => this.show());
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.root.open = false;
      this.root.querySelector('summary').focus();
    });
  }

  row(name, texts) {
    const layer = this.app.table.layers[name];
    const box = el('input', { type: 'checkbox' }), range = el('input', { type: 'range', min: 10, max: 100, 'aria-label': averse.filled(texts.opacity, { layer: texts[name] }) });
    box.checked = layer.on;
    range.value = 100 * layer.opacity;
    box.addEventListener('change', () => { layer.on = box.checked; this.changed(name); });
    range.addEventListener('input', () => { layer.opacity = range.value / 100; this.changed(name); });
    return el('div', {}, [el('label', {}, [box, el('span', { text: texts[name] })]), range]);
  }

  changed(name) {
    this.app.table.changed(name);
    this.show();
  }

  show() {
    if (!this.root.open) return;
    const view = [...this.app.table.boards].find((one) => one.painter && one.node.isConnected);
    if (!view) { this.legend.replaceChildren(); return; }
    const groups = view.legend('h3', { twin: true });
    this.legend.replaceChildren(...groups());
  }
}
