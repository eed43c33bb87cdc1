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

  function refresh(url) {
    var focused = document.activeElement && document.activeElement.id, turn = latest += 1;
    return fetch(url, { credentials: "same-origin" }).then(function (answer) { return answer.text(); }).then(function (html) {
      if (turn !== latest) { return; }
      var fresh = new DOMParser().parseFromString(html, "text/html").querySelector("main");
      document.querySelector("main").replaceWith(document.adoptNode(fresh));
      if (focused && document.getElementById(focused)) { document.getElementById(focused).focus(); }
      start();
    });
  }

  function go(url) {
    history.pushState(null, "", url);
    return refresh(url);
  }

  function start() {
    var live = form();
    if (!live) { return; }
    live.addEventListener("submit", function (event) { event.preventDefault(); go(address(live)); });
    live.addEventListener("change", function () { go(address(live)); });
  }

  // Links that change the figure: its names, and its ranges.
  document.addEventListener("click", function (event) {
    var link = event.target.closest(".plot svg a, .plot .zoom a, .plot a.zoom");
    if (!link || !form() || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    event.preventDefault();
    go(link.getAttribute("href"));
  });
  window.addEventListener("popstate", function () { if (form()) { refresh(location.href); } });
  document.addEventListener("DOMContentLoaded", start);
}());
