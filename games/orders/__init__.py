"""Standing orders, as a pure library: this page is its manual and is run as a test.

An order is a policy that a player leaves for his own seat in one round. ``docs/orders.md`` is its
grammar for players. Nothing here knows a database, a clock or chance, and nothing sees more than
the ``TableView`` of the order's own seat.

**Text and value** are the same thing twice: ``parse`` reads what a player writes, in any of four
languages, and ``str`` writes the canonical form, which ``parse`` reads back.

>>> from games.orders import *
>>> order = parse("Dudo when under 30 %; else raise 4x5, five fives, 6 × 3; ask me from 8")
>>> str(order)
'dudo below 30%; bid 4x5, 5x5, 6x3; ask from 8; else ask'
>>> parse(str(order)) == order
True
>>> str(parse("se sotto 7x5 rilancio 7x5, altrimenti dudo"))
'bid 7x5 if below 7x5; else dudo'

A text that is none is refused with a stable code, the word, its place and what was expected.

>>> try:
...     parse("dudo below thirty")
... except OrderError as refused:
...     print(refused.code, refused.params)
order.word {'word': 'thirty', 'position': 12, 'expected': 'number'}
>>> "order.word" in ALL_CODES
True

**Deciding.** The first clause that applies acts; a ladder whose rungs are all passed does not
apply. What the rules refuse is never played: the player is asked, with the code of the refusal.

>>> from games.rules import Bid, PlacedBid, find_ruleset, position, view_for, with_options
>>> rules = with_options(find_ruleset("bga"), {"calza": True})
>>> cups = ((5, 5, 1, 2), (3, 3, 3, 6), (2, 2, 4, 4))
>>> def alice_faces(bid):
...     return view_for(position(rules, counts=(4, 4, 4), bid=bid, cups=cups), 0)
>>> decide(alice_faces(Bid(4, 5)), order)
Decision(action=MakeBid(seat=0, bid=Bid(quantity=5, face=5)), clause=1)
>>> decide(alice_faces(Bid(7, 3)), order)
Decision(action=Dudo(seat=0), clause=0)
>>> decide(alice_faces(Bid(6, 5)), order)
Decision(action=Ask(code='order.ask'), clause=None)
>>> decide(alice_faces(None), parse("dudo")).action
Ask(code='dudo.no-bid')

**Calza out of turn.** ``calza_claim`` says whether an order calls a bid that has just landed, and
``first_claim`` which of several seats is heard: the nearest to the left of the bidder.

>>> landed = position(rules, counts=(4, 4, 4), to_act=2, bid=PlacedBid(1, Bid(5, 5)), cups=cups)
>>> calza = parse("calza on 5x5")
>>> calza_claim(view_for(landed, 0), calza), calza_claim(view_for(landed, 1), calza)
(True, False)
>>> first_claim([(view_for(landed, 0), calza), (view_for(landed, 2), parse("calza from 20%"))])
0
>>> first_claim([(view_for(landed, seat), calza) for seat in (0, 1, 2)])
2

**Before it is given**, ``preview`` shows what an order would do on each bid that can come, exactly
as ``decide`` will, and warns of what its player may not have meant.

>>> bob_to_act = position(rules, counts=(4, 4, 4), to_act=1, bid=Bid(3, 6), cups=cups)
>>> ladder = parse("dudo below 30%; bid 5x5, 6x3, 4x3; calza on 1x2; else least")
>>> shown = preview(view_for(bob_to_act, 0), ladder)
>>> for row in shown.rows:
...     print(row.first, row.last, row.bids, row.action)
4x3 5x2 6 MakeBid(seat=0, bid=Bid(quantity=5, face=5))
5x3 5x4 2 Dudo(seat=0)
5x5 5x5 1 MakeBid(seat=0, bid=Bid(quantity=6, face=3))
5x6 6x4 4 Dudo(seat=0)
6x5 6x5 1 least
6x6 6x6 1 Dudo(seat=0)
3x1 3x1 1 least
7x2 12x1 39 Dudo(seat=0)
>>> [(warning.code, warning.clause, str(warning.bid)) for warning in shown.warnings]
[('order.rung-illegal', 1, '4x3'), ('order.unreachable', 2, 'None')]
>>> [f"{chance:.2f}" for chance in shown.rows[0].held]
['0.53', '0.96']

**In sentences.** ``explain`` takes an order apart into codes and values, for whoever translates it.

>>> for part in explain(parse("dudo below 30%; else least")):
...     print(part.act.code, [(each.code, dict(each.values)) for each in part.conditions])
act.dudo [('if.holds-below', {'percent': 30})]
act.least []

**A form** has no meaning of its own: its choices write an order, and an order of that shape fills
the form again.

>>> choices = Choices(dudo_below=30, ladder=parse_bids("4x5, 5x5"), otherwise=Call.LEAST)
>>> str(compose(choices))
'dudo below 30%; bid 4x5, 5x5; else least'
>>> choices_of(compose(choices)) == choices, choices_of(parse("ask on 5s from 3"))
(True, None)

**Speed tells nothing.** ``delay`` draws a wait, in seconds, from the player's own past answers.

>>> delay([60, 90, 120, 240, 600, 900, 1800, 7200, 90000], luck=0.5, time_left=86400)
420.0
"""

from games.orders.decide import (
    ASK_CODES,
    Ask,
    Decision,
    calza_claim,
    decide,
    first_claim,
)
from games.orders.delay import delay
from games.orders.errors import ALL_CODES, EXPECTED, MESSAGES, OrderError
from games.orders.explain import PHRASES, Explained, Phrase, explain
from games.orders.form import Choices, choices_of, compose
from games.orders.order import (
    MOST_CHARACTERS,
    MOST_CLAUSES,
    MOST_CONDITIONS,
    MOST_RUNGS,
    Act,
    AtLeast,
    Call,
    Chance,
    ChanceOf,
    Clause,
    Condition,
    Opening,
    Order,
    Quantity,
    Relation,
    Rungs,
    StandingBid,
)
from games.orders.parse import parse, parse_bids
from games.orders.preview import WARNINGS, OrderWarning, Preview, Row, preview

__all__ = [
    "ALL_CODES",
    "ASK_CODES",
    "EXPECTED",
    "MESSAGES",
    "MOST_CHARACTERS",
    "MOST_CLAUSES",
    "MOST_CONDITIONS",
    "MOST_RUNGS",
    "PHRASES",
    "WARNINGS",
    "Act",
    "Ask",
    "AtLeast",
    "Call",
    "Chance",
    "ChanceOf",
    "Choices",
    "Clause",
    "Condition",
    "Decision",
    "Explained",
    "Opening",
    "Order",
    "OrderError",
    "OrderWarning",
    "Phrase",
    "Preview",
    "Quantity",
    "Relation",
    "Row",
    "Rungs",
    "StandingBid",
    "calza_claim",
    "choices_of",
    "compose",
    "decide",
    "delay",
    "explain",
    "first_claim",
    "parse",
    "parse_bids",
    "preview",
]
