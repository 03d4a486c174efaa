/* The page of a debrief: one part at a time, the decisions' filter, the slider of each team. */
(function () {
  'use strict';
  function read(id) { return JSON.parse(document.getElementById(id).textContent); }
  var parts = Array.from(document.querySelectorAll('.part')), twins = {}, ground = null, data = null;
  var words = read('words'), storm = null;

  function twinOf(part) {
    var box = part.querySelector('.twin');
    if (!box) return null;
    if (twins[part.id]) return twins[part.id];
    if (!data) { data = read('ground'); ground = averse.decode(data); }
    var frames = read(box.dataset.turns);
    // the storm is the same for all teams, and stands with the first
    storm = storm || read(document.querySelector('.twin').dataset.turns).trueMm;
    frames.trueMm = frames.trueMm || storm;
    twins[part.id] = debrief.twin(box, data, ground, frames, words);
    return twins[part.id];
  }

  // ------------------------------------------------------------------ parts
  var current = null;
  function show(part) {
    current = part;
    parts.forEach(function (one) { one.hidden = one !== part; });
    document.querySelectorAll('.parts a').forEach(function (link) {
      if (link.hash === '#' + part.id) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
    });
    var twin = twinOf(part);
    if (twin) twin.fit();
  }
  function follow() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var part = target && target.closest('.part');
    if (part && part.hidden) {
      show(part);
      if (target !== part) target.scrollIntoView(); else window.scrollTo(0, 0);
    }
  }
  var chosen = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  show((chosen && chosen.closest('.part')) || parts[0]);
  window.addEventListener('hashchange', follow);

  var waiting = null;
  window.addEventListener('resize', function () {
    clearTimeout(waiting);
    waiting = setTimeout(function () { Object.keys(twins).forEach(function (id) { twins[id].fit(); }); }, 120);
  });

  // ------------------------------------------------------------------ wider than the screen
  var wide = Array.from(document.querySelectorAll('.wide-table, .wide-chart'));
  function more(box) {
    var hidden = box.scrollWidth - box.clientWidth;
    box.classList.toggle('scrolls', hidden > 4);
    box.classList.toggle('more', hidden - box.scrollLeft > 4);
  }
  wide.forEach(function (box) {
    box.dataset.more = words.more_right;
    box.addEventListener('scroll', function () { more(box); }, { passive: true });
    new ResizeObserver(function () { more(box); }).observe(box);
  });

  // ------------------------------------------------------------------ decisions
  parts.forEach(function (part) {
    var form = part.querySelector('.sieve');
    if (!form) return;
    var rows = Array.from(part.querySelectorAll('.decisions tbody tr')), told = form.querySelector('output');
    var asked = form.querySelector('input'), verdict = form.querySelector('select');
    function sieve() {
      var text = asked.value.trim().toLocaleLowerCase(), kept = 0;
      rows.forEach(function (row) {
        var on = (!verdict.value || row.dataset.kind.split(' ').indexOf(verdict.value) >= 0) &&
          (!text || row.textContent.toLocaleLowerCase().indexOf(text) >= 0);
        row.hidden = !on;
        if (on) kept++;
      });
      told.textContent = averse.filled(words.kept, { kept: kept, all: rows.length });
    }
    form.addEventListener('input', sieve);
    form.addEventListener('submit', function (event) { event.preventDefault(); });
    sieve();
  });
  document.addEventListener('click', function (event) {
    var button = event.target.closest('button[data-turn]');
    if (!button) return;
    var part = button.closest('.part'), box = part.querySelector('.twin');
    twinOf(part).go(Number(button.dataset.turn));
    var calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    box.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
    box.querySelector('input[type="range"]').focus({ preventScroll: true });
  });

  // ------------------------------------------------------------------ paper
  function redraw(printing) {
    averse.printing(printing);
    Object.keys(twins).forEach(function (id) { twins[id].fit(); twins[id].paint(); });
  }
  window.addEventListener('beforeprint', function () { redraw(true); });
  window.addEventListener('afterprint', function () {
    document.body.classList.remove('all');
    parts.forEach(function (part) { part.hidden = part !== current; });
    redraw(false);
  });
  document.querySelectorAll('.print').forEach(function (button) {
    button.addEventListener('click', function () {
      if (button.dataset.all) {
        document.body.classList.add('all');
        parts.forEach(function (part) { part.hidden = false; twinOf(part); });
      }
      window.print();
    });
  });

  debrief.twins = twins;
})();
