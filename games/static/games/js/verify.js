/* Check a game's transcript: PF1, section 5. No page is needed: it runs wherever there is WebCrypto.

   verifyTranscript(text, {mailText, seals}) answers {ok, findings, facts}. A finding is {check, status,
   line, code, params}; `status` is "pass", "fail" or "none" (nothing to check yet). It never throws. */
import * as pf1 from "./verify-dice.js";
import { CLOSINGS, canonical, readLog } from "./verify-form.js";
import { cupOf, factsOf, follow } from "./verify-log.js";
import { checkMails } from "./verify-mails.js";
import { Replay } from "./verify-rules.js";

export const CHECKS = ["V0", "V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9"];

const ZERO = pf1.toHex(pf1.ZERO);
/* drand's public beacon: whoever keeps another one could choose its values. */
const QUICKNET = {
  hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  public_key:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c" +
    "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb" +
    "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  period: 3,
  genesis: 1692803367,
};

const finding = (status, code, line = null, params = {}) => ({
  check: code.split(".")[0],
  status,
  line,
  code,
  params,
});
const pass = (code, params) => finding("pass", code, null, params);
const none = (code, params) => finding("none", code, null, params);
const fail = (code, event, params) => finding("fail", code, event.line, params);

export async function verifyTranscript(text, { mailText = "", seals = [] } = {}) {
  let findings;
  let facts = null;
  try {
    const { events, line, code } = readLog(text);
    if (events === undefined) {
      findings = [fail(code, { line }), ...CHECKS.slice(1).map((check) => none(`${check}.unread`))];
    } else {
      const log = await follow(events);
      const form = pass("V0.ok", { lines: events.length });
      const checks = [opened, chained, seated, lit, sealed, lifted, replayed, restored];
      findings = [form, ...(await Promise.all(checks.map((check) => check(log)))).flat()];
      findings.push(checkMails([mailText, ...seals].join("\n"), log.rounds, log.eras, events.length));
      facts = factsOf(log);
    }
  } catch {
    // What a hostile file could still bring about (too deep, too long) is a refusal like any other.
    findings = [fail("V0.broken", { line: null }), ...CHECKS.slice(1).map((c) => none(`${c}.unread`))];
  }
  return { ok: !findings.some(({ status }) => status === "fail"), findings, facts };
}

/* Check one's own cup of a round, by its key, against what was sealed: the finding, with its dice. */
export async function verifyOwnCup(text, { seat, round, epoch, key }) {
  try {
    const { events = [] } = readLog(text);
    const seal = events.find(
      ({ kind, payload }) => kind === "seal" && payload.round === round && payload.epoch === epoch,
    );
    const leaves = seal?.payload.cups.find(([owner]) => owner === seat)?.[2];
    if (leaves === undefined) return none("own.no-seal");
    const gid = pf1.fromHex(events[0].payload.gid);
    const place = { gid, round, epoch, seat, count: leaves.length };
    const cup = await pf1.cupOf(pf1.fromHex(key), place);
    if (cup.leaves.join() !== leaves.join()) return fail("own.differs", seal);
    return pass("own.ok", { round, dice: cup.dice });
  } catch {
    return none("own.no-seal");
  }
}

const isOpen = ({ eras }) => eras.every(({ seed }) => seed !== null);
const isNever = ({ rules }) => rules?.covered_cups_after_game === "never";

/* V1: the seed is the one that was committed to. */
async function opened({ eras, gid, rules }) {
  const known = eras.filter(({ seed }) => seed !== null);
  for (const { seed, commitment, opening } of known) {
    const committed = await pf1.commitment(gid, pf1.fromHex(seed));
    if (pf1.toHex(committed) !== commitment) return fail("V1.differs", opening);
  }
  if (known.length === eras.length) return pass("V1.ok");
  if (known.length) return pass("V1.partly");
  return none(isNever({ rules }) ? "V1.never" : "V1.closed");
}

/* V2: no event was changed, left out or put in. */
async function chained({ events }) {
  const hashes = await Promise.all(
    events.map(({ seq, kind, payload }, at) => {
      const after = at ? events[at - 1].hash : ZERO;
      return pf1.eventHash({ after, seq, kind, payload: canonical(payload) });
    }),
  );
  const isBroken = ({ seq, hash }, at) => seq !== at || pf1.toHex(hashes[at]) !== hash;
  const broken = events.find(isBroken);
  if (broken === undefined) return pass("V2.ok", { lines: events.length });
  return fail(broken.seq === events.indexOf(broken) ? "V2.hash" : "V2.gap", broken);
}

