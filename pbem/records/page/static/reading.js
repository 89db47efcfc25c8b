"use strict";
// A record is read here as `pbem verify` reads it: what it says of itself is data, whatever it looks like.
const said = JSON.parse(document.getElementById("said").textContent);
const say = (name, parts = {}) =>
  said[name].replace(/\{(\w+)\}/g, (whole, part) => (part in parts ? String(parts[part]) : whole));

class NoRecord extends Error {}
class Unsound extends Error {}

const LARGEST = 32 * 1024 * 1024;
const FORMAT = "pbem-record/1";
const ENDINGS = ["finished", "resigned", "timed_out", "agreed", "abandoned", "aborted"];
const EVENTS = [
  "resigned", "timed_out", "substituted", "taken_back", "draw_agreed", "abandoned", "paused", "resumed",
  "extended", "aborted", "restored", "opened",
];
const MOVE_KEYS = "at,move,ply,salt,seat";
const EVENT_KEYS = "at,by,detail,event,salt,seat";

// JavaScript knows no difference between 1 and 1.0, and cannot hold every whole number: in a record neither occurs.
const STRINGS = /"(?:[^"\\]|\\.)*"/g;
const NO_WHOLE_NUMBER = /-?\d+(?:\.\d|[eE])|-0|\d{16}/;
const HALF_SIGN = /[\ud800-\udfff]/u;

function readJson(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new NoRecord(text.includes(`"${FORMAT}"`) ? say("cut", { count: readSoFar(text, error) }) : say("noJson"));
  }
  const number = text.replace(STRINGS, '""').match(NO_WHOLE_NUMBER);
  if (number) throw new NoRecord(say("noWholeNumber", { value: number[0] }));
  return data;
}

// How many entries of the log come before the place where a text is no JSON any more.
function readSoFar(text, error) {
  const place = /position (\d+)/.exec(error.message);
  return text.slice(0, place ? Number(place[1]) : text.length).split('"salt"').length - 1;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// Letters in the order of their numbers in Unicode, as Python sorts them, and not by halves of signs.
function byLetters(one, other) {
  const [left, right] = [Array.from(one), Array.from(other)];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const apart = left[at].codePointAt(0) - right[at].codePointAt(0);
    if (apart) return apart;
  }
  return left.length - right.length;
}

// The one JSON text of some data: keys sorted, no spaces, everything unescaped that may be.
function canonical(data) {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`;
  if (!isObject(data)) return JSON.stringify(data);
  const keys = Object.keys(data).sort(byLetters);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(data[key])}`).join(",")}}`;
}

function shortly(value) {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const wrong = (key, value) => new NoRecord(say("wrongPart", { key, value: shortly(value) }));
const isText = (value) => typeof value === "string";
const isNumber = (value) => Number.isSafeInteger(value);
const isDigest = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value);
const areTexts = (value) => Array.isArray(value) && value.every(isText);

const PARTS = {
  match: isText, game: isText, edition: isNumber, options: isObject, seats: areTexts, commitment: isDigest,
  secret: isDigest, entropies: areTexts, entropy_by: areTexts, seed: isDigest, log: Array.isArray, result: isObject,
  head: isDigest,
};
const SET_KEYS = "entropies,id,place";

function readRecord(data) {
  if (!isObject(data) || data.format !== FORMAT) throw new NoRecord(say("noRecord", { format: FORMAT }));
  for (const [key, fits] of Object.entries(PARTS)) {
    if (!Object.hasOwn(data, key)) throw new NoRecord(say("missing", { key }));
    if (!fits(data[key])) throw wrong(key, data[key]);
  }
  if (Object.hasOwn(data, "set") && !isSet(data.set)) throw wrong("set", data.set);
  if (HALF_SIGN.test(canonical(data)) || /\\ud[89a-f]/.test(canonical(data))) throw new NoRecord(say("noText"));
  data.log.forEach((entry, at) => {
    if (!isEntry(entry)) throw wrong(say("entry", { number: at + 1 }), entry);
  });
  return data;
}

function isSet(data) {
  if (!isObject(data) || Object.keys(data).sort().join(",") !== SET_KEYS) return false;
  return isText(data.id) && isNumber(data.place) && areTexts(data.entropies);
}

function isEntry(entry) {
  if (!isObject(entry)) return false;
  const keys = Object.keys(entry).sort().join(",");
  if (!isText(entry.at) || !isText(entry.salt)) return false;
  if (keys === MOVE_KEYS) return isNumber(entry.ply) && isNumber(entry.seat) && isText(entry.move);
  return (
    keys === EVENT_KEYS && EVENTS.includes(entry.event) && (entry.seat === null || isNumber(entry.seat)) &&
    isText(entry.by) && isObject(entry.detail)
  );
}
