"""The public log: what is appended to it is chained to what stood there before.

Everything here changes a locked game in memory and returns unsaved rows; the caller writes both in
its transaction. ``docs/pf1.md`` section 3 lists the events.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games import beacon, fairness, queries, rows, rules, store
from games.models import Event, Game, Round
from games.rules import CoveredCups


@dataclass(frozen=True, slots=True)
class Entry:
    """How an action is entered in the log.

    ``arrived_at`` is when it was made, where it is played later than that: it counts from then,
    and what follows it from ``now``.
    """

    now: datetime
    idem_key: str = ""
    is_auto: bool = False
    arrived_at: datetime | None = None

    @property
    def made_at(self) -> datetime:
        """Return when the action was made."""
        return self.arrived_at or self.now


def found(game: Game, *, now: datetime) -> Event:
    """Return the log's first event: the game's rules, and the commitment to its seed."""
    payload = fairness.create_payload(
        gid=bytes.fromhex(game.gid),
        rules_text=fairness.canonical(game.ruleset),
        commitment=bytes.fromhex(game.commitment),
        chain=beacon.chain_payload(game.chain),
    )
    return _chain(game, "create", payload, Entry(now), seq=0, after=fairness.FIRST)


def append(game: Game, kind: str, payload: Mapping[str, object], entry: Entry) -> Event:
    """Return the next event of the log; the game's version becomes its number."""
    return _chain(
        game, kind, payload, entry, seq=game.version + 1, after=bytes.fromhex(game.log_hash)
    )


def act(game: Game, kind: str, payload: Mapping[str, object], entry: Entry, *, seat: int) -> Event:
    """Return the event of what a seat has done, or the clock for it."""
    event = append(game, kind, {**payload, "seat": seat, "auto": entry.is_auto}, entry)
    event.seat, event.is_auto, event.idem_key = seat, entry.is_auto, entry.idem_key
    return event


def intend(game: Game, opened: Round, entry: Entry) -> Event:
    """Bind a round to a value of the game's beacon that nobody can know yet; return the event."""
    # Not when the move arrived: by the time it is played, a value chosen by that could be out.
    at = int(max(entry.now, queries.clock(game.pk)).timestamp())
    opened.beacon_round = beacon.CHAINS[game.chain].round_for(at)
    payload = {**_place(opened), "beacon_round": opened.beacon_round, "at": at}
    opened.beacon_signature, opened.seal, opened.fallback_votes = "", "", None
    event = append(game, "intent", payload, entry)
    event.round_number = opened.number
    return event


def fall_back(game: Game, opened: Round, entry: Entry) -> Event:
    """Let a round that waited be rolled without its beacon; return the event that tells it."""
    opened.beacon_round = 0
    return append(game, "fallback", _place(opened), entry)


def seal(game: Game, opened: Round, dice: store.Dice, entry: Entry) -> Event:
    """Roll the dice of a round: return the event that binds them before the first bid."""
    after = bytes.fromhex(game.log_hash)
    payload = dice.sealed(opened, after=after)
    event = append(game, "seal", payload, entry)
    event.round_number = opened.number
    opened.seal, opened.seal_seq = str(payload["seal"]), event.seq
    return event


def disclose(game: Game, dice: store.Dice, reason: str, entry: Entry) -> list[Event]:
    """Return the event that opens the seed of a game that is over, where its rules allow that."""
    if store.ruleset_of(game).covered_cups_after_game is CoveredCups.NEVER:
        return []
    return [append(game, "open", {"seed": dice.open_seed(), "reason": reason}, entry)]


def outcome_payload(outcome: rules.RoundOutcome, keys: Mapping[int, str]) -> dict[str, object]:
    """Return how a round ended, with the keys of the cups that were lifted.

    :param keys: by seat, in hex.
    """
    lifted = [[cup.seat, keys[cup.seat]] for cup in outcome.lifted]
    return {**outcome.to_dict(), "keys": lifted}


def _place(row: Round) -> dict[str, object]:
    return {"round": row.number, "epoch": row.epoch}


def _chain(
    game: Game,
    kind: str,
    payload: Mapping[str, object],
    entry: Entry,
    *,
    seq: int,
    after: bytes,
) -> Event:
    event = fairness.link(kind, payload, seq=seq, after=after)
    game.version, game.log_hash = seq, event.digest.hex()
    return rows.new(
        Event,
        game_id=game.pk,
        seq=seq,
        round_number=game.current_round.number if game.current_round else 0,
        kind=kind,
        payload=payload,
        digest=game.log_hash,
        made_at=entry.made_at,
    )
