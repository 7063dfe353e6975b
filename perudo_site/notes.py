"""Django's messages, in a cookie that no other host can set."""

from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class _HostCookie(CookieStorage):
    cookie_name = "__Host-messages"


class HostMessages(FallbackStorage):
    """Keeps messages in a ``__Host-`` cookie (ASVS 3.3.3), and long ones in the session."""

    storage_classes = (_HostCookie, SessionStorage)
