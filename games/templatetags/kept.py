"""An include that is rendered once for the same values: half of a table's page is such."""

import re
from collections.abc import Hashable, Iterable
from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

register = template.Library()

_INDENT = re.compile(r"\s*\n\s*")


@register.simple_tag
def kept(template_name: str, **values: Hashable) -> SafeString:
    """Include a template that depends on ``values`` and the language alone; keep what it made.

    For what does not change and is public at its table: how a round ended, the rules of a game, the
    buttons of a move. Never for a form's token, a time, a cup that is still covered, or anything
    that one reader alone may know.
    """
    # Such a string equals the plain one, yet is not escaped: one may not stand in for the other.
    if any(isinstance(value, SafeString) for value in values.values()):
        raise TypeError(f"{template_name}: give plain text, it is escaped here")
    render = _render.__wrapped__ if settings.DEBUG else _render
    return render(template_name, get_language(), tuple(values.items()))


@register.simple_tag
def kept_each(template_name: str, name: str, items: Iterable[Hashable]) -> SafeString:
    """Include a template once for each item, called ``name`` there, as :func:`kept` does."""
    render, language = _render.__wrapped__ if settings.DEBUG else _render, get_language()
    parts = [render(template_name, language, ((name, item),)) for item in items]
    return mark_safe("".join(parts))  # noqa: S308  # joins what was rendered


def forget_kept() -> None:
    """Forget what was made, for those who measure."""
    _render.cache_clear()


@lru_cache(maxsize=1024)
def _render(
    template_name: str, language: str | None, values: tuple[tuple[str, Hashable], ...]
) -> SafeString:
    html = get_template(template_name).render(dict(values))
    # Its values were escaped when it was rendered. Nobody reads how the template was indented.
    return mark_safe(_INDENT.sub("\n", html))  # noqa: S308
