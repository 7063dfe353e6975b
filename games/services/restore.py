"""After a backup was restored: dice that may have been seen already are not played again."""

from datetime import datetime

from django.db import transaction

from games import store
from games.models import Game, GameStatus
from games.services import commit, lobby, log
from games.services.log import Entry
from games.services.moves import lock


def rolled_before(moment: datetime) -> list[str]:
    """Return the codes of the games whose open round was rolled before ``moment``."""
    games = Game.objects.filter(status=GameStatus.ACTIVE, current_round__opened_at__lt=moment)
    return list(games.order_by("pk").values_list("code", flat=True))


@transaction.atomic
def roll_anew(*, code: str, restored_at: datetime, now: datetime) -> bool:
    """Roll a game's open round in its next epoch; return whether there was anything to do.

    Safe to repeat: a round that has been rolled since ``restored_at`` stays as it is.
    """
    game, seats = lock(_id_of(code))
    opened = game.current_round
    if game.status != GameStatus.ACTIVE or opened is None or opened.opened_at >= restored_at:
        return False
    commit.roll_again(game, seats, store.open_dice(game), now=now)
    return True


@transaction.atomic
def replace_seed(*, code: str, restored_at: datetime, now: datetime) -> bool:
    """Give a game a new seed because the old one has gone out; return whether it was needed.

    A game that ended after the backup was taken had published its seed, and is under way again now.
    A waiting room that had been called off is called off again. The open round is rolled anew.
    """
    game, seats = lock(_id_of(code))
    if game.status == GameStatus.OPEN:
        lobby.call_off(game, now=now)
        return True
    opened = game.current_round
    if game.status != GameStatus.ACTIVE or opened is None or opened.opened_at >= restored_at:
        return False
    old = store.replace_secret(game)
    game.former_seeds = [*game.former_seeds, {"until_round": opened.number, "seed": old}]
    payload = {"seed": old, "commitment": game.commitment}
    log.append(game, "rekey", payload, Entry(now)).save()
    commit.roll_again(game, seats, store.open_dice(game), now=now)
    return True


def _id_of(code: str) -> int:
    return Game.objects.values_list("pk", flat=True).get(code=code)
