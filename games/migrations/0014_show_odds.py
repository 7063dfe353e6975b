"""Let a table show the odds to whoever is to move."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0013_keep_time_for_calza")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="shows_odds",
            field=models.BooleanField(
                default=False,
                help_text="Whoever is to move sees the odds; such a game is never rated.",
            ),
        ),
    ]
