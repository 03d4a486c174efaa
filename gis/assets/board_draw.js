/* How a district and an exercise on it are drawn: hexes, water, links, places and units on a canvas.
   Data come packed from gis/webmap.py; nothing here decides a rule, it only shows. It knows no map
   library and no page. */
var averse = (function () {
  'use strict';

  // ------------------------------------------------------------------ packed whole numbers
  function unpack(text) {
    var raw = atob(text), out = [], at = 0;
    function varint() {
      var value = 0, scale = 1, octet;
      do {
        octet = raw.charCodeAt(at++);
        value += (octet & 127) * scale;
        scale *= 128;
      } while (octet > 127);
      return value;
    }
    while (at < raw.length) {
      if (raw.charCodeAt(at) === 0) {
        at++;
        for (var run = varint() + 1; run > 0; run--) out.push(0);
      } else {
        var zigzag = varint();
        out.push(zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2);
      }
    }
    return Int32Array.from(out);
  }

  /* Undo differences: each value adds to the one `step` places before it. */
  function summed(values, step) {
    for (var i = step; i < values.length; i++) values[i] += values[i - step];
    return values;
  }

  function turnsOf(text, n) {
    var all = summed(unpack(text), n), rows = [];
    for (var i = 0; i < all.length; i += n) rows.push(all.subarray(i, i + n));
    return rows;
  }

  /* Polylines on the map's grid, as one path. Rings end by a line: a browser's closePath looks at the
     whole path again, which takes most of a second for the houses of a town. */
  function pathOf(text, closed) {
    var path = new Path2D(), v = unpack(text), at = 0, x = 0, y = 0;
    while (at < v.length) {
      var more = v[at++] + 1;
      x += v[at++]; y += v[at++];
      var firstX = x, firstY = y;
      path.moveTo(x, y);
      for (; more > 0; more--) {
        x += v[at++]; y += v[at++];
        path.lineTo(x, y);
      }
      if (closed) path.lineTo(firstX, firstY);
    }
    return path;
  }

  // ------------------------------------------------------------------ palettes
  // Water and density run from light to dark, so that a photocopy keeps their order; every colour
  // has a hatch or a shape beside it. Hues follow Okabe and Ito's, which colour-blind readers tell
  // apart.
  var DAY = {
    paper: '#f5f1e8', ink: '#1d2b33', halo: '#fffdf7', veil: 'rgba(245,241,232,0.46)',
    mesh: 'rgba(60,66,64,0.34)', meshOff: 'rgba(60,66,64,0.13)',
    green: '#d5dfc3', water: '#bcd0d8', stream: '#9dbccb', building: '#d8d0c3',
    wall: '#a89a86', rail: '#7d7a75', path: '#d9cfba', road: '#ffffff', roadEdge: '#b9b0a0',
    fabrics: ['#c4734f', '#e2b33f', '#7389ad', '#c583ad', '#85888c', '#eedb86', '#79a97f', '#c5d09a'],
    waters: ['', '#9ad2ee', '#4fa5da', '#1d68b3', '#0a2a63'],
    waterInk: ['', '#2f7fae', '#0e4f85', '#a9d3f5', '#ffffff'],
    density: '#6a2357', fog: 'rgba(92,92,88,0.34)', fogFill: 'rgba(228,225,217,0.34)',
    links: ['#8c8375', '#8b9a9c', '#5a7f89', '#16343f', '#16343f'], express: '#f7cf52',
    barrier: '#6d4524', cutFoot: '#f08a00', cutAll: '#d3121f', barEdge: '#ffffff',
    forecast: '#7b16a8', alerted: '#ffd60a', outlineEdge: '#3b3200', evacuated: '#0f8f46',
    quarter: '#41505a', selected: '#111111',
    shelter: '#0e5a68', station: '#1d68b3', police: '#24346b', technical: '#6b4a12',
    unit: '#ffffff', unitMoving: '#c3c9d6', unitBlocked: '#ff9ec4', unitInk: '#1b2a6b', lowPoint: '#4a3424',
    reliefLow: [104, 136, 142], reliefHigh: [248, 236, 208], chartBack: '#ebe5d7', marker: '#c2410c'
  };
  var NIGHT = {
    paper: '#151c22', ink: '#e8edf0', halo: '#10161b', veil: 'rgba(21,28,34,0.46)',
    mesh: 'rgba(200,212,220,0.30)', meshOff: 'rgba(200,212,220,0.11)',
    green: '#1f2e28', water: '#22394a', stream: '#2f4d61', building: '#2a333b',
    wall: '#5d564b', rail: '#77767a', path: '#39424a', road: '#46525c', roadEdge: '#10161b',
    fabrics: ['#b5694a', '#b08c35', '#6079a5', '#a2668d', '#6f7479', '#c4b268', '#4f7f58', '#6b7048'],
    waters: ['', '#5fa9cf', '#3f8fd0', '#7fc4ff', '#d6efff'],
    waterInk: ['', '#0f2c3d', '#061c33', '#0a3560', '#0a2a63'],
    density: '#f0a6d8', fog: 'rgba(190,194,196,0.22)', fogFill: 'rgba(90,97,102,0.22)',
    links: ['#8a8f92', '#8fa2a8', '#b0c6cd', '#e3eef1', '#e3eef1'], express: '#8a6a00',
    barrier: '#c79a6b', cutFoot: '#ff9d1f', cutAll: '#ff4d57', barEdge: '#10161b',
    forecast: '#d59bff', alerted: '#ffe03d', outlineEdge: '#10161b', evacuated: '#3ddc84',
    quarter: '#b8c4cc', selected: '#ffffff',
    shelter: '#5fd0e0', station: '#7fc4ff', police: '#a9b8ff', technical: '#e8b75a',
    unit: '#10161b', unitMoving: '#56626b', unitBlocked: '#a8336a', unitInk: '#ffffff', lowPoint: '#e8c9a0',
    reliefLow: [22, 40, 52], reliefHigh: [196, 186, 160], chartBack: '#1e272e', marker: '#ffb066'
  };
  // The darkest class by day is the deepest; by night the lightest is, so that depth stays salient.

  // ------------------------------------------------------------------ hatches (screen pixels)
  function tile(size, ratio, draw) {
    var canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.round(size * ratio);
    var ctx = canvas.getContext('2d');
    ctx.scale(canvas.width / size, canvas.height / size);
    draw(ctx, size);
    return canvas;
  }

  function strokes(ctx, colour, width, segments) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.beginPath();
    segments.forEach(function (s) { ctx.moveTo(s[0], s[1]); ctx.lineTo(s[2], s[3]); });
    ctx.stroke();
  }

  function dot(ctx, x, y, r) {
    ctx.beginPath(); ctx.arc(x, y, r, 0, 2 * Math.PI); ctx.fill();
  }

  var FABRIC_HATCH = [
    function brick(c, k) { strokes(c, k, 0.9, [[0, 2, 8, 2], [0, 6, 8, 6], [2, 2, 2, 6], [6, 6, 6, 8], [6, 0, 6, 2]]); },
    function bars(c, k) { strokes(c, k, 1.6, [[0, 4, 8, 4]]); },
    function towers(c, k) { c.fillStyle = k; c.fillRect(2, 2, 3, 3); },
    function slant(c, k) { strokes(c, k, 1, [[-2, 2, 2, -2], [-2, 10, 10, -2], [6, 10, 10, 6]]); },
    function cross(c, k) { strokes(c, k, 0.8, [[0, 0, 8, 8], [0, 8, 8, 0]]); },
    function dots(c, k) { c.fillStyle = k; dot(c, 2, 2, 0.9); dot(c, 6, 6, 0.9); },
    function tufts(c, k) { strokes(c, k, 1, [[2, 5, 4, 2], [4, 2, 6, 5]]); },
    function furrows(c, k) { strokes(c, k, 0.9, [[2, 0, 2, 8], [6, 0, 6, 8]]); }
  ];

  function wave(ctx, y, size) {
    ctx.moveTo(0, y);
    ctx.bezierCurveTo(size / 4, y - 2.6, size / 4, y - 2.6, size / 2, y);
    ctx.bezierCurveTo(size * 0.75, y + 2.6, size * 0.75, y + 2.6, size, y);
  }

  function waterTile(cls, palette, ratio) {
    return tile(10, ratio, function (c) {
      c.strokeStyle = palette.waterInk[cls];
      c.lineWidth = cls === 4 ? 1.1 : 1;
      c.beginPath();
      if (cls === 1) wave(c, 5, 10);
      if (cls === 2) { wave(c, 2.5, 10); wave(c, 7.5, 10); }
      if (cls === 3) { c.moveTo(0, 2.5); c.lineTo(10, 2.5); c.moveTo(0, 5.8); c.lineTo(10, 5.8); c.moveTo(0, 9.1); c.lineTo(10, 9.1); }
      if (cls === 4) { c.moveTo(0, 0); c.lineTo(10, 10); c.moveTo(0, 10); c.lineTo(10, 0); }
      c.stroke();
    });
  }

  function makeHatches(palette, ratio) {
    var dark = palette === DAY;
    return {
      fabrics: FABRIC_HATCH.map(function (draw) {
        return tile(8, ratio, function (c) { draw(c, dark ? 'rgba(30,30,25,0.62)' : 'rgba(255,255,255,0.62)'); });
      }),
      waters: [1, 2, 3, 4].map(function (cls) { return waterTile(cls, palette, ratio); }),
      density: [0.7, 1.05, 1.45, 1.9, 2.4].map(function (r) {
        return tile(6, ratio, function (c) { c.fillStyle = palette.density; dot(c, 3, 3, r); });
      }),
      fog: tile(9, ratio, function (c) { strokes(c, palette.fog, 0.7, [[-2, 2, 2, -2], [-2, 11, 11, -2], [7, 11, 11, 7]]); })
    };
  }

  /* Fill the current path with a hatch that stays still under the hexes when the map moves. */
  function fillHatch(ctx, image, ratio, shiftX, shiftY) {
    var pattern = ctx.createPattern(image, 'repeat');
    if (pattern.setTransform) {
      pattern.setTransform(new DOMMatrix([1 / ratio, 0, 0, 1 / ratio, shiftX || 0, shiftY || 0]));
    }
    ctx.fillStyle = pattern;
    ctx.fill();
  }

  // ------------------------------------------------------------------ signs
  // each draws centred on (x, y) in a square of side s, and reads without its colour
  function text(ctx, words, x, y, size, colour, weight) {
    ctx.font = (weight || 600) + ' ' + size + 'px ' + FONT;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = colour;
    ctx.fillText(words, x, y);
  }
  var FONT = '"Inter","Segoe UI","Helvetica Neue",Arial,"Liberation Sans","DejaVu Sans",sans-serif';

  function plate(ctx, palette, colour, s, trace) {
    ctx.beginPath();
    trace();
    ctx.closePath();
    ctx.lineJoin = 'round';
    ctx.lineWidth = Math.max(2.4, s * 0.16);
    ctx.strokeStyle = palette.halo;
    ctx.stroke();
    ctx.fillStyle = colour;
    ctx.fill();
  }

  /* `shut` strikes it through: it takes nobody in. */
  function signShelter(ctx, palette, x, y, s, number, filled, shut) {
    var h = s / 2;
    plate(ctx, palette, palette.shelter, s, function () {
      ctx.moveTo(x, y - h * 1.05); ctx.lineTo(x + h * 1.08, y - h * 0.2); ctx.lineTo(x + h * 0.85, y - h * 0.2);
      ctx.lineTo(x + h * 0.85, y + h); ctx.lineTo(x - h * 0.85, y + h); ctx.lineTo(x - h * 0.85, y - h * 0.2);
      ctx.lineTo(x - h * 1.08, y - h * 0.2);
    });
    if (number !== '') text(ctx, number, x, y + h * 0.32, s * 0.56, palette.halo, 700);
    if (shut) {
      ctx.lineCap = 'round';
      [[palette.halo, 0.3], [palette.cutAll, 0.15]].forEach(function (way) {
        ctx.strokeStyle = way[0]; ctx.lineWidth = Math.max(1.4, s * way[1]);
        ctx.beginPath();
        ctx.moveTo(x - h * 0.95, y - h * 0.8); ctx.lineTo(x + h * 0.95, y + h * 0.9);
        ctx.moveTo(x + h * 0.95, y - h * 0.8); ctx.lineTo(x - h * 0.95, y + h * 0.9);
        ctx.stroke();
      });
    }
    if (filled === null) return;
    var w = s * 1.1, top = y + h + Math.max(1.5, s * 0.1), tall = Math.max(3, s * 0.2);
    ctx.fillStyle = palette.halo; ctx.fillRect(x - w / 2 - 1, top - 1, w + 2, tall + 2);
    ctx.fillStyle = filled >= 1 ? palette.cutAll : palette.shelter;
    ctx.fillRect(x - w / 2, top, w * Math.min(1, filled), tall);
    ctx.lineWidth = 1; ctx.strokeStyle = palette.shelter; ctx.strokeRect(x - w / 2, top, w, tall);
  }

  function signStation(ctx, palette, x, y, s) {
    var h = s / 2;
    plate(ctx, palette, palette.station, s, function () {
      ctx.moveTo(x, y - h); ctx.bezierCurveTo(x + h * 1.15, y + h * 0.1, x + h * 0.7, y + h, x, y + h);
      ctx.bezierCurveTo(x - h * 0.7, y + h, x - h * 1.15, y + h * 0.1, x, y - h);
    });
    ctx.strokeStyle = palette.halo; ctx.lineWidth = Math.max(1, s * 0.09); ctx.beginPath();
    ctx.moveTo(x - h * 0.34, y + h * 0.12); ctx.lineTo(x + h * 0.34, y + h * 0.12);
    ctx.moveTo(x - h * 0.34, y + h * 0.5); ctx.lineTo(x + h * 0.34, y + h * 0.5);
    ctx.stroke();
  }

  function signPolice(ctx, palette, x, y, s) {
    var h = s / 2;
    plate(ctx, palette, palette.police, s, function () {
      ctx.moveTo(x, y - h); ctx.lineTo(x + h * 0.9, y - h * 0.65); ctx.lineTo(x + h * 0.85, y + h * 0.15);
      ctx.quadraticCurveTo(x + h * 0.7, y + h * 0.7, x, y + h);
      ctx.quadraticCurveTo(x - h * 0.7, y + h * 0.7, x - h * 0.85, y + h * 0.15); ctx.lineTo(x - h * 0.9, y - h * 0.65);
    });
    ctx.fillStyle = palette.halo; ctx.beginPath();
    for (var k = 0; k < 10; k++) {
      var r = k % 2 ? h * 0.2 : h * 0.5, a = Math.PI * (k / 5 - 0.5);
      ctx.lineTo(x + r * Math.cos(a), y + r * Math.sin(a));
    }
    ctx.fill();
  }

  function signTechnical(ctx, palette, x, y, s) {
    var h = s / 2;
    plate(ctx, palette, palette.technical, s, function () {
      for (var k = 0; k < 32; k++) {
        var r = k % 4 < 2 ? h : h * 0.74, a = Math.PI * k / 16;
        ctx.lineTo(x + r * Math.cos(a), y + r * Math.sin(a));
      }
    });
    ctx.fillStyle = palette.halo; dot(ctx, x, y, h * 0.34);
  }

  function roundBox(ctx, x, y, w, h, r) {
    ctx.moveTo(x + r, y); ctx.arcTo(x + w, y, x + w, y + h, r); ctx.arcTo(x + w, y + h, x, y + h, r);
    ctx.arcTo(x, y + h, x, y, r); ctx.arcTo(x, y, x + w, y, r);
  }

  /* Bright in place, dull on its way, pink and barred when its way is closed (§16). */
  function signPatrol(ctx, palette, x, y, s, number, status) {
    var w = s * 1.12, h = s * 0.72, wheel = s * 0.14;
    ctx.fillStyle = palette.unitInk;
    dot(ctx, x - w * 0.26, y + h * 0.5, wheel); dot(ctx, x + w * 0.26, y + h * 0.5, wheel);
    ctx.beginPath(); roundBox(ctx, x - w / 2, y - h / 2, w, h, s * 0.16); ctx.closePath();
    ctx.lineJoin = 'round';
    ctx.lineWidth = Math.max(3.4, s * 0.26); ctx.strokeStyle = palette.halo; ctx.stroke();
    ctx.fillStyle = status === 'blocked' ? palette.unitBlocked : status === 'moving' ? palette.unitMoving : palette.unit; ctx.fill();
    ctx.lineWidth = Math.max(1.4, s * 0.1); ctx.strokeStyle = palette.unitInk; ctx.stroke();
    ctx.fillStyle = palette.unitInk; ctx.fillRect(x - s * 0.14, y - h / 2 - s * 0.15, s * 0.28, s * 0.15);
    if (status === 'moving') { ctx.setLineDash([2, 2]); ctx.strokeStyle = palette.halo; ctx.stroke(); ctx.setLineDash([]); }
    text(ctx, number, x, y + s * 0.03, s * (String(number).length > 2 ? 0.4 : 0.54), palette.unitInk, 700);
  }

  // ------------------------------------------------------------------ the board
  var SIDE_CORNERS = [[2, 1], [1, 0], [0, 5], [5, 4], [4, 3], [3, 2]];
  var LINK_WIDTH = [0, 1, 1.8, 3.3, 5];
  var NUMBER_FROM_PX = 13, NEVER_SEEN = 255, RINGS_FROM_PX = 34, OLD_TURNS = 5, DENSITY_TINT = [0.05, 0.14, 0.24, 0.36, 0.5];

  function decode(data) {
    var n = data.hexes.labels.length, h = data.hexes, e = data.edges, steps = summed(unpack(h.corners), 12);
    for (var i = 0; i < n; i++) {
      for (var k = 2; k < 12; k++) steps[12 * i + k] += steps[12 * i + k % 2];
    }
    var board = {
      n: n, labels: h.labels, corners: steps,
      active: unpack(h.active), fabric: unpack(h.fabric), openWater: unpack(h.openWater), residents: unpack(h.residents),
      toShelter: unpack(h.toShelter), quarter: summed(unpack(h.quarter), 1),
      elevation: summed(unpack(h.elevationDm), 1), sink: unpack(h.sinkMm),
      // packed as differences from the hex itself; negative stands off the sheet
      neighbours: unpack(h.neighbours).map(function (v, at) { return v + Math.floor(at / 6); }),
      edge: {
        low: summed(unpack(e.low), 1), high: unpack(e.high), side: unpack(e.side),
        cls: unpack(e['class']), structure: unpack(e.structure), foot: unpack(e.foot), barrier: unpack(e.barrier),
        through: unpack(e.through)
      },
      base: {}
    };
    for (i = 0; i < board.edge.high.length; i++) board.edge.high[i] += board.edge.low[i];
    board.vertex = sharedCorners(board.neighbours, n);
    ['green', 'water', 'building'].forEach(function (kind) { board.base[kind] = pathOf(data.basemap[kind], true); });
    ['stream', 'wall', 'rail', 'path', 'road1', 'road2', 'road3', 'road4'].forEach(function (kind) {
      board.base[kind] = pathOf(data.basemap[kind], false);
    });
    if (data.story) board.story = told(data.story, n);
    return data.frames ? played(board, data, data.frames) : board;
  }

  /* Turns since each observation, from its turn; what was never observed was so after any turn. */
  function ages(seen, turn) {
    return seen.map(function (at) { return at > turn ? NEVER_SEEN : turn - at; });
  }

  /* The same ground with what happened on it, turn by turn; several may share one ground. */
  function played(ground, data, f) {
    var board = Object.create(ground), n = ground.n, edges = ground.edge.low.length;
    board.turns = f.turns;
    board.trueMm = turnsOf(f.trueMm, n); board.knownMm = turnsOf(f.knownMm, n); board.age = turnsOf(f.seen, n).map(ages);
    board.alerted = turnsOf(f.alerted, n); board.evacuating = turnsOf(f.evacuating, n);
    board.sheltered = turnsOf(f.sheltered, n); board.forecast = unpack(f.forecast);
    board.ordered = f.ordered ? turnsOf(f.ordered, n) : null;
    board.filled = turnsOf(f.filled, data.places.shelter.length || 1);
    board.shut = turnsOf(f.shut, data.places.shelter.length || 1);
    board.cutTrue = turnsOf(f.cutTrue, edges); board.cutKnown = turnsOf(f.cutKnown, edges);
    board.units = f.units; board.bulletins = f.bulletins; board.clock = f.clock; board.night = f.night;
    return board;
  }

  /* Classes and facts of a story, by choice; one row for all turns, or one a turn. */
  function told(story, n) {
    function rows(p) { return p.byTurn ? turnsOf(p.packed, n) : [unpack(p.packed)]; }
    return story.choices.map(function (choice) {
      return {
        rows: rows(choice.classes),
        facts: choice.facts.map(function (f) { return { label: f[0], rows: rows(f[1]), text: f[2], least: f[3] }; })
      };
    });
  }
  function rowAt(rows, turn) { return rows.length === 1 ? rows[0] : rows[turn]; }

  /* A number for every corner, the same in the two or three hexes that share it. */
  function sharedCorners(neighbours, n) {
    var vertex = new Int32Array(6 * n).fill(-1), next = 0;
    for (var i = 0; i < n; i++) {
      for (var side = 0; side < 6; side++) {
        var other = neighbours[6 * i + side];
        if (other < 0 || other > i) continue;
        var here = SIDE_CORNERS[side], there = SIDE_CORNERS[(side + 3) % 6];
        vertex[6 * i + here[0]] = vertex[6 * other + there[1]];
        vertex[6 * i + here[1]] = vertex[6 * other + there[0]];
      }
      for (var k = 0; k < 6; k++) if (vertex[6 * i + k] < 0) vertex[6 * i + k] = next++;
    }
    return vertex;
  }

  /* Five classes of people with round bounds, so that one hex in twenty tops the scale. */
  function densityBounds(counts) {
    var inOrder = Array.from(counts).filter(function (c) { return c > 0; }).sort(function (a, z) { return a - z; });
    var most = inOrder.length ? inOrder[Math.floor(0.95 * (inOrder.length - 1))] : 5;
    var rough = Math.max(1, most / 5), power = Math.pow(10, Math.floor(Math.log10(rough)));
    var step = power * [1, 2, 2.5, 5, 10].filter(function (m) { return m * power >= rough * 0.8; })[0];
    step = Math.max(1, Math.round(step));
    return [1, step, 2 * step, 3 * step, 4 * step];
  }

  var printing = false;
  function pixelRatio() {
    return printing ? 3 : Math.min(window.devicePixelRatio || 1, 2.5);
  }

  /* What draws a board on a canvas: `look` says where the ground lies on it, `paint` draws. The
     state holds the turn, which water is shown and which layers, and belongs to the caller. */
  function painter(data, b, st) {
    var view, palette = DAY, hatches = {};
    var timed = b.turns !== undefined;
    var bounds = densityBounds(b.toShelter);
    view = { s: 1, tx: 0, ty: 0, ratio: 1, w: 1, h: 1, hexW: 10, x: new Float32Array(b.n * 6), y: new Float32Array(b.n * 6), cx: new Float32Array(b.n), cy: new Float32Array(b.n) };
    var sheets = averse.sheets(view), pictures = {};
    var lowest = Infinity, highest = -Infinity;
    for (var i = 0; i < b.n; i++) {
      if (!b.active[i]) continue;
      lowest = Math.min(lowest, b.elevation[i]); highest = Math.max(highest, b.elevation[i]);
    }

    // ---------------------------------------------------------------- geometry on screen
    /* Steps of the map's grid → pixels: scale, shift; size of the canvas; its pixels to a screen's. */
    function look(s, tx, ty, width, height, ratio) {
      view.s = s; view.tx = tx; view.ty = ty;
      view.ratio = ratio; view.w = width; view.h = height;
      for (var i = 0; i < b.n; i++) {
        var sx = 0, sy = 0;
        for (var k = 0; k < 6; k++) {
          var x = b.corners[12 * i + 2 * k] * view.s + view.tx, y = b.corners[12 * i + 2 * k + 1] * view.s + view.ty;
          view.x[6 * i + k] = x; view.y[6 * i + k] = y; sx += x; sy += y;
        }
        view.cx[i] = sx / 6; view.cy[i] = sy / 6;
      }
      view.hexW = Math.hypot(view.x[1] - view.x[5], view.y[1] - view.y[5]);
      sheets.forget();
      pictures = {};
    }

    function trace(ctx, cell, inset) {
      var k0 = 6 * cell, cx = view.cx[cell], cy = view.cy[cell];
      for (var k = 0; k <= 6; k++) {
        var x = cx + (view.x[k0 + k % 6] - cx) * inset, y = cy + (view.y[k0 + k % 6] - cy) * inset;
        if (k) ctx.lineTo(x, y); else ctx.moveTo(x, y);
      }
    }

    function onScreen(cell) {
      var r = view.hexW;
      return view.cx[cell] > -r && view.cy[cell] > -r && view.cx[cell] < view.w + r && view.cy[cell] < view.h + r;
    }

    // outlines of a set of hexes: at a corner at most one outline comes in and goes out
    var startsAt = new Int32Array(6 * b.n), taken = new Uint8Array(6 * b.n), inside = new Uint8Array(b.n);

    /* Put the outline of the hexes of a set on the path, drawn in towards their centres. */
    function region(ctx, keep, inset) {
      var any = false, i, side;
      ctx.beginPath();
      for (i = 0; i < b.n; i++) {
        inside[i] = keep(i) && onScreen(i) ? 1 : 0;
        any = any || inside[i] === 1;
      }
      if (!any) return false;
      for (i = 0; i < b.n; i++) {
        for (side = 0; side < 6; side++) {
          var other = b.neighbours[6 * i + side], rim = inside[i] && (other < 0 || !inside[other]);
          taken[6 * i + side] = rim ? 0 : 1;
          if (rim) startsAt[b.vertex[6 * i + SIDE_CORNERS[side][0]]] = 6 * i + side;
        }
      }
      for (var at = 0; at < taken.length; at++) if (!taken[at]) loop(ctx, at, inset || 1);
      return true;
    }

    function loop(ctx, first, inset) {
      var at = first, started = false;
      do {
        taken[at] = 1;
        var cell = Math.floor(at / 6), end = 6 * cell + SIDE_CORNERS[at % 6][1];
        var next = startsAt[b.vertex[end]], other = Math.floor(next / 6);
        var x = view.x[end], y = view.y[end];
        if (inset !== 1) {
          x = x * inset + (view.cx[cell] + view.cx[other]) / 2 * (1 - inset);
          y = y * inset + (view.cy[cell] + view.cy[other]) / 2 * (1 - inset);
        }
        if (started) ctx.lineTo(x, y); else ctx.moveTo(x, y);
        started = true;
        at = next;
      } while (at !== first);
      ctx.closePath();
    }

    // ---------------------------------------------------------------- what changes only with the view
    function ground(ctx) {
      var s = view.s, lines = Math.max(0.6, Math.min(1.6, view.hexW / 26));
      ctx.fillStyle = palette.paper;
      ctx.fillRect(0, 0, view.w, view.h);
      ctx.save();
      ctx.translate(view.tx, view.ty);
      ctx.scale(s, s);
      ctx.lineJoin = ctx.lineCap = 'round';
      function line(kind, colour, width, dash) {
        ctx.setLineDash(dash ? dash.map(function (d) { return d / s; }) : []);
        ctx.strokeStyle = colour; ctx.lineWidth = width * lines / s;
        ctx.stroke(b.base[kind]);
      }
      ctx.fillStyle = palette.green; ctx.fill(b.base.green);
      ctx.fillStyle = palette.water; ctx.fill(b.base.water);
      line('water', palette.stream, 0.7);
      line('stream', palette.stream, 1.4);
      ctx.fillStyle = palette.building; ctx.fill(b.base.building);
      line('wall', palette.wall, 0.9);
      if (view.hexW > 30) line('path', palette.path, 0.8, [2, 2]);
      [['road1', 1.3], ['road2', 2.1], ['road3', 2.7], ['road4', 3.2]].forEach(function (r) {
        line(r[0], palette.roadEdge, r[1] + 0.9);
      });
      [['road1', 1.3], ['road2', 2.1], ['road3', 2.7], ['road4', 3.2]].forEach(function (r) {
        line(r[0], palette.road, r[1]);
      });
      line('rail', palette.rail, 2.2);
      line('rail', palette.paper, 1.1, [5, 5]);
      ctx.restore();
    }

    /* Rivers, lakes and rails stay landmarks over the fabric. */
    function landmarks(ctx) {
      var s = view.s, lines = Math.max(0.6, Math.min(1.6, view.hexW / 26));
      ctx.save();
      ctx.translate(view.tx, view.ty); ctx.scale(s, s);
      ctx.globalAlpha = 0.85; ctx.fillStyle = palette.water; ctx.fill(b.base.water);
      ctx.strokeStyle = palette.stream; ctx.lineWidth = 1.2 * lines / s; ctx.stroke(b.base.stream);
      ctx.globalAlpha = 0.6; ctx.strokeStyle = palette.rail; ctx.lineWidth = 2 * lines / s; ctx.stroke(b.base.rail);
      ctx.setLineDash([5 / s, 5 / s]); ctx.strokeStyle = palette.paper; ctx.lineWidth = lines / s; ctx.stroke(b.base.rail);
      ctx.restore();
    }

    function fabrics(ctx) {
      for (var f = 0; f < 8; f++) {
        [1, 0].forEach(function (active) {
          if (!region(ctx, function (i) { return b.fabric[i] === f && b.active[i] === active && (active || !b.openWater[i]); })) return;
          ctx.globalAlpha = active ? 1 : 0.3;
          ctx.fillStyle = palette.fabrics[f]; ctx.fill();
          if (active) fillHatch(ctx, hatches.fabrics[f], view.ratio);
        });
      }
      ctx.globalAlpha = 1;
    }

    function reliefColour(share) {
      var low = palette.reliefLow, high = palette.reliefHigh;
      return 'rgb(' + low.map(function (v, k) { return Math.round(v + (high[k] - v) * share); }).join(',') + ')';
    }

    function relief(ctx) {
      if (st.relief === 'altitude') {
        for (var step = 0; step < 8; step++) {
          if (region(ctx, function (i) { return b.active[i] && reliefStep(i) === step; })) {
            ctx.fillStyle = reliefColour(step / 7); ctx.fill();
          }
        }
      } else {
        for (var i = 0; i < b.n; i++) {
          var cls = sinkClass(b.sink[i]);
          if (b.active[i] && cls && onScreen(i)) signLowPoint(ctx, view.cx[i], view.cy[i], view.hexW, cls);
        }
      }
    }

    function reliefStep(i) {
      return Math.max(0, Math.min(7, Math.floor(8 * (b.elevation[i] - lowest) / Math.max(1, highest - lowest))));
    }

    function sinkClass(mm) {
      for (var c = data.waterFromMm.length - 1; c > 0; c--) if (mm >= data.waterFromMm[c]) return c;
      return 0;
    }

    function signLowPoint(ctx, x, y, w, cls) {
      var r = w * (0.12 + 0.07 * cls);
      ctx.beginPath(); ctx.moveTo(x - r, y - r * 0.7); ctx.lineTo(x + r, y - r * 0.7); ctx.lineTo(x, y + r * 0.9); ctx.closePath();
      ctx.lineWidth = 1.6; ctx.strokeStyle = palette.halo; ctx.stroke();
      ctx.fillStyle = palette.lowPoint; ctx.fill();
    }

    function mesh(ctx) {
      [[0, palette.meshOff], [1, palette.mesh]].forEach(function (m) {
        ctx.beginPath();
        for (var i = 0; i < b.n; i++) if (b.active[i] === m[0] && onScreen(i)) trace(ctx, i, 1);
        // small hexes would be a net with little in it
        ctx.globalAlpha = Math.max(0.3, Math.min(1, (view.hexW - 6) / 20));
        ctx.strokeStyle = m[1]; ctx.lineWidth = Math.max(0.5, Math.min(1, view.hexW / 30)); ctx.stroke();
        ctx.globalAlpha = 1;
      });
    }

    /* Sides of hexes between which a label differs, each drawn in towards its own hex. */
    function limits(ctx, label, inset) {
      ctx.beginPath();
      for (var i = 0; i < b.n; i++) {
        if (label(i) < 0 || !onScreen(i)) continue;
        for (var side = 0; side < 6; side++) {
          var other = b.neighbours[6 * i + side];
          if (other >= 0 && label(other) === label(i)) continue;
          var a = 6 * i + SIDE_CORNERS[side][0], z = 6 * i + SIDE_CORNERS[side][1], cx = view.cx[i], cy = view.cy[i];
          ctx.moveTo(cx + (view.x[a] - cx) * inset, cy + (view.y[a] - cy) * inset);
          ctx.lineTo(cx + (view.x[z] - cx) * inset, cy + (view.y[z] - cy) * inset);
        }
      }
    }

    function veiled(ctx) {
      ground(ctx);
      if (region(ctx, function (i) { return !b.active[i] && !b.openWater[i]; })) { ctx.fillStyle = palette.veil; ctx.fill(); }
    }

    // ---------------------------------------------------------------- links and edges
    function middle(edge, share) {
      var low = b.edge.low[edge], pair = SIDE_CORNERS[b.edge.side[edge]];
      var a = 6 * low + pair[0], z = 6 * low + pair[1], half = share / 2;
      return [
        view.x[a] * (0.5 + half) + view.x[z] * (0.5 - half), view.y[a] * (0.5 + half) + view.y[z] * (0.5 - half),
        view.x[a] * (0.5 - half) + view.x[z] * (0.5 + half), view.y[a] * (0.5 - half) + view.y[z] * (0.5 + half)
      ];
    }

    function linkLines(ctx, keep) {
      ctx.beginPath();
      for (var e = 0; e < b.edge.low.length; e++) {
        if (!keep(e)) continue;
        var a = b.edge.low[e], z = b.edge.high[e];
        if (!onScreen(a) && !onScreen(z)) continue;
        // a link that closes a triangle of wide links is a stub across its edge
        var cut = b.edge.cls[e] > 1 && !b.edge.through[e] ? 1 / 3 : 0, dx = (view.cx[z] - view.cx[a]) * cut, dy = (view.cy[z] - view.cy[a]) * cut;
        ctx.moveTo(view.cx[a] + dx, view.cy[a] + dy); ctx.lineTo(view.cx[z] - dx, view.cy[z] - dy);
      }
    }

    function links(ctx) {
      var width = Math.max(0.5, Math.min(1.8, view.hexW / 26));
      // from far, two thousand local streets would be a grey veil
      var least = st.layers.roads.least === undefined ? (view.hexW < NUMBER_FROM_PX ? 2 : 0) : st.layers.roads.least;
      ctx.lineCap = 'round';
      if (!least || st.layers.roads.least === undefined) {
        ctx.setLineDash([1.5 * width, 2.5 * width]);
        linkLines(ctx, function (e) { return b.edge.cls[e] === 0 && b.edge.foot[e]; });
        strokeLink(ctx, palette, 0, width);
        ctx.setLineDash([]);
      }
      for (var cls = Math.max(1, least); cls <= 4; cls++) {
        linkLines(ctx, function (e) { return b.edge.cls[e] === cls; });
        strokeLink(ctx, palette, cls, width);
      }
      if (view.hexW < 17) return;
      for (var e = 0; e < b.edge.low.length; e++) {
        if (b.edge.structure[e]) structure(ctx, e, width);
      }
    }

    function structure(ctx, e, width) {
      var m = middle(e, 0), a = b.edge.low[e], z = b.edge.high[e];
      var dx = view.cx[z] - view.cx[a], dy = view.cy[z] - view.cy[a], d = Math.hypot(dx, dy);
      signStructure(ctx, palette, b.edge.structure[e], m[0], m[1], dx / d, dy / d, view.hexW * 0.17, LINK_WIDTH[b.edge.cls[e]] * width / 2 + 1.5 * width);
    }

    function quarters(ctx) {
      limits(ctx, function (i) { return b.quarter[i]; }, 0.985);
      ctx.strokeStyle = palette.quarter; ctx.lineWidth = Math.max(0.8, Math.min(1.6, view.hexW / 22));
      ctx.stroke();
    }

    function barriers(ctx) { bars(ctx, function (e) { return b.edge.barrier[e]; }, 'barrier'); }

    function bars(ctx, keep, kind) {
      var width = Math.max(0.55, Math.min(1.7, view.hexW / 26)), size = view.hexW * 0.62 + 12;
      for (var e = 0; e < b.edge.low.length; e++) {
        if (!keep(e) || !onScreen(b.edge.low[e])) continue;
        var m = middle(e, 0.62), x = (m[0] + m[2]) / 2, y = (m[1] + m[3]) / 2;
        var dx = (m[2] - m[0]) / 2, dy = (m[3] - m[1]) / 2;
        place(ctx, sprite(kind + b.edge.side[e] % 3, size, size, function (c, cx, cy) {
          strokeBars(c, palette, [[cx - dx, cy - dy, cx + dx, cy + dy]], kind, width);
        }), x, y);
      }
    }

    // ---------------------------------------------------------------- numbers and places
    var placesOf = {};
    ['shelter', 'station', 'police', 'technical'].forEach(function (kind) {
      data.places[kind].forEach(function (p, number) {
        (placesOf[p[0]] = placesOf[p[0]] || []).push({ kind: kind, number: number, name: p[1], places: p[2] });
      });
    });

    function signSize() { return Math.max(10, Math.min(30, view.hexW * 0.5)); }

    function placeAt(cell, k, count) {
      var s = signSize();
      return [view.cx[cell] + (k - (count - 1) / 2) * s * 1.15, view.cy[cell] + view.hexW * (timed ? 0.02 : 0.06)];
    }

    function numbers(ctx) {
      if (view.hexW < NUMBER_FROM_PX) return;
      var size = Math.max(5.5, Math.min(15, view.hexW * 0.1 + 4.6, view.hexW * 0.33));
      var close = Math.max(0, Math.min(1, (view.hexW - 18) / 22));
      ctx.font = (close > 0.5 ? '600 ' : '500 ') + size + 'px ' + FONT;
      ctx.textAlign = 'center'; ctx.textBaseline = 'middle'; ctx.lineJoin = 'round';
      ctx.strokeStyle = palette.halo; ctx.lineWidth = size * (0.2 + 0.12 * close);
      [1, 0].forEach(function (active) {
        ctx.globalAlpha = active ? 0.78 + 0.2 * close : 0.4;
        ctx.fillStyle = palette.ink;
        for (var i = 0; i < b.n; i++) {
          if (b.active[i] !== active || !onScreen(i)) continue;
          var y = view.cy[i] - view.hexW * 0.305;
          if (active) ctx.strokeText(b.labels[i], view.cx[i], y);
          ctx.fillText(b.labels[i], view.cx[i], y);
        }
      });
      ctx.globalAlpha = 1;
    }

    function places(ctx) {
      var s = signSize();
      Object.keys(placesOf).forEach(function (key) {
        var cell = Number(key), here = placesOf[key];
        if (!onScreen(cell)) return;
        here.forEach(function (p, k) {
          var at = placeAt(cell, k, here.length);
          // letters cost most of a frame: each sign is drawn once, and again when it has changed
          var filled = timed && p.kind === 'shelter' ? Math.round(20 * filling(p)) / 20 : null;
          var shut = timed && p.kind === 'shelter' && b.shut[st.turn][p.number] > 0;
          var look = p.kind === 'shelter' ? p.number + '/' + filled + '/' + shut : '';
          place(ctx, sprite(p.kind + look, s * 2.2, s * 2.2, function (c, x, y) {
            if (p.kind === 'shelter') signShelter(c, palette, x, y, s, p.number + 1, filled, shut);
            if (p.kind === 'station') signStation(c, palette, x, y, s * 0.9);
            if (p.kind === 'police') signPolice(c, palette, x, y, s);
            if (p.kind === 'technical') signTechnical(c, palette, x, y, s);
          }), at[0], at[1]);
        });
      });
    }

    function filling(p) { return p.places ? b.filled[st.turn][p.number] / p.places : 0; }

    // ---------------------------------------------------------------- what changes with the turn
    function depthRow() { return (st.water === 'true' ? b.trueMm : b.knownMm)[st.turn]; }
    function cutRow() { return (st.water === 'true' ? b.cutTrue : b.cutKnown)[st.turn]; }

    function water(ctx) {
      var row = depthRow(), age = b.age[st.turn], known = st.water === 'known';
      // no water in a last look that is old tells little: such a hex is veiled as one never seen
      if (known && region(ctx, function (i) { return b.active[i] && (row[i] < 0 || (age[i] >= OLD_TURNS && row[i] < data.waterFromMm[1])); })) {
        ctx.fillStyle = palette.fogFill; ctx.fill();
        fillHatch(ctx, hatches.fog, view.ratio);
      }
      var fade = known ? [[0, 1, 1], [2, OLD_TURNS - 1, 0.72], [OLD_TURNS, 1e9, 0.45]] : [[0, 1e9, 1]];
      for (var cls = 1; cls <= 4; cls++) {
        fade.forEach(function (f) {
          var some = region(ctx, function (i) {
            return row[i] >= data.waterFromMm[1] && sinkClass(row[i]) === cls && b.active[i] && (!known || (age[i] >= f[0] && age[i] <= f[1]));
          });
          if (!some) return;
          ctx.globalAlpha = f[2];
          ctx.fillStyle = palette.waters[cls]; ctx.fill();
          fillHatch(ctx, hatches.waters[cls - 1], view.ratio);
        });
      }
      ctx.globalAlpha = 1;
    }

    function density(ctx) {
      for (var cls = 0; cls < 5; cls++) {
        if (region(ctx, function (i) { return densityClass(remaining(i)) === cls; })) {
          ctx.globalAlpha = DENSITY_TINT[cls];
          ctx.fillStyle = palette.density; ctx.fill();
          ctx.globalAlpha = 1;
          fillHatch(ctx, hatches.density[cls], view.ratio);
        }
      }
      ctx.globalAlpha = 1;
    }

    function remaining(i) {
      if (!b.active[i]) return 0;
      return timed ? Math.round(b.toShelter[i] * (100 - b.sheltered[st.turn][i]) / 100) : b.toShelter[i];
    }

    function densityClass(people) {
      for (var c = 4; c >= 0; c--) if (people >= bounds[c]) return c;
      return -1;
    }

    /* Classes that a story gives hexes: colour and hatch under the links, signs over them. */
    function classRow() { return rowAt(b.story[st.choice || 0].rows, st.turn); }
    function classes(ctx) {
      var row = classRow();
      data.story.legend.forEach(function (entry, k) {
        if (!region(ctx, function (i) { return row[i] === k + 1; })) return;
        ctx.fillStyle = averse.looks.fill(entry[0]); ctx.fill();
        fillHatch(ctx, hatches.looks[entry[0]], view.ratio);
      });
    }
    function classSigns(ctx) {
      if (view.hexW < NUMBER_FROM_PX) return;
      var row = classRow(), s = Math.max(6, Math.min(18, view.hexW * 0.34)), size = s * 1.8;
      for (var i = 0; i < b.n; i++) {
        if (!row[i] || !onScreen(i) || placesOf[i]) continue;
        var look = data.story.legend[row[i] - 1][0];
        place(ctx, sprite('look' + look, size, size, function (c, x, y) { averse.looks.sign(look, c, palette, x, y, s); }), view.cx[i], view.cy[i] + view.hexW * 0.14);
      }
    }
    var classed = Boolean(data.story && data.story.legend.length);
    function shown(name) { return !st.layers[name] || st.layers[name].on; }

    function outlines(ctx) {
      var alerted = b.alerted[st.turn], going = b.evacuating[st.turn], done = b.sheltered[st.turn];
      var width = Math.max(1.3, Math.min(2.8, view.hexW / 11)), far = view.hexW < RINGS_FROM_PX;
      function warned(i) { return done[i] < 100 && (alerted[i] || going[i]); }
      // from afar, one outline around neighbours in the same state; near, one a hex
      if (far) {
        region(ctx, warned, 0.9);
        ctx.lineJoin = 'round';
        ctx.lineWidth = width + 1.3; ctx.strokeStyle = palette.outlineEdge; ctx.stroke();
        ctx.lineWidth = width + 0.1; ctx.strokeStyle = palette.alerted; ctx.stroke();
      }
      for (var i = 0; i < b.n; i++) {
        if (!onScreen(i)) continue;
        if (done[i] >= 100) stamp(ctx, 'evacuated', 0, i, width, far);
        else if (warned(i) && (going[i] || !far)) stamp(ctx, 'alerted', Math.ceil(going[i] / 4), i, width, far);
      }
      if (b.ordered) {
        region(ctx, function (i) { return b.ordered[st.turn][i]; }, 0.9);
        strokeOrdered(ctx, palette, width);
      }
    }
    /* Ring of one hex, from a small picture: all hexes have the same shape on screen. */
    function stamp(ctx, kind, step, cell, width, far) {
      var size = view.hexW * 1.3;
      var picture = sprite(kind + step, size, size, function (c, x, y) {
        strokeState(c, palette, hexPoints(x, y, 0.86), far ? 1.2 : width, kind, 4 * step, far);
        if (kind === 'evacuated' && view.hexW > 17) tick(c, palette, x - view.hexW * 0.31, y + view.hexW * 0.12, Math.max(6, view.hexW * 0.22));
      });
      place(ctx, picture, view.cx[cell], view.cy[cell]);
    }
    function hexPoints(x, y, inset) {
      // clockwise from the upper left corner, so that progress starts at the top
      return [2, 1, 0, 5, 4, 3].map(function (k) {
        return [x + (view.x[k] - view.cx[0]) * inset, y + (view.y[k] - view.cy[0]) * inset];
      });
    }

    function sprite(key, w, h, draw) {
      if (pictures[key]) return pictures[key];
      var canvas = document.createElement('canvas');
      canvas.width = Math.ceil(w * view.ratio); canvas.height = Math.ceil(h * view.ratio);
      var c = canvas.getContext('2d');
      c.scale(view.ratio, view.ratio);
      draw(c, canvas.width / view.ratio / 2, canvas.height / view.ratio / 2);
      pictures[key] = canvas;
      return canvas;
    }
    function place(ctx, picture, x, y) {
      // on whole pixels, so that it stays sharp
      var r = view.ratio, left = Math.round(x * r - picture.width / 2) / r, top = Math.round(y * r - picture.height / 2) / r;
      ctx.drawImage(picture, left, top, picture.width / r, picture.height / r);
    }

    function forecast(ctx) {
      var width = Math.max(1.6, Math.min(3.4, view.hexW / 10));
      region(ctx, function (i) { return b.forecast[i]; }, 0.955);
      strokeForecast(ctx, palette, width);
    }

    function units(ctx) {
      var byHex = {}, s = Math.max(11, Math.min(30, view.hexW * 0.52));
      b.units[st.turn].forEach(function (u) {
        (byHex[u[1]] = byHex[u[1]] || []).push(u);
        if (u[3] >= 0 && u[3] !== u[1]) goal(ctx, u);
      });
      Object.keys(byHex).forEach(function (key) {
        var cell = Number(key), here = byHex[key];
        if (!onScreen(cell)) return;
        here.forEach(function (unit, k) {
          var column = k % 3, line = Math.floor(k / 3), inLine = Math.min(3, here.length - 3 * line);
          var x = view.cx[cell] + (column - (inLine - 1) / 2) * s * 1.25;
          var y = view.cy[cell] + view.hexW * (placesOf[cell] ? 0.52 : 0.24) + line * s * 0.95;
          place(ctx, sprite('unit/' + unit[2] + '/' + unit[0], s * 2, s * 2, function (c, midX, midY) {
            signPatrol(c, palette, midX, midY, s, unit[0], unit[2]);
          }), x, y);
        });
      });
    }

    function goal(ctx, unit) {
      strokeGoal(ctx, palette, view.cx[unit[1]], view.cy[unit[1]], view.cx[unit[3]], view.cy[unit[3]], Math.max(3, view.hexW * 0.13), unit[2] === 'blocked');
    }

    function selection(ctx) {
      if (st.selected < 0) return;
      ctx.beginPath(); trace(ctx, st.selected, 1.0);
      ctx.lineJoin = ctx.lineCap = 'round';
      ctx.lineWidth = 5; ctx.strokeStyle = palette.halo; ctx.stroke();
      ctx.lineWidth = 2.6; ctx.strokeStyle = palette.selected; ctx.stroke();
    }

    /* Outlines of states, and bars on the edges that are cut. */
    function states(ctx) {
      if (shown('states')) outlines(ctx);
      if (!st.layers.roads.on) return;
      var cut = cutRow();
      bars(ctx, function (e) { return cut[e] === 1; }, 'foot');
      bars(ctx, function (e) { return cut[e] === 2; }, 'all');
    }

    /* Numbers, and what stands on hexes. */
    function signs(ctx) {
      if (shown('numbers')) numbers(ctx);
      if (classed && shown('classes')) classSigns(ctx);
      places(ctx);
      if (timed && shown('units')) units(ctx);
    }

    /* Sheets that are shown now, the lowest first, with their opacity. */
    function stack() {
      var layers = st.layers, turn = st.turn, story = classed && shown('classes') ? b.story : null, found = [];
      function add(name, opacity, parts, draw) { found.push({ sheet: sheets.sheet(name, parts, draw), opacity: opacity }); }
      add('ground', 1, [], veiled);
      if (layers.fabric.on) add('fabrics', layers.fabric.opacity, [], fabrics);
      if (layers.relief.on) add('relief', layers.relief.opacity, [st.relief], relief);
      if (layers.fabric.on || layers.relief.on) add('landmarks', 1, [], landmarks);
      add('mesh', 1, [], mesh);
      if (layers.density.on) add('density', layers.density.opacity, [turn, b.sheltered], density);
      if (story) add('classes', layers.classes.opacity, [turn, story, st.choice], classes);
      if (timed && layers.water.on) add('water', layers.water.opacity, [turn, st.water, b.trueMm, b.knownMm, b.age], water);
      if (layers.roads.on) add('links', layers.roads.opacity, [layers.roads.least], links);
      if (layers.quarters.on) add('quarters', layers.quarters.opacity, [], quarters);
      if (layers.roads.on) add('barriers', 1, [], barriers);
      if (timed) add('states', 1, [turn, st.water, shown('states'), layers.roads.on, b.alerted, b.cutKnown], states);
      if (timed && layers.forecast.on) add('forecast', layers.forecast.opacity, [b.forecast], forecast);
      add('signs', 1, [turn, shown('numbers'), timed && shown('units'), story, st.choice, b.units, b.filled], signs);
      return found;
    }

    function paint(ctx) {
      ctx.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
      sheets.lay(ctx, stack());
      selection(ctx);
    }

    function dress(night) {
      palette = night ? NIGHT : DAY;
      hatches = makeHatches(palette, pixelRatio());
      if (averse.looks) hatches.looks = averse.looks.tiles(pixelRatio());
      sheets.forget();
      pictures = {};
    }

    /* The hex at a point of the canvas, -1 off the sheet. */
    function cellAt(x, y) {
      var best = -1, near = Infinity;
      for (var i = 0; i < b.n; i++) {
        var d = (view.cx[i] - x) * (view.cx[i] - x) + (view.cy[i] - y) * (view.cy[i] - y);
        if (d < near) { near = d; best = i; }
      }
      return near < view.hexW * view.hexW / 3 ? best : -1;
    }

    dress(false);
    return {
      view: view, timed: timed, bounds: bounds, placesOf: placesOf, lowest: lowest, highest: highest,
      palette: function () { return palette; }, hatches: function () { return hatches; },
      look: look, paint: paint, mark: selection, dress: dress, region: region, cellAt: cellAt, waterClass: sinkClass,
      reliefColour: reliefColour, signLowPoint: signLowPoint, remaining: remaining
    };
  }

  // ------------------------------------------------------------------ strokes shared with the legend
  function strokeLink(ctx, palette, cls, width) {
    ctx.lineWidth = (cls ? LINK_WIDTH[cls] : 1.2) * width;
    ctx.strokeStyle = palette.links[cls];
    ctx.stroke();
    if (cls === 4) {
      ctx.lineWidth = 2 * width; ctx.strokeStyle = palette.express; ctx.stroke();
    }
  }

  function signStructure(ctx, palette, kind, x, y, ux, uy, half, gap) {
    ctx.lineCap = 'butt';
    if (kind === 2) {
      // an underpass: the road passes under a bar
      ctx.lineWidth = gap * 1.5; ctx.strokeStyle = palette.halo;
      ctx.beginPath(); ctx.moveTo(x - ux * half, y - uy * half); ctx.lineTo(x + ux * half, y + uy * half); ctx.stroke();
      ctx.setLineDash([2, 2]);
      ctx.lineWidth = gap; ctx.strokeStyle = palette.ink; ctx.stroke();
      ctx.setLineDash([]);
    }
    ctx.lineWidth = 1.3; ctx.strokeStyle = palette.ink;
    ctx.beginPath();
    [-1, 1].forEach(function (way) {
      var px = -uy * gap * way, py = ux * gap * way, flare = half * 0.5;
      if (kind === 1) {
        ctx.moveTo(x + px - ux * half - uy * way * flare, y + py - uy * half + ux * way * flare);
        ctx.lineTo(x + px - ux * half * 0.6, y + py - uy * half * 0.6);
        ctx.lineTo(x + px + ux * half * 0.6, y + py + uy * half * 0.6);
        ctx.lineTo(x + px + ux * half - uy * way * flare, y + py + uy * half + ux * way * flare);
      } else {
        ctx.moveTo(x + ux * half * way - uy * gap, y + uy * half * way + ux * gap);
        ctx.lineTo(x + ux * half * way + uy * gap, y + uy * half * way - ux * gap);
      }
    });
    ctx.stroke();
  }

  /* Bars along edges: brown plain; orange with a hollow core; red solid and crossed. */
  function strokeBars(ctx, palette, list, kind, width) {
    if (!list.length) return;
    function run(lineWidth, colour) {
      ctx.lineWidth = lineWidth; ctx.strokeStyle = colour;
      ctx.beginPath();
      list.forEach(function (m) { ctx.moveTo(m[0], m[1]); ctx.lineTo(m[2], m[3]); });
      ctx.stroke();
    }
    ctx.lineCap = 'butt';
    if (kind === 'barrier') {
      run(2.2 * width, palette.barrier);
      return;
    }
    ctx.lineCap = 'round';
    run((kind === 'foot' ? 5 : 5.6) * width, palette.barEdge);
    run((kind === 'foot' ? 3.6 : 4) * width, kind === 'foot' ? palette.cutFoot : palette.cutAll);
    if (kind === 'foot') {
      if (width < 0.9) return;
      ctx.lineCap = 'butt';
      run(1.1 * width, palette.barEdge);
      return;
    }
    // two short strokes across a red bar
    ctx.lineWidth = 1.5 * width; ctx.strokeStyle = palette.cutAll;
    ctx.beginPath();
    list.forEach(function (m) {
      var dx = m[2] - m[0], dy = m[3] - m[1], d = Math.hypot(dx, dy) || 1, r = 4.4 * width;
      [0.28, 0.72].forEach(function (at) {
        var x = m[0] + dx * at, y = m[1] + dy * at;
        ctx.moveTo(x - dy / d * r, y + dx / d * r); ctx.lineTo(x + dy / d * r, y - dx / d * r);
      });
    });
    ctx.stroke();
  }

  /* Outline of a hex by its state; `far` leaves out what only shows when near. */
  function strokeState(ctx, palette, points, width, kind, progress, far) {
    function ring(share) {
      var left = share * 6;
      ctx.beginPath();
      ctx.moveTo(points[0][0], points[0][1]);
      for (var k = 0; k < 6 && left > 0; k++, left--) {
        var a = points[k], z = points[(k + 1) % 6], part = Math.min(1, left);
        ctx.lineTo(a[0] + (z[0] - a[0]) * part, a[1] + (z[1] - a[1]) * part);
      }
      if (share >= 1) ctx.closePath();
    }
    ctx.lineJoin = 'round'; ctx.lineCap = 'round';
    if (far && kind === 'alerted' && !progress) return;
    ring(far && kind === 'alerted' ? progress / 100 : 1);
    ctx.lineWidth = width + 1.6; ctx.strokeStyle = kind === 'evacuated' || far ? palette.halo : palette.outlineEdge; ctx.stroke();
    ctx.lineWidth = width; ctx.strokeStyle = kind === 'evacuated' || far ? palette.evacuated : palette.alerted; ctx.stroke();
    if (kind === 'alerted' && progress > 0 && !far) {
      // thicker than the ring, so that it shows without its colour
      ring(progress / 100);
      ctx.lineWidth = width + 2.4; ctx.strokeStyle = palette.outlineEdge; ctx.stroke();
      ctx.lineWidth = width + 1; ctx.strokeStyle = palette.evacuated; ctx.stroke();
    }
  }

  function tick(ctx, palette, x, y, s) {
    ctx.beginPath(); ctx.moveTo(x - s * 0.45, y); ctx.lineTo(x - s * 0.08, y + s * 0.38); ctx.lineTo(x + s * 0.5, y - s * 0.42);
    ctx.lineCap = ctx.lineJoin = 'round';
    ctx.lineWidth = s * 0.42; ctx.strokeStyle = palette.halo; ctx.stroke();
    ctx.lineWidth = s * 0.22; ctx.strokeStyle = palette.evacuated; ctx.stroke();
  }

  /* Where a unit goes; a dotted red line with a cross when it cannot get there now (§16). */
  function strokeGoal(ctx, palette, fromX, fromY, x, y, r, barred) {
    ctx.beginPath(); ctx.moveTo(fromX, fromY); ctx.lineTo(x, y);
    ctx.lineCap = 'round'; ctx.setLineDash(barred ? [0.01, 5] : [7, 5]);
    ctx.lineWidth = 4; ctx.strokeStyle = palette.halo; ctx.stroke();
    ctx.lineWidth = barred ? 2.6 : 1.6; ctx.strokeStyle = barred ? palette.cutAll : palette.unitInk; ctx.stroke();
    ctx.setLineDash([]);
    ctx.beginPath();
    if (barred) { ctx.moveTo(x - r, y - r); ctx.lineTo(x + r, y + r); ctx.moveTo(x - r, y + r); ctx.lineTo(x + r, y - r); }
    else ctx.arc(x, y, r * 0.7, 0, 2 * Math.PI);
    ctx.stroke();
  }

  function strokeForecast(ctx, palette, width) {
    ctx.lineCap = 'round';
    ctx.setLineDash([0.01, width * 2]);
    ctx.lineWidth = width + 1.6; ctx.strokeStyle = palette.halo; ctx.stroke();
    ctx.lineWidth = width; ctx.strokeStyle = palette.forecast; ctx.stroke();
    ctx.setLineDash([]);
  }
  /* An alert ordered in the turn: the violet of a team's orders, solid where the forecast is dotted. */
  function strokeOrdered(ctx, palette, width) {
    ctx.lineJoin = 'round';
    ctx.lineWidth = width + 1.6; ctx.strokeStyle = palette.halo; ctx.stroke();
    ctx.lineWidth = width; ctx.strokeStyle = palette.forecast; ctx.stroke();
  }
  return {
    unpack: unpack, decode: decode, played: played, painter: painter, densityTint: DENSITY_TINT,
    board: null, controls: null, printing: function (on) { printing = on; }, isPrinting: function () { return printing; },
    ratio: pixelRatio, fillHatch: fillHatch, rowAt: rowAt, looks: null,
    tools: { tile: tile, strokes: strokes, dot: dot },
    signs: {
      shelter: signShelter, station: signStation, police: signPolice, technical: signTechnical, patrol: signPatrol,
      structure: signStructure, link: strokeLink, bars: strokeBars, state: strokeState, tick: tick, forecast: strokeForecast, ordered: strokeOrdered, goal: strokeGoal
    }
  };
})();
