"""Let moves by mail wait to be taken back, and bound the mails of a day."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0018_remember_removals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="inboundmail",
            name="plays_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="wishes",
            name="holds_replies",
            field=models.BooleanField(
                default=False, help_text="A move by mail waits a little, and may be taken back."
            ),
        ),
        migrations.AddField(
            model_name="wishes",
            name="mails_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="wishes",
            name="mails_sent",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="inboundmail",
            name="state",
            field=models.CharField(
                choices=[
                    ("new", "stored"),
                    ("held", "read, to be played when its time to be taken back is over"),
                    ("done", "handled"),
                    ("dead", "given up, needs a person"),
                ],
                default="new",
                max_length=4,
            ),
        ),
        migrations.AlterField(
            model_name="outboxmessage",
            name="stage",
            field=models.CharField(
                blank=True, help_text="Of a reminder or a digest: which it is.", max_length=5
            ),
        ),
        migrations.AddIndex(
            model_name="inboundmail",
            index=models.Index(
                condition=models.Q(("state", "held")), fields=["plays_at"], name="inbound_held"
            ),
        ),
    ]
