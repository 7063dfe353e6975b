"""The rows that statistics are kept in, gathered: loaded and locked for one game, or all made anew.

Counting a game and recounting every game enter it here in the same way, so they cannot disagree.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model

from games import stats
from games.models import Career, Game, Medal, Result, Rivalry, Tally

STYLE = ("bluff", "stretch", "aggression", "pressure")
"""What a player's style is told by, beside that of the others."""

_TallyKey = tuple[int, str, int, bool]


def whose(played: stats.PlayedGame) -> list[int]:
    """Return the players whose rows a game changes: those who finished it, or held a seat in it."""
    holders = {who for each in played.rounds for who in each.holders if who is not None}
    return sorted(holders | {each.player for each in played.finishers})


@dataclass(slots=True)
class Ledger:
    """Rows by their keys. What is not there yet is made when a game needs it."""

    careers: dict[int, Career] = field(default_factory=dict)
    tallies: dict[_TallyKey, Tally] = field(default_factory=dict)
    rivalries: dict[tuple[int, int], Rivalry] = field(default_factory=dict)
    medals: dict[tuple[int, str], Medal] = field(default_factory=dict)
    results: dict[tuple[int, int], Result] = field(default_factory=dict)

    @classmethod
    def locked(cls, players: Iterable[int]) -> "Ledger":
        """Return the rows of some players, locked until the transaction ends.

        Results are left out: those of a game that is not counted yet are new.
        """
        wanted = list(players)
        careers = Career.objects.select_for_update().filter(pk__in=wanted).order_by("pk")
        tallies = Tally.objects.select_for_update().filter(user_id__in=wanted).order_by("pk")
        pairs = Rivalry.objects.select_for_update().filter(user_id__in=wanted, rival_id__in=wanted)
        return cls(
            careers={row.pk: row for row in careers},
            tallies={_tally_key(row): row for row in tallies},
            rivalries={(row.user_id, row.rival_id): row for row in pairs.order_by("pk")},
            medals={
                (row.user_id, row.code): row for row in Medal.objects.filter(user_id__in=wanted)
            },
        )

    def enter(self, game: Game, played: stats.PlayedGame) -> None:
        """Add a counted game to the rows of its players."""
        known = played.as_read_by(None)
        for player in whose(played):
            facts = stats.facts_of(known, player)
            self._tally(game, played, player, facts)
            if facts.result is not None:
                self._result(game, played, facts.result)
            if played.is_among_people:
                own = facts if played.opens_cups else _own_facts(played, player)
                self._career(game, player, facts, own)
        if played.is_among_people and not played.is_void:
            self._rivals(known)

    def save(self) -> None:
        """Write every row: new ones in one statement a table, and changed ones in another."""
        _save(self.careers.values(), ("number", "games", "shown", "own", "rates", "streaks"))
        _save(self.tallies.values(), ("shown",))
        _save(self.rivalries.values(), ("games", "sums"))
        _save(self.medals.values(), ())
        _save(self.results.values(), ())

    @staticmethod
    def forget() -> None:
        """Delete every row that games are counted in."""
        for model in (Career, Tally, Rivalry, Medal, Result):
            model.objects.all().delete()

    def differences(self) -> list[str]:
        """Return which stored rows are not as those of this ledger, in words for an operator."""
        stored: list[tuple[Mapping[Any, Model], Mapping[Any, Model]]] = [
            (self.careers, {row.pk: row for row in Career.objects.all()}),
            (self.tallies, {_tally_key(row): row for row in Tally.objects.all()}),
            (self.rivalries, {(row.user_id, row.rival_id): row for row in Rivalry.objects.all()}),
            (self.medals, {(row.user_id, row.code): row for row in Medal.objects.all()}),
            (self.results, {(row.user_id, row.number): row for row in Result.objects.all()}),
        ]
        return [
            str(mine.get(key) or theirs.get(key))
            for mine, theirs in stored
            for key in sorted({*mine, *theirs})
            if _values(mine.get(key)) != _values(theirs.get(key))
        ]

    def _career(self, game: Game, player: int, facts: stats.Facts, own: stats.Facts) -> None:
        row = self.careers.setdefault(player, Career(user_id=player))
        row.number = game.counted or 0
        row.games += facts.result is not None
        row.shown = _added(row.shown, stats.sums_of(facts))
        row.own = _added(row.own, stats.sums_of(own), stats.lessons(own))
        row.rates = _rates(stats.from_json(row.shown))
        streaks = stats.Streaks.from_json(row.streaks).after(facts)
        row.streaks = streaks.to_json()
        for code in stats.earned(stats.Career(facts, streaks, row.games)):
            new = Medal(user_id=player, code=code, game_id=game.pk, number=row.number)
            self.medals.setdefault((player, code), new)

    def _tally(self, game: Game, played: stats.PlayedGame, player: int, facts: stats.Facts) -> None:
        key = (player, played.rules.name, played.seats, played.is_among_people)
        new = Tally(user_id=player, ruleset=key[1], seats=key[2], among_people=key[3])
        row = self.tallies.setdefault(key, new)
        row.shown = _added(row.shown, stats.sums_of(facts))

    def _result(self, game: Game, played: stats.PlayedGame, result: stats.Finisher) -> None:
        number = game.counted or 0
        self.results[result.player, number] = Result(
            user_id=result.player,
            game_id=game.pk,
            number=number,
            place=result.place,
            seats=played.seats,
            among_people=played.is_among_people,
        )

    def _rivals(self, known: stats.PlayedGame) -> None:
        for me in known.finishers:
            for rival in known.finishers:
                if me.player == rival.player:
                    continue
                key = (me.player, rival.player)
                new = Rivalry(user_id=me.player, rival_id=rival.player)
                row = self.rivalries.setdefault(key, new)
                row.sums = _added(row.sums, stats.against(known, me, rival))
                row.games = row.sums.get("games", (0, 0))[0]


def _own_facts(played: stats.PlayedGame, player: int) -> stats.Facts:
    return stats.facts_of(played.as_read_by(player), player)


def _added(sums: dict[str, list[int]], *more: stats.Sums) -> dict[str, list[int]]:
    return stats.to_json(stats.total([stats.from_json(sums), *more]))


def _rates(sums: stats.Sums) -> dict[str, float]:
    found = {code: stats.rate_of(code, sums) for code in STYLE}
    return {code: rate.value for code, rate in found.items() if rate is not None}


def _tally_key(row: Tally) -> _TallyKey:
    return (row.user_id, row.ruleset, row.seats, row.among_people)


def _save(rows: Iterable[Model], fields: tuple[str, ...]) -> None:
    new = [row for row in rows if row._state.adding]
    old = [row for row in rows if not row._state.adding]
    if new:
        type(new[0])._default_manager.bulk_create(new, batch_size=500)
    if old and fields:
        type(old[0])._default_manager.bulk_update(old, fields, batch_size=500)


def _values(row: Model | None) -> dict[str, object] | None:
    """Return what a row holds, but for the key that it happens to have."""
    if row is None:
        return None
    fields = row._meta.concrete_fields
    return {each.attname: getattr(row, each.attname) for each in fields if each.attname != "id"}