/* V3: chance sat everybody down, and chose who opens. */
async function seated({ start, startEra, rules }) {
  if (start === null) return none("V3.not-started");
  const { contributions, seats, starter, opener, rolls } = start.payload;
  const count = contributions.length;
  const isFitting = seats.length === count && seats.every((_, seat) => seats.includes(seat));
  if (!isFitting) return fail("V3.seats", start);
  const named = rules?.first_starter ?? starter;
  if (starter !== named && !(named === "declared" && starter === "random")) {
    return fail("V3.starter", start);
  }
  if (starter === "roll_off" ? !isRollOff(rolls, count, opener) : rolls !== undefined) {
    return fail("V3.roll-off", start);
  }
  if (opener >= count || (starter === "random" && opener !== 0)) return fail("V3.opener", start);
  if (!startEra.key) return none("V3.closed");
  if ((await pf1.seating(startEra.key, count)).join() !== seats.join()) return fail("V3.seats", start);
  if (starter === "roll_off") {
    const laps = (await pf1.rollOff(startEra.key, count)).map(Object.fromEntries);
    if (canonical(laps) !== canonical(rolls)) return fail("V3.roll-off", start);
  }
  return pass("V3.ok");
}

/* Say whether laps of rolls hang together: the highest go on, and the last of them opens. */
function isRollOff(rolls, count, opener) {
  let still = Array.from({ length: count }, (_, seat) => seat);
  for (const lap of rolls ?? []) {
    if (still.length < 2 || Object.keys(lap).join() !== still.join()) return false;
    still = pf1.highest(still.map((seat) => [seat, lap[seat]]));
  }
  return still.length === 1 && still[0] === opener;
}

/* V4: the beacon's round was fixed before anybody could know what it says. */
async function lit({ events, create, rounds }) {
  const { chain } = create;
  const isLit = chain.name === "quicknet";
  if (isLit && Object.entries(QUICKNET).some(([name, value]) => chain[name] !== value)) {
    return fail("V4.chain", events[0]);
  }
  const wrong = [];
  for (const event of events.filter(({ kind }) => kind === "intent")) {
    const { at, beacon_round: named } = event.payload;
    if (named !== Math.floor((at - chain.genesis) / chain.period) + 3) {
      wrong.push(fail("V4.round", event));
    }
  }
  let used = 0;
  for (const { event, payload, intent, isAgreed } of rounds) {
    if (payload.chain === "none") {
      if (isLit && !isAgreed) wrong.push(fail("V4.dropped", event));
      if (payload.beacon_round !== 0 || payload.beacon !== ZERO) wrong.push(fail("V4.empty", event));
      continue;
    }
    used += 1;
    const isMeant = isLit && !isAgreed && intent.payload.beacon_round === payload.beacon_round;
    if (!isMeant) wrong.push(fail("V4.switched", event));
    const beacon = await pf1.sha256(pf1.fromHex(payload.signature));
    if (pf1.toHex(beacon) !== payload.beacon) wrong.push(fail("V4.beacon", event));
  }
  if (wrong.length) return earliest(wrong);
  if (!isLit) return none("V4.no-beacon");
  return used ? pass("V4.ok", { rounds: used }) : none("V4.none-yet");
}

const earliest = (failures) => failures.reduce((one, other) => (other.line < one.line ? other : one));

/* V5: what was sealed is what the cups are, lifted or not. */
async function sealed(log) {
  const { rounds } = log;
  const failed = (await Promise.all(rounds.map((round) => sealFault(round, log)))).find(Boolean);
  if (failed) return failed;
  if (!rounds.length) return none("V5.none-yet");
  if (isOpen(log)) return pass("V5.ok", { rounds: rounds.length });
  return pass(isNever(log) ? "V5.never" : "V5.bound", { rounds: rounds.length });
}

