"""A game of the site's own, whose secrets are looked for in what the site lets out.

Its dice are nobody's, so they may be in a memory that searches logs and mails for them. Where they
turn up, those of every game do. See docs/secrecy.md.
"""

import base64
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from games import rules, store
from games.bots import BOTS, DEFAULT_BOT
from games.models import Game, GameStatus
from games.selectors import Viewer, find_game, table_page
from games.services import lobby, moves

SEATS = 3
CHUNK = 12
"""Bytes of a secret that are looked for: half of one found is found as well."""

_FOLDS = re.compile(rb"=?\r?\n[ \t]?")


def game_of(user_id: int) -> Game | None:
    """Return the canary's game under way, if there is one."""
    games = Game.objects.filter(host_id=user_id, status=GameStatus.ACTIVE)
    return games.select_related("current_round").order_by("-pk").first()


def fly(*, canary: lobby.Player, now: datetime) -> Game:
    """Make a private game against bots where none is under way, else move if it is its turn.

    Safe to repeat: call it from a timetable.

    :raises StaleMove: the clock was quicker. The next call finds the next turn.
    """
    game = game_of(canary.user_id)
    if game is None:
        ruleset = rules.find_ruleset("wikipedia")
        new = lobby.NewGame(ruleset=ruleset, seats=SEATS, bots=SEATS - 1, name="Canary")
        return lobby.create_game(host=canary, new=new, now=now)
    page = table_page(find_game(game.code, Viewer(canary.user_id)), Viewer(canary.user_id))
    if page.view is not None and page.is_my_turn:
        luck = secrets.randbelow(10**9) / 10**9
        action = BOTS[DEFAULT_BOT](page.view, luck=luck)
        moves.play(game_id=game.pk, action=action, expected_version=game.version, now=now)
    return game


def secrets_of(game: Game) -> list[bytes]:
    """Return what must be nowhere but in the memory of who derives it, while the round lasts.

    :raises SeedUnavailable: the key that encrypts the seed is not configured.
    """
    row = game.current_round
    return store.open_dice(game).secrets(row) if row is not None and row.is_rolled else []


class Scanner:
    """Looks for secrets in a stream, whatever the pieces in which it comes."""

    def __init__(self, tokens: Iterable[bytes]) -> None:
        self._rest = b""
        self.look_for(tokens)

    def look_for(self, tokens: Iterable[bytes]) -> None:
        """Look for these from now on, and no longer for others: a lifted cup's key is public."""
        parts = {part for token in tokens for part in _spellings(token)}
        self._pattern = re.compile(b"|".join(map(re.escape, sorted(parts)))) if parts else None

    def finds(self, data: bytes) -> bool:
        """Return whether a secret ends in this piece, in any usual spelling."""
        if self._pattern is None:
            return False
        text, self._rest = self._rest + data, (self._rest + data)[-256:]
        # Mails are folded, and what they hold is broken into lines.
        return any(self._pattern.search(one) for one in (text, _FOLDS.sub(b"", text)))


def _spellings(token: bytes) -> Iterator[bytes]:
    """Yield how the first and the last bytes of a secret would be written."""
    for part in (token[:CHUNK], token[-CHUNK:]):
        digits = part.hex().encode()
        yield from (part, digits, digits.upper(), ", ".join(map(str, part)).encode())
        yield from _letters(base64.b32encode, part, bits=5)
        for text in (part, digits):  # the second as a mail's body holds it
            yield from _letters(base64.b64encode, text, bits=6)
            yield from _letters(base64.urlsafe_b64encode, text, bits=6)


def _letters(encode: Callable[[bytes], bytes], part: bytes, *, bits: int) -> Iterator[bytes]:
    """Yield the letters that stand for ``part`` whatever comes before and after it."""
    for shift in range(5 if bits == 5 else 3):
        text = encode(bytes(shift) + part + bytes(5))
        yield text[-(-8 * shift // bits) : 8 * (shift + len(part)) // bits]
