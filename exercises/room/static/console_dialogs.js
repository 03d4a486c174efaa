/* What is asked before an act that no journal takes back, and what is told after one. */
import { say } from './said.js';

const el = averse.el;

/* Ask; the promise gives true where it is done. `body` are nodes shown under the title, `back` what is said
   instead of it. `act` is a text, or makes one anew whenever a choice of the body changes: whom it is for. What
   asks no further loses the dots of the button that led here. */
export function confirmed({ title, body = [], act, back: instead = say('cancel'), danger = false }) {
  const named = () => (typeof act === 'function' ? act() : act).replace(/…$/, '');
  return new Promise((done) => {
    const go = el('button', { type: 'submit', value: 'go', class: danger ? 'danger' : 'primary', text: named() });
    const back = el('button', { type: 'submit', value: '', class: 'quiet', text: instead, formnovalidate: '' });
    const dialog = el('dialog', { 'aria-labelledby': 'asked' }, [
      el('form', { method: 'dialog' }, [
        el('h2', { id: 'asked', text: title }), ...body, el('p', { class: 'choices' }, [back, go])
      ])
    ]);
    dialog.addEventListener('change', () => { go.textContent = named(); });
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue === 'go');
    });
    document.body.append(dialog);
    dialog.showModal();
    const first = dialog.querySelector('textarea, input, select');
    (first || (danger ? back : go)).focus();
  });
}

/* Do what may be refused: the refusal is told, and null returned. */
export async function tried(doing, done = '') {
  try {
    const answer = await doing();
    if (done) tell(done);
    return answer === undefined ? true : answer;
  } catch (fault) {
    tell(fault instanceof TypeError ? say('unreachable') : fault.message, true);
    return null;
  }
}

/* Keep what is typed into a field in this window until it is sent, though the page is loaded again, left or
   turned to another language. Returns what forgets it. */
export function remembered(input, key) {
  const place = `averse-typed${location.pathname}${key}`;
  try { input.value = sessionStorage.getItem(place) ?? input.value; } catch { /* it is kept nowhere */ }
  input.addEventListener('input', () => { try { sessionStorage.setItem(place, input.value); } catch { /* nor here */ } });
  return () => { input.value = ''; try { sessionStorage.removeItem(place); } catch { /* nor here */ } };
}

let fading = 0;

/* What was done is said no longer; what went wrong stays. */
export function hushNotice() {
  clearTimeout(fading);
  document.getElementById('notice').textContent = '';
}

export function hush() {
  hushNotice();
  document.getElementById('fault').replaceChildren();
}

export function tell(text, fault = false) {
  const box = document.getElementById(fault ? 'fault' : 'notice');
  hush();
  if (fault) {
    box.append(el('span', { text }), el('button', { type: 'button', class: 'quiet', text: '×', 'aria-label': say('close'), onclick: () => box.replaceChildren() }));
    return;
  }
  box.textContent = text;
  fading = setTimeout(() => { box.textContent = ''; }, 5000);
}

/* A list of teams to choose from; the first choice is all that still play. */
export function teamChoice(now, chosen, label) {
  const open = now.teams.filter((team) => !team.over);
  const select = el('select', {}, [
    el('option', { value: '', text: say('all_teams') }),
    ...open.map((team) => el('option', { value: team.key, text: team.name }))
  ]);
  select.value = open.some((team) => team.key === chosen) ? chosen : '';
  return {
    select, field: el('label', {}, [el('span', { text: label }), select]), key: () => select.value || null,
    name: () => (select.value ? select.selectedOptions[0].textContent : '')
  };
}
