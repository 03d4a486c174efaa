/* The form on which an instructor prepares a room: what is chosen is kept as it is chosen, each fault stands at its field. */
import { confirmed, hush, tell, tried } from './console_dialogs.js';
import { get, post, upload } from './net.js';
import { Injects, Teams } from './prepare_lists.js';
import { chooseHex, hexWords } from './prepare_map.js';
import { check, field, fields, number, picker, radios, select, text } from './prepare_fields.js';
import { lang, languageLink, say } from './said.js';

const el = averse.el, NIGHT = 'averse-night', QUIET_MS = 350, ASK_MS = 400;

class Prepare {
  constructor(told) {
    this.root = document.getElementById('prepare');
    this.choices = told.choices;
    this.waiting = 0;
    this.head();
    this.dress(localStorage.getItem(NIGHT) === '1');
    this.build();
    this.district(told.district);
    this.weather(told.weather);
    this.fill(told.draft);
    this.follow(told);
    if (told.state !== 'opening') this.keep();
    this.root.dataset.ready = '1';
  }

  head() {
    this.night = el('button', { type: 'button', class: 'quiet', text: say('night_mode'), onclick: () => this.dress(document.documentElement.dataset.theme !== 'night') });
    document.getElementById('head').append(
      el('h1', {}, [el('span', { class: 'brand', text: 'averse' }), el('span', { text: say('title') })]),
      el('span', { class: 'grow' }), this.night, languageLink(say('other_language'))
    );
  }

  dress(night) {
    document.documentElement.dataset.theme = night ? 'night' : 'day';
    localStorage.setItem(NIGHT, night ? '1' : '0');
    this.night.setAttribute('aria-pressed', String(night));
  }

  // ---------------------------------------------------------------- the form
  build() {
    const { hours, timers, levels, credibility, cards } = this.choices;
    const f = this.parts = {
      hour: select('hour', say('hour'), hours.map((one) => [one.value, one.said]), true),
      weekend: radios('weekend', say('day'), [[false, say('weekday')], [true, say('weekend')]]),
      hex: text('gathering.hex', say('event_hex'), { maxlength: 12, list: 'hexes', inputmode: 'numeric' }),
      people: number('gathering.people', say('event_people'), 1, 9999999),
      half_staff: check('half_staff', say('half_staff')),
      credibility: number('credibility', say('credibility', { n: credibility }), 0, credibility, say('credibility_hint')),
      level: radios('level', say('level'), [['secret', say('level_secret')], ...levels.map((n) => [n, say('level_n', { n })])], say('level_hint')),
      seed: text('seed', say('seed'), { maxlength: 128, spellcheck: 'false', class: 'mono' }, say('seed_hint')),
      own_seeds: check('own_seeds', say('own_seeds')),
      turns: number('turns', say('turns', { n: this.choices.turns }), 1, this.choices.turns),
      timer: radios('timer', say('timer'), timers.map((one) => [one.value, say(one.seconds ? 'timer_seconds' : 'timer_none', { name: one.said, n: one.seconds })])),
      cards: check('cards', say('cards')),
      lang: radios('lang', say('lang'), [['fr', 'Français'], ['en', 'English']], say('lang_hint'))
    };
    this.teams = new Teams(this.choices.teams, () => this.changed());
    this.injects = new Injects(cards, () => this.changed());
    this.hexes = el('datalist', { id: 'hexes' });
    this.ground = el('p', { class: 'ground' });
    this.weatherLine = el('span');
    this.weatherDrop = el('button', { type: 'button', class: 'quiet', text: say('weather_drop'), onclick: () => this.sendWeather(new Blob([])) });
    this.groundSend = picker(say('district_send'), '.zip,application/zip', (file) => this.sendDistrict(file));
    this.list = el('div', { class: 'lines', role: 'status' });
    this.summary = el('p', { class: 'summary', role: 'status' });
    this.keptLine = el('span', { class: 'hint' });
    this.go = el('button', { type: 'submit', class: 'primary', id: 'open', text: say('open') });
    this.bar = el('progress', { max: 1, 'aria-label': say('opening_share') });
    this.waitLine = el('p');
    this.wait = el('div', { class: 'opening', role: 'status', hidden: '' }, [this.waitLine, this.bar]);
    this.mapButton = el('button', { type: 'button', id: 'on-map', text: say('map_open'), onclick: () => this.chooseHex() });
    const event = el('fieldset', { class: 'event' }, [
      el('legend', { text: say('event') }), el('div', { class: 'pair' }, [f.hex.root, f.people.root]),
      el('p', { class: 'choices left' }, [this.mapButton, el('span', { class: 'hint', text: say('event_hint') })]),
      field('gathering').note
    ]);
    this.form = el('form', { novalidate: '', autocomplete: 'off' }, [
      el('p', { class: 'lead-in', text: say('lead') }),
      el('p', { class: 'choices left' }, [
        picker(say('from_file'), '.toml', (file) => this.sendScenario(file)),
        el('button', { type: 'button', id: 'to-file', text: say('to_file'), onclick: () => this.download() })
      ]), this.list,
      part('district', [this.ground, el('p', { class: 'choices left' }, [this.groundSend]), field('district').note]),
      part('teams', [el('p', { class: 'hint', text: say('teams_hint') }), this.teams.root, field('teams').note]),
      part('situation', [el('div', { class: 'pair' }, [f.hour.root, f.weekend.root]), event, f.half_staff.root, f.credibility.root]),
      part('storm', [f.level.root, f.seed.root, f.own_seeds.root, el('div', { class: 'field' }, [
        el('p', { class: 'hint', text: say('weather_hint') }),
        el('p', { class: 'choices left' }, [this.weatherLine, picker(say('weather_send'), '.toml', (file) => this.sendWeather(file)), this.weatherDrop]), field('weather').note
      ])]),
      part('course', [f.turns.root, f.timer.root, f.cards.root, f.lang.root]),
      part('injects', [el('p', { class: 'hint', text: say('injects_hint') }), this.injects.root, field('injects').note, el('p', { class: 'choices left' }, [
        this.injects.add, picker(say('inject_load'), '.csv,.xlsx,.toml', (file) => this.sendInjects(file)),
        el('a', { class: 'button quiet', href: `files/injects.csv?lang=${lang}`, download: '', text: say('inject_sample') })
      ])]),
      el('div', { class: 'foot' }, [this.summary, this.keptLine, this.go])
    ]);
    this.form.addEventListener('input', () => this.changed());
    this.form.addEventListener('change', () => this.changed());
    this.form.addEventListener('submit', (submitted) => { submitted.preventDefault(); this.open(); });
    window.addEventListener('pagehide', () => this.leave());
    this.root.append(this.hexes, this.form, this.wait);
  }

