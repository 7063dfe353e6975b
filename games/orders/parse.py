"""Read the text of an order (the grammar is in docs/orders.md).

A descent over the tokens, one method a rule, that never goes back further than one phrase: any text
is read or refused in time proportional to its length. Every refusal is an ``OrderError``.
"""

from dataclasses import dataclass

from games.orders import words
from games.orders.order import (
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
    usual_chance,
)
from games.orders.reader import BETWEEN, Reader
from games.rules.bid import Bid


def parse(text: str) -> Order:
    """Return the order that ``text`` says.

    :raises OrderError: it says none; the error names the word, its place and what was expected.
    """
    return _Orders(text).order()


def parse_bids(text: str) -> tuple[Bid, ...]:
    """Return the bids of a list such as ``4x5, 5x5``: what a form's field for a ladder holds.

    :raises OrderError: as :func:`parse` does.
    """
    return Reader(text).bids_alone()


@dataclass(frozen=True, slots=True)
class _Percent:
    """A chance before the act is known that waits for it; ``of`` None is that act's usual one."""

    relation: Relation
    percent: int
    of: ChanceOf | None


_Read = StandingBid | Quantity | Opening | _Percent


def _settled(read: _Read, act: Act) -> Condition:
    if isinstance(read, _Percent):
        return Chance(read.relation, read.percent, read.of or usual_chance(act))
    return read


def _asking(clauses: list[Clause]) -> Order:
    """Return the order that asks where no clause acts; a last ``ask`` says just that."""
    says_so = clauses[-1] == Clause(Call.ASK)
    return Order(tuple(clauses[:-1] if says_so else clauses))


class _Orders(Reader):
    """The grammar of an order, a method a rule."""

    # --- the whole ---

    def order(self) -> Order:
        following = words.NEXT.match(self.tokens, self.at)
        if following and self.mark(":", following[1]):
            self.at = following[1] + 1
        clauses: list[Clause] = []
        while True:
            comma = self.mark(",")
            self.skip(BETWEEN)
            if self.ended and clauses:
                return _asking(clauses)
            if comma and self.number_begins and not self.condition_begins:
                self.unexpected("act")  # "calza on 6x5, 7x5" is not meant to bid 7x5
            otherwise = self.take(words.ELSE)
            if otherwise:
                self.skip(":,")
            clause = self.clause()
            if not self.ended and not self.mark(BETWEEN) and not self.begins(words.ELSE):
                self.unexpected("end")
            if otherwise and not clause.conditions:
                self.skip(BETWEEN)
                if self.ended:
                    return Order(tuple(clauses), clause.act)
                if not isinstance(clause.act, Rungs):  # a ladder may be used up, the rest may not
                    self.refuse("order.after-else", self.at)
            clauses.append(clause)

    def clause(self) -> Clause:
        """Read conditions and then an act, or an act and then conditions."""
        read: list[_Read] = []
        if self.take(words.IF) or (self.condition_begins and not self.begins(words.CALLS)):
            read = self.conditions()
            self.skip(":,")
            self.take(words.THEN)
            act = self.act()
        else:
            act = self.act()
            asked = not self.begins(words.ELSE) and self.take(words.IF)
            if asked or self.condition_begins:
                read = self.conditions()
        return Clause(act, tuple([_settled(each, act) for each in read]))

    # --- acts ---

    def act(self) -> Act:
        bidding = self.take(words.LEAD)
        if bidding and self.take(words.AT_LEAST):
            return AtLeast(self.bid())
        called = words.CALLS.match(self.tokens, self.at)
        if called and (not bidding or called[0] is Call.LEAST):
            self.at = called[1]
            return called[0]
        if not bidding and self.begins(words.PASS):
            self.refuse("order.pass", self.at)
        if not bidding and not self.number_begins:
            self.unexpected("act")
        return Rungs(self.ladder())

    # --- conditions ---

    @property
    def condition_begins(self) -> bool:
        """Say whether a condition begins here that needs no "if" to be known as one."""
        plural = self.face_alone(self.at)
        return (
            self.begins(words.OPENING)
            or self.begins(words.RELATIONS)
            or self.chance_named is not None
            or (plural is not None and words.RELATIONS.match(self.tokens, plural[1]) is not None)
        )

    @property
    def chance_named(self) -> tuple[ChanceOf | None, int] | None:
        """Return the chance that is named here, and where the comparison after it begins."""
        named = words.CHANCES.match(self.tokens, self.at)
        return named if named and words.RELATIONS.match(self.tokens, named[1]) else None

    def conditions(self) -> list[_Read]:
        found = [self.condition()]
        while self.take(words.AND):
            found.append(self.condition())
        return found

    def condition(self) -> _Read:
        start = self.at
        if self.take(words.OPENING):
            return Opening()
        plural = self.face_alone(start)
        if plural:
            face, self.at = plural
            relation = self.find(words.RELATIONS)
            least = 1 if relation is None else self.counted()
            return Quantity(relation or Relation.FROM, least, face)
        chance = self.chance_named
        if chance:
            self.at = chance[1]
        relation = self.find(words.RELATIONS)
        if not self.number_begins:
            self.unexpected("condition" if relation is None else "number")
        first = self.at
        number = self.number()
        percent = self.take(words.PERCENT)
        if percent or chance:
            right = percent and 1 <= number <= 99
            if not right or relation is None or relation is Relation.ON:
                self.refuse("order.percent", start)
            return _Percent(relation, number, chance[0] if chance else None)
        return self.compared(relation, number, first)

    def compared(self, relation: Relation | None, number: int, first: int) -> _Read:
        """Read on after the number that began a bid or a quantity."""
        more = relation is None and self.take(words.OR_MORE)
        face = self.face_after()
        if more:
            quantity = self.made_bid(number, face or 1, first).quantity
            if face is None:
                self.take(words.ANYTHING)
            return Quantity(Relation.FROM, quantity, face)
        if face is not None:
            bid = self.made_bid(number, face, first)
            reached = Relation.FROM if relation is None and self.take(words.OR_MORE) else None
            return StandingBid(reached or relation or Relation.ON, bid)
        self.take(words.ANYTHING)
        if relation is None and not self.take(words.OR_MORE):
            self.unexpected("face")
        return Quantity(relation or Relation.FROM, self.made_bid(number, 1, first).quantity)

    def counted(self) -> int:
        if not self.number_begins:
            self.unexpected("number")
        start = self.at
        return self.made_bid(self.number(), 1, start).quantity
