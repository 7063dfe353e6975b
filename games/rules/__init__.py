"""The rules of Perudo, as a pure library: this page is its manual and is run as a test.

Nothing here knows a database, a clock or chance. The numbered rules are in ``docs/rules.md``.

**A game is a state and a list of actions**: ``Roll(cups)``, ``MakeBid(seat, bid)``, ``Dudo(seat)``,
``Calza(seat)``, ``Resign(seat)``, ``Forfeit(seat)``. Seats are 0 to n-1 and play goes to the left,
which is +1. A bid ``4x5`` is four dice of face 5; face 1 is the ace. Chance is an action too: a
replay needs no luck.

>>> from games.rules import *
>>> rules = find_ruleset("piatnik")
>>> state = new_game(rules, seats=3, opener=0)
>>> state.phase, state.round.number, state.round.opener
(<Phase.ROLL: 'roll'>, 1, 0)
>>> state = apply(state, Roll(((2, 3, 3, 5, 1), (4, 4, 4, 6, 1), (2, 2, 5, 5, 6)))).state
>>> state = apply(state, MakeBid(0, Bid(3, 3))).state
>>> state = apply(state, MakeBid(1, Bid.parse("5x4"))).state
>>> state.round.to_act, str(state.round.standing.bid), state.round.standing.seat
(2, '5x4', 1)

A state is frozen: ``apply`` returns the next one, the events that everybody may hear, and, when the
action closed a round, its outcome.

>>> applied = apply(state, Dudo(2))
>>> [event.kind for event in applied.events]
['dudo', 'lifted', 'lifted', 'lifted', 'die_lost', 'round']

**The outcome** says who lost or gained, which cups were lifted in which order, and what comes next.

>>> outcome = applied.outcome
>>> [(cup.seat, cup.dice, cup.matching) for cup in outcome.lifted]
[(2, (2, 2, 5, 5, 6), 0), (0, (2, 3, 3, 5, 1), 1), (1, (4, 4, 4, 6, 1), 4)]
>>> outcome.count, outcome.held, outcome.loser
(5, True, 2)
>>> outcome.next_opener, str(outcome.next_mode), outcome.winner
(2, 'normal', None)
>>> [seat.dice for seat in applied.state.seats], str(applied.state.phase)
([5, 5, 4], 'roll')
>>> RoundOutcome.from_dict(outcome.to_dict()) == outcome
True

A seat may leave at any time: nothing is lifted and the round is rolled anew without it. The next
round always begins with a ``Roll`` of as many dice as each seat has left, ``()`` for a seat out.

>>> left = apply(applied.state, Resign(0))
>>> str(left.outcome.kind), left.outcome.out, left.outcome.next_opener
('resign', 0, 2)
>>> again = apply(left.state, Roll(((), (1, 2, 3, 4, 5), (6, 6, 6, 6)))).state
>>> str(again.phase)
'bid'

A seat to move whose clock runs out may forfeit a die, where the table plays so: again nothing is
lifted. No player makes that move.

>>> forfeited = apply(again, Forfeit(2)).outcome
>>> str(forfeited.kind), forfeited.lifted, forfeited.loser, forfeited.next_opener
('forfeit', (), 2, 2)

**Any position** can be built from counts, mode, standing bid and the seat to act. A bare bid was
made by the seat on the right of the one to act. Without cups bids can be judged, but none lifted.

>>> table = position(rules, counts=(2, 0, 4, 1), to_act=2, bid=Bid(4, 5))
>>> table.round.standing
PlacedBid(seat=0, bid=Bid(quantity=4, face=5))

**Legal bids**: the least of each face in closed form, or all of them up to a quantity, both in the
order of bids. They are empty for a seat whose turn it is not.

>>> [str(bid) for bid in least_raises(table, 2)]
['4x6', '2x1', '5x2', '5x3', '5x4', '5x5']
>>> [str(bid) for bid in legal_raises(table, 2, up_to=4)]
['4x6', '2x1', '3x1', '4x1']
>>> least_raises(table, 3)
()

In a palifico round aces are an ordinary face. In this ruleset whoever has one die may change the
face and the others may not:

>>> palifico = position(rules, counts=(1, 3, 1), to_act=1, mode=Mode.PALIFICO, bid=Bid(2, 4))
>>> [str(bid) for bid in legal_raises(palifico, 1, up_to=4)]
['3x4', '4x4']
>>> palifico = apply(palifico, MakeBid(1, Bid(3, 4))).state
>>> [str(bid) for bid in least_raises(palifico, 2)]
['3x5', '3x6', '4x1', '4x2', '4x3', '4x4']

**Refusals** carry a stable code, an English sentence and the numbers in it. ``why_not`` explains
any action, ``why_illegal`` a bid over another one; ``apply`` raises what ``why_not`` returns.

>>> why_not(table, MakeBid(2, Bid(1, 1)))
RuleViolation('bid.aces-half', 'Going to aces from 4x5 takes at least 2 aces.')
>>> why_not(table, MakeBid(2, Bid(1, 1))).params
{'over': '4x5', 'least': 2}
>>> why_not(table, Dudo(3)).code, why_not(table, Dudo(2))
('turn.not-yours', None)
>>> apply(table, Calza(3))
Traceback (most recent call last):
    ...
games.rules.errors.RuleViolation: Calza is not played at this table.
>>> try:
...     Bid.parse("four fives")
... except RuleViolation as refused:
...     print(refused.code, refused.params)
bid.unreadable {'most': 9999}
>>> "bid.aces-half" in ALL_CODES
True

**Rulesets** are values. A preset has the options that its text leaves to the table; with
``dataclasses.replace`` any toggle makes a custom one. A game stores ``to_dict()``, the full set.

>>> sorted(PRESETS), preset_options("asmodee")
(['asmodee', 'bga', 'piatnik', 'wikipedia'], ('palifico', 'calza', 'shown_counts'))
>>> bga = with_options(find_ruleset("bga", version=1), {"calza": True})
>>> Ruleset.from_dict(bga.to_dict()) == bga
True

>>> from dataclasses import replace
>>> custom = replace(bga, name="custom", raise_mode=RaiseMode.ONE_WAY, start_dice=3,
...                  calza=replace(bga.calza, window=CalzaWindow.TURN_ONLY))
>>> why_not(position(custom, counts=(3, 3), bid=Bid(2, 4)), MakeBid(0, Bid(3, 5))).code
'bid.one-way'

With calza a seat may call the standing bid exact, in turn or out of turn:

>>> table = position(bga, counts=(2, 2, 1), to_act=1, bid=Bid(2, 6), cups=[(6, 5), (3, 4), (1,)])
>>> may_calza(table, 0), may_calza(table, 2)
(False, True)
>>> outcome = apply(table, Calza(2)).outcome
>>> outcome.held, outcome.gainer, outcome.next_opener
(True, 2, 2)

**The end.** A seat without dice is out and takes a place; the last one with a die has won.

>>> last = position(bga, counts=(1, 3), to_act=1, bid=Bid(4, 2), cups=[(2,), (2, 2, 5)])
>>> applied = apply(last, Dudo(1))
>>> applied.outcome.out, applied.outcome.winner, str(applied.state.phase)
(0, 1, 'over')
>>> [seat.place for seat in applied.state.seats]
[2, 1]

**Secrets.** A ``GameState`` holds everybody's dice. What one person may see is ``view_for``, the
only projection: his own cup, no other, and what is open to all. None is a spectator.

>>> view = view_for(state, 2)
>>> view.own_dice, [seat.dice for seat in view.seats]
((2, 2, 5, 5, 6), [None, None, 5])
>>> view.may_dudo, view.may_calza, str(view.least_raises[0])
(True, False, '5x5')
>>> view_for(state, None).own_dice is None
True

**Odds** are reckoned from a view: from one's own dice and the number of those unseen.

>>> round(chance_for(view, Bid(5, 2)), 3), round(chance_exact_for(view, Bid(5, 2)), 3)
(0.701, 0.26)

**A record** holds a whole game as text, JSON Lines. ``load`` refuses what is cut or wrong with a
line and a reason (``RecordError``); ``replay`` plays it again and lists where the rules disagree.

>>> text = dump(record_game(rules, seats=("Ada", "Bo"), opener=0, actions=[
...     Roll(((2, 2, 3, 4, 5), (2, 3, 3, 6, 1))), MakeBid(0, Bid(4, 2)), Dudo(1)]))
>>> replay(load(text))
[]
>>> for sentence in list(account(load(text)))[-6:-2]:
...     print(sentence)
  Bo says dudo
  Lifted: Bo 2 3 3 6 1 (2); Ada 2 2 3 4 5 (2)
  4x2 is met: 4 counted.
  Bo loses a die.
>>> load("{}")
Traceback (most recent call last):
    ...
games.rules.record.lines.RecordError: line 1: "format" is missing.
"""

