/* Asks for the ground and for now while the other scripts of the page are still on their way. */

const prefix = location.pathname.replace(/\/$/, ''), asked = new URLSearchParams(location.search);
const kept = (key) => { try { return localStorage.getItem(`averse.${key}`); } catch { return null; } };
const lang = ['fr', 'en'].includes(asked.get('lang')) ? asked.get('lang') : kept('lang') || document.documentElement.lang;
const seat = asked.get('seat') ?? kept(`seat${prefix}`) ?? '';
const answers = new Map([`/api/ground?lang=${lang}`, `/api/now?seat=${seat}&lang=${lang}&since=0`].map((path) => [path, fetch(prefix + path).catch(() => null)]));

/* The answer to what was asked here, once; null where it was not, or nobody answered. */
export async function early(path) {
  const answer = answers.get(path);
  answers.delete(path);
  return answer ? answer : null;
}
