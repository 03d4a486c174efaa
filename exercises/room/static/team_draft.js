/* An order that is being made: by a brush, a unit, a shelter or a quarter; no page is known here. */

const ON_LINKS = new Set(['pump', 'footbridge', 'clear', 'reserve']);
const RESERVED_LINKS = 8;

export class Draft {
  constructor(subject, more = {}) {
    this.subject = subject; // 'brush', 'unit', 'shelter', 'quarter'
    this.kind = { brush: 'alert', quarter: 'protect' }[subject] || '';
    this.unit = '';
    this.cell = -1;
    this.radius = 1;
    this.option = '';
    this.links = [];
    this.from = -1; // of a link that is named by its hexes, the first
    this.shelter = -1;
    this.quarter = -1;
    this.targets = null; // by kind, hexes or links that would be accepted; null: not asked yet
    this.seen = null; // what it would do
    this.refusal = null; // why it was not taken
    Object.assign(this, more);
  }

  get onLinks() { return ON_LINKS.has(this.kind); }
  get isComplete() {
    switch (this.subject) {
      case 'brush': return this.cell >= 0;
      case 'unit': return Boolean(this.unit && this.kind) && (this.onLinks ? this.links.length > 0 : this.cell >= 0);
      case 'shelter': return this.shelter >= 0 && Boolean(this.kind);
      default: return this.quarter >= 0 && Boolean(this.option);
    }
  }

  legal() {
    const among = this.subject === 'unit' && this.targets ? this.targets[this.kind] : null;
    if (!among) return { cells: null, links: null };
    return this.onLinks ? { cells: null, links: among } : { cells: among, links: null };
  }

  /* Another place: what would come of it is not known yet. */
  aim(cell) { this.cell = cell; this.moved(); }
  moved() { this.seen = null; this.refusal = null; }

  /* A link, or one more of a chain; back at the last one, it is let go. */
  join(edge) {
    if (this.kind !== 'reserve') this.links = [edge];
    else if (this.links.at(-1) === edge) this.links.pop();
    else if (!this.links.includes(edge) && this.links.length < RESERVED_LINKS) this.links.push(edge);
    this.moved();
  }

  /* As the room reads it; `label` and `link` name hexes and links. */
  order(turn, label, link, data) {
    const order = { turn, order: this.kind };
    if (this.subject === 'brush') {
      Object.assign(order, { centre: label(this.cell), radius: this.radius });
      if (this.option) order.option = this.option;
    } else if (this.subject === 'shelter') order.shelter = data.places.shelter[this.shelter][1];
    else if (this.subject === 'quarter') Object.assign(order, { quarter: data.quarters[this.quarter], option: this.option });
    else {
      order.unit = this.unit;
      if (this.kind === 'reserve') order.links = this.links.map(link);
      else if (this.onLinks) order.link = link(this.links[0]);
      else order[this.kind === 'move' ? 'to' : 'cell'] = label(this.cell);
    }
    return order;
  }
}
