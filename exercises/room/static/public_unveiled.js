/* The unveiling: what was true, what a team knew, what it had forecast, turn by turn, team by team. */
import { Table } from './board_map.js';
import { boardOn, countsOf, hexWords, wetByTurn } from './board_words.js';
import { percent, say } from './said.js';
import { Timeline } from './timeline.js';

const el = averse.el;
const KINDS = [['hit', 'hits'], ['miss', 'misses'], ['falseAlarm', 'false_alarms']];

export class Unveiling {
  constructor(board, told) {
    this.told = told;
    this.table = new Table(board);
    this.cut = new Set(told.cut_on_foot);
    const story = { title: '', legend: KINDS.map(([look, key]) => [look, say(key)]), choices: [{ legend: [] }] };
    this.truth = boardOn(this.table, { water: 'true', label: say('what_was_true'), plain: true });
    this.known = boardOn(this.table, { water: 'known', label: say('what_is_believed') });
    this.forecast = boardOn(this.table, { water: 'true', label: say('forecast_phase'), plain: true, story });
    this.forecast.state.layers.water = { on: false, opacity: 1 };
    this.waters = [el('div', { class: 'counts' }), el('div', { class: 'counts' })];
    this.knownBy = el('figcaption', {});
    this.forecastBy = el('figcaption', {});
    this.counts = el('p', { class: 'counts' });
    this.figures = el('p', { class: 'figures' });
    this.read = el('output', { class: 'read' });
    this.line = new Timeline({ label: say('turn_shown'), moved: (turn) => this.moved(turn) });
    this.buttons = told.teams.map((team) => el('button', { type: 'button', text: team.name, onclick: () => this.choose(team) }));
    this.root = el('section', { class: 'unveiled' }, [
      el('h2', { text: `${say('unveiled')} · ${say('level_was', { level: told.level })} – ${told.stands_for}` }),
      el('div', { class: 'chosen' }, [el('div', { class: 'teams', role: 'group', 'aria-label': say('choose_team') }, this.buttons), this.figures]),
      el('div', { class: 'boards' }, [
        el('figure', {}, [el('figcaption', { text: say('what_was_true') }), this.truth.node, this.waters[0]]),
        el('figure', {}, [this.knownBy, this.known.node, this.waters[1]]),
        el('figure', {}, [this.forecastBy, this.forecast.node, this.counts])
      ]),
      this.line.root, this.read
    ]);
    this.table.reads.push(() => this.describe());
    this.choose(told.teams[0]);
    this.waters[0].append(waterLegend(this.truth));
    this.waters[1].append(waterLegend(this.known));
  }

  choose(team) {
    this.team = team;
    this.buttons.forEach((button, at) => button.setAttribute('aria-pressed', String(this.told.teams[at] === team)));
    this.knownBy.textContent = say('what_was_known', { team: team.name });
    this.forecastBy.textContent = say('forecast_of', { team: team.name });
    const s = team.score;
    this.figures.textContent = figuresOf(s);
    const ended = team.turns_played < s.turns;
    if (ended) this.figures.textContent += ` · ${say('ended_early', { n: team.turns_played, all: s.turns, later: s.not_yet_cut })}`;
    const row = this.judged(team);
    [this.truth, this.known].forEach((view) => view.show(team.frame, 0));
    this.forecast.show(team.frame, 0, [row]);
    this.counts.replaceChildren(...countsOf(this.forecast, KINDS, row));
    // it opens on the last turn, where there is something to be seen; another team is shown at the same one
    this.line.span(team.frame.turns, this.known.board.clock, ended ? { turn: team.turns_played, said: say('storm_alone') } : null, this.happened(team, ended));
    this.line.go(this.line.turn);
  }

  /* Where to look: the first water, the most of it, the end of play. */
  happened(team, ended) {
    const wet = wetByTurn(this.table, this.truth.board), most = Math.max(...wet);
    return [
      [wet.findIndex((n) => n > 0), say('first_water')], [most ? wet.indexOf(most) : -1, say('most_water')],
      ...(ended ? [[team.turns_played, say('play_ended')]] : [])
    ];
  }

  /* By hex, as the forecast is counted (§12.4): right, missed, false alarm. */
  judged(team) {
    const painted = new Set(team.forecast), c = this.table.cells;
    return Int32Array.from({ length: c.n }, (_, cell) => {
      if (!c.active[cell]) return 0;
      return this.cut.has(cell) ? (painted.has(cell) ? 1 : 2) : painted.has(cell) ? 3 : 0;
    });
  }

  moved(turn) {
    [this.truth, this.known, this.forecast].forEach((view) => view.setTurn(turn));
    this.describe();
  }

  describe() {
    this.read.textContent = hexWords(this.table, this.table.cursor, { truth: this.truth.board, belief: this.known.board, turn: this.line.turn });
  }
}

/* What a team reached. A share of nobody is none: it is said why. */
function figuresOf(s) {
  const n = s.terms.needed_and_done.people, all = n + s.terms.needed_and_not_done.people;
  return [
    ...(all ? [say('saved_of', { n, all }), say('recall_of', { recall: percent(s.recall) })] : [say('saved_none')]),
    s.precision === null ? say('precision_none') : say('precision_of', { precision: percent(s.precision) }),
    say('points_of', { points: s.points })
  ].join(' · ');
}

/* The classes of water alone, drawn as on the board. */
function waterLegend(view) {
  const off = { on: false };
  const layers = { fabric: off, water: { on: true }, density: off, relief: off, forecast: off, states: off, roads: off, units: off, quarters: off, classes: off };
  const groups = view.legend('h3', { state: { ...view.state, layers } });
  return groups()[0].querySelector('ul');
}
