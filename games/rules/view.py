"""What one person may see of a game: the only projection of secrets.

A view is built up from what its viewer knows and never stripped down from the truth. Bots, pages
and mails get a view and nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.bid import Bid, Mode
from games.rules.legal import least_raises, may_calza, may_change_face, may_dudo
from games.rules.raises import bids_over, quantity_cap
from games.rules.ruleset import BidCap, DiceCounts, Ruleset
from games.rules.state import Cup, GameState, Phase, PlacedBid, SeatState


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as the viewer sees it.

    ``dice`` is None where the table hides the counts of others. ``remembered`` is what anybody who
    listened to the losses can count: for odds and bots; no page prints it where counts are hidden.
    """

    seat: int
    dice: int | None
    remembered: int
    out: bool
    place: int | None


@dataclass(frozen=True, slots=True)
class TableView:
    """The table as ``viewer`` sees it; None is a spectator, who sees what a player out sees.

    ``to_act`` is None while nobody may move. ``least_raises`` is empty off the viewer's turn. A
    form offers quantities up to ``bid_ceiling``, which tells nothing that the table hides.
    """

    rules: Ruleset
    viewer: int | None
    phase: Phase
    round_number: int
    mode: Mode
    opener: int
    to_act: int | None
    seats: tuple[SeatView, ...]
    own_dice: Cup | None
    bids: tuple[PlacedBid, ...]
    standing: PlacedBid | None
    least_raises: tuple[Bid, ...]
    may_dudo: bool
    may_calza: bool
    may_change_face: bool
    bid_ceiling: int
    winner: int | None

    def legal_raises(self, up_to: int | None = None) -> Iterator[Bid]:
        """Return the viewer's legal bids of at most ``up_to`` dice (default: the ceiling)."""
        if self.viewer is None or self.viewer != self.to_act:
            return iter(())
        return bids_over(
            None if self.standing is None else self.standing.bid,
            rules=self.rules,
            mode=self.mode,
            may_change_face=self.may_change_face,
            cap=quantity_cap(
                self.rules,
                dice_at_start=self.rules.start_dice * len(self.seats),
                dice_in_play=sum(seat.remembered for seat in self.seats),
            ),
            up_to=self.bid_ceiling if up_to is None else up_to,
        )


def view_for(state: GameState, viewer: int | None) -> TableView:
    """Return what ``viewer`` may see; ``viewer`` is a seat, or None for a spectator.

    :raises ValueError: there is no such seat.
    """
    if viewer is not None and not 0 <= viewer < len(state.seats):
        raise ValueError(f"there is no seat {viewer}")
    current = state.round
    sits_in = viewer is not None and state.seats[viewer].dice > 0
    playing = sits_in and state.phase is Phase.BID
    hidden = state.rules.dice_counts is DiceCounts.HIDDEN
    return TableView(
        rules=state.rules,
        viewer=viewer,
        phase=state.phase,
        round_number=current.number,
        mode=current.mode,
        opener=current.opener,
        to_act=current.to_act if state.phase is Phase.BID else None,
        seats=tuple(
            [
                _seat_view(number, seat, hidden=hidden and number != viewer)
                for number, seat in enumerate(state.seats)
            ]
        ),
        own_dice=_own_dice(state, viewer) if sits_in else None,
        bids=current.bids,
        standing=current.standing,
        least_raises=least_raises(state, viewer) if playing and viewer is not None else (),
        may_dudo=playing and viewer is not None and may_dudo(state, viewer),
        may_calza=playing and viewer is not None and may_calza(state, viewer),
        may_change_face=playing and viewer is not None and may_change_face(state, viewer),
        bid_ceiling=_ceiling(state, hidden=hidden),
        winner=state.winner,
    )


def _seat_view(number: int, seat: SeatState, *, hidden: bool) -> SeatView:
    known = not hidden or not seat.dice  # that a seat is out, everybody sees
    return SeatView(number, seat.dice if known else None, seat.dice, not seat.dice, seat.place)


def _own_dice(state: GameState, viewer: int | None) -> Cup | None:
    cups = state.round.cups
    return None if cups is None or viewer is None else cups[viewer]


def _ceiling(state: GameState, *, hidden: bool) -> int:
    """Return the largest quantity worth offering: the dice in play, unless that would tell them."""
    if hidden or state.rules.bid_cap is BidCap.DICE_AT_START:
        return state.dice_at_start
    return state.dice_in_play
