/* A page of a room, live: asks for `now` whenever the room says that it changed, and after a loss. */

/* Calls `shows` with every new state; returns nothing, and goes on until the page is left. */
export function follow(shows, query = '') {
  const prefix = location.pathname.replace(/\/$/, '');
  let asking = false, again = false, wait = 500;

  async function ask() {
    if (asking) { again = true; return; }
    asking = true;
    do {
      again = false;
      try {
        const answer = await fetch(`${prefix}/api/now${query}`);
        shows(answer.ok ? await answer.json() : { said: (await answer.json()).said });
      } catch { /* the network is away: the socket says when it is back */ }
    } while (again);
    asking = false;
  }

  function listen() {
    const socket = new WebSocket(`ws://${location.host}${prefix}/api/live${query}`);
    socket.onopen = () => { wait = 500; ask(); };
    socket.onmessage = ask;
    socket.onclose = () => { setTimeout(listen, wait); wait = Math.min(2 * wait, 10000); };
  }
  ask();
  listen();
}

export function line(tag, text, parent) {
  const made = document.createElement(tag);
  made.textContent = text;
  parent.append(made);
  return made;
}
