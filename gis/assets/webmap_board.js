/* A board of hexes on a Leaflet map: board_draw.js draws it, on a canvas that follows the map. */
averse.board = (function () {
  'use strict';

  var MERCATOR = 0.5 / (Math.PI * 6378137);

  var Canvas = L.Renderer.extend({
    options: { padding: 0.12, pane: 'overlayPane' },

    initialize: function (paint, project) {
      L.Renderer.prototype.initialize.call(this, {});
      this._paint = paint;
      this._project = project;
    },
    _initContainer: function () {
      this._container = document.createElement('canvas');
      this._container.className = 'board';
      this._container.setAttribute('aria-hidden', 'true');
    },
    _destroyContainer: function () {
      L.DomUtil.remove(this._container);
      delete this._container;
    },
    _updatePaths: function () {},
    _update: function () {
      if (this._map._animatingZoom && this._bounds) return;
      this.options.padding = averse.isPrinting() ? 0 : 0.12;
      L.Renderer.prototype._update.call(this);
      var size = this._bounds.getSize(), ratio = averse.ratio();
      L.DomUtil.setPosition(this._container, this._bounds.min);
      this._container.width = Math.round(size.x * ratio);
      this._container.height = Math.round(size.y * ratio);
      this._container.style.width = size.x + 'px';
      this._container.style.height = size.y + 'px';
      this._project(this._bounds.min, size, ratio);
      this._paint();
    }
  });

  /* Two maps show the same ground: while one is drawn along, the other's pane is, and is redrawn
     where it comes to rest. */
  function inStep(one, other) {
    var moving = false;
    function follow(a, z) {
      function after(settled) {
        if (moving) return;
        moving = true;
        if (settled || z.getZoom() !== a.getZoom()) z.setView(a.getCenter(), a.getZoom(), { animate: false });
        else z._rawPanBy(z.project(a.getCenter()).subtract(z.project(z.getCenter()))._round());
        moving = false;
      }
      a.on('move', function () { after(false); });
      a.on('moveend', function () { after(true); });
    }
    follow(one, other);
    follow(other, one);
  }

  function escapeText(words) {
    var span = document.createElement('span');
    span.textContent = words;
    return span.innerHTML;
  }

  /* `beside` is a second map, drawn with true water next to known water; it follows this one, and
     one panel and one time bar serve both. `first` is given for that second map: the board on its
     left. */
  return function board(map, data, beside, first) {
    var b = first ? first.cells : averse.decode(data), listeners = [], timed = Boolean(data.frames);
    var st = first ? Object.create(first.state) : {
      turn: 0, water: 'known', relief: 'altitude', selected: -1, pinned: false, playing: false, choice: 0,
      layers: {
        fabric: { on: true, opacity: 0.55 }, density: { on: false, opacity: 0.9 },
        water: { on: timed, opacity: 0.92 }, roads: { on: true, opacity: 0.95 },
        relief: { on: false, opacity: 0.8 }, forecast: { on: timed, opacity: 1 },
        quarters: { on: true, opacity: 0.7 }, classes: { on: true, opacity: 0.88 },
        states: { on: timed, opacity: 1 }, units: { on: timed, opacity: 1 }
      }
    };
    if (first) st.water = 'true';
    else if (data.story) {
      st.turn = data.story.start; st.water = data.story.water;
      Object.keys(data.story.layers).forEach(function (name) { st.layers[name].on = data.story.layers[name]; });
    }
    var drawn = averse.painter(data, b, st);

    function project(min, size, ratio) {
      var scale = 256 * Math.pow(2, map.getZoom()), origin = map.getPixelOrigin(), p = data.plane;
      drawn.look(
        p.unit * scale * MERCATOR,
        scale * (MERCATOR * p.west + 0.5) - origin.x - min.x,
        scale * (0.5 - MERCATOR * p.north) - origin.y - min.y,
        size.x, size.y, ratio
      );
    }

    function paint() {
      pending = false;
      if (renderer._container) drawn.paint(renderer._container.getContext('2d'));
    }
    var pending = false;
    function repaint() {
      if (pending) return;
      pending = true;
      requestAnimationFrame(paint);
    }
    function dress(night) {
      drawn.dress(night);
      document.documentElement.dataset.theme = night ? 'night' : 'day';
      map.getContainer().style.background = drawn.palette().paper;
    }

    dress(false);
    var renderer = new Canvas(paint, project);
    var area = L.latLngBounds([unproject(data.bounds[0], data.bounds[1]), unproject(data.bounds[2], data.bounds[3])]);
    function unproject(x, y) { return L.Projection.SphericalMercator.unproject(L.point(x, y)); }
    function whole() {
      // room for the buttons on the left and the scale below, where the screen has it
      var wide = map.getSize().x > 600 && !averse.isPrinting();
      map.fitBounds(area, { paddingTopLeft: [wide ? 54 : 6, 8], paddingBottomRight: [8, wide ? 26 : 22], animate: false });
    }
    map.options.maxBoundsViscosity = 0.8;
    whole();
    map.setMaxBounds(area.pad(0.6));
    map.attributionControl.addAttribution(escapeText(data.credit));
    L.control.scale({ imperial: false, maxWidth: 160, position: 'bottomleft' }).addTo(map);
    renderer.addTo(map);

    function cellAt(containerPoint) {
      var p = map.containerPointToLayerPoint(containerPoint).subtract(renderer._bounds.min);
      return drawn.cellAt(p.x, p.y);
    }

    var api = {
      data: data, words: data.texts, cells: b, state: st, timed: timed, map: map, renderer: renderer,
      view: drawn.view, bounds: drawn.bounds, placesOf: drawn.placesOf, lowest: drawn.lowest, highest: drawn.highest,
      palette: drawn.palette, hatches: drawn.hatches, waterClass: drawn.waterClass, remaining: drawn.remaining,
      reliefColour: drawn.reliefColour, densityTint: averse.densityTint, signLowPoint: drawn.signLowPoint,
      repaint: repaint, paintNow: paint, whole: whole, cellAt: cellAt, dress: dress, listeners: listeners,
      setTurn: function (turn) {
        st.turn = Math.max(0, Math.min(b.turns, turn));
        api.repaint();
        listeners.forEach(function (f) { f(); });
      }
    };
    if (first) return api;
    if (beside) {
      api.twin = board(beside, data, null, api);
      ['repaint', 'paintNow', 'whole', 'dress'].forEach(function (name) {
        var own = api[name];
        api[name] = function (value) { own(value); api.twin[name](value); };
      });
      inStep(map, beside);
    }
    averse.controls(api);
    renderer.averse = api;
    return renderer;
  };
})();
