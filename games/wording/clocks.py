"""A table's time rules in words: all that a player should know before he sits down."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.clock import ClockSettings, TimeOut
from games.wording.rulesets import RuleLine
from games.wording.times import time_left

_TITLES = MappingProxyType(
    {
        "standard": gettext_lazy("Standard"),
        "brisk": gettext_lazy("Brisk"),
        "day": gettext_lazy("Day by day"),
        "relaxed": gettext_lazy("Relaxed"),
        "plain": gettext_lazy("Fixed time"),
        "custom": gettext_lazy("A clock of your own"),
    }
)
_SUMMARIES = MappingProxyType(
    {
        "plain": gettext_lazy("So much for each turn, day and night, and nothing beside it."),
        "custom": gettext_lazy("Choose every number yourself."),
    }
)
_TIME_OUTS = MappingProxyType(
    {
        TimeOut.AUTO: gettext_lazy(
            "An automatic move is made from the player’s own dice, by a rule that is written down. "
            "After two in a row his turns are played at once, until he plays again."
        ),
        TimeOut.LOSE_A_DIE: gettext_lazy(
            "The player loses a die, no cup is lifted and a new round begins. After two in a row "
            "the automatic move is made for him at once, which costs no die of itself, until he "
            "plays again."
        ),
        TimeOut.OUT: gettext_lazy("The player is out of the game."),
    }
)


_RETIREMENT = gettext_lazy(
    "After seven days of that the seat is retired: its player takes the place below all who are "
    "still in, and somebody else, by a link, or a bot may take it over from the next roll on. If "
    "nobody has been there for 72 hours, the game is called off."
)

_AUTOMATIC = gettext_lazy(
    "Dudo if, by the player’s own dice alone, the bid holds with a chance below 40 percent, or if "
    "no raise is left. Otherwise the lowest legal raise; whoever opens makes the lowest legal bid. "
    "It never calls calza."
)
_MORE = gettext_lazy(
    "Each player has two extensions of 24 hours a game, can give 24 hours to each opponent once, "
    "and can nudge whoever has used half of the time for a turn, once a day."
)
_SECOND = gettext_lazy("The second extension of a game counts a little against one’s reliability.")
_VOTES = gettext_lazy(
    "More than half of the people who are still in can let all clocks stand still for three days, "
    "give the player to move 24 hours more, or call the game off."
)
_EMERGENCY = gettext_lazy(
    "Once in half a year a player can let all his clocks stand still for 72 hours, at every table."
)

_TIME_OUT_TITLES = MappingProxyType(
    {
        TimeOut.AUTO: gettext_lazy("The automatic move is made"),
        TimeOut.LOSE_A_DIE: gettext_lazy("The player loses a die"),
        TimeOut.OUT: gettext_lazy("The player is out"),
    }
)


def time_up_warning(act: TimeOut) -> str:
    """Tell a player what happens if he lets his time run out."""
    if act is TimeOut.OUT:
        return _("If you have not moved by then, you are out of the game: this table chose it so.")
    if act is TimeOut.LOSE_A_DIE:
        return _("If you have not moved by then, you lose a die.")
    return _("If you have not moved by then, the automatic move is played for you.")


def time_up_notice(act: TimeOut) -> str:
    """Tell a player whose time is up what happens now."""
    if act is TimeOut.AUTO:
        return _("Your time is up. The automatic move is made in a moment.")
    if act is TimeOut.LOSE_A_DIE:
        return _("Your time is up. You lose a die in a moment.")
    return _("Your time is up.")


def time_out_title(act: TimeOut) -> str:
    """Return what happens when a player's time is up, as a choice."""
    return str(_TIME_OUT_TITLES[act])


def clock_title(name: str) -> str:
    """Return what a clock is called."""
    return str(_TITLES[name]) if name in _TITLES else name


def clock_summary(settings: ClockSettings | None, name: str) -> str:
    """Return a clock in short; ``settings`` is None for one that is still to be chosen."""
    if name in _SUMMARIES or settings is None:
        return str(_SUMMARIES.get(name, ""))
    said = {
        "base": time_left(settings.base),
        "bank": time_left(settings.bank),
        "more": time_left(settings.increment),
    }
    numbers = _("%(base)s a turn, %(bank)s in the bank, %(more)s more with each move.") % said
    return f"{numbers} {_nights(settings)}"


def clock_lines(settings: ClockSettings) -> tuple[RuleLine, ...]:
    """Return every time rule of a table, each with its sentence."""
    return tuple(
        RuleLine(f"clock.{key}", title, sentence) for key, title, sentence in _lines(settings)
    )


def _lines(settings: ClockSettings) -> Iterator[tuple[str, str, str]]:
    base = {"base": time_left(settings.base)}
    yield "base", _("Time for a turn"), _("%(base)s. What is left of it lapses.") % base
    if settings.cap:
        yield "bank", _("Bank"), _bank(settings)
    yield "nights", _("Nights"), _nights(settings)
    if settings.weekends:
        yield (
            "weekends",
            _("Weekends"),
            _("It stands still on the two days a week that a player has picked."),
        )
    yield "absences", _("Absences"), _absences(settings)
    yield "time_out", _("When time is up"), str(_TIME_OUTS[settings.time_out])
    if settings.time_out is not TimeOut.OUT:
        yield "automatic", _("The automatic move"), str(_AUTOMATIC)
        yield "retirement", _("When a player stays away"), str(_RETIREMENT)
    yield "more", _("More time"), f"{_MORE} {_SECOND}"
    yield "votes", _("Votes"), str(_VOTES)
    yield "emergency", _("Emergency"), str(_EMERGENCY)


