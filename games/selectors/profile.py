"""What everybody may know of a player, and a little more for himself."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model

from games import clock
from games.models import Conduct
from games.selectors.conduct import answers_of, reliability_of
from games.selectors.visible import Viewer


@dataclass(frozen=True, slots=True)
class Profile:
    """A player: since when, and how he keeps his turns."""

    user_id: int
    name: str
    is_me: bool
    member_since: datetime
    reliability: clock.Reliability
    answers: clock.Answers | None


def profile(name: str, viewer: Viewer) -> Profile | None:
    """Return the player who is called just so, or None."""
    user = get_user_model().objects.named(name)
    if user is None:
        return None
    row = Conduct.objects.filter(pk=user.pk).first()
    return Profile(
        user_id=user.pk,
        name=user.display_name,
        is_me=user.pk == viewer.user_id,
        member_since=user.date_joined,
        reliability=reliability_of(row),
        answers=answers_of(row),
    )
