"""What everybody may know of a player, and a little more for himself."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model
from django.db.models import Count, Q

from games import clock
from games.models import Conduct, GameStatus, Seat
from games.selectors.conduct import answers_of, reliability_of
from games.selectors.visible import Viewer


@dataclass(frozen=True, slots=True)
class Profile:
    """A player: since when, how many games, how he keeps his turns.

    ``finished`` and ``won`` count the games whose seats he held at the end, those against bots too.
    """

    user_id: int
    name: str
    is_me: bool
    member_since: datetime
    finished: int
    won: int
    reliability: clock.Reliability
    answers: clock.Answers | None


def profile(name: str, viewer: Viewer) -> Profile | None:
    """Return the player who is called just so, or None."""
    user = get_user_model().objects.named(name)
    if user is None:
        return None
    over = Q(game__status=GameStatus.FINISHED)
    seats = Seat.objects.filter(over, user_id=user.pk)
    counts = seats.aggregate(finished=Count("pk"), won=Count("pk", filter=Q(place=1)))
    row = Conduct.objects.filter(pk=user.pk).first()
    return Profile(
        user_id=user.pk,
        name=user.display_name,
        is_me=user.pk == viewer.user_id,
        member_since=user.date_joined,
        finished=counts["finished"],
        won=counts["won"],
        reliability=reliability_of(row),
        answers=answers_of(row),
    )
