// Updates the estimate of a new match with each choice. Without this script, a button does.
const form = document.getElementById("new");
const button = form.querySelector("button[name=reckon]");
const shown = ["estimate", "summary"];
let newest = 0;

async function update() {
  const typed = new FormData(form);
  typed.set("reckon", "1");
  newest += 1;
  const mine = newest;
  const answer = await fetch(form.action, { method: "POST", body: typed });
  if (!answer.ok || mine !== newest) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of shown) document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
}

if (button) {
  button.hidden = true;
  form.addEventListener("change", (event) => {
    if (event.target.matches("input[type=radio], select")) update();
  });
}
