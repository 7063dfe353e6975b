"""The feed of a player's turns (Atom, RFC 4287)."""

from collections.abc import Iterable

from django.conf import settings
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.mail.addresses import mail_domain
from games.mail.letters import link
from games.mail.words import moment_text, title_of
from games.selectors.turns import Turn


def feed(turns: Iterable[Turn], *, address: str) -> bytes:
    """Return the feed, in the language and zone that are active. It tells nothing of any table.

    An entry keeps its id while its deadline moves.

    :param address: the feed's own, which only its reader knows.
    """
    domain = mail_domain()
    atom = Atom1Feed(
        title=_("%(site)s: my turns") % {"site": settings.SITE_NAME},
        link=link("home"),
        description=None,
        language=get_language(),
        feed_url=address,
    )
    for turn in turns:
        title = title_of(turn.name, turn.code)
        until = moment_text(turn.deadline_at)
        atom.add_item(
            title=_("%(title)s: your turn") % {"title": title},
            link=link("game", turn.code),
            description=_("Round %(number)d, until %(until)s.")
            % {"number": turn.round_number, "until": until},
            unique_id=f"tag:{domain},2026:turn/{turn.code}/{turn.version}",
            pubdate=turn.started_at,
            updateddate=turn.changed_at,
        )
    text: str = atom.writeString("utf-8")
    return text.encode()
