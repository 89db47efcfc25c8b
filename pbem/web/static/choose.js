// Chooses a move by touching the board, without leaving the page. Without this script, the links do the same.
const main = document.getElementById("main");
const keys = "123456789";

// A square may belong to several moves; then touching it narrows the list to these.
const fitting = (piece, offered) =>
  offered.filter((link) => {
    const said = link.dataset.choose;
    return said === piece || said.split(/[- ]/).includes(piece);
  });

const offers = () => Array.from(main.querySelectorAll("a[data-choose]"));

function makeTouchable() {
  for (const place of main.querySelectorAll("[data-piece]")) {
    const links = fitting(place.dataset.piece, offers());
    place.classList.toggle("touchable", links.length > 0);
    if (links.length === 1) place.dataset.goes = links[0].href;
    else delete place.dataset.goes;
  }
}

async function follow(url) {
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    main.innerHTML = page.getElementById("main").innerHTML;
    document.title = page.title;
    history.pushState({}, "", url);
    const choosing = main.querySelector("#choose h2");
    const next = choosing || main.querySelector("h1");
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    if (!choosing) scrollTo(0, 0);
    makeTouchable();
  } catch {
    location.assign(url);
  }
}

main.addEventListener("click", (event) => {
  const link = event.target.closest("#choose a[href]");
  const place = event.target.closest("[data-piece].touchable");
  if (event.ctrlKey || event.metaKey || event.shiftKey || (!link && !place)) return;
  if (link && new URL(link.href).pathname !== location.pathname) return;
  event.preventDefault();
  if (link) follow(link.href);
  else if (place.dataset.goes) follow(place.dataset.goes);
  else narrow(place);
});

function narrow(place) {
  const links = fitting(place.dataset.piece, offers());
  for (const link of offers()) link.closest("li").hidden = !links.includes(link);
  for (const other of main.querySelectorAll("[data-piece].chosen")) other.classList.remove("chosen");
  place.classList.add("chosen");
  links[0].focus();
}

document.addEventListener("keydown", (event) => {
  // Only within the list of choices: a single key must not act while somebody reads or types elsewhere.
  const typing = event.target.closest("input, textarea, select") || !event.target.closest("#choose");
  if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
  const at = keys.indexOf(event.key);
  const links = main.querySelectorAll("#choose .moves a.button, #choose .pieces a");
  if (at >= 0 && links[at]) follow(links[at].href);
});

window.addEventListener("popstate", () => location.reload());
makeTouchable();
