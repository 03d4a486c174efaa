/* The public screen: what a projector may show while a class plays, and the unveiling after it. */
import { follow, get } from './net.js';
import { Unveiling } from './public_unveiled.js';
import { languageLink, minutes, say } from './said.js';

const el = averse.el, main = document.getElementById('public');

class Screen {
  constructor() {
    this.heardAt = 0;
    this.now = null;
    this.state = el('span', { class: 'state', role: 'status' });
    this.title = el('h1', {}, [el('span', { class: 'brand', text: 'averse' }), this.place = el('span', {})]);
    document.getElementById('head').append(this.title, this.state, el('span', { class: 'grow' }), languageLink(say('other_language')));
    this.teams = el('div', { class: 'moments' });
    main.append(this.teams);
    this.cards = new Map();
  }

  show(now) {
    this.now = now;
    this.heardAt = performance.now();
    main.dataset.ready = '1';
    const over = now.teams.every((team) => team.over), told = now.teams.some((team) => team.view.unveiled);
    document.documentElement.dataset.theme = !over && now.teams.every((team) => team.view.night) ? 'night' : 'day';
    if (over && told) { this.unveil(); return; }
    const shown = together(now.teams);
    this.teams.className = `moments ${shown.length > 3 ? 'many' : `n${shown.length}`}`;
    this.teams.replaceChildren(...shown.map((team) => this.moment(team)));
    this.tick();
  }

  moment(team) {
    const view = team.view, playing = view.phase === 'play';
    const timer = el('p', { class: 'timer' });
    timer.dataset.team = team.key;
    const parts = [
      team.name ? el('h2', { text: team.name }) : null,
      el('p', { class: 'clock', text: team.clock }),
      el('p', { class: 'when' }, [
        el('span', { text: playing ? say('turn_of', { n: view.turn, all: view.turns }) : say(`${view.phase}_phase`) }),
        view.phase === 'over' ? null : el('span', { class: view.night ? 'moon' : 'sun', text: say(view.night ? 'night' : 'day') })
      ]),
      timer,
      el('p', { class: 'bulletin', text: bulletin(team) })
    ];
    return el('section', { class: `moment ${view.phase}` }, parts);
  }

  tick() {
    if (!this.now) return;
    this.teams.querySelectorAll('.timer').forEach((node) => {
      const timer = this.now.teams.find((team) => team.key === node.dataset.team).timer;
      node.hidden = !timer;
      if (!timer) return;
      const left = timer.held ? timer.left : Math.max(0, timer.left - (performance.now() - this.heardAt) / 1000);
      node.textContent = timer.held ? `${minutes(left)} – ${say('held')}` : minutes(left);
      node.classList.toggle('short', left <= 15 && !timer.held);
    });
  }

  async unveil() {
    if (this.unveiling) return;
    this.unveiling = true;
    try {
      const [ground, told] = await Promise.all([get('ground'), get('unveiled')]);
      this.teams.remove();
      main.append(new Unveiling(ground.board, told).root);
    } catch {
      this.unveiling = false;
      setTimeout(() => this.unveil(), 2000);
    }
  }

  linked(there, why) {
    this.state.textContent = there ? '' : why || say('unlinked');
    this.state.classList.toggle('gone', !there);
  }
}

/* Teams at the same moment share a card; where all are, it needs no name. */
function together(teams) {
  const groups = new Map();
  teams.forEach((team) => {
    const key = `${team.view.turn}/${team.over}`;
    groups.set(key, [...(groups.get(key) || []), team]);
  });
  if (groups.size === 1) return [{ ...teams[0], name: '' }];
  return [...groups.values()].map((group) => ({ ...group[0], name: group.map((team) => team.name).join(', ') }));
}

function bulletin(team) {
  if (team.view.phase === 'forecast') return say('forecast_words');
  if (team.view.phase === 'over') return say('waiting');
  return team.bulletin ? say('bulletin_says', { what: team.bulletin }) : say('no_bulletin');
}

const screen_ = new Screen();
follow({ shows: (now) => screen_.show(now), linked: (there, why) => screen_.linked(there, why) });
setInterval(() => screen_.tick(), 250);
get('ground').then((ground) => { screen_.place.textContent = ground.rules.district; }, () => {});
