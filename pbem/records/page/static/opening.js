// Any record, opened from this machine: nothing of it is sent anywhere, and nothing in it is ever more than text.
const at = (id) => document.getElementById(id);

async function textOf(file) {
  if (file.size > LARGEST) throw new NoRecord(say("tooLarge", { size: LARGEST / 1024 / 1024 }));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new NoRecord(say("noJson"));
  }
}

function line(record, entry, number) {
  const item = document.createElement("li");
  item.value = number;
  const part = (name, text) => {
    const span = document.createElement("span");
    span.className = name;
    span.textContent = text;
    item.append(span, " ");
  };
  const who = record.seats[entry.seat - 1] ?? (entry.seat === null ? "" : say("seat", { seat: entry.seat }));
  part("who", who);
  if ("move" in entry) part("move", entry.move);
  else part("told", said.events[entry.event].replace("{who}", who));
  part("when", entry.at.slice(0, 16).replace("T", " "));
  return item;
}

function outline(record) {
  const options = Object.entries(record.options).map(([name, value]) => `${name}: ${shortly(value)}`).join(", ");
  at("players").textContent = record.seats.join(", ");
  at("game").textContent = say("gameIs", { game: shortly(record.game), edition: record.edition, options: options || "–" });
  const { scores, winners, ending } = record.result;
  const won = Array.isArray(winners) ? winners.map((seat) => record.seats[seat - 1] ?? say("seat", { seat })) : [];
  const points = isObject(scores) ? record.seats.map((name, at_) => `${name} ${shortly(scores[at_ + 1])}`) : [];
  at("ending").textContent = say("endingIs", {
    ending: shortly(ending), winners: won.join(", ") || say("nobody"), scores: points.join(", ") || "–",
  });
}

async function open(file) {
  at("opened").hidden = true;
  at("wrong").hidden = true;
  delete document.documentElement.dataset.checked;
  try {
    const record = readAny(await textOf(file));
    outline(record);
    at("steps").replaceChildren(...record.log.map((entry, number) => line(record, entry, number + 1)));
    at("opened").hidden = false;
    await showChecks(at("checks"), record, null);
  } catch (error) {
    at("wrong").textContent = error instanceof NoRecord ? error.message : say("noJson");
    at("wrong").hidden = false;
  }
  document.documentElement.dataset.checked = "yes";
}


// The same file may be chosen once more, after it was changed.
at("file").addEventListener("click", () => { at("file").value = ""; });
at("file").addEventListener("change", () => at("file").files.length && open(at("file").files[0]));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) open(event.dataTransfer.files[0]);
});
at("choose").hidden = false;
