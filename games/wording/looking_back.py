"""A game looked back on, in sentences: the count as the cups are lifted, and the whole record."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Bid, Cup, MakeBid, Mode, OutcomeKind
from games.rules.record import GameRecord, MoveEntry, ResultEntry, RollEntry
from games.wording.dice import bid_text, dice_text, quantity_text
from games.wording.happenings import bid_sentence, mode_sentence, outcome_story
from games.wording.rulesets import ruleset_title


def lifting_sentence(bid: Bid) -> str:
    """Return what is counted, before the first cup is lifted."""
    return _("The bid is %(bid)s. Now the cups are lifted.") % {"bid": bid_text(bid)}


def tally_text(running: int, bid: Bid, kind: OutcomeKind) -> str:
    """Return the count so far and what it is held against: "3 fours so far, 5 needed"."""
    if kind is OutcomeKind.CALZA:
        text = ngettext(
            "%(found)s so far, exactly %(quantity)d was called",
            "%(found)s so far, exactly %(quantity)d were called",
            bid.quantity,
        )
    else:
        text = ngettext(
            "%(found)s so far, %(quantity)d needed",
            "%(found)s so far, %(quantity)d needed",
            bid.quantity,
        )
    return text % {"found": quantity_text(running, bid.face), "quantity": bid.quantity}


def rolled_sentence(name: str, *, is_rolled: bool) -> str:
    """Return how a round began: ``name`` is who opens it."""
    if not is_rolled:
        return _("This round ended before the dice were rolled.")
    return _("Everybody rolled. %(name)s opens the round.") % {"name": name}


def record_lines(record: GameRecord) -> Iterator[str]:
    """Yield the lines of a readable account of a game that is over."""
    names = record.seats
    yield ruleset_title(record.rules.name)
    yield from (f"{key}: {value}" for key, value in record.meta.items())
    number, mode, is_open, is_auto = 0, Mode.NORMAL, False, False
    for entry in record.entries:
        if not is_open:  # a round that somebody's leaving ended was perhaps never rolled
            number, is_open = number + 1, True
            yield ""
            yield _("Round %(number)d") % {"number": number}
            yield mode_sentence(mode)
        match entry:
            case RollEntry(cups):
                yield from _cups(cups, names)
            case MoveEntry(MakeBid(seat, bid), auto):
                yield bid_sentence(names[seat], bid, automatic=auto)
            case MoveEntry(_, auto):
                is_auto = auto  # the call is told with what came of it
            case ResultEntry(outcome):
                yield from outcome_story(outcome, names, automatic=is_auto)
                mode, is_open = outcome.next_mode or Mode.NORMAL, False
    yield ""
    placed = sorted((place, seat) for seat, place in enumerate(record.places) if place is not None)
    yield from (f"{place}. {names[seat]}" for place, seat in placed)


def _cups(cups: Sequence[Cup | None], names: Sequence[str]) -> Iterator[str]:
    for name, cup in zip(names, cups, strict=True):
        if cup is None:
            yield _("[%(name)s: stayed covered]") % {"name": name}
        elif cup:
            yield f"[{name}: {dice_text(cup)}]"
