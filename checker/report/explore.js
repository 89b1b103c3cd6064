// The page of `checker explore`.  A run is a path: numbers with dots between, the initial state first.  The path, the place in
// it and the pinned predicates are the fragment of the address; all else is asked of the program, which keeps nothing.
const given = JSON.parse(document.getElementById("explorer").textContent);
const by = name => document.getElementById(name);
let path = given.begin, at = null, pins = [];
let asking = 0, typed = "", timer = null, drawing = null, drawn = null, choices = [];
const places = new Map();

async function ask(what, fields) {
  const answer = await fetch(what, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(fields),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error + (found.remedy ? "  " + found.remedy : ""));
  return found;
}

// Say what went wrong, or nothing any more.
function tell(text, wrong, where) {
  const place = by(where || "notice");
  place.textContent = text;
  place.className = wrong ? "wrong" : "";
}

function failed(error) {
  const ended = error instanceof TypeError;
  tell(ended ? "The program does not answer: it was ended, or started again with another address." : error.message, true);
}

function upTo(number) {
  return path.split(".").slice(0, number + 1).join(".");
}

function lengthOf(some) {
  return some.split(".").length - 1;
}

// ---- the address

function address() {
  const fields = new URLSearchParams({ run: path, at: current });
  if (trace) fields.set("seal", trace.seal);
  pins.forEach(text => fields.append("pin", text));
  return "#" + fields;
}

function read() {
  const fields = new URLSearchParams(location.hash.slice(1));
  path = fields.get("run") || given.begin;
  at = fields.has("at") ? Number(fields.get("at")) : null;
  pins = [...new Set(fields.getAll("pin"))].slice(0, 20);
  return fields.get("seal");
}

// ---- the run and the place in it

// Ask for the run again; stand at a place of it.  kept: the address is entered into the history of the browser.
async function open(wanted, place, kept, seal) {
  const turn = ++asking;
  try {
    const found = await ask("run", { path: wanted, predicates: pins });
    if (turn !== asking) return;
    trace = found;
    path = found.path;
    by("slider").max = trace.steps.length - 1;
    by("process").replaceChildren(new Option("all processes", ""), ...trace.lanes.map(lane => new Option(lane)));
    const other = seal && seal !== trace.seal;
    tell(other ? "The link was made for another run: the model, its constants or the checker changed since." : "", other);
    current = -1;
    await show(place ?? trace.opens, kept);
    draw();
  } catch (error) { if (turn === asking) failed(error); }
}

async function show(number, kept) {
  number = Math.max(0, Math.min(trace.steps.length - 1, number || 0));
  if (number === current) return;
  current = number;
  by("slider").value = number;
  by("position").textContent = number + " / " + (trace.steps.length - 1);
  by("back").disabled = number === 0;
  by("next").disabled = number === trace.steps.length - 1;
  history[kept ? "pushState" : "replaceState"](null, "", address());
  mark();
  const place = upTo(number);
  try {
    if (!places.has(place)) places.set(place, await ask("here", { path: place }));
  } catch (error) { return failed(error); }
  if (place === upTo(current)) here(places.get(place));
}

// The state, the properties and the predicates of the step shown.
function mark() {
  const step = trace.steps[current];
  by("step").replaceChildren(...describe(step));
  by("pins").replaceChildren(...trace.pins.map(pinned));
  highlight(step.row);
  light(step.row);
}

