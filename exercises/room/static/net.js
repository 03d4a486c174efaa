/* How a page speaks with the room: what it asks, what it sends, and being told that something changed. */
import { lang } from './said.js';

const prefix = location.pathname.replace(/\/$/, '');
const LEAST_BETWEEN_MS = 400, FIRST_WAIT_MS = 500, LONGEST_WAIT_MS = 10000;

function address(path) {
  return `${prefix}/api/${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;
}

async function answered(response) {
  const told = await response.json().catch(() => ({ said: `${response.status}` }));
  if (!response.ok) throw Object.assign(new Error(told.said), { status: response.status, told });
  return told;
}

/* Throw an Error whose message is what the room said, where it refuses. */
export async function get(path) { return answered(await fetch(address(path))); }

export async function post(path, body) {
  return answered(await fetch(address(path), {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
  }));
}

export async function upload(path, file) {
  return answered(await fetch(address(path), { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file }));
}

/* Follow what the page shows of now: `shows` gets every new state, `linked` whether the room is there. */
export function follow({ shows, pulse = () => {}, linked = () => {} }) {
  let asking = false, again = false, wait = FIRST_WAIT_MS, last = 0;

  async function ask() {
    if (asking) { again = true; return; }
    asking = true;
    do {
      again = false;
      const early = last + LEAST_BETWEEN_MS - performance.now();
      if (early > 0) await new Promise((done) => { setTimeout(done, early); });
      last = performance.now();
      let now = null;
      try {
        now = await get('now');
      } catch (fault) {
        linked(false, fault instanceof TypeError ? '' : fault.message);
      }
      if (now) { linked(true, ''); shows(now); }
    } while (again);
    asking = false;
  }

  function listen() {
    const socket = new WebSocket(`ws://${location.host}${prefix}/api/live?lang=${lang}`);
    socket.onopen = () => { wait = FIRST_WAIT_MS; ask(); };
    socket.onmessage = (message) => { pulse(JSON.parse(message.data)); ask(); };
    socket.onclose = () => {
      linked(false, '');
      setTimeout(listen, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    };
  }
  listen();
  return ask;
}
