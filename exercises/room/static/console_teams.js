/* The teams of the room: where they are, who sits there, what they have ordered. */
import { toldOf } from './board_marks.js';
import { minutes, number, percent, say } from './said.js';

const el = averse.el;

export class Teams {
  constructor(app) {
    this.app = app;
    this.list = el('ul', { class: 'teams' });
    this.all = el('button', { type: 'button', class: 'team all', onclick: () => app.choose('') }, [el('strong', { text: say('all_teams') })]);
    this.root = el('nav', { class: 'side', 'aria-label': say('teams') }, [this.all, this.list]);
    this.cards = new Map();
  }

  /* `shown` is the team whose matters stand beside, '' for all. */
  show(now, shown) {
    this.all.setAttribute('aria-pressed', String(shown === ''));
    for (const team of now.teams) {
      if (!this.cards.has(team.key)) this.add(team);
      this.fill(this.cards.get(team.key), team, now, shown);
    }
  }

  add(team) {
    const card = {};
    card.name = el('strong', { class: 'name' });
    card.when = el('span', { class: 'when' });
    card.orders = el('span', {});
    card.timer = el('span', { class: 'timer' });
    card.seats = el('span', { class: 'seats' });
    card.button = el('button', { type: 'button', class: 'team', onclick: () => this.app.choose(team.key) }, [
      card.name, card.when, card.timer, el('span', { class: 'rest' }, [card.orders, el('span', { text: ' · ' }), card.seats])
    ]);
    card.advance = el('button', { type: 'button', class: 'quiet one', text: say('advance_one'), onclick: () => this.app.advance(team.key) });
    this.list.append(el('li', {}, [card.button, card.advance]));
    this.cards.set(team.key, card);
  }

  fill(card, team, now, shown) {
    card.button.setAttribute('aria-pressed', String(shown === team.key));
    card.name.textContent = team.name;
    card.when.textContent = whenWords(team, now);
    card.orders.textContent = team.over ? scoreWords(team) : ordersWords(team);
    card.seats.textContent = this.presence(team);
    card.seats.classList.toggle('nobody', !Object.keys(team.present).length);
    card.advance.hidden = team.over;
    card.advance.setAttribute('aria-label', say('advance_named', { team: team.name }));
    this.tick(team, card);
  }

  /* Who sits there now; where somebody left, since when. */
  presence(team) {
    const here = Object.keys(team.present).map((seat) => this.app.seatName(seat) + (team.present[seat] > 1 ? ` ×${team.present[seat]}` : ''));
    const away = Object.values(team.absent);
    if (here.length) return here.join(', ');
    if (!away.length) return say('nobody_yet');
    const n = Math.floor((Math.min(...away) + this.app.heardFor()) / 60);
    return n ? say('last_seen', { n }) : say('left_now');
  }

  /* Seconds run between two answers of the room. */
  tick(team, card = this.cards.get(team.key)) {
    if (!Object.keys(team.present).length) card.seats.textContent = this.presence(team);
    const left = this.app.secondsLeft(team);
    card.timer.textContent = left === null ? '' : (team.timer.held ? '❚❚ ' : '') + minutes(left);
    card.timer.classList.toggle('short', left !== null && left <= 15);
  }
}

export function whenWords(team, now) {
  if (team.over) return team.score.turns_counted < now.turns ? say('over_early', { n: team.score.turns_counted, all: now.turns }) : say('over');
  if (team.phase === 'forecast') return say('forecasting');
  return `${say('turn_of', { n: team.turn, all: now.turns })} · ${team.clock}${team.view.night ? ` · ${say('night')}` : ''}`;
}

export function ordersWords(team) {
  if (team.phase === 'forecast') return say('painted', { n: toldOf(team, team.believed).painted.size });
  return say('orders', { n: team.pending.length, left: team.orders_left, of: team.view.orders });
}

export function scoreWords(team) {
  const score = team.score;
  return say('score_line', { recall: percent(share(score.recall)), precision: percent(share(score.precision)), points: number(score.points) });
}

export function share(value) { return value === null || value === undefined ? null : Number(value); }
