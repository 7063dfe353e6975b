"""Social log-in is a matter of settings: tried with allauth's own make-believe provider."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import django
django.setup()
from django.core.management import call_command
from django.test import Client
from accounts.models import User

call_command("migrate", verbosity=0)
client = Client(headers={"host": "localhost"})
page = client.get("/accounts/login/?next=/join/x/").content.decode()
assert 'href="/accounts/dummy/login/?process=login&amp;next=%2Fjoin%2Fx%2F"' in page, page
there = client.post("/accounts/dummy/login/?next=/join/x/")["Location"]
asked = client.post(there, {"id": "7", "email": "zed@example.org", "email_verified": "on"})
assert asked["Location"] == "/accounts/3rdparty/signup/", asked["Location"]
assert not User.objects.exists(), "a display name is asked first"
page = client.get(asked["Location"]).content.decode()
assert "display_name" in page and "data-zone-fill" in page
form = {"email": "zed@example.org", "display_name": "Zed", "time_zone": "Europe/Rome"}
landed = client.post(asked["Location"], form)
assert landed["Location"] == "/join/x/", landed["Location"]
zed = User.objects.get()
assert (zed.display_name, zed.time_zone) == ("Zed", "Europe/Rome")
assert "/accounts/3rdparty/" in client.get("/settings/").content.decode()
"""


@pytest.mark.slow
@pytest.mark.one_database
def test_a_provider_named_in_the_environment_logs_people_in(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PERUDO_DEVELOPMENT": "1",
        "PERUDO_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "perudo_site.settings",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'social.sqlite3'}",
        "SOCIAL_PROVIDERS": "dummy",
        "SOCIAL_DUMMY_CLIENT_ID": "make-believe",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