  district(told) {
    this.ground.textContent = told ? say('district_is', { name: told.name, n: told.people }) : say('district_none');
    this.ground.classList.toggle('none', !told);
    this.place = told;
    this.mapButton.hidden = !told;
    this.hexes.replaceChildren(...(told ? told.hexes : []).map((one) => el('option', { value: one.label, label: hexWords(told, one) })));
    this.injects.places(told);
    (told ? told.levels : []).forEach((one) => this.parts.level.meant(one.level, `${say('level_n', { n: one.level })} – ${one.said}`));
  }

  chooseHex() {
    chooseHex(this.place, this.parts.hex.get(), (label) => {
      this.parts.hex.set(label);
      this.changed();
      document.querySelector('[list=hexes]').focus();
    });
  }

  weather(name) {
    this.weatherLine.hidden = this.weatherDrop.hidden = !name;
    if (name) this.weatherLine.textContent = say('weather_is', { name });
  }

  fill(draft) {
    const f = this.parts, at = draft.gathering && typeof draft.gathering === 'object' ? draft.gathering : {};
    Object.keys(f).forEach((name) => { if (name in draft) f[name].set(draft[name]); });
    f.hex.set(at.hex);
    f.people.set(at.people);
    f.seed.set(draft.seed);
    this.teams.set(Array.isArray(draft.teams) ? draft.teams : []);
    this.injects.set(Array.isArray(draft.injects) ? draft.injects : []);
  }

  draft() {
    const f = this.parts, draft = { teams: this.teams.get() };
    ['lang', 'hour', 'turns', 'weekend', 'half_staff', 'credibility', 'timer', 'cards', 'level', 'own_seeds'].forEach((name) => { draft[name] = f[name].get(); });
    const hex = f.hex.get(), people = f.people.get();
    if (hex !== '' || people !== '') draft.gathering = { ...(hex !== '' && { hex }), ...(people !== '' && { people }) };
    if (f.seed.get() !== '') draft.seed = f.seed.get();
    draft.injects = this.injects.get();
    return draft;
  }

