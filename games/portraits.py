"""What players' pages show of statistics: rows of words, and charts, of what selectors return."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import charts, stats
from games.selectors.careers import Meeting, Portrait, Quartiles, RivalLine, TallyLine
from games.selectors.ratings import RatedGame
from games.wording.ratings import seats_title
from games.wording.rulesets import ruleset_title
from games.wording.statistics import (
    band_text,
    cause_name,
    count_text,
    luck_sentence,
    number_text,
    occasions_text,
    player_text,
    share_text,
    statistic_meaning,
    statistic_name,
)

OVERALL = ("win", "place")
STYLE = ("bluff", "stretch", "aggression", "pressure")
ACCURACY = ("dudo_right", "dudo_edge", "dudo", "false", "caught", "escape")
FOR_FUN = ("calza_right", "calza", "clutch", "comeback", "palifico")
_SHARES = frozenset(each.code for each in stats.STATISTICS if each.unit is stats.Unit.SHARE)


@dataclass(frozen=True, slots=True)
class RateRow:
    """A rate, its band where it has one, and how many occasions it is of, all in words."""

    name: str
    meaning: str
    value: str
    band: str
    of: str


@dataclass(frozen=True, slots=True)
class StyleRow:
    """A rate beside the field's: ``middle`` is where half of the field is."""

    rate: RateRow
    strip: charts.Strip | None
    middle: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """Games by one ruleset at tables of one size; ``times_fair`` is empty for too few."""

    rules: str
    table: str
    games: int
    won: int
    times_fair: str


@dataclass(frozen=True, slots=True)
class Luck:
    """What the dice gave, and how challenges went."""

    rolls: str
    rounds: str
    sentence: str
    my_way: str
    challenges: str


@dataclass(frozen=True, slots=True)
class RivalRow:
    """A rival: games together, and in how many of them this player was ahead."""

    name: str
    has_page: bool
    games: int
    ahead: int


@dataclass(frozen=True, slots=True)
class BinRow:
    """Occasions whose chance was said to be in one tenth, and how often it came."""

    said: str
    came: str
    of: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was said against what came, as a chart and as rows."""

    code: str
    title: str
    chart: charts.Calibration
    rows: tuple[BinRow, ...]


@dataclass(frozen=True, slots=True)
class LossRow:
    """One way in which dice were lost."""

    name: str
    count: int
    share: str


def summary(portrait: Portrait) -> str:
    """Return a player in a sentence, as far as its reader may know."""
    won = portrait.sums.get("win", stats.NOTHING)
    return player_text(won.of, won.value)


def rates(codes: Iterable[str], sums: stats.Sums) -> tuple[RateRow, ...]:
    """Return those rates that have occasions enough."""
    return tuple(row for code in codes if (row := _rate(code, sums)) is not None)


def style(portrait: Portrait) -> tuple[StyleRow, ...]:
    """Return a player's style beside the field's."""
    return tuple(
        StyleRow(row, *_beside(code, portrait.sums, portrait.field.get(code)))
        for code in STYLE
        if (row := _rate(code, portrait.sums)) is not None
    )


def _beside(
    code: str, sums: stats.Sums, field: Quartiles | None
) -> tuple[charts.Strip | None, str]:
    rate = stats.rate_of(code, sums)
    if field is None or rate is None:
        return None, ""
    band = None if rate.low is None or rate.high is None else (rate.low, rate.high)
    spread = (field.least, field.low, field.median, field.high, field.most)
    strip = charts.strip(field=spread, mine=rate.value, band=band)
    return strip, band_text(_value(code, field.low), _value(code, field.high))


def results(tallies: Iterable[TallyLine], *, among_people: bool) -> tuple[ResultRow, ...]:
    """Return results by ruleset and size of the table, and of all together where that is more."""
    of_kind = [each for each in tallies if each.among_people is among_people]
    rows = [
        _result(ruleset_title(each.ruleset), seats_title(each.seats), each.sums)
        for each in of_kind
        if "win" in each.sums
    ]
    if len(rows) > 1:
        rows.append(_result(_("All together"), "", stats.total(each.sums for each in of_kind)))
    return tuple(rows)


def _result(rules: str, table: str, sums: stats.Sums) -> ResultRow:
    times = stats.times_fair(sums)
    return ResultRow(
        rules=rules,
        table=table,
        games=sums["win"].of,
        won=sums["win"].value,
        times_fair="" if times is None else number_text(times),
    )


def luck(sums: stats.Sums) -> Luck | None:
    """Return a player's luck, or None before there are rounds enough."""
    rolls = sums.get("roll_luck", stats.NOTHING)
    if rolls.of < stats.LEAST_OCCASIONS:
        return None
    ways = sums.get("my_way", stats.NOTHING)
    return Luck(
        rolls=number_text(rolls.value / stats.SCALE, signed=True, places=1),
        rounds=count_text(rolls.of),
        sentence=luck_sentence(stats.z_score(sums)),
        my_way=number_text(ways.value / stats.SCALE, signed=True, places=1)
        if ways.of >= stats.LEAST_OCCASIONS
        else "",
        challenges=count_text(ways.of),
    )


