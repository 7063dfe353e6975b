"""An example for every rule of a ruleset; where something is legal or not, the rules say so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.rules import (
    Bid,
    Calza,
    CalzaWindow,
    CoveredCups,
    DiceCounts,
    FirstStarter,
    GameState,
    MakeBid,
    Mode,
    Reveal,
    Ruleset,
    RuleViolation,
    Trigger,
    find_ruleset,
    position,
    preset_options,
    why_not,
    with_options,
)
from games.wording.refusals import refusal
from games.wording.rulesets import RuleLine, describe, option_lines

_ALICE, _BOB, _CAROL = range(3)
_NAMES = ("Alice", "Bob", "Carol")
_DICE = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """What somebody wants to do (a ``bid``, else a calza), and what the rules answer."""

    who: str
    bid: Bid | None
    is_legal: bool
    why: str


@dataclass(frozen=True, slots=True)
class Example:
    """A moment at a table: a sentence, the bid that stands, and who may do what."""

    text: str
    over: Bid | None = None
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """A rule and an example of it."""

    line: RuleLine
    example: Example


def explain(rules: Ruleset) -> tuple[Explained, ...]:
    """Return every rule that this ruleset sets, as :func:`describe` does, each with an example."""
    return _explain(rules, get_language())


@lru_cache(maxsize=256)
def _explain(rules: Ruleset, language: str | None) -> tuple[Explained, ...]:
    return tuple(Explained(line, _EXAMPLES[line.key](rules)) for line in describe(rules))


def explained_options(name: str) -> tuple[tuple[str, str, tuple[Explained, ...]], ...]:
    """Return a preset's options as (key, title, what each brings, with examples)."""
    all_on = with_options(find_ruleset(name), dict.fromkeys(preset_options(name), True))
    return tuple(
        (
            key,
            title,
            tuple(Explained(line, _EXAMPLES[line.key](all_on)) for line in lines),
        )
        for key, title, lines in option_lines(name)
    )


def _max_players(rules: Ruleset) -> Example:
    seats = rules.max_players
    return Example(
        _("A full table of %(seats)d begins with %(dice)d dice.")
        % {"seats": seats, "dice": seats * rules.start_dice}
    )


def _start_dice(rules: Ruleset) -> Example:
    lost = rules.start_dice - 1
    if not lost:
        return Example(_("Whoever loses the first round is out at once."))
    return Example(
        ngettext(
            "After %(count)d lost die Bob plays on with one.",
            "After %(count)d lost dice Bob plays on with one.",
            lost,
        )
        % {"count": lost}
    )


def _first_starter(rules: Ruleset) -> Example:
    return Example(
        {
            FirstStarter.RANDOM: _("Bob is drawn, and opens the first round."),
            FirstStarter.ROLL_OFF: _(
                "Alice rolls a four, Bob and Carol a six each: the two of them roll again."
            ),
            FirstStarter.DECLARED: _(
                "Alice has made the table and says that Carol begins. If she says nothing, Carol, "
                "Bob and she herself have the same chance."
            ),
        }[rules.first_starter]
    )


def _raise_mode(rules: Ruleset) -> Example:
    over = Bid(4, 4)
    state = _state(rules, to_act=_BOB, bid=over)
    bids = (Bid(4, 5), Bid(5, 4), Bid(5, 2), Bid(4, 3))
    return Example(_("Alice has bid, and Bob is next."), over, _judge(state, _BOB, bids))


def _bid_cap(rules: Ruleset) -> Example:
    counts = (_DICE, _DICE - 1, _DICE - 3)
    state = _state(rules, counts=counts, to_act=_BOB)
    left, started = sum(counts), _DICE * len(counts)
    bids = (Bid(left, 5), Bid(left + 1, 5), Bid(started + 1, 5))
    return Example(
        _("Three players began with %(started)d dice, and %(left)d are left. Bob opens.")
        % {"started": started, "left": left},
        None,
        _judge(state, _BOB, bids),
    )


def _reveal(rules: Ruleset) -> Example:
    return Example(
        {
            Reveal.ALL: _(
                "Alice has bid three fives, and Bob doubts. His cup and Carol’s hold three "
                "already: Alice’s is lifted all the same."
            ),
            Reveal.CLOCKWISE_EARLY_STOP: _(
                "Alice has bid three fives, and Bob doubts. His cup and Carol’s hold three "
                "already: Alice’s stays covered."
            ),
        }[rules.reveal]
    )


def _dice_counts(rules: Ruleset) -> Example:
    return Example(
        {
            DiceCounts.SHOWN: _(
                "Bob has lost a die in the second round and one in the fifth: there are two fewer "
                "beside his name."
            ),
            DiceCounts.HIDDEN: _(
                "Bob has lost a die in the second round and one in the fifth: each loss is told "
                "when it happens, and nobody adds them up for you."
            ),
        }[rules.dice_counts]
    )


def _palifico(rules: Ruleset) -> Example:
    return Example(
        _("Bob drops to one die and opens the next round: his aces count with every face.")
    )


def _trigger(rules: Ruleset) -> Example:
    if not rules.calza.enabled:  # nobody comes back from one die
        return Example(_("Bob drops to one die: the next round is palifico, and Bob opens it."))
    return Example(
        {
            Trigger.FIRST_TIME: _(
                "Bob drops to one die: palifico. Later he has two again, and drops to one once "
                "more: a normal round."
            ),
            Trigger.EVERY_DROP_TO_ONE: _(
                "Bob drops to one die: palifico. Later he has two again, and drops to one once "
                "more: palifico again."
            ),
        }[rules.palifico.trigger]
    )


