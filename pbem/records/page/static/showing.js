// The match of this file, step by step. Without this script the page is a list of all steps.
const data = (id) => JSON.parse(document.getElementById(id).textContent);
const at = (id) => document.getElementById(id);

async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function whole(pieces, signs) {
  return Array.from(signs, (sign) => {
    const number = sign.codePointAt(0) - 0x80;
    return pieces[number >= 0xd800 - 0x80 ? number - 0x800 : number];
  }).join("");
}

class Replay {
  constructor(packed, lines) {
    Object.assign(this, { packed, lines, step: 0, seen: 0, timer: 0 });
    this.last = packed.pictures.length - 1;
  }

  begin() {
    at("step").max = this.last;
    for (const [number, name] of this.packed.seen.entries()) at("seen").add(new Option(name, number));
    at("seen").closest("label").hidden = this.packed.seen.length === 1;
    const goes = { first: () => 0, back: () => this.step - 1, next: () => this.step + 1, last: () => this.last };
    for (const [id, where] of Object.entries(goes)) at(id).addEventListener("click", () => this.leap(where()));
    at("step").addEventListener("input", () => this.leap(Number(at("step").value)));
    at("seen").addEventListener("change", () => this.look(Number(at("seen").value)));
    at("play").addEventListener("click", () => this.play(!this.timer));
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.press(event));
    this.swiped();
    at("player").hidden = false;
    document.documentElement.classList.add("shown");
    this.follow();
  }

  // A link to a step is `#17`; the step is kept in the address as one.
  follow() {
    const wanted = /^#(\d{1,6})$/.exec(location.hash);
    this.stop();
    this.go(wanted ? Number(wanted[1]) : 0);
  }

  leap(step) {
    this.stop();
    this.go(step);
    history.replaceState(null, "", `#${this.step}`);
  }

  look(number) {
    this.seen = number;
    this.go(this.step);
  }

  go(step) {
    this.lines[this.step].removeAttribute("aria-current");
    this.step = Math.max(0, Math.min(this.last, step));
    const line = this.lines[this.step];
    line.setAttribute("aria-current", "step");
    const { pieces } = this.packed;
    const [picture, text, told] = ["pictures", "texts", "told"].map((part) => this.packed[part][this.step][this.seen]);
    const drawn = new DOMParser().parseFromString(whole(pieces, picture), "image/svg+xml");
    at("picture").replaceChildren(document.importNode(drawn.documentElement, true));
    at("text").textContent = whole(pieces, text);
    at("number").textContent = say("step", { step: this.step, last: this.last });
    at("when").textContent = line.querySelector("p > a")?.textContent ?? "";
    at("told").textContent = told.join(" ") || line.querySelector("p > span").textContent;
    at("remarks").replaceChildren(...Array.from(line.querySelectorAll(".remark"), (remark) => remark.cloneNode(true)));
    at("legal").textContent = this.packed.legal[this.step];
    at("legal").closest("details").hidden = !this.packed.legal[this.step];
    at("step").value = this.step;
    for (const id of ["first", "back"]) at(id).disabled = this.step === 0;
    for (const id of ["next", "last"]) at(id).disabled = this.step === this.last;
  }

  play(on) {
    this.stop();
    if (!on) return;
    if (this.step === this.last) this.go(0);
    const tick = () => {
      this.go(this.step + 1);
      if (this.step === this.last) this.stop();
      else this.timer = setTimeout(tick, Number(at("speed").value));
    };
    this.timer = setTimeout(tick, Number(at("speed").value));
    at("play").textContent = say("pause");
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    at("play").textContent = say("play");
  }

  press(event) {
    const held = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (held || event.target.closest("input, select, textarea, summary, pre")) return;
    const keys = {
      ArrowLeft: () => this.leap(this.step - 1), ArrowRight: () => this.leap(this.step + 1),
      Home: () => this.leap(0), End: () => this.leap(this.last),
    };
    if (event.key === " " && !event.target.closest("button, a")) keys[" "] = () => this.play(!this.timer);
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  swiped() {
    let from = null;
    at("picture").addEventListener("touchstart", (event) => {
      from = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    at("picture").addEventListener("touchend", (event) => {
      if (!from) return;
      const [across, down] = ["clientX", "clientY"].map((way) => event.changedTouches[0][way] - from[way]);
      from = null;
      if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) this.leap(this.step + (across < 0 ? 1 : -1));
    }, { passive: true });
  }
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
}

async function show(packed) {
  const record = readRecord(readJson(at("record").textContent));
  at("save").hidden = false;
  at("save").addEventListener("click", () => save(`${record.match}.json`, `${at("record").textContent.trim()}\n`));
  await showChecks(at("checks"), record, (await packed.catch(() => ({}))).beside);
}

async function start(packed) {
  const lines = Array.from(document.querySelectorAll("#steps > li"));
  // Links to a step lead to the board above the list, and not into the list.
  for (const line of lines) line.removeAttribute("id");
  new Replay(await packed, lines).begin();
}

const fail = (error) => addLine(at("checks"), error instanceof NoRecord ? error.message : say("badEverything"), "fails");
const packed = unpacked(data("packed"));
Promise.allSettled([show(packed).catch(fail), start(packed)]).then(() => {
  document.documentElement.dataset.checked = "yes";
});
