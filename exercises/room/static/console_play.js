/* The exercise as it goes on: what is true beside what a team believes, its orders, its log, its score. */
import { toldOf } from './board_marks.js';
import { boardOn, hexWords } from './board_words.js';
import { ordersWords, scoreWords, whenWords } from './console_teams.js';
import { capital, number, percent, say } from './said.js';

const el = averse.el;

export class Play {
  constructor(app) {
    this.app = app;
    this.truth = boardOn(app.table, { water: 'true', label: say('what_is_true') });
    this.belief = boardOn(app.table, { water: 'known', label: say('what_is_believed') });
    this.captions = [el('figcaption', {}), el('figcaption', {})];
    this.read = el('output', { class: 'read', text: say('board_hint') });
    this.heading = el('h2', {});
    this.bulletin = el('p', { class: 'bulletin' });
    // a page that is projected by mistake tells no level: it is shown when asked for, till the page is loaded again
    this.isLevelShown = false;
    this.level = el('button', { type: 'button', class: 'quiet', id: 'level', onclick: () => { this.isLevelShown = !this.isLevelShown; this.app.render(); } });
    this.orders = el('ol', { class: 'orders' });
    this.events = el('ul', { class: 'events' });
    this.score = el('dl', { class: 'score' });
    this.one = el('div', { class: 'one' }, [
      el('div', { class: 'boards' }, [figure(this.truth, this.captions[0]), figure(this.belief, this.captions[1])]),
      this.read,
      el('div', { class: 'columns' }, [
        section(say('orders_now'), this.orders), section(say('log'), this.events), section(say('figures'), this.score)
      ])
    ]);
    this.real = boardOn(app.table, { water: 'true', label: say('what_is_true'), plain: true, still: true });
    this.realAt = el('span', {});
    this.every = el('ul', { class: 'overview' }, [
      el('li', {}, [el('div', { class: 'truth' }, [el('strong', { text: say('what_is_true') }), this.realAt, this.real.node])])
    ]);
    this.minis = new Map();
    this.table = el('tbody', {});
    this.compared = el('div', { class: 'compared', tabindex: '0', role: 'region', 'aria-label': say('figures') }, [el('table', {}, [
      el('caption', { text: say('figures') }),
      el('thead', {}, [el('tr', {}, ['team', 'points', 'recall', 'precision', 'threatened', 'done', 'not_yet_cut', 'not_needed', 'victims', 'capital', 'forecast_csi'].map((name) => el('th', { scope: 'col', text: say(name) })))]),
      this.table
    ])]);
    this.root = el('section', { class: 'part play-part', 'aria-label': say('part_play') }, [
      el('div', { class: 'lead' }, [this.heading, this.bulletin, this.level]), this.one, this.every, this.compared
    ]);
    app.table.reads.push(() => this.describe());
  }

  show(now) {
    const team = this.app.team();
    this.one.hidden = !team;
    this.every.hidden = this.compared.hidden = Boolean(team);
    this.level.hidden = Boolean(team) || Boolean(now.truth.opened);
    if (!team) { this.overview(now); return; }
    this.heading.textContent = `${team.name} · ${whenWords(team, now)}`;
    this.bulletin.textContent = [capital(team.bulletin), this.waiting(team)].filter(Boolean).join(' · ');
    this.captions[0].textContent = say('what_is_true');
    this.captions[1].textContent = say('believed_by', { team: team.name });
    this.truth.show(team.frame);
    this.belief.show(team.believed);
    [this.truth, this.belief].forEach((view) => view.tell(toldOf(team, team.believed)));
    this.describe();
    fill(this.orders, team.pending.map((one) => orderLine(this.app, one)), say(team.phase === 'forecast' ? 'no_orders_forecast' : 'no_orders'));
    fill(this.events, team.events.slice().reverse().map((event) => el('li', {}, [
      el('span', { class: 'turn', text: String(event.turn) }), el('span', { text: event.said })
    ])), say('no_events'));
    this.figures(team);
  }