  // ---------------------------------------------------------------- kept as it is chosen, checked
  changed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.keep(), QUIET_MS);
  }

  /* What was typed last is kept, though the page goes. */
  leave() {
    if (this.waiting) navigator.sendBeacon(`api/draft?lang=${lang}`, new Blob([JSON.stringify(this.draft())], { type: 'application/json' }));
  }

  async keep() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    try {
      const { faults } = await post('draft', this.draft());
      this.show(faults);
      this.keptLine.textContent = say('kept');
      this.keptLine.classList.remove('lost');
      return faults;
    } catch (fault) {
      this.keptLine.textContent = fault instanceof TypeError ? say('not_kept') : fault.message;
      this.keptLine.classList.add('lost');
      return null;
    }
  }

  /* Put each fault at its field; one without a field is listed above. That no district was sent yet is
     no fault before one wants to open the room. */
  show(every, isAsked = false) {
    this.isAsked ||= isAsked;
    const faults = every.filter((fault) => this.isAsked || fault.at !== 'district' || this.place);
    fields.forEach((one) => one.fault(''));
    this.first = null;
    faults.forEach((fault) => {
      const parts = fault.at.split('.');
      while (parts.length && !fields.has(parts.join('.'))) parts.pop();
      const found = fields.get(parts.join('.'));
      if (found) found.fault(fault.said);
      if (found && !this.first) this.first = found;
    });
    this.summary.textContent = faults.length ? say('faults_left', { n: faults.length }) : say(every.length ? 'district_first' : 'ready');
    this.summary.classList.toggle('some', faults.length > 0);
  }

  async open() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    const told = await tried(() => post('open', this.draft()));
    if (!told) return;
    this.show(told.faults, true);
    if (told.faults.length) { if (this.first) this.first.focus(); return; }
    this.follow({ state: 'opening', share: 0 });
  }

  /* Wait for the room, whoever opened it: the console is at the same address. */
  follow(told) {
    const going = told.state === 'opening';
    this.form.inert = going;
    this.form.hidden = going;
    this.wait.hidden = !going;
    this.waitLine.textContent = say(told.lost ? 'lost' : told.stage === 'maps' ? 'opening_maps' : 'opening');
    if (told.share) this.bar.value = told.share;
    else this.bar.removeAttribute('value');
    if (told.state === 'open') { location.reload(); return; }
    if (told.state === 'failed' && this.was === 'opening') tell(say('failed', { why: told.said }), true);
    this.was = told.state;
    if (going) setTimeout(async () => this.follow(await get('prepare').catch(() => ({ ...told, lost: true }))), ASK_MS);
  }

  // ---------------------------------------------------------------- files
  lines(found, name) {
    this.list.replaceChildren();
    if (!found.length) { tell(say('file_read', { name })); return; }
    hush(); // of the file before
    this.list.append(el('p', { text: say('file_faults', { n: found.length, name }) }), el('ul', {}, found.map((line) => el('li', { text: line }))));
  }

  async sendScenario(file) {
    hush();
    const told = await tried(() => upload(`scenario?name=${encodeURIComponent(file.name)}`, file));
    if (!told) return;
    this.fill(told.draft);
    await this.keep();
    this.lines(told.lines, file.name);
  }

  async sendInjects(file) {
    hush();
    const n = this.injects.get().length;
    if (n && !await confirmed({ title: say('injects_over', { n, name: file.name }), act: say('injects_replace'), danger: true })) return;
    const told = await tried(() => upload(`injects?name=${encodeURIComponent(file.name)}`, file));
    if (!told) return;
    this.injects.set(told.injects);
    await this.keep();
    tell(say('injects_read', { n: told.injects.length, name: file.name }));
  }

  async sendWeather(file) {
    hush();
    const now = await tried(() => upload('weather', file));
    if (now) this.weather(now.weather);
  }

  async sendDistrict(file) {
    this.ground.textContent = say('district_wait');
    const told = await tried(() => upload(`pack?name=${encodeURIComponent(file.name)}`, file));
    const now = told || await get('prepare').catch(() => null);
    if (now) { this.district(now.district); this.weather(now.weather); }
    await this.keep();
    if (told) tell(say('district_read', { name: told.district.name }));
  }

  async download() {
    const faults = await this.keep();
    if (!faults) return;
    const mine = faults.filter((fault) => fault.at !== 'district');
    if (mine.length) { if (this.first) this.first.focus(); return; }
    const link = el('a', { href: `files/scenario.toml?lang=${lang}`, download: 'scenario.toml' });
    document.body.append(link);
    link.click();
    link.remove();
  }
}

function part(name, nodes) {
  return el('section', { class: `section ${name}`, 'aria-labelledby': `title-${name}` }, [el('h2', { id: `title-${name}`, text: say(name) }), ...nodes]);
}

const told = await tried(() => get('prepare'));
if (told) window.averse.prepare = new Prepare(told);
