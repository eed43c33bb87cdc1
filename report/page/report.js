// The report without this script has all texts, tables and plots. The script sorts tables by a click
// on a title, shows the rows of each suite, which the page has as JSON, the values at the pointer in a plot, and a plot
// in the whole window after a click.
(function () {
  "use strict";

  var FACTOR = { ns: 1e-3, "\u00b5s": 1, us: 1, ms: 1e3, s: 1e6, KiB: 1024, MiB: 1048576, GiB: 1073741824,
    "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9 };

  // A number with a unit, or the text.
  function value(cell) {
    var text = cell ? cell.textContent.trim() : "";
    var found = /^[(~\u00b1\s]*(-?[0-9.]+)(?:e([+-]?[0-9]+))?\s*([^\s)]*)/.exec(text.replace(/\u00a0/g, " "));
    if (!found) { return text === "" ? Infinity : text; }
    return found[1] * Math.pow(10, found[2] || 0) * (FACTOR[found[3]] || 1);
  }

  function compare(a, b) {
    if (typeof a === typeof b && a !== b) { return a < b ? -1 : 1; }
    return a === b ? 0 : typeof a === "number" ? -1 : 1;
  }

  // Empty cells at the beginning of rows repeat the cell above.
  function fill(body) {
    var last = "";
    Array.from(body.rows).forEach(function (row) {
      if (row.cells[0].textContent.trim() === "") { row.cells[0].innerHTML = last; } else { last = row.cells[0].innerHTML; }
    });
  }

  function sort(table, title) {
    var i = title.cellIndex, body = table.tBodies[0], down = title.getAttribute("aria-sort") === "ascending";
    fill(body);
    table.querySelectorAll("thead th").forEach(function (th) { th.removeAttribute("aria-sort"); });
    title.setAttribute("aria-sort", down ? "descending" : "ascending");
    Array.from(body.rows).map(function (row, n) { return [value(row.cells[i]), n, row]; })
      .sort(function (a, b) { return (down ? -1 : 1) * compare(a[0], b[0]) || a[1] - b[1]; })
      .forEach(function (entry) { body.appendChild(entry[2]); });
  }

  // A table whose rows belong together keeps their order.
  function make_sortable(table) {
    var head = table.tHead && table.tHead.rows[table.tHead.rows.length - 1];
    if (!head || table.querySelector("[colspan]") || table.tBodies[0].rows.length < 2) { return; }
    if (table.querySelector("tbody th[scope=col]")) { return; }
    Array.from(head.cells).forEach(function (cell) {
      if (cell.tagName !== "TH") { return; }
      var button = document.createElement("button");
      button.type = "button";
      while (cell.firstChild) { button.appendChild(cell.firstChild); }
      cell.appendChild(button);
      button.addEventListener("click", function () { sort(table, cell); });
    });
  }

  function element(name, text, parent) {
    var made = document.createElement(name);
    if (text !== undefined && text !== null) { made.textContent = text; }
    if (parent) { parent.appendChild(made); }
    return made;
  }

  function rows_of(suite) {
    var scroll = element("div"), table = element("table", null, scroll), head = element("tr", null, element("thead", null, table));
    var body = element("tbody", null, table);
    scroll.className = "scroll";
    suite.names.forEach(function (name) { var th = element("th", name, head); th.scope = "col"; th.className = "number"; });
    suite.rows.forEach(function (row) {
      var tr = element("tr", null, body);
      row.forEach(function (cell) { element("td", cell, tr).className = typeof cell === "number" ? "number" : ""; });
    });
    make_sortable(table);
    return scroll;
  }

  function offer(suite) {
    var heading = suite.id && document.getElementById(suite.id), place = heading && heading.closest("section");
    if (!place || !suite.rows.length) { return; }
    var details = element("details", null, place), made = false;
    details.className = "rows";
    element("summary", suite.rows.length + (suite.rows.length === 1 ? " row" : " rows"), details);
    details.addEventListener("toggle", function () {
      if (!made) { details.appendChild(rows_of(suite)); made = true; }
    });
  }

  var UNITS = { time: [[1e6, "s"], [1e3, "ms"], [1, "\u00b5s"], [1e-3, "ns"]],
    bandwidth: [[1e3, "GB/s"], [1, "MB/s"], [1e-3, "kB/s"]], length: [[1048576, "MiB"], [1024, "KiB"], [1, "B"]] };

  // The value at a part of an axis, which is a list of kind, 1 if it is logarithmic, both ends, and the place of 0.
  function at_part(axis, part) {
    var low = axis[2], high = axis[3], number = axis[1] ? low * Math.pow(high / low, part) : low + part * (high - low);
    if (axis[4] && Math.abs(number / axis[4] - 1) < 0.05) { number = 0; }
    if (axis[0] === "percent") { return +(100 * number).toPrecision(3) + " %"; }
    if (axis[0] === "length") { number = Math.round(number); }
    var units = UNITS[axis[0]];
    if (!units) { return String(+number.toPrecision(3)); }
    var unit = units.find(function (row) { return Math.abs(number) >= 0.999 * row[0]; }) || units[units.length - 1];
    return +(number / unit[0]).toPrecision(3) + " " + unit[1];
  }

  // The values of a mark: a part of the drawing has the axes.
  function values_of(plot, mark) {
    var x = mark.x / plot.width, y = mark.y / plot.height;
    var panel = plot.panels.find(function (panel) { return y > panel[2] - 0.02 && y < panel[3] + 0.02; });
    if (!panel) { return ""; }
    return [[panel[4], (x - panel[0]) / (panel[1] - panel[0])], [panel[5], (panel[3] - y) / (panel[3] - panel[2])]]
      .filter(function (pair) { return pair[0].length; })
      .map(function (pair) { return at_part(pair[0], pair[1]); }).join(": ");
  }

  // The places of the marks: the beginnings of the parts of filled and round paths.
  function marks_of(svg) {
    var marks = [];
    svg.querySelectorAll("path").forEach(function (path) {
      if (!path.getAttribute("fill") && !path.getAttribute("stroke-linecap")) { return; }
      (path.getAttribute("d").match(/M ?-?[0-9.]+[ ,-][0-9.]+/g) || []).forEach(function (part) {
        var at = part.slice(1).match(/-?[0-9.]+/g).map(Number);
        marks.push({ x: at[0], y: at[1], colour: path.getAttribute("fill") || path.getAttribute("stroke") });
      });
    });
    return marks.filter(function (mark) { return mark.colour !== "#ffffff"; });
  }

  var tip = element("div", "", document.body), known = new Map();
  tip.className = "tip"; tip.hidden = true;

  function about(svg) {
    if (!known.has(svg)) {
      var box = svg.viewBox.baseVal;
      known.set(svg, { marks: marks_of(svg), width: box.width, height: box.height, panels: JSON.parse(svg.dataset.panels) });
    }
    return known.get(svg);
  }

  // Shows the values of the mark that is nearest to the pointer.
  function point(svg, event) {
    var plot = about(svg), matrix = svg.getScreenCTM(), nearest = null, least = 15;
    tip.hidden = true;
    if (!matrix) { return; }
    plot.marks.forEach(function (mark) {
      var away = Math.hypot(matrix.a * mark.x + matrix.e - event.clientX, matrix.d * mark.y + matrix.f - event.clientY);
      if (away < least) { least = away; nearest = mark; }
    });
    tip.textContent = nearest ? values_of(plot, nearest) : "";
    if (tip.textContent === "") { return; }
    tip.style.left = Math.min(event.clientX + 12, document.documentElement.clientWidth - 150) + "px";
    tip.style.top = event.clientY + 14 + "px";
    tip.hidden = false;
  }

  // A click shows a plot in the whole window, the next one or Escape shows the page again.
  function enlarge(svg) {
    var dialog = element("dialog", null, document.body), copy = svg.cloneNode(true);
    dialog.className = "large";
    dialog.appendChild(copy);
    copy.removeAttribute("width"); copy.removeAttribute("height");
    if (svg.dataset.panels) { copy.addEventListener("mousemove", function (event) { point(copy, event); }); }
    dialog.appendChild(tip);
    dialog.addEventListener("click", function () { dialog.close(); });
    dialog.addEventListener("close", function () { tip.hidden = true; document.body.appendChild(tip); dialog.remove(); });
    dialog.showModal();
  }

  document.querySelectorAll("svg[role=img]").forEach(function (svg) {
    if (svg.dataset.panels) { svg.addEventListener("mousemove", function (event) { point(svg, event); }); }
    svg.addEventListener("mouseleave", function () { tip.hidden = true; });
    svg.addEventListener("click", function () { enlarge(svg); });
  });

  document.querySelectorAll("table").forEach(make_sortable);
  JSON.parse(document.getElementById("rows").textContent).forEach(function (file) { file.suites.forEach(offer); });
}());
