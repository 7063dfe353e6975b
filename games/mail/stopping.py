"""The links that stop mails: signed, for one purpose, and good until their owner revokes them.

Opening one changes nothing; what a POST to it does is decided by :mod:`games.services.wishes`.
"""

import hashlib
from dataclasses import dataclass

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from games.models import Topic

_SIGNER = Signer(salt="games.mail.stop")


@dataclass(frozen=True, slots=True)
class StopTopic:
    """Stop one kind of notices to a person; ``version`` is that of his links."""

    user_id: int
    version: int
    topic: Topic


@dataclass(frozen=True, slots=True)
class StopGame:
    """Stop all notices about one game to a person."""

    user_id: int
    version: int
    code: str


@dataclass(frozen=True, slots=True)
class StopReplies:
    """Stop play by mail in one game: for somebody in whose name another wrote."""

    user_id: int
    version: int
    code: str


@dataclass(frozen=True, slots=True)
class StopAddress:
    """Stop invitations to an address, which is given by its digest."""

    digest: str


Stop = StopTopic | StopGame | StopReplies | StopAddress


def stop_link(stop: Stop) -> str:
    """Return the full address at which a POST stops what ``stop`` says."""
    return f"{settings.SITE_URL}{reverse('stop', args=[stop_token(stop)])}"


def stop_token(stop: Stop) -> str:
    """Return the token of a link; the same each time, so that a mail sent again is the same."""
    match stop:
        case StopTopic():
            values = ["topic", stop.user_id, stop.version, stop.topic.value]
        case StopGame():
            values = ["game", stop.user_id, stop.version, stop.code]
        case StopReplies():
            values = ["replies", stop.user_id, stop.version, stop.code]
        case StopAddress():
            values = ["address", stop.digest]
    return _SIGNER.sign_object(values)


def read_stop(token: str) -> Stop | None:
    """Return what a token of ours means, None for any other text."""
    try:
        match _SIGNER.unsign_object(token):
            case ["topic", int(user_id), int(version), str(topic)] if topic in Topic.values:
                return StopTopic(user_id, version, Topic(topic))
            case ["game", int(user_id), int(version), str(code)]:
                return StopGame(user_id, version, code)
            case ["replies", int(user_id), int(version), str(code)]:
                return StopReplies(user_id, version, code)
            case ["address", str(digest)]:
                return StopAddress(digest)
    except (BadSignature, ValueError):
        return None
    return None


def address_digest(address: str) -> str:
    """Return the name under which a stopped address is kept: letter case does not matter."""
    return hashlib.sha256(f"address:{address.strip().lower()}".encode()).hexdigest()
