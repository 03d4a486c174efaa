/* The two lists of the form, of teams and of cards: rows that come and go. */
import { field, fields, whole } from './prepare_fields.js';
import { say } from './said.js';

const el = averse.el;

/* Rows without any of their places left in the map: the form is checked anew by whoever draws them. */
function forget(prefix) {
  [...fields.keys()].filter((place) => place.startsWith(`${prefix}.`)).forEach((place) => fields.delete(place));
}

export class Teams {
  constructor(most, changed) {
    this.most = most;
    this.changed = changed;
    this.rows = el('ol', { class: 'rows' });
    this.more = el('button', { type: 'button', id: 'team-add', text: say('team_add'), onclick: () => this.insert() });
    this.root = el('div', {}, [this.rows, this.more]);
  }

  get() { return [...this.rows.querySelectorAll('input')].map((input) => input.value); }

  set(names) {
    forget('teams');
    this.rows.replaceChildren(...names.map((name, at) => this.row(typeof name === 'string' ? name : '', at)));
    this.more.disabled = names.length >= this.most;
  }

  row(name, at) {
    const input = el('input', { type: 'text', maxlength: 80, 'aria-label': say('team_n', { n: at + 1 }) });
    input.value = name;
    const drop = el('button', { type: 'button', class: 'quiet', text: '×', 'aria-label': say('team_drop', { n: at + 1 }), onclick: () => this.drop(at) });
    return el('li', {}, [el('div', { class: 'line' }, [input, drop]), field(`teams.${at}`, [input]).note]);
  }

  insert() {
    const names = this.get();
    this.set([...names, say('team_n', { n: names.length + 1 })]);
    const inputs = this.rows.querySelectorAll('input'), last = inputs[inputs.length - 1];
    last.focus();
    last.select();
    this.changed();
  }

  drop(at) {
    this.set(this.get().filter((_, one) => one !== at));
    (this.rows.querySelectorAll('input')[Math.max(0, at - 1)] || this.more).focus();
    this.changed();
  }
}

export class Injects {
  constructor(cards, changed) {
    this.cards = cards;
    this.changed = changed;
    this.targets = el('datalist', { id: 'targets' });
    this.rows = el('ol', { class: 'rows injects-rows' });
    this.root = el('div', {}, [this.targets, this.rows]);
    this.add = el('button', { type: 'button', id: 'inject-add', text: say('inject_add'), onclick: () => this.insert() });
  }

  places(district) {
    const names = district ? [...district.quarters, ...district.shelters] : [];
    this.targets.replaceChildren(...names.map((name) => el('option', { value: name })));
  }

  get() {
    return [...this.rows.children].map((row) => {
      const [turn, card, target, note] = row.querySelectorAll('input, select');
      return { turn: whole(turn.value), card: card.value, target: target.value.trim(), note: note.value };
    });
  }

  set(injects) {
    forget('injects');
    this.rows.replaceChildren(...injects.map((one, at) => this.row(one && typeof one === 'object' ? one : {}, at)));
  }

  row(inject, at) {
    const words = (value) => (value === undefined || value === null ? '' : String(value));
    const turn = el('input', { type: 'text', inputmode: 'numeric', maxlength: 4 });
    const card = el('select', {}, this.cards.map((one) => el('option', { value: one.value, text: one.said })));
    const target = el('input', { type: 'text', maxlength: 80, list: 'targets' });
    const note = el('input', { type: 'text' });
    turn.value = words(inject.turn);
    target.value = words(inject.target);
    note.value = words(inject.note);
    const named = this.cardOf(words(inject.card));
    if (!this.cards.some((one) => one.value === named)) card.append(el('option', { value: named, text: named || '–' }));
    card.value = named;
    const does = el('p', { class: 'hint does', id: `does-${at}` });
    const tell = () => { const found = this.cards.find((one) => one.value === card.value); does.textContent = found ? found.does : ''; };
    card.addEventListener('change', tell);
    card.setAttribute('aria-describedby', does.id);
    tell();
    const parts = [['turn', turn], ['card', card], ['target', target], ['note', note]];
    const notes = parts.map(([name, input]) => field(`injects.${at}.${name}`, [input]).note);
    return el('li', {}, [
      el('fieldset', { class: 'line', 'aria-label': say('inject_n', { n: at + 1 }) }, [
        ...parts.map(([name, input]) => el('label', { class: `of-${name}` }, [el('span', { text: say(`inject_${name}`) }), input])),
        el('button', { type: 'button', class: 'quiet', text: '×', 'aria-label': say('inject_drop', { n: at + 1 }), onclick: () => this.drop(at) })
      ]), does, ...notes
    ]);
  }

  /* A list names cards by their key or by their name. */
  cardOf(written) {
    const bare = (name) => name.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/[_\s]+/g, ' ').trim();
    const found = this.cards.find((one) => [one.value, ...one.names].some((name) => bare(name) === bare(written)));
    return found ? found.value : written;
  }

  insert() {
    const rows = this.get(), last = rows[rows.length - 1];
    this.set([...rows, { turn: last && typeof last.turn === 'number' ? last.turn + 1 : 3, card: this.cards[0].value }]);
    this.rows.lastElementChild.querySelector('input').focus();
    this.changed();
  }

  drop(at) {
    this.set(this.get().filter((_, one) => one !== at));
    const left = this.rows.children[Math.max(0, at - 1)];
    (left ? left.querySelector('input') : this.add).focus();
    this.changed();
  }
}
