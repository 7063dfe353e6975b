"""Print a game step by step: the truth, what each seat knows, and what is legal."""

from collections.abc import Iterator

from games.rules import (
    Action,
    Event,
    GameRecord,
    GameState,
    Mode,
    Phase,
    Roll,
    TableView,
    apply,
    new_game,
    view_for,
)
from games.rules.events import CupLifted, RoundCreated, SeatOut
from games.rules.record.model import MoveEntry, RollEntry

SPECTATOR = "(anyone)"


def transcript(record: GameRecord) -> str:
    """Return the printed game, ended by a newline."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: GameRecord) -> Iterator[str]:
    names = record.seats
    rules = record.rules
    yield f"# {rules.name} {rules.version}: {record.meta['title']}"
    yield f"# {len(names)} seats, {rules.start_dice} dice each, {names[record.opener]} opens"
    state = new_game(rules, seats=len(names), opener=record.opener)
    for entry in record.entries:
        action: Action
        match entry:
            case RollEntry(cups):
                action = Roll(tuple(cup or () for cup in cups))
                yield ""
                yield f"== round {state.round.number}, {state.round.mode}"
            case MoveEntry(move, _):
                action = move
                yield ""
                yield f"> {_spoken(move, names)}"
            case _:
                continue
        applied = apply(state, action)
        state = applied.state
        yield from (f"  * {_told(event, names)}" for event in applied.events[1:])
        if state.phase is Phase.BID:
            yield from _table(state, names)
    yield ""
    places = sorted((seat.place or 0, name) for seat, name in zip(state.seats, names, strict=True))
    yield f"== {', '.join(f'{place}. {name}' for place, name in places if place)}"


def _spoken(move: object, names: tuple[str, ...]) -> str:
    said = str(getattr(move, "bid", type(move).__name__.lower()))
    return f"{names[getattr(move, 'seat')]}: {said}"  # noqa: B009


def _told(event: Event, names: tuple[str, ...]) -> str:
    match event:
        case CupLifted(seat, dice, matching):
            return f"lifted {names[seat]}: {_faces(dice)} ({matching})"
        case SeatOut(seat, place):
            return f"out {names[seat]}, place {place}"
        case RoundCreated(number, opener, mode):
            return f"round {number}, {mode}, opened by {names[opener]}"
    return f"{event.kind} {names[event.seat]}" if hasattr(event, "seat") else event.kind


def _table(state: GameState, names: tuple[str, ...]) -> Iterator[str]:
    cups = state.round.cups or ()
    truth = "  ".join(f"{name} {_faces(cup)}" for name, cup in zip(names, cups, strict=True) if cup)
    yield f"  truth     {truth}"
    for viewer, name in enumerate(names):
        yield f"  {name:9} {_knowledge(view_for(state, viewer))}"
    yield f"  {SPECTATOR:9} {_knowledge(view_for(state, None))}"
    to_act = view_for(state, state.round.to_act)
    raises = " ".join(str(bid) for bid in to_act.legal_raises())
    yield f"  {names[state.round.to_act]} may say: {raises or 'no bid'}"


def _knowledge(view: TableView) -> str:
    """Return one line of what a view tells: dice, counts, rights."""
    counts = "".join("?" if seat.dice is None else str(seat.dice) for seat in view.seats)
    rights = [
        word
        for word, holds in [
            ("turn", view.viewer is not None and view.viewer == view.to_act),
            ("dudo", view.may_dudo),
            ("calza", view.may_calza),
            ("any-face", view.may_change_face and view.mode is Mode.PALIFICO),
        ]
        if holds
    ]
    own = _faces(view.own_dice) if view.own_dice else "-"
    return f"{own:6} counts {counts}  {' '.join(rights)}".rstrip()


def _faces(dice: tuple[int, ...]) -> str:
    return "".join(str(die) for die in dice)
