"""How one player has done against another, in the games that both finished."""

from games.stats.played import Finisher, PlayedGame
from games.stats.sums import Part, Sums, total


def against(game: PlayedGame, me: Finisher, rival: Finisher) -> Sums:
    """Return what one game says of ``me`` against ``rival``.

    ``games`` together; ``ahead`` of him by finishing order, with ``level`` where both left in the
    same moment; ``won`` games; ``dudo_right`` dudos on his bids; ``caught`` by his dudos.
    """
    return total([_result(game, me, rival), _dudos(game, me, rival)])


def _result(game: PlayedGame, me: Finisher, rival: Finisher) -> Sums:
    if game.is_void:
        return {}
    return {
        "games": Part(1, 1),
        "ahead": Part(int(me.place < rival.place), 1),
        "level": Part(int(me.place == rival.place), 1),
        "won": Part(int(me.place == 1), 1),
    }


def _dudos(game: PlayedGame, me: Finisher, rival: Finisher) -> Sums:
    mine = his = right = caught = 0
    for played in game.rounds:
        outcome = played.outcome
        if outcome.kind != "dudo" or played.is_auto or played.bids[-1].is_auto:
            continue
        pair = (played.holders[outcome.caller], played.holders[played.bids[-1].seat])
        if pair == (me.player, rival.player):
            mine, right = mine + 1, right + (not outcome.held)
        elif pair == (rival.player, me.player):
            his, caught = his + 1, caught + (not outcome.held)
    return {"dudo_right": Part(right, mine), "caught": Part(caught, his)}
