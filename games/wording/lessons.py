"""Perudo in three minutes: seven steps, each with a question whose answers the rules judge."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.rules import (
    ACE,
    Bid,
    Calza,
    Dudo,
    GameState,
    MakeBid,
    Mode,
    RoundOutcome,
    Ruleset,
    apply,
    find_ruleset,
    position,
    why_not,
    with_options,
)
from games.wording.dice import bid_text, quantity_text
from games.wording.happenings import outcome_story
from games.wording.refusals import refusal

NAMES = ("Bob", "Alice", "Carol")
"""Who sits there, clockwise. The reader is Alice."""
READER = 1
_HAND = (5, 2, 1, 5, 3)
_OTHERS = ((4, 5, 6, 2, 2), (6, 3, 1, 4, 3))


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that may be given, drawn as ``bid`` or said as ``text``, and why it is right."""

    text: str
    is_right: bool
    why: str
    bid: Bid | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step: what there is to know, what lies on the table, and a question.

    ``cups`` lie open before the answer; ``outcome`` is how the rules judge them, after it.
    """

    title: str
    text: str
    question: str
    choices: tuple[Choice, ...]
    standing: Bid | None = None
    cups: tuple[tuple[str, tuple[int, ...]], ...] = ()
    outcome: RoundOutcome | None = None


def lessons() -> tuple[Lesson, ...]:
    """Return the steps in the reader's language."""
    return _lessons(get_language())


@lru_cache(maxsize=8)
def _lessons(language: str | None) -> tuple[Lesson, ...]:
    made: Sequence[Callable[[], Lesson]] = (
        _cup, _bid, _raise, _aces, _dudo, _calza, _palifico,
    )  # fmt: skip
    return tuple(lesson() for lesson in made)


def _cup() -> Lesson:
    wild = sum(face in (ACE, 5) for face in _HAND)
    right = ngettext(
        "The ace counts too, and that makes %(count)d.",
        "The ace counts too, and that makes %(count)d.",
        wild,
    ) % {"count": wild}
    wrong = _("Look again: each five counts, and so does the ace.")
    return Lesson(
        title=_("Your cup"),
        text=_(
            "You are Alice, and Bob and Carol sit with you. Everybody rolls five dice under a cup "
            "and looks at his own alone. The ace is wild: it counts with every face."
        ),
        question=_("How many fives do you hold, as the game counts them?"),
        choices=tuple(
            Choice(quantity_text(count, 5), count == wild, right if count == wild else wrong)
            for count in (2, 3, 5)
        ),
        cups=(_own(_HAND),),
    )


def _bid() -> Lesson:
    state = position(_rules(), counts=(5, 5, 5), to_act=READER)
    sure = _("You hold three of them yourself, so there are at least three.")
    bluff = _("It may be true, if the others hold two more. You may bid it, but it is not sure.")
    return Lesson(
        title=_("The bid"),
        text=_(
            "A bid says how many dice of one face there are, at least, under all cups together: "
            "here are fifteen. Nobody has to tell the truth."
        ),
        question=_("You open the round. Which bid is true, whatever the others hold?"),
        choices=(
            _judged(state, Bid(5, 5), right=False, why=bluff),
            _judged(state, Bid(3, 5), right=True, why=sure),
            _judged(state, Bid(2, ACE), right=False),
        ),
        cups=(_own(_HAND),),
    )


def _raise() -> Lesson:
    over = Bid(4, 4)
    state = position(_rules(), counts=(5, 5, 5), to_act=READER, bid=over)
    return Lesson(
        title=_("The raise"),
        text=_(
            "Bob, on your right, has bid. You doubt him, or you raise: more dice of any face, or "
            "as many dice of a higher face. Nobody passes."
        ),
        question=_("Which of these is a raise?"),
        choices=(
            _judged(state, Bid(3, 6), right=False),
            _judged(state, Bid(4, 5), right=True, why=_("As many dice, and a higher face.")),
            _judged(state, Bid(4, 3), right=False),
        ),
        standing=over,
    )


