import datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_leave_orders"),
    ]

    operations = [
        migrations.AddField(
            model_name="hours",
            name="counted_on",
            field=models.DateField(
                blank=True, help_text="The last day that days_played knows of.", null=True
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="turn_extra",
            field=models.DurationField(
                default=datetime.timedelta,
                help_text="What tokens, gifts and votes have added to this turn.",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="vote",
            field=models.JSONField(
                blank=True, help_text="What the table votes on, or voted on last.", null=True
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="ended_by",
            field=models.CharField(
                blank=True,
                help_text="Why a game under way was called off: vote, abandoned.",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="tokens_used",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="seat",
            name="gave_to",
            field=models.JSONField(
                blank=True, default=list, help_text="The seats that this one has given time to."
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="nudged_at",
            field=models.DateTimeField(blank=True, null=True),
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
                ],
                max_length=12,
            ),
        ),
    ]
