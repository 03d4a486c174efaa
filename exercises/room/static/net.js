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
  let asking = null, again = false, wait = FIRST_WAIT_MS, last = 0, seq = null, isFirst = true;

  function ask() {
    again = true;
    asking = asking || asks().finally(() => { asking = null; });
    return asking;
  }

  async function asks() {
    while (again) {
      const early = last + LEAST_BETWEEN_MS - performance.now();
      if (early > 0) await new Promise((done) => { setTimeout(done, early); });
      again = false;
      last = performance.now();
      let now = null;
      try {
        now = await get('now');
      } catch (fault) {
        linked(false, fault instanceof TypeError ? '' : fault.message);
      }
      if (now) { seq = now.seq; linked(true, ''); shows(now); }
    }
  }

  /* The page has asked when it began: what the room says first may be what it has been told already. */
  async function hears(told) {
    const first = isFirst;
    isFirst = false;
    pulse(told);
    if (first && asking) await asking;
    if (!first || told.seq !== seq) ask();
  }

  function listen() {
    const socket = new WebSocket(`ws://${location.host}${prefix}/api/live?lang=${lang}`);
    socket.onopen = () => { wait = FIRST_WAIT_MS; };
    socket.onmessage = (message) => hears(JSON.parse(message.data));
    socket.onclose = () => {
      isFirst = false;
      linked(false, '');
      setTimeout(listen, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    };
  }
  ask();
  listen();
  return ask;
}