from games.rules.bid import ACE, FACES, MAX_QUANTITY, Bid, Mode
from games.rules.engine import Applied, apply
from games.rules.errors import ALL_CODES, MESSAGES, RuleViolation
from games.rules.events import (
    BidMade,
    CalzaCalled,
    CupLifted,
    DieGained,
    DieLost,
    DudoCalled,
    Event,
    GameWon,
    RoundCreated,
    RoundRolled,
    SeatForfeited,
    SeatOut,
    SeatResigned,
)
from games.rules.legal import (
    first_caller,
    least_raises,
    legal_raises,
    may_calza,
    may_change_face,
    may_dudo,
    why_illegal,
    why_not,
)
from games.rules.odds import chance, chance_exact, chance_exact_for, chance_for
from games.rules.outcome import LiftedCup, OutcomeKind, RoundOutcome
from games.rules.positions import position
from games.rules.presets import (
    PRESETS,
    find_ruleset,
    preset_options,
    with_options,
    with_start_dice,
)
from games.rules.record import (
    Difference,
    GameRecord,
    MoveEntry,
    RecordError,
    ResultEntry,
    RollEntry,
    account,
    clean_label,
    dump,
    load,
    record_game,
    replay,
    without_covered_cups,
)
from games.rules.ruleset import (
    BidCap,
    CalzaWindow,
    CoveredCups,
    DiceCounts,
    FaceChange,
    FirstStarter,
    RaiseMode,
    Reveal,
    Ruleset,
    Trigger,
)
from games.rules.ruleset import Calza as CalzaRules
from games.rules.ruleset import Palifico as PalificoRules
from games.rules.starter import first_opener
from games.rules.state import (
    Action,
    Calza,
    Cup,
    Dudo,
    Forfeit,
    GameState,
    MakeBid,
    Move,
    Phase,
    PlacedBid,
    Resign,
    Roll,
    RoundState,
    SeatAction,
    SeatState,
    new_game,
)
from games.rules.view import SeatView, TableView, view_for

