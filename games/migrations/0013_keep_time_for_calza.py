"""Let a table collect the calls of calza on a bid before the next move counts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0009_hand_seats_on")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="calza_until",
            field=models.DateTimeField(
                blank=True, help_text="Until when calls on the bid are collected unseen.", null=True
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="calza_passes",
            field=models.JSONField(
                blank=True, help_text="The seats whose calls nobody need wait for.", null=True
            ),
        ),
    ]
