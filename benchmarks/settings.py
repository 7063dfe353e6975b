"""Settings of the benchmarks: the site's own, with the floor beside it."""

import os

os.environ["PERUDO_DEVELOPMENT"] = "1"

from perudo_site.settings import *  # noqa: F403
from perudo_site.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "benchmarks.floor"]
ROOT_URLCONF = "benchmarks.urls"
# A page is rendered for its reader at every request, as in production; only the log is silent.
LOGGING = {"version": 1, "disable_existing_loggers": False, "root": {"level": "ERROR"}}
