/* What the team believed beside what was true, under one slider over the turns. Both boards are
   drawn by board_draw.js; every text goes in as text, never as markup. */
var debrief = {};

debrief.twin = function (box, data, ground, frames, words) {
  'use strict';
  var b = averse.played(ground, data, frames), el = averse.el, fill = averse.filled, W = data.texts;
  var number = new Intl.NumberFormat(data.lang), MARGIN = 6, CLOSEST = 6, NUMBERS_FROM_PX = 24;
  var view = { zoom: 1, x: 0, y: 0 }, turn = 0, selected = -1, timer = null, pending = false, ratio = 1;
  var reduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;

  function layers() {
    return {
      fabric: { on: false, opacity: 0.5 }, density: { on: false, opacity: 0.9 }, water: { on: true, opacity: 0.95 },
      roads: { on: true, opacity: 0.55 }, relief: { on: false, opacity: 0.8 }, forecast: { on: false, opacity: 1 },
      quarters: { on: true, opacity: 0.45 }, numbers: { on: false }, units: { on: true }, states: { on: true }
    };
  }
  var boards = ['known', 'true'].map(function (which) {
    var state = { turn: 0, water: which, relief: 'altitude', selected: -1, layers: layers() };
    return {
      which: which, state: state, painter: averse.painter(data, b, state),
      canvas: box.querySelector('canvas.' + which), said: box.querySelector('[data-said="' + which + '"]')
    };
  });
  var slider = box.querySelector('input[type="range"]'), clock = box.querySelector('.clock');
  var play = box.querySelector('.play'), bulletin = box.querySelector('.bulletin'), now = box.querySelector('.now');
  var marker = box.querySelector('.marker'), hexline = box.querySelector('.hexline');

  // ------------------------------------------------------------------ where the ground lies
  // the active area fills the canvas; both boards always look at the same piece of it
  var span = extent();
  function extent() {
    var west = Infinity, east = -Infinity, north = Infinity, south = -Infinity;
    for (var i = 0; i < b.n; i++) {
      if (!b.active[i]) continue;
      for (var k = 0; k < 6; k++) {
        var x = b.corners[12 * i + 2 * k], y = b.corners[12 * i + 2 * k + 1];
        west = Math.min(west, x); east = Math.max(east, x); north = Math.min(north, y); south = Math.max(south, y);
      }
    }
    return { west: west, north: north, width: east - west, height: south - north };
  }

  function fit() {
    var width = boards[0].canvas.parentNode.clientWidth;
    if (!width) return;
    var tall = Math.max(0.5, Math.min(1.25, span.height / span.width)), height = Math.round(width * tall);
    ratio = averse.ratio();
    boards.forEach(function (one) {
      one.canvas.width = Math.round(width * ratio); one.canvas.height = Math.round(height * ratio);
      one.painter.dress(false);
    });
    look();
  }

  function look() {
    var canvas = boards[0].canvas, width = canvas.width / ratio, height = canvas.height / ratio;
    var scale = Math.min((width - 2 * MARGIN) / span.width, (height - 2 * MARGIN) / span.height) * view.zoom;
    // the middle of the view, as a share of the ground, stays on it
    var reach = 0.5 * (1 - 1 / view.zoom);
    view.x = Math.max(-reach, Math.min(reach, view.x)); view.y = Math.max(-reach, Math.min(reach, view.y));
    var tx = width / 2 - (span.west + span.width * (0.5 + view.x)) * scale;
    var ty = height / 2 - (span.north + span.height * (0.5 + view.y)) * scale;
    boards.forEach(function (one) {
      one.painter.look(scale, tx, ty, width, height, ratio);
      one.state.layers.numbers.on = one.painter.view.hexW >= NUMBERS_FROM_PX;
      one.state.layers.roads.least = one.painter.view.hexW >= NUMBERS_FROM_PX ? 0 : 3;
    });
    forget();
    repaint();
  }

  // a turn once drawn is kept, as far as memory goes, so that the slider runs on any computer
  var MOST_PIXELS = (navigator.deviceMemory || 8) >= 4 ? 40e6 : 12e6, order = [], idle = null;
  function forget() {
    order = [];
    boards.forEach(function (one) { one.kept = {}; });
    if (!idle) idle = later(ahead);
  }
  function later(act) { return (window.requestIdleCallback || function (f) { return setTimeout(f, 60); })(act); }
  function drawnAt(one, at) {
    if (one.kept[at]) return one.kept[at];
    var sheet = document.createElement('canvas'), key = one.which + at;
    sheet.width = one.canvas.width; sheet.height = one.canvas.height;
    one.state.turn = at;
    one.painter.paint(sheet.getContext('2d'));
    one.kept[at] = sheet;
    order.push([one, at]);
    if ((order.length - 1) * sheet.width * sheet.height > MOST_PIXELS) {
      var oldest = order.shift();
      delete oldest[0].kept[oldest[1]];
    }
    return sheet;
  }
  /* Draw the turns that are still to be seen, one at a time, when nothing else is to do. */
  function ahead() {
    idle = null;
    if (!box.offsetParent || averse.isPrinting()) return;
    var room = Math.floor(MOST_PIXELS / (boards[0].canvas.width * boards[0].canvas.height)) - 1;
    for (var k = 0; k <= b.turns; k++) {
      var one = boards.filter(function (o) { return !o.kept[k]; })[0];
      if (!one) continue;
      if (order.length >= room) return;
      drawnAt(one, k);
      idle = later(ahead);
      return;
    }
  }

  function paint() {
    pending = false;
    boards.forEach(function (one) {
      var ctx = one.canvas.getContext('2d');
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.drawImage(drawnAt(one, turn), 0, 0);
      one.state.selected = selected;
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      one.painter.mark(ctx);
      one.state.selected = -1;
    });
  }
  function repaint() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(paint);
  }

  // ------------------------------------------------------------------ the turn
  // a text that changes keeps its node: the browser then lays out that line alone
  function line(node, tag) {
    var text = document.createTextNode('');
    (tag ? node.appendChild(document.createElement(tag)) : node).appendChild(text);
    return text;
  }
  function write(text, words) { if (text.data !== words) text.data = words; }
  var told = { time: line(clock, 'strong'), turn: line(clock, 'span'), light: line(clock, 'span'), bulletin: line(bulletin) };
  boards.forEach(function (one) { one.told = line(one.said); });
  function go(to) {
    turn = Math.max(0, Math.min(b.turns, to));
    slider.value = turn;
    var named = turn === 0 ? W.start : turn === b.turns ? words.end : fill(W.turn_of, { t: turn, last: b.turns });
    slider.setAttribute('aria-valuetext', named + ', ' + b.clock[turn]);
    write(told.time, b.clock[turn]); write(told.turn, named);
    write(told.light, (b.night[turn] ? '☾ ' : '☀ ') + (b.night[turn] ? W.night : W.day));
    write(told.bulletin, b.bulletins[turn] ? fill(words.bulletin, { said: b.bulletins[turn] }) : words.no_bulletin);
    boards.forEach(function (one) { write(one.told, counted(one.which)); });
    now.replaceChildren.apply(now, frames.orders[turn].length
      ? frames.orders[turn].map(function (order) { return el('li', { dir: 'auto', text: order }); })
      : [el('li', { 'class': 'none', text: turn === b.turns ? words.over : words.no_order })]);
    marker.style.transform = 'translateX(' + (100 * turn / b.turns) + '%)';
    if (selected >= 0) tell(selected);
    repaint();
  }

  function counted(which) {
    var row = (which === 'true' ? b.trueMm : b.knownMm)[turn], cut = (which === 'true' ? b.cutTrue : b.cutKnown)[turn];
    var wet = 0, closed = 0, i;
    for (i = 0; i < b.n; i++) if (b.active[i] && row[i] >= data.waterFromMm[1]) wet++;
    for (i = 0; i < cut.length; i++) if (cut[i]) closed++;
    return fill(words.counted, { wet: number.format(wet), cut: number.format(closed) });
  }

  function playing(on) {
    if (timer) clearInterval(timer);
    timer = on ? setInterval(function () {
      if (turn >= b.turns) playing(false); else go(turn + 1);
    }, reduced ? 1400 : 700) : null;
    play.setAttribute('aria-pressed', String(on));
    play.querySelector('span').textContent = on ? W.pause : W.play;
    play.querySelector('path').setAttribute('d', on ? 'M3 1H6.5V15H3ZM9.5 1H13V15H9.5Z' : 'M3 1L13 8L3 15Z');
  }
  function toggle() {
    if (!timer && (turn >= b.turns || !box.dataset.touched)) go(0);
    box.dataset.touched = 'yes';
    playing(!timer);
  }
  function move(to) { box.dataset.touched = 'yes'; playing(false); go(to); }

  slider.max = b.turns;
  slider.addEventListener('input', function () { move(Number(slider.value)); });
  play.addEventListener('click', toggle);
  box.querySelector('.back').addEventListener('click', function () { move(turn - 1); });
  box.querySelector('.forward').addEventListener('click', function () { move(turn + 1); });
  box.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('.now')) return;
    if (event.key === 'ArrowRight') move(turn + 1);
    else if (event.key === 'ArrowLeft') move(turn - 1);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(b.turns);
    else if (event.key === ' ' && !event.target.closest('button, summary')) toggle();
    else return;
    event.preventDefault();
  });

  // ------------------------------------------------------------------ nearer, farther, one hex
  function zoom(by) {
    view.zoom = by ? Math.max(1, Math.min(CLOSEST, view.zoom * by)) : 1;
    box.classList.toggle('near', view.zoom > 1);
    look();
  }
  box.querySelector('.nearer').addEventListener('click', function () { zoom(1.5); });
  box.querySelector('.farther').addEventListener('click', function () { zoom(1 / 1.5); });
  box.querySelector('.whole').addEventListener('click', function () { zoom(0); });
  boards.forEach(function (one) {
    var held = null;
    one.canvas.addEventListener('pointerdown', function (event) {
      held = { x: event.clientX, y: event.clientY, far: false };
    });
    one.canvas.addEventListener('pointermove', function (event) {
      if (!held || !(event.buttons & 1)) return;
      var dx = event.clientX - held.x, dy = event.clientY - held.y;
      if (!held.far && Math.hypot(dx, dy) < 5) return;
      held = { x: event.clientX, y: event.clientY, far: true };
      if (view.zoom === 1) return;
      view.x -= dx / one.painter.view.s / span.width; view.y -= dy / one.painter.view.s / span.height;
      look();
    });
    one.canvas.addEventListener('pointerup', function (event) {
      if (held && !held.far) {
        var rim = one.canvas.getBoundingClientRect();
        select(one.painter.cellAt(event.clientX - rim.left, event.clientY - rim.top));
      }
      held = null;
    });
  });
  var find = box.querySelector('.find');
  find.addEventListener('submit', function (event) {
    event.preventDefault();
    var cell = b.labels.indexOf(find.querySelector('input').value.trim());
    if (cell < 0) hexline.textContent = W.find_none; else select(cell);
  });
  function select(cell) {
    selected = cell;
    if (cell >= 0) tell(cell); else hexline.textContent = '';
    repaint();
  }
  function depth(mm) {
    return mm < 0 ? W.unknown : number.format(Math.round(mm / 10)) + ' cm';
  }
  function tell(cell) {
    var age = b.age[turn][cell], parts = [b.labels[cell]];
    if (b.quarter[cell] >= 0) parts.push(data.quarters[b.quarter[cell]]);
    parts.push(W.depth_known + ' ' + depth(b.knownMm[turn][cell]) + ' (' + (age > 1 ? fill(W.seen_ago, { n: age }) : age ? W.seen_last : W.seen_now) + ')');
    parts.push(W.depth_true + ' ' + depth(b.trueMm[turn][cell]));
    parts.push(fill(words.people, { n: number.format(b.toShelter[cell]) }));
    if (b.sheltered[turn][cell]) parts.push(W.sheltered + ' ' + b.sheltered[turn][cell] + ' %');
    else if (b.evacuating[turn][cell]) parts.push(W.evacuating + ' ' + fill(W.progress, { n: b.evacuating[turn][cell] }));
    else if (b.alerted[turn][cell]) parts.push(W.alerted);
    hexline.textContent = parts.join(' · ');
  }

  // ------------------------------------------------------------------ legend, paper
  var shown = boards[0];
  var legend = box.querySelector('.legend > div');
  var groups = averse.legend({
    words: W, data: data, state: shown.state, cells: b, timed: true, bounds: shown.painter.bounds,
    palette: shown.painter.palette, hatches: shown.painter.hatches, chart: false
  }, 'h5');
  function redraw() { legend.replaceChildren.apply(legend, groups()); repaint(); }
  box.querySelectorAll('.layers input').forEach(function (tick) {
    tick.addEventListener('change', function () {
      boards.forEach(function (one) { one.state.layers[tick.value].on = tick.checked; });
      forget();
      redraw();
    });
  });
  redraw();

  fit();
  go(frames.first);
  playing(false);
  return { fit: fit, paint: paint, go: move, turn: function () { return turn; } };
};
