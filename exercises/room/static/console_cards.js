/* Cards played by hand, on a target or one that is drawn, and the instructor's list of injects. */
import { boardOn, hexWords } from './board_words.js';
import { confirmed, remembered, teamChoice, tell, tried } from './console_dialogs.js';
import { figure } from './console_play.js';
import { get, post, upload } from './net.js';
import { labelled, say } from './said.js';

const el = averse.el;

export class Cards {
  constructor(app) {
    this.app = app;
    this.boards = true;
    this.before = -1;
    this.view = boardOn(app.table, { water: 'true', label: say('what_is_true') });
    this.read = el('output', { class: 'read', text: say('board_hint') });
    this.card = el('select', { id: 'card' }, app.rules.cards.map((card) => el('option', { value: card.key, text: card.label })));
    this.card.addEventListener('change', () => this.offer());
    this.does = el('p', { class: 'hint', id: 'does' });
    this.card.setAttribute('aria-describedby', 'does');
    this.target = el('input', { id: 'target', list: 'targets', autocomplete: 'off', maxlength: 120 });
    this.choices = el('datalist', { id: 'targets' });
    this.targetField = el('label', {}, [el('span', {}), this.target]);
    this.note = el('input', { id: 'note', maxlength: 200, autocomplete: 'off' });
    this.to = el('span', {});
    this.form = el('form', { class: 'card-form' }, [
      this.to, el('label', {}, [el('span', { text: say('card') }), this.card]), this.does, this.targetField, this.choices,
      el('label', {}, [el('span', { text: say('note') }), this.note]),
      el('button', { type: 'submit', class: 'primary', text: say('play_card') }), el('p', { class: 'hint', text: say('card_hint') })
    ]);
    this.form.addEventListener('submit', (event) => { event.preventDefault(); this.send(); });
    this.rows = el('tbody', {});
    const file = el('input', { type: 'file', accept: '.csv,.xlsx,.toml', 'aria-label': say('injects_load') });
    file.addEventListener('change', () => this.load(file));
    this.list = el('section', { class: 'injects scrolls', tabindex: '0', 'aria-label': say('injects') }, [
      el('h3', { text: say('injects') }),
      el('p', { class: 'choices left' }, [el('label', { class: 'button' }, [el('span', { text: say('injects_load') }), file]), el('a', { class: 'button', href: '/i/files/injects.xlsx', download: '', text: say('injects_save') })]),
      el('table', {}, [el('thead', {}, [el('tr', {}, ['turn', 'card', 'target', 'note', 'act'].map((name) => el('th', { scope: 'col', text: say(`inject_${name}`) })))]), this.rows])
    ]);
    this.root = el('section', { class: 'part', 'aria-label': say('part_cards') }, [
      el('h2', { text: say('cards_title') }),
      el('div', { class: 'cards' }, [
        el('div', { class: 'left' }, [this.form, this.list]),
        el('div', { class: 'boards one-board' }, [figure(this.view, el('figcaption', { text: say('pick_hint') })), this.read])
      ])
    ]);
    app.table.reads.push((cell) => this.picked(cell));
    this.sent = [remembered(this.target, 'target'), remembered(this.note, 'note')];
    const target = this.target.value, forget = remembered(this.card, 'card');
    if (this.card.value) this.offer(); else { forget(); this.card.selectedIndex = 0; this.offer(); }
    this.aim(target);
  }

  get strikes() { return this.struckBy(this.card.value); }

  struckBy(key) { return this.app.rules.cards.find((card) => card.key === key).strikes; }

  show(now) {
    // for all unless one says for whom, whichever team is looked at
    const kept = this.choice ? this.choice.select.value : '';
    const going = now.teams.filter((team) => !team.over).map((team) => team.key).join();
    if (this.going !== going) {
      this.choice = teamChoice(now, kept, say('to'));
      this.to.replaceChildren(this.choice.field);
      this.going = going;
    }
    this.view.show(this.app.someTeam().frame);
    const stand = JSON.stringify(now.teams.map((team) => [team.turn, team.over, team.cards_to_play]));
    if (this.stand !== stand) { this.stand = stand; this.ask(); }
  }

  offer() {
    const mark = this.strikes, board = this.app.table.data;
    this.does.textContent = say(`does_${this.card.value}`);
    this.targetField.hidden = !mark;
    this.aim('');
    if (mark) this.targetField.firstChild.textContent = say(`target_${mark}`);
    const names = mark === 'quarter' ? board.quarters : mark === 'shelter' ? board.places.shelter.map((place) => place[1]) : [];
    this.choices.replaceChildren(...names.map((name) => el('option', { value: name })));
  }

