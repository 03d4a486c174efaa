import { follow, line } from './shell.js';

const main = document.getElementById('console');
follow((now) => {
  main.replaceChildren();
  if (now.said) { line('p', now.said, main); return; }
  for (const team of now.teams) {
    line('h2', `${team.name} – ${team.turn}/${now.turns} – ${team.clock}`, main);
    const pending = line('ol', '', main);
    for (const one of team.pending) line('li', one.said, pending);
  }
}, `?lang=${main.dataset.lang}`);