  /* Cards that fall as the next turn opens. */
  waiting(team) {
    const names = (team.cards_to_play || []).map((key) => this.app.rules.cards.find((card) => card.key === key).label);
    return names.length ? say('cards_waiting', { list: names.join(', ') }) : '';
  }

  describe() {
    if (!this.truth.board || !this.belief.board || this.one.hidden) return;
    this.read.textContent = hexWords(this.app.table, this.app.table.cursor, { truth: this.truth.board, belief: this.belief.board });
  }

  figures(team) {
    this.score.replaceChildren(...scoreRows(team.score).flatMap(([name, value]) => [el('dt', { text: say(name) }), el('dd', { text: value })]));
  }

  /* All teams at once, each by what it believes. */
  overview(now) {
    this.heading.textContent = say('all_teams');
    const isTold = this.isLevelShown || Boolean(now.truth.opened);
    this.bulletin.textContent = isTold ? say('truth_is', { level: now.truth.level, what: now.truth.stands_for }) : '';
    this.level.textContent = say(isTold ? 'level_hide' : 'level_show');
    this.level.setAttribute('aria-expanded', String(isTold));
    const first = now.teams.find((team) => !team.over) || now.teams[0];
    this.real.show(first.frame);
    this.realAt.textContent = whenWords(first, now);
    this.every.classList.toggle('many', now.teams.length > 3);
    now.teams.forEach((team) => {
      if (!this.minis.has(team.key)) this.addMini(team);
      const mini = this.minis.get(team.key);
      mini.name.textContent = team.name;
      mini.when.textContent = `${whenWords(team, now)} · ${team.over ? scoreWords(team) : ordersWords(team)}`;
      mini.view.show(team.believed);
      mini.view.tell(toldOf(team, team.believed));
    });
    this.table.replaceChildren(...now.teams.map((team) => el('tr', {}, [
      el('th', { scope: 'row', text: team.name }), ...scoreRows(team.score).map(([, value]) => el('td', { text: value }))
    ])));
  }

  addMini(team) {
    const view = boardOn(this.app.table, { water: 'known', label: say('believed_by', { team: team.name }), still: true });
    const mini = { view, name: el('strong', {}), when: el('span', {}) };
    this.every.append(el('li', {}, [
      el('button', { type: 'button', onclick: () => this.app.choose(team.key) }, [mini.name, mini.when, view.node])
    ]));
    this.minis.set(team.key, mini);
  }
}

/* Terms of a score, in the order of the rules. */
function scoreRows(s) {
  return [
    ['points', say('of_maximum', { n: s.points, all: s.maximum })], ['recall', percent(s.recall)], ['precision', percent(s.precision)],
    ['threatened', number(s.threatened)], ['done', number(s.terms.needed_and_done.people)], ['not_yet_cut', number(s.not_yet_cut)], ['not_needed', number(s.terms.not_needed.people)],
    ['victims', number(s.terms.victims.people)], ['capital', number(s.capital.value)], ['forecast_csi', percent(s.forecast.csi)]
  ];
}

export function figure(view, caption) {
  return el('figure', {}, [caption, view.node]);
}

/* A titled list that scrolls by itself, by keyboard too. */
export function section(title, list) {
  return el('section', { class: 'scrolls', tabindex: '0', 'aria-label': title }, [el('h3', { text: title }), list]);
}

export function orderLine(app, one) {
  return el('li', {}, [
    el('span', { text: one.said }),
    el('span', { class: 'seat', text: app.seatName(one.seat) }),
    one.why ? el('span', { class: 'refused', text: say('refused', { why: one.why }) }) : null,
    one.reason ? el('q', { class: 'reason', text: one.reason }) : null
  ]);
}

export function fill(list, rows, none) {
  list.replaceChildren(...(rows.length ? rows : [el('li', { class: 'none', text: none })]));
}
