"""Read bids, numbers and faces off a text: what orders and lists of bids have in common."""

from typing import Never

from games.orders import words
from games.orders.errors import OrderError
from games.orders.order import MOST_CHARACTERS, Relation, Rungs
from games.orders.tokens import Kind, tokenize
from games.orders.words import Meaning, Phrases
from games.rules.bid import FACES, MAX_QUANTITY, Bid

BETWEEN = ";,."
"""The marks that keep clauses apart."""

_CLIPPED = 40


class Reader:
    """Tokens, and the one that reading has come to."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_CHARACTERS:
            raise OrderError("order.too-long", most=MOST_CHARACTERS)
        self.text = text
        self.tokens = tokenize(text)
        self.at = 0
        if not self.tokens:
            raise OrderError("order.empty")

    # --- bids ---

    def bids_alone(self) -> tuple[Bid, ...]:
        bids = Rungs(self.ladder()).bids  # no more of them than a ladder has
        self.skip(BETWEEN)
        if not self.ended:
            self.unexpected("bid")
        return bids

    def ladder(self) -> tuple[Bid, ...]:
        bids = [self.bid()]
        while self.mark(","):
            self.at += 1
            if not self.number_begins:
                self.at -= 1  # this comma ends the clause
                break
            bids.append(self.bid())
        return tuple(bids)

    def bid(self) -> Bid:
        if not self.number_begins:
            self.unexpected("bid")
        start = self.at
        quantity = self.number()
        face = self.face_after()
        if face is None:
            self.unexpected("face")
        return self.made_bid(quantity, face, start)

    # --- numbers and faces ---

    @property
    def number_begins(self) -> bool:
        return self.kind_is(Kind.NUMBER, self.at) or self.begins(words.NUMBERS)

    def number(self) -> int:
        """Read digits or a number word; the caller has looked that one begins here."""
        if self.kind_is(Kind.NUMBER, self.at):
            self.at += 1
            digits = self.tokens[self.at - 1].text.lstrip("0")
            # A longer one is out of every range, and reading it would cost.
            return int(digits[: len(str(MAX_QUANTITY)) + 1] or "0")
        found = self.find(words.NUMBERS)
        assert found is not None  # noqa: S101
        return found

    def face_after(self) -> int | None:
        """Read what joins a quantity to its face, and the face; None when there is no face."""
        joiner = words.JOINER.match(self.tokens, self.at)
        anything = words.ANYTHING.match(self.tokens, self.at)
        if joiner and not (anything and anything[1] >= joiner[1]):
            self.at = joiner[1]
        found = self.face_at(self.at)
        if found:
            self.at = found[1]
            return found[0]
        if joiner and self.at == joiner[1]:
            self.unexpected("face")
        return None

    def face_at(self, at: int) -> tuple[int, int] | None:
        """Return the face that is named at a token, and where its name ends."""
        if not self.kind_is(Kind.NUMBER, at):
            return words.FACES.match(self.tokens, at)
        return int(self.tokens[at].text[:5]), self.after_plural(at + 1)

    def after_plural(self, at: int) -> int:
        """Return where ``s`` or ``'s`` ends, or ``at`` where there is none."""
        for ending in (["s"], ["'", "s"]):
            if [token.text for token in self.tokens[at : at + len(ending)]] == ending:
                return at + len(ending)
        return at

    def face_alone(self, at: int) -> tuple[int, int] | None:
        """Return a face that stands without a quantity, such as ``on 5s``, and where it ends."""
        on = words.RELATIONS.match(self.tokens, at)
        if on and on[0] is Relation.ON:
            at = on[1]
        found = self.face_at(at)
        if found is None or found[0] not in FACES:
            return None
        number = self.kind_is(Kind.NUMBER, at)
        plural = self.after_plural(at + 1) > at + 1 if number else False
        followed = not number and words.RELATIONS.match(self.tokens, found[1])
        named = not number and not words.NUMBERS.match(self.tokens, at)
        return found if plural or followed or named else None

    def made_bid(self, quantity: int, face: int, start: int) -> Bid:
        if not 1 <= quantity <= MAX_QUANTITY or face not in FACES:
            self.refuse("order.bid", start, most=MAX_QUANTITY)
        return Bid(quantity, face)

    # --- tokens ---

    @property
    def ended(self) -> bool:
        return self.at == len(self.tokens)

    def kind_is(self, kind: Kind, at: int) -> bool:
        return at < len(self.tokens) and self.tokens[at].kind is kind

    def mark(self, marks: str, at: int | None = None) -> bool:
        """Say whether one of ``marks`` stands here, or at ``at``."""
        at = self.at if at is None else at
        return self.kind_is(Kind.MARK, at) and self.tokens[at].text in marks

    def skip(self, marks: str) -> None:
        while self.mark(marks):
            self.at += 1

    def begins(self, phrases: Phrases[Meaning]) -> bool:
        return phrases.match(self.tokens, self.at) is not None

    def find(self, phrases: Phrases[Meaning]) -> Meaning | None:
        """Take a phrase of a table and return what it means, or None when none begins here."""
        found = phrases.match(self.tokens, self.at)
        if found is None:
            return None
        self.at = found[1]
        return found[0]

    def take(self, phrases: Phrases[Meaning]) -> bool:
        """Take a phrase of a table and say whether one began here."""
        return self.find(phrases) is not None

    def unexpected(self, expected: str) -> Never:
        if self.ended:
            position = self.tokens[-1].end + 1
            raise OrderError("order.ends", position=position, expected=expected)
        self.refuse("order.word", self.at, expected=expected)

    def refuse(self, code: str, start: int, **params: str | int) -> Never:
        """Refuse the words from token ``start`` to where reading has come, one at least."""
        if start == len(self.tokens):
            self.unexpected("end")
        begin, end = self.tokens[start].start, self.tokens[max(start, self.at - 1)].end
        seen = "".join([each if each.isprintable() else "�" for each in self.text[begin:end]])
        raise OrderError(code, word=seen[:_CLIPPED], position=begin + 1, **params)
