/* PF1, sections 1 and 2: how bytes are joined, hashed and keyed, and what a game derives from them.
   Written from docs/pf1.md alone; all arithmetic on secrets is the browser's own (WebCrypto). */

const encoder = new TextEncoder();
const SHA = "SHA-256";

export const ZERO = new Uint8Array(32);

export const utf8 = (text) => encoder.encode(text);

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/* Read an even number of hexadecimal digits; the caller has seen that they are. */
export function fromHex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/* Write a whole number below 2^53 big-endian in so many bytes. No shifts: they end at 32 bits. */
export function u(number, width) {
  const bytes = new Uint8Array(width);
  for (let at = width - 1, rest = number; at >= 0; at -= 1) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

export function join(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const framed = (label, parts) =>
  join(utf8(`PF1:${label}`), u(0, 1), ...parts.flatMap((part) => [u(part.length, 4), part]));

export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest(SHA, bytes));

/* H(label, parts) */
export const hash = (label, ...parts) => sha256(framed(label, parts));

/* Import a key once; it is used for many values. */
export const keyOf = (bytes) =>
  crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: SHA }, false, ["sign"]);

/* M(key, label, parts) */
export const mac = async (key, label, ...parts) =>
  new Uint8Array(await crypto.subtle.sign("HMAC", key, framed(label, parts)));

/* uniform(key, label, sides, index): one of 1..sides, none more often than another. */
export async function uniform(key, label, sides, index) {
  const limit = 256 - (256 % sides);
  for (let block = 0; ; block += 1) {
    const byte = (await mac(key, label, u(index, 2), u(block, 4))).find((value) => value < limit);
    if (byte !== undefined) return 1 + (byte % sides);
  }
}

export const commitment = (gid, seed) => hash("server", gid, seed);

/* Return G, ready for use. `contributions` are [kind, hex] in the order of joining. */
export async function gameKey({ seed, gid, rulesText, contributions }) {
  const parts = await Promise.all(
    contributions.map(([kind, raw]) => hash("contrib", utf8(kind), fromHex(raw))),
  );
  const rules = await sha256(utf8(rulesText));
  return keyOf(await mac(await keyOf(seed), "game", gid, rules, u(parts.length, 1), ...parts));
}

/* Return which contributor sits on each seat. */
export async function seating(key, count) {
  const seats = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = (await uniform(key, "seat", last + 1, last)) - 1;
    [seats[last], seats[other]] = [seats[other], seats[last]];
  }
  return seats;
}

/* Return the laps of the roll-off, each [[seat, face], …]; the last has one highest face. */
export async function rollOff(key, count) {
  const laps = [];
  let still = Array.from({ length: count }, (_, seat) => seat);
  while (still.length > 1) {
    const offset = laps.length * count;
    const roll = async (seat) => [seat, await uniform(key, "roll-off", 6, offset + seat)];
    const lap = await Promise.all(still.map(roll));
    laps.push(lap);
    still = highest(lap);
  }
  return laps;
}

/* Return the seats that rolled the highest face of a lap. */
export function highest(lap) {
  const most = Math.max(...lap.map(([, face]) => face));
  return lap.filter(([, face]) => face === most).map(([seat]) => seat);
}

/* Return K of a round. */
export async function roundKey(key, { gid, round, epoch, chain, beaconRound, beacon }) {
  const place = [gid, u(round, 4), u(epoch, 2), utf8(chain), u(beaconRound, 8), beacon];
  return keyOf(await mac(key, "round", ...place));
}

export const cupKey = (key, seat) => mac(key, "cup", u(seat, 1));

/* Return the dice that a cup's key yields, and their leaves in hex. */
export async function cupOf(bytes, { gid, round, epoch, seat, count }) {
  const key = await keyOf(bytes);
  const place = [gid, u(round, 4), u(epoch, 2), u(seat, 1)];
  const die = async (number) => {
    const [face, salt] = await Promise.all([
      uniform(key, "die", 6, number),
      mac(key, "salt", u(number, 1)),
    ]);
    return [face, toHex(await hash("leaf", ...place, u(number, 1), u(face, 1), salt))];
  };
  const dice = await Promise.all(Array.from({ length: count }, (_, number) => die(number)));
  return { dice: dice.map(([face]) => face), leaves: dice.map(([, leaf]) => leaf) };
}

/* Return the hash of a cup, from its leaves in hex. */
export const cupHash = ({ gid, round, epoch, seat, leaves }) =>
  hash("cup", gid, u(round, 4), u(epoch, 2), u(seat, 1), u(leaves.length, 1), ...leaves.map(fromHex));

/* Return the seal of a round. `cups` are [[seat, hash in hex], …], `after` the hash before, in hex. */
export const sealHash = ({ gid, round, epoch, beaconRound, after, cups }) =>
  hash(
    "seal",
    gid,
    u(round, 4),
    u(epoch, 2),
    u(beaconRound, 8),
    fromHex(after),
    ...cups.map(([seat, cup]) => join(u(seat, 1), fromHex(cup))),
  );

/* Return the hash of an event; `payload` is its canonical JSON. */
export const eventHash = ({ after, seq, kind, payload }) =>
  hash("event", fromHex(after), u(seq, 4), utf8(kind), utf8(payload));

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/* Shorten a hash in hex as mails do: its first 128 bits in base32, 26 letters. */
export function short(text) {
  let letters = "";
  let bits = 0;
  let value = 0;
  for (const byte of fromHex(text.slice(0, 32))) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) letters += BASE32[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return letters + BASE32[(value << (5 - bits)) & 31];
}
