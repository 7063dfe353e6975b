"""Players' own randomness: what goes into the dice besides the seed, until the game starts."""

from datetime import datetime

from django.db import transaction

from games.models import Contribution, ContributionKind, Game, GameStatus, Seat
from games.services.errors import LobbyRefusal
from games.services.moves import lock


@transaction.atomic
def contribute(
    *,
    game_id: int,
    user_id: int,
    kind: ContributionKind,
    raw: bytes,
    now: datetime,
    unless_given: bool = False,
) -> None:
    """Let a player add bytes of his own to the game's randomness, in place of earlier ones.

    The seed was committed to when the game was made, so that nobody can choose it to fit.

    :param raw: 32 bytes of the browser, or a phrase (NFC, UTF-8).
    :param unless_given: leave what he has given before as it is: a page that opens twice.
    :raises LobbyRefusal: the game has begun, or he has no seat in it.
    """
    game, seats = lock(game_id)
    if game.status != GameStatus.OPEN:
        raise LobbyRefusal("lobby.not-open")
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None:
        raise LobbyRefusal("lobby.not-seated")
    if unless_given and Contribution.objects.filter(seat=seat).exists():
        return
    values = {"kind": kind, "raw": raw.hex(), "made_at": now}
    Contribution.objects.update_or_create(seat=seat, defaults=values)


def close(game: Game, joined: list[Seat]) -> None:
    """Fix what each player has added, in the order of joining; bots and the silent add nothing."""
    given = {row.seat_id: row for row in Contribution.objects.filter(seat__in=joined)}
    game.contributions = [
        [given[seat.pk].kind, given[seat.pk].raw]
        if seat.pk in given
        else [ContributionKind.NONE.value, ""]
        for seat in joined
    ]
