"""What happened, in sentences: for the table's log, the round's story and the mails.

``names`` are the names by seat number. A die is only ever named from an outcome or from a lifted
cup's event, which hold no die that the rules did not lift.
"""

from collections.abc import Container, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import (
    Bid,
    BidMade,
    CalzaCalled,
    CupLifted,
    DieGained,
    DieLost,
    DudoCalled,
    Event,
    GameWon,
    Mode,
    OutcomeKind,
    RoundCreated,
    RoundOutcome,
    RoundRolled,
    SeatForfeited,
    SeatOut,
    SeatResigned,
)
from games.wording.dice import bid_text, dice_text, quantity_text

Names = Sequence[str]


def bid_sentence(name: str, bid: Bid, *, automatic: bool = False) -> str:
    """Return "Alice bid 4 fives."; ``automatic`` says that the clock moved for her."""
    if automatic:
        sentence = _("%(name)s ran out of time; the automatic move bid %(bid)s.")
    else:
        sentence = _("%(name)s bid %(bid)s.")
    return sentence % {"name": name, "bid": bid_text(bid)}


def call_words(kind: OutcomeKind, name: str, bid: Bid, bidder: str) -> str:
    """Return the words of a call, before what the cups show: "Alice called dudo on … by Bob:"."""
    if kind is OutcomeKind.CALZA:
        call = _("%(name)s called calza on %(bid)s by %(bidder)s:")
    else:
        call = _("%(name)s called dudo on %(bid)s by %(bidder)s:")
    return call % {"name": name, "bid": bid_text(bid), "bidder": bidder}


def bid_pattern(name: str) -> str:
    """Return the words of a bid with ``%s`` for the bid: a page's script fills in the last one."""
    return _("%(name)s bid %(bid)s.") % {"name": name, "bid": "%s"}


def call_sentence(outcome: RoundOutcome, names: Names, *, automatic: bool = False) -> str:
    """Return who ended the round and what the lifted cups showed, without its consequences."""
    caller, bid, count = names[outcome.caller], outcome.bid, outcome.count
    if outcome.kind is OutcomeKind.FORFEIT:
        return _forfeited(caller)
    if bid is None or outcome.bidder is None or count is None:  # only a resignation judges no bid
        return _timed_out(caller) if automatic else _resigned(caller)
    if automatic and outcome.kind is OutcomeKind.DUDO:
        call = _("%(name)s ran out of time; the automatic move doubted %(bid)s by %(bidder)s:")
        call %= {"name": caller, "bid": bid_text(bid), "bidder": names[outcome.bidder]}
    else:
        call = call_words(outcome.kind, caller, bid, names[outcome.bidder])
    shown = quantity_text(count, bid.face)
    if not outcome.held:
        return f"{call} {_missed(count, shown)}"
    if outcome.kind is OutcomeKind.CALZA:
        found = ngettext("there is exactly %(count)s.", "there are exactly %(count)s.", count)
    else:
        # With an early stop only the proof was lifted: no more is said than what it showed.
        found = _("the cups show %(count)s, so the bid holds.")
    return f"{call} {found % {'count': shown}}"


def outcome_story(
    outcome: RoundOutcome,
    names: Names,
    *,
    automatic: bool = False,
    retired: Container[int] = (),
) -> tuple[str, ...]:
    """Return how a round ended, a sentence each: the call, who lost or gained, what follows.

    :param retired: the seats that nobody holds any more: where one wins, no player does.
    """
    story = [call_sentence(outcome, names, automatic=automatic)]
    if outcome.loser is not None:
        story.append(_lost(names[outcome.loser]))
    if outcome.gainer is not None:
        story.append(_gained(names[outcome.gainer]))
    elif outcome.kind is OutcomeKind.CALZA and outcome.held:
        story.append(_("%(name)s has no lost die to get back.") % {"name": names[outcome.caller]})
    if outcome.kind is OutcomeKind.RESIGN:
        if outcome.winner is None:
            story.append(_("Nobody loses a die; the others roll again."))
    elif outcome.out is not None:
        story.append(_out(names[outcome.out]))
    if outcome.winner is not None:
        is_nobodys = outcome.winner in retired
        story.append(won_sentence(names[outcome.winner], is_nobodys=is_nobodys))
    elif outcome.next_opener is not None and outcome.next_mode is not None:
        story.append(next_round_sentence(names[outcome.next_opener], outcome.next_mode))
    return tuple(story)


