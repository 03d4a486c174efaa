/* How a district and an exercise on it are drawn: hexes, water, links, places and units on a canvas.
   Nothing here decides a rule, it only shows. It knows no map library and no page. */
averse.painter = (function () {
  'use strict';
  var S = averse.signs, fillHatch = averse.fillHatch, rowAt = averse.rowAt, SIDE_CORNERS = averse.sideCorners;
  var NUMBER_FROM_PX = 13, RINGS_FROM_PX = 34, OLD_TURNS = 5;
  averse.densityTint = [0.05, 0.14, 0.24, 0.36, 0.5];

  /* Five classes of people with round bounds, so that one hex in twenty tops the scale. */
  function densityBounds(counts) {
    var inOrder = Array.from(counts).filter(function (c) { return c > 0; }).sort(function (a, z) { return a - z; });
    var most = inOrder.length ? inOrder[Math.floor(0.95 * (inOrder.length - 1))] : 5;
    var rough = Math.max(1, most / 5), power = Math.pow(10, Math.floor(Math.log10(rough)));
    var step = power * [1, 2, 2.5, 5, 10].filter(function (m) { return m * power >= rough * 0.8; })[0];
    step = Math.max(1, Math.round(step));
    return [1, step, 2 * step, 3 * step, 4 * step];
  }

  /* What draws a board on a canvas: `look` says where the ground lies on it, `paint` draws. The
     state holds the turn, which water is shown and which layers, and belongs to the caller. */
  function painter(data, b, st) {
    var view, palette = averse.palettes.day, hatches = {};
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
        S.link(ctx, palette, 0, width);
        ctx.setLineDash([]);
      }
      for (var cls = Math.max(1, least); cls <= 4; cls++) {
        linkLines(ctx, function (e) { return b.edge.cls[e] === cls; });
        S.link(ctx, palette, cls, width);
      }
      if (view.hexW < 17) return;
      for (var e = 0; e < b.edge.low.length; e++) {
        if (b.edge.structure[e]) structure(ctx, e, width);
      }
    }

    function structure(ctx, e, width) {
      var m = middle(e, 0), a = b.edge.low[e], z = b.edge.high[e];
      var dx = view.cx[z] - view.cx[a], dy = view.cy[z] - view.cy[a], d = Math.hypot(dx, dy);
      S.structure(ctx, palette, b.edge.structure[e], m[0], m[1], dx / d, dy / d, view.hexW * 0.17, S.linkWidth[b.edge.cls[e]] * width / 2 + 1.5 * width);
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
          S.bars(c, palette, [[cx - dx, cy - dy, cx + dx, cy + dy]], kind, width);
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
      ctx.font = (close > 0.5 ? '600 ' : '500 ') + size + 'px ' + S.font;
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
            if (p.kind === 'shelter') S.shelter(c, palette, x, y, s, p.number + 1, filled, shut);
            if (p.kind === 'station') S.station(c, palette, x, y, s * 0.9);
            if (p.kind === 'police') S.police(c, palette, x, y, s);
            if (p.kind === 'technical') S.technical(c, palette, x, y, s);
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
          ctx.globalAlpha = averse.densityTint[cls];
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
        region(ctx, warned, 0.83);
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
        S.ordered(ctx, palette, width);
      }
    }
    /* Ring of one hex, from a small picture: all hexes have the same shape on screen. */
    function stamp(ctx, kind, step, cell, width, far) {
      var size = view.hexW * 1.3;
      var picture = sprite(kind + step, size, size, function (c, x, y) {
        S.state(c, palette, hexPoints(x, y, 0.86), far ? 1.2 : width, kind, 4 * step, far);
        if (kind === 'evacuated' && view.hexW > 17) S.tick(c, palette, x - view.hexW * 0.31, y + view.hexW * 0.12, Math.max(6, view.hexW * 0.22));
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
      region(ctx, function (i) { return b.forecast[i]; }, 0.99);
      S.forecast(ctx, palette, width);
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
            S.patrol(c, palette, midX, midY, s, unit[0], unit[2]);
          }), x, y);
        });
      });
    }

    function goal(ctx, unit) {
      S.goal(ctx, palette, view.cx[unit[1]], view.cy[unit[1]], view.cx[unit[3]], view.cy[unit[3]], Math.max(3, view.hexW * 0.13), unit[2] === 'blocked');
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
      // what was forecast lies under what is so: where their outlines run together, the alert stays whole
      if (timed && layers.forecast.on) add('forecast', layers.forecast.opacity, [b.forecast], forecast);
      if (timed) add('states', 1, [turn, st.water, shown('states'), layers.roads.on, b.alerted, b.cutKnown], states);
      add('signs', 1, [turn, shown('numbers'), timed && shown('units'), story, st.choice, b.units, b.filled], signs);
      return found;
    }

    function paint(ctx) {
      ctx.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
      sheets.lay(ctx, stack());
      selection(ctx);
    }

    function dress(night) {
      palette = night ? averse.palettes.night : averse.palettes.day;
      hatches = averse.hatches(palette, averse.ratio());
      hatches.looks = averse.looks.tiles(averse.ratio());
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

  return painter;
})();
