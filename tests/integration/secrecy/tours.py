"""How a world is looked at: every address, through the eyes of one viewer after the other."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from django.conf import settings
from django.core import mail as mailbox
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from tests.cast import person
from tests.integration.secrecy.routes import every_route
from tests.integration.secrecy.stillness import undone
from tests.integration.secrecy.worlds import Sight, World, living_in

LANGUAGES = [code for code, _ in settings.LANGUAGES]


@dataclass(frozen=True)
class Answer:
    """What one viewer got from one address, and what was done for it behind the page."""

    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: str
    body: bytes
    behind: tuple[Sight, ...]


Told = dict[tuple[str, str, str], Answer]
Letters = list[tuple[str, str, str]]


@dataclass
class Report:
    """All that was seen of a world. ``code`` is that of the game under way."""

    code: str
    answers: Told
    letters: Letters
    written: list[Sight]


def look(
    world: World,
    viewers: tuple[str, ...],
    languages: Sequence[str] = LANGUAGES,
    *,
    short: bool = False,
    one_by_one: bool = True,
) -> Report:
    """Play the world's games and look at every address through the eyes of each viewer.

    :param short: look at the addresses of the game under way alone.
    :param one_by_one: take back what a visit leaves behind before the next viewer comes.
    """
    mailbox.outbox.clear()
    with living_in(world):
        written = world.take_sights()
        letters = [
            (mail.extra_headers["X-Perudo-Mail"], mail.to[0], mail.message().as_string())
            for mail in mailbox.outbox
        ]
        call_command("dumpdata", stdout=open("/dev/null", "w"))  # noqa: SIM115
        exported = [sight for sight in world.take_sights() if sight[0] == "export"]
        answers = {}
        for viewer in viewers:
            for language in languages:
                world.chance.begin(f"{viewer} {language}")
                with undone() if one_by_one else nullcontext():
                    for address, answer in _visits(world, viewer, language, short=short):
                        answers[viewer, language, address] = answer
    return Report(world.live.code, answers, letters, [*written, *exported])


def _visits(
    world: World, viewer: str, language: str, *, short: bool
) -> Iterator[tuple[str, Answer]]:
    client = Client(headers={"accept-language": language})
    if viewer != "nobody":
        user = person(viewer)
        is_super = viewer == "sam"
        User.objects.filter(pk=user.pk).update(
            language=language, is_staff=is_super, is_superuser=is_super
        )
        client.force_login(person(viewer))
    for route in every_route():
        if not route.is_ours and language != "en":
            continue  # it knows of no game: once is enough
        for address in route.addresses(world.values):
            if world.room.code in address and language != "en":
                continue  # there are no dice yet
            if short and world.live.code not in address:
                continue
            yield address, _get(world, client, address)
    for number, move in ((1, 1), (2, 0), (2, 1)):
        for eyes in ("0", "1", "2", "all"):  # as it is chosen on the page of a moment
            address = f"/g/{world.over.code}/replay/{number}/{move}/?as={eyes}"
            if not short:
                yield address, _get(world, client, address)
    for game in (world.live, world.over):
        table = f"/g/{game.code}/"
        yield f"{table} by htmx", _get(world, client, table, htmx=True)
        refused = {"version": 1, "idem_key": "k", "act": "bid", "bid": "1x1"}
        yield f"{table} refused", _get(world, client, f"{table}play/", post=refused)


def _get(
    world: World,
    client: Client,
    address: str,
    *,
    htmx: bool = False,
    post: dict[str, object] | None = None,
) -> Answer:
    world.take_sights()
    extra = {"HX-Request": "true"} if htmx else {}
    if post is None:
        response = client.get(address, headers=extra)
    else:
        response = client.post(address, post, headers=extra)
    body = b"".join(response) if response.streaming else response.content
    return Answer(
        response.status_code,
        tuple(sorted(response.items())),
        response.cookies.output(),
        body,
        tuple(world.take_sights()),
    )


def differences(before: Told, after: Told) -> list[str]:
    """Name what differs, and in which part, without telling the dice."""
    found = []
    for key, answer in after.items():
        parts = [
            part
            for part in ("status", "headers", "cookies", "body", "behind")
            if getattr(before[key], part) != getattr(answer, part)
        ]
        if parts:
            found.append(f"{' '.join(key)}: {', '.join(parts)}")
    return found
