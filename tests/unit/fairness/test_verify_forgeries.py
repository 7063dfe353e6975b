"""The script refuses forgeries whose hashes and seals were made to fit."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.fairness.forgery import (
    BEACON,
    FOUR,
    PALIFICO,
    RESTORED,
    ROLL_OFF,
    SHORT,
    Events,
    failures,
    first,
    forged,
    game,
    last,
    number_of,
    set_rule,
    unfinished,
    verifier,
)

pytestmark = pytest.mark.one_database


def other_die(events: Events) -> None:
    cup = first(events, "dudo")["lifted"][0]
    cup["dice"][0] = cup["dice"][0] % 6 + 1


def other_key(events: Events) -> None:
    first(events, "dudo")["keys"][0][1] = "00" * 32


def one_key_less(events: Events) -> None:
    first(events, "dudo")["keys"].pop()


def other_leaf(events: Events) -> None:
    first(events, "seal")["cups"][0][2][0] = "11" * 32


def other_seats(events: Events) -> None:
    first(events, "start")["seats"].reverse()


def one_seat_twice(events: Events) -> None:
    first(events, "start")["seats"][0] = first(events, "start")["seats"][1]


def other_contribution(events: Events) -> None:
    first(events, "start")["contributions"][0] = ["rand", "22" * 32]


def no_raise(events: Events) -> None:
    bids = [event["payload"] for event in events if event["kind"] == "bid"]
    bids[1]["bid"] = bids[0]["bid"]


def out_of_turn(events: Events) -> None:
    first(events, "bid")["seat"] = 1


def with_field(name: str, value: Callable[[Any], Any]) -> Callable[[Events], None]:
    def edit(events: Events) -> None:
        payload = first(events, "dudo")
        payload[name] = value(payload[name])

    return edit


def other_winner(events: Events) -> None:
    payload = last(events, "dudo", "calza", "resign")
    payload["winner"] = payload["winner"] ^ 1


def drop(kind: str) -> Callable[[Events], None]:
    def edit(events: Events) -> None:
        del events[next(i for i, event in enumerate(events) if event["kind"] == kind)]

    return edit


def twice(kind: str) -> Callable[[Events], None]:
    def edit(events: Events) -> None:
        i = next(i for i, event in enumerate(events) if event["kind"] == kind)
        events.insert(i, json.loads(json.dumps(events[i])))

    return edit


def swapped(events: Events) -> None:
    i = next(i for i, event in enumerate(events) if event["kind"] == "bid")
    events[i], events[i + 1] = events[i + 1], events[i]


def seed_of_another_game(events: Events) -> None:
    last(events, "open")["seed"] = "33" * 32


def other_rules(events: Events) -> None:
    set_rule(events, start_dice=8)


def unknown_rule(events: Events) -> None:
    set_rule(events, house="ours")


def one_die_more(events: Events) -> None:
    first(events, "seal")["cups"][0][2].append("44" * 32)


FORGERIES: list[tuple[Callable[[Events], None], str, tuple[str, ...]]] = [
    (other_die, "V6", ("dudo",)),
    (other_key, "V6", ("dudo",)),
    (one_key_less, "V6", ("dudo",)),
    (other_leaf, "V5", ("seal",)),
    (one_die_more, "V5", ("seal",)),
    (one_die_more, "V7", ("seal",)),
    (other_seats, "V3", ("start",)),
    (one_seat_twice, "V3", ("start",)),
    (other_contribution, "V5", ("seal",)),
    (out_of_turn, "V7", ("bid",)),
    (with_field("count", lambda count: count + 1), "V7", ("dudo",)),
    (with_field("held", lambda held: not held), "V7", ("dudo",)),
    (with_field("loser", lambda loser: (loser + 1) % 4), "V7", ("dudo",)),
    (with_field("gainer", lambda _: 0), "V7", ("dudo",)),
    (with_field("caller", lambda caller: (caller + 1) % 4), "V7", ("dudo",)),
    (with_field("bid", lambda _: "1x2"), "V7", ("dudo",)),
    (with_field("out", lambda _: 3), "V7", ("dudo",)),
    (with_field("next_opener", lambda seat: (seat + 1) % 4), "V7", ("dudo",)),
    (with_field("next_mode", lambda _: "palifico"), "V7", ("dudo",)),
    (with_field("next_mode", lambda _: "wild"), "V7", ("dudo",)),
    (with_field("lifted", lambda cups: [{**cups[0], "matching": 9}, *cups[1:]]), "V7", ("dudo",)),
    (with_field("kind", lambda _: "calza"), "V7", ("dudo",)),
    (with_field("auto", lambda _: 1), "V0", ("dudo",)),
    (with_field("seat", lambda _: True), "V0", ("dudo",)),
    (with_field("seat", lambda _: -1), "V0", ("dudo",)),
    (with_field("count", lambda _: 10**30), "V7", ("dudo",)),
    (with_field("lifted", lambda _: [1]), "V7", ("dudo",)),
    (with_field("lifted", lambda _: None), "V7", ("dudo",)),
    (other_winner, "V7", ()),
    (drop("start"), "V0", ("seal",)),
    (drop("seal"), "V0", ("bid",)),
    (drop("bid"), "V7", ("bid",)),
    (twice("bid"), "V7", ()),
    (twice("seal"), "V0", ()),
    (twice("dudo"), "V0", ()),
    (twice("open"), "V0", ()),
    (swapped, "V7", ("bid",)),
    (seed_of_another_game, "V1", ("open",)),
    (other_rules, "V5", ("seal",)),
    (other_rules, "V7", ("seal",)),
    (unknown_rule, "V0", ("create",)),
]


@pytest.mark.parametrize(
    ("edit", "check", "kinds"), FORGERIES, ids=[f"{i}-{x[1]}" for i, x in enumerate(FORGERIES)]
)
def test_a_forgery_is_refused_by_the_check_that_is_there_for_it(
    edit: Callable[[Events], None], check: str, kinds: tuple[str, ...]
) -> None:
    text = forged(game(FOUR), edit)
    found = failures(text)
    assert check in found, found
    assert "V2" not in found, "the chain itself is whole"
    if kinds:
        assert found[check] == number_of(text, *kinds)


def test_a_log_without_its_first_event_is_refused() -> None:
    assert failures(b"".join(game(FOUR).splitlines(keepends=True)[1:])) == {"V0": 1}


def test_an_illegal_bid_is_refused_by_the_rules() -> None:
    text = forged(game(FOUR), no_raise)
    assert failures(text).keys() == {"V7"}


def test_a_leaf_that_is_changed_while_the_game_lasts_shows_when_its_cup_is_lifted() -> None:
    def edit(events: Events) -> None:
        del events[1 + next(i for i, event in enumerate(events) if event["kind"] == "dudo") :]
        seat = first(events, "dudo")["keys"][0][0]
        next(cup for cup in first(events, "seal")["cups"] if cup[0] == seat)[2][0] = "55" * 32

    assert failures(forged(game(FOUR), edit)).keys() == {"V6"}


def test_a_seal_that_was_made_later_does_not_fit_its_place() -> None:
    def edit(events: Events) -> None:
        first(events, "start")["contributions"][0] = ["none", ""]

    assert "V5" in failures(forged(game(FOUR), edit, reseal=False))
    moved = forged(game(FOUR), lambda events: first(events, "bid").update(auto=True), reseal=False)
    assert failures(moved).keys() == {"V5"}


def test_a_cup_that_is_sealed_with_another_hash_is_refused() -> None:
    def edit(events: Events) -> None:
        first(events, "seal")["cups"][0][1] = "66" * 32

    text = forged(game(FOUR), edit, reseal=False)
    assert failures(text)["V5"] == number_of(text, "seal")


def test_a_cup_that_was_sealed_with_a_key_of_its_own_does_not_follow_from_the_secret() -> None:
    def edit(events: Events) -> None:
        gid = bytes.fromhex(events[0]["payload"]["gid"])
        where = [gid, (1).to_bytes(4), (0).to_bytes(2)]
        payload = first(events, "dudo")
        seat, lifted = payload["keys"][0][0], payload["lifted"][0]
        cup = next(cup for cup in first(events, "seal")["cups"] if cup[0] == seat)
        payload["keys"][0][1] = "aa" * 32
        key = bytes.fromhex("aa" * 32)
        lifted["dice"], cup[2] = verifier().open_cup(key, where, seat, len(cup[2]))

    text = forged(game(FOUR), edit)
    found = failures(text)
    assert found["V5"] == number_of(text, "seal")
    assert found["V6"] == number_of(text, "dudo")


def one_seat_sealed_twice(events: Events) -> None:
    cups = first(events, "seal")["cups"]
    cups.insert(0, cups[0])


def seats_out_of_order(events: Events) -> None:
    first(events, "seal")["cups"].reverse()


@pytest.mark.parametrize("edit", [one_seat_sealed_twice, seats_out_of_order])
def test_each_seat_is_sealed_once_and_in_its_place(edit: Callable[[Events], None]) -> None:
    text = forged(unfinished(), edit)
    assert failures(text) == {"V7": number_of(text, "seal")}


@pytest.mark.parametrize("kind", ["create", "start", "seal", "bid", "dudo", "open"])
@pytest.mark.parametrize("name", ["house", "at", "seed"])
def test_a_field_too_many_is_refused(kind: str, name: str) -> None:
    value = {"house": 1, "at": 5, "seed": "00" * 32}[name]
    if (kind, name) == ("open", "seed"):
        return
    text = forged(game(FOUR), lambda events: first(events, kind).update({name: value}))
    assert number_of(text, kind) in failures(text).values()


@pytest.mark.parametrize(("name", "value"), [("beacon_round", 5), ("beacon", "01" * 32)])
def test_a_game_without_a_beacon_has_no_value_of_one(name: str, value: object) -> None:
    text = forged(game(FOUR), lambda events: first(events, "seal").update({name: value}))
    assert failures(text)["V4"] == number_of(text, "seal")


@pytest.mark.parametrize(
    ("edit", "check"),
    [
        (lambda events: first(events, "intent").update(at=1_790_000_000), "V4"),
        (lambda events: first(events, "seal").update(beacon="77" * 32), "V4"),
        (lambda events: first(events, "seal").update(signature="77" * 48), "V4"),
        (lambda events: first(events, "seal").update(beacon_round=5), "V4"),
        (lambda events: first(events, "seal").update(chain="none"), "V4"),
        (lambda events: first(events, "seal").pop("signature"), "V4"),
        (lambda events: first(events, "create")["chain"].update(public_key="88" * 96), "V4"),
        (lambda events: first(events, "create")["chain"].update(genesis=7), "V4"),
        (lambda events: first(events, "create").update(chain={"name": "none"}), "V0"),
        (drop("intent"), "V0"),
        (twice("intent"), "V0"),
    ],
)
def test_a_beacon_that_was_bent_is_refused(edit: Callable[[Events], None], check: str) -> None:
    assert check in failures(forged(game(BEACON), edit))


@pytest.mark.parametrize(
    "edit",
    [
        lambda events: first(events, "epoch").update(epoch=2),
        lambda events: last(events, "seal").update(epoch=0),
        drop("epoch"),
        drop("rekey"),
        lambda events: first(events, "rekey").update(seed="99" * 32),
        lambda events: first(events, "rekey").update(commitment="99" * 32),
    ],
)
def test_a_restore_that_was_bent_is_refused(edit: Callable[[Events], None]) -> None:
    assert {"V0", "V1", "V8"} & failures(forged(game(RESTORED), edit)).keys()


def test_a_roll_off_that_was_bent_is_refused() -> None:
    def other_face(events: Events) -> None:
        lap = first(events, "start")["rolls"][0]
        lap["0"] = lap["0"] % 6 + 1

    def other_opener(events: Events) -> None:
        payload = first(events, "start")
        payload["opener"] = (payload["opener"] + 1) % len(payload["seats"])

    def no_rolls(events: Events) -> None:
        del first(events, "start")["rolls"]

    for edit in (other_face, other_opener, no_rolls):
        text = forged(game(ROLL_OFF), edit)
        assert failures(text)["V3"] == 2, edit


def test_a_roll_off_of_the_same_winner_with_another_face_is_refused() -> None:
    def edit(events: Events) -> None:
        lap = last(events, "start")["rolls"][-1]
        best = max(lap, key=lambda seat: int(lap[seat]))
        lap[best] = 6 if lap[best] < 6 else lap[best]
        worst = min(lap, key=lambda seat: int(lap[seat]))
        lap[worst] = lap[worst] % 5 + 1

    assert failures(forged(game(ROLL_OFF), edit))["V3"] == 2


@pytest.mark.parametrize(
    ("edit", "check", "kind"),
    [
        (lambda events: last(events, "open").update(reason="cancelled"), "V7", "open"),
        (lambda events: events.__delitem__(slice(-2, -1)), "V7", "open"),
        (lambda events: first(events, "start").update(starter="declared"), "V3", "start"),
        (
            lambda events: first(events, "start")["contributions"].__setitem__(
                0, ["text", "e\u0301".encode().hex()]
            ),
            *("V0", "start"),
        ),
        (
            lambda events: first(events, "start")["contributions"].__setitem__(0, ["text", "ff"]),
            *("V0", "start"),
        ),
    ],
    ids=["called off at the end", "ended early", "another starter", "not NFC", "not UTF-8"],
)
def test_what_is_told_of_the_beginning_and_the_end_must_be_so(
    edit: Callable[[Events], None], check: str, kind: str
) -> None:
    text = forged(game(FOUR), edit)
    assert failures(text)[check] == number_of(text, kind)


def test_nobody_plays_on_after_the_end() -> None:
    def edit(events: Events) -> None:
        winner = last(events, "dudo", "calza", "resign")["winner"]
        seal = {**last(events, "seal"), "round": last(events, "seal")["round"] + 1}
        bid = {"seat": winner, "auto": False, "bid": "9x2"}
        events[-1:-1] = [{"kind": "seal", "payload": seal}, {"kind": "bid", "payload": bid}]

    text = forged(game(FOUR), edit)
    assert failures(text)["V7"] == text.count(b"\n") - 2


def test_no_round_is_rolled_anew_after_the_end() -> None:
    def edit(events: Events) -> None:
        rounds = [event["payload"].get("round", 0) for event in events]
        payload = {"round": max(rounds) + 1, "epoch": 1}
        events.insert(-1, {"kind": "epoch", "payload": payload})

    text = forged(game(FOUR), edit)
    assert failures(text)["V7"] == text.count(b"\n") - 1


def test_an_event_with_another_number_is_refused() -> None:
    assert failures(game(FOUR).replace(b'"seq":4}', b'"seq":5}')) == {"V2": 5}


def test_a_palifico_round_that_is_denied_is_refused() -> None:
    def edit(events: Events) -> None:
        for event in events:
            if event["payload"].get("next_mode") == "palifico":
                event["payload"]["next_mode"] = "normal"

    assert "V7" in failures(forged(game(PALIFICO), edit))


def test_a_secret_that_must_stay_closed_may_not_be_opened() -> None:
    text = forged(game(SHORT), lambda e: set_rule(e, covered_cups_after_game="never"))
    assert failures(text)["V7"] == text.count(b"\n")
