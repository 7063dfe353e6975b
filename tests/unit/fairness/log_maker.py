"""Whole logs of random games, as a server would publish them: the same for the same seed."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from games.fairness import (
    FIRST,
    NO_PULSE,
    Contribution,
    LogEvent,
    Pulse,
    canonical,
    commitment,
    create_payload,
    cup_dice,
    cup_key,
    game_key,
    link,
    roll_off,
    round_key,
    rules_digest,
    seal_payload,
    sealed_cup,
    seating,
)
from games.rules import (
    CoveredCups,
    Cup,
    FirstStarter,
    Forfeit,
    GameState,
    MakeBid,
    Phase,
    Roll,
    Ruleset,
    SeatAction,
    apply,
    new_game,
)
from tests.unit.random_games import random_action, random_rules

QUICKNET = {
    "name": "quicknet",
    "hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "public_key": (
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    "period": 3,
    "genesis": 1692803367,
}


@dataclass
class LogMaker:
    """A game without a database, which writes the log as it is played."""

    rng: Random
    rules: Ruleset
    with_beacon: bool = False
    events: list[LogEvent] = field(default_factory=list)
    epoch: int = 0
    rolls: dict[int, tuple[Cup, ...]] = field(default_factory=dict)
    """The dice of each roll, by the line of its seal."""

    def __post_init__(self) -> None:
        self.gid, self.seed = self.rng.randbytes(16), self.rng.randbytes(32)
        self.rules_text = canonical(self.rules.to_dict())
        self.at = 1_790_000_000

    def add(self, kind: str, payload: Mapping[str, object]) -> None:
        after = self.events[-1].digest if self.events else FIRST
        self.events.append(link(kind, payload, seq=len(self.events), after=after))

    def create(self) -> None:
        self.add(
            "create",
            create_payload(
                gid=self.gid,
                rules_text=self.rules_text,
                commitment=commitment(gid=self.gid, seed=self.seed),
                chain=QUICKNET if self.with_beacon else {"name": "none"},
            ),
        )

    def start(self, seats: int) -> None:
        kinds = self.rng.choices(("rand", "text", "none"), k=seats)
        raws = {"rand": self.rng.randbytes(32), "text": "café au lait".encode(), "none": b""}
        self.contributions = [Contribution(kind, raws[kind]) for kind in kinds]
        self.rekey()
        starter = self.rules.first_starter
        payload: dict[str, object] = {
            "contributions": [[c.kind, c.raw.hex()] for c in self.contributions],
            "seats": list(seating(self.key, seats)),
            "starter": starter.value,
        }
        opener = self.rng.randrange(seats) if starter is FirstStarter.DECLARED else 0
        if starter is FirstStarter.ROLL_OFF:
            laps, opener = roll_off(self.key, seats)
            payload["rolls"] = [{str(seat): face for seat, face in lap.items()} for lap in laps]
        self.add("start", {**payload, "opener": opener})
        self.state = new_game(self.rules, seats=seats, opener=opener)

    def rekey(self) -> None:
        self.key = game_key(
            seed=self.seed,
            gid=self.gid,
            rules=rules_digest(self.rules_text),
            contributions=self.contributions,
        )

    def roll(self) -> None:
        number = self.state.round.number
        pulse = self._pulse(number) if self.with_beacon else NO_PULSE
        key = round_key(self.key, gid=self.gid, number=number, epoch=self.epoch, pulse=pulse)
        self.keys = [cup_key(key, seat) for seat in range(len(self.state.seats))]
        cups = tuple(
            cup_dice(key, seat.dice) for key, seat in zip(self.keys, self.state.seats, strict=True)
        )
        sealed = [
            sealed_cup(
                self.keys[seat], cup, gid=self.gid, number=number, epoch=self.epoch, seat=seat
            )
            for seat, cup in enumerate(cups)
            if cup
        ]
        self.add(
            "seal",
            seal_payload(
                sealed,
                gid=self.gid,
                number=number,
                epoch=self.epoch,
                after=self.events[-1].digest,
                pulse=pulse,
            ),
        )
        self.rolls[len(self.events)] = cups
        self.state = apply(self.state, Roll(cups)).state

    def _pulse(self, number: int) -> Pulse:
        self.at += self.rng.randrange(1, 90_000)
        beacon_round = (self.at - 1692803367) // 3 + 3
        where = {"round": number, "epoch": self.epoch}
        self.add("intent", {**where, "beacon_round": beacon_round, "at": self.at})
        if self.rng.random() < 0.1:
            self.add("fallback", where)
            return NO_PULSE
        signature = self.rng.randbytes(48)
        return Pulse("quicknet", beacon_round, hashlib.sha256(signature).digest(), signature)

    def move(self, action: SeatAction) -> None:
        auto = self.rng.random() < 0.1 or isinstance(action, Forfeit)
        entry: dict[str, object] = {"seat": action.seat, "auto": auto}
        applied = apply(self.state, action)
        self.state = applied.state
        if isinstance(action, MakeBid):
            self.add("bid", {**entry, "bid": str(action.bid)})
            return
        outcome = applied.outcome
        assert outcome is not None
        keys = [[cup.seat, self.keys[cup.seat].hex()] for cup in outcome.lifted]
        self.add(str(outcome.kind), {**outcome.to_dict(), **entry, "keys": keys})
        self.epoch = 0

    def restore(self) -> None:
        """Roll the open round anew after a restore; sometimes the seed had gone out already."""
        if self.rng.random() < 0.5 and self.shows_covered:
            old, self.seed = self.seed, self.rng.randbytes(32)
            new = commitment(gid=self.gid, seed=self.seed)
            self.add("rekey", {"seed": old.hex(), "commitment": new.hex()})
            self.rekey()
        self.epoch += 1
        number = self.state.round.number
        self.add("epoch", {"round": number, "epoch": self.epoch})
        opened = self.state.round
        self.state = GameState(
            self.rules,
            self.state.seats,
            type(opened)(
                opened.number, opened.mode, opened.opener, opened.opener, opened.palifico_by
            ),
            Phase.ROLL,
        )

    @property
    def shows_covered(self) -> bool:
        return self.rules.covered_cups_after_game is CoveredCups.AFTER_END

    def end(self, reason: str) -> None:
        if self.shows_covered:
            self.add("open", {"seed": self.seed.hex(), "reason": reason})

    def text(self) -> str:
        return "".join(event.line() for event in self.events)


def random_log(rng: Random, *, most_seats: int = 6, quits_after: int | None = None) -> LogMaker:
    """Return the log of a whole random game, or of one that is under way after so many moves."""
    rules = random_rules(rng)
    maker = LogMaker(rng, rules, with_beacon=rng.random() < 0.3)
    maker.create()
    if rng.random() < 0.02:
        maker.end("cancelled")
        return maker
    maker.start(rng.randint(2, min(most_seats, rules.max_players)))
    moves = 0
    while maker.state.phase is not Phase.OVER:
        if maker.state.phase is Phase.ROLL:
            maker.roll()
        elif rng.random() < 0.005:
            maker.restore()
        else:
            action = random_action(maker.state, rng)
            assert not isinstance(action, Roll)
            maker.move(action)
            moves += 1
        if quits_after is not None and moves >= quits_after:
            return maker
    maker.end("finished")
    return maker