__all__ = [
    "ACE",
    "ALL_CODES",
    "FACES",
    "MAX_QUANTITY",
    "MESSAGES",
    "PRESETS",
    "Action",
    "Applied",
    "Bid",
    "BidCap",
    "BidMade",
    "Calza",
    "CalzaCalled",
    "CalzaRules",
    "CalzaWindow",
    "CoveredCups",
    "Cup",
    "CupLifted",
    "DiceCounts",
    "DieGained",
    "DieLost",
    "Difference",
    "Dudo",
    "DudoCalled",
    "Event",
    "FaceChange",
    "FirstStarter",
    "Forfeit",
    "GameRecord",
    "GameState",
    "GameWon",
    "LiftedCup",
    "MakeBid",
    "Mode",
    "Move",
    "MoveEntry",
    "OutcomeKind",
    "PalificoRules",
    "Phase",
    "PlacedBid",
    "RaiseMode",
    "RecordError",
    "Resign",
    "ResultEntry",
    "Reveal",
    "Roll",
    "RollEntry",
    "RoundCreated",
    "RoundOutcome",
    "RoundRolled",
    "RoundState",
    "RuleViolation",
    "Ruleset",
    "SeatAction",
    "SeatForfeited",
    "SeatOut",
    "SeatResigned",
    "SeatState",
    "SeatView",
    "TableView",
    "Trigger",
    "account",
    "apply",
    "chance",
    "chance_exact",
    "chance_exact_for",
    "chance_for",
    "clean_label",
    "dump",
    "find_ruleset",
    "first_caller",
    "first_opener",
    "least_raises",
    "legal_raises",
    "load",
    "may_calza",
    "may_change_face",
    "may_dudo",
    "new_game",
    "position",
    "preset_options",
    "record_game",
    "replay",
    "view_for",
    "why_illegal",
    "why_not",
    "with_options",
    "with_start_dice",
    "without_covered_cups",
]
