"""Whatever is sent to any address, in any form: no 500, no hang, nothing let out, nobody led away.

Bounded here; ``make fuzz`` goes on for longer (FUZZ_EXAMPLES). A failure prints the request.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from games import rules
from games.models import Game
from games.services import lobby
from tests.cast import person, player
from tests.integration.security import hostile
from tests.integration.security.roles import address, browser, routes, world

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.slow]

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "250"))
if EXAMPLES > 1000:
    pytestmark.append(pytest.mark.timeout(0))
HANG_SECONDS = 10
"""A machine that is busy may take its two seconds; whoever takes ten would take for ever."""
FUZZ = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
WHO = ("alice", "hal", "carol", "mallory", "anonymous", "at the code", "signing up")
SECRETS = re.compile(rb"(bob|hal|carol|moderating)@example\.org")
OWN = re.compile(r"<(?:\w+:)?\w+>")
ON_THE_WAY = ("anonymous", "at the code", "signing up")


class Site:
    """A game under way, a waiting room, and browsers of everybody, somewhere on their way."""

    def __init__(self) -> None:
        self.game = world("mallory")
        new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=86_400)
        now = timezone.now()
        self.room = lobby.create_game(host=player(person("alice")), new=new, now=now)
        Game.objects.filter(pk=self.game.pk).update(
            turn_started_at=now, turn_deadline_at=now + timedelta(days=1)
        )
        self.cookies = {who: dict(self._browser(who).cookies) for who in WHO}
        self.routes = sorted(routes().values())
        self.forms = [
            (who, form)
            for who in ("alice", "hal", *ON_THE_WAY)
            for page in self._pages_with_forms(who)
            for form in self._forms(who, page)
        ]
        shown = {name for _who, form in self.forms for name, _value in form.fields}
        self.names = sorted(shown | set(hostile.field_names()))

    def _pages_with_forms(self, who: str) -> set[str]:
        """Return the pages whose forms are tried: a game's for its players, and the ways in."""
        of_game = [route for route in self.routes if "<code:" in route]
        if who == "hal":
            return {self.page(route, self.game) for route in of_game}
        if who in ON_THE_WAY:
            return {
                self.page(route, self.room)
                for route in self.routes
                if route.startswith(("/accounts/", "/join/")) and "/2fa/" not in route
            }
        both = {self.page(route, self.game) for route in of_game}
        return both | {self.page(route, self.room) for route in self.routes}

    def _browser(self, who: str) -> Client:
        if who == "at the code":
            client = Client()
            client.post("/accounts/login/", {"login": "alice@example.org"})
        elif who == "signing up":
            client = Client()
            form = {"email": "dora@example.org", "display_name": "Dora", "time_zone": "UTC"}
            client.post("/accounts/signup/", form)
        elif who == "alice":  # by code, so that nothing asks her to prove anything anew
            client = Client()
            client.post("/accounts/login/", {"login": "alice@example.org"})
            code = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", str(mail.outbox[-1].body))
            assert code
            client.post("/accounts/login/code/confirm/", {"code": code[0]})
        else:
            client = browser(who)
        return client

    def page(self, route: str, game: Game) -> str:
        """Return an address of this pattern that leads somewhere."""
        return address(route, game)

    def _forms(self, who: str, page: str) -> Iterator[hostile.PageForm]:
        with undone():  # some pages end a log-in that is on its way
            answer = self.client(who).get(page)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            yield from hostile.forms_of(page, answer.content.decode())

    def client(self, who: str) -> Client:
        client = Client()
        client.cookies.update(self.cookies[who])
        return client


@pytest.fixture
def site(db: None, settings: Any) -> Site:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    return Site()


