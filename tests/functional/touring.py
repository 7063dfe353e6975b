"""Going from page to page as their readers do, in one browser."""

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.core.cache import cache as counted
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation
from playwright.sync_api import BrowserContext, Page, Response

from tests.functional.every_page import LOOKS, Look, World, browser_of, language_of_all, make_world

PHONE: Final = {"width": 390, "height": 844}
DESK: Final = {"width": 1280, "height": 900}
FAULTS: Final = ("400", "403_csrf", "429", "500", "503")
"""Templates of moments that no address leads to."""


class Tour:
    """A browser that opens any page as whoever reads it, in one language.

    Every look is a first one as to bytes: nothing is taken for loaded already.
    """

    def __init__(self, context: BrowserContext, site: str, *, language: str) -> None:
        self.context, self.site, self.language = context, site, language
        self.world: World = make_world()
        language_of_all(language)
        self._loaded: set[str] = set()
        self.page: Page = context.new_page()
        self.page.on("request", lambda request: self._loaded.add(request.url))

    def looks(self, beginning: str = "") -> Iterator[tuple[str, Callable[[], None]]]:
        """Yield the name of each page and what opens it; only those of this ``beginning``."""
        named = [(look.name, partial(self.open, look)) for look in LOOKS]
        named += [(f"fault-{each}".replace("_", "-"), partial(self.fail, each)) for each in FAULTS]
        return (each for each in named if each[0].startswith(beginning))

    def open(self, look: Look) -> None:
        """Open a page as its reader.

        :raises AssertionError: it answers with another status.
        """
        counted.clear()  # what was counted against guessers
        client = browser_of(look.viewer)
        client.cookies["django_language"] = self.language
        if look.before is not None:
            look.before(client)
        self.context.clear_cookies()
        self.context.add_cookies(
            [
                {"name": name, "value": morsel.value, "url": self.site}
                for name, morsel in client.cookies.items()
            ]
        )
        address = look.address(self.world)
        answer = self._go(address)
        assert answer.status == look.status, (look.name, answer.status)
        assert self.page.url == self.site + address, (look.name, self.page.url)

    def fail(self, fault: str) -> None:
        """Show the page of a moment when something went wrong."""
        request = RequestFactory().get("/")
        request.user = AnonymousUser()
        with translation.override(self.language):
            html = render_to_string(f"{fault}.html", {"request": request, "SITE_NAME": "Perudo"})
        address = f"/fault-{fault}/"
        self.page.route(f"**{address}", lambda route: route.fulfill(body=html, content_type=_HTML))
        self._go(address)

    def weight(self) -> tuple[int, int]:
        """Return the bytes and the requests of the page that is open."""
        files = [url.split("/static/", 1)[1] for url in self._loaded if "/static/" in url]
        page = len(gzip.compress(self.page.content().encode()))
        return page + sum(map(_packed, files)), len(self._loaded)

    def _go(self, address: str) -> Response:
        self._loaded.clear()
        answer = self.page.goto(self.site + address)
        assert answer is not None
        return answer


@cache
def _packed(name: str) -> int:
    """Return the bytes of a file of the site as they travel; fonts are packed already."""
    path = finders.find(name)
    assert path, name
    body = Path(path).read_bytes()
    return len(body) if name.endswith("woff2") else len(gzip.compress(body))


_HTML: Final = "text/html; charset=utf-8"


@contextmanager
def touring(
    new_context: Callable[..., BrowserContext], site: str, *, language: str = "en", **options: Any
) -> Iterator[Tour]:
    """Make a tour in a browser of its own."""
    with new_context(**{"viewport": PHONE, **options}) as context:
        yield Tour(context, site, language=language)
