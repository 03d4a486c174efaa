/* The instructor's console: who is in, what is true, what each team believes; turns, cards, messages. */
import { Table } from './board_map.js';
import { Cards } from './console_cards.js';
import { Debrief } from './console_debrief.js';
import { confirmed, hush, hushNotice, remembered, teamChoice, tried } from './console_dialogs.js';
import { Join } from './console_join.js';
import { Layers } from './console_layers.js';
import { Past } from './console_past.js';
import { Play } from './console_play.js';
import { Storm } from './console_storm.js';
import { Teams, ordersWords } from './console_teams.js';
import { follow, get, post } from './net.js';
import { languageLink, minutes, say } from './said.js';

const el = averse.el, NIGHT = 'averse-night';
const PARTS = { play: Play, past: Past, storm: Storm, cards: Cards, join: Join, debrief: Debrief };

// what may be done is shown once it is known what stands
const head = document.getElementById('head'), loading = el('p', { class: 'loading', role: 'status', text: say('loading') });
head.inert = true;
document.getElementById('console').append(loading);

class Console {
  constructor(ground) {
    this.rules = ground.rules;
    this.table = new Table(ground.board);
    this.now = null;
    this.heardAt = 0;
    this.parts = {};
    [this.part, this.chosen] = this.fromAddress();
    this.teams = new Teams(this);
    this.stage = el('div', { class: 'stage', id: 'stage', tabindex: '-1' });
    this.tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': say('parts') });
    this.layers = new Layers(this);
    Object.keys(PARTS).forEach((name) => this.tabs.append(el('button', {
      type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'stage', text: say(`part_${name}`), onclick: () => this.open(name)
    })));
    this.tabs.addEventListener('keydown', (event) => this.alongTabs(event));
    const main = document.getElementById('console');
    this.work = el('div', { class: 'work', hidden: '' }, [el('div', { class: 'bar' }, [this.tabs, this.layers.root]), this.stage]);
    this.teams.root.hidden = true;
    main.append(this.teams.root, this.work);
    this.stage.setAttribute('role', 'tabpanel');
    this.head();
    this.dress(localStorage.getItem(NIGHT) === '1');
    window.addEventListener('hashchange', () => { hushNotice(); [this.part, this.chosen] = this.fromAddress(); this.render(); });
  }