@contextmanager
def undone() -> Iterator[None]:
    """Take back whatever a request did."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def send(site: Site, who: str, method: str, path: str, **request: Any) -> None:
    """Send one request and look at what comes back."""
    note(f"{who}: {method} {path!r} {request!r}")
    began = time.monotonic()
    with undone():
        answer = site.client(who).generic(method, path, **request)
        content = b"".join(answer) if getattr(answer, "streaming", False) else answer.content
    assert time.monotonic() - began < HANG_SECONDS
    assert answer.status_code < 500
    for name, value in answer.items():
        assert "\n" not in value, name
        assert "\r" not in value, name
    assert "X-Evil" not in answer
    where = urlsplit(answer.get("Location", ""))
    assert where.netloc in ("", "testserver"), answer["Location"]
    assert where.scheme in ("", "http"), answer["Location"]
    assert not answer.get("Location", "/").startswith(("//", "/\\")), answer["Location"]
    assert b"<script>zq()" not in content, "somebody's text became a script"
    assert b"Traceback" not in content
    if who not in ("alice", "hal", "carol") and site.game.invite_token not in path:
        assert site.game.invite_token.encode() not in content
        # Whoever has the secret address of a feed reads its owner's games there.
        is_told = site.game.code in path or path.startswith("/feeds/")
        assert site.game.code.encode() not in content or is_told
    sent = f"{path}{request.get('data', '')}{request}"
    for address_ in set(SECRETS.findall(content)):
        owner = address_.decode()
        assert owner in (who, "moderating") or owner in sent, f"{owner}'s address was told"


@st.composite
def paths(draw: st.DrawFn, site: Site) -> str:
    """Return an address of the site, with its own parameters or with somebody's inventions."""
    route = draw(st.sampled_from(site.routes))
    game = draw(st.sampled_from([site.game, site.room]))
    if draw(st.booleans()):
        path = site.page(route, game)
    else:
        path = OWN.sub(lambda _: hostile.escape(draw(hostile.values))[:3000], route)
    query = draw(st.lists(st.tuples(st.sampled_from(site.names), hostile.values), max_size=3))
    return f"{path}?{hostile.encode(query)}" if query else path


@FUZZ
@given(data=st.data())
def test_any_request_to_any_address_is_answered(site: Site, data: st.DataObject) -> None:
    draw = data.draw
    fields = draw(st.lists(st.tuples(st.sampled_from(site.names), hostile.values), max_size=5))
    method = draw(hostile.methods)
    text, kind = hostile.body(fields, draw(st.sampled_from(hostile.KINDS)))
    request = {"data": text, "content_type": kind} if method == "POST" else {}
    send(
        site, draw(st.sampled_from(WHO)), method, draw(paths(site)), **request,
        **draw(hostile.headers),
    )  # fmt: skip


@FUZZ
@given(data=st.data())
def test_any_form_of_any_page_takes_anything(site: Site, data: st.DataObject) -> None:
    """Fields as the page fills them in, but for one to three: what a check alone lets through."""
    draw = data.draw
    who, form = draw(st.sampled_from(site.forms))
    fields = list(form.fields)
    for _ in range(draw(st.integers(1, 3))):
        change = draw(st.sampled_from(["value", "value", "value", "more", "drop", "strange"]))
        if change == "strange" or not fields:
            fields.append((draw(st.sampled_from(site.names)), draw(hostile.values)))
            continue
        place = draw(st.integers(0, len(fields) - 1))
        if change == "drop":
            fields.pop(place)
        elif change == "more":
            fields.append((fields[place][0], draw(hostile.values)))
        else:
            fields[place] = (fields[place][0], draw(hostile.values))
    if form.method == "GET":
        send(site, who, "GET", f"{form.action}?{hostile.encode(fields)}")
    else:
        text, kind = hostile.body(fields, draw(st.sampled_from(["form", "form", "multipart"])))
        send(site, who, "POST", form.action, data=text, content_type=kind)


@FUZZ
@given(data=st.data())
def test_no_page_leads_to_another_site(site: Site, data: st.DataObject) -> None:
    draw = data.draw
    evil = ("next", draw(st.sampled_from(hostile.EVIL)))
    who, form = draw(st.sampled_from(site.forms))
    fields = [*((name, value) for name, value in form.fields if name != "next"), evil]
    if draw(st.booleans()):
        text, kind = hostile.body(fields, "form")
        send(site, who, "POST", form.action, data=text, content_type=kind, HTTP_REFERER=evil[1])
    else:
        page = site.page(draw(st.sampled_from(site.routes)), site.room)
        send(site, draw(st.sampled_from(WHO)), "GET", f"{page}?{hostile.encode([evil])}")


def test_every_part_of_the_site_is_tried(site: Site) -> None:
    """Else the rest would prove little."""
    actions = {form.action for _who, form in site.forms}
    assert {
        "/settings/", "/games/new/", "/accounts/login/", "/accounts/signup/", "/language/",
        "/accounts/login/code/confirm/", "/accounts/confirm-email/", "/settings/delete/",
        f"/g/{site.game.code}/play/", f"/g/{site.room.code}/invite/",
    } <= actions  # fmt: skip
    assert {"display_name", "emails", "bid", "code", "login", "name", "sure"} <= set(site.names)
