/* Data of a district and of an exercise on it, as gis/webmap.py packs them. */
var averse = (function () {
  'use strict';

  // corners of a hex at the ends of each of its sides
  var SIDE_CORNERS = [[2, 1], [1, 0], [0, 5], [5, 4], [4, 3], [3, 2]];
  var NEVER_SEEN = 255;

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

  // ------------------------------------------------------------------ ground, turns, story
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

  return { decode: decode, played: played, rowAt: rowAt, unpack: unpack, sideCorners: SIDE_CORNERS };
})();
