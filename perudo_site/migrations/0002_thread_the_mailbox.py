from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("perudo_site", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="mailboxmessage",
            name="thread",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The Message-ID that its conversation began with.",
                max_length=250,
            ),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="mailboxmessage",
            index=models.Index(
                condition=models.Q(("thread", ""), _negated=True),
                fields=["thread"],
                name="mailbox_thread",
            ),
        ),
    ]
