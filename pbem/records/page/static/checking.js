// The formulas of fair deals and of the chain, drawn again by the browser's own WebCrypto.
const utf8 = new TextEncoder();
const hashed = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function signer(key) {
  const held = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", held, message));
}

async function seedOf(record) {
  const sign = await signer(unhex(record.secret));
  const { id, entropies } = record.set ?? { id: record.match, entropies: record.entropies };
  return hex(await sign(utf8.encode(["pbem-seed-v1", id, ...entropies].join("\0"))));
}

// The numbers of one label, in their fixed order, none likelier than another.
class Stream {
  constructor(sign, label) {
    Object.assign(this, { sign, label: utf8.encode(`${label}\0`), index: 0, words: [] });
  }

  async below(n) {
    for (;;) {
      if (!this.words.length) {
        const count = new Uint8Array(8);
        new DataView(count.buffer).setUint32(4, this.index);
        const block = new DataView((await this.sign(joined(this.label, count))).buffer);
        this.words = [0, 4, 8, 12, 16, 20, 24, 28].map((at) => block.getUint32(at));
        this.index += 1;
      }
      const word = this.words.shift();
      if (word - (word % n) <= 2 ** 32 - n) return word % n;
    }
  }

  async shuffled(items) {
    const order = [...items];
    for (let n = order.length; n > 1; n -= 1) {
      const at = await this.below(n);
      [order[n - 1], order[at]] = [order[at], order[n - 1]];
    }
    return order;
  }
}

async function drawnAgain(sign, draw) {
  const stream = new Stream(sign, draw.label);
  if (draw.items) return stream.shuffled(draw.items);
  const numbers = [];
  for (const n of draw.below) numbers.push(await stream.below(n));
  return numbers;
}

async function chainOf(record) {
  const { match, game, edition, options } = record;
  const rules = { match, game, edition, options, seats: record.seats.length };
  const heads = [await hashed(joined(unhex(record.commitment), utf8.encode(canonical(rules))))];
  for (const entry of record.log) heads.push(await hashed(joined(heads.at(-1), utf8.encode(canonical(entry)))));
  return heads.map(hex);
}

// What a seat adds to the deal, by who gave it: the hash of what a player typed, or the server's default.
const ENTROPIES = { __proto__: null, player: /^[0-9a-f]{64}$/, server: /^[0-9a-f]{32}$/ };

// The seats of all tables that share the deal have added to it; those of this table are here twice.
function checkSet({ set, entropies }) {
  const seats = entropies.length;
  const isWhole = set.entropies.length > 0 && set.entropies.length % seats === 0;
  if (set.place < 1 || !isWhole) throw new Unsound(say("badSet"));
  const own = set.entropies.slice((set.place - 1) * seats, set.place * seats);
  const isForm = (entropy) => ENTROPIES.player.test(entropy) || ENTROPIES.server.test(entropy);
  if (!set.entropies.every(isForm) || own.some((entropy, at) => entropy !== entropies[at])) {
    throw new Unsound(say("badSet"));
  }
  return say(own.length ? "goodSet" : "goodLaterTable", { tables: set.entropies.length / seats, place: set.place });
}

// Yields a sentence for each thing that holds, and throws Unsound with the first that does not. `beside` is what the
// file has beside the record: what each draw gave, and the hash that the mails named after each entry.
async function* checked(record, beside) {
  if (record.seats.length !== record.entropies.length || record.seats.length !== record.entropy_by.length) {
    throw new Unsound(say("unequal"));
  }
  if (hex(await hashed(unhex(record.secret))) !== record.commitment) throw new Unsound(say("badCommitment"));
  yield say("goodCommitment");
  const shared = record.set ? checkSet(record) : "";
  if ((await seedOf(record)) !== record.seed) throw new Unsound(say("badSeed"));
  record.entropies.forEach((entropy, at) => {
    const form = ENTROPIES[record.entropy_by[at]];
    if (!form?.test(entropy)) throw new Unsound(say("badEntropy", { seat: at + 1 }));
  });
  yield say("goodSeed", { count: record.entropy_by.filter((by) => by === "player").length });
  if (shared) yield shared;
  if (beside) yield await checkedDraws(record, beside.draws);
  checkOrder(record);
  yield await checkedChain(record, beside?.heads);
  checkResult(record);
  yield say("goodResult");
}

async function checkedDraws(record, draws) {
  const sign = await signer(unhex(record.seed));
  let count = 0;
  for (const { step, drawn } of draws) {
    for (const draw of drawn) {
      const again = await drawnAgain(sign, draw);
      if (canonical(again) !== canonical(draw.gave)) throw new Unsound(say("badDraw", { label: draw.label, step }));
      count += 1;
    }
  }
  return say("goodDraws", { count });
}

function checkOrder(record) {
  let last = 0;
  record.log.forEach((entry, at) => {
    const seats = entry.seat === null ? 0 : entry.seat;
    if (seats < 0 || seats > record.seats.length) {
      throw new Unsound(say("badSeat", { number: at + 1, seat: entry.seat }));
    }
    if (!("ply" in entry)) return;
    if (entry.ply <= last) throw new Unsound(say("badPly", { number: at + 1, ply: entry.ply }));
    last = entry.ply;
  });
}

async function checkedChain(record, witnessed) {
  const heads = await chainOf(record);
  if (witnessed) {
    const first = witnessed.findIndex((head, at) => !heads[at]?.startsWith(head));
    if (first === 0) throw new Unsound(say("badOpening"));
    if (first > 0 && first < heads.length) throw new Unsound(say("badEntry", { number: first, head: witnessed[first] }));
    if (witnessed.length !== heads.length) {
      throw new Unsound(say("badLength", { count: record.log.length, claimed: witnessed.length - 1 }));
    }
  }
  if (heads.at(-1) !== record.head) throw new Unsound(say("badChain"));
  return say("goodChain", { count: record.log.length, head: record.head.slice(0, 16) });
}

function checkResult(record) {
  const { ending, scores, winners } = record.result;
  if (!ENDINGS.includes(ending)) throw new Unsound(say("badEnding", { ending: shortly(ending) }));
  const acts = record.log.filter((entry) => "event" in entry);
  const event = ending === "agreed" ? "draw_agreed" : ending;
  if (ending === "finished") return;
  if (!acts.some((entry) => entry.event === event)) throw new Unsound(say("badEnding", { ending }));
  const gone = new Set(acts.filter((one) => ["resigned", "timed_out"].includes(one.event)).map((one) => one.seat));
  const all = record.seats.map((_, at) => at + 1);
  const won = { agreed: all, abandoned: [], aborted: [] }[ending] ?? all.filter((seat) => !gone.has(seat));
  if (scores !== null || canonical(winners) !== canonical(won)) throw new Unsound(say("badResult"));
}

function addLine(list, text, kind) {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = text;
  list.append(item);
}

// Shows each check as it passes, or the first thing that does not hold.
async function showChecks(list, record, beside) {
  list.replaceChildren();
  if (!globalThis.crypto?.subtle) {
    addLine(list, say("noCrypto"), "fails");
    return;
  }
  try {
    for await (const finding of checked(record, beside)) addLine(list, finding, "holds");
    addLine(list, say("legality"), "aside");
  } catch (error) {
    addLine(list, error instanceof Unsound ? error.message : say("badEverything"), "fails");
  }
}