  head() {
    this.state = el('span', { class: 'state', role: 'status' });
    this.clock = el('span', { class: 'clock' });
    this.all = el('button', { type: 'button', class: 'primary', id: 'advance', text: say('advance_all'), disabled: '', onclick: () => this.advance(null) });
    this.hold = el('button', { type: 'button', id: 'hold', hidden: '', onclick: () => this.holdTimers() });
    // a message stays until it is sent
    this.letter = el('textarea', { rows: 4, maxlength: 500, required: '', 'aria-label': say('message_text') });
    this.sent = remembered(this.letter, 'message');
    this.write = el('button', { type: 'button', id: 'message', onclick: () => this.message() });
    this.begun();
    this.night = el('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', text: say('night_mode'), onclick: () => this.dress(!this.table.night) });
    head.append(
      el('h1', {}, [el('span', { class: 'brand', text: 'averse' }), el('span', { text: this.rules.district })]),
      this.state, el('span', { class: 'grow' }), this.clock, this.all, this.hold, this.write, this.night, languageLink(say('other_language'))
    );
  }

  fromAddress() {
    const [part, team] = location.hash.slice(1).split('/').map(decodeURIComponent);
    return part in PARTS ? [part, team || ''] : ['play', ''];
  }

  open(part) { location.hash = `${part}/${encodeURIComponent(this.chosen)}`; }
  choose(team) { location.hash = `${this.part}/${encodeURIComponent(team)}`; }

  alongTabs(event) {
    const names = Object.keys(PARTS), at = names.indexOf(this.part);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const name = names[(to + names.length) % names.length];
    this.open(name);
    document.getElementById(`tab-${name}`).focus();
  }

  // ---------------------------------------------------------------- what is seen
  team() { return this.now ? this.now.teams.find((team) => team.key === this.chosen) || null : null; }

  /* The team looked at, else the first: for parts that show one at a time. */
  someTeam() { return this.team() || this.now.teams[0]; }

  seatName(seat) {
    if (!seat) return say('whole_team');
    const found = this.rules.seats.find((one) => one.key === seat);
    return found ? found.label : seat;
  }

  /* Seconds since the room was last heard. */
  heardFor() { return (performance.now() - this.heardAt) / 1000; }

  secondsLeft(team) {
    if (!team.timer) return null;
    return team.timer.held ? team.timer.left : Math.max(0, team.timer.left - this.heardFor());
  }

  show(now) {
    this.now = now;
    this.heardAt = performance.now();
    if (this.chosen && !this.team()) this.chosen = '';
    if (loading.isConnected) {
      loading.remove();
      head.inert = this.teams.root.hidden = this.work.hidden = false;
    }
    this.render();
    document.getElementById('console').dataset.ready = '1';
  }

  render() {
    if (!this.now) return;
    const going = this.now.teams.filter((team) => !team.over);
    this.all.disabled = !going.length;
    this.all.textContent = say(going.every((team) => team.phase === 'forecast') && going.length ? 'begin' : 'advance_all');
    this.hold.hidden = !this.now.timer_seconds;
    this.hold.textContent = say(this.now.held ? 'resume' : 'hold');
    this.hold.setAttribute('aria-pressed', String(this.now.held));
    [...this.tabs.children].forEach((tab) => {
      const on = tab.id === `tab-${this.part}`;
      tab.setAttribute('aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
    });
    const part = this.parts[this.part] || (this.parts[this.part] = new PARTS[this.part](this));
    if (part.root.parentNode !== this.stage) {
      this.stage.replaceChildren(part.root);
      this.stage.setAttribute('aria-labelledby', `tab-${this.part}`);
    }
    this.teams.show(this.now, part.single ? this.someTeam().key : this.chosen);
    this.layers.root.hidden = !part.boards && this.part !== 'play';
    part.show(this.now);
    this.tick();
  }

  tick() {
    if (!this.now) return;
    const timed = this.now.teams.map((team) => [team, this.secondsLeft(team)]).filter(([, left]) => left !== null);
    this.now.teams.forEach((team) => this.teams.tick(team));
    this.clock.textContent = timed.length ? minutes(Math.min(...timed.map(([, left]) => left))) : '';
    this.clock.hidden = !timed.length;
  }

  linked(there, why) {
    if (there && this.state.textContent) hush();
    this.state.textContent = there ? '' : why || say('unlinked');
    this.state.classList.toggle('gone', !there);
  }

  dress(night) {
    document.documentElement.dataset.theme = night ? 'night' : 'day';
    localStorage.setItem(NIGHT, night ? '1' : '0');
    this.night.setAttribute('aria-pressed', String(night));
    this.table.dress(night);
    this.layers.show();
  }

  // ---------------------------------------------------------------- what is done
  /* Where the teams stand: sent with what is decided, so that a second click or console skips no turn. */
  turns() { return Object.fromEntries(this.now.teams.map((team) => [team.key, team.turn])); }

  async advance(key) {
    const turns = this.turns();
    const meant = this.now.teams.filter((team) => !team.over && (key === null || team.key === key));
    const rows = meant.map((team) => el('li', {}, [
      el('strong', { text: team.name }),
      el('span', { text: ` ${say('from_to', { from: team.turn, to: team.turn + 1 })} · ${ordersWords(team)}` })
    ]));
    const sure = await confirmed({
      title: key === null ? say('advance_all_ask', { n: meant.length }) : say('advance_one_ask', { team: meant[0].name }),
      body: [el('ul', {}, rows), el('p', { text: say('advance_is_final') })], act: say('advance')
    });
    if (sure) await tried(() => post('advance', { team: key, turns }));
  }

  holdTimers() { return tried(() => post('hold', { held: !this.now.held })); }

  /* It goes to all unless one says to whom, whichever team is looked at. */
  async message() {
    const to = teamChoice(this.now, '', say('to'));
    const act = () => (to.name() ? say('send_to', { team: to.name() }) : say('send_all'));
    const sure = await confirmed({ title: say('message_title'), body: [to.field, this.letter, el('p', { class: 'hint', text: say('message_hint') })], act });
    if (sure && await tried(() => post('message', { team: to.key(), text: this.letter.value }), say('message_sent'))) this.sent();
    this.begun();
  }

  /* Say whether a message was begun. */
  begun() { this.write.textContent = say(this.letter.value ? 'message_begun' : 'message'); }
}

const console_ = new Console(await get('ground'));
follow({ shows: (now) => console_.show(now), linked: (there, why) => console_.linked(there, why) });
setInterval(() => console_.tick(), 500);
