"""How gunicorn serves the site: a few processes, a few threads each.

Its log has no line per request: addresses of private games and invitations are secrets.
"""

import os
from typing import Any

from perudo_site.leash import die_with_parent

_host = os.environ.get("HOST", "127.0.0.1")
_port = os.environ.get("PORT", "8000")

wsgi_app = "perudo_site.wsgi:application"
bind = f"[{_host}]:{_port}" if ":" in _host else f"{_host}:{_port}"
worker_class = "gthread"
workers = int(os.environ.get("WEB_PROCESSES", "2"))
threads = int(os.environ.get("WEB_THREADS", "4"))
# Load the site once, then fork: half the start and half the memory.
preload_app = True
timeout = 60
graceful_timeout = 5
keepalive = 5
control_socket_disable = True
loglevel = "warning"
errorlog = "-"
accesslog = None


def post_fork(server: Any, worker: Any) -> None:
    """Let a worker end with the process that forked it."""
    die_with_parent(worker.ppid)
