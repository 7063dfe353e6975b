/* A transcript that could be read, put in order: its rounds, the seeds in force, what these yield. */
import * as pf1 from "./verify-dice.js";
import { CLOSINGS } from "./verify-form.js";
import { readRules } from "./verify-rules.js";

/* Put the events in their places: the seeds in force (eras), the rounds as they were sealed. */
export async function follow(events) {
  const [{ payload: create }] = events;
  const eras = [{ event: events[0], commitment: create.commitment, seed: null, opening: null }];
  const log = { events, create, eras, gid: pf1.fromHex(create.gid) };
  Object.assign(log, { start: null, rounds: [], unrolled: [] });
  let current = null;
  let intent = null;
  let isAgreed = false;
  for (const event of events) {
    const { kind, payload } = event;
    if (kind === "rekey" || kind === "open") {
      Object.assign(eras.at(-1), { seed: payload.seed, opening: event });
    }
    if (kind === "rekey") {
      eras.push({ event, commitment: payload.commitment, seed: null, opening: null });
    } else if (kind === "start") {
      Object.assign(log, { start: event, startEra: eras.at(-1) });
    } else if (kind === "intent") [intent, isAgreed] = [event, false];
    else if (kind === "fallback") isAgreed = true;
    else if (kind === "seal") {
      current = { event, payload, era: eras.at(-1), intent, isAgreed, closing: null };
      log.rounds.push(current);
    } else if (CLOSINGS.includes(kind)) {
      // While a beacon is waited for, a round can be closed (by a resignation) that was never rolled.
      if (current === null) log.unrolled.push(event);
      else current.closing = event;
      current = null;
    } else if (kind === "epoch") current = null;
  }
  log.rules = readRules(create.rules);
  await Promise.all(eras.map((era) => deriveEra(era, log)));
  await Promise.all(log.rounds.map((round) => deriveRound(round, log)));
  return log;
}

async function deriveEra(era, { create, start }) {
  if (era.seed === null || start === null) return;
  era.key = await pf1.gameKey({
    seed: pf1.fromHex(era.seed),
    gid: pf1.fromHex(create.gid),
    rulesText: create.rules,
    contributions: start.payload.contributions,
  });
}

/* Derive what S says of a round: for each sealed seat the key of its cup, its dice and leaves. */
async function deriveRound(round, { gid }) {
  if (!round.era.key) return;
  const { payload } = round;
  const key = await pf1.roundKey(round.era.key, {
    gid,
    round: payload.round,
    epoch: payload.epoch,
    chain: payload.chain,
    beaconRound: payload.beacon_round,
    beacon: pf1.fromHex(payload.beacon),
  });
  const derive = async ([seat, , leaves]) => {
    const bytes = await pf1.cupKey(key, seat);
    return [seat, { key: pf1.toHex(bytes), ...(await cupOf(bytes, round, gid, seat, leaves)) }];
  };
  round.derived = new Map(await Promise.all(payload.cups.map(derive)));
}

export const cupOf = (bytes, { payload: { round, epoch } }, gid, seat, leaves) =>
  pf1.cupOf(bytes, { gid, round, epoch, seat, count: leaves.length });

/* What a page shows beside the findings. */
export const factsOf = ({ create, rounds, events }) => ({
  commitment: pf1.short(create.commitment),
  chain: create.chain.name,
  isEnded: events.at(-1).kind === "open",
  seals: rounds.map(({ payload, event }) => ({
    name: sealName(payload),
    letters: pf1.short(payload.seal),
    seq: event.seq,
    line: event.line,
  })),
});

const sealName = ({ round, epoch }) => (epoch ? `r${round}.${epoch}` : `r${round}`);
