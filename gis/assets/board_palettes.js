/* Colours and hatches of boards, by day and by night, and how fine a screen or a sheet of paper is. */
(function () {
  'use strict';

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
  var printing = false;
  /* Pixels of a canvas to one of the page. */
  function pixelRatio() {
    return printing ? 3 : Math.min(window.devicePixelRatio || 1, 2.5);
  }

  averse.palettes = { day: DAY, night: NIGHT };
  averse.hatches = makeHatches;
  averse.fillHatch = fillHatch;
  averse.tools = { tile: tile, strokes: strokes, dot: dot };
  averse.ratio = pixelRatio;
  averse.printing = function (on) { printing = on; };
  averse.isPrinting = function () { return printing; };
})();
