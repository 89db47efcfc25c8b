// Chooses a move by touching the board, without leaving the page. Without this script, the links do the same.
const main = document.getElementById("main");
const keys = "123456789";

// Places touched for the next part of the move, each with its number among places of the same name.
let touched = [];

const section = () => document.getElementById("choose");
const links = () => Array.from(main.querySelectorAll("a[data-touch]:not(.which a)"));
const placesOf = (link) => JSON.parse(link.dataset.touch);
const resting = () => JSON.parse(section().dataset.resting);
const instead = () => JSON.parse(section().dataset.instead);

// Links whose places begin with these.
const fitting = (names) => links().filter((link) => names.every((name, at) => placesOf(link)[at] === name));
const namesTouched = () => touched.map((place) => place.name);

function namedPlace(node) {
  const same = Array.from(main.querySelectorAll(`[data-place="${CSS.escape(node.dataset.place)}"]`));
  return { name: node.dataset.place, number: same.indexOf(node) };
}

// A touch waits for the one before, which may still be loading what follows.
let lastTouch = Promise.resolve();

// -- touching --------------------------------------------------------------------------------------

async function touch(place) {
  const names = namesTouched();
  if (names.at(-1) === place.name) touched.pop();
  else if (fitting([...names, place.name]).length) touched.push(place);
  else if (fitting([place.name]).length) touched = [place];
  else if (place.name in resting()) return follow(resting()[place.name]);
  else if (instead().includes(place.name)) {
    await follow(section().dataset.undo, "replaceState");
    return touch(place);
  } else return;
  const found = fitting(namesTouched());
  if (touched.length && found.length === 1 && placesOf(found[0]).length === touched.length) return follow(found[0].href);
  show();
}

const isTouchable = (name, names) =>
  fitting([...names, name]).length > 0 || fitting([name]).length > 0 || name in resting() || instead().includes(name);

// A finger that misses a narrow shape means the place whose box it is in, the smallest of several.
function placeAt(event) {
  const svg = event.target.closest("#choose svg.board");
  const direct = event.target.closest(".touchable[data-place]");
  const boxed = Array.from((direct ?? svg)?.querySelectorAll(".touchable[data-place]") ?? []).filter((node) => {
    const box = node.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  });
  return boxed.sort((one, other) => size(one) - size(other))[0] ?? direct;
}

const size = (node) => node.getBoundingClientRect().width * node.getBoundingClientRect().height;

// -- what the page shows ---------------------------------------------------------------------------

function show() {
  if (!section()) return;
  const names = namesTouched();
  const found = touched.length ? fitting(names) : [];
  const where = found.filter((link) => placesOf(link).length > touched.length);
  for (const node of main.querySelectorAll("#choose [data-place]")) {
    node.classList.toggle("touchable", isTouchable(node.dataset.place, names));
  }
  mark(where.length || !begun() ? where : found.length ? [] : links());
  ask(found, where);
}

const begun = () => Object.keys(resting()).length > 0;

function ask(found, where) {
  const hint = main.querySelector(".bar .hint");
  const which = main.querySelector(".bar .which");
  if (!hint) return;
  hint.dataset.first ??= hint.textContent;
  hint.hidden = false;
  const ready = found.filter((link) => !where.includes(link));
  hint.textContent = where.length ? hint.dataset.where : found.length ? hint.dataset.which : hint.dataset.first;
  which.replaceChildren(...ready.map((link) => link.closest("li").cloneNode(true)));
  which.hidden = !ready.length;
}

// Frames the places that are chosen, and with dashes those that may follow.
function mark(offered) {
  const svg = main.querySelector("#choose svg.board");
  svg.querySelector(".marks")?.remove();
  const layer = svg.appendChild(element("g", { class: "marks" }));
  const kind = touched.length ? "target" : "offer";
  const following = new Set(offered.map((link) => placesOf(link)[touched.length]));
  if (following.size <= MOST_FRAMES) for (const name of following) for (const node of nodes(svg, name)) frame(layer, node, kind);
  for (const place of [...touched, ...kept()]) {
    const same = nodes(svg, place.name);
    const node = same[place.number] ?? same[0];
    if (!node) continue;
    frame(layer, node, "halo");
    frame(layer, node, "picked");
  }
}

