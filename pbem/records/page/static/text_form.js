// A record's text form, as docs/reference/records.md describes it: only words count, not how they are broken into lines.
const OPENING = `[Format "${FORMAT}"]`;
const BLANKS = /(?:\s|\{[^}]*\}|;[^\r\n]*)*/y;
const WORD = /[^\s"@{}[\];=]+/y;
const WORD_OF_MOVE = /[^\s"@{}()[\];]+/y;
const QUOTED = /"(?:[^"\\]|\\.)*"/y;
const SIMPLE = /-?\d[\d.eE+-]*|true|false|null/y;
const TAGS = {
  Game: "game", Match: "match", Commitment: "commitment", Secret: "secret", Seed: "seed", Head: "head",
};
const SEAT_TAGS = { Seat: "seats", Entropy: "entropies", EntropyBy: "entropy_by" };

class Scan {
  constructor(text, at) {
    Object.assign(this, { text, at });
  }

  line() {
    return this.text.slice(0, this.at).split("\n").length;
  }

  // What a pattern finds here, or nothing.
  found(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  peek() {
    this.found(BLANKS);
    return this.text[this.at] ?? "";
  }

  taken(pattern) {
    this.peek();
    const found = this.found(pattern);
    if (!found) throw new SyntaxError("a word is missing");
    return found;
  }

  literally(expected) {
    this.peek();
    if (!this.text.startsWith(expected, this.at)) throw new SyntaxError(`${expected} is missing`);
    this.at += expected.length;
  }

  word() {
    return this.taken(WORD);
  }

  value() {
    return this.peek() === '"' ? String(this.json()) : this.word();
  }

  json() {
    this.peek();
    const from = this.at;
    let depth = 0;
    do {
      if (this.found(QUOTED) || this.found(SIMPLE)) continue;
      const sign = this.text[this.at];
      if (sign === undefined) throw new SyntaxError("it ends here");
      depth += "[{".includes(sign) ? 1 : "]}".includes(sign) ? -1 : 0;
      this.at += 1;
    } while (depth > 0);
    return readJson(this.text.slice(from, this.at));
  }

  *until(end, take) {
    while (![end, ""].includes(this.peek())) yield take();
  }
}

function readText(text) {
  const scan = new Scan(text, OPENING.length);
  const data = { format: FORMAT, options: {}, seats: [], entropies: [], entropy_by: [], log: [] };
  try {
    readParts(scan, data);
  } catch {
    throw new NoRecord(say("wrongLine", { line: scan.line(), count: data.log.length }));
  }
  return data;
}

function readParts(scan, data) {
  for (let begins = scan.peek(); begins; begins = scan.peek()) {
    if (begins === "[") readTag(scan, data);
    else if (begins === "=") enter(data, "result", readResult(scan, data.seats.length));
    else data.log.push(begins === "*" ? readEvent(scan) : readMove(scan));
  }
  if (!data.result || data.salts?.length !== data.log.length) throw new SyntaxError("it is not complete");
  data.log.forEach((entry, at) => Object.assign(entry, { salt: data.salts[at] }));
  delete data.salts;
}

function readTag(scan, data) {
  scan.literally("[");
  const name = scan.word();
  const letters = name.replace(/\d+$/, "");
  if (name === "Option") enter(data.options, scan.value(), scan.json());
  else if (name === "Salts") enter(data, "salts", [...scan.until("]", () => scan.value())]);
  else if (name === "Edition") enter(data, "edition", numberIn(scan.value(), /^(-?\d+)$/));
  else if (name === "Set") enter(data, "set", { id: scan.value(), entropies: [] });
  else if (name === "SetPlace" && data.set) enter(data.set, "place", numberIn(scan.value(), /^(-?\d+)$/));
  else if (data.set && name === `SetEntropy${data.set.entropies.length + 1}`) data.set.entropies.push(scan.value());
  else if (Object.hasOwn(TAGS, name)) enter(data, TAGS[name], scan.value());
  else if (Object.hasOwn(SEAT_TAGS, letters) && name === letters + (data[SEAT_TAGS[letters]].length + 1)) {
    data[SEAT_TAGS[letters]].push(scan.value());
  } else throw new SyntaxError("such a tag does not belong here");
  scan.literally("]");
}

function readMove(scan) {
  const ply = numberIn(scan.word(), /^(-?\d+)\.$/);
  const seat = numberIn(scan.word(), /^\((-?\d+)\)$/);
  const words = () => [...scan.until("@", () => scan.taken(WORD_OF_MOVE))].join(" ");
  const move = scan.peek() === '"' ? scan.value() : words();
  scan.literally("@");
  return { ply, seat, move, at: scan.value() };
}

function readEvent(scan) {
  scan.literally("*");
  const event = scan.word();
  const seat = scan.peek() === "(" ? numberIn(scan.word(), /^\((-?\d+)\)$/) : null;
  scan.literally("by");
  const [by, detail] = [scan.value(), {}];
  while (scan.peek() !== "@") {
    const name = scan.value();
    scan.literally("=");
    enter(detail, name, scan.json());
  }
  scan.literally("@");
  return { event, seat, by, detail, at: scan.value() };
}

function readResult(scan, seats) {
  scan.literally("=");
  const ending = scan.word();
  if (ending === "data") return scan.json();
  const words = [ending, ...scan.until("[", () => scan.word())].join(" ");
  const told = /^([a-z_]+) won by(?: nobody|((?: \(-?\d+\))+))(?: scores((?: -?\d+)*))?$/.exec(words);
  if (!told) throw new SyntaxError("the result cannot be parsed");
  const numbers = (text) => (text?.match(/-?\d+/g) ?? []).map(Number);
  const points = told[3] === undefined ? null : numbers(told[3]);
  if (points && points.length !== seats) throw new SyntaxError("the numbers of scores and seats differ");
  const scores = points?.length ? Object.fromEntries(points.map((score, at) => [at + 1, score])) : points;
  return { scores, winners: numbers(told[2]), ending: told[1] };
}

function enter(data, key, value) {
  if (Object.hasOwn(data, key)) throw new SyntaxError("it appears here twice");
  Object.defineProperty(data, key, { value, enumerable: true, configurable: true, writable: true });
}

function numberIn(word, form) {
  const found = form.exec(word);
  if (!found) throw new SyntaxError("not a number in the form that belongs here");
  return Number(found[1]);
}

const readAny = (text) => {
  const begun = text.replace(/^[\ufeff\s]+/, "");
  return readRecord(begun.startsWith(OPENING) ? readText(begun) : readJson(text));
};
