"""Tags that draw dice and bids, say faces, and tell how much time is left.

``die``, ``bid`` and ``rungs`` are functions, not templates: a table draws hundreds of them, and the
markup of each is the same for every reader of a language, so it is made once.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone
from django.utils.translation import get_language, gettext, pgettext

from games import wording
from games.clock import Reliability
from games.panels import LadderBlock
from games.rules import Bid

register = template.Library()

_GAP = SafeString('<span class="rung-gap"></span>')

HIDDEN = 0
"""The face of a die that its reader may not see."""

SOON = timedelta(hours=2)
"""A deadline nearer than this is shown as pressing."""


@register.simple_tag
def die(face: int | None, classes: str = "") -> SafeString:
    """Draw a die with a spoken label; None or 0 is a covered die.

    ``classes``: a size (``die-small``, ``die-large``), a mark (``is-match``, ``is-miss``).
    """
    return _die(face or HIDDEN, classes, _sprite(), get_language())


@register.simple_tag
def bid(quantity: int, face: int, classes: str = "") -> SafeString:
    """Draw "4 × die", spoken as "4 fives"."""
    return _bid(quantity, face, classes, _sprite(), get_language())


@register.simple_tag
def rungs(
    block: LadderBlock,
    chosen: Bid | None = None,
    required: bool = False,
    odds: Mapping[Bid, str] | None = None,
) -> SafeString:
    """Draw a block of a ladder: radio inputs named "bid"; an illegal one leaves a gap.

    ``odds`` are how likely bids are, where that is shown. One ``required`` input makes the whole
    group so: it has to be one that can be seen.
    """
    sprite, language = _sprite(), get_language()
    asks = next((bid for bid in block.bids if bid is not None), None) if required else None
    drawn = [
        _GAP
        if bid is None
        else _rung(
            (bid.quantity, bid.face),
            (odds or {}).get(bid, ""),
            bid is chosen,
            bid is asks,
            sprite,
            language,
        )
        for bid in block.bids
    ]
    html = f'<div class="rungs rungs-{block.columns}">{"".join(drawn)}</div>'
    return mark_safe(html)  # noqa: S308  # joins what format_html made


@register.simple_tag
def icon(name: str, classes: str = "") -> SafeString:
    """Draw a glyph of the sprite that says nothing by itself: "cup", "clock", "crown" and so on."""
    symbol = name if name == "cup" else f"icon-{name}"
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"/></svg>',
        classes,
        _sprite(),
        symbol,
    )


@register.simple_tag
def dice_left(count: int | None) -> SafeString:
    """Draw as many little dice as a seat has, spoken as "4 dice"; None says that it is hidden."""
    if count is None:
        return format_html('<span class="pile-hidden">{}</span>', gettext("dice not shown"))
    text = wording.dice_count_text(count)
    return format_html(
        '<span class="pile pile-{0}" role="img" aria-label="{1}" title="{1}"></span>', count, text
    )


@register.simple_tag
def face_name(face: int, count: int = 1) -> str:
    """Say a face for ``count`` dice: "five", "fives"."""
    return wording.face_name(face, count)


@register.simple_tag
def bid_text(quantity: int, face: int) -> str:
    """Say a bid: "4 fives"."""
    return wording.quantity_text(quantity, face)


@register.simple_tag
def reliability(known: Reliability) -> str:
    """Say what stands beside a player's name: "new", "93 % in time"."""
    return wording.reliability_tag(known)


@register.simple_tag
def place_text(place: int) -> str:
    """Say a final place: "winner", "place 2"."""
    if place == 1:
        return gettext("winner")
    return gettext("place %(place)d") % {"place": place}


@register.simple_tag
def pause(until: datetime | None, now: datetime) -> SafeString:
    """Tell that the table's clocks stand still until ``until``; nothing once they go on."""
    if until is None or until <= now:
        return SafeString()
    said = wording.pause_sentence(_moment(until, get_current_timezone(), get_language()))
    return format_html('<p class="small"><strong>{}</strong></p>', said)


