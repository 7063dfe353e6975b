import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0010_push_to_devices"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Conduct",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="conduct",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("kept", models.FloatField(default=9.5)),
                ("missed", models.FloatField(default=0.5)),
                (
                    "games",
                    models.PositiveIntegerField(
                        default=0, help_text="Finished ones, against people."
                    ),
                ),
                ("played_on", models.DateField(blank=True, null=True)),
                ("answers", models.JSONField(blank=True, default=list)),
                ("known", models.PositiveSmallIntegerField(default=0)),
                ("low", models.PositiveIntegerField(default=0)),
                ("median", models.PositiveIntegerField(default=0)),
                ("high", models.PositiveIntegerField(default=0)),
                ("counted_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name="game",
            name="day_parts",
            field=models.BooleanField(
                default=False,
                help_text="Times of moves are shown as parts of the day, and deadlines are.",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="gate",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="The percentage of turns in time that a player needs to join, or 0.",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="new_welcome",
            field=models.BooleanField(
                default=True, help_text="Whether the gate lets those through who are new."
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="misses",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="token_turns",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="The versions of the turns that they were used in.",
            ),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(
                condition=models.Q(("closed_at__isnull", False), ("misses__isnull", True)),
                fields=["closed_at"],
                name="round_uncounted",
            ),
        ),
        migrations.AddIndex(
            model_name="conduct",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", False)),
                fields=["-counted_at"],
                name="conduct_newest",
            ),
        ),
    ]
