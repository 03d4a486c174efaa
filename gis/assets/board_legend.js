/* The legend of a board: each sign drawn as on the map, beside its words. */
averse.el = function (tag, attributes, children) {
  'use strict';
  var node = document.createElement(tag);
  Object.keys(attributes || {}).forEach(function (key) {
    if (key === 'text') node.textContent = attributes[key];
    else if (key.slice(0, 2) === 'on') node.addEventListener(key.slice(2), attributes[key]);
    else node.setAttribute(key, attributes[key]);
  });
  (children || []).forEach(function (child) { if (child) node.appendChild(child); });
  return node;
};

/* A sentence with its {fields} filled in. */
averse.filled = function (sentence, values) {
  'use strict';
  return sentence.replace(/\{(\w+)\}/g, function (all, key) { return key in values ? values[key] : all; });
};

/* `api` shows a board: its words, cells, state, palette and hatches; `heading` is the tag of titles. */
averse.legend = function (api, heading) {
  'use strict';
  var W = api.words, st = api.state, data = api.data, S = averse.signs, number = new Intl.NumberFormat(data.lang);

  function swatch(w, h, draw) {
    var ratio = averse.ratio() < 2 ? 2 : averse.ratio(), canvas = averse.el('canvas', { 'class': 'swatch', 'aria-hidden': 'true' });
    canvas.width = w * ratio; canvas.height = h * ratio;
    canvas.style.width = w + 'px'; canvas.style.height = h + 'px';
    var ctx = canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    draw(ctx, w, h);
    return canvas;
  }
  function hexagon(ctx, x, y, r) {
    var points = [];
    for (var k = 0; k < 6; k++) {
      var a = Math.PI * (k - 2) / 3;
      points.push([x + r * Math.cos(a), y + r * Math.sin(a)]);
    }
    ctx.beginPath();
    points.forEach(function (p, k) { if (k) ctx.lineTo(p[0], p[1]); else ctx.moveTo(p[0], p[1]); });
    ctx.closePath();
    return points;
  }
  function filledHex(colour, hatch, alpha) {
    return swatch(30, 24, function (ctx, w, h) {
      hexagon(ctx, w / 2, h / 2, 12.5);
      ctx.globalAlpha = alpha === undefined ? 1 : alpha;
      if (colour) { ctx.fillStyle = colour; ctx.fill(); }
      if (hatch) averse.fillHatch(ctx, hatch, averse.ratio());
      ctx.globalAlpha = 1;
      ctx.lineWidth = 0.8; ctx.strokeStyle = api.palette().mesh; ctx.stroke();
    });
  }
  function densityHex(k) {
    return swatch(30, 24, function (ctx, w, h) {
      hexagon(ctx, w / 2, h / 2, 12.5);
      ctx.globalAlpha = api.densityTint[k]; ctx.fillStyle = api.palette().density; ctx.fill(); ctx.globalAlpha = 1;
      averse.fillHatch(ctx, api.hatches().density[k], averse.ratio());
      ctx.lineWidth = 0.8; ctx.strokeStyle = api.palette().mesh; ctx.stroke();
    });
  }
  function classHex(look) {
    return swatch(30, 24, function (ctx, w, h) {
      hexagon(ctx, w / 2, h / 2, 12.5);
      ctx.fillStyle = averse.looks.fill(look); ctx.fill();
      averse.fillHatch(ctx, api.hatches().looks[look], averse.ratio());
      ctx.lineWidth = 0.8; ctx.strokeStyle = api.palette().mesh; ctx.stroke();
      averse.looks.sign(look, ctx, api.palette(), w / 2, h / 2, 11);
    });
  }
  function goal(barred) {
    return swatch(30, 24, function (ctx, w, h) { S.goal(ctx, api.palette(), 2, h / 2, w - 7, h / 2, 4.5, barred); });
  }
  function on(name) { return !st.layers[name] || st.layers[name].on; }
  function sign(draw) { return swatch(30, 24, function (ctx, w, h) { draw(ctx, api.palette(), w / 2, h / 2); }); }
  function group(title, rows) {
    return averse.el('section', {}, [averse.el(heading, { text: title }), averse.el('ul', {}, rows.map(function (r) {
      return averse.el('li', {}, [r[0], averse.el('span', { text: r[1] })]);
    }))]);
  }
  function bars(kind) {
    return swatch(30, 24, function (ctx, w, h) {
      var p = api.palette();
      ctx.beginPath(); ctx.moveTo(2, h / 2); ctx.lineTo(w - 2, h / 2);
      if (kind !== 'barrier') S.link(ctx, p, 2, 1);
      S.bars(ctx, p, [[w / 2, 3.5, w / 2, h - 3.5]], kind, 1);
    });
  }
  function state(kind, progress) {
    return swatch(30, 24, function (ctx, w, h) {
      var p = api.palette();
      var points = hexagon(ctx, w / 2, h / 2, 10.2);
      S.state(ctx, p, points, 2.6, kind, progress);
      if (kind === 'evacuated') S.tick(ctx, p, w / 2, h / 2, 9);
    });
  }

  /* The classes that a story gives hexes, where they are shown. */
  groups.classes = function () {
    var story = data.story;
    if (!story || !story.legend.length || !st.layers.classes.on) return [];
    return [group(story.title, story.legend.map(function (entry, k) {
      return [classHex(entry[0]), story.choices[st.choice].legend[k] || entry[1]];
    }))];
  };

  /* The sign of a class alone. */
  groups.classHex = classHex;

  /* Sections of the legend, for the layers that are shown now. */
  function groups() {
    var p = api.palette(), hatches = api.hatches(), parts = [];
    if (st.layers.fabric.on) {
      parts.push(group(W.fabric, data.tables.fabrics.map(function (label, f) {
        return [filledHex(p.fabrics[f], hatches.fabrics[f], 0.8), label];
      })));
    }
    if (api.timed && st.layers.water.on) {
      var rows = [1, 2, 3, 4].map(function (cls) {
        var from = data.waterFromMm[cls], to = data.waterFromMm[cls + 1];
        var span = cls === 4 ? '> ' + Math.floor(from / 10) + ' cm' : from / 10 + '–' + Math.floor(to / 10) + ' cm';
        return [filledHex(p.waters[cls], hatches.waters[cls - 1]), span + ' · ' + data.tables.waters[cls]];
      });
      if (st.water === 'known') {
        rows.push([filledHex(p.waters[2], hatches.waters[1], 0.45), W.aged]);
        rows.push([filledHex(p.fogFill, hatches.fog), W.unseen]);
      }
      parts.push(group(api.twin ? W.depth_legend : st.water === 'known' ? W.water_known : W.water_true, rows));
    }
    if (st.layers.density.on) {
      parts.push(group(W.density_legend, api.bounds.map(function (from, k) {
        var to = api.bounds[k + 1];
        return [densityHex(k), to ? number.format(from) + '–' + number.format(to - 1) : averse.filled(W.more_than, { n: number.format(from - 1) })];
      })));
    }
    if (st.layers.relief.on) {
      parts.push(st.relief === 'altitude' ? group(W.relief + ' · ' + W.altitude, [0, 2, 5, 7].map(function (step) {
        var span = (api.highest - api.lowest) / 80;
        var low = api.lowest / 10 + step * span;
        return [filledHex(api.reliefColour(step / 7)), number.format(Math.round(low)) + '–' + number.format(Math.round(low + span)) + ' m'];
      })) : group(W.low_point_legend, [1, 2, 3, 4].map(function (cls) {
        return [sign(function (ctx, p, x, y) { api.signLowPoint(ctx, x, y, 24, cls); }), (cls < 4 ? data.waterFromMm[cls] / 10 + '–' + Math.floor(data.waterFromMm[cls + 1] / 10) : '> ' + Math.floor(data.waterFromMm[4] / 10)) + ' cm'];
      })));
    }
    var states = on('states') ? [[state('alerted', 0), W.alerted], [state('alerted', 45), W.evacuating], [state('evacuated', 100), W.evacuated]] : [];
    if (api.timed && (states.length || st.layers.forecast.on)) {
      if (states.length && api.cells.ordered && W.ordered) {
        states.push([swatch(30, 24, function (ctx, w, h) { hexagon(ctx, w / 2, h / 2, 10.5); S.ordered(ctx, p, 2.2); }), W.ordered]);
      }
      parts.push(group(W.state_legend, states.concat([
        st.layers.forecast.on ? [swatch(30, 24, function (ctx, w, h) { hexagon(ctx, w / 2, h / 2, 10.5); S.forecast(ctx, p, 2.5); }), W.forecast_outline] : null
      ].filter(Boolean))));
    }
    if (st.layers.roads.on) {
      parts.push(group(W.link_legend, [4, 3, 2, 1].map(function (cls) {
        return [swatch(30, 24, function (ctx, w, h) { ctx.lineCap = 'round'; ctx.beginPath(); ctx.moveTo(4, h / 2); ctx.lineTo(w - 4, h / 2); S.link(ctx, p, cls, 1); }), data.tables.links[cls]];
      }).concat([
        [swatch(30, 24, function (ctx, w, h) { ctx.lineCap = 'round'; ctx.setLineDash([1.5, 2.8]); ctx.beginPath(); ctx.moveTo(4, h / 2); ctx.lineTo(w - 4, h / 2); S.link(ctx, p, 0, 1); }), W.foot_link],
        [structure(1), W.bridge], [structure(2), W.underpass]
      ])));
      parts.push(group(W.edge_legend, (api.timed ? [[bars('foot'), W.cut_foot], [bars('all'), W.cut_all]] : []).concat([[bars('barrier'), W.barrier]])));
    }
    var places = [[sign(function (c, p, x, y) { S.shelter(c, p, x, y - (api.timed ? 2 : 0), 16, '7', api.timed ? 0.6 : null); }), api.timed ? W.shelter : W.shelter_plain]];
    if (data.places.station.length) places.push([sign(function (c, p, x, y) { S.station(c, p, x, y, 16); }), W.station]);
    if (data.places.police.length) places.push([sign(function (c, p, x, y) { S.police(c, p, x, y, 17); }), W.police]);
    if (data.places.technical.length) places.push([sign(function (c, p, x, y) { S.technical(c, p, x, y, 17); }), W.technical]);
    if (api.timed) places.push([sign(function (c, p, x, y) { S.shelter(c, p, x, y - 2, 16, '7', 0.6, 1); }), W.shelter_shut]);
    if (api.timed && on('units')) {
      places.push([sign(function (c, p, x, y) { S.patrol(c, p, x, y, 17, '3'); }), W.patrol]);
      places.push([sign(function (c, p, x, y) { S.patrol(c, p, x, y, 17, '3', 'moving'); }), W.patrol_moving]);
      places.push([sign(function (c, p, x, y) { S.patrol(c, p, x, y, 17, '3', 'blocked'); }), W.patrol_blocked]);
      places.push([goal(false), W.goal], [goal(true), W.goal_barred]);
    }
    if (st.layers.quarters.on) {
      places.push([swatch(30, 24, function (ctx, w, h) { ctx.lineWidth = 1.6; ctx.strokeStyle = p.quarter; ctx.beginPath(); ctx.moveTo(4, h - 5); ctx.lineTo(12, 6); ctx.lineTo(20, h - 5); ctx.lineTo(27, 8); ctx.stroke(); }), W.quarter_limit]);
    }
    parts.push(group(api.timed ? W.place_legend : W.places_here, places));
    if (api.timed && api.chart !== false) {
      parts.push(group(W.chart_legend, [
        [swatch(30, 24, function (ctx, w, h) {
          [[3, 8], [10, 14], [17, 19], [24, 12]].forEach(function (column) {
            var base = h - 2;
            [4, 3, 2, 1].forEach(function (cls) {
              var tall = column[1] / 4;
              ctx.fillStyle = p.waters[cls]; ctx.fillRect(column[0], base - tall, 5, tall);
              base -= tall;
            });
          });
        }), W.chart_bars],
        [swatch(30, 24, function (ctx, w, h) { ctx.fillStyle = p.chartBack; ctx.fillRect(2, 3, w - 4, h - 6); ctx.fillStyle = 'rgba(20,30,60,0.16)'; ctx.fillRect(w / 2, 3, w / 2 - 2, h - 6); }), W.chart_night]
      ]));
    }
    return parts;
  }
  function structure(kind) {
    return swatch(30, 24, function (ctx, w, h) {
      ctx.lineCap = 'round'; ctx.beginPath(); ctx.moveTo(2, h / 2); ctx.lineTo(w - 2, h / 2);
      S.link(ctx, api.palette(), 2, 1);
      S.structure(ctx, api.palette(), kind, w / 2, h / 2, 1, 0, 5.5, 3.2);
    });
  }

  return groups;
};