// What can be done here.
function here(place) {
  choices = place.choices;
  const following = path.split(".")[current + 1];
  by("enabled").textContent = choices.length ? "Enabled now: " + choices.length + (place.more ? " and more, not listed" : "")
    : "Nothing is enabled: the run ends here";
  by("choices").replaceChildren(...choices.map(choice => {
    const line = element("li"), button = offered(choice);
    if (String(choice.number) === following) {
      button.classList.add("taken");
      button.append(element("small", "taken in this run", "where"));
    }
    line.append(button);
    return line;
  }));
  const starts = place.starts.map((text, number) => {
    const button = element("button");
    button.append(element("kbd", String(number + 1)), element("small", text));
    if (String(number + 1) === path.split(".")[0]) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => open(String(number + 1), 0, true));
    return button;
  });
  by("starts").replaceChildren(...(starts.length ? [element("h2", starts.length + " initial states"), ...starts] : []));
  const broken = place.broken.map(name => name + " is false here");
  if (place.cut) broken.push("a constraint cuts this state: a search would not go on from here");
  if (broken.length && trace.witness && current === trace.steps.length - 1) broken.push(trace.witness);
  by("broken").replaceChildren(...broken.map(text => element("div", text)));
  const blocked = element("ul");
  blocked.append(...place.refused.map(text => element("li", text)));
  const not = folded("why", "Not enabled, and why", [blocked]);
  if (!choices.length) not.open = true;
  by("blocked").replaceChildren(...(place.refused.length ? [not] : []));
}

// A step that could be taken, and what it would change.
function offered(choice) {
  const button = element("button", undefined, choice.fault ? "fault" : "");
  button.append(element("kbd", String(choice.number)), element("strong", choice.title || choice.name));
  if (choice.title) button.append(element("small", choice.name, "call"));
  (choice.breaks || []).forEach(name => button.append(element("small", "then " + name + " is false", "breaks")));
  if (choice.failure) button.append(element("small", "model error: " + choice.failure, "breaks"));
  if (choice.cut) button.append(element("small", "into a state that a constraint cuts", "breaks"));
  (choice.lines || []).forEach(text => button.append(element("small", text)));
  button.disabled = Boolean(choice.failure);
  button.addEventListener("click", () => take(choice.number));
  return button;
}

function take(number) {
  const choice = choices[number - 1];
  if (!choice) return tell("There is no step " + number + " here.", true);
  if (choice.failure) return tell(choice.name + " fails: " + choice.failure, true);
  if (path.split(".")[current + 1] === String(number)) return show(current + 1);
  return open(upTo(current) + "." + number, current + 1, true);
}

// ---- predicates

function pinned(pin) {
  const line = element("li"), truth = pin.truths[current] || "not a predicate";
  line.append(element("code", pin.predicate), element("span", truth, pin.truths[current] || "wrong"));
  const strip = element("div", undefined, "strip");
  pin.truths.forEach((word, number) => {
    const button = element("button", word === "true" ? number + " ✓" : String(number), word);
    button.setAttribute("aria-label", "step " + number + ": " + word);
    if (number === current) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => show(number));
    strip.append(button);
  });
  const remove = element("button", "Unpin");
  remove.setAttribute("aria-label", "unpin " + pin.predicate);
  remove.addEventListener("click", () => { pins = pins.filter(text => text !== pin.predicate); open(path, current); });
  strip.append(remove);
  line.append(element("small", pin.wrong || pin.reasons[current]), strip);
  return line;
}

function pin() {
  const text = by("predicate").value.trim();
  if (!text) return by("predicate").focus();
  if (pins.length >= 20) return tell("Twenty predicates are pinned; unpin one first.", true, "answer");
  if (!pins.includes(text)) pins.push(text);
  by("predicate").value = "";
  tell("", false, "answer");
  return open(path, current);
}

async function find() {
  const text = by("predicate").value.trim(), from = upTo(current), turn = ++asking;
  if (!text) return by("predicate").focus();
  document.body.classList.add("working");
  by("find").disabled = true;
  tell("searching from step " + current + ", " + given.seconds + " seconds at most ...", false, "answer");
  try {
    const found = await ask("find", { path: from, predicate: text, at_end: by("at-end").checked });
    tell(found.text, found.verdict !== "found", "answer");
    if (found.verdict === "found" && turn === asking) {
      if (!pins.includes(text) && pins.length < 20) pins.push(text);
      await open(found.path, lengthOf(found.path), true);
    }
  } catch (error) { tell(error.message, true, "answer"); }
  by("find").disabled = false;
  document.body.classList.remove("working");
}

