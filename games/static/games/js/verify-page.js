/* The page "Check this game": fetch the log, check it here, and say in words what came of it. */
import { verifyOwnCup, verifyTranscript } from "./verify.js";

const byId = (id) => document.getElementById(id);
const page = byId("check");
const { sentences, names } = JSON.parse(byId("words").textContent);

function say(code, params = {}) {
  const known = { ...params, player: names[params.seat] ?? params.seat };
  return sentences[code].replace(/\{(\w+)\}/g, (_, name) => known[name] ?? "–");
}

const copyOf = (id) => byId(id).content.cloneNode(true);

function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

const colour = { pass: "is-held", fail: "is-missed", none: "soft" };

/* What is out of the ordinary holds, and yet wants to be read. */
const tagOf = ({ status, line }) => (status === "pass" && line !== null ? "note" : status);

/* Tell the findings of each check under its title. */
function tell(findings) {
  for (const item of byId("findings").children) {
    const own = findings.filter(({ check }) => check === item.dataset.check);
    const head = item.firstElementChild;
    head.replaceChildren(head.querySelector("h3"), copyOf(`tag-${tagOf(own[0])}`));
    item.replaceChildren(head);
    for (const { code, line, params, status } of own) {
      const told = paragraph(say(code, { ...params, line }));
      if (status !== "pass") told.className = colour[status];
      item.append(told);
    }
  }
}

function sum(findings, facts) {
  const lines = findings.flatMap(({ status, line }) => (status === "fail" ? [line] : []));
  const verdict = byId("verdict");
  verdict.classList.remove(...Object.values(colour));
  verdict.classList.add(lines.length ? colour.fail : colour.pass);
  if (!lines.length) {
    const isOpen = findings.some(({ code }) => code === "V1.ok");
    verdict.textContent = say(isOpen && facts.isEnded ? "all-holds" : "holds");
    return;
  }
  const first = Math.min(...lines.filter((line) => line !== null));
  verdict.textContent = Number.isFinite(first) ? say("fails", { line: first }) : say("fails-somewhere");
}

const grouped = (letters) => letters.match(/.{1,4}/g).join(" ");

function showSeals({ commitment, seals }) {
  const rows = [{ name: "c", letters: commitment, line: 1 }, ...seals].map((seal) => {
    const row = copyOf("row");
    const cells = row.querySelectorAll("th, td");
    [seal.name, grouped(seal.letters), seal.line].forEach((text, at) => {
      cells[at].textContent = text;
    });
    return row;
  });
  byId("seals").replaceChildren(...rows);
}

async function showOwn(bytes) {
  const { seat, round, epoch, key } = page.dataset;
  if (key === undefined) return;
  const place = { seat: Number(seat), round: Number(round), epoch: Number(epoch), key };
  const { status, code, line, params } = await verifyOwnCup(bytes, place);
  const verdict = byId("own-verdict");
  verdict.textContent = say(code, { line });
  verdict.className = colour[status];
  const dice = (params.dice ?? []).map((face) =>
    byId("faces").content.querySelector(`[data-face="${face}"]`).cloneNode(true),
  );
  byId("own-dice").replaceChildren(...dice);
}

async function load() {
  const answer = await fetch(page.dataset.transcript, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function check(bytes, mailText = "") {
  const { findings, facts } = await verifyTranscript(bytes, { mailText });
  tell(findings);
  sum(findings, facts);
  if (facts) showSeals(facts);
  return findings;
}

async function begin() {
  page.hidden = false;
  byId("unchecked").hidden = true;
  if (!globalThis.crypto?.subtle) {
    byId("verdict").textContent = say("no-crypto");
    return;
  }
  let bytes;
  try {
    bytes = await load();
  } catch {
    byId("verdict").textContent = say("not-loaded");
    return;
  }
  byId("mails").addEventListener("submit", async (event) => {
    event.preventDefault();
    const findings = await check(bytes, byId("mail-lines").value);
    const { code, line, params, status } = findings.find((found) => found.check === "V9");
    const verdict = byId("mail-verdict");
    verdict.textContent = say(code, { ...params, line });
    verdict.className = colour[status];
  });
  await check(bytes);
  await showOwn(bytes);
}

begin();
