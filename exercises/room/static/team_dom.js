/* Nodes and sentences. Every text goes in as text; nothing is ever read as markup. */

import { icon } from './icons.js';

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'text') node.textContent = value;
    else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/* Put children in the place of what is there; who was at a key stays at that key. */
export function show(parent, ...children) {
  const at = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (at && !parent.contains(document.activeElement)) parent.querySelector(`[data-key="${CSS.escape(at)}"]`)?.focus({ preventScroll: true });
}

/* The sentences of a language: `{n}` plain, `{n:,}` a number as written, `{n:one|many}` its form. */
export function sayer(words, lang) {
  // a browser takes long over the first of these: none is made before one is wanted
  let format = null;
  const number = (n) => (format ??= new Intl.NumberFormat(lang)).format(n).replace('-', '−');
  const labelled = (label, value) => `${label}${lang === 'fr' ? '\u00a0' : ''}: ${value}`;
  const isOne = (n) => (lang === 'fr' ? Math.abs(n) < 2 : n === 1);
  const say = (key, values = {}) => {
    if (!(key in words)) throw new Error(`no words for ${key}`);
    return words[key].replace(/\{(\w+)(?::([^}]*))?\}/g, (whole, name, form) => {
      if (!(name in values)) return whole;
      if (form === ',') return number(values[name]);
      if (form && form.includes('|')) return form.split('|')[isOne(values[name]) ? 0 : 1];
      return String(values[name]);
    });
  };
  say.number = number;
  say.labelled = labelled;
  say.lang = lang;
  return say;
}

export function capital(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

export function button(text, act, more = {}, sign = null) {
  return el('button', { type: 'button', 'data-key': text, onclick: act, ...more }, sign && icon(sign), text && el('span', { text }));
}

/* A field, or a group of buttons, with its label above it. */
export function field(label, input) {
  return el('label', { class: 'field' }, el('span', { text: label }), input);
}
export function part(label, group) {
  return el('div', { class: 'field' }, el('span', { text: label, 'aria-hidden': 'true' }), group);
}

export function choices(values, chosen, change, more = {}) {
  const list = el('select', { onchange: () => change(list.value), ...more },
    values.map(([value, text]) => el('option', { value, text })));
  list.value = chosen;
  return list;
}

/* Buttons of which one is pressed. */
export function picks(label, values, chosen, change, more = {}) {
  return el('div', { role: 'group', 'aria-label': label, class: 'picks', ...more },
    values.map(([value, text, title, sign]) => el('button', {
      type: 'button', title, 'data-value': value, 'data-key': `${label}/${value}`,
      'aria-pressed': String(value === chosen), onclick: () => change(value),
    }, sign && icon(sign), el('span', { text }))));
}

/* A brush among those that may be picked: its radius, and how many hexes that is. */
export function brushHexes(radius) { return 1 + 3 * radius * (radius + 1); }
export function brushSize(say, radius) {
  const n = brushHexes(radius);
  return [radius, `${radius} (${n})`, say('brush_of', { radius, n })];
}

/* What a browser keeps of a page, where it lets it keep anything. */
export const kept = keptIn(() => localStorage);
/* The same for one window, as long as it is open: what was typed and not sent yet. */
export const typed = keptIn(() => sessionStorage);

function keptIn(store) {
  return {
    get(key) { try { return store().getItem(`averse.${key}`); } catch { return null; } },
    set(key, value) { try { store().setItem(`averse.${key}`, value); } catch { /* not here */ } },
  };
}
