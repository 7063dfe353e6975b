/* PF1, section 4: the lines that mails carry, against the transcript (check V9). */
import { short } from "./verify-dice.js";

/* The letters may be set apart, as pages show them; a mail program may break the line. */
const LINE =
  /\bSeal\s+(c|r\d{1,10}(?:\.\d{1,5})?)\s+·\s+([a-z2-7](?: ?[a-z2-7]){25})(?![a-z2-7])(?:\s+·\s+log\s+(\d{1,10})\b)?/gi;
const BEGINS = /\bSeal\s+(?:c|r\d+(?:\.\d+)?)\s+·/gi;

const answer = (status, code, line = null, params = {}) => ({ check: "V9", status, line, code, params });

/* Compare the lines of a text with the rounds and commitments of a log of so many events. */
export function checkMails(text, rounds, eras, length) {
  const lines = [...text.matchAll(LINE)];
  if (lines.length < [...text.matchAll(BEGINS)].length) return answer("fail", "V9.unreadable");
  if (!lines.length) return answer("none", text.trim() ? "V9.no-lines" : "V9.no-mail");
  let compared = 0;
  for (const [, name, letters, log] of lines) {
    const found = compare(name.toLowerCase(), letters.replaceAll(" ", "").toUpperCase(), log && Number(log), {
      rounds,
      eras,
      length,
    });
    if (found.status === "fail") return found;
    if (found.status === "pass") compared += 1;
  }
  const newer = lines.length - compared;
  if (!compared) return answer("none", "V9.newer", null, { newer });
  return answer("pass", newer ? "V9.partly" : "V9.ok", null, { seals: compared, newer });
}

function compare(name, letters, log, { rounds, eras, length }) {
  const known = name === "c" ? commitments(eras) : sealsOf(name, rounds);
  const [first] = known;
  if (first === undefined) {
    // A mail may be younger than the file; a file that is longer must have what the mail has.
    const [round] = name.slice(1).split(".").map(Number);
    const newest = rounds.at(-1)?.payload.round ?? 0;
    const isNewer = log === undefined ? round > newest : log >= length;
    return isNewer ? answer("none", "V9.newer") : answer("fail", "V9.missing", null, { name });
  }
  const same = known.find((seal) => seal.letters === letters);
  if (same === undefined) return answer("fail", "V9.differs", first.line, { name });
  if (log !== undefined && log !== same.seq) return answer("fail", "V9.position", same.line, { name });
  return answer("pass", "V9.ok");
}

const commitments = (eras) =>
  eras.map(({ event, commitment }) => ({ letters: short(commitment), seq: event.seq, line: event.line }));

function sealsOf(name, rounds) {
  const [round, epoch = 0] = name.slice(1).split(".").map(Number);
  return rounds
    .filter(({ payload }) => payload.round === round && payload.epoch === epoch)
    .map(({ payload, event }) => ({ letters: short(payload.seal), seq: event.seq, line: event.line }));
}
