/* The end of an exercise, and the debrief pack of the class. */
import { confirmed, teamChoice, tried } from './console_dialogs.js';
import { scoreWords, whenWords } from './console_teams.js';
import { get, post } from './net.js';
import { lang, say } from './said.js';

const el = averse.el, ASK_AGAIN_MS = 500;
const STAGES = {
  'reading the journals': 'stage_reading', 'what else might have been done': 'stage_regret',
  'writing the pack': 'stage_writing', archive: 'stage_archive'
};


export class Debrief {
  constructor(app) {
    this.app = app;
    this.teams = el('ul', { class: 'ends' });
    this.proof = el('p', {});
    this.endButton = el('button', { type: 'button', class: 'danger', id: 'end', text: say('end'), onclick: () => this.end() });
    this.go = el('button', { type: 'button', class: 'primary', id: 'write', text: say('write_pack'), onclick: () => this.write() });
    this.bar = el('progress', { max: 1, value: 0, 'aria-label': say('pack_progress') });
    this.stage = el('output', {});
    this.link = el('a', { class: 'button primary', id: 'pack', href: '/i/files/debrief.zip', download: '', text: say('pack_get') });
    this.root = el('section', { class: 'part', 'aria-label': say('part_debrief') }, [
      el('h2', { text: say('end_title') }), el('p', { class: 'hint', text: say('end_hint') }), this.teams, el('p', { class: 'choices left' }, [this.endButton]),
      el('h2', { text: say('pack_title') }), el('p', { class: 'hint', text: say('pack_hint') }),
      el('p', { class: 'choices left' }, [this.go, this.link]), el('p', { class: 'progress' }, [this.bar, this.stage]),
      el('details', { class: 'hint proof' }, [el('summary', { text: say('proof_title') }), this.proof])
    ]);
    this.bar.hidden = this.link.hidden = true;
  }

  show(now) {
    this.teams.replaceChildren(...now.teams.map((team) => el('li', {}, [
      el('strong', { text: team.name }), el('span', { text: ` ${whenWords(team, now)}${team.over ? ` · ${scoreWords(team)}` : ''}` })
    ])));
    this.endButton.disabled = now.teams.every((team) => team.over);
    this.proof.textContent = now.truth.opened ? say('proof_opened', { hash: now.truth.sha256, text: now.truth.opened }) : say('proof', { hash: now.truth.sha256 });
    const stand = JSON.stringify(now.teams.map((team) => [team.turn, team.over]));
    if (stand !== this.stand) { this.stand = stand; if (!this.following) this.follow(); }
  }

  /* For all unless one says for whom, whichever team is looked at. */
  async end() {
    const turns = this.app.turns(), to = teamChoice(this.app.now, '', say('end_who'));
    const act = () => (to.name() ? say('end_for', { team: to.name() }) : say('end_all'));
    const sure = await confirmed({ title: say('end_ask'), body: [to.field, el('p', { text: say('end_is_final') })], act, danger: true });
    if (sure) await tried(() => post('end', { team: to.key(), turns }), say('ended'));
  }

  async write() {
    const early = this.app.now.teams.some((team) => !team.over);
    if (early && !await confirmed({ title: say('pack_early_ask'), body: [el('p', { text: say('pack_early') })], act: say('write_pack') })) return;
    if (await tried(() => post('debrief', { lang }))) this.follow();
  }

  /* Follow the pack while it is written. */
  async follow() {
    this.following = true;
    const told = await tried(() => get('debrief'));
    this.following = false;
    if (!told) return;
    const running = told.state === 'running', there = told.state === 'ready' || told.state === 'stale';
    this.following = running;
    this.go.disabled = running;
    this.bar.hidden = !running;
    const stages = Object.keys(STAGES), at = Math.max(0, stages.indexOf(told.stage));
    if (at + told.share) this.bar.value = (at + told.share) / stages.length;
    else this.bar.removeAttribute('value'); // the journals of all teams are read at once: it moves, none knows how far
    this.stage.textContent = running ? say(STAGES[told.stage] || 'stage_begins') : told.state === 'ready' ? `${say('pack_ready')}. ${told.said}` : told.said;
    this.stage.classList.toggle('failed', told.state === 'failed' || told.state === 'stale');
    this.link.hidden = !there;
    this.go.textContent = say(there ? 'write_again' : 'write_pack');
    this.go.classList.toggle('primary', told.state !== 'ready');
    if (running) setTimeout(() => this.follow(), ASK_AGAIN_MS);
  }
}
