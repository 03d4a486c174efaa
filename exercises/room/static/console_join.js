/* How teams come in: a link and a QR code each, and the public screen's. */
import { confirmed, remembered, tell, tried } from './console_dialogs.js';
import { get, post } from './net.js';
import { lang, say } from './said.js';

const el = averse.el;

export class Join {
  constructor(app) {
    this.app = app;
    this.links = el('ul', { class: 'links' });
    this.name = el('input', { maxlength: 60, required: '', autocomplete: 'off' });
    this.added = remembered(this.name, 'team');
    const form = el('form', { class: 'row-form' }, [
      el('label', {}, [el('span', { text: say('new_team') }), this.name]), el('button', { type: 'submit', text: say('add_team') })
    ]);
    form.addEventListener('submit', (event) => { event.preventDefault(); this.add(); });
    this.turns = el('input', { type: 'number', id: 'forms-turns', min: 0, max: 60, value: 6, required: '' });
    this.print = el('button', { type: 'button', id: 'forms', text: say('forms_print'), onclick: () => this.forms() });
    this.root = el('section', { class: 'part', 'aria-label': say('part_join') }, [
      el('h2', { text: say('join_title') }), el('p', { class: 'hint', text: say('join_hint') }), this.links, form,
      el('h2', { text: say('forms_title') }), el('p', { class: 'hint', text: say('forms_hint') }), el('div', { class: 'row-form' }, [
        el('label', {}, [el('span', { text: say('forms_turns') }), this.turns]), this.print
      ])
    ]);
  }

  show(now) {
    if (this.count === now.teams.length) { this.present(now); return; }
    this.count = now.teams.length;
    this.load();
  }

  async load() {
    const found = await tried(() => get('links'));
    if (found) this.list(found.links);
  }

  list(links) {
    this.marks = new Map();
    this.links.replaceChildren(...links.map((link) => this.entry(link)));
    this.present(this.app.now);
  }

  entry(link) {
    const who = link.team ? (this.app.now.teams.find((team) => team.key === link.team) || {}).name : say('public_screen');
    const called = link.team ? who : say('the_screen');
    const here = el('span', { class: 'seats' });
    if (link.team) this.marks.set(link.team, here);
    const address = el('input', { readonly: '', value: link.address, 'aria-label': say('link_of', { who: called }) });
    address.addEventListener('focus', () => address.select());
    const image = el('img', { src: link.qr, alt: say('qr_of', { who: called }), width: 132, height: 132 });
    return el('li', { class: link.team ? '' : 'screen' }, [
      el('button', { type: 'button', class: 'qr', 'aria-label': say('enlarge', { who: called }), onclick: () => enlarge(who, link) }, [image]),
      el('div', {}, [
        el('strong', { text: who }), here, address,
        el('p', { class: 'choices left' }, [
          el('button', { type: 'button', text: say('copy'), 'aria-label': say('copy_of', { who: called }), onclick: () => copy(address) }),
          el('button', { type: 'button', class: 'quiet', text: say('renew'), 'aria-label': say('renew_of', { who: called }), onclick: () => this.renew(link, called) }),
          link.team ? null : el('a', { class: 'button', href: link.address, target: '_blank', rel: 'noopener', text: say('open_screen') })
        ])
      ])
    ]);
  }

  async renew(link, who) {
    const sure = await confirmed({ title: say('renew_ask', { who }), body: [el('p', { text: say('renew_is_final') })], act: say('renew'), danger: true });
    if (!sure) return;
    const found = await tried(() => post('links', { team: link.team }), say('renewed', { who }));
    if (found) this.list(found.links);
  }

  present(now) {
    if (!this.marks) return;
    now.teams.forEach((team) => { 
      const mark = this.marks.get(team.key);
      if (!mark) return;
      mark.textContent = this.app.teams.presence(team);
      mark.classList.toggle('nobody', !Object.keys(team.present).length);
    });
  }

  async forms() {
    if (!this.turns.reportValidity()) return;
    this.print.disabled = true;
    this.print.textContent = say('forms_wait');
    await tried(() => saved('forms.pdf', 'forms.pdf', `&order_turns=${this.turns.valueAsNumber}`), say('forms_done'));
    this.print.disabled = false;
    this.print.textContent = say('forms_print');
  }

  async add() {
    if (await tried(() => post('teams', { name: this.name.value }), say('team_added'))) this.added();
  }
}

/* A file made while one waits, so that a refusal is told instead of being saved. */
async function saved(path, name, query = '') {
  const response = await fetch(`/i/api/${path}?lang=${lang}${query}`);
  if (!response.ok) throw new Error((await response.json()).said);
  const address = URL.createObjectURL(await response.blob());
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/* A page of the room is not served over TLS: the clipboard may be out of reach, a selection never is. */
async function copy(input) {
  input.focus();
  input.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(input.value);
    else document.execCommand('copy');
    tell(say('copied'));
  } catch {
    tell(say('copy_yourself'));
  }
}

function enlarge(who, link) {
  const dialog = el('dialog', { class: 'large-qr', 'aria-label': who }, [
    el('h2', { text: who }), el('img', { src: link.qr, alt: say('qr_of', { who }) }), el('p', { text: link.address.split('?')[0].replace(/\/join$/, '') }),
    el('form', { method: 'dialog' }, [el('button', { type: 'submit', class: 'primary', text: say('close') })])
  ]);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
