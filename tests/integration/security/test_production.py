"""What a production site sends with every answer, and what it keeps shut."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.security.production import ROOT, ask, environment, run

pytestmark = [pytest.mark.one_database, pytest.mark.slow]

VISIT = """
import json, re, sys
import django
from django.conf import settings
settings.STATIC_ROOT = sys.prefix and settings.VAR_DIR / "static"
django.setup()
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.test.utils import setup_test_environment
call_command("migrate", verbosity=0)
call_command("collectstatic", verbosity=0, interactive=False)
setup_test_environment()
settings.ALLOWED_HOSTS = ["perudo.example.org"]
from accounts import services
from games import rules
from games.services import lobby
from django.utils import timezone
alice = services.create_user(email="alice@example.org", display_name="Alice")
new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=86400, bots=2)
game = lobby.create_game(host=lobby.Player(alice.pk, "Alice"), new=new, now=timezone.now())
client = Client(headers={"host": "perudo.example.org"})
stranger = Client(headers={"host": "perudo.example.org"})

def tell(answer):
    return {"status": answer.status_code, "headers": {k.lower(): v for k, v in answer.items()}}

seen = {}
client.post("/accounts/login/", {"login": "alice@example.org"}, secure=True)
code = re.search(r"^ {4}([0-9A-Z]{4}-[0-9A-Z]{4})$", mail.outbox[-1].body, re.M)[1]
client.post("/accounts/login/code/confirm/", {"code": code}, secure=True)
client.post("/language/", {"language": "it"}, secure=True)
client.post("/settings/", {"display_name": "Alice", "time_zone": "UTC", "language": "en"},
            secure=True)
seen["cookies"] = {
    name: {key: morsel[key] for key in ("secure", "httponly", "samesite", "path", "domain")}
    for name, morsel in client.cookies.items()
}
css = client.get("/settings/", secure=True).content.decode()
static = re.search(r'href="(/static/[^"]+[.]css)"', css)[1]
paths = ["/", "/settings/", f"/g/{game.code}/", "/rules/", "/accounts/login/", static, "/nowhere",
         f"/join/{game.invite_token}/", "/accounts/2fa/webauthn/", "/live", "/games/quick/"]
seen["pages"] = {path.replace(game.code, "CODE"): tell(client.get(path, secure=True))
                 for path in paths}
