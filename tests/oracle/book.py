"""What is secret, since when, and for whom."""

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from tests.oracle import facts
from tests.oracle.spellings import Found, Spellings

LEAST_DIFFERENT = 16
"""Different bytes (and steps from byte to byte) that 32 bytes of chance have at the very least."""


class Kind(StrEnum):
    """What a token opens."""

    SEED = "the seed S of a game"
    GAME = "the key G of a game"
    ROUND = "the key K of a round"
    CUP = "the key of a cup"
    SALT = "the salt of a die"
    SEED_KEY = "a key that encrypts seeds"
    SITE = "the site's secret key"
    ADDRESS = "the address that a player plays by"


@dataclass(frozen=True, slots=True)
class Place:
    """Which game, round and cup a token belongs to, as far as it is known."""

    gid: str = ""
    number: int | None = None
    seat: int | None = None

    def __str__(self) -> str:
        """Return the place in words: never anything that is secret."""
        words = [f"game {self.gid[:8]}"] if self.gid else []
        words += [] if self.number is None else [f"round {self.number}"]
        words += [] if self.seat is None else [f"seat {self.seat}"]
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Token:
    """A secret, with what it was derived from: what is known of that is known of it."""

    kind: Kind
    place: Place
    parent: bytes | None = None


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret where it does not belong. It names the secret's kind and never the secret."""

    where: str
    what: str
    how: str

    def __str__(self) -> str:
        return f"{self.what}, written as {self.how}, in {self.where}"


class Book:
    """The secrets of the test that runs, and the leaks that were seen."""

    def __init__(self) -> None:
        self._fixed: list[tuple[bytes, Kind]] = []
        self.settle: Callable[[], None] = lambda: None
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Forget everything but the keys of the whole run: another test begins."""
        self.tokens: dict[bytes, Token] = {}
        self.leaks: list[Leak] = []
        self.leaks_on_purpose = False
        self._public: set[bytes] = set()
        self._spellings = Spellings()
        for value, kind in self._fixed:
            self._enter(value, Token(kind, Place()))

    def fix(self, values: Iterable[tuple[bytes, Kind]]) -> None:
        """Note secrets that outlive a test."""
        self._fixed.extend(values)
        self.clear()

    def learn(
        self, value: bytes, kind: Kind, place: Place | None = None, *, parent: bytes | None = None
    ) -> None:
        """Note a secret as it comes into being.

        :param place: without one it is the place of ``parent``.
        """
        above = self.tokens.get(parent) if parent else None
        if value in self.tokens or not _is_chance(value) or (parent and not above):
            return  # what follows from no secret is none: the test vector of docs/pf1.md
        self._enter(value, Token(kind, place or (above.place if above else Place()), parent))

    def learn_address(self, local_part: str) -> None:
        """Note an address that we give to one person: it may be in his mails, and nowhere else."""
        value = local_part.encode()
        if value not in self.tokens:
            with self._lock:
                self.tokens[value] = Token(Kind.ADDRESS, Place())
                self._spellings.add_address(local_part)

    def place_of(self, value: bytes) -> Place:
        """Return where a token belongs."""
        known = self.tokens.get(value)
        return known.place if known else Place()

    def search(self, data: str | bytes) -> set[Found]:
        """Return the tokens in ``data`` that are still secret for somebody."""
        with self._lock:
            found = self._spellings.search(data)
        return {hit for hit in found if not self.is_public(hit[0])} if found else found

    def is_public(self, value: bytes | None) -> bool:
        """Return whether the public log holds a token, or one that it follows from."""
        while value is not None:
            if value in self._public:
                return True
            known = self.tokens.get(value)
            value = known.parent if known else None
        return False

    def belongs_to(self, value: bytes, user_id: int | None) -> bool:
        """Return whether a token is of the user's own cup: his page may show it to him."""
        token = self.tokens[value]
        if token.kind not in (Kind.CUP, Kind.SALT) or user_id is None:
            return False
        return facts.owner_of(token.place.gid, token.place.seat, token.place.number) == user_id

    def publish(self, value: bytes) -> None:
        """Note that a secret is one no longer, nor is what follows from it."""
        self._public.add(value)

    def report(self, where: str, found: Iterable[Found]) -> None:
        """Note leaks."""
        for value, how in found:
            token = self.tokens[value]
            words = f"{token.kind} ({token.place})" if str(token.place) else str(token.kind)
            self.leaks.append(Leak(where, words, how))

    def look(self, where: str, data: str | bytes, *, is_mail: bool = False) -> None:
        """Note every secret that is in ``data`` as a leak; a mail may hold addresses."""
        if self.tokens:
            found = self.search(data)
            if is_mail:
                found = {hit for hit in found if self.tokens[hit[0]].kind is not Kind.ADDRESS}
            self.report(where, found)

    @contextmanager
    def expecting(self) -> Iterator[list[Leak]]:
        """Collect the leaks of a block that leaks on purpose, so that the test may go on."""
        before = self.leaks
        leaks = self.leaks = []
        self.leaks_on_purpose = True
        try:
            yield leaks
            self.settle()
        finally:
            self.leaks = before

    def _enter(self, value: bytes, token: Token) -> None:
        with self._lock:
            self.tokens[value] = token
            self._spellings.add(value)


def _is_chance(value: bytes) -> bool:
    """Return whether ``value`` looks like chance: a test may derive from 32 zero bytes."""
    steps = {(after - before) % 256 for before, after in itertools.pairwise(value)}
    return len(set(value)) >= LEAST_DIFFERENT and len(steps) >= LEAST_DIFFERENT


book = Book()
"""The book of this process. Taps write from any thread."""
