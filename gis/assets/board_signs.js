/* Signs and strokes of boards: what stands on hexes, links and edges. The legend draws the same. */
averse.signs = (function () {
  'use strict';
  var dot = averse.tools.dot;
  var FONT = '"Inter","Segoe UI","Helvetica Neue",Arial,"Liberation Sans","DejaVu Sans",sans-serif';
  var LINK_WIDTH = [0, 1, 1.8, 3.3, 5];

  // ------------------------------------------------------------------ signs
  // each draws centred on (x, y) in a square of side s, and reads without its colour
  function text(ctx, words, x, y, size, colour, weight) {
    ctx.font = (weight || 600) + ' ' + size + 'px ' + FONT;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = colour;
    ctx.fillText(words, x, y);
  }

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
    font: FONT, linkWidth: LINK_WIDTH,
    shelter: signShelter, station: signStation, police: signPolice, technical: signTechnical, patrol: signPatrol,
    structure: signStructure, link: strokeLink, bars: strokeBars, state: strokeState, tick: tick, forecast: strokeForecast, ordered: strokeOrdered, goal: strokeGoal
  };
})();
