"""What a player hides of his page."""

from games.models import Privacy


def hide(*, user_id: int, statistics: bool, history: bool) -> None:
    """Store what others are not to see of a player; safe to repeat."""
    if not (statistics or history):
        Privacy.objects.filter(pk=user_id).delete()
        return
    Privacy.objects.update_or_create(
        user_id=user_id,
        defaults={"hides_statistics": statistics, "hides_history": history},
    )
