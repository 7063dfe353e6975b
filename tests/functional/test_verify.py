"""The verifier that runs in the browser, asked in a real Chromium."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from tests.functional.forgeries import (
    FORFEITS,
    FORGERIES,
    first,
    forfeited_log,
    lines_of,
    rechained,
    whole_log,
)
from tests.unit.fairness.log_maker import random_log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NewContext = Callable[..., BrowserContext]
Verdict = Callable[..., dict[str, Any]]

VERIFY = """async ([url, text, options]) => {
  const { verifyTranscript } = await import(url);
  return verifyTranscript(text, options);
}"""
SEVERAL = """async ([url, texts]) => {
  const { verifyTranscript } = await import(url);
  return Promise.all(texts.map((text) => verifyTranscript(text)));
}"""
VECTOR = """async (url) => {
  const pf1 = await import(url);
  const gid = pf1.fromHex("000102030405060708090a0b0c0d0e0f");
  const seed = Uint8Array.from({ length: 32 }, (_, at) => at);
  const phrase = pf1.toHex(pf1.utf8("café au lait"));
  const contributions = [["rand", "11".repeat(32)], ["text", phrase], ["none", ""]];
  const game = await pf1.gameKey({ seed, gid, rulesText: "perudo-rules/1", contributions });
  const place = { gid, round: 1, epoch: 0 };
  const beacon = { beaconRound: 123456, beacon: new Uint8Array(32).fill(0xfc) };
  const key = await pf1.roundKey(game, { ...place, chain: "quicknet", ...beacon });
  const cups = [];
  for (const seat of [0, 1, 2]) {
    const bytes = await pf1.cupKey(key, seat);
    const cup = await pf1.cupOf(bytes, { ...place, seat, count: 5 });
    const hash = pf1.toHex(await pf1.cupHash({ ...place, seat, leaves: cup.leaves }));
    cups.push([pf1.toHex(bytes), cup.dice.join(" "), hash]);
  }
  const seal = await pf1.sealHash({
    ...place, ...beacon, after: "00".repeat(32), cups: cups.map(([, , hash], seat) => [seat, hash]),
  });
  return {
    commitment: pf1.toHex(await pf1.commitment(gid, seed)),
    seats: (await pf1.seating(game, 3)).join(" "),
    cups,
    seal: pf1.toHex(seal),
  };
}"""


@pytest.fixture
def page(new_context: NewContext, live_server: LiveServer) -> Page:
    """Return a page of the site, for its origin: the verifier is asked from there."""
    opened = new_context(base_url=live_server.url).new_page()
    opened.goto("/rules/")
    return opened


@pytest.fixture
def verify(page: Page) -> Verdict:
    """Return the browser's verdict on a transcript."""

    def run(text: str, **options: object) -> dict[str, Any]:
        answer: dict[str, Any] = page.evaluate(
            VERIFY, ["/static/games/js/verify.js", text, options]
        )
        return answer

    return run


def failures(answer: dict[str, Any]) -> list[tuple[str, int | None]]:
    return [
        (found["code"], found["line"]) for found in answer["findings"] if found["status"] == "fail"
    ]


def status_of(answer: dict[str, Any], check: str) -> str:
    return next(str(found["status"]) for found in answer["findings"] if found["check"] == check)


def test_the_vector_of_the_specification_comes_out(page: Page) -> None:
    made = page.evaluate(VECTOR, "/static/games/js/verify-dice.js")
    assert made["commitment"].startswith("9c6a47497ba0ec8df0b7831914fe7041")
    assert made["seats"] == "2 0 1"
    assert [dice for _, dice, _ in made["cups"]] == ["1 6 4 1 5", "4 2 6 1 4", "4 2 4 4 5"]
    assert made["cups"][0][0] == "4c52181d6a1f3c2a9b373e794e764e86307bc0563e93df200a7c9838c2af402b"
    assert [cup for _, _, cup in made["cups"]] == [
        "e6a8f5d3babe9e26cd0d75b51aa80392b92e13c3b2219d1d39cdf333b91162b9",
        "94ccad71c6e453c6d7c0bf207930ee338031337f47d1caf04bf287b925fed708",
        "1f687cc1ed9b8e0a519a8ee52b9587537e3157fe3c7c82fe9e4acabaf08d1caa",
    ]
    assert made["seal"] == "5fbb06e01b6fe97fe2ba059390b48f4c092656369642a1342f37e6e0978d6e10"


