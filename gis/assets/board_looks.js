/* How classes of hexes look: a colour, a hatch and a sign each, so that every class reads without
   its colour. Names are those of gis/webmap_story.py. */
averse.looks = (function () {
  'use strict';
  var strokes = averse.tools.strokes, dot = averse.tools.dot;

  var HATCH = {
    slant: function (c, k) { strokes(c, k, 1.1, [[-2, 2, 2, -2], [-2, 10, 10, -2], [6, 10, 10, 6]]); },
    back: function (c, k) { strokes(c, k, 1.1, [[-2, 6, 2, 10], [-2, -2, 10, 10], [6, -2, 10, 2]]); },
    cross: function (c, k) { strokes(c, k, 1, [[0, 0, 8, 8], [0, 8, 8, 0]]); },
    grid: function (c, k) { strokes(c, k, 1.1, [[2, 0, 2, 8], [6, 0, 6, 8], [0, 2, 8, 2], [0, 6, 8, 6]]); },
    upright: function (c, k) { strokes(c, k, 0.9, [[2, 0, 2, 8], [6, 0, 6, 8]]); },
    flat: function (c, k) { strokes(c, k, 1.2, [[0, 2, 8, 2], [0, 6, 8, 6]]); },
    dots: function (c, k) { c.fillStyle = k; dot(c, 2, 2, 1.05); dot(c, 6, 6, 1.05); },
    sparse: function (c, k) { c.fillStyle = k; dot(c, 4, 4, 1.1); }
  };

  // each draws its strokes about (0, 0) in a square of side 2
  var SIGN = {
    check: function (c) { c.moveTo(-0.75, 0.05); c.lineTo(-0.2, 0.6); c.lineTo(0.8, -0.65); },
    cross: function (c) { c.moveTo(-0.6, -0.6); c.lineTo(0.6, 0.6); c.moveTo(-0.6, 0.6); c.lineTo(0.6, -0.6); },
    ring: function (c) { c.moveTo(0.6, 0); c.arc(0, 0, 0.6, 0, 2 * Math.PI); },
    mark: function (c) { c.moveTo(0, -0.8); c.lineTo(0, 0.2); c.moveTo(0, 0.72); c.lineTo(0, 0.74); },
    arrow: function (c) { c.moveTo(-0.75, 0); c.lineTo(0.7, 0); c.moveTo(0.15, -0.55); c.lineTo(0.75, 0); c.lineTo(0.15, 0.55); },
    clock: function (c) { c.moveTo(0.75, 0); c.arc(0, 0, 0.75, 0, 2 * Math.PI); c.moveTo(0, -0.42); c.lineTo(0, 0.05); c.lineTo(0.34, 0.2); },
    diamond: function (c) { c.moveTo(0, -0.85); c.lineTo(0.7, 0); c.lineTo(0, 0.85); c.lineTo(-0.7, 0); c.closePath(); c.moveTo(0, -0.1); c.lineTo(0, 0.1); },
    one: function (c) { c.moveTo(-0.6, 0.8); c.lineTo(0, -0.8); c.lineTo(0.6, 0.8); c.moveTo(-0.36, 0.25); c.lineTo(0.36, 0.25); },
    two: function (c) {
      c.moveTo(-0.45, -0.8); c.lineTo(-0.45, 0.8); c.lineTo(0.1, 0.8); c.bezierCurveTo(0.75, 0.8, 0.75, -0.05, 0.1, -0.05); c.lineTo(-0.45, -0.05);
      c.moveTo(-0.45, -0.8); c.lineTo(0.05, -0.8); c.bezierCurveTo(0.62, -0.8, 0.62, -0.05, 0.05, -0.05);
    }
  };

  // hues after Okabe and Ito; a light, a middle and a dark one wherever three stand together
  var LOOKS = {
    hit: ['#58b79a', '#0b5a44', 'upright', 'check'],
    miss: ['#b8461c', '#ffe4d6', 'cross', 'cross'],
    falseAlarm: ['#f0d5e8', '#8a3a73', 'dots', 'ring'],
    alerted: ['#ffe680', '#6b5900', 'sparse', 'mark'],
    walking: ['#a6d8ef', '#0e5a86', 'slant', 'arrow'],
    sheltered: ['#3da285', '#08402f', 'upright', 'check'],
    late: ['#e69f00', '#5a3d00', 'flat', 'clock'],
    cutOff: ['#c3b4d8', '#4a3572', 'back', 'cross'],
    lost: ['#33141f', '#f6cfdc', 'grid', 'diamond'],
    first: ['#7cc4ee', '#0e4f85', 'slant', 'one'],
    second: ['#f0b53a', '#5a3d00', 'back', 'two'],
    both: ['#3da285', '#08402f', 'upright', 'check'],
    neither: ['#b8461c', '#ffe4d6', 'cross', 'cross'],
    wasted: ['#f0d5e8', '#8a3a73', 'dots', 'ring']
  };

  function sign(name, ctx, palette, x, y, s) {
    var draw = SIGN[LOOKS[name][3]];
    ctx.save();
    ctx.translate(x, y); ctx.scale(s / 2, s / 2);
    ctx.beginPath(); draw(ctx);
    ctx.lineCap = ctx.lineJoin = 'round';
    ctx.lineWidth = 0.95; ctx.strokeStyle = palette.halo; ctx.stroke();
    ctx.lineWidth = 0.42; ctx.strokeStyle = palette.ink; ctx.stroke();
    ctx.restore();
  }

  /* Hatches of all looks as small pictures, for one grain of the screen. */
  function tiles(ratio) {
    var made = {};
    Object.keys(LOOKS).forEach(function (name) {
      made[name] = averse.tools.tile(8, ratio, function (c) { HATCH[LOOKS[name][2]](c, LOOKS[name][1]); });
    });
    return made;
  }

  return { fill: function (name) { return LOOKS[name][0]; }, sign: sign, tiles: tiles };
})();
