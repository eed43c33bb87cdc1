// The report without this script has all texts, tables and plots. The script sorts tables by a click
// on a title and shows the rows of each suite, which the page has as JSON.
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

  document.querySelectorAll("table").forEach(make_sortable);
  JSON.parse(document.getElementById("rows").textContent).forEach(function (file) { file.suites.forEach(offer); });
}());