def _aces() -> Lesson:
    over = Bid(5, 5)
    state = position(_rules(), counts=(5, 5, 5), to_act=READER, bid=over)
    back = Bid(7, 2)
    return Lesson(
        title=_("The price of aces"),
        text=_(
            "You may also bid on the aces themselves. Nothing else counts with them, so there are "
            "fewer: whoever goes over to aces bids at least half as many dice, rounded up."
        ),
        question=_("How many aces do you have to bid, at least?"),
        choices=(
            _judged(state, Bid(2, ACE), right=False),
            _judged(
                state,
                Bid(3, ACE),
                right=True,
                why=_(
                    "Half of five, rounded up. Whoever leaves the aces then bids at least %(bid)s: "
                    "double, plus one."
                )
                % {"bid": bid_text(back)},
            ),
            _judged(state, Bid(5, ACE), right=False, why=_("You may, but fewer would do.")),
        ),
        standing=over,
    )


def _dudo() -> Lesson:
    over = Bid(6, 5)
    cups = (_OTHERS[0], _HAND, _OTHERS[1])
    state = position(_rules(), counts=(5, 5, 5), to_act=READER, bid=over, cups=cups)
    outcome = _closed(state, Dudo(READER))
    return Lesson(
        title=_("Dudo"),
        text=_(
            "Too much to be true? Say “dudo”, and the cups are lifted. Are there fewer dice than "
            "were bid, the bidder loses one; otherwise the doubter does. Aces count with every "
            "face."
        ),
        question=_("You have doubted Bob. Count: who loses a die?"),
        choices=_tellings(
            outcome,
            (_("Bob, who bid"), outcome.loser == 0),
            (_("You, who doubted"), outcome.loser == READER),
            (_("Nobody"), outcome.loser is None),
        ),
        standing=over,
        cups=tuple(zip(NAMES, cups, strict=True)),
        outcome=outcome,
    )


def _calza() -> Lesson:
    over = Bid(5, 5)
    hand = _HAND[:4]
    cups = (_OTHERS[0], hand, _OTHERS[1])
    state = position(_rules(), counts=(5, 4, 5), to_act=READER, bid=over, cups=cups)
    outcome = _closed(state, Calza(READER))
    return Lesson(
        title=_("Calza"),
        text=_(
            "Some tables play with calza: “it is exactly right”. Anyone but the bidder may say so. "
            "Who is right gets a lost die back, who is wrong loses one."
        ),
        question=_("You have lost a die before, and call calza now. Count: what happens?"),
        choices=_tellings(
            outcome,
            (_("Bob loses a die"), outcome.loser == 0),
            (_("You get a die back"), outcome.gainer == READER),
            (_("You lose a die"), outcome.loser == READER),
        ),
        standing=over,
        cups=tuple(zip(NAMES, cups, strict=True)),
        outcome=outcome,
    )


def _palifico() -> Lesson:
    over = Bid(2, 4)
    state = position(
        _rules(), counts=(1, 4, 5), to_act=READER, mode=Mode.PALIFICO, bid=over, palifico_by=0
    )
    return Lesson(
        title=_("Palifico"),
        text=_(
            "Bob has dropped to one die, so he opens a palifico round: for this one round aces are "
            "not wild, and the face of the first bid stays."
        ),
        question=_("Which raise is left to you?"),
        choices=(
            _judged(state, Bid(2, 6), right=False),
            _judged(state, Bid(1, ACE), right=False),
            _judged(state, Bid(3, 4), right=True, why=_("More dice of the same face.")),
        ),
        standing=over,
    )


def _rules() -> Ruleset:
    return with_options(find_ruleset("bga"), {"calza": True})


def _own(hand: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    return NAMES[READER], hand


def _judged(state: GameState, bid: Bid, *, right: bool, why: str = "") -> Choice:
    """Return a bid as an answer; where the rules refuse it, they say why."""
    violation = why_not(state, MakeBid(READER, bid))
    if violation is not None:
        right, why = False, refusal(violation)
    return Choice(bid_text(bid), right, why, bid)


def _tellings(outcome: RoundOutcome, *said: tuple[str, bool]) -> tuple[Choice, ...]:
    """Return sentences as answers; the story of the round says which is right."""
    story = " ".join(outcome_story(outcome, NAMES)[:2])
    return tuple(Choice(text, is_right, story) for text, is_right in said)


def _closed(state: GameState, call: Dudo | Calza) -> RoundOutcome:
    outcome = apply(state, call).outcome
    if outcome is None:
        raise RuntimeError("a call always closes its round")
    return outcome
