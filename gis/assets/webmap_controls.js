/* Panel, legend, hex card, time bar and keyboard of the map. Every text goes in as text, never as
   markup: a place may bear any name. */
averse.controls = function (api) {
  'use strict';
  var W = api.words, b = api.cells, st = api.state, map = api.map, data = api.data, el = averse.el, fill = averse.filled;
  var number = new Intl.NumberFormat(data.lang);
  var pane = document.getElementById('panel'), bar = document.getElementById('timeline'), spoken = document.getElementById('spoken');

  var ICONS = { play: 'M3 1 L13 8 L3 15 Z', pause: 'M3 1 H6.5 V15 H3 Z M9.5 1 H13 V15 H9.5 Z', back: 'M12 1 L5 8 L12 15 Z M2.5 1 H4.5 V15 H2.5 Z', forward: 'M4 1 L11 8 L4 15 Z M11.5 1 H13.5 V15 H11.5 Z' };
  function icon(name) {
    var ns = 'http://www.w3.org/2000/svg', svg = document.createElementNS(ns, 'svg'), path = document.createElementNS(ns, 'path');
    svg.setAttribute('viewBox', '0 0 16 16'); svg.setAttribute('width', '14'); svg.setAttribute('height', '14');
    svg.setAttribute('aria-hidden', 'true');
    path.setAttribute('d', ICONS[name]); path.setAttribute('fill', 'currentColor');
    svg.appendChild(path);
    return svg;
  }
  function section(title, id, open, children) {
    var details = el('details', { id: id }, [el('summary', {}, [el('h2', { text: title })])].concat(children));
    details.open = open;
    return details;
  }

  // ------------------------------------------------------------------ layers
  function layerRow(key, label, choice) {
    var layer = st.layers[key];
    var box = el('input', { type: 'checkbox', id: 'on-' + key });
    box.checked = layer.on;
    var range = el('input', { type: 'range', min: 10, max: 100, step: 5, 'aria-label': fill(W.opacity, { layer: label }), id: 'opacity-' + key });
    range.value = Math.round(layer.opacity * 100);
    range.disabled = !layer.on;
    if (choice) choice.hidden = !layer.on;
    box.addEventListener('change', function () {
      layer.on = box.checked; range.disabled = !box.checked; if (choice) choice.hidden = !box.checked; api.repaint(); drawLegend(); drawChart();
    });
    range.addEventListener('input', function () { layer.opacity = range.value / 100; api.repaint(); });
    return el('div', { 'class': 'layer' }, [
      el('label', { 'for': 'on-' + key }, [box, el('span', { text: label })]), range, choice
    ]);
  }

  function choice(name, title, values, current, chosen) {
    return el('fieldset', { 'class': 'choice' }, [el('legend', { 'class': 'hidden', text: title })].concat(values.map(function (v) {
      var input = el('input', { type: 'radio', name: name, value: v[0], id: name + '-' + v[0] });
      input.checked = v[0] === current;
      input.addEventListener('change', function () { if (input.checked) chosen(v[0]); });
      return el('label', { 'for': name + '-' + v[0] }, [input, el('span', { text: v[1] })]);
    })));
  }

  // ------------------------------------------------------------------ what the map tells
  var story = data.story, classKey = el('div', { 'class': 'legend', id: 'class-key' }), figures = null, fillings = [], told = null, laid = -1, cells = [];
  if (story) tellStory();

  function tellStory() {
    figures = el('table', { 'class': 'figures' });
    var parts = [story.lead ? el('p', { 'class': 'lead', text: story.lead }) : null];
    if (story.choices.length > 1) {
      var pick = el('select', { id: 'choice' }, story.choices.map(function (c, k) { return el('option', { value: k, text: c.name }); }));
      pick.addEventListener('change', function () { st.choice = Number(pick.value); api.repaint(); drawLegend(); refresh(); });
      parts.push(el('p', { 'class': 'pick' }, [el('label', { 'for': 'choice', text: story.chosenBy }), pick]));
    }
    if (story.legend.length) parts.push(classKey);
    parts.push(figures);
    if (story.fillings && data.places.shelter.length) parts.push(fillingTable());
    told = section(W.findings, 'story', true, parts);
  }
  function fillingTable() {
    var rows = data.places.shelter.map(function (p, k) {
      var full = el('i', {}), taken = el('td', { 'class': 'taken' }), why = el('em', {}), shown = -1;
      fillings.push(function (t) {
        var n = b.filled[t][k];
        if (n !== shown) {
          full.style.width = p[2] ? Math.min(100, 100 * n / p[2]) + '%' : '0';
          full.className = n >= p[2] ? 'full' : '';
          taken.textContent = number.format(n) + ' / ' + number.format(p[2]);
          shown = n;
        }
        say(why, (b.shut[t][k] ? ' ✕ ' : '') + ['', W.closed_short, W.crush_short, W.wet_short][b.shut[t][k]]);
      });
      return el('tr', {}, [
        el('th', { scope: 'row', title: p[1] }, [el('b', { text: k + 1 }), el('span', { text: ' ' + p[1], dir: 'auto' }), why]),
        el('td', { 'class': 'gauge', 'aria-hidden': 'true' }, [el('span', {}, [full])]), taken
      ]);
    });
    return el('table', { 'class': 'fillings' }, [el('caption', { text: W.fillings })].concat(rows));
  }
  function showFigures() {
    if (!story) return;
    var t = st.turn, rows = story.choices[st.choice].figures;
    if (laid !== st.choice) layFigures();
    cells.forEach(function (cell, k) { say(cell, rows[k][1].length === 1 ? rows[k][1][0] : rows[k][1][t]); });
    fillings.forEach(function (show) { show(t); });
  }
  function layFigures() {
    var told = story.choices[st.choice], heads = told.columns;
    laid = st.choice; cells = [];
    figures.replaceChildren.apply(figures, told.figures.map(function (row) {
      var values = (heads.length ? row[1] : ['']).map(function (v) { return el('td', { text: v }); });
      if (!heads.length) cells.push(values[0]);
      return el('tr', {}, [el('th', { scope: 'row', text: row[0] })].concat(values));
    }));
    if (heads.length) {
      figures.prepend(el('tr', { 'class': 'heads' }, [el('td', {})].concat(heads.map(function (h) { return el('th', { scope: 'col', text: h }); }))));
    }
  }
  /* A text that has not changed is not laid out again: a slider moves thirty times a second. */
  function say(node, words) { if (node.textContent !== words) node.textContent = words; }

  var waterChoice = choice('which-water', W.water_choice, [['known', W.known], ['true', W['true']]], st.water, function (v) {
    st.water = v; api.repaint(); drawLegend(); drawChart(); refresh();
  });
  var reliefChoice = choice('which-relief', W.relief_choice, [['altitude', W.altitude], ['low', W.low_points]], st.relief, function (v) {
    st.relief = v; api.repaint(); drawLegend();
  });
  var layers = section(W.layers, 'layers', true, [
    story && story.legend.length ? layerRow('classes', story.title) : null,
    layerRow('fabric', W.fabric),
    layerRow('density', W.density),
    api.timed ? layerRow('water', W.water, api.twin ? null : waterChoice) : null,
    api.timed ? layerRow('states', W.states) : null,
    api.timed ? layerRow('units', W.units) : null,
    layerRow('roads', W.roads),
    layerRow('relief', W.relief, reliefChoice),
    api.timed ? layerRow('forecast', W.forecast) : null,
    layerRow('quarters', W.quarters)
  ]);

  // ------------------------------------------------------------------ hex card
  var found = el('p', { 'class': 'miss', role: 'status' });
  var wanted = el('input', { id: 'find', type: 'text', inputmode: 'numeric', maxlength: 6, autocomplete: 'off', size: 6 });
  var finder = el('form', { 'class': 'find' }, [
    el('label', { 'for': 'find', text: W.find }), wanted, el('button', { type: 'submit', text: W.find_button }), found
  ]);
  finder.addEventListener('submit', function (event) {
    event.preventDefault();
    var cell = data.hexes.labels.indexOf(wanted.value.trim());
    found.textContent = cell < 0 ? W.find_none : '';
    if (cell >= 0) { select(cell, true); show(cell); }
  });
  var card = el('div', { id: 'card' }, [el('p', { 'class': 'empty', text: W.card_empty })]);
  var cardBox = section(W.hex_card, 'hex', true, [finder, card]);

  function metres(mm) { return number.format(Math.round(mm / 10) / 100) + ' m'; }
  function depth(mm) {
    if (mm < 0) return W.unknown.toLowerCase();
    var cls = api.waterClass(mm);
    return number.format(Math.round(mm / 10)) + ' cm · ' + data.tables.waters[cls];
  }

  /* What there is to say of a hex; `brief` beside the pointer, in full on the card. */
  function facts(cell, brief) {
    var rows = [], t = st.turn;
    function row(label, value) { rows.push([label, value]); }
    if (b.quarter[cell] >= 0) row(W.quarter, data.quarters[b.quarter[cell]]);
    row(W.fabric, b.openWater[cell] && !b.active[cell] ? W.open_water : data.tables.fabrics[b.fabric[cell]]);
    if (b.active[cell]) {
      if (!brief) row(W.residents, number.format(b.residents[cell]));
      row(api.timed ? W.to_shelter : W.unshelterable, number.format(b.toShelter[cell]));
    }
    if (!brief) row(W.elevation, number.format(b.elevation[cell] / 10) + ' m');
    if (b.sink[cell] > 0 && !brief) row(W.low_point, metres(b.sink[cell]));
    if (api.timed) {
      var age = b.age[t][cell], known = b.knownMm[t][cell];
      row(W.depth_known, known < 0 ? W.unknown.toLowerCase() : depth(known) + ' (' + (age > 1 ? fill(W.seen_ago, { n: age }) : age ? W.seen_last : W.seen_now) + ')');
      row(W.depth_true, depth(b.trueMm[t][cell]));
      if (b.active[cell]) {
        row(W.alerted, b.alerted[t][cell] ? W.yes : W.no);
        if (b.evacuating[t][cell] && b.sheltered[t][cell] < 100) row(W.evacuating, fill(W.progress, { n: b.evacuating[t][cell] }));
        if (b.sheltered[t][cell]) row(W.sheltered, b.sheltered[t][cell] + ' %');
      }
    }
    if (story) {
      b.story[st.choice].facts.forEach(function (f) {
        var n = averse.rowAt(f.rows, t)[cell];
        if (n >= f.least) row(f.label, fill(f.text, { n: number.format(n) }));
      });
    }
    (api.placesOf[cell] || []).forEach(function (p) {
      var what = { shelter: W.shelter_plain, station: W.station, police: W.police, technical: W.technical }[p.kind];
      var filled = api.timed && p.kind === 'shelter' ? fill(W.places_taken, { taken: number.format(b.filled[t][p.number]), n: number.format(p.places) })
        : p.kind === 'shelter' ? fill(W.places, { n: number.format(p.places) }) : '';
      row(p.kind === 'shelter' ? W.shelter_plain.split(' ')[0] + ' ' + (p.number + 1) : what, p.name + (filled ? ' · ' + filled : '') + (shut(p) ? ' · ' + ['', W.closed, W.crush, W.wet][shut(p)] : ''));
    });
    if (api.timed) {
      var here = b.units[t].filter(function (u) { return u[1] === cell; }).map(function (u) { return u[0]; });
      if (here.length) row(W.units_here, here.join(', '));
    }
    return rows;
  }

  function shut(p) { return api.timed && p.kind === 'shelter' ? b.shut[st.turn][p.number] : 0; }

  function cardOf(cell, brief) {
    var head = el('p', { 'class': 'label' }, [
      el('strong', { text: data.hexes.labels[cell] }),
      el('span', { text: b.active[cell] ? '' : ' ' + W.inactive })
    ]);
    return [head, el('dl', {}, facts(cell, brief).reduce(function (all, r) {
      return all.concat([el('dt', { text: r[0] }), el('dd', { text: r[1], dir: 'auto' })]);
    }, []))];
  }

  var tip = el('div', { id: 'tip', role: 'tooltip', hidden: '' });
  map.getContainer().parentNode.appendChild(tip);

  function select(cell, pin) {
    if (cell < 0) return;
    var changed = cell !== st.selected;
    st.selected = cell;
    st.pinned = pin || st.pinned;
    card.replaceChildren.apply(card, cardOf(cell));
    if (changed) api.repaint();
  }
  function release() {
    st.selected = -1; st.pinned = false;
    card.replaceChildren(el('p', { 'class': 'empty', text: W.card_empty }));
    tip.hidden = true;
    api.repaint();
  }
  function speak(cell) {
    spoken.textContent = data.hexes.labels[cell] + '. ' + facts(cell).map(function (r) { return r[0] + ': ' + r[1]; }).join('. ');
  }
  function centreOf(cell) {
    return L.point(api.view.cx[cell], api.view.cy[cell]).add(api.renderer._bounds.min);
  }
  function show(cell) {
    var at = map.layerPointToContainerPoint(centreOf(cell)), size = map.getSize();
    if (at.x < 40 || at.y < 40 || at.x > size.x - 40 || at.y > size.y - 40) map.panTo(map.layerPointToLatLng(centreOf(cell)), { animate: false });
  }

  function placeTip(face, point) {
    var box = map.getContainer().parentNode.getBoundingClientRect(), own = face.map.getContainer().getBoundingClientRect();
    var x = point.x + own.left - box.left, y = point.y + own.top - box.top;
    tip.hidden = false;
    var right = x + 18 + tip.offsetWidth < own.right - box.left - 6;
    tip.style.left = Math.max(4, right ? x + 18 : x - 18 - tip.offsetWidth) + 'px';
    tip.style.top = Math.max(4, Math.min(y + 14, own.bottom - box.top - tip.offsetHeight - 8)) + 'px';
  }
  var faces = [api].concat(api.twin || []);
  faces.forEach(function (face) {
    face.map.on('mousemove', function (event) {
      var cell = face.cellAt(event.containerPoint);
      if (cell < 0) { tip.hidden = true; return; }
      tip.replaceChildren.apply(tip, cardOf(cell, true));
      placeTip(face, event.containerPoint);
      if (!st.pinned) select(cell, false);
    });
    face.map.on('mouseout movestart zoomstart', function () { tip.hidden = true; });
    face.map.on('click', function (event) {
      var cell = face.cellAt(event.containerPoint);
      if (cell < 0) return release();
      st.pinned = false;
      select(cell, true);
    });
  });

  // ------------------------------------------------------------------ legend
  var legend = el('div', { 'class': 'legend' });
  var legendBox = section(W.legend, 'legend', true, [legend]);

  var groups = averse.legend(api, 'h3');
  function drawLegend() {
    legend.replaceChildren.apply(legend, groups());
    classKey.replaceChildren.apply(classKey, groups.classes());
  }

  // where a story is told, its legend comes before what its reader may change
  layers.open = !(story && story.legend.length);
  pane.replaceChildren.apply(pane, (layers.open ? [told, layers, cardBox, legendBox] : [told, legendBox, cardBox, layers]).filter(Boolean));

  // ------------------------------------------------------------------ time bar
  var slider, clock, playButton, bulletin, summary, chart, timer = null;
  if (api.timed) buildTime();

  function buildTime() {
    slider = el('input', { type: 'range', id: 'turn', min: 0, max: b.turns, step: 1, 'aria-label': W.turn });
    slider.value = 0;
    clock = el('output', { 'for': 'turn', id: 'clock' });
    playButton = el('button', { type: 'button', id: 'play', 'class': 'play' });
    bulletin = el('p', { id: 'bulletin', dir: 'auto', role: 'note', 'aria-label': W.bulletin });
    summary = el('p', { id: 'summary' });
    chart = el('canvas', { id: 'chart', role: 'img', 'aria-label': W.timeline, title: W.timeline });
    bar.hidden = false;
    document.body.classList.add('timed');
    bar.replaceChildren(
      el('div', { 'class': 'buttons' }, [
        el('button', { type: 'button', id: 'back', 'aria-label': W.back, title: W.back, onclick: function () { pause(); go(st.turn - 1); } }, [icon('back')]),
        playButton,
        el('button', { type: 'button', id: 'forward', 'aria-label': W.forward, title: W.forward, onclick: function () { pause(); go(st.turn + 1); } }, [icon('forward')])
      ]),
      el('div', { 'class': 'when' }, [clock, bulletin]),
      el('div', { 'class': 'track' }, [chart, slider, summary])
    );
    slider.addEventListener('input', function () { pause(); go(Number(slider.value)); });
    playButton.addEventListener('click', function () { if (timer) pause(); else play(); });
    chart.addEventListener('pointerdown', function (event) {
      var box = chart.getBoundingClientRect();
      pause(); go(Math.round((event.clientX - box.left - 8) / (box.width - 16) * b.turns));
    });
    api.listeners.push(refresh);
    window.addEventListener('resize', drawChart);
    showPlaying(false);
  }
  function showPlaying(on) {
    playButton.replaceChildren(icon(on ? 'pause' : 'play'), el('span', { text: on ? W.pause : W.play }));
  }
  function go(turn) { api.setTurn(turn); }
  function play() {
    if (st.turn >= b.turns) go(0);
    showPlaying(true);
    timer = setInterval(function () { if (st.turn >= b.turns) pause(); else go(st.turn + 1); }, 700);
  }
  function pause() {
    if (timer) clearInterval(timer);
    timer = null;
    if (playButton) showPlaying(false);
  }

  function refresh() {
    showFigures();
    if (!api.timed) return;
    var t = st.turn;
    slider.value = t;
    var name = t ? fill(W.turn_of, { t: t, last: b.turns }) : W.start;
    slider.setAttribute('aria-valuetext', name + ', ' + b.clock[t]);
    clock.replaceChildren(
      el('strong', { text: b.clock[t] }), el('span', { text: name }),
      el('span', { 'class': b.night[t] ? 'moon' : 'sun', text: (b.night[t] ? '☾ ' : '☀ ') + (b.night[t] ? W.night : W.day) })
    );
    bulletin.textContent = b.bulletins[t];
    bulletin.title = b.bulletins[t];
    var row = (barsTrue() ? b.trueMm : b.knownMm)[t], cut = (barsTrue() ? b.cutTrue : b.cutKnown)[t];
    var wet = 0, cuts = 0, alerted = 0, done = 0;
    for (var i = 0; i < b.n; i++) {
      if (b.active[i] && row[i] >= data.waterFromMm[1]) wet++;
      if (b.alerted[t][i]) alerted++;
      if (b.sheltered[t][i] >= 100) done++;
    }
    for (i = 0; i < cut.length; i++) if (cut[i]) cuts++;
    summary.textContent = fill(W.summary, { wet: number.format(wet), cut: number.format(cuts), alerted: number.format(alerted), done: number.format(done) });
    if (st.selected >= 0) card.replaceChildren.apply(card, cardOf(st.selected));
    drawMarker();
  }

  /* The bars of a pair are those of the truth. */
  function barsTrue() { return Boolean(api.twin) || st.water === 'true'; }
  var chartImage = null;
  function drawChart() {
    if (!api.timed) return;
    var w = chart.clientWidth, h = chart.clientHeight, ratio = averse.ratio(), p = api.palette();
    if (!w) return;
    chart.width = w * ratio; chart.height = h * ratio;
    var rows = barsTrue() ? b.trueMm : b.knownMm, most = 1, counts = rows.map(function (row) {
      var c = [0, 0, 0, 0, 0];
      for (var i = 0; i < b.n; i++) if (b.active[i]) c[api.waterClass(row[i])]++;
      most = Math.max(most, c[1] + c[2] + c[3] + c[4]);
      return c;
    });
    var ctx = chart.getContext('2d'), step = (w - 16) / Math.max(1, b.turns);
    ctx.scale(ratio, ratio);
    ctx.fillStyle = p.chartBack; ctx.fillRect(0, 0, w, h);
    for (var t = 0; t <= b.turns; t++) {
      var from = t;
      while (t <= b.turns && b.night[t]) t++;
      if (t === from) continue;
      ctx.fillStyle = 'rgba(20,30,60,0.16)';
      ctx.fillRect(8 + (from - 0.5) * step, 0, (t - from) * step, h);
    }
    counts.forEach(function (c, t) {
      var base = h;
      for (var cls = 4; cls >= 1; cls--) {
        var tall = c[cls] / most * (h - 4);
        ctx.fillStyle = p.waters[cls];
        ctx.fillRect(8 + (t - 0.42) * step, base - tall, step * 0.84, tall);
        base -= tall;
      }
    });
    chartImage = document.createElement('canvas');
    chartImage.width = chart.width; chartImage.height = chart.height;
    chartImage.getContext('2d').drawImage(chart, 0, 0);
    drawMarker();
  }
  function drawMarker() {
    if (!chartImage) return;
    var ctx = chart.getContext('2d'), ratio = averse.ratio(), x = 8 + st.turn * (chart.clientWidth - 16) / Math.max(1, b.turns);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(chartImage, 0, 0);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.strokeStyle = api.palette().marker; ctx.lineWidth = 2;
    ctx.beginPath(); ctx.moveTo(x, 0); ctx.lineTo(x, chart.clientHeight); ctx.stroke();
  }

  function resize() {
    faces.forEach(function (face) { face.map.invalidateSize({ animate: false, pan: false }); });
  }

  // ------------------------------------------------------------------ buttons
  var zoom = L.control({ position: 'topleft' });
  zoom.onAdd = function () {
    function button(sign, label, act) {
      return el('button', { type: 'button', text: sign, 'aria-label': label, title: label, onclick: act });
    }
    var box = el('div', { 'class': 'leaflet-bar zoom' }, [
      button('+', W.zoom_in, function () { map.zoomIn(0.5); }), button('−', W.zoom_out, function () { map.zoomOut(0.5); }),
      button('⌂', W.whole, api.whole)
    ]);
    L.DomEvent.disableClickPropagation(box);
    return box;
  };
  zoom.addTo(map);
  var north = L.control({ position: 'topleft' });
  north.onAdd = function () { return el('div', { 'class': 'north', role: 'img', 'aria-label': W.north, text: 'N' }); };
  north.addTo(map);

  var theme = document.getElementById('theme');
  theme.addEventListener('click', function () {
    var night = theme.getAttribute('aria-pressed') !== 'true';
    theme.setAttribute('aria-pressed', String(night));
    api.dress(night); api.repaint(); drawLegend(); drawChart();
  });
  var toggle = document.getElementById('panel-toggle');
  function panel(open) {
    document.body.classList.toggle('no-panel', !open);
    toggle.setAttribute('aria-expanded', String(open));
    resize();
    drawChart();
  }
  toggle.addEventListener('click', function () { panel(toggle.getAttribute('aria-expanded') !== 'true'); });

  // a sheet of paper: the whole district, the legend beside it, at three times the screen's grain
  document.getElementById('print').addEventListener('click', function () { window.print(); });
  var before = null;
  function toPaper() {
    if (before) return;
    before = { centre: map.getCenter(), zoom: map.getZoom(), night: theme.getAttribute('aria-pressed') === 'true' };
    averse.printing(true);
    document.body.classList.add('printing');
    api.dress(false);
    resize();
    api.whole(); settle(); api.paintNow();
    drawLegend(); drawChart();
    // the more there is to say, the smaller: it must end with the page
    pane.style.zoom = Math.min(1, 640 / pane.scrollHeight);
  }
  function toScreen() {
    if (!before) return;
    averse.printing(false);
    document.body.classList.remove('printing');
    api.dress(before.night);
    resize();
    map.setView(before.centre, before.zoom, { animate: false });
    settle(); api.repaint();
    before = null;
    pane.style.zoom = 1;
    drawLegend(); drawChart();
  }
  function settle() { faces.forEach(function (face) { face.map.fire('moveend'); }); }
  window.addEventListener('beforeprint', toPaper);
  window.addEventListener('afterprint', toScreen);

  // ------------------------------------------------------------------ keyboard
  // sides clockwise from north; east and west take the two slanted sides in turn, so that a row is kept
  var WAYS = { ArrowUp: [[0], [0]], ArrowDown: [[3], [3]], ArrowRight: [[2, 1], [1, 2]], ArrowLeft: [[4, 5], [5, 4]] };
  faces.forEach(function (face) { face.map.getContainer().addEventListener('keydown', pressed); });
  function pressed(event) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey) return;
    if (WAYS[event.key]) step(WAYS[event.key]);
    else if (event.key === '+' || event.key === '=') map.zoomIn(0.5);
    else if (event.key === '-') map.zoomOut(0.5);
    else if (event.key === 'Enter' && st.selected >= 0) st.pinned = true;
    else if (event.key === 'Escape') release();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function step(ways) {
    var cell = st.selected;
    if (cell < 0) {
      var size = map.getSize();
      cell = Math.max(0, api.cellAt(L.point(size.x / 2, size.y / 2)));
    } else {
      var column = Math.floor(cell / data.sheet.rows);
      var next = ways[column % 2].map(function (side) { return b.neighbours[6 * cell + side]; }).filter(function (c) { return c >= 0; });
      if (!next.length) return;
      cell = next[0];
    }
    st.pinned = true;
    tip.hidden = true;
    select(cell, true); show(cell); speak(cell);
  }
  document.addEventListener('keydown', function (event) {
    var field = event.target.matches && event.target.matches('input, textarea, select, button, summary');
    if (!api.timed || field || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'ArrowRight') { pause(); go(st.turn + 1); }
    else if (event.key === 'ArrowLeft') { pause(); go(st.turn - 1); }
    else if (event.key === 'Home') { pause(); go(0); }
    else if (event.key === 'End') { pause(); go(b.turns); }
    else if (event.key === ' ') { if (timer) pause(); else play(); }
    else return;
    event.preventDefault();
  });

  // the layout may have changed under the map: time bar shown, panel folded on a narrow screen
  if (window.matchMedia('(max-width: 760px)').matches) panel(false);
  resize();
  api.whole();
  drawLegend();
  drawChart();
  refresh();
};
