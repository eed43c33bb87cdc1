// Draws the plots of a page from their description (SKaMPI::Database::Chart) with d3: hover, zoom, and
// curves that can be hidden. Without it, the page shows the same plot as a picture.
(function () {
  "use strict";

  var MARGIN = { top: 28, right: 16, bottom: 46, left: 72 };
  var FARTHEST_PX = 40;
  var SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross"];
  var DASHES = ["none", "6 3", "2 2 6 2"];

  // The text of a tick: a round number.
  function text(units, value) {
    var rounded = +value.toPrecision(6), i = 0;
    if (!units || value === 0) { return String(rounded); }
    while (i < units.length - 1 && Math.abs(rounded) < units[i][0]) { i += 1; }
    return +(rounded / units[i][0]).toPrecision(6) + " " + units[i][1].replace(/^us$/, "\u00b5s");
  }

  function powers(base, low, high, factors) {
    var found = [], i = Math.floor(Math.log(low) / Math.log(base));
    for (; Math.pow(base, i) <= high; i += 1) {
      factors.forEach(function (factor) { found.push(factor * Math.pow(base, i)); });
    }
    return found.filter(function (value) { return value >= low && value <= high; });
  }

  // Places of the ticks of an axis, at most about `most`.
  function ticks(axis, scale, most) {
    function is_tick(value) { return axis.kind !== "count" || value === Math.round(value); }
    var range = scale.domain(), base = axis.kind === "length" || axis.kind === "count" ? 2 : 10, found;
    if (axis.scale === "linear") { return scale.ticks(most).filter(is_tick); }
    found = powers(base, range[0], range[1], [1]);
    if (found.length < 3) { found = powers(10, range[0], range[1], [1, 2, 5]); }
    if (found.length < 3) { found = d3.scale.linear().domain(range).ticks(most); }
    found = found.filter(function (value) { return axis.zero === null || value > axis.break_at; });
    var every = Math.ceil(found.length / most);
    found = found.filter(function (value, i) { return i % every === 0; });
    if (axis.zero !== null && axis.zero >= range[0]) { found.unshift(axis.zero); }
    return found;
  }

  function Plot(place, panel, zoomed) {
    this.panel = panel;
    this.zoomed = zoomed;
    this.number = panel.number;
    this.range = { x: panel.x.range.slice(), y: panel.y.range.slice() };
    this.make(place);
    this.draw();
  }

  Plot.prototype.make = function (place) {
    var self = this, section = d3.select(place).append("section").attr("class", "panel");
    if (this.panel.reason) { section.append("p").attr("class", "reason").text(this.panel.reason); }
    this.svg = section.append("svg").attr("class", "drawing").attr("tabindex", 0).attr("role", "application")
      .attr("aria-label", "Plot " + this.number + ": " + this.panel.y.title + " over " + this.panel.x.title +
        ". Arrow keys read the points; Escape shows all.");
    this.hint = section.append("output").attr("class", "hint").attr("aria-live", "polite");
    if (!this.panel.is_low) { this.buttons(section.append("ul").attr("class", "legend")); }
    this.svg.on("keydown", function () { self.key(d3.event); });
  };

  Plot.prototype.buttons = function (list) {
    var self = this;
    this.panel.series.forEach(function (series) {
      var item = list.append("li"), button = item.append("button").attr("type", "button")
        .attr("aria-pressed", String(!series.hidden));
      var icon = button.append("svg").attr("width", 30).attr("height", 12).attr("aria-hidden", "true");
      icon.append("path").attr("class", "line c" + series.slot).attr("d", "M0 6H30")
        .attr("stroke-dasharray", DASHES[series.slot % 3]);
      icon.append("path").attr("class", mark_class(series.slot))
        .attr("d", series.unmarked ? "M0 0" : symbol(series.slot, 40)).attr("transform", "translate(15,6)");
      button.append("span").text(series.name);
      button.on("click", function () {
        series.hidden = !series.hidden;
        button.attr("aria-pressed", String(!series.hidden));
        self.draw();
        self.report("hide");
      });
    });
  };

  function symbol(slot, size) { return d3.svg.symbol().type(SHAPES[slot % 6]).size(size)(); }
  function mark_class(slot) { return "mark c" + slot + (slot >= 6 ? " hollow" : ""); }

  Plot.prototype.report = function (what) {
    if (this.zoomed) { this.zoomed(this, what); }
  };

  Plot.prototype.scale = function (name, range) {
    var axis = this.panel[name];
    return (axis.scale === "logarithmic" ? d3.scale.log() : d3.scale.linear()).domain(this.range[name]).range(range);
  };

  Plot.prototype.draw = function () {
    var width = Math.max(280, this.svg.node().parentNode.clientWidth);
    var height = this.panel.is_low ? 160 : Math.round(Math.max(260, Math.min(460, width * 0.52)));
    this.size = { x: width - MARGIN.left - MARGIN.right, y: height - MARGIN.top - MARGIN.bottom };
    this.svg.attr("width", width).attr("height", height).attr("viewBox", "0 0 " + width + " " + height);
    this.svg.selectAll("*").remove();
    this.x = this.scale("x", [0, this.size.x]);
    this.y = this.scale("y", [this.size.y, 0]);
    this.area = this.svg.append("g").attr("transform", "translate(" + MARGIN.left + "," + MARGIN.top + ")");
    this.definitions();
    this.axes();
    this.curves = this.area.append("g").attr("clip-path", "url(#clip" + this.number + ")");
    this.panel.series.forEach(this.curve, this);
    this.ring = this.area.append("circle").attr("class", "ring").attr("r", 7).attr("visibility", "hidden");
    this.brush();
  };

  Plot.prototype.definitions = function () {
    var self = this, defs = this.svg.append("defs");
    defs.append("clipPath").attr("id", "clip" + this.number).append("rect")
      .attr("width", this.size.x).attr("height", this.size.y);
    this.panel.series.forEach(function (series) {
      var small = series.points.length > 120;
      defs.append("marker").attr("id", "mark" + self.number + "-" + series.slot).attr("class", "marker")
        .attr("markerUnits", "userSpaceOnUse").attr("markerWidth", 12).attr("markerHeight", 12)
        .attr("viewBox", "-6 -6 12 12").append("path").attr("class", mark_class(series.slot))
        .attr("d", symbol(series.slot, small ? 10 : 32));
    });
  };

  Plot.prototype.axes = function () {
    var self = this, grid = this.area.append("g").attr("class", "axes"), x = this.panel.x, y = this.panel.y;
    ticks(y, this.y, this.panel.is_low ? 2 : 8).forEach(function (value) {
      var at = self.y(value);
      grid.append("path").attr("d", "M0 " + at + "H" + self.size.x);
      grid.append("text").attr("x", -8).attr("y", at).attr("dy", "0.32em").attr("text-anchor", "end").text(text(y.units, value));
    });
    ticks(x, this.x, Math.max(3, Math.floor(this.size.x / 75))).forEach(function (value) {
      var at = self.x(value);
      grid.append("path").attr("d", "M" + at + " 0V" + self.size.y);
      grid.append("text").attr("x", at).attr("y", self.size.y + 16).attr("text-anchor", "middle")
        .text(value === x.zero ? "0" : text(x.units, value));
    });
    grid.append("text").attr("class", "title").attr("x", -MARGIN.left + 4).attr("y", -12).text(y.title);
    grid.append("text").attr("class", "title").attr("x", this.size.x).attr("y", this.size.y + 36)
      .attr("text-anchor", "end").text(x.title);
  };

  function round(value) { return Math.round(value * 10) / 10; }

  // A hidden series or a value that the axis cannot show has no place.
  Plot.prototype.places = function (series) {
    var self = this, is_log = this.panel.y.scale === "logarithmic";
    return series.hidden ? [] : series.points.filter(function (point) {
      return point.x !== null && point.y !== null && (!is_log || point.y > 0);
    }).map(function (point) {
      return { point: point, series: series, x: self.x(point.x), y: self.y(point.y) };
    });
  };

  // The line has a gap between 0 and the logarithmic axis.
  Plot.prototype.curve = function (series) {
    var self = this, places = this.places(series), zero = this.panel.x.zero, bottom = this.range.y[0];
    var group = this.curves.append("g").attr("class", "curve");
    var bars = places.filter(function (p) { return p.point.low !== null && p.point.high !== null; }).map(function (p) {
      var low = self.panel.y.scale === "logarithmic" ? Math.max(p.point.low, bottom * 1e-3) : p.point.low;
      return "M" + round(p.x) + " " + round(self.y(low)) + "V" + round(self.y(p.point.high));
    });
    group.append("path").attr("class", "bar c" + series.slot).attr("d", bars.join("") || "M0 0");
    var line = places.map(function (p, i) {
      var starts = i === 0 || places[i - 1].point.x === zero;
      return (starts ? "M" : "L") + round(p.x) + " " + round(p.y);
    });
    var mark = series.unmarked ? null : "url(#mark" + this.number + "-" + series.slot + ")";
    group.append("path").attr("class", "line c" + series.slot).attr("d", line.join("") || "M0 0")
      .attr("stroke-dasharray", DASHES[series.slot % 3])
      .attr("marker-start", line.length ? mark : null).attr("marker-mid", mark).attr("marker-end", line.length ? mark : null);
  };

  Plot.prototype.brush = function () {
    var self = this, group = this.area.append("g").attr("class", "brush");
    var brush = d3.svg.brush().x(this.x).y(this.y).on("brushend", function () {
      var extent = brush.extent();
      if (brush.empty()) { return; }
      self.show({ x: [extent[0][0], extent[1][0]], y: [extent[0][1], extent[1][1]] });
    });
    group.call(brush);
    group.on("mousemove.hint", function () { self.point(d3.mouse(group.node())); });
    group.on("mouseleave.hint", function () { self.ring.attr("visibility", "hidden"); });
  };

  Plot.prototype.show = function (range) {
    this.range = range;
    this.draw();
    if (this.partner) {
      this.partner.range.x = range.x.slice();
      this.partner.draw();
    }
    (this.panel.is_low ? this.partner : this).report("zoom");
  };

  // A low plot has the x axis of the plot above it.
  function join_axes(plots) {
    plots.forEach(function (plot, i) {
      if (plot.panel.is_low) {
        plot.partner = plots[i - 1];
        plots[i - 1].partner = plot;
      }
    });
  }

  Plot.prototype.show_all = function () {
    this.show({ x: this.panel.x.full.slice(), y: this.panel.y.full.slice() });
  };

  Plot.prototype.all_places = function () {
    var self = this;
    return d3.merge(this.panel.series.map(function (series) { return self.places(series); })).filter(function (p) {
      return p.x >= -1 && p.x <= self.size.x + 1 && p.y >= -1 && p.y <= self.size.y + 1;
    });
  };

  Plot.prototype.point = function (at) {
    var nearest = null, least = FARTHEST_PX * FARTHEST_PX;
    this.all_places().forEach(function (p) {
      var distance = Math.pow(p.x - at[0], 2) + Math.pow(p.y - at[1], 2);
      if (distance < least) { least = distance; nearest = p; }
    });
    if (nearest) { this.read(nearest); }
  };

  Plot.prototype.read = function (p) {
    var point = p.point;
    this.current = p;
    this.ring.attr("visibility", "visible").attr("cx", p.x).attr("cy", p.y);
    this.hint.text(p.series.name + (point.at ? ", " + point.at : "") + ": " + point.text +
      (point.error ? " \u00b1 " + point.error : "") + (point.n ? ", " + point.n + " repetitions" : ""));
  };

  // Left and right go through the points of a curve, up and down through the curves.
  Plot.prototype.key = function (event) {
    var step = { 37: [-1, 0], 39: [1, 0], 38: [0, -1], 40: [0, 1] }[event.keyCode];
    if (event.keyCode === 27) { event.preventDefault(); this.show_all(); }
    if (!step) { return; }
    event.preventDefault();
    var self = this, shown = this.panel.series.filter(function (series) { return self.places(series).length; });
    if (!shown.length) { return; }
    var s = this.current ? shown.indexOf(this.current.series) : 0;
    s = (Math.max(s, 0) + step[1] + shown.length) % shown.length;
    var places = this.places(shown[s]);
    var i = this.index === undefined ? 0 : this.index + step[0];
    this.index = Math.min(Math.max(i, 0), places.length - 1);
    this.read(places[this.index]);
  };

  // Replaces the pictures below `root` by plots. `zoomed(plot, what)` is called after a visitor's change.
  function load(root, zoomed) {
    return Promise.all(Array.from(root.querySelectorAll("[data-plot]:not([data-ready])")).map(function (figure) {
      return fetch(figure.getAttribute("data-plot"), { credentials: "same-origin" })
        .then(function (answer) { return answer.json(); })
        .then(function (description) {
          var place = figure.querySelector(".picture");
          if (!description.panels.length || figure.hasAttribute("data-ready")) { return; }
          place.textContent = "";
          figure.plots = description.panels.map(function (panel) { return new Plot(place, panel, zoomed); });
          join_axes(figure.plots);
          figure.setAttribute("data-ready", "yes");
        });
    }));
  }

  window.addEventListener("resize", function () {
    d3.selectAll("[data-ready]").each(function () { this.plots.forEach(function (plot) { plot.draw(); }); });
  });

  window.skampi = { load: load };
}());
