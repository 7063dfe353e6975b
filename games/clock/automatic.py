"""The move that is played for a seat whose time has run out.

It is a published formula, so that anybody can work it out again from the replay:

1. with no bid on the table, the least legal bid;
2. otherwise let P be the chance that the standing bid holds, reckoned from the seat's **own dice
   only** (:func:`games.rules.odds.chance_for`: an unseen die matches with chance 1/3, or 1/6 for
   aces and in palifico); if P is below 40 % the move is dudo;
3. otherwise the least legal raise, or dudo where the table's cap on bids leaves no raise.

It never calls calza, never resigns, uses no chance and reads nothing into what the others bid: an
automatic move must not be better informed than its player (docs/rules.md R-82).
"""

from games.rules.odds import chance_for
from games.rules.state import Dudo, MakeBid, Move
from games.rules.view import TableView

DUDO_BELOW = 0.40


def automatic_move(view: TableView) -> Move:
    """Return the declared automatic move for the viewer of ``view``.

    :raises ValueError: it is not the viewer's turn to bid or call.
    """
    seat = view.viewer
    if seat is None or view.to_act != seat or view.own_dice is None:
        raise ValueError("an automatic move is made only for the seat whose turn it is")
    if view.standing is not None and (
        not view.least_raises or chance_for(view, view.standing.bid) < DUDO_BELOW
    ):
        return Dudo(seat)
    return MakeBid(seat, view.least_raises[0])
