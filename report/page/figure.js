// The figures of the report and of the pages of the result database are complete without this script. It shows the values
// at the pointer or, with the arrow keys, of one point after the other; a figure in the whole window after a click; and,
// where the figure has data-zoom, the range over which the pointer was dragged.
(function () {
  "use strict";

  var UNITS = { time: [[1e6, "s"], [1e3, "ms"], [1, "\u00b5s"], [1e-3, "ns"]],
    bandwidth: [[1e3, "GB/s"], [1, "MB/s"], [1e-3, "kB/s"]], length: [[1048576, "MiB"], [1024, "KiB"], [1, "B"]] };

  // The number at a part of an axis, which is a list of kind, 1 if it is logarithmic, both ends, and the place of 0.
  function number_at(axis, part) {
    var low = axis[2], high = axis[3], number = axis[1] ? low * Math.pow(high / low, part) : low + part * (high - low);
    return axis[4] && Math.abs(number / axis[4] - 1) < 0.05 ? 0 : number;
  }

  function text_at(axis, part) {
    var number = number_at(axis, part), units = UNITS[axis[0]];
    if (axis[0] === "percent") { return +(100 * number).toPrecision(3) + " %"; }
    if (axis[0] === "length") { number = Math.round(number); }
    if (!units) { return String(+number.toPrecision(3)); }
    var unit = units.find(function (row) { return Math.abs(number) >= 0.999 * row[0]; }) || units[units.length - 1];
    return +(number / unit[0]).toPrecision(3) + " " + unit[1];
  }

  // The text of a mark: its own, or the values of the axes at its place.
  function text_of(plot, mark) {
    var x = mark.x / plot.width, y = mark.y / plot.height;
    var panel = plot.panels.find(function (panel) { return y > panel[2] - 0.02 && y < panel[3] + 0.02; });
    if (mark.text || !panel) { return mark.text || ""; }
    return [[panel[4], (x - panel[0]) / (panel[1] - panel[0])], [panel[5], (panel[3] - y) / (panel[3] - panel[2])]]
      .filter(function (pair) { return pair[0].length; })
      .map(function (pair) { return text_at(pair[0], pair[1]); }).join(": ");
  }

  // The marks that the curves of the panels list.
  function listed_marks(plot) {
    var marks = [];
    plot.panels.forEach(function (panel) {
      (panel[6] || []).forEach(function (curve) {
        curve.slice(1).forEach(function (point) {
          marks.push({ x: plot.width * (panel[0] + point[0] * (panel[1] - panel[0])), curve: curve,
            y: plot.height * (panel[3] - point[1] * (panel[3] - panel[2])), text: (curve[0] && curve[0] + ", ") + point[2] });
        });
      });
    });
    return marks;
  }

  // The marks of a drawing: the beginnings of the parts of filled and round paths.
  function drawn_marks(svg) {
    var marks = [];
    svg.querySelectorAll("path").forEach(function (path) {
      if (!path.getAttribute("fill") && !path.getAttribute("stroke-linecap")) { return; }
      (path.getAttribute("d").match(/M ?-?[0-9.]+[ ,-][0-9.]+/g) || []).forEach(function (part) {
        var at = part.slice(1).match(/-?[0-9.]+/g).map(Number);
        marks.push({ x: at[0], y: at[1], curve: path.getAttribute("fill") || path.getAttribute("stroke") });
      });
    });
    return marks.filter(function (mark) { return mark.curve !== "#ffffff"; });
  }

  function made(name, kind, parent) {
    var element = document.createElement(name);
    element.className = kind;
    parent.appendChild(element);
    return element;
  }

  var tip = made("div", "tip", document.body), known = new WeakMap();
  tip.hidden = true;
  tip.setAttribute("role", "status");

  function about(svg) {
    if (!known.has(svg)) {
      var box = svg.viewBox.baseVal, plot = { width: box.width, height: box.height, panels: JSON.parse(svg.dataset.panels) };
      plot.marks = listed_marks(plot);
      if (!plot.marks.length) { plot.marks = drawn_marks(svg); }
      known.set(svg, plot);
    }
    return known.get(svg);
  }

  function place_of(svg, mark) {
    var matrix = svg.getScreenCTM();
    return { x: matrix.a * mark.x + matrix.e, y: matrix.d * mark.y + matrix.f };
  }

  function read(svg, mark) {
    var plot = about(svg), at = place_of(svg, mark);
    plot.mark = mark;
    tip.textContent = text_of(plot, mark);
    tip.hidden = tip.textContent === "";
    tip.style.left = Math.max(4, Math.min(at.x + 10, document.documentElement.clientWidth - tip.offsetWidth - 4)) + "px";
    tip.style.top = at.y + 10 + "px";
  }

  // Reads the mark that is nearest to the pointer.
  function point(svg, event) {
    var nearest = null, least = 20;
    about(svg).marks.forEach(function (mark) {
      var at = place_of(svg, mark), away = Math.hypot(at.x - event.clientX, at.y - event.clientY);
      if (away < least) { least = away; nearest = mark; }
    });
    tip.hidden = true;
    if (nearest) { read(svg, nearest); }
  }

  var STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  // Left and right go through the points of a curve, up and down through the curves.
  function step(svg, way) {
    var plot = about(svg), curves = Array.from(new Set(plot.marks.map(function (mark) { return mark.curve; })));
    function points(curve) { return plot.marks.filter(function (mark) { return mark.curve === curve; }); }
    if (!curves.length) { return; }
    if (!plot.mark) { read(svg, plot.marks[0]); return; }
    var curve = plot.mark.curve, i = points(curve).indexOf(plot.mark) + way[0];
    var next = points(curves[(curves.indexOf(curve) + way[1] + curves.length) % curves.length]);
    read(svg, next[Math.max(0, Math.min(i, next.length - 1))]);
  }

  // Another click or Escape shows the page again.
  function enlarge(svg) {
    var dialog = made("dialog", "large", document.body), copy = svg.cloneNode(true);
    copy.removeAttribute("width"); copy.removeAttribute("height");
    dialog.append(copy, tip);
    dialog.addEventListener("click", function () { dialog.close(); });
    dialog.addEventListener("close", function () { tip.hidden = true; document.body.appendChild(tip); dialog.remove(); });
    dialog.showModal();
  }

  // The parameters of the range between two places of the window.
  function range(svg, from, to) {
    var plot = about(svg), panel = plot.panels[0], matrix = svg.getScreenCTM().inverse();
    function part(name, at) {
      var place = name === "x" ? (matrix.a * at.clientX + matrix.e) / plot.width : (matrix.d * at.clientY + matrix.f) / plot.height;
      var part = name === "x" ? (place - panel[0]) / (panel[1] - panel[0]) : (panel[3] - place) / (panel[3] - panel[2]);
      return Math.max(0, Math.min(1, part));
    }
    return ["x", "y"].map(function (name, i) {
      var ends = [part(name, from), part(name, to)].sort(function (a, b) { return a - b; })
        .map(function (end) { return +number_at(panel[4 + i].slice(0, 4), end).toPrecision(4); });
      return "&" + name + "min=" + ends[0] + "&" + name + "max=" + ends[1];
    }).join("");
  }

  // Shows the rectangle until the button is released, and then what is in it.
  function drag(svg, from) {
    var band = made("div", "band", document.body), figure = svg.closest("[data-zoom]");
    function move(to) {
      ["X", "Y"].forEach(function (name, i) {
        band.style[i ? "top" : "left"] = Math.min(from["client" + name], to["client" + name]) + "px";
        band.style[i ? "height" : "width"] = Math.abs(from["client" + name] - to["client" + name]) + "px";
      });
    }
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", function (to) {
      window.removeEventListener("pointermove", move);
      band.remove();
      if (Math.abs(from.clientX - to.clientX) < 5 || Math.abs(from.clientY - to.clientY) < 5) { return; }
      var link = made("a", "zoom", figure);
      link.href = figure.dataset.zoom + range(svg, from, to);
      window.addEventListener("click", function (event) { event.stopPropagation(); }, { capture: true, once: true });
      setTimeout(function () { link.click(); link.remove(); });
    }, { once: true });
  }

  function on(name, selector, action) {
    document.addEventListener(name, function (event) {
      var found = event.target.closest ? event.target.closest(selector) : null;
      if (found || name === "mousemove") { action(found, event); }
    }, true);
  }

  on("mousemove", "svg[data-panels]", function (svg, event) { if (svg) { point(svg, event); } else { tip.hidden = true; } });
  on("keydown", "svg[data-panels]", function (svg, event) {
    var all = svg.closest("figure") && svg.closest("figure").querySelector("a.all");
    if (event.key === "Escape" && all) { all.click(); }
    if (STEPS[event.key]) { event.preventDefault(); step(svg, STEPS[event.key]); }
  });
  on("focusout", "svg[data-panels]", function () { tip.hidden = true; });
  on("pointerdown", "[data-zoom] svg", function (svg, event) {
    if (event.pointerType === "mouse" && event.button === 0 && !event.target.closest("a")) { drag(svg, event); }
  });

  // A finger on a point reads it.
  on("click", "svg[role]", function (svg, event) {
    if (event.target.closest("a, dialog") || event.pointerType === "touch" && !tip.hidden) { return; }
    enlarge(svg);
  });
}());
