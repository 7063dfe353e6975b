import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.models.webhook


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("games", "0007_choose_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="webhook",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "form",
                    models.CharField(
                        choices=[
                            ("discord", "Discord"),
                            ("slack", "Slack"),
                            ("json", "plain JSON, signed"),
                        ],
                        max_length=8,
                    ),
                ),
                ("url", models.CharField(max_length=500)),
                (
                    "key",
                    models.CharField(
                        default=games.models.webhook.new_key, editable=False, max_length=64
                    ),
                ),
                ("last_error", models.CharField(blank=True, max_length=40)),
                ("failed_at", models.DateTimeField(blank=True, null=True)),
                ("tested_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
    ]
