import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_take_mail_in"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        help_text="SHA-256 of the endpoint.", max_length=64, unique=True
                    ),
                ),
                ("endpoint", models.CharField(max_length=1000, serialize=False)),
                ("p256dh", models.CharField(max_length=100, serialize=False)),
                ("auth", models.CharField(max_length=40, serialize=False)),
                (
                    "device",
                    models.CharField(blank=True, help_text="Browser and system.", max_length=60),
                ),
                ("created_at", models.DateTimeField()),
                ("last_ok_at", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failed_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, max_length=40)),
                ("tested_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="device",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="Where a push message goes.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                to="games.pushsubscription",
            ),
        ),
        migrations.AddIndex(
            model_name="outboxmessage",
            index=models.Index(
                condition=models.Q(("device__isnull", False)),
                fields=["device"],
                name="outbox_device",
            ),
        ),
    ]
