"""What a webhook is told: whose game, where, until when. No die, no bid, nobody's name."""

import json
import re
from datetime import datetime

from django.utils.translation import gettext as _

from games.mail.letters import link
from games.mail.words import game_title, moment_text
from games.models import Game, WebhookForm

_MARKUP = re.compile(r"([\\`*_~|>#\[\]()@:])")


def turn_payload(form: WebhookForm, game: Game) -> bytes:
    """Return the announcement of a turn, in the language and zone that are active."""
    until = game.turn_deadline_at
    title, url = game_title(game), link("game", game.code)
    text = _("%(title)s: your turn, until %(until)s.")
    said = {"title": _plain(form, title), "until": moment_text(until) if until else ""}
    return _payload(form, "turn", title, url, text % said, until)


def trial_payload(form: WebhookForm) -> bytes:
    """Return what the test button sends."""
    text = _("This is a test: here your turns will be announced.")
    return _payload(form, "test", "", link("notices"), text, None)


def _payload(
    form: WebhookForm, event: str, title: str, url: str, text: str, until: datetime | None
) -> bytes:
    match form:
        case WebhookForm.DISCORD:
            # What somebody called his game calls nobody.
            told: dict[str, object] = {
                "content": f"{text} {url}",
                "allowed_mentions": {"parse": []},
            }
        case WebhookForm.SLACK:
            told = {"text": f"{text} {url}"}
        case WebhookForm.JSON:
            told = {
                "event": event,
                "game": title,
                "url": url,
                "text": text,
                "deadline": until.isoformat() if until else None,
            }
    return json.dumps(told, ensure_ascii=False).encode()


def _plain(form: WebhookForm, title: str) -> str:
    """Return a game's name so that it is read as it was typed, and means nothing to the form."""
    if form is WebhookForm.DISCORD:
        return _MARKUP.sub(r"\\\1", title)
    if form is WebhookForm.SLACK:
        return title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return title
