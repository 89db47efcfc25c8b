// Updates the page of a match while it is visible. Without this script, readers reload it.
// A part outside of `now`, such as the messages above a field where somebody writes, is updated by its id.
const now = document.getElementById("now");
const said = document.getElementById("said");
let known = now.dataset.mark;
let stream = null;

const places = () => Array.from(now.querySelectorAll("summary, a, [tabindex]"));
const parts = () => Array.from(document.querySelectorAll("[data-live-part]"));
const folds = () => Array.from(now.querySelectorAll("details"));
// Scroll position of the focused element, or of the page.
const height = (place) => (place || document.documentElement).getBoundingClientRect().top;

async function update() {
  try {
    const answer = await fetch(now.dataset.page || location.pathname, { cache: "no-cache" });
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("now");
    if (!fresh) return location.reload();
    const focused = places().indexOf(document.activeElement);
    const held = places()[focused];
    const open = folds().map((fold) => fold.open);
    const before = height(held);
    now.innerHTML = fresh.innerHTML;
    for (const part of parts()) part.innerHTML = page.getElementById(part.id)?.innerHTML ?? part.innerHTML;
    folds().forEach((fold, at) => { fold.open = Boolean(open[at]); });
    const again = places()[focused];
    if (again) again.focus({ preventScroll: true });
    if (again || !held) scrollBy({ top: height(again) - before, behavior: "instant" });
    document.title = page.title;
    known = fresh.dataset.mark;
    const news = now.querySelectorAll(".news li");
    const lead = now.querySelector("h1, .lead").textContent;
    said.textContent = news.length ? `${news[news.length - 1].textContent} ${lead}` : lead;
    // A finished match does not change.
    if (!known) stream.close();
  } catch {
    setTimeout(update, 4000);
  }
}

function listen() {
  if (stream || document.hidden || !known) return;
  stream = new EventSource(`${now.dataset.live}?since=${encodeURIComponent(known)}`);
  stream.addEventListener("changed", update);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return listen();
  if (stream) stream.close();
  stream = null;
});
listen();