@register.simple_tag
def abandoned(at: datetime) -> SafeString:
    """Tell that nobody is there, and when the game is called off."""
    when = _moment(at, get_current_timezone(), get_language())
    return format_html('<p class="small"><strong>{}</strong></p>', wording.abandoned_sentence(when))


@register.simple_tag
def deadline(at: datetime, now: datetime) -> SafeString:
    """Tell the time left until ``at`` and the time itself in the reader's zone."""
    left, iso = at - now, at.isoformat(timespec="seconds")
    if left > timedelta(0):
        pattern = pgettext("time", "%(left)s left")
        told = format_html(
            '<span data-countdown="{}" data-pattern="{}">{}</span>',
            iso,
            pattern % {"left": "%s"},  # a script fills it in as time goes by
            pattern % {"left": wording.time_left(left)},
        )
    else:
        told = format_html("<span>{}</span>", gettext("Time is up"))
    return format_html(
        '<p class="deadline{}">{} <time datetime="{}">{}</time></p>',
        " is-soon" if left < SOON else "",
        told,
        iso,
        _moment(at, get_current_timezone(), get_language()),
    )


@register.simple_tag
def move_time(at: datetime, now: datetime, by_parts: bool) -> str:
    """Tell when something was done, in the reader's zone; at some tables to a part of the day."""
    return wording.move_times([at], now=now, by_parts=by_parts)[0]


@register.simple_tag
def game_url(name: str, code: str) -> str:
    """Return an address of a game, as ``url`` does: a table's page names half a dozen."""
    return _game_url(name, code, get_script_prefix())


@lru_cache(maxsize=4096)
def _game_url(name: str, code: str, prefix: str) -> str:
    return reverse(name, args=[code])


@lru_cache(maxsize=1)
def _sprite() -> str:
    return static("games/img/dice.svg")


# Equal moments of different zones are one key, so the zone is another.
@lru_cache(maxsize=1024)
def _moment(at: datetime, zone: tzinfo, language: str | None) -> str:
    local = at.astimezone(zone)
    pattern = pgettext("date format: Sat 21 Nov, 09:30", "D j M, H:i")
    return f"{date_format(local, pattern)} {wording.zone_text(local)}"


@lru_cache(maxsize=512)
def _die(face: int, classes: str, sprite: str, language: str | None) -> SafeString:
    label = wording.face_name(face) if face else gettext("covered die")
    return format_html(
        '<svg class="die {}" role="img" aria-label="{}"><use href="{}#die-{}"/></svg>',
        classes,
        label,
        sprite,
        face,
    )


@lru_cache(maxsize=4096)
def _rung(
    bid: tuple[int, int],
    odds: str,
    checked: bool,
    required: bool,
    sprite: str,
    language: str | None,
) -> SafeString:
    quantity, face = bid
    text = wording.quantity_text(quantity, face)
    return format_html(
        '<label class="rung"><input type="radio" name="bid" value="{0}x{1}" aria-label="{2}"'
        '{3}><span aria-hidden="true">{0}<svg class="die"><use href="{4}#die-{1}"/></svg>'
        "</span>{5}</label>",
        quantity,
        face,
        f"{text}, {odds}" if odds else text,
        SafeString(
            (" required" if required else "")
            + (" checked" if checked else "")
            # What is said at the table goes without the odds.
            + (f' data-words="{escape(text)}"' if odds else "")
        ),
        sprite,
        _odds(odds),
    )


def _odds(odds: str) -> SafeString:
    if not odds:
        return SafeString("")
    # As long as any other, so that the length of a page tells nothing of its reader's dice.
    longest = escape(wording.chance_text(0.995))
    filled = " " * (2 * (len(longest) - len(escape(odds))))
    return format_html('<small class="rung-odds" aria-hidden="true">{}{}</small>', odds, filled)


@lru_cache(maxsize=2048)
def _bid(quantity: int, face: int, classes: str, sprite: str, language: str | None) -> SafeString:
    return format_html(
        '<span class="bid {}" role="img" aria-label="{}">'
        '<span aria-hidden="true">{}&thinsp;×</span>'
        '<svg class="die" aria-hidden="true"><use href="{}#die-{}"/></svg></span>',
        classes,
        wording.quantity_text(quantity, face),
        quantity,
        sprite,
        face,
    )
