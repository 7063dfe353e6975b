import datetime

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("games", "0006_give_more_time"),
    ]

    operations = [
        migrations.CreateModel(
            name="StoppedAddress",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("stopped_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Wishes",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="wishes",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[
                            ("each", "every turn at once"),
                            ("away", "one mail until I return"),
                            ("digest", "a daily digest"),
                        ],
                        default="each",
                        max_length=6,
                    ),
                ),
                ("digest_at", models.TimeField(default=datetime.time(7, 30))),
                (
                    "stopped",
                    models.JSONField(blank=True, default=list, help_text="Topics switched off."),
                ),
                ("links_version", models.PositiveIntegerField(default=0)),
                ("told_at", models.DateTimeField(blank=True, null=True)),
                ("feed_token", models.CharField(blank=True, max_length=26, null=True, unique=True)),
            ],
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="channel",
            field=models.CharField(
                choices=[("mail", "mail"), ("webhook", "webhook"), ("push", "push message")],
                default="mail",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="stage",
            field=models.CharField(
                blank=True, help_text="Of a reminder: half, most, bank or last.", max_length=5
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="is_muted",
            field=models.BooleanField(default=False, help_text="No notices about this game."),
        ),
        migrations.AddField(
            model_name="seat",
            name="seen_at",
            field=models.DateTimeField(blank=True, help_text="When; to the minute.", null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="seen_version",
            field=models.PositiveIntegerField(
                default=0, help_text="The turn of its own that its player looked at last."
            ),
        ),
        migrations.AlterField(
            model_name="outboxmessage",
            name="kind",
            field=models.CharField(
                choices=[
                    ("invitation", "invitation"),
                    ("started", "game started"),
                    ("turn", "your turn"),
                    ("reminder", "reminder"),
                    ("absent", "absent"),
                    ("nudge", "nudge"),
                    ("vote", "vote"),
                    ("round_over", "round over"),
                    ("game_over", "game over"),
                    ("cancelled", "game cancelled"),
                    ("digest", "daily digest"),
                ],
                max_length=12,
            ),
        ),
    ]