def _face_change(rules: Ruleset) -> Example:
    over = Bid(2, 4)
    verdicts: list[Verdict] = []
    for seat, bids in ((_ALICE, (Bid(3, 4), Bid(2, 6))), (_CAROL, (Bid(2, 6),))):
        state = _state(rules, counts=(4, 1, 1), to_act=seat, bid=over, palifico_by=_BOB)
        verdicts.extend(_judge(state, seat, bids))
    return Example(
        _(
            "Bob has opened a palifico round with this bid. Alice has four dice left, Carol has "
            "one."
        ),
        over,
        tuple(verdicts),
    )


def _palifico_two(rules: Ruleset) -> Example:
    if rules.palifico.two_players:
        return Example(_("Only Alice and Bob are left, and Bob drops to one die: palifico."))
    return Example(
        _("Only Alice and Bob are left, and Bob drops to one die: a normal round, with wild aces.")
    )


def _calza(rules: Ruleset) -> Example:
    if not rules.calza.enabled:
        return Example(
            _("“Exactly four fives” is no move here: when it is her turn Carol raises or doubts.")
        )
    return Example(
        _(
            "Alice has bid four fives. Carol, who has three dice, calls calza. If there are "
            "exactly four, she has four dice; if not, she has two."
        )
    )


def _window(rules: Ruleset) -> Example:
    return Example(
        {
            CalzaWindow.NEXT_ACTION: _(
                "Alice has bid, and Bob is next. Carol calls calza before Bob has moved: it "
                "counts. A moment after his move it is too late."
            ),
            CalzaWindow.GRACE: _(
                "Alice has bid, and Bob doubts at once. His dudo waits until the time for calza is "
                "over: if Carol calls in the meantime, she is heard first."
            ),
            CalzaWindow.TURN_ONLY: _(
                "Alice has bid, and Bob is next. Bob may call calza; Carol may not."
            ),
        }[rules.calza.window]
    )


def _needs_lost_die(rules: Ruleset) -> Example:
    state = _state(rules, to_act=_CAROL, bid=Bid(4, 4))
    text = _("Alice has bid. Carol, who has lost no die yet, calls calza.")
    return Example(text, None, _judge_calza(state))


def _calza_two(rules: Ruleset) -> Example:
    state = _state(rules, counts=(3, 0, 2), to_act=_CAROL, bid=Bid(2, 4))
    text = _("Only Alice and Carol are left. Alice has bid, and Carol calls calza.")
    return Example(text, None, _judge_calza(state))


def _calza_in_palifico(rules: Ruleset) -> Example:
    state = _state(rules, counts=(3, 1, 2), to_act=_CAROL, bid=Bid(2, 4), palifico_by=_BOB)
    text = _("Bob has opened a palifico round, and Carol calls calza on his bid.")
    return Example(text, None, _judge_calza(state))


def _covered_cups(rules: Ruleset) -> Example:
    return Example(
        {
            CoveredCups.AFTER_END: _(
                "In the third round no cup was lifted. When the game is over, Bob can look up what "
                "Carol had."
            ),
            CoveredCups.NEVER: _(
                "In the third round no cup was lifted. What Carol had then stays her secret for "
                "good."
            ),
        }[rules.covered_cups_after_game]
    )


_EXAMPLES: MappingProxyType[str, Callable[[Ruleset], Example]] = MappingProxyType(
    {
        "max_players": _max_players,
        "start_dice": _start_dice,
        "first_starter": _first_starter,
        "raise_mode": _raise_mode,
        "bid_cap": _bid_cap,
        "reveal": _reveal,
        "dice_counts": _dice_counts,
        "palifico.enabled": _palifico,
        "palifico.trigger": _trigger,
        "palifico.face_change": _face_change,
        "palifico.two_players": _palifico_two,
        "calza.enabled": _calza,
        "calza.window": _window,
        "calza.needs_lost_die": _needs_lost_die,
        "calza.two_players": _calza_two,
        "calza.in_palifico": _calza_in_palifico,
        "covered_cups_after_game": _covered_cups,
    }
)


def _state(
    rules: Ruleset,
    *,
    to_act: int,
    counts: Sequence[int] = (_DICE,) * 3,
    bid: Bid | None = None,
    palifico_by: int | None = None,
) -> GameState:
    """Return a position of three seats that began with five dice each, whatever the table has."""
    return position(
        replace(rules, start_dice=_DICE),
        counts=counts,
        to_act=to_act,
        bid=bid,
        mode=Mode.NORMAL if palifico_by is None else Mode.PALIFICO,
        palifico_by=palifico_by,
    )


def _judge(state: GameState, seat: int, bids: Sequence[Bid]) -> tuple[Verdict, ...]:
    return tuple(_verdict(seat, bid, why_not(state, MakeBid(seat, bid))) for bid in bids)


def _judge_calza(state: GameState) -> tuple[Verdict, ...]:
    return (_verdict(_CAROL, None, why_not(state, Calza(_CAROL))),)


def _verdict(seat: int, bid: Bid | None, why: RuleViolation | None) -> Verdict:
    return Verdict(_NAMES[seat], bid, why is None, "" if why is None else refusal(why))