def test_honest_games_pass_whatever_their_rules_and_history(page: Page) -> None:
    logs = [random_log(Random(n), quits_after=n if n % 4 == 3 else None) for n in range(60)]
    seen = {event.kind for maker in logs for event in maker.events}
    assert seen >= {"intent", "fallback", "epoch", "rekey", "resign", "forfeit", "calza", "open"}
    texts = [maker.text() for maker in logs]
    answers = page.evaluate(SEVERAL, ["/static/games/js/verify.js", texts])
    assert [failures(answer) for answer in answers] == [[]] * len(logs)
    assert all(
        status_of(answer, "V1") == "pass"
        for answer, maker in zip(answers, logs, strict=True)
        if maker.events[-1].kind == "open"
    )


def test_a_game_of_six_is_checked_within_two_seconds(page: Page) -> None:
    maker = max((random_log(Random(n)) for n in range(40)), key=lambda log: len(log.text()))
    took = page.evaluate(
        """async ([url, text]) => {
          const { verifyTranscript } = await import(url);
          const began = performance.now();
          const { ok } = await verifyTranscript(text);
          return ok ? performance.now() - began : -1;
        }""",
        ["/static/games/js/verify.js", maker.text()],
    )
    assert 0 < took < 2000


def test_a_changed_byte_is_refused_with_its_line(page: Page) -> None:
    chance, texts, wanted = Random(7), [], []
    for number in range(12):
        text = random_log(Random(number), most_seats=3).text()
        for _ in range(12):
            at = chance.randrange(len(text))
            other = chance.choice([chr(chance.randrange(1, 300)), chance.choice(text)])
            if other != text[at]:
                texts.append(text[:at] + other + text[at + 1 :])
                wanted.append(text.count("\n", 0, at) + 1)
    answers = page.evaluate(SEVERAL, ["/static/games/js/verify.js", texts])
    assert [answer["ok"] for answer in answers] == [False] * len(texts)
    found = [min(line for _, line in failures(answer) if line is not None) for answer in answers]
    assert found == wanted


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda text: text[:-1], "V0.cut"),
        (lambda text: "", "V0.empty"),
        (lambda text: text + "\n", "V0.json"),
        (lambda text: "\ufeff" + text, "V0.json"),
        (lambda text: text.replace("\n", "\r\n"), "V0.canonical"),
        (lambda text: text.replace('"seq":0', '"seq":0.0'), "V0.canonical"),
        (lambda text: text.replace('"seq":0', '"seq":0,"seq":0'), "V0.canonical"),
        (lambda text: text.replace('"seq":0', '"seq":99999999999999999999'), "V0.fields"),
        (lambda text: text.replace('"seq":0', '"__proto__":{},"seq":0'), "V0.fields"),
        (lambda text: text.replace('"PF1"', '"\\u0050F1"'), "V0.canonical"),
        (lambda text: text.replace('"PF1"', '"PF2"'), "V0.fields"),
        (lambda text: text + text, "V0.order"),
        (lambda text: "[" * 200_000 + "\n", "V0.json"),
        (lambda text: "[" * 50_000 + "]" * 50_000 + "\n", "V0.fields"),
    ],
)
def test_what_is_not_the_one_form_is_refused(
    verify: Verdict, spoil: Callable[[str], str], code: str
) -> None:
    answer = verify(spoil(whole_log().text()))
    assert [name for name, _ in failures(answer)] == [code]
    assert [status_of(answer, f"V{number}") for number in range(1, 10)] == ["none"] * 9


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_whose_hashes_fit_is_refused_by_the_check_that_it_concerns(
    verify: Verdict, name: str
) -> None:
    forge, code = FORGERIES[name]
    lines = lines_of(whole_log())
    line = forge(lines)
    answer = verify(rechained(lines))
    assert (code, line) in failures(answer)
    assert status_of(answer, "V2") == "pass"


