import { follow, line } from './shell.js';

const main = document.getElementById('public');
follow((now) => {
  main.replaceChildren();
  if (now.said) { line('p', now.said, main); return; }
  for (const team of now.teams) {
    line('h2', `${team.name} – ${team.view.turn}/${team.view.turns} – ${team.clock}`, main);
    line('p', team.bulletin, main);
  }
}, `?lang=${main.dataset.lang}`);
