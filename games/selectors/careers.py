"""What finished games say of players, for those who may read it.

Everything comes from rows that hold sums: no page reads more of them after a million games than
after ten, and none holds a die of a game under way.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model

from games import stats
from games.models import Career, Medal, Privacy, Result, Rivalry, SiteSums, Tally
from games.selectors.values import shown_time
from games.selectors.visible import Viewer

FIELD_SIZE = 200
"""So many players, those whose games were counted last, are the field."""

LEAST_FIELD = 5
"""From how many players on that says anything."""

RECENT, RIVALS = 10, 10
"""How many of his newest games, and of those he met most, a page tells."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a player wants others not to see."""

    statistics: bool = False
    history: bool = False


@dataclass(frozen=True, slots=True)
class TallyLine:
    """A player's games by one ruleset at tables of one size."""

    ruleset: str
    seats: int
    among_people: bool
    sums: stats.Sums


@dataclass(frozen=True, slots=True)
class RivalLine:
    """What a player's games say of him against another one."""

    name: str
    sums: stats.Sums


@dataclass(frozen=True, slots=True)
class GameLine:
    """A finished game as a page may name it: ``code`` is empty where its reader may not know it."""

    code: str
    name: str
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A player's place in a game."""

    game: GameLine
    place: int
    seats: int
    among_people: bool


@dataclass(frozen=True, slots=True)
class MedalLine:
    """What a player achieved, and where."""

    code: str
    game: GameLine


@dataclass(frozen=True, slots=True)
class Quartiles:
    """How a rate is spread over the field: a quarter is below ``low``, a quarter above ``high``."""

    least: float
    low: float
    median: float
    high: float
    most: float


@dataclass(frozen=True, slots=True)
class Portrait:
    """A player's finished games, as his reader may know them.

    ``sums`` are of games among people, for himself with his own covered cups; ``own`` are the
    lessons that only he reads, None for others. What is hidden from the reader is empty.
    """

    hidden: Hidden
    games: int
    sums: stats.Sums
    own: stats.Sums | None
    streaks: stats.Streaks
    field: Mapping[str, Quartiles]
    tallies: tuple[TallyLine, ...]
    rivals: tuple[RivalLine, ...]
    medals: tuple[MedalLine, ...]
    results: tuple[ResultLine, ...]


def hidden_of(user_id: int) -> Hidden:
    """Return what a player wants others not to see."""
    row = Privacy.objects.filter(pk=user_id).first()
    return Hidden(row.hides_statistics, row.hides_history) if row else Hidden()


def portrait(user_id: int, viewer: Viewer) -> Portrait:
    """Return a player's finished games, in the same number of queries however many they are."""
    is_me = viewer.user_id == user_id
    hidden = hidden_of(user_id)
    counts, history = is_me or not hidden.statistics, is_me or not hidden.history
    row = (Career.objects.filter(pk=user_id).first() if counts else None) or Career()
    own = stats.from_json(row.own) if is_me else None
    medals, results = _games(user_id, viewer) if history else ((), ())
    return Portrait(
        hidden=hidden,
        games=row.games,
        sums=stats.from_json(row.shown) if own is None else own,
        own=own,
        streaks=stats.Streaks.from_json(row.streaks),
        field=field_spread() if counts else {},
        tallies=tallies_of(user_id) if counts else (),
        rivals=_rivals(user_id, is_me=is_me) if history else (),
        medals=medals,
        results=results,
    )


def tallies_of(user_id: int) -> tuple[TallyLine, ...]:
    """Return a player's games by ruleset and size of the table, those among people first."""
    rows = Tally.objects.filter(user_id=user_id)
    return tuple(
        TallyLine(row.ruleset, row.seats, row.among_people, stats.from_json(row.shown))
        for row in rows.order_by("-among_people", "ruleset", "seats")
    )


def field_spread() -> dict[str, Quartiles]:
    """Return how the rates of style are spread over those who finished games last."""
    shown = Career.objects.exclude(user__privacy__hides_statistics=True)
    newest = shown.order_by("-number").values_list("rates", flat=True)[:FIELD_SIZE]
    by_code: dict[str, list[float]] = {}
    for rates in newest:
        for code, rate in rates.items():
            by_code.setdefault(code, []).append(rate)
    return {code: _quartiles(rates) for code, rates in by_code.items() if len(rates) >= LEAST_FIELD}


def _quartiles(values: list[float]) -> Quartiles:
    """Return quartiles by linear interpolation between the nearest ranks."""
    values = sorted(values)

    def at(share: float) -> float:
        place = share * (len(values) - 1)
        below = int(place)
        above = min(below + 1, len(values) - 1)
        return values[below] + (values[above] - values[below]) * (place - below)

    return Quartiles(values[0], at(0.25), at(0.5), at(0.75), values[-1])


