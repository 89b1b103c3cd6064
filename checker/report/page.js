// The page of a trace: buttons, slider, arrow keys (with Shift: of one process), a click into the diagram, and links #step=7.
trace = JSON.parse(document.getElementById("trace").textContent);
svg = document.querySelector(".diagram svg");
const last = trace.steps.length - 1;

// To the next or previous step of the process chosen, or else of the one that takes this step.
function along(direction) {
  const lane = chosen("process") || trace.steps[current].lane;
  for (let number = current + direction; number >= 0 && number <= last; number += direction)
    if (lane && trace.steps[number].lane === lane) return show(number);
}

function show(number, again) {
  number = Math.max(0, Math.min(last, number));
  if (number === current && !again) return;
  current = number;
  document.getElementById("step").replaceChildren(...describe(trace.steps[number]));
  light(trace.steps[number].row);
  document.getElementById("slider").value = number;
  document.getElementById("position").textContent = number + " / " + last;
  highlight(trace.steps[number].row);
  for (const made of document.querySelectorAll(".runs tr[data-step]"))
    made.toggleAttribute("aria-current", Number(made.dataset.step) === number);
  history.replaceState(null, "", "#step=" + number);
}

function fromLink() {
  const found = /^#step=(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

document.getElementById("back").addEventListener("click", () => show(current - 1));
document.getElementById("next").addEventListener("click", () => show(current + 1));
document.getElementById("slider").addEventListener("input", event => show(Number(event.target.value)));
document.getElementById("earlier").addEventListener("click", () => along(-1));
document.getElementById("later").addEventListener("click", () => along(1));
document.getElementById("process").addEventListener("change", () => show(current, true));
document.getElementById("filter").addEventListener("input", () => show(current, true));
window.addEventListener("hashchange", () => { const number = fromLink(); if (number !== null) show(number); });
document.addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.shiftKey && /^Arrow(Left|Right)$/.test(event.key)) {
    event.preventDefault();
    return along(event.key === "ArrowLeft" ? -1 : 1);
  }
  const moves = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last };
  if (!(event.key in moves)) return;
  event.preventDefault();
  show(moves[event.key]);
});
if (svg) svg.addEventListener("click", event => {
  const node = event.target.closest("g.node");
  const found = node && /\brow(\d+)\b/.exec(node.getAttribute("class"));
  if (!found) return;
  const number = trace.steps.findIndex(step => step.row === Number(found[1]));
  if (number >= 0) show(number);
});
for (const made of document.querySelectorAll(".runs tr[data-step]")) {
  const go = () => show(Number(made.dataset.step));
  made.addEventListener("click", go);
  made.addEventListener("keydown", event => { if (event.key === "Enter") go(); });
}
if (svg) {
  crop();
  for (const [name, by] of [["smaller", 1 / 1.25], ["fit", null], ["larger", 1.25]])
    document.getElementById(name).addEventListener("click", () => enlarge(by));
}
scrolls = fromLink() !== null;
show(fromLink() ?? trace.opens);
scrolls = true;
