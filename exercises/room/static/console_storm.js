/* The storm before class: the true water turn by turn, and what it will ask of a team. */
import { boardOn, hexWords, waterClass } from './board_words.js';
import { figure } from './console_play.js';
import { tried } from './console_dialogs.js';
import { get } from './net.js';
import { labelled, number, say } from './said.js';
import { Timeline } from './timeline.js';

const el = averse.el;

export class Storm {
  constructor(app) {
    this.app = app;
    this.boards = true;
    this.view = boardOn(app.table, { water: 'true', label: say('what_is_true'), plain: true });
    this.line = new Timeline({ label: say('turn_shown'), moved: (turn) => this.moved(turn) });
    this.chart = el('div', { class: 'chart', role: 'img' });
    this.read = el('output', { class: 'read', text: say('board_hint') });
    this.facts = el('dl', { class: 'score' });
    this.says = el('p', { class: 'says' });
    this.signs = el('ul', { class: 'signs', 'aria-label': say('signs') });
    this.root = el('section', { class: 'part', 'aria-label': say('part_storm') }, [
      el('div', { class: 'lead' }, [el('h2', { text: say('storm_title') }), el('p', { class: 'warn', text: say('storm_warning') })]),
      this.says,
      el('div', { class: 'storm' }, [
        el('div', { class: 'boards one-board' }, [figure(this.view, el('figcaption', { text: say('what_is_true') }))]),
        el('section', { class: 'facts', tabindex: '0', 'aria-label': say('wet_by_turn') }, [this.facts, el('h3', { text: say('wet_by_turn') }), this.chart, this.signs])
      ]),
      this.line.root, this.read
    ]);
    app.table.reads.push(() => this.describe());
  }

  async show() {
    if (this.asked) return;
    this.asked = true;
    const found = await tried(() => get('preview-storm'));
    if (!found) { this.asked = false; return; }
    this.found = found;
    this.clocks = found.clocks;
    this.tell(found);
    this.view.show(found.frame, 0);
    this.line.span(found.clocks.length - 1, found.clocks, null, [[found.first_cut, say('first_cut').toLowerCase()], [found.half_cut, say('half_cut').toLowerCase()]]);
    this.line.go(found.clocks.length - 1); // all of it is there; to play it begins at the start
    const board = this.view.board;
    this.wet = board.trueMm.map((row) => [1, 2, 3, 4].map((cls) => count(this.app.table, row, cls)));
    const rows = [
      [say('level'), `${found.level} – ${found.stands_for}`], [say('starts'), say('starts_at', { clock: found.clocks[0], n: found.clocks.length - 1 })],
      [say('threatened'), number(found.threatened)],
      [say('first_cut'), found.first_cut === null ? '–' : say('turn_n', { n: found.first_cut })],
      [say('half_cut'), found.half_cut === null ? '–' : say('turn_n', { n: found.half_cut })],
      [say('maximum'), number(found.maximum)]
    ];
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [el('dt', { text: name }), el('dd', { text: value })]));
    this.draw();
    this.signs.replaceChildren(...signsOf(this.view));
  }

  /* In a sentence whom it threatens; where that is nobody or almost, what to choose instead. */
  tell(found) {
    const turns = found.clocks.length - 1, n = found.threatened;
    const said = [n ? say('storm_says', { turns, n, hexes: found.threatened_hexes }) : say('storm_nobody', { turns })];
    if (found.is_mild) {
      if (n) said.push(say('storm_hardly'));
      said.push(turns < found.usual_turns ? say('storm_longer', { usual: found.usual_turns }) : say('storm_stronger'));
    }
    this.says.textContent = said.join(' ');
    this.says.classList.toggle('mild', found.is_mild);
  }

  moved(turn) {
    this.view.setTurn(turn);
    [...this.chart.children].forEach((bar, at) => bar.classList.toggle('here', at === turn));
    this.describe();
  }

  /* Bars of the hexes under water, by turn and class. */
  draw() {
    const most = Math.max(1, ...this.wet.map((row) => row.reduce((a, z) => a + z, 0)));
    this.chart.replaceChildren(...this.wet.map((row, turn) => {
      const bar = el('span', { class: 'bar' }, row.map((n, k) => {
        const part = el('i', { class: `w${k + 1}` });
        part.style.height = `${100 * n / most}%`;
        return part;
      }).reverse());
      bar.title = labelled(say('turn_n', { n: turn }), number(row.reduce((a, z) => a + z, 0)));
      bar.addEventListener('click', () => this.line.go(turn));
      return bar;
    }));
    const peak = this.wet.map((row) => row.reduce((a, z) => a + z, 0)).indexOf(most);
    this.chart.setAttribute('aria-label', say('chart_words', { most, turn: Math.max(0, peak) }));
    this.moved(this.line.turn);
  }

  describe() {
    if (!this.view.board || !this.root.isConnected) return;
    this.read.textContent = hexWords(this.app.table, this.app.table.cursor, { truth: this.view.board, turn: this.line.turn });
  }
}

/* What the colours of bars and hexes mean, and the marks of the slider: of the board's own legend, what a storm shows. */
function signsOf(view) {
  const off = { on: false }, on = { on: true };
  const layers = { fabric: off, water: on, density: off, relief: off, forecast: off, states: off, roads: on, units: off, quarters: off, classes: off };
  const [water, , edges] = view.legend('h3', { state: { ...view.state, layers } })();
  const rows = (group, most) => [...group.querySelectorAll('li')].slice(0, most);
  return [
    el('li', { class: 'name', text: say('signs_bars') }), ...rows(water, 4), el('li', { class: 'name', text: say('signs_edges') }), ...rows(edges, 2),
    el('li', { class: 'name', text: say('signs_marks') }), el('li', { class: 'wide', text: say('signs_marks_are') })
  ];
}

function count(table, row, cls) {
  let n = 0;
  row.forEach((mm, cell) => { if (table.cells.active[cell] && waterClass(table, mm) === cls) n++; });
  return n;
}
