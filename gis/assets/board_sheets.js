/* Sheets of a board: each is drawn once, at full strength, and kept until what it is drawn from has
   changed. A frame lays them over each other, each at its opacity. */
averse.sheets = function (view) {
  'use strict';
  var kept = {}, drawings = 0, before = [], split = null;

  /* The sheet of a name, drawn anew where one of `parts`, what it is drawn from, is another one. */
  function sheet(name, parts, draw) {
    var one = kept[name] = kept[name] || { canvas: document.createElement('canvas'), from: null, drawing: 0 };
    if (one.from && parts.every(function (part, k) { return part === one.from[k]; })) return one;
    var ctx = cleared(one.canvas);
    ctx.scale(view.ratio, view.ratio);
    draw(ctx);
    one.from = parts;
    one.drawing = ++drawings;
    return one;
  }

  /* A canvas as large as the view, empty: it keeps its memory where its size stays. */
  function cleared(canvas) {
    var ctx = canvas.getContext('2d'), width = Math.round(view.w * view.ratio), height = Math.round(view.h * view.ratio);
    if (ctx.reset && canvas.width === width && canvas.height === height) ctx.reset();
    else { canvas.width = width; canvas.height = height; }
    return ctx;
  }

  function forget() {
    Object.keys(kept).forEach(function (name) { kept[name].from = null; });
    before = [];
    split = null;
  }

  function blit(ctx, canvas, opacity) {
    ctx.globalAlpha = opacity;
    ctx.drawImage(canvas, 0, 0);
  }

  function laid(ctx, layers) {
    layers.forEach(function (layer) { if (layer.opacity > 0) blit(ctx, layer.sheet.canvas, layer.opacity); });
  }

  /* The only layer whose opacity is another one than a frame ago; -1 where more has changed. */
  function moving(layers) {
    var found = -1;
    if (layers.length !== before.length) return -1;
    for (var k = 0; k < layers.length; k++) {
      if (layers[k].sheet !== before[k].sheet || layers[k].sheet.drawing !== before[k].drawing) return -1;
      if (layers[k].opacity === before[k].opacity) continue;
      if (found >= 0) return -1;
      found = k;
    }
    return found;
  }

  /* Lay sheets over each other, the lowest first: [{sheet, opacity}]. While a slider moves one of
     them, those below it and those above it are flattened once: a frame then lays three. */
  function lay(ctx, layers) {
    var at = moving(layers);
    before = layers.map(function (layer) { return { sheet: layer.sheet, drawing: layer.sheet.drawing, opacity: layer.opacity }; });
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    if (at < 0) {
      split = null;
      laid(ctx, layers);
    } else {
      if (!split || split.at !== at) split = { at: at, below: flat('below', layers.slice(0, at)), above: flat('above', layers.slice(at + 1)) };
      blit(ctx, split.below, 1);
      laid(ctx, [layers[at]]);
      blit(ctx, split.above, 1);
    }
    ctx.restore();
  }
  var flats = {};
  function flat(name, layers) {
    flats[name] = flats[name] || document.createElement('canvas');
    laid(cleared(flats[name]), layers);
    return flats[name];
  }

  return { sheet: sheet, forget: forget, lay: lay };
};
