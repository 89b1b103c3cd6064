// What every page with a run has: a step described, its state as tables, its row marked in the diagram, the diagram enlarged.
// The script of a page stands behind this one, and sets `trace` and `svg`.
"use strict";
let trace = null;
let svg = null;
let band = null;
let current = -1;
let scrolls = true;  // false while a page opens: its headline stays in sight
const unfolded = { source: false, why: false, edited: true };

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function row(cells, heading) {
  const made = element("tr");
  cells.forEach(cell => {
    const [text, className] = Array.isArray(cell) ? cell : [cell, ""];
    made.append(element(heading ? "th" : "td", text, className));
  });
  return made;
}

function table(head, rows) {
  const made = element("table");
  const top = element("thead");
  top.append(row(head, true));
  const body = element("tbody");
  rows.forEach(cells => body.append(row(cells, false)));
  made.append(top, body);
  return made;
}

function describe(step) {
  const parts = [element("h2", step.title, step.mark ? "violation" : "")];
  if (step.call) parts.push(element("div", step.call, "call"));
  if (step.source) parts.push(element("div", step.source, "where"));
  if (step.edited) {
    const texts = step.edited.map(([, text]) => text.trimEnd().split("\n"));
    const versions = step.edited.flatMap(([heading], place) => [element("div", heading, "where"), version(texts, place)]);
    parts.push(folded("edited", "What was edited", versions));
  }
  const source = trace.sources[step.action];
  if (source) parts.push(folded("source", "Source of " + step.action, [element("pre", source)]));
  const list = element("ul");
  step.lines.forEach(line => list.append(element("li", line)));
  if (step.lines.length) parts.push(list);
  if (step.beside) parts.push(...beside(step.beside));
  const lane = chosen("process"), kept = step.lanes.filter(asked), place = trace.lanes.indexOf(lane) + 1;
  const own = cells => place ? [cells[0], cells[place]] : cells;
  if (kept.length) parts.push(table(own(["", ...trace.lanes]), kept.map(own)));
  const others = step.globals.filter(asked);
  if (others.length) parts.push(table(["variable", "value"], others));
  if (!kept.length && !others.length && chosen("filter")) parts.push(element("p", "no variable has this in its name"));
  if (step.verdicts.length) parts.push(table(["property", "holds"], step.verdicts));
  if (step.refused) parts.push(why(step));
  return parts;
}

// What the protocol before the edit does here, and the values that differ then.
function beside(there) {
  const parts = [element("h3", "At this step in " + there.name), element("div", there.title)];
  const values = there.values.filter(asked);
  if (values.length) parts.push(table(["differs", "this run", there.name], values));
  parts.at(-1).classList.add("values");
  return parts;
}

// One of several versions of a source, its lines wrapped; those that no other version has are marked, but signatures and
// docstrings, which may differ in annotations and words alone.
function version(texts, place) {
  const made = element("pre", undefined, "version");
  const others = texts.filter((_, other) => other !== place);
  texts[place].forEach(text => {
    const says = text.trim() && !/^\s*(def |""")/.test(text);
    const differs = others.length && says && !others.some(lines => lines.includes(text));
    const line = element("div", text || " ", differs ? "differs" : "");
    const indent = text.length - text.trimStart().length + 4;
    line.style.paddingLeft = indent + "ch";
    line.style.textIndent = -indent + "ch";
    made.append(line);
  });
  return made;
}

function chosen(name) {
  return document.getElementById(name).value;
}

// Whether a variable, given as the row of a table, is among those asked for: its name has one of the texts between bars.
function asked(cells) {
  const texts = chosen("filter").split("|").map(text => text.trim()).filter(text => text);
  return !texts.length || texts.some(text => cells[0].includes(text));
}

// Folded until it is asked for, then open at every step.
function folded(kind, heading, parts) {
  const made = element("details", undefined, kind);
  made.open = unfolded[kind];
  const summary = element("summary", heading);
  summary.addEventListener("click", () => { unfolded[kind] = !made.open; });
  made.append(summary, ...parts);
  return made;
}

// What else could happen here, and why the rest could not.
function why(step) {
  const of = step.about ? " of " + step.about : "";
  const part = (heading, texts) => {
    const list = element("ul");
    texts.forEach(text => list.append(element("li", text)));
    return [element("h3", heading + of), list];
  };
  const refused = step.refused.length ? part("not enabled", step.refused) : [];
  return folded("why", "Why not something else?", [...part("enabled", step.enabled.length ? step.enabled : ["nothing"]), ...refused]);
}

function highlight(rowNumber) {
  if (!svg) return;
  if (band) band.remove();
  const cells = [...svg.querySelectorAll("g.node.row" + rowNumber)];
  if (!cells.length) return;
  const boxes = cells.map(cell => cell.getBBox()).filter(box => box.height > 0);
  if (!boxes.length) return;
  const top = Math.min(...boxes.map(box => box.y)), bottom = Math.max(...boxes.map(box => box.y + box.height));
  const whole = svg.viewBox.baseVal;
  band = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  band.setAttribute("class", "band");
  band.setAttribute("x", 0);
  band.setAttribute("width", whole.width - 40);
  band.setAttribute("y", top - 3);
  band.setAttribute("height", bottom - top + 6);
  const graph = svg.querySelector("g.graph");
  const ground = graph.querySelector(":scope > polygon");
  graph.insertBefore(band, ground ? ground.nextSibling : graph.firstChild);
  if (scrolls) band.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// The arrows that begin or end in a row.
function light(rowNumber) {
  if (!svg) return;
  svg.querySelectorAll(".lit").forEach(edge => edge.classList.remove("lit"));
  svg.querySelectorAll(`.message.from${rowNumber}, .message.to${rowNumber}`).forEach(edge => edge.classList.add("lit"));
}

// The page says what stands above the lanes, so the picture begins with them.
function crop() {
  const graph = svg.querySelector("g.graph"), whole = svg.viewBox.baseVal;
  const boxes = [...graph.querySelectorAll("g.node")].map(node => node.getBBox()).filter(box => box.height > 0);
  const top = Math.min(...boxes.map(box => box.y)) + graph.transform.baseVal.consolidate().matrix.f - 12;
  svg.setAttribute("viewBox", [whole.x, top, whole.width, whole.height + whole.y - top].join(" "));
}

// Width of the picture, in parts of its own; null: as wide as there is room for.
let zoom = null;
function enlarge(by) {
  const natural = svg.viewBox.baseVal.width * 4 / 3;
  zoom = by === null ? null : Math.max(0.3, Math.min(4, (zoom ?? svg.getBoundingClientRect().width / natural) * by));
  svg.style.minWidth = "0";
  svg.style.width = zoom === null ? "" : zoom * natural + "px";
  svg.style.maxWidth = zoom === null ? "" : "none";
}