def _rivals(user_id: int, *, is_me: bool) -> tuple[RivalLine, ...]:
    rows = Rivalry.objects.filter(user_id=user_id, games__gt=0, rival__is_active=True)
    if not is_me:
        rows = rows.exclude(rival__privacy__hides_history=True)
    most = rows.select_related("rival").order_by("-games", "rival_id")[:RIVALS]
    return tuple(RivalLine(row.rival.display_name, stats.from_json(row.sums)) for row in most)


def _games(user_id: int, viewer: Viewer) -> tuple[tuple[MedalLine, ...], tuple[ResultLine, ...]]:
    """Return a player's medals and newest results; private games are named to who played there."""
    found = Medal.objects.filter(user_id=user_id).select_related("game")
    medals = list(found.order_by("number"))
    newest = Result.objects.filter(user_id=user_id).select_related("game").order_by("-number")
    results = list(newest[:RECENT])
    ids = {*(row.game_id for row in medals), *(row.game_id for row in results)}
    known: set[int] = set()
    if viewer.user_id is not None:
        played = Result.objects.filter(user_id=viewer.user_id, game_id__in=ids)
        known |= set(played.values_list("game_id", flat=True))
    return (
        tuple(MedalLine(row.code, _game_line(row.game, known)) for row in medals),
        tuple(
            ResultLine(_game_line(row.game, known), row.place, row.seats, row.among_people)
            for row in results
        ),
    )


def _game_line(game: Any, known: set[int]) -> GameLine:
    ended_at = shown_time(game.finished_at, by_parts=game.day_parts) if game.finished_at else None
    if game.is_private and game.pk not in known:
        return GameLine("", "", ended_at)
    return GameLine(game.code, game.name, ended_at)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players against each other: what their games say of the one, and of the other."""

    names: tuple[str, str]
    mine: stats.Sums
    theirs: stats.Sums


def meeting(name: str, rival: str, viewer: Viewer) -> Meeting | None:
    """Return how two players have done against each other, or None.

    Nothing is told where one of them hides his games, but to the two themselves.
    """
    users = get_user_model().objects
    one, other = users.named(name), users.named(rival)
    if one is None or other is None or one.pk == other.pk:
        return None
    if viewer.user_id not in (one.pk, other.pk):
        both = Privacy.objects.filter(pk__in=(one.pk, other.pk), hides_history=True)
        if both.exists():
            return None
    pair = (one.pk, other.pk)
    rows = Rivalry.objects.filter(user_id__in=pair, rival_id__in=pair)
    sums = {row.user_id: stats.from_json(row.sums) for row in rows}
    return Meeting(
        names=(one.display_name, other.display_name),
        mine=sums.get(one.pk, {}),
        theirs=sums.get(other.pk, {}),
    )


def site_sums() -> stats.Sums:
    """Return what all finished games of the site say."""
    row = SiteSums.objects.first()
    return stats.from_json(row.sums) if row else {}


def statistics_rows(user_id: int) -> list[dict[str, object]]:
    """Return a player's sums one by one, for himself: what a file of his statistics holds.

    ``value`` is a count, or a sum in millionths where ``unit`` is not "share"; ``of`` is the number
    of its occasions. Games among people have ``ruleset`` and ``seats`` empty where all are added.
    """
    row = Career.objects.filter(pk=user_id).first() or Career()
    whole = stats.from_json(row.own)
    found = [_line("", None, True, code, part) for code, part in whole.items()]
    for tally in tallies_of(user_id):
        found += [
            _line(tally.ruleset, tally.seats, tally.among_people, code, part)
            for code, part in tally.sums.items()
        ]
    return found


def _line(
    ruleset: str, seats: int | None, among_people: bool, code: str, part: stats.Part
) -> dict[str, object]:
    return {
        "ruleset": ruleset,
        "seats": seats,
        "among_people": among_people,
        "statistic": code,
        "value": part.value,
        "of": part.of,
    }


def exported_career(user_id: int) -> dict[str, Any]:
    """Return all that was counted of one player's finished games, for that player."""
    row = Career.objects.filter(pk=user_id).first() or Career()
    hidden = hidden_of(user_id)
    rivals = Rivalry.objects.filter(user_id=user_id).select_related("rival").order_by("pk")
    medals, results = _everything(user_id)
    return {
        "sums": statistics_rows(user_id),
        "streaks": row.streaks,
        "rivals": [{"name": each.rival.display_name, "sums": each.sums} for each in rivals],
        "achievements": medals,
        "results": results,
        "hides_statistics": hidden.statistics,
        "hides_history": hidden.history,
    }


def _everything(user_id: int) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    medals = Medal.objects.filter(user_id=user_id).select_related("game").order_by("number")
    results = Result.objects.filter(user_id=user_id).select_related("game").order_by("number")
    return (
        [{"achievement": row.code, "game": row.game.code} for row in medals],
        [
            {"game": row.game.code, "place": row.place, "seats": row.seats}
            for row in results.iterator()
        ],
    )
