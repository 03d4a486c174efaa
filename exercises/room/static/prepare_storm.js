/* The storm of what is chosen, before there is a room: computed behind a bar, then as the console shows it. */
import { Table } from './board_map.js';
import { tell } from './console_dialogs.js';
import { Storm } from './console_storm.js';
import { get, post } from './net.js';
import { say } from './said.js';

const el = averse.el, ASK_MS = 300, DRAWN_BY = new URL('board/board_looks.js', import.meta.url).href;

/* Draws boards, and nothing else of the page needs it. */
function drawing() {
  return averse.looks ? null : new Promise((done, failed) => {
    document.head.append(el('script', { src: DRAWN_BY, onload: done, onerror: () => failed(new TypeError(DRAWN_BY)) }));
  });
}

export class Ahead {
  constructor() {
    this.line = el('p', { role: 'status' });
    this.bar = el('progress', { max: 1, 'aria-label': say('opening_share') });
    this.body = el('div', { class: 'opening' }, [this.line, this.bar]);
    this.dialog = el('dialog', { class: 'storm-dialog', 'aria-label': say('storm_title') }, [
      el('form', { method: 'dialog' }, [el('button', { type: 'submit', text: say('close') })]), this.body
    ]);
    this.dialog.addEventListener('close', () => this.leave());
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.wait({ stage: '', share: 0 });
  }

  /* Nobody waits any more: the machine has its hands free. */
  leave() {
    this.dialog.remove();
    if (!this.isThere) post('storm/end', {}).catch(() => {});
    this.isThere = true;
  }

  wait({ stage, share }) {
    this.line.textContent = say(stage === 'maps' ? 'look_maps' : 'look_water');
    if (share) this.bar.value = share;
    else this.bar.removeAttribute('value');
  }

  /* Show the storm once it is there, or say why it is not. Returns it, null where it is not shown. */
  async follow(night) {
    try {
      for (;;) {
        const now = await get('storm');
        if (!this.dialog.isConnected) return null;
        if (now.state === 'failed') throw new Error(say('look_failed', { why: now.said }));
        if (now.state === 'ready') break;
        this.wait(now);
        await new Promise((done) => { setTimeout(done, ASK_MS); });
      }
      const [board] = await Promise.all([get('board'), drawing()]);
      if (!this.dialog.isConnected) return null;
      this.isThere = true;
      const table = new Table(board), storm = new Storm({ table });
      table.dress(night);
      this.body.replaceWith(storm.root);
      await storm.show();
      storm.line.slider.focus({ preventScroll: true });
      return storm.found || null;
    } catch (fault) {
      this.dialog.close();
      tell(fault instanceof TypeError ? say('unreachable') : fault.message, true);
      return null;
    }
  }
}