@pytest.mark.parametrize("name", FORFEITS)
def test_a_forged_forfeit_is_refused(verify: Verdict, name: str) -> None:
    forge, code = FORFEITS[name]
    lines = lines_of(forfeited_log())
    line = forge(lines)
    assert (code, line) in failures(verify(rechained(lines)))


def test_only_the_clock_forfeits_a_die(verify: Verdict) -> None:
    lines = lines_of(forfeited_log())
    line, payload = first(lines, "forfeit")
    payload["auto"] = False
    assert failures(verify(rechained(lines))) == [("V0.fields", line)]


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("beacon_round", 7, "V4.switched"),
        ("beacon", "00" * 32, "V4.beacon"),
        ("signature", "00" * 48, "V4.beacon"),
    ],
)
def test_a_beacon_that_was_not_announced_is_refused(
    verify: Verdict, field: str, value: object, code: str
) -> None:
    lines = lines_of(whole_log(with_beacon=True))
    line = next(
        at + 1
        for at, event in enumerate(lines)
        if event["kind"] == "seal" and event["payload"]["chain"] == "quicknet"
    )
    lines[line - 1]["payload"][field] = value
    assert (code, line) in failures(verify(rechained(lines)))


def test_an_announcement_that_its_time_does_not_allow_is_refused(
    verify: Verdict,
) -> None:
    lines = lines_of(whole_log(with_beacon=True))
    line, payload = first(lines, "intent")
    payload["at"] += 3
    assert ("V4.round", line) in failures(verify(rechained(lines)))


def test_a_round_without_the_beacon_takes_a_vote(verify: Verdict) -> None:
    lines = lines_of(whole_log(with_beacon=True, kinds=frozenset({"fallback"})))
    line, _ = first(lines, "fallback")
    honest = verify(rechained(lines))
    assert ("V8.fallback", line) in [(found["code"], found["line"]) for found in honest["findings"]]
    del lines[line - 1]
    assert ("V4.dropped", line) in failures(verify(rechained(lines)))


def test_a_line_left_out_is_missed(verify: Verdict) -> None:
    text = whole_log().text().splitlines(keepends=True)
    bid = next(at for at, line in enumerate(text) if '"kind":"bid"' in line)
    answer = verify("".join(text[:bid] + text[bid + 1 :]))
    assert ("V2.gap", bid + 1) in failures(answer)


def test_a_game_under_way_says_what_cannot_be_checked_yet(
    verify: Verdict,
) -> None:
    text = whole_log().text()
    under_way = text[: text.rindex("\n", 0, -1) + 1]
    answer = verify(under_way)
    assert answer["ok"]
    assert [status_of(answer, check) for check in ("V1", "V3", "V5")] == ["none", "none", "pass"]


def test_the_seals_of_mails_are_compared(verify: Verdict) -> None:
    maker = whole_log()
    text = maker.text()
    facts = verify(text)["facts"]
    seal = facts["seals"][0]
    line = f"> Seal {seal['name']} · {seal['letters']} · log {seal['seq']}"
    promise = f"Seal c · {facts['commitment']}"

    def verdict(mail: str) -> tuple[str, int | None]:
        found = next(f for f in verify(text, mailText=mail)["findings"] if f["check"] == "V9")
        return found["code"], found["line"]

    assert verdict(f"Hello\n{line}\n{promise}\n") == ("V9.ok", None)
    assert verdict(line.replace(seal["letters"], seal["letters"].lower())) == ("V9.ok", None)
    other = "A" * 26
    assert verdict(line.replace(seal["letters"], other)) == ("V9.differs", seal["line"])
    assert verdict(f"Seal c · {other}") == ("V9.differs", 1)
    assert verdict(line.replace(f"log {seal['seq']}", "log 0")) == ("V9.position", seal["line"])
    assert verdict(line.replace(f"Seal {seal['name']}", "Seal r1.9")) == ("V9.missing", None)
    assert verdict(f"Seal r9999 · {other} · log 99999") == ("V9.newer", None)
    assert verdict(line.replace(seal["letters"], seal["letters"][:-1])) == ("V9.unreadable", None)
    assert verdict("nothing here") == ("V9.no-lines", None)
