"""A program that opens every link of a mail and sends every form behind it, as scanners do."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client

_LINK = re.compile(r"https?://[^\s\"'<>»)]+")


@dataclass
class Form:
    """A form as it stands on a page: what a browser would send if nobody touched it."""

    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Forms(HTMLParser):
    """Finds the forms of a page. Boxes and choices that nobody ticked are not sent."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given.get("method", "get").lower(), given.get("action", "")))
            return
        if not self.forms:
            return
        form, name, value = self.forms[-1], given.get("name", ""), given.get("value", "")
        kind = given.get("type", "submit" if tag == "button" else "text")
        if tag in ("button", "input") and kind in ("submit", "image"):
            form.buttons.append((name, value))
        elif tag == "input" and kind in ("checkbox", "radio"):
            if "checked" in given:
                form.fields.append((name, value or "on"))
        elif tag in ("input", "textarea") and name:
            form.fields.append((name, value))
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            form.fields.append((self._select, value))
            self._select = ""


class Crawler:
    """Visits as nobody in particular: no account, but cookies, and the tokens of the forms."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.visited: list[tuple[str, int]] = []
        self.posted: list[tuple[str, int]] = []

    def crawl(self, text: str) -> None:
        """Ask twice for every address of ours in a text, with HEAD and GET, and send its forms."""
        for link in sorted(set(_LINK.findall(text))):
            if not link.startswith(settings.SITE_URL):
                continue
            parts = urlsplit(link)
            page = f"{parts.path or '/'}?{parts.query}".rstrip("?")
            for _ in range(2):
                self.client.head(page, follow=True)
                answer = self.client.get(page, follow=True)
                self.visited.append((page, answer.status_code))
            where = answer.redirect_chain[-1][0] if answer.redirect_chain else page
            self._send_forms(where, answer.content.decode(errors="replace"))

    def _send_forms(self, page: str, html: str) -> None:
        parser = _Forms()
        parser.feed(html)
        for form in parser.forms:
            for button in form.buttons or [("", "")]:
                data: dict[str, str | list[str]] = {}
                for name, value in [*form.fields, button]:
                    if name:
                        data[name] = value
                action = form.action or page
                if form.method == "post":
                    answer = self.client.post(action, data, headers={"Referer": page})
                    self.posted.append((action, answer.status_code))
                else:
                    self.client.get(action, data)
