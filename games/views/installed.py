"""The site as something that is installed: its manifest, its worker, and the page without a line.

The worker keeps that page and the files it needs, and nothing else: a page with dice is never kept.
"""

import hashlib
import json
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

LEATHER = "#2b1a12"
ICONS = (
    ("games/img/icon-192.png", "192x192", "any"),
    ("games/img/icon-512.png", "512x512", "any"),
    ("games/img/icon-maskable-512.png", "512x512", "maskable"),
    ("games/img/icon.svg", "any", "any"),
)
KEPT = (
    "games/css/site.css",
    "games/css/pages.css",
    "games/js/offline.js",
    "games/img/dice.svg",
    "games/img/icon.svg",
    "games/fonts/figtree-latin-wght-normal.woff2",
    "games/fonts/fraunces-latin-600-normal.woff2",
)
"""What the page without a line is made of."""


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> JsonResponse:
    """Tell a phone how the site wants to be installed, in the language of the page."""
    told = {
        "id": "/",
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME if len(settings.SITE_NAME) <= 14 else "Perudo",
        "description": _("Dice and bluff with your friends, one move at a time"),
        "lang": get_language(),
        "dir": "ltr",
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": LEATHER,
        "theme_color": LEATHER,
        "categories": ["games"],
        "icons": [
            {"src": static(path), "sizes": sizes, "purpose": purpose, "type": _kind(path)}
            for path, sizes, purpose in ICONS
        ],
        "shortcuts": [
            {"name": name, "url": reverse(route)}
            for name, route in (
                (_("My games"), "home"),
                (_("Lobby"), "lobby"),
                (_("New game"), "game_new"),
            )
        ],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> TemplateResponse:
    """Give the service worker, the same to everybody; at the root, to act for all pages."""
    kind = "text/javascript; charset=utf-8"
    known = {
        "version": _version(),
        "kept": [static(path) for path in KEPT],
        "pages": {code: f"{reverse('offline')}?lang={code}" for code, _name in settings.LANGUAGES},
        "static": settings.STATIC_URL,
        "site": settings.SITE_NAME,
        "device": reverse("device"),
    }
    context = {"known_json": json.dumps(known)}
    return TemplateResponse(request, "games/worker.js", context, content_type=kind)


@require_safe
def offline(request: HttpRequest) -> TemplateResponse:
    """Show what a device shows without a line; what it has seen itself is put in by its script."""
    return TemplateResponse(request, "offline.html")


def _kind(path: str) -> str:
    return "image/svg+xml" if path.endswith("svg") else "image/png"


@lru_cache(maxsize=1)
def _version() -> str:
    """Return what changes when the kept page or one of its files does."""
    parts = [*map(static, KEPT)]
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            parts.append(render_to_string("offline.html"))
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:12]
