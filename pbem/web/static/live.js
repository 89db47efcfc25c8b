// Brings a match's page up to date while somebody looks at it; without this, its reader loads it again.
const now = document.getElementById("now");
const said = document.getElementById("said");
let known = now.dataset.mark;
let stream = null;

const places = () => Array.from(now.querySelectorAll("summary, a, [tabindex]"));
const folds = () => Array.from(now.querySelectorAll("details"));

async function bringUpToDate() {
  try {
    const answer = await fetch(location.pathname, { cache: "no-cache" });
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("now");
    const focused = places().indexOf(document.activeElement);
    const open = folds().map((fold) => fold.open);
    now.innerHTML = fresh.innerHTML;
    folds().forEach((fold, at) => { fold.open = Boolean(open[at]); });
    if (places()[focused]) places()[focused].focus({ preventScroll: true });
    document.title = page.title;
    known = fresh.dataset.mark;
    const news = now.querySelectorAll(".news li");
    const lead = now.querySelector(".lead").textContent;
    said.textContent = news.length ? `${news[news.length - 1].textContent} ${lead}` : lead;
    // A match that is over changes no more.
    if (!known) stream.close();
  } catch {
    setTimeout(bringUpToDate, 4000);
  }
}

function listen() {
  if (stream || document.hidden || !known) return;
  stream = new EventSource(`${now.dataset.live}?since=${encodeURIComponent(known)}`);
  stream.addEventListener("changed", bringUpToDate);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return listen();
  if (stream) stream.close();
  stream = null;
});
listen();
