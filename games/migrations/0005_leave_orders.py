import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0004_roll_with_a_beacon"),
    ]

    operations = [
        migrations.CreateModel(
            name="Order",
            fields=[
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.seat",
                    ),
                ),
                ("round_number", models.PositiveIntegerField()),
                (
                    "text",
                    models.CharField(help_text="In the canonical form.", max_length=300),
                ),
                ("waits", models.BooleanField(default=False)),
                ("seen_version", models.PositiveIntegerField(blank=True, null=True)),
                ("fires_at", models.DateTimeField(blank=True, null=True)),
                ("made_at", models.DateTimeField()),
            ],
        ),
    ]
