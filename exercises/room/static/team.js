import { follow, line } from './shell.js';

const main = document.getElementById('team');
follow((now) => {
  main.replaceChildren();
  if (now.said) { line('p', now.said, main); return; }
  line('h1', `${now.team.name} – ${now.turn}/${now.turns} – ${now.clock}`, main);
  line('p', now.bulletin, main);
  const pending = line('ol', '', main);
  for (const one of now.pending) line('li', one.said, pending);
  const events = line('ul', '', main);
  for (const one of now.events.slice(-30).reverse()) line('li', `${one.turn} · ${one.said}`, events);
}, `?lang=${main.dataset.lang}`);
