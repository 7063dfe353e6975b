import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_add_webhooks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="addresses_renewed",
            field=models.PositiveIntegerField(
                default=0,
                help_text="How often its addresses were replaced, because others knew them.",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="mail_failed_at",
            field=models.DateTimeField(
                blank=True, help_text="When that began first in this game.", null=True
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="mail_fails",
            field=models.BooleanField(default=False, help_text="Mail to its player comes back."),
        ),
        migrations.AddField(
            model_name="seat",
            name="takes_replies",
            field=models.BooleanField(default=True, help_text="Its player may play by mail."),
        ),
        migrations.AddField(
            model_name="wishes",
            name="confirms_replies",
            field=models.BooleanField(
                default=False, help_text="A move by mail is played by a link that we send."
            ),
        ),
        migrations.CreateModel(
            name="InboundMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("recipient", models.CharField(max_length=64)),
                ("door", models.CharField(max_length=20)),
                ("received_at", models.DateTimeField()),
                ("kid", models.CharField(max_length=20)),
                ("nonce", models.BinaryField(max_length=12)),
                ("sealed", models.BinaryField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("new", "stored"),
                            ("done", "handled"),
                            ("dead", "given up, needs a person"),
                        ],
                        default="new",
                        max_length=4,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("handled_at", models.DateTimeField(blank=True, null=True)),
                ("outcome", models.CharField(blank=True, max_length=20)),
                ("answer", models.CharField(blank=True, max_length=12)),
                ("detail", models.JSONField(blank=True, default=dict)),
                ("first_line", models.CharField(blank=True, max_length=80)),
                (
                    "writer",
                    models.CharField(
                        blank=True, help_text="Such as a…@example.org.", max_length=120
                    ),
                ),
                ("message_id", models.CharField(blank=True, max_length=250)),
                ("repeat_key", models.CharField(blank=True, max_length=64)),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="games.game",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="games.seat",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="inbound",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The mail that this one answers.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                to="games.inboundmail",
            ),
        ),
        migrations.CreateModel(
            name="MailFault",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("soft", "not delivered for now"),
                            ("hard", "not delivered for good"),
                            ("complaint", "called spam"),
                        ],
                        max_length=9,
                    ),
                ),
                (
                    "address",
                    models.CharField(help_text="The digest of where the mail went.", max_length=64),
                ),
                ("source", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_faults",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReplyToken",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("m", "move"),
                            ("g", "game"),
                            ("d", "digest"),
                            ("i", "invitation"),
                            ("u", "leave"),
                            ("b", "bounce"),
                        ],
                        max_length=1,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("subject", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("spent_at", models.DateTimeField(blank=True, null=True)),
                ("spent_by", models.CharField(blank=True, max_length=64)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="games.invitation",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="games.seat",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Saying",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(help_text="The game's when it was said.")),
                ("text", models.CharField(max_length=280)),
                ("said_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sayings",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sayings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="inboundmail",
            index=models.Index(
                condition=models.Q(("state", "new")), fields=["received_at"], name="inbound_new"
            ),
        ),
        migrations.AddIndex(
            model_name="inboundmail",
            index=models.Index(
                condition=models.Q(("sealed__isnull", False)),
                fields=["received_at"],
                name="inbound_raw",
            ),
        ),
        migrations.AddIndex(
            model_name="inboundmail",
            index=models.Index(
                condition=models.Q(("user__isnull", False)),
                fields=["user", "handled_at"],
                name="inbound_of",
            ),
        ),
        migrations.AddConstraint(
            model_name="inboundmail",
            constraint=models.UniqueConstraint(
                condition=models.Q(("repeat_key", ""), _negated=True),
                fields=("repeat_key",),
                name="inbound_repeat_key",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailfault",
            constraint=models.UniqueConstraint(fields=("user", "source"), name="mail_fault_source"),
        ),
        migrations.AddIndex(
            model_name="replytoken",
            index=models.Index(fields=["expires_at"], name="reply_token_expiry"),
        ),
    ]
