"""Error reports that tell where it broke, and never with which values.

A report goes to a mailbox or a log, where dice, keys, codes and letters of players have no
business. Django hides what looks like a password; here nothing is shown that has not been allowed.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter

from perudo_site.logs import without_tokens

SHOWN_META = frozenset({"REQUEST_METHOD", "SERVER_NAME", "SERVER_PORT", "CONTENT_LENGTH"})


class NoValues(SafeExceptionReporterFilter):
    """Leaves out local variables, settings, cookies and what the request brought along."""

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: Any) -> Any:
        """Return no variables: any of them may be a die or the key to it."""
        if settings.DEBUG:
            return super().get_traceback_frame_variables(request, tb_frame)
        return []

    def get_post_parameters(self, request: HttpRequest | None) -> Any:
        """Return the names of the fields that were posted, without what they held."""
        if settings.DEBUG or request is None:
            return super().get_post_parameters(request)
        return dict.fromkeys(request.POST, self.cleansed_substitute)

    def get_safe_request_meta(self, request: HttpRequest) -> dict[str, Any]:
        """Return the few facts of a request that say nothing of who sent it."""
        meta = super().get_safe_request_meta(request)
        if settings.DEBUG:
            return meta
        return {name: value for name, value in meta.items() if name in SHOWN_META}

    def get_safe_cookies(self, request: HttpRequest) -> dict[str, Any]:
        """Return the names of the cookies."""
        return dict.fromkeys(super().get_safe_cookies(request), self.cleansed_substitute)

    def get_safe_settings(self) -> dict[str, Any]:
        """Return no settings: addresses of servers carry passwords."""
        return super().get_safe_settings() if settings.DEBUG else {}


class Reporter(ExceptionReporter):
    """Writes reports without the tokens that are in addresses."""

    def get_traceback_html(self) -> SafeString:
        """Return the report as a page."""
        # What it is made of has been escaped.
        return mark_safe(without_tokens(super().get_traceback_html()))  # noqa: S308

    def get_traceback_text(self) -> SafeString:
        """Return the report as a text."""
        return mark_safe(without_tokens(super().get_traceback_text()))  # noqa: S308
