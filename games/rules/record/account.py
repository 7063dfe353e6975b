"""Tell a record in sentences, round by round, as it is written and without judging it."""

from collections.abc import Iterator

from games.rules.bid import Mode
from games.rules.outcome import OutcomeKind, RoundOutcome
from games.rules.record.model import GameRecord, MoveEntry, ResultEntry, RollEntry
from games.rules.state import Calza, Cup, Dudo, Forfeit, MakeBid, Resign, SeatAction


def account(record: GameRecord) -> Iterator[str]:
    """Yield the lines of a readable account of the game."""
    names = record.seats
    rules = record.rules
    yield f"Rules: {rules.name}, version {rules.version}, {rules.start_dice} dice each."
    yield f"Seats: {', '.join(f'{seat} {name}' for seat, name in enumerate(names))}."
    for key, value in record.meta.items():
        yield f"{key}: {value}"
    number, mode, opener = 0, Mode.NORMAL, record.opener
    for line, entry in enumerate(record.entries, start=2):
        match entry:
            case RollEntry(cups):
                number += 1
                palifico = ", palifico" if mode is Mode.PALIFICO else ""
                yield ""
                yield f"Round {number}{palifico}, opened by {names[opener]} (line {line})"
                yield from _cups(cups, names)
            case MoveEntry(move, auto):
                yield f"  {names[move.seat]} {_deed(move)}{' (auto)' if auto else ''}"
            case ResultEntry(outcome):
                yield from _result(outcome, names)
                mode = outcome.next_mode or Mode.NORMAL
                opener = opener if outcome.next_opener is None else outcome.next_opener
    yield ""
    yield from _ending(record)


def _cups(cups: tuple[Cup | None, ...], names: tuple[str, ...]) -> Iterator[str]:
    for name, cup in zip(names, cups, strict=True):
        if cup is None:
            yield f"  [{name}: not shown]"
        elif cup:
            yield f"  [{name}: {_dice(cup)}]"


def _dice(cup: Cup) -> str:
    return " ".join(str(die) for die in cup)


def _deed(move: SeatAction) -> str:
    match move:
        case MakeBid(_, bid):
            return f"bids {bid}"
        case Dudo():
            return "says dudo"
        case Calza():
            return "says calza"
        case Resign():
            return "resigns"
        case Forfeit():
            return "lets the time run out"


def _result(outcome: RoundOutcome, names: tuple[str, ...]) -> Iterator[str]:
    if outcome.lifted:
        cups = "; ".join(
            f"{names[cup.seat]} {_dice(cup.dice)} ({cup.matching})" for cup in outcome.lifted
        )
        yield f"  Lifted: {cups}"
    if outcome.kind in (OutcomeKind.DUDO, OutcomeKind.CALZA):
        yield f"  {outcome.bid} is {_verdict(outcome)}: {outcome.count} counted."
    for seat, deed in (
        (outcome.loser, "loses a die"),
        (outcome.gainer, "gets a die back"),
        (outcome.out, "is out"),
        (outcome.winner, "wins the game"),
    ):
        if seat is not None:
            yield f"  {names[seat]} {deed}."


def _verdict(outcome: RoundOutcome) -> str:
    if outcome.kind is OutcomeKind.CALZA:
        return "exact" if outcome.held else "not exact"
    return "met" if outcome.held else "not met"


def _ending(record: GameRecord) -> Iterator[str]:
    placed = sorted((place, seat) for seat, place in enumerate(record.places) if place is not None)
    for place, seat in placed:
        yield f"Place {place}: {record.seats[seat]}"
    still_in = [
        name for name, place in zip(record.seats, record.places, strict=True) if place is None
    ]
    if still_in:
        yield f"Still in: {', '.join(still_in)}"