// ---- diagram, trace, link

// Draw the run, one drawing at a time, the latest wanted.
async function draw() {
  if (drawing) return;
  while (drawn !== path) {
    drawing = path;
    let found;
    try { found = await ask("picture", { path: drawing }); } catch (error) { found = { missing: error.message }; }
    drawn = drawing;
    if (drawn !== path) continue;
    svg = null;
    band = null;
    if (found.svg) {
      const read = new DOMParser().parseFromString(found.svg, "image/svg+xml").documentElement;
      svg = document.importNode(read, true);
    }
    by("picture").replaceChildren(svg || element("p", found.missing));
    if (svg) {
      crop();
      svg.addEventListener("click", event => {
        const node = event.target.closest("g.node"), row = node && /\brow(\d+)\b/.exec(node.getAttribute("class"));
        const number = row ? trace.steps.findIndex(step => step.row === Number(row[1])) : -1;
        if (number >= 0) show(number);
      });
      mark();
    }
  }
  drawing = null;
}

async function save() {
  try {
    const found = await ask("trace", { path: upTo(current) });
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([found.itf], { type: "application/json" }));
    link.download = found.file;
    link.click();
    URL.revokeObjectURL(link.href);
    tell("Saved the run up to step " + current + " as " + found.file + ": checker replay " + found.file);
  } catch (error) { failed(error); }
}

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href);
    tell("Copied. The part behind # names the run: it fits every page of this model with these constants.");
  } catch { tell("The browser does not allow copying; the address of this page is the link.", true); }
}

// ---- buttons and keys

by("back").addEventListener("click", () => show(current - 1));
by("next").addEventListener("click", () => show(current + 1));
by("slider").addEventListener("input", event => show(Number(event.target.value)));
by("process").addEventListener("change", mark);
by("filter").addEventListener("input", mark);
by("save").addEventListener("click", save);
by("copy").addEventListener("click", copy);
by("restart").addEventListener("click", () => open(path.split(".")[0], 0, true));
by("help").addEventListener("click", () => by("keys").showModal());
by("find").addEventListener("click", find);
by("ask").addEventListener("submit", event => { event.preventDefault(); pin(); });
by("predicate").addEventListener("keydown", event => {
  if (event.key === "Escape") event.target.blur();
  if (event.key !== "Enter" || !event.shiftKey) return;
  event.preventDefault();
  find();
});
for (const [name, times] of [["smaller", 1 / 1.25], ["fit", null], ["larger", 1.25]])
  by(name).addEventListener("click", () => { if (svg) enlarge(times); });

// A digit: the step is taken when no longer number could be meant, or at Enter.
function digit(key) {
  typed += key;
  clearTimeout(timer);
  if (Number(typed) * 10 > choices.length) return number();
  tell("step " + typed + " ... Enter takes it");
  timer = setTimeout(number, 1500);
}

function number() {
  clearTimeout(timer);
  const wanted = Number(typed);
  typed = "";
  tell("");
  if (wanted) take(wanted);
}

document.addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || !trace || by("keys").open) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const moves = {
    ArrowLeft: () => show(current - 1), k: () => show(current - 1),
    ArrowRight: () => show(current + 1), j: () => show(current + 1),
    Home: () => show(0), End: () => show(trace.steps.length - 1),
    "/": () => by("predicate").focus(), "?": () => by("keys").showModal(), s: save,
    Escape: () => { typed = ""; tell(""); },
  };
  if (/^\d$/.test(event.key)) digit(event.key);
  else if (event.key === "Enter" && typed) number();
  else if (event.key in moves) moves[event.key]();
  else return;
  event.preventDefault();
});

window.addEventListener("popstate", () => { const seal = read(); open(path, at, false, seal); });
const seal = read();
open(path, at, false, seal);
