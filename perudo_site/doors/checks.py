"""System checks of the doors: what would take nothing, or would take anything from anybody."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

from games.replies import WithoutBorder
from perudo_site.doors import providers


@register(Tags.security)
def check_border(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """Refuse a site on the internet that believes what a mail says of its sender."""
    if settings.MAIL_WITHOUT_BORDER not in list(WithoutBorder):
        problem = f"MAIL_WITHOUT_BORDER is none of {', '.join(WithoutBorder)}."
    elif settings.MAIL_WITHOUT_BORDER == WithoutBorder.TRUST_LOCAL and not settings.DEVELOPMENT:
        problem = (
            "MAIL_WITHOUT_BORDER believes what a mail says of its sender: whoever learns an "
            "address could move for its player."
        )
    else:
        return []
    hint = "Unset it; MAIL_AUTHSERV_ID names who checks senders (docs/mail.md)."
    return [Error(problem, hint=hint, id="perudo_site.E010")]


@register(Tags.security)
def check_webhooks(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """Refuse a provider whose webhook would be closed, or would fail at each post."""
    return [
        Error(problem, hint="docs/mail.md names what each provider needs.", id="perudo_site.E008")
        for provider in settings.MAIL_WEBHOOKS
        if (problem := _problem_of(provider))
    ]


def _problem_of(provider: str) -> str:
    if provider not in providers.PROVIDERS:
        known = ", ".join(providers.PROVIDERS)
        return f"MAIL_WEBHOOKS names {provider!r}, which is none of {known}."
    for kind in providers.KINDS:
        if not providers.is_guarded(provider, kind):
            names = " or ".join(f"ANYMAIL_{n}" for n in providers.secrets_for(provider, kind))
            return f"The {kind} webhook of {provider} is closed: set {names}."
        try:
            providers.view_class(provider, kind)()
        except ImproperlyConfigured as error:  # a setting or a package that anymail misses
            return f"The {kind} webhook of {provider} cannot work: {str(error).splitlines()[0]}"
    return ""