def next_round_sentence(name: str, mode: Mode) -> str:
    """Return who opens the next round, and that it is a palifico round where it is one."""
    if mode is Mode.PALIFICO:
        sentence = _("%(name)s opens the next round, and it is palifico: aces are not wild.")
    else:
        sentence = _("%(name)s opens the next round.")
    return sentence % {"name": name}


def won_sentence(name: str, *, is_nobodys: bool = False) -> str:
    """Return who wins: a player, or a seat that ``name`` held last and nobody holds any more."""
    if is_nobodys:
        sentence = _("The seat of %(name)s, which nobody held any more, wins the game.")
    else:
        sentence = _("%(name)s wins the game!")
    return sentence % {"name": name}


def mode_sentence(mode: Mode) -> str:
    """Return what counts in a round of this mode."""
    if mode is Mode.PALIFICO:
        return _("Palifico round: aces are not wild, they count as aces only.")
    return _("Normal round: aces are wild and count with every face.")


def event_sentence(event: Event, names: Names) -> str:
    """Return one event of :mod:`games.rules` as a sentence of its own."""
    match event:
        case RoundRolled(number=number):
            return _("Round %(number)d: everybody rolled.") % {"number": number}
        case BidMade(seat=seat, bid=bid):
            return bid_sentence(names[seat], bid)
        case DudoCalled(seat=seat):
            return _("%(name)s called dudo.") % {"name": names[seat]}
        case CalzaCalled(seat=seat):
            return _("%(name)s called calza.") % {"name": names[seat]}
        case SeatResigned(seat=seat):
            return _resigned(names[seat])
        case SeatForfeited(seat=seat):
            return _forfeited(names[seat])
        case CupLifted(seat=seat, dice=dice, matching=matching):
            return _shown(names[seat], dice_text(dice), matching)
        case DieLost(seat=seat):
            return _lost(names[seat])
        case DieGained(seat=seat):
            return _gained(names[seat])
        case SeatOut(seat=seat):
            return _out(names[seat])
        case RoundCreated(opener=opener, mode=mode):
            return next_round_sentence(names[opener], mode)
        case GameWon(seat=seat):
            return won_sentence(names[seat])


def _shown(name: str, dice: str, matching: int) -> str:
    if not matching:
        sentence = _("%(name)s shows %(dice)s: none counts.")
    else:
        sentence = ngettext(
            "%(name)s shows %(dice)s: %(matching)d counts.",
            "%(name)s shows %(dice)s: %(matching)d count.",
            matching,
        )
    return sentence % {"name": name, "dice": dice, "matching": matching}


def _missed(count: int, shown: str) -> str:
    if not count:
        return _("there are none.")
    return ngettext("there is %(count)s.", "there are %(count)s.", count) % {"count": shown}


def _lost(name: str) -> str:
    return _("%(name)s loses a die.") % {"name": name}


def _gained(name: str) -> str:
    return _("%(name)s gets a die back.") % {"name": name}


def _out(name: str) -> str:
    return _("%(name)s is out.") % {"name": name}


def _timed_out(name: str) -> str:
    return _("%(name)s ran out of time and is out of the game.") % {"name": name}


def _forfeited(name: str) -> str:
    return _("%(name)s ran out of time, so the round ends and no cup is lifted.") % {"name": name}


def _resigned(name: str) -> str:
    return _("%(name)s left the game.") % {"name": name}
