/* The form on which an instructor prepares a room: what is chosen is kept as it is chosen, each fault stands at its field. */
import { confirmed, hush, tell, tried } from './console_dialogs.js';
import { get, post, upload } from './net.js';
import { Injects, Teams } from './prepare_lists.js';
import { chooseHex, hexWords } from './prepare_map.js';
import { check, field, fields, number, picker, radios, select, text } from './prepare_fields.js';
import { capital, lang, languageLink, say } from './said.js';

const el = averse.el, NIGHT = 'averse-night', UNSENT = 'averse-unsent', QUIET_MS = 350, ASK_MS = 400;
const CHANGED = 409, NOT_FOUND = 404;

class Prepare {
  constructor(told) {
    this.root = document.getElementById('prepare');
    this.choices = told.choices;
    this.version = told.version;
    this.by = Math.random().toString(36).slice(2); // this page, among those that prepare the same room
    this.line = Promise.resolve();
    this.waiting = 0;
    this.head();
    this.dress(localStorage.getItem(NIGHT) === '1');
    this.build();
    this.district(told.district);
    this.weather(told.weather);
    this.fill(told.draft);
    this.follow(told);
    if (told.state !== 'opening' && !this.resume(told)) this.keep();
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
      level: radios('level', say('level'), [['secret', say('level_secret', { list: levels.join(', ') })], ...levels.map((n) => [n, say('level_n', { n })])], say('level_hint', { weak: levels.slice(0, 2).join(say('or')), strong: levels.slice(2).join(say('or')) })),
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
    this.turnsLine = el('p', { class: 'turns-line', id: 'turns-line', role: 'status', hidden: '' });
    f.turns.root.querySelector('input').setAttribute('aria-describedby', [f.turns.root.querySelector('input').getAttribute('aria-describedby'), 'turns-line'].join(' '));
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
    this.lookButton = el('button', { type: 'button', id: 'look', text: say('look'), onclick: () => this.look() });
    this.other = el('button', { type: 'button', class: 'quiet', id: 'other', hidden: '', text: say('take_other'), onclick: () => this.swap() });
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
        el('p', { class: 'choices left' }, [this.lookButton]), el('p', { class: 'hint', text: say('look_hint') })
      ]), el('div', { class: 'field' }, [
        el('p', { class: 'hint', text: say('weather_hint') }),
        el('p', { class: 'choices left' }, [this.weatherLine, picker(say('weather_send'), '.toml', (file) => this.sendWeather(file)), this.weatherDrop]), field('weather').note
      ])]),
      part('course', [el('div', {}, [f.turns.root, this.turnsLine]), f.timer.root, f.cards.root, f.lang.root]),
      part('injects', [el('p', { class: 'hint', text: say('injects_hint') }), this.injects.root, field('injects').note, el('p', { class: 'choices left' }, [
        this.injects.add, picker(say('inject_load'), '.csv,.xlsx,.toml', (file) => this.sendInjects(file)),
        el('a', { class: 'button quiet', href: `files/injects.csv?lang=${lang}`, download: '', text: say('inject_sample') })
      ])]),
      el('div', { class: 'foot' }, [this.summary, this.keptLine, this.other, this.go])
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
    this.judgeTurns();
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

  /* What the storm depends on beside its length. */
  stormSign() {
    const { level, seed, hour, weekend, gathering } = this.draft();
    return JSON.stringify([level, seed, hour, weekend, gathering, this.weatherLine.textContent, this.ground.textContent]);
  }

  /* Whether play is long enough for the water to cut anyone off: known of the storm that was seen last,
     if it is still the one that is chosen. */
  judgeTurns() {
    const n = this.parts.turns.get(), few = this.choices.few_turns, seen = this.seen && this.seen.of === this.stormSign() ? this.seen : null;
    let said = '', isWarning = true;
    if (typeof n === 'number' && n >= 1) {
      if (seen && seen.cut !== null) said = n < seen.cut ? say('turns_short', { n, cut: seen.cut }) : '';
      else if (seen && n <= seen.turns) said = say('turns_none', { n });
      else if (n < few) { said = say('turns_few', { n: few }); isWarning = false; }
    }
    this.turnsLine.textContent = said;
    this.turnsLine.hidden = !said;
    this.turnsLine.classList.toggle('warn', isWarning);
  }

  // ---------------------------------------------------------------- kept as it is chosen, checked
  changed() {
    this.judgeTurns();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.keep(), QUIET_MS);
  }

  /* What was typed last is kept, though the page goes; where the server does not have it, in this window. */
  leave() {
    if (!this.waiting && !this.isUnkept) return;
    const draft = this.draft();
    sessionStorage.setItem(UNSENT, JSON.stringify({ draft, version: this.version, by: this.by }));
    navigator.sendBeacon(`api/draft?lang=${lang}&seen=${this.version}&by=${this.by}`, new Blob([JSON.stringify(draft)], { type: 'application/json' }));
  }

  /* What was typed in this window and may not have come through. Returns whether it was found. */
  resume(told) {
    const left = sessionStorage.getItem(UNSENT);
    sessionStorage.removeItem(UNSENT);
    if (!left) return false;
    const { draft, version, by } = JSON.parse(left);
    if (same(draft, this.draft())) return false;
    this.fill(draft);
    Object.assign(this, { version, by });
    this.keep();
    return true;
  }

  /* Send what is chosen, from the version that was seen, one after the other; where somebody changed that
     meanwhile, who is asked which of both is to stand. Returns what the room says, null where theirs was taken. */
  async sent(path, body = null, send = post) {
    for (;;) {
      const before = this.line, done = this.line = before.then(() => this.sends(path, body || this.draft(), send));
      this.line = done.catch(() => {});
      try {
        const told = await done;
        this.isUnkept = false;
        sessionStorage.removeItem(UNSENT);
        // another window opens the room
        if (told.state === 'opening' && path !== 'open') this.follow({ state: told.state, share: 0 });
        return told;
      } catch (fault) {
        if (fault.status === NOT_FOUND) { location.reload(); return null; } // the room is open
        if (fault.status !== CHANGED) throw fault;
        if (!await this.mine(fault)) return null;
      }
    }
  }
  async sends(path, body, send) {
    const told = await send(`${path}${path.includes('?') ? '&' : '?'}seen=${this.version}&by=${this.by}`, body);
    this.version = told.version;
    return told;
  }

  /* Ask whose choices are to stand; true for this page's. The others stay at hand. */
  async mine({ message, told }) {
    const mine = this.draft(), theirs = this.normal(told.draft);
    this.asking ||= confirmed({
      title: say('changed_title'), act: say('put_mine'), back: say('take_theirs'), body: [
        el('p', { text: `${capital(message)}.` }), el('p', { text: say('changed_what', { list: this.different(mine, theirs).join(', ') }) }), el('p', { class: 'hint', text: say('changed_kept') })
      ]
    });
    const isMine = await this.asking;
    this.asking = null;
    this.version = told.version;
    this.aside = isMine ? theirs : mine;
    this.other.hidden = false;
    if (!isMine) { this.fill(theirs); await this.keep(); }
    return isMine;
  }

  /* The version that was not taken comes back, and the one that stood goes aside. */
  async swap() {
    const aside = this.draft();
    this.fill(this.aside);
    this.aside = aside;
    await this.keep();
  }

  /* A draft as this form holds it, whatever the file left out. */
  normal(draft) {
    const now = this.draft();
    this.fill(draft);
    const found = this.draft();
    this.fill(now);
    return found;
  }

  /* What differs between two drafts, as the form calls it. */
  different(one, other) {
    const said = { gathering: 'event', weekend: 'day' };
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => !same(one[key], other[key])).map((key) => say('quoted', { what: say(said[key] || key, { n: this.choices[key] ?? '' }) }));
  }

  /* Returns the faults; null where it could not be kept. */
  async keep() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    this.isUnkept = true;
    try {
      const told = await this.sent('draft');
      if (!told) return null;
      this.show(told.faults);
      this.keptLine.textContent = say('kept');
      this.keptLine.classList.remove('lost');
      this.keptLine.removeAttribute('role');
      return told.faults;
    } catch (fault) {
      this.keptLine.textContent = fault instanceof TypeError ? say('not_kept') : fault.message;
      this.keptLine.classList.add('lost');
      this.keptLine.setAttribute('role', 'alert');
      if (!this.summary.classList.contains('some')) this.summary.textContent = ''; // of what was kept before
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
    const told = await tried(() => this.sent('open'));
    if (!told || this.stopped(told.faults)) return;
    this.follow({ state: 'opening', share: 0 });
  }

  /* Whether faults stand in the way: they are shown, and the first is led to. */
  stopped(faults) {
    this.show(faults, true);
    if (faults.length && this.first) this.first.focus();
    return faults.length > 0;
  }

  /* The storm as it will fall; what it was drawn by is chosen from then on, so that the room has the same. */
  async look() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    if (this.isLooking) return;
    this.isLooking = true;
    const told = await tried(() => this.sent('storm'));
    this.isLooking = false;
    if (!told || this.stopped(told.faults)) return;
    if (this.parts.seed.get() === '') {
      this.parts.seed.set(told.seed);
      await this.keep();
      tell(say('seed_drawn'));
    }
    const { Ahead } = await import('./prepare_storm.js');
    const of = this.stormSign(), found = await new Ahead().follow(document.documentElement.dataset.theme === 'night');
    // of one storm, what a longer look told stays known
    const before = this.seen && this.seen.of === of ? this.seen : { cut: null, turns: 0 };
    if (found) this.seen = { of, cut: found.first_cut ?? before.cut, turns: Math.max(before.turns, found.clocks.length - 1) };
    this.judgeTurns();
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
    const told = await tried(() => this.sent(`scenario?name=${encodeURIComponent(file.name)}`, file, upload));
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

/* Whether two plain values are the same, whatever the order of their names. */
function same(one, other) { return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)); }
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  return value && typeof value === 'object' ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])])) : value;
}

function part(name, nodes) {
  return el('section', { class: `section ${name}`, 'aria-labelledby': `title-${name}` }, [el('h2', { id: `title-${name}`, text: say(name) }), ...nodes]);
}

const told = await tried(() => get('prepare'));
if (told) window.averse.prepare = new Prepare(told);
