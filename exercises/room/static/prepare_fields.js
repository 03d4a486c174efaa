/* The fields of the form: each knows its place in a scenario, its value, and how a fault is shown at it. */
const el = averse.el;

/* Every field there is, by its place ("injects.0.card"). */
export const fields = new Map();

let made = 0;

/* Register a place: `note` is where its fault is said, `focus` what leads to it. */
export function field(place, inputs = []) {
  const id = `note-${made++}`;
  const note = el('p', { class: 'at-fault', id, hidden: '' });
  inputs.forEach((input) => input.setAttribute('aria-describedby', [input.getAttribute('aria-describedby'), id].filter(Boolean).join(' ')));
  const one = {
    note,
    fault(said) {
      note.textContent = said;
      note.hidden = !said;
      inputs.forEach((input) => { if (said) input.setAttribute('aria-invalid', 'true'); else input.removeAttribute('aria-invalid'); });
    },
    focus() {
      const first = inputs.find((input) => input.checked) || inputs[0];
      if (first) first.focus();
      note.scrollIntoView({ block: 'center' });
    }
  };
  fields.set(place, one);
  return one;
}

function hinted(hint, inputs) {
  if (!hint) return null;
  const id = `hint-${made++}`;
  inputs.forEach((input) => input.setAttribute('aria-describedby', id));
  return el('p', { class: 'hint', id, text: hint });
}

export function text(place, label, attributes = {}, hint = '') {
  const input = el('input', { type: 'text', ...attributes });
  return around(place, label, input, hint, { get: () => input.value.trim(), set: (value) => { input.value = shown(value); } });
}

/* A whole number where it is one; else what was typed, for the fault to name. */
export function number(place, label, least, most, hint = '') {
  const input = el('input', { type: 'text', inputmode: 'numeric', maxlength: 12 });
  input.addEventListener('keydown', (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const value = whole(input.value);
    input.value = String(Math.min(most, Math.max(least, (typeof value === 'number' ? value : least) + by)));
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  return around(place, label, input, hint, { get: () => whole(input.value), set: (value) => { input.value = shown(value); } });
}

export function whole(written) {
  const bare = written.replace(/[\s\u202f\u00a0]/g, '');
  return /^-?\d{1,9}$/.test(bare) ? Number(bare) : written.trim();
}

/* A choice of a list; a value that it has not is shown too, for its fault to be seen. */
export function select(place, label, options, numeric = false) {
  const input = el('select', {}, options.map(([value, said]) => el('option', { value: String(value), text: said })));
  return around(place, label, input, '', {
    get: () => (numeric ? whole(input.value) : input.value),
    set(value) {
      if (![...input.options].some((one) => one.value === shown(value))) input.append(el('option', { value: shown(value), text: shown(value) || '–' }));
      input.value = shown(value);
    }
  });
}

function around(place, label, input, hint, access) {
  const help = hinted(hint, [input]);
  const one = field(place, [input]);
  return { ...access, root: el('div', { class: 'field' }, [el('label', {}, [el('span', { text: label }), input]), help, one.note].filter(Boolean)) };
}

export function check(place, label) {
  const input = el('input', { type: 'checkbox' });
  const one = field(place, [input]);
  return {
    get: () => input.checked, set: (value) => { input.checked = value === true; },
    root: el('div', { class: 'field' }, [el('label', { class: 'tick' }, [input, el('span', { text: label })]), one.note])
  };
}

/* A few choices, all of them in sight with what they mean. */
export function radios(place, label, options, hint = '') {
  const name = place.replace('.', '-');
  const inputs = options.map(([value]) => el('input', { type: 'radio', name, value: String(value) }));
  const words = options.map(([, said]) => el('span', { text: said }));
  const one = field(place, inputs);
  let other = null;
  return {
    get() {
      const at = inputs.findIndex((input) => input.checked);
      return at < 0 ? other : options[at][0];
    },
    set(value) {
      other = value;
      inputs.forEach((input, at) => { input.checked = options[at][0] === value; });
    },
    meant(value, said) {
      const at = options.findIndex(([one_]) => one_ === value);
      if (at >= 0) words[at].textContent = said;
    },
    root: el('fieldset', { class: 'radios' }, [
      el('legend', { text: label }), ...inputs.map((input, at) => el('label', { class: 'tick' }, [input, words[at]])),
      ...(hint ? [el('p', { class: 'hint', text: hint })] : []), one.note
    ])
  };
}

/* A button that opens a file. */
export function picker(label, accept, takes) {
  const input = el('input', { type: 'file', accept });
  input.addEventListener('change', (event) => {
    event.stopPropagation();
    const [file] = input.files;
    input.value = '';
    if (file) takes(file);
  });
  return el('label', { class: 'button' }, [el('span', { text: label }), input]);
}

function shown(value) { return value === undefined || value === null ? '' : String(value); }
