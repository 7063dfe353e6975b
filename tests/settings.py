"""Settings of the test run: the site's own, on a temporary directory, untouched by the shell.

Imported by pytest (also in each of its worker processes) and by mypy's Django plugin.
"""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

_OF_THE_SITE = (
    "DATABASE_URL REDIS_URL SITE_URL SITE_NAME HOST PORT ALLOWED_HOSTS CSRF_TRUSTED_ORIGINS "
    "EMAIL_URL EMAIL_BACKEND MAIL_PORT MAIL_HOST MAIL_SOCKET MAIL_PROTOCOL MAIL_AUTHSERV_ID "
    "MAIL_WITHOUT_BORDER MAIL_WEBHOOKS INBOUND_DOMAIN MAILBOX_ENABLED SECRET_KEY SEED_KEYS "
    "DJANGO_DEBUG LOG_LEVEL BOT_DELAY_SECONDS VAPID_KEY BEACON_URLS"
)
for _name in _OF_THE_SITE.split():
    os.environ.pop(_name, None)
os.environ["PERUDO_DEVELOPMENT"] = "1"
# Playwright runs an event loop in the thread of the tests, where Django forbids queries.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

# The workers of one run share the directory that its first process made.
if "PERUDO_TEST_VAR" not in os.environ:
    if "pytest" in sys.modules:
        os.environ["PERUDO_TEST_VAR"] = tempfile.mkdtemp(prefix="perudo-test-")
        atexit.register(shutil.rmtree, os.environ["PERUDO_TEST_VAR"], ignore_errors=True)
    else:
        # mypy ends without cleaning up, so it gets the same directory each time.
        os.environ["PERUDO_TEST_VAR"] = str(Path(__file__).parents[1] / "var" / "types")
os.environ["PERUDO_VAR"] = os.environ["PERUDO_TEST_VAR"]

from perudo_site.settings import *  # noqa: E402

# A test's database need not outlive a power cut.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )

# Hashing is slow on purpose; nobody attacks these accounts.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING = {"version": 1, "disable_existing_loggers": False}