// More frames than this say nothing.
const MOST_FRAMES = 24;

// Width, in units of the picture, below which a thick frame would cover what it is around.
const SMALL = 45;

const nodes = (svg, name) => svg.querySelectorAll(`[data-place="${CSS.escape(name)}"]`);
const kept = () => Object.keys(resting()).map((name) => lately.find((place) => place.name === name) ?? { name, number: 0 });
// Places touched before, so that of two equal pieces the one that was touched stays framed.
let lately = [];

function frame(layer, node, kind) {
  const svg = layer.ownerSVGElement;
  const box = node.getBoundingClientRect();
  const turned = svg.getScreenCTM().inverse();
  const from = new DOMPoint(box.left, box.top).matrixTransform(turned);
  const to = new DOMPoint(box.right, box.bottom).matrixTransform(turned);
  const small = to.x - from.x < SMALL;
  const grow = small ? 0 : 3;
  const [width, height] = [to.x - from.x + 2 * grow, to.y - from.y + 2 * grow];
  const looks = small ? `${kind} small` : kind;
  layer.append(element("rect", { class: looks, x: from.x - grow, y: from.y - grow, width, height, rx: 10 }));
}

function element(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// -- going on --------------------------------------------------------------------------------------

async function follow(url, remember = "pushState") {
  section()?.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const keyboard = document.activeElement?.closest("#choose a");
    const top = boardTop();
    main.innerHTML = page.getElementById("main").innerHTML;
    document.title = page.title;
    // Without the anchor, which would hide the board from whoever loads the page again.
    if (remember) history[remember]({}, "", url.split("#")[0]);
    lately = [...touched, ...lately].slice(0, 20);
    touched = [];
    show();
    stay(top, keyboard);
  } catch {
    location.assign(url);
  }
}

const boardTop = () => main.querySelector("#choose svg.board")?.getBoundingClientRect().top;

// The board stays where it was; a reader who chose by a link goes on from the bar.
function stay(top, keyboard) {
  const now = boardTop();
  if (top === undefined || now === undefined) {
    const heading = main.querySelector("h1");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    return scrollTo(0, 0);
  }
  scrollBy({ top: now - top, behavior: "instant" });
  if (!keyboard) return;
  const bar = document.getElementById("bar");
  bar.focus({ preventScroll: true });
  bar.scrollIntoView({ block: "nearest", behavior: "instant" });
}

main.addEventListener("click", (event) => {
  const link = event.target.closest("#choose a[href]");
  const place = link ? null : placeAt(event);
  if (event.ctrlKey || event.metaKey || event.shiftKey || (!link && !place)) return;
  if (place) {
    const named = namedPlace(place);
    lastTouch = lastTouch.then(() => touch(named));
    return;
  }
  if (new URL(link.href).pathname !== location.pathname) return;
  event.preventDefault();
  follow(link.href);
});

document.addEventListener("keydown", (event) => {
  // Only within the list of choices: a single key must not act while somebody reads or types elsewhere.
  const typing = event.target.closest("input, textarea, select") || !event.target.closest("#choose");
  if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
  const at = keys.indexOf(event.key);
  const choices = main.querySelectorAll("#choose .pieces a");
  if (at >= 0 && choices[at]) follow(choices[at].href);
});

// Whoever opens the page sees the whole board above the bar, as far as there is room for it.
function showBoard() {
  const [board, bar] = [main.querySelector("#choose svg.board"), document.getElementById("bar")];
  if (!board || !bar || scrollY || location.hash) return;
  const { top, bottom } = board.getBoundingClientRect();
  const covered = bottom - (innerHeight - bar.offsetHeight);
  if (covered > 0) scrollBy({ top: Math.min(covered + 4, top), behavior: "instant" });
}

addEventListener("popstate", () => follow(location.href, ""));
show();
showBoard();