def _nights(settings: ClockSettings) -> str:
    if settings.waking_only:
        return _("The clock runs in each player’s waking hours only.")
    if settings.nights:
        return _("The clock stands still for nine hours of each player’s own night.")
    return _("The clock runs day and night.")


def _absences(settings: ClockSettings) -> str:
    if not settings.absences:
        return _("It goes on while a player is away, even if he has announced it.")
    return _(
        "It stands still while a player is away as announced, for seven days in a game, from the "
        "roll after his departure on."
    )


def _bank(settings: ClockSettings) -> str:
    said = {
        "bank": time_left(settings.bank),
        "more": time_left(settings.increment),
        "cap": time_left(settings.cap),
    }
    if not settings.increment:
        return _("%(bank)s for the whole game, used when the time for a turn is up.") % said
    return (
        _(
            "%(bank)s at the start, used when the time for a turn is up. Each move in time adds "
            "%(more)s, up to %(cap)s."
        )
        % said
    )


_REFUSALS = MappingProxyType(
    {
        "clock.unknown": gettext_lazy("There is no clock of that name."),
        "clock.malformed": gettext_lazy("This clock cannot be read: look at “%(key)s”."),
        "clock.value": gettext_lazy("“%(key)s” cannot have that value."),
        "clock.floor": gettext_lazy(
            "Where the clock runs at night, a turn takes at least %(hours)s hours."
        ),
        "clock.night-floor": gettext_lazy("A turn takes at least %(hours)s hours."),
        "clock.bank-over-cap": gettext_lazy("The bank cannot begin above its limit."),
        "clock.increment-over-base": gettext_lazy("A move cannot add more time than a turn takes."),
        "clock.plain": gettext_lazy("A fixed time has no bank and stops at no hour."),
        "clock.waking-needs-nights": gettext_lazy("A clock for waking hours stops at night."),
        "clock.run-out": gettext_lazy("The time for this turn has run out."),
        "hours.weekend": gettext_lazy("A weekend has at most %(most)s days."),
        "hours.night-changed": gettext_lazy(
            "The night can be changed once a week: the next time on %(at)s."
        ),
        "hours.weekend-changed": gettext_lazy(
            "The weekend can be changed once a week: the next time on %(at)s."
        ),
        "absence.refused": gettext_lazy("At this table the clock goes on during an absence."),
        "absence.length": gettext_lazy("An absence lasts from %(least)s to %(most)s days."),
        "absence.past": gettext_lazy("An absence cannot begin in the past."),
        "absence.overlap": gettext_lazy("You are already away on one of these days."),
        "absence.allowance": gettext_lazy(
            "This absence takes %(days)s days, and you have %(left)s left."
        ),
        "token.none-left": gettext_lazy("You have used both of your extensions in this game."),
        "gift.own": gettext_lazy("You cannot give time to yourself."),
        "gift.given": gettext_lazy("You have already given time to this player in this game."),
        "nudge.own": gettext_lazy("You cannot nudge yourself."),
        "nudge.early": gettext_lazy(
            "A player can be nudged once half of the time for the turn is used."
        ),
        "nudge.again": gettext_lazy("This player can be nudged again on %(at)s."),
        "emergency.new": gettext_lazy(
            "An emergency pause is for players who have finished %(games)s games."
        ),
        "emergency.again": gettext_lazy("Your next emergency pause is possible on %(at)s."),
        "time.not-in": gettext_lazy("Only the players who are still in the game can do that."),
        "time.stands": gettext_lazy("No player’s clock runs now: there is no time to give."),
        "vote.another": gettext_lazy("Another vote is still open."),
        "vote.not-yours": gettext_lazy("Only the players who are still in the game vote."),
        "vote.again": gettext_lazy("You have voted already."),
        "vote.closed": gettext_lazy("This vote is closed."),
        "vote.no-seat": gettext_lazy("No seat waits for a new player."),
        "gate.turns": gettext_lazy(
            "This table asks for %(gate)s %% of turns in time, which you do not have yet. Take a "
            "seat at another table; the turns in time that you still need: %(turns)s."
        ),
        "gate.new": gettext_lazy(
            "This table is for players who have finished %(games)s games. Take a seat at another "
            "table first."
        ),
    }
)


def clock_refusal(code: str, params: Mapping[str, object]) -> str:
    """Return why a clock, or a rule about time, refuses something; moments in the active zone."""
    return str(_REFUSALS[code]) % {key: in_words(value) for key, value in params.items()}


def in_words(value: object) -> object:
    """Return a value as a refusal names it: a moment as date and time."""
    if isinstance(value, datetime):
        return date_format(
            localtime(value), pgettext("date format: Sat 21 Nov, 09:30", "D j M, H:i")
        )
    return value