async function sealFault({ event, payload, derived }, { events, gid }) {
  const { round, epoch, beacon_round: beaconRound, cups } = payload;
  if (cups.some(([seat], at) => at > 0 && seat <= cups[at - 1][0])) return fail("V5.order", event);
  for (const [seat, cup, leaves] of cups) {
    if (derived && derived.get(seat).leaves.join() !== leaves.join()) {
      return fail("V5.leaf", event, { seat });
    }
    const whole = await pf1.cupHash({ gid, round, epoch, seat, leaves });
    if (pf1.toHex(whole) !== cup) return fail("V5.cup", event, { seat });
  }
  const after = events[event.line - 2].hash;
  const seal = await pf1.sealHash({ gid, round, epoch, beaconRound, after, cups });
  return pf1.toHex(seal) === payload.seal ? null : fail("V5.seal", event);
}

/* V6: the cups that were lifted are the cups that were sealed. */
async function lifted(log) {
  const keyed = log.unrolled.find(({ payload }) => payload.keys.length);
  if (keyed) return fail("V6.seats", keyed);
  const closed = log.rounds.filter(({ closing }) => closing !== null);
  const failed = (await Promise.all(closed.map((round) => liftFault(round, log)))).find(Boolean);
  if (failed) return failed;
  const keys = closed.reduce((sum, { closing }) => sum + closing.payload.keys.length, 0);
  if (!keys) return none("V6.none-yet");
  return pass(isOpen(log) ? "V6.ok" : "V6.so-far", { keys });
}

async function liftFault(round, { gid }) {
  const { closing, payload, derived } = round;
  const { keys, lifted: shown } = closing.payload;
  if (keys.map(([seat]) => seat).join() !== shown.map(({ seat }) => seat).join()) {
    return fail("V6.seats", closing);
  }
  for (const [at, [seat, key]] of keys.entries()) {
    const leaves = payload.cups.find(([owner]) => owner === seat)?.[2];
    if (leaves === undefined) return fail("V6.seats", closing);
    const cup = await cupOf(pf1.fromHex(key), round, gid, seat, leaves);
    if (cup.dice.join() !== shown[at].dice.join()) return fail("V6.dice", closing, { seat });
    if (cup.leaves.join() !== leaves.join()) return fail("V6.leaf", closing, { seat });
    if (derived && derived.get(seat).key !== key) return fail("V6.key", closing, { seat });
  }
  return null;
}

/* V7: the game was played by its rules. */
function replayed({ events, rules, start, rounds }) {
  if (rules === null) return fail("V7.rules", events[0]);
  const last = events.at(-1);
  if (last.kind === "open" && isNever({ rules })) return fail("V7.never", last);
  if (start === null) {
    const isEarly = last.kind === "open" && last.payload.reason === "finished";
    return isEarly ? fail("V7.reason", last) : none("V7.not-started");
  }
  const { contributions, opener } = start.payload;
  const seats = contributions.length;
  if (seats > rules.max_players || opener >= seats) return fail("V7.seats", start);
  const game = new Replay(rules, seats, opener);
  for (const event of events.slice(start.line)) {
    const code = replay(game, event);
    if (code !== null) return fail(code, event);
  }
  return pass(game.winner === null ? "V7.so-far" : "V7.ok", { rounds: rounds.length });
}

function replay(game, { kind, payload }) {
  if (kind === "seal") return game.seal(payload);
  if (kind === "bid") return game.makeBid(payload);
  if (kind === "rekey") return null;
  if (kind === "open") {
    return (payload.reason === "finished") === (game.winner !== null) ? null : "V7.reason";
  }
  if (kind === "intent" || kind === "fallback" || kind === "epoch") {
    if (game.winner !== null) return "V7.over";
    if (payload.round !== game.number) return "V7.round";
    if (kind === "epoch") game.voidBids();
    return null;
  }
  return game.close(kind, payload);
}

/* V8: what is out of the ordinary is told, with its line. */
function restored({ events }) {
  const told = [];
  let epoch = 0;
  for (const event of events) {
    const { kind, payload } = event;
    if (kind === "epoch") epoch += 1;
    if (Object.hasOwn(payload, "epoch") && payload.epoch !== epoch) return fail("V8.differs", event);
    if (CLOSINGS.includes(kind)) epoch = 0;
    if (kind === "epoch" || kind === "rekey" || kind === "fallback") {
      told.push(finding("pass", `V8.${kind}`, event.line, { round: payload.round ?? null }));
    }
  }
  return told.length ? told : pass("V8.ok");
}
