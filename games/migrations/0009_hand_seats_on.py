import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_count_turns"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Tenure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("from_round", models.PositiveIntegerField()),
                ("to_round", models.PositiveIntegerField()),
                ("place", models.PositiveSmallIntegerField()),
                ("retired_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tenures",
                        to="games.game",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tenures",
                        to="games.seat",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tenures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=["user", "game"],
                        name="tenure_one_per_user",
                        condition=models.Q(user__isnull=False),
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="game",
            name="handovers",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="How often a seat was retired, or promised to somebody, or not any more.",
            ),
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="user",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="Whom it is for, where that is not who holds the seat.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="heir",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="Who holds it from the next roll on.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="promised_seats",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="heir_bot",
            field=models.CharField(
                blank=True, help_text="The kind of bot that does, or nothing.", max_length=20
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="held_from",
            field=models.PositiveIntegerField(
                default=0, help_text="The first round of a player who took it over, or 0."
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="retired_at",
            field=models.DateTimeField(
                blank=True, help_text="Since when nobody holds it; it plays by itself.", null=True
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
                    ("retired", "seat retired"),
                    ("vacant", "free seat"),
                    ("too_late", "seat gone"),
                    ("nudge", "nudge"),
                    ("vote", "vote"),
                    ("round_over", "round over"),
                    ("game_over", "game over"),
                    ("cancelled", "game cancelled"),
                    ("digest", "daily digest"),
                    ("cup", "your dice"),
                    ("ack", "played by mail"),
                    ("refusal", "not played by mail"),
                    ("answer", "answer to your mail"),
                    ("confirm", "confirm your mail"),
                    ("warning", "somebody else wrote in your name"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddIndex(
            model_name="outboxmessage",
            index=models.Index(
                condition=models.Q(("user__isnull", False)), fields=["user"], name="outbox_user"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("heir__isnull", False)),
                fields=("heir", "game"),
                name="seat_one_per_heir",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("retired_at__isnull", True),
                    models.Q(("bot", ""), ("user__isnull", True)),
                    _connector="OR",
                ),
                name="seat_retired_is_nobodys",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("retired_at__isnull", False),
                    models.Q(("heir__isnull", True), ("heir_bot", "")),
                    _connector="OR",
                ),
                name="seat_promised_is_retired",
            ),
        ),
    ]
