/* Texts of a page of the room, in its language: they stand in the page as data, never as script. */
const root = document.querySelector('[data-words]');
const WORDS = JSON.parse(root.dataset.words);

export const lang = root.dataset.lang;
const format = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });

function isOne(value) { return lang === 'fr' ? Math.abs(value) < 2 : value === 1; }

/* A text with its {fields} filled in: `{n}`, and `{n:one|many}` for the form that goes with n. */
export function say(key, values = {}) {
  if (!(key in WORDS)) throw new Error(`no text ${key}`);
  return WORDS[key].replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (all, name, one, many) => {
    if (many !== undefined) return isOne(values[name]) ? one : many;
    return typeof values[name] === 'number' ? number(values[name]) : String(values[name]);
  });
}

export function capital(text) { return text.charAt(0).toLocaleUpperCase(lang) + text.slice(1); }

/* A number as the language writes it, its minus as wide as a plus. */
export function number(value) { return format.format(value).replace('-', '−'); }

/* What a thing is, after its name. */
export function labelled(label, value) { return `${label}${lang === 'fr' ? '\u00a0' : ''}: ${value}`; }

export function percent(share) {
  return share === null || share === undefined ? '–' : new Intl.NumberFormat(lang, { style: 'percent' }).format(share);
}

/* Seconds as minutes and seconds. */
export function minutes(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/* The same page in the other language, where it stands. */
export function languageLink(label) {
  const other = lang === 'fr' ? 'en' : 'fr';
  const link = averse.el('a', { href: `?lang=${other}`, lang: other, hreflang: other, class: 'button quiet', text: label });
  link.addEventListener('click', () => { link.href = `?lang=${other}${location.hash}`; });
  return link;
}