  aim(target) {
    this.target.value = target;
    this.target.dispatchEvent(new Event('input'));
  }

  /* A hex chosen on the map is the target, or its quarter, its shelter, or the link with the one before. */
  picked(cell) {
    if (!this.root.isConnected || cell < 0) return;
    const table = this.app.table, c = table.cells, mark = this.strikes, before = this.before;
    this.before = cell;
    this.read.textContent = hexWords(table, cell, { truth: this.view.board });
    if (mark === 'hex') this.aim(c.labels[cell]);
    if (mark === 'quarter' && c.quarter[cell] >= 0) this.aim(table.data.quarters[c.quarter[cell]]);
    if (mark === 'shelter') {
      const here = table.data.places.shelter.find((place) => place[0] === cell);
      if (here) this.aim(here[1]);
    }
    if (mark === 'link') {
      const near = before >= 0 && [0, 1, 2, 3, 4, 5].some((side) => c.neighbours[6 * before + side] === cell);
      if (near) this.aim([before, cell].sort((a, z) => a - z).map((one) => c.labels[one]).join('-'));
    }
  }

  send() {
    return this.play(this.card.value, this.target.value.trim(), this.note.value.trim()).then((done) => {
      if (done) this.sent.forEach((forget) => forget());
    });
  }

  async play(card, target, note) {
    const turns = this.app.turns(), key = this.choice.key(), label = this.app.rules.cards.find((one) => one.key === card).label;
    const team = this.choice.name(), to = team || say('all_teams');
    const sure = await confirmed({
      title: say('card_ask', { card: label }),
      body: [el('p', { text: labelled(say('to'), to) }), el('p', { text: target ? labelled(say('inject_target'), target) : this.struckBy(card) ? say('target_drawn') : '' }), el('p', { text: say('card_is_final') })],
      act: team ? say('play_for', { team }) : say('play_all')
    });
    if (!sure) return false;
    return Boolean(await tried(() => post('card', { team: key, card, target: target || null, note, turns }), say('card_played', { card: label })));
  }

  // ---------------------------------------------------------------- the list
  async ask() {
    const found = await tried(() => get('injects'));
    if (found) this.table(found);
    else this.stand = null;
  }

  async load(file) {
    if (!file.files.length) return;
    const found = await tried(() => upload(`injects?name=${encodeURIComponent(file.files[0].name)}`, file.files[0]));
    file.value = '';
    if (!found) return;
    this.table(found);
    tell(say('injects_loaded', { n: found.injects.length }));
  }

  /* What fell and when, what is to come: by itself, or from the list by hand. */
  table({ injects, scheduled, played }) {
    const next = Math.min(...this.app.now.teams.filter((team) => !team.over).map((team) => team.turn)) + 1;
    const left = [...played], byHand = injects.map((one) => {
      const at = left.findIndex((other) => other.origin === 'hand' && other.card === one.card && [other.target, ''].includes(one.target) && other.note === one.note);
      return { ...one, done: at < 0 ? null : left.splice(at, 1)[0], hand: true };
    });
    // what falls by itself is still to come where a team has not got to its turn
    const coming = next === Infinity ? [] : scheduled.filter((one) => one.turn >= next);
    const all = [...left.map((one) => ({ ...one, done: one })), ...coming, ...byHand].sort((a, z) => a.turn - z.turn);
    this.rows.replaceChildren(...all.map((one) => el('tr', { class: one.turn === next && !(one.done && one.done.fell) ? 'due' : '' }, [
      el('td', { text: String(one.turn) }), el('td', { text: one.label }), el('td', { text: one.target || (this.struckBy(one.card) ? say('drawn') : '–') }), el('td', { text: one.note }),
      el('td', {}, [
        one.done ? el('span', { text: this.doneWords(one.done) }) : one.hand ? null : el('span', { text: say('by_itself') }),
        one.hand ? el('button', { type: 'button', class: 'quiet', text: say(one.done ? 'play_again' : 'play_card'), onclick: () => this.play(one.card, one.target, one.note) }) : null
      ])
    ])));
    if (!all.length) this.rows.append(el('tr', {}, [el('td', { colspan: 5, class: 'none', text: say('no_injects') })]));
  }

  /* How a card came, when it fell, and for whom where it was not for all. */
  doneWords({ origin, fell, turn, teams }) {
    const said = say(fell ? `fell_${origin}` : 'falls_hand', { n: turn });
    return teams.length < this.app.now.teams.length ? labelled(teams.join(', '), said) : said;
  }
}