def rivals(lines: Iterable[RivalLine]) -> tuple[RivalRow, ...]:
    """Return those whom a player met most."""
    return tuple(
        RivalRow(
            name=line.name,
            has_page="/" not in line.name,  # its address would be another page's
            games=line.sums["games"].value,
            ahead=line.sums["ahead"].value,
        )
        for line in lines
    )


def lessons(own: stats.Sums) -> tuple[Lesson, ...]:
    """Return what a player may learn of his own odds."""
    titles = {
        "sure_dice": _("My dudos by my own dice"),
        "sure_bids": _("My dudos by my own dice and the bids"),
        "held": _("My bids by my own dice"),
    }
    return tuple(lesson for code, title in titles.items() if (lesson := _lesson(code, title, own)))


def losses(own: stats.Sums) -> tuple[LossRow, ...]:
    """Return what a player loses dice by, the most frequent first."""
    ways = [(cause, own.get(f"lost_{cause}", stats.NOTHING)) for cause in stats.CAUSES]
    if ways[0][1].of < stats.LEAST_OCCASIONS:
        return ()
    ways.sort(key=lambda way: -way[1].value)
    return tuple(
        LossRow(cause_name(cause), part.value, share_text(part.value / part.of))
        for cause, part in ways
        if part.value
    )


def _lesson(code: str, title: str, own: stats.Sums) -> Lesson | None:
    bins = list(_bins(code, own))
    if sum(of for _, _, of in bins) < stats.LEAST_OCCASIONS:
        return None
    rows = tuple(BinRow(share_text(said), share_text(came), of) for said, came, of in bins)
    return Lesson(code, title, charts.calibration(bins), rows)


def _bins(code: str, own: stats.Sums) -> Iterator[tuple[float, float, int]]:
    for place in range(stats.BINS):
        came, said = own.get(f"{code}_{place}"), own.get(f"{code}_said_{place}")
        if came is not None and said is not None:
            yield said.value / stats.SCALE / said.of, came.value / came.of, came.of


def _rate(code: str, sums: stats.Sums) -> RateRow | None:
    rate = stats.rate_of(code, sums)
    if rate is None:
        return None
    return RateRow(
        name=statistic_name(code),
        meaning=statistic_meaning(code),
        value=_value(code, rate.value),
        band=""
        if rate.low is None or rate.high is None
        else band_text(_value(code, rate.low), _value(code, rate.high)),
        of=occasions_text(rate.of),
    )


def _value(code: str, value: float) -> str:
    return share_text(value) if code in _SHARES else number_text(value, signed=code == "dudo_edge")


@dataclass(frozen=True, slots=True)
class FaceToFace:
    """Two players: games together, and a line of what each did, the one's beside the other's."""

    games: str
    level: str
    lines: tuple[tuple[str, str, str], ...]


def face_to_face(meeting: Meeting) -> FaceToFace:
    """Return how two players have done against each other."""
    mine, theirs = meeting.mine, meeting.theirs

    def counts(code: str) -> tuple[str, str]:
        one, other = (sums.get(code, stats.NOTHING).value for sums in (mine, theirs))
        return count_text(one), count_text(other)

    def dudos(sums: stats.Sums) -> str:
        part = sums.get("dudo_right", stats.NOTHING)
        return _("%(right)s of %(dudos)s") % {
            "right": count_text(part.value),
            "dudos": count_text(part.of),
        }

    return FaceToFace(
        games=count_text(mine.get("games", stats.NOTHING).value),
        level=count_text(mine.get("level", stats.NOTHING).value),
        lines=(
            (_("Placed before the other"), *counts("ahead")),
            (_("Games won"), *counts("won")),
            (_("Right dudos on a bid of the other"), dudos(mine), dudos(theirs)),
        ),
    )


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """A player's rating after each of his newest rated games, as a chart and as rows.

    ``rows`` are (when, rating, the band in words), the newest first.
    """

    chart: charts.Curve
    text: str
    rows: tuple[tuple[datetime, str, str], ...]


def rating_curve(games: Sequence[RatedGame]) -> RatingCurve | None:
    """Return the curve of a player's rating, or None from fewer than two rated games."""
    if len(games) < 2:
        return None
    points = [(game.after.number, (game.after.high - game.after.low) / 2) for game in games]
    said = {"first": games[0].after.number, "last": games[-1].after.number, "games": len(games)}
    return RatingCurve(
        chart=charts.curve(points),
        text=ngettext(
            "From %(first)d to %(last)d in %(games)d rated game; the band is how sure it is.",
            "From %(first)d to %(last)d in %(games)d rated games; the band is how sure it is.",
            len(games),
        )
        % said,
        rows=tuple(
            (
                game.ended_at,
                str(game.after.number),
                band_text(str(game.after.low), str(game.after.high)),
            )
            for game in reversed(games)
        ),
    )
