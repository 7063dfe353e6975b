/* PF1, sections 3 and 4: a transcript is read to the byte or not at all (check V0). */

const decoder = { fatal: true, ignoreBOM: true };

/* Write JSON in the one form that counts. Only for what has passed a shape: all its keys are ASCII. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/* --- shapes: functions from a value to whether it may stand there ------------------------------- */
export const isBoolean = (value) => typeof value === "boolean";
export const isText = (value) => typeof value === "string" && value.isWellFormed();
export const whole = (least, most) => (value) =>
  Number.isSafeInteger(value) && value >= least && value <= most;
export const oneOf = (...values) => (value) => values.includes(value);
const hexOf = (bytes) => (value) =>
  typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value);
const maybe = (shape) => (value) => value === null || shape(value);
const listOf = (shape, least, most) => (value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(shape);
const tuple = (...shapes) => (value) =>
  Array.isArray(value) && value.length === shapes.length && shapes.every((is, at) => is(value[at]));
export const record = (fields, optional = {}) => (value) =>
  value !== null &&
  typeof value === "object" &&
  !Array.isArray(value) &&
  Object.keys(fields).every((key) => Object.hasOwn(value, key)) &&
  Object.keys(value).every((key) => {
    if (Object.hasOwn(fields, key)) return fields[key](value[key]);
    return Object.hasOwn(optional, key) && optional[key](value[key]);
  });

const MOST_SEATS = 10;
const MOST_DICE = 8;
const hash = hexOf(32);
const seat = whole(0, MOST_SEATS - 1);
const face = whole(1, 6);
const round = whole(1, 2 ** 32 - 1);
const epoch = whole(0, 2 ** 16 - 1);
const number = whole(0, Number.MAX_SAFE_INTEGER);
const bid = (value) => typeof value === "string" && /^[1-9][0-9]{0,3}x[1-6]$/.test(value);

function isPhrase(hex) {
  if (typeof hex !== "string" || hex.length % 2 || !/^[0-9a-f]*$/.test(hex)) return false;
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  try {
    const text = new TextDecoder("utf-8", decoder).decode(bytes);
    return text === text.normalize("NFC");
  } catch {
    return false;
  }
}

const contribution = (value) =>
  tuple(oneOf("rand"), hash)(value) ||
  tuple(oneOf("text"), isPhrase)(value) ||
  tuple(oneOf("none"), oneOf(""))(value);

const lap = (value) =>
  record({}, Object.fromEntries(Array.from({ length: MOST_SEATS }, (_, at) => [`${at}`, face])))(
    value,
  ) && Object.keys(value).length >= 2;

const chain = (value) =>
  record({ name: oneOf("none") })(value) ||
  record({
    name: oneOf("quicknet"),
    hash,
    public_key: hexOf(96),
    period: whole(1, 2 ** 32 - 1),
    genesis: number,
  })(value);

const sealFields = {
  round,
  epoch,
  beacon_round: number,
  beacon: hash,
  cups: listOf(tuple(seat, hash, listOf(hash, 1, MOST_DICE)), 1, MOST_SEATS),
  seal: hash,
};
const seal = (value) =>
  record({ ...sealFields, chain: oneOf("none") })(value) ||
  record({ ...sealFields, chain: oneOf("quicknet"), signature: hexOf(48) })(value);

const lifted = record({
  seat,
  dice: listOf(face, 1, MOST_DICE),
  matching: whole(0, MOST_DICE),
});
const close = (kind, auto = isBoolean) =>
  record({
    kind: oneOf(kind),
    seat,
    auto,
    keys: listOf(tuple(seat, hash), 0, MOST_SEATS),
    caller: seat,
    bid: maybe(bid),
    bidder: maybe(seat),
    lifted: listOf(lifted, 0, MOST_SEATS),
    count: maybe(whole(0, MOST_SEATS * MOST_DICE)),
    held: maybe(isBoolean),
    loser: maybe(seat),
    gainer: maybe(seat),
    out: maybe(seat),
    next_opener: maybe(seat),
    next_mode: maybe(oneOf("normal", "palifico")),
    winner: maybe(seat),
  });

/* The kinds of event that close a round. */
export const CLOSINGS = ["dudo", "calza", "resign", "forfeit"];

const PAYLOADS = {
  create: record({ protocol: oneOf("PF1"), gid: hexOf(16), rules: isText, commitment: hash, chain }),
  start: record(
    {
      contributions: listOf(contribution, 2, MOST_SEATS),
      seats: listOf(seat, 2, MOST_SEATS),
      starter: oneOf("random", "roll_off", "declared"),
      opener: seat,
    },
    { rolls: listOf(lap, 1, 2 ** 12) },
  ),
  intent: record({ round, epoch, beacon_round: number, at: number }),
  fallback: record({ round, epoch }),
  seal,
  bid: record({ seat, auto: isBoolean, bid }),
  dudo: close("dudo"),
  calza: close("calza"),
  resign: close("resign"),
  forfeit: close("forfeit", oneOf(true)),
  epoch: record({ round, epoch }),
  rekey: record({ seed: hash, commitment: hash }),
  open: record({ seed: hash, reason: oneOf("finished", "cancelled") }),
};

/* What may follow what. After a new key the open round is rolled anew before anything else: who
   knows the old seed knows its dice. */
const RESTORE = { epoch: "roll", rekey: "restored", open: "ended" };
const ORDER = {
  new: { create: "room" },
  room: { start: "roll", rekey: "room", open: "ended" },
  roll: { seal: "bets", ...RESTORE },
  "roll by beacon": { intent: "wait", ...RESTORE },
  wait: { seal: "bets", fallback: "agreed", resign: "roll", ...RESTORE },
  agreed: { seal: "bets", resign: "roll", ...RESTORE },
  bets: { bid: "bets", ...Object.fromEntries(CLOSINGS.map((kind) => [kind, "roll"])), ...RESTORE },
  restored: { epoch: "roll" },
  ended: {},
};

const isEvent = record({
  hash,
  kind: (value) => Object.hasOwn(PAYLOADS, value),
  payload: () => true,
  seq: whole(0, 2 ** 32 - 1),
});

function readLine(text) {
  let event;
  try {
    event = JSON.parse(text);
  } catch {
    return { code: "V0.json" };
  }
  if (!isEvent(event) || !PAYLOADS[event.kind](event.payload)) return { code: "V0.fields" };
  if (canonical(event) !== text) return { code: "V0.canonical" };
  return { event };
}

/* Cut what was read into lines of text, or say in which line it is no UTF-8. */
function cut(input) {
  if (typeof input === "string") return { lines: input.split("\n") };
  const bytes = input instanceof Uint8Array ? input : new Uint8Array(input);
  const lines = [];
  for (let from = 0; from <= bytes.length; ) {
    const found = bytes.indexOf(10, from);
    const to = found < 0 ? bytes.length : found;
    try {
      lines.push(new TextDecoder("utf-8", decoder).decode(bytes.subarray(from, to)));
    } catch {
      return { lines, broken: lines.length + 1 };
    }
    from = to + 1;
  }
  return { lines };
}

/* Read a transcript, a string or bytes: {events} with the number of the line in each, or {line, code}. */
export function readLog(input) {
  const { lines, broken } = cut(input);
  const ends = broken === undefined && lines.at(-1) === "";
  const count = ends ? lines.length - 1 : lines.length;
  if (ends && count === 0) return { line: 1, code: "V0.empty" };
  const events = [];
  let state = "new";
  for (let at = 0; at < count; at += 1) {
    const line = at + 1;
    const { event, code } = readLine(lines[at]);
    if (code) return { line, code };
    const next = ORDER[state][event.kind];
    if (next === undefined) return { line, code: "V0.order" };
    events.push({ ...event, line });
    const byBeacon = next === "roll" && events[0].payload.chain.name !== "none";
    state = byBeacon ? "roll by beacon" : next;
  }
  if (broken !== undefined) return { line: broken, code: "V0.utf8" };
  return ends ? { events } : { line: count, code: "V0.cut" };
}
