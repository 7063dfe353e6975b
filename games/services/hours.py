"""Players' hours: when their clocks stand still, in all their games."""

from django.contrib.auth import get_user_model

from games.models import Hours


def ensure(user_id: int) -> None:
    """Give a player who sits down hours, with the night of his own zone, if he has none yet."""
    if not Hours.objects.filter(pk=user_id).exists():
        zone = get_user_model().objects.filter(pk=user_id).values_list("time_zone", flat=True)[0]
        Hours.objects.get_or_create(pk=user_id, defaults={"zone": zone})