seen["shut"] = {
    path: stranger.get(path, secure=True).status_code
    for path in ("/.git/config", "/.git/HEAD", "/.env", "/static/.git/config", "/static/../.env",
                 "/static/%2e%2e/manage.py", "/static/..%2f.env", "/manage.py", "/var/secret_key",
                 "/requirements.txt", "/admin/", "/admin/login/", "/mailbox/", "/styleguide/",
                 "/__debug__/", "/static/", "/staticfiles/", "/.well-known/x", "/db.sqlite3")
}
seen["plain"] = tell(stranger.get("/rules/"))
seen["proxied"] = tell(stranger.get("/rules/", headers={"x-forwarded-proto": "https"}))
seen["foreign"] = [
    stranger.get("/rules/", secure=True, headers={"host": host}).status_code
    for host in ("evil.example", "perudo.example.org.evil.example", "127.0.0.1", "localhost",
                 "sub.perudo.example.org", "perudo.example.org:x")
]
seen["dot_files"] = [str(path) for path in settings.STATIC_ROOT.rglob(".*")]
seen["apps"] = settings.INSTALLED_APPS
join = f"/join/{game.invite_token}/"
stranger.get(join, secure=True)
seen["cookies_of_a_link"] = sorted(stranger.cookies)
print(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a visit to a production site has shown."""
    return ask(VISIT, tmp_path_factory.mktemp("production"))


def policy_of(headers: dict[str, str]) -> dict[str, list[str]]:
    rules = (rule.split() for rule in headers["content-security-policy"].split(";"))
    return {rule[0]: rule[1:] for rule in rules if rule}


def test_every_page_has_a_policy_without_anything_unsafe(site: Any) -> None:
    for path, page in site["pages"].items():
        if path.startswith("/static/"):
            continue
        assert "unsafe-" not in page["headers"]["content-security-policy"], path
        policy = policy_of(page["headers"])
        for name in ("default-src", "object-src", "base-uri", "frame-ancestors"):
            assert policy[name] == ["'none'"], (path, name)
        assert policy["script-src"] == ["'self'"], path
        assert policy["style-src"] == ["'self'"], path
        assert policy["form-action"] == ["'self'"], path


def test_every_answer_has_the_headers_that_protect_it(site: Any) -> None:
    for path, page in site["pages"].items():
        headers = page["headers"]
        age, *rest = headers["strict-transport-security"].split("; ")
        assert int(age.removeprefix("max-age=")) >= 31_536_000, path
        assert "includeSubDomains" in rest, path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["cross-origin-opener-policy"] == "same-origin", path
        assert headers["cross-origin-resource-policy"] == "same-origin", path
        assert headers["referrer-policy"] == "same-origin", path
        assert "camera=()" in headers["permissions-policy"], path
        assert "publickey-credentials-get=(self)" in headers["permissions-policy"], path
        assert not {"server", "x-powered-by", "access-control-allow-origin"} & set(headers), path


def test_pages_are_framed_by_nobody(site: Any) -> None:
    for path, page in site["pages"].items():
        if not path.startswith("/static/"):
            assert page["headers"]["x-frame-options"] == "DENY", path


def test_every_cookie_is_this_host_s_alone(site: Any) -> None:
    assert set(site["cookies"]) == {
        "__Host-session", "__Host-csrf", "__Host-language", "__Host-messages",
    }  # fmt: skip
    for name, cookie in site["cookies"].items():
        assert cookie["secure"] is True, name
        assert cookie["httponly"] is True, name
        assert cookie["samesite"] == "Lax", name
        assert (cookie["path"], cookie["domain"]) == ("/", ""), name


def test_a_link_starts_no_session(site: Any) -> None:
    assert not {"__Host-session", "__Host-messages"} & set(site["cookies_of_a_link"])


def test_nothing_but_the_site_can_be_fetched(site: Any) -> None:
    assert {path: status for path, status in site["shut"].items() if status != 404} == {}
    assert site["dot_files"] == []


def test_only_https_is_spoken_and_only_to_its_own_name(site: Any) -> None:
    assert site["plain"]["status"] == 301
    assert site["plain"]["headers"]["location"] == "https://perudo.example.org/rules/"
    assert site["proxied"]["status"] == 200
    assert set(site["foreign"]) == {400}


def test_there_is_no_admin(site: Any) -> None:
    assert "django.contrib.admin" not in site["apps"]
    assert not list((ROOT / "games").glob("admin*"))
    assert not list((ROOT / "accounts").glob("admin*"))


def test_the_deploy_check_has_nothing_to_warn_of(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env=environment(tmp_path),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SECRET_KEY": ""}, "Set SECRET_KEY in the environment"),
        ({"SEED_KEYS": ""}, "Set SEED_KEYS in the environment"),
        ({"DJANGO_DEBUG": "1"}, "DJANGO_DEBUG shows settings and code to strangers"),
        ({"SECRET_KEY_FILE": "/nowhere/key"}, "SECRET_KEY_FILE names a file that cannot be read"),
    ],
)
def test_a_site_that_would_be_open_does_not_start(
    tmp_path: Path, changes: dict[str, str], words: str
) -> None:
    done = run("import django; django.setup()", tmp_path, **changes)
    assert done.returncode != 0
    assert words in done.stderr
    assert not re.search(r"abab|not-a-real", done.stderr), "no secret in the refusal"


def test_secrets_come_from_files_as_well(tmp_path: Path) -> None:
    files = {}
    for name, value in {
        "SECRET_KEY": "from-a-file-" * 5,
        "SEED_KEYS": "file:" + "cd" * 32,
        "DATABASE_URL": "postgres://perudo:s3cret@db.example.org/perudo",
        "EMAIL_URL": "smtp+tls://user:pw@smtp.example.org:587",
        "ANYMAIL_POSTMARK_SERVER_TOKEN": "a-token",
    }.items():
        path = tmp_path / name.lower()
        path.write_text(f"{value}\n")
        files[f"{name}_FILE"] = str(path)
    script = (
        "import json; from perudo_site import settings as s; print(json.dumps([s.SECRET_KEY, "
        "s.SEED_KEYS, s.DATABASES['default']['PASSWORD'], s.EMAIL_HOST_PASSWORD, s.ANYMAIL]))"
    )
    told = ask(script, tmp_path, SECRET_KEY="", SEED_KEYS="", DATABASE_URL="", **files)
    assert told == [
        "from-a-file-" * 5, ["file:" + "cd" * 32], "s3cret", "pw",
        {"POSTMARK_SERVER_TOKEN": "a-token"},
    ]  # fmt: skip
