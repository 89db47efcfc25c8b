// Steps through a replay without reloading the page. Without this script, each step is a page of its own.
const replay = document.getElementById("replay");
const slider = document.getElementById("slider");
const auto = document.getElementById("auto");
const playing = document.getElementById("play");
const said = document.getElementById("said");
const last = Number(replay.dataset.last);
let here = Number(replay.dataset.step);
let wanted = here;
let timer = null;
const steps = new Map();

const address = (step, end = "") => {
  const found = new URL(replay.dataset.address, location.href);
  found.pathname += end;
  found.searchParams.set("step", step);
  return found;
};

function fetched(step) {
  if (!steps.has(step)) {
    const answer = fetch(address(step, "/step")).then((got) => {
      if (!got.ok) throw new Error(got.status);
      return got.text();
    });
    answer.catch(() => steps.delete(step));
    steps.set(step, answer);
  }
  return steps.get(step);
}

function mark(step) {
  slider.value = step;
  slider.labels[0].textContent = replay.dataset.of.replace("#", step);
  const goals = { first: 0, back: Math.max(step - 1, 0), next: Math.min(step + 1, last), last };
  replay.querySelectorAll("[data-go]").forEach((link) => { link.href = address(goals[link.dataset.go]).href; });
  document.querySelectorAll(".tabs [data-step]").forEach((link) => {
    const other = new URL(link.href);
    other.searchParams.set("step", step);
    link.href = other.href;
  });
  document.querySelectorAll(".list [aria-current]").forEach((line) => line.removeAttribute("aria-current"));
  const line = document.querySelector(`.list button[value="${step}"]`);
  if (!line) return;
  line.setAttribute("aria-current", "step");
  const box = line.closest("form");
  box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
}

async function show(step) {
  wanted = Math.min(Math.max(step, 0), last);
  const aim = wanted;
  mark(aim);
  try {
    const text = await fetched(aim);
    // Show the step that was requested last, whichever answer comes last.
    if (aim !== wanted || aim === here) return;
    const old = document.getElementById("step");
    const folds = Array.from(old.querySelectorAll("details"), (fold) => [fold.className, fold.open]);
    old.outerHTML = text;
    const fresh = document.getElementById("step");
    folds.forEach(([name, open]) => {
      const fold = Array.from(fresh.querySelectorAll("details")).find((one) => one.className === name);
      if (fold) fold.open = open;
    });
    here = aim;
    history.replaceState(null, "", address(here));
    said.textContent = fresh.querySelector(".told").textContent.trim().replace(/\s+/g, " ");
    if (here < last) fetched(here + 1).catch(() => {});
  } catch {
    // Without a network, the browser's own error page explains it best.
    location.assign(address(aim));
  }
}

function stop() {
  clearTimeout(timer);
  timer = null;
  playing.setAttribute("aria-pressed", "false");
}

function tick() {
  if (wanted >= last) return stop();
  show(wanted + 1);
  timer = setTimeout(tick, Number(document.getElementById("pace").value));
}

function play() {
  if (timer) return stop();
  playing.setAttribute("aria-pressed", "true");
  if (wanted >= last) show(0);
  timer = setTimeout(tick, Number(document.getElementById("pace").value));
}

const moves = {
  ArrowLeft: () => show(wanted - 1),
  ArrowRight: () => show(wanted + 1),
  Home: () => show(0),
  End: () => show(last),
  " ": play,
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, pre");
  const pressing = event.key === " " && event.target.closest("a, button, summary");
  const move = moves[event.key];
  if (!move || typing || pressing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  if (event.key !== " ") stop();
  move();
});

replay.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  ({ first: moves.Home, back: moves.ArrowLeft, next: moves.ArrowRight, last: moves.End })[link.dataset.go]();
});

document.querySelector(".list").addEventListener("click", (event) => {
  const line = event.target.closest("button");
  if (!line) return;
  event.preventDefault();
  stop();
  show(Number(line.value));
  replay.scrollIntoView({ block: "start" });
});

slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
playing.addEventListener("click", play);

let touch = null;
replay.addEventListener("touchstart", (event) => {
  const one = event.touches.length === 1 && event.target.closest("svg");
  touch = one ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
}, { passive: true });
replay.addEventListener("touchend", (event) => {
  if (!touch) return;
  const right = event.changedTouches[0].clientX - touch.x;
  const down = event.changedTouches[0].clientY - touch.y;
  touch = null;
  if (Math.abs(right) < 40 || Math.abs(right) < 2 * Math.abs(down)) return;
  stop();
  show(wanted + (right < 0 ? 1 : -1));
}, { passive: true });

auto.hidden = false;
playing.hidden = false;
document.querySelector(".keys").hidden = false;
document.querySelector("[data-plain]").hidden = true;
// A browser that returns to the page may have kept another position of the slider.
mark(here);
if (here < last) fetched(here + 1).catch(() => {});
