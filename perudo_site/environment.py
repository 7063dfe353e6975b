"""The environment that settings are read from: variables, or files that variables name."""

from urllib.parse import urlsplit, urlunsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from environ.fileaware_mapping import FileAwareMapping


class _FilesToo(FileAwareMapping):  # type: ignore[misc]
    """Reads ``NAME`` from the file that ``NAME_FILE`` names, as container secrets are handed in."""

    def __getitem__(self, key: str) -> str:
        if not self.env.get(f"{key}_FILE"):
            return str(self.env[key])
        try:
            # An editor ends a file with a line's end; no secret does.
            return str(super().__getitem__(key)).rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(
                f"{key}_FILE names a file that cannot be read: {type(error).__name__}."
            ) from None


class Environment(environ.Env):  # type: ignore[misc]
    """django-environ, with secrets from files and numbers that say what is wrong with them."""

    ENVIRON = _FilesToo()

    def whole_number(self, name: str, *, default: int) -> int:
        """Return a number from the environment.

        :raises ImproperlyConfigured: it is none.
        """
        try:
            return int(self.str(name, default=str(default)))
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} must be a whole number.") from error

    def flag(self, name: str) -> bool:
        """Return a switch, which is off when nothing is said."""
        return bool(self.bool(name, default=False))


def redis_database(url: str, number: int, *, socket_scheme: str) -> str:
    """Return a database's address: Celery and the cache spell a socket differently."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        name = "virtual_host" if socket_scheme == "redis+socket" else "db"
        return f"{socket_scheme}://{parts.path}?{name}={number}"
    return urlunsplit(parts._replace(path=f"/{number}"))
