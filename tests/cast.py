"""The cast of the tests, and the tables they sit at.

**alice** hosts and is to move, **bob** is her rival, **carol** has been eliminated where a test
needs somebody out, **mallory** is an outsider.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts import services as accounts
from accounts.models import User
from games import rules, store
from games.models import Conduct, Game, Round, Seat
from games.services import lobby, moves

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def person(name: str, **extra: Any) -> User:
    """Return the account of ``name``, made at the first call."""
    known = User.objects.filter(email=f"{name}@example.org").first()
    return known or accounts.create_user(
        email=f"{name}@example.org", display_name=name.title(), **extra
    )


def player(user: User) -> lobby.Player:
    """Return ``user`` as the lobby knows him."""
    return lobby.Player(user.pk, user.display_name)


def table(
    names: Iterable[str] = ("alice", "bob"),
    *,
    ruleset: rules.Ruleset | None = None,
    bots: int = 0,
    turn_seconds: int = 86_400,
    now: datetime = NOON,
    is_private: bool = True,
    shows_odds: bool = False,
) -> Game:
    """Return a game under way; the first of ``names`` hosts it."""
    users = [person(name) for name in names]
    new = lobby.NewGame(
        ruleset=ruleset or rules.find_ruleset("bga"),
        seats=len(users) + bots,
        turn_seconds=turn_seconds,
        is_private=is_private,
        bots=bots,
        shows_odds=shows_odds,
    )
    game = lobby.create_game(host=player(users[0]), new=new, now=now)
    for user in users[1:]:
        lobby.join(game_id=game.pk, player=player(user), now=now)
        lobby.set_ready(game_id=game.pk, user_id=user.pk, is_ready=True, now=now)
    game.refresh_from_db()
    if game.status == "open":
        lobby.start(game_id=game.pk, host_id=users[0].pk, now=now)
        game.refresh_from_db()
    return game


def seat_of(game: Game, name: str) -> Seat:
    """Return the seat of ``name``."""
    return Seat.objects.get(game=game, user__email=f"{name}@example.org")


def give_turn(game: Game, name: str) -> None:
    """Let ``name`` open the round that has just begun: for tests that need to know who moves."""
    seat = seat_of(game, name)
    game.to_act = seat.number
    game.save(update_fields=["to_act"])
    Round.objects.filter(pk=_round_id(game)).update(opener=seat.number)
    game.refresh_from_db()


def set_dice(game: Game, **dice: int) -> None:
    """Give seats another number of dice, as if they had lost the others: ``set_dice(g, bob=1)``."""
    for name, count in dice.items():
        Seat.objects.filter(pk=seat_of(game, name).pk).update(dice=count)
    counts = list(Seat.objects.filter(game=game).order_by("number").values_list("dice", flat=True))
    Round.objects.filter(pk=_round_id(game)).update(counts=counts)
    game.refresh_from_db()


def eliminate(game: Game, name: str) -> None:
    """Put ``name`` out of the game in the last place."""
    seats = Seat.objects.filter(game=game).count()
    set_dice(game, **{name: 0})
    Seat.objects.filter(pk=seat_of(game, name).pk).update(place=seats)


def _round_id(game: Game) -> int:
    if game.current_round_id is None:
        raise AssertionError("the game has not begun")
    return game.current_round_id


def act(game: Game, action: rules.Move, *, now: datetime = NOON, **extra: str) -> Game:
    """Play ``action`` on the newest position and return the game after it."""
    game.refresh_from_db()
    moves.play(game_id=game.pk, action=action, expected_version=game.version, now=now, **extra)
    return Game.objects.select_related("current_round").get(pk=game.pk)


def cups(game: Game) -> tuple[rules.Cup, ...]:
    """Return the truth: what lies under every cup."""
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    if game.current_round is None:
        raise AssertionError("the game has not begun")
    return store.load_cups(game, game.current_round)


def later(**how_much: float) -> datetime:
    """Return a time after noon."""
    return NOON + timedelta(**how_much)


def veteran(*names: str) -> None:
    """Let accounts have finished so many games that they may sit at fifty tables."""
    for name in names:
        Conduct.objects.update_or_create(user=person(name), defaults={"games": 45})
