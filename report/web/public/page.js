// Choices take effect at once: the page is fetched again with the state of its form as the URL.
(function () {
  "use strict";

  function form() { return document.querySelector("form[data-live]"); }

  function address(of) {
    var words = new URLSearchParams();
    new FormData(of).forEach(function (value, name) { if (value !== "") { words.append(name, value); } });
    return of.getAttribute("action") + "?" + words.toString();
  }

  var latest = 0;

  function refresh(url, keep) {
    var focused = document.activeElement && document.activeElement.id, turn = latest += 1;
    return fetch(url, { credentials: "same-origin" }).then(function (answer) { return answer.text(); }).then(function (html) {
      if (turn !== latest) { return; }
      var fresh = new DOMParser().parseFromString(html, "text/html").querySelector("main");
      var main = document.querySelector("main");
      if (keep) { keep(main, fresh); }
      main.replaceWith(document.adoptNode(fresh));
      if (focused && document.getElementById(focused)) { document.getElementById(focused).focus(); }
      start();
    });
  }

  function go(url, keep) {
    history.pushState(null, "", url);
    return refresh(url, keep);
  }

  function set(name, value) {
    var field = form().elements[name];
    if (field) { field.value = value; }
  }

  // A plot that the visitor changed already shows the new state, so it stays.
  function keep_plot(main, fresh) {
    var old = main.querySelector("[data-ready]"), next = fresh.querySelector("[data-plot]");
    if (!old || !next) { return; }
    next.querySelector(".picture").replaceWith(old.querySelector(".picture"));
    next.plots = old.plots;
    next.setAttribute("data-ready", "yes");
  }

  function hidden_fields(figure) {
    form().querySelectorAll("input[name=hide]").forEach(function (field) { field.remove(); });
    figure.plots.forEach(function (plot) {
      plot.panel.series.filter(function (series) { return series.hidden; }).forEach(function (series) {
        var field = document.createElement("input");
        field.type = "hidden";
        field.name = "hide";
        field.value = series.key;
        form().append(field);
      });
    });
  }

  function changed(plot, what) {
    var figure = document.querySelector("[data-ready]");
    if (!form()) { return; }
    if (what === "hide") { hidden_fields(figure); }
    if (what === "zoom" && plot.number === 1) {
      ["x", "y"].forEach(function (axis) {
        var full = plot.panel[axis].full, range = plot.range[axis], is_full = range[0] === full[0] && range[1] === full[1];
        set(axis + "min", is_full ? "" : +range[0].toPrecision(6));
        set(axis + "max", is_full ? "" : +range[1].toPrecision(6));
      });
    }
    go(address(form()), keep_plot);
  }

  function start() {
    window.skampi.load(document, changed);
    var live = form();
    if (!live) { return; }
    live.addEventListener("submit", function (event) { event.preventDefault(); go(address(live)); });
    live.addEventListener("change", function () { go(address(live)); });
    var all = document.getElementById("show-all");
    if (all) { all.addEventListener("click", function (event) { event.preventDefault(); go(all.getAttribute("href")); }); }
  }

  window.addEventListener("popstate", function () { if (form()) { refresh(location.href); } });
  document.addEventListener("DOMContentLoaded", start);
}());
