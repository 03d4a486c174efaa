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

  function escapeText(words) {
    var span = document.createElement('span');
    span.textContent = words;
    return span.innerHTML;
  }

  return function (map, data) {
    var b = averse.decode(data), listeners = [], timed = Boolean(data.frames);
    var st = {
      turn: 0, water: 'known', relief: 'altitude', selected: -1, pinned: false, playing: false,
      layers: {
        fabric: { on: true, opacity: 0.55 }, density: { on: false, opacity: 0.9 },
        water: { on: timed, opacity: 0.92 }, roads: { on: true, opacity: 0.95 },
        relief: { on: false, opacity: 0.8 }, forecast: { on: timed, opacity: 1 },
        quarters: { on: true, opacity: 0.7 }
      }
    };
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
    function stale(names) {
      drawn.stale(names);
      repaint();
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
      repaint: repaint, paintNow: paint, stale: stale, whole: whole, cellAt: cellAt, dress: dress, listeners: listeners,
      setTurn: function (turn) {
        st.turn = Math.max(0, Math.min(b.turns, turn));
        repaint();
        listeners.forEach(function (f) { f(); });
      }
    };
    averse.controls(api);
    renderer.averse = api;
    return renderer;
  };
})();
