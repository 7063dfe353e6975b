"""What one player did in all his games: on the seats that he holds, and on those he held once.

A seat's log goes on when somebody else takes it over: what was done before is not his.
"""

from django.db.models import F, QuerySet

from games.models import Event


def own_events(user_id: int) -> QuerySet[Event]:
    """Return the events of the seats that a player holds, from his first round on."""
    return Event.objects.filter(
        game__seats__user_id=user_id,
        seat=F("game__seats__number"),
        round_number__gte=F("game__seats__held_from"),
    )


def earlier_events(user_id: int) -> QuerySet[Event]:
    """Return the events of the seats that a player held until they were retired."""
    return Event.objects.filter(
        game__tenures__user_id=user_id,
        seat=F("game__tenures__seat__number"),
        round_number__gte=F("game__tenures__from_round"),
        made_at__lte=F("game__tenures__retired_at"),
    )
