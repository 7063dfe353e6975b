"""The table and the waiting room, as one viewer sees them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from games import beacon, queries, store, timing
from games.clock import Question
from games.models import (
    VOTE_AFTER,
    Contribution,
    Game,
    GameStatus,
    Invitation,
    Round,
    Seat,
)
from games.rules import TableView, view_for
from games.selectors.conduct import field_answers
from games.selectors.forecast import Outlook, length_of_game, outlook
from games.selectors.log import commitment_line, seal_line
from games.selectors.missed import Missed, missed_by
from games.selectors.orders import OwnOrder, own_order
from games.selectors.values import (
    BidLine,
    ClosedRound,
    Earlier,
    GameInfo,
    SeatInfo,
    bid_lines,
    closed_round,
    game_info,
    seat_infos,
)
from games.selectors.visible import Viewer


@dataclass(frozen=True, slots=True)
class WaitingRoom:
    """A game before its start. ``me`` is None for a guest; links are for those who sit.

    ``contributed`` says how the viewer has added to the randomness ("rand", "text" or nothing).
    ``length`` is how long the game is likely to take, if the field's answers tell.
    """

    game: GameInfo
    seats: tuple[SeatInfo, ...]
    me: SeatInfo | None
    free_seats: int
    invite_token: str
    invited: tuple[str, ...]
    contributed: str
    commitment_line: str
    closes_at: datetime | None
    length: tuple[timedelta, timedelta] | None


@dataclass(frozen=True, slots=True)
class Roll:
    """A round that waits for the public beacon before its dice are rolled.

    ``due_at`` is when the beacon publishes the value it takes. From ``vote_from`` on the people
    still in may vote to do without: ``votes`` of ``voters`` have.
    """

    number: int
    beacon_round: int
    due_at: datetime
    vote_from: datetime
    votes: int
    voters: int
    may_vote: bool


@dataclass(frozen=True, slots=True)
class TableVote:
    """A question that was put to the table, and until when; the page of its clocks knows more."""

    question: Question
    closes_at: datetime


@dataclass(frozen=True, slots=True)
class NextGame:
    """Another game that waits for the viewer."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """A game that has begun. ``view`` is the only part that knows dice: the viewer's own.

    ``order`` is the viewer's own too, and ``looked_at`` is when he last looked at this very turn.
    Until ``calza_until`` calls on the bid are collected; ``has_passed``: none of his is waited for.
    ``paused_until`` is when the table's last pause ends, or ended. Where the game ``stands_still``
    because all are absent, ``deadline_at`` is when it is called off.
    ``outlook`` is what his forecast is made of. ``invite_token`` is of the link by which a seat
    that nobody holds is taken over: for those who are still in, and at an open table for all.
    ``missed`` is what the viewer has not seen since he last moved, ``next_game`` where else he is
    to move.
    """

    game: GameInfo
    view: TableView | None
    seats: tuple[SeatInfo, ...]
    me: SeatInfo | None
    bids: tuple[BidLine, ...]
    last: ClosedRound | None
    roll: Roll | None
    order: OwnOrder | None
    calza_until: datetime | None
    has_passed: bool
    looked_at: datetime | None
    outlook: Outlook | None
    deadline_at: datetime | None
    stands_still: bool
    paused_until: datetime | None
    rematch_code: str
    seal_line: str
    is_rerolled: bool
    has_vote: bool
    vote: TableVote | None
    handovers: int
    invite_token: str
    missed: Missed | None
    next_game: NextGame | None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by seat number."""
        return tuple(seat.name for seat in self.seats)

    @property
    def last_names(self) -> tuple[str, ...]:
        """Return the names by seat number as they were in the round closed last."""
        if self.last is None:
            return self.names
        return tuple(seat.in_round(self.last.number).name for seat in self.seats)

    @property
    def past(self) -> Earlier | None:
        """Return what the viewer held of a seat before it was retired."""
        return next((who for seat in self.seats for who in seat.earlier if who.is_me), None)

    @property
    def next_seat(self) -> SeatInfo | None:
        """Return the seat that the viewer holds from the next roll on."""
        return next((seat for seat in self.seats if seat.is_promised_to_me), None)

    @property
    def is_my_turn(self) -> bool:
        """Return whether the viewer is to move."""
        return self.view is not None and self.me is not None and self.view.to_act == self.me.number


def waiting_room(game: Game, viewer: Viewer) -> WaitingRoom:
    """Return the waiting room; the invitation link and addresses only for those who sit in it."""
    rows = seats_of(game)
    seats = seat_infos(rows, viewer_id=viewer.user_id, host_id=game.host_id)
    me = next((seat for seat in seats if seat.is_me), None)
    invited = (
        Invitation.objects.filter(game=game, invited_by_id=viewer.user_id)
        .exclude(email="")
        .values_list("email", flat=True)
        if me
        else ()
    )
    return WaitingRoom(
        game=game_info(game, store.ruleset_of(game)),
        seats=seats,
        me=me,
        free_seats=game.seats_wanted - len(seats),
        invite_token=game.invite_token if me else "",
        invited=tuple(invited),
        contributed=_contributed(me),
        commitment_line=commitment_line(game),
        closes_at=game.wake_at,
        length=length_of_game(
            timing.clock_of(game),
            seats=game.seats_wanted,
            start_dice=store.ruleset_of(game).start_dice,
            answers=field_answers(),
        ),
    )


def table_page(game: Game, viewer: Viewer) -> TablePage:
    """Return the table as ``viewer`` sees it, in a number of queries that never grows.

    The seed is read only for a seat that has dice in the round; ``view_for`` then shows that
    seat its own cup and nothing else.
    """
    around = queries.around_table(game, viewer.user_id)
    rows, bid_rows = around.seats, around.bids
    last = around.closed[0] if around.closed else None
    is_active = game.status == GameStatus.ACTIVE
    current = game.current_round
    seats = seat_infos(rows, viewer_id=viewer.user_id, host_id=game.host_id)
    me = next((seat for seat in seats if seat.is_me), None)
    view: TableView | None = None
    bids: tuple[BidLine, ...] = ()
    if current is not None and is_active:
        state = store.load_state(
            game,
            rows,
            bids=bid_rows,
            cup_of=me.number if me is not None and rows[me.number].dice else None,
        )
        view = view_for(state, me.number if me else None)
        bids = bid_lines(bid_rows, seats, by_parts=game.day_parts)
    return TablePage(
        game=game_info(game, store.ruleset_of(game)),
        view=view,
        seats=seats,
        me=me,
        bids=bids,
        last=closed_round(last, by_parts=game.day_parts) if last else None,
        roll=_roll(game, current, rows, me) if current is not None and is_active else None,
        order=own_order(game, current, rows[me.number]) if me is not None and is_active else None,
        calza_until=game.calza_until if is_active else None,
        has_passed=me is not None and me.number in _passed(current),
        looked_at=_looked_at(game, rows[me.number]) if me is not None else None,
        outlook=outlook(game, rows, view, me.number if me else None),
        deadline_at=game.turn_deadline_at,
        stands_still=timing.stands_still(game, rows),
        paused_until=timing.pause_end(game.pauses) if is_active else None,
        rematch_code="" if is_active else _rematch_code(game, me),
        seal_line=seal_line(current),
        is_rerolled=is_active and current is not None and current.epoch > 0,
        has_vote=game.vote is not None,
        handovers=game.handovers,
        invite_token=_token_of_free_seat(game, rows, me),
        vote=_vote(game, rows),
        missed=missed_by(game, around, seats, me)
        if me is not None and is_active and rows[me.number].dice
        else None,
        next_game=NextGame(around.next_game.code, around.next_game.name)
        if around.next_game
        else None,
    )


def seats_of(game: Game) -> list[Seat]:
    """Return the seats with their accounts, in the order of their numbers."""
    return queries.seats_with_users(game.pk)


def _token_of_free_seat(game: Game, seats: list[Seat], me: SeatInfo | None) -> str:
    is_free = game.status == GameStatus.ACTIVE and any(seat.is_free for seat in seats)
    is_in = me is not None and seats[me.number].dice > 0
    return game.invite_token if is_free and (is_in or not game.is_private) else ""


def _passed(current: Round | None) -> tuple[int, ...]:
    return tuple(current.calza_passes or ()) if current is not None else ()


def _looked_at(game: Game, own: Seat) -> datetime | None:
    return own.seen_at if own.seen_version == game.version else None


def _contributed(me: SeatInfo | None) -> str:
    """Return how the viewer has added to the game's randomness, or nothing."""
    if me is None:
        return ""
    kinds = Contribution.objects.filter(seat_id=me.seat_id).values_list("kind", flat=True)
    return kinds.first() or ""


def _roll(game: Game, current: Round, seats: list[Seat], me: SeatInfo | None) -> Roll | None:
    if current.is_rolled:
        return None
    voters = {seat.number for seat in seats if seat.user_id is not None and seat.dice}
    votes = voters & set(current.fallback_votes or ())
    due = beacon.CHAINS[game.chain].published_at(current.beacon_round)
    return Roll(
        number=current.number,
        beacon_round=current.beacon_round,
        due_at=datetime.fromtimestamp(due, UTC),
        vote_from=current.opened_at + VOTE_AFTER,
        votes=len(votes),
        voters=len(voters),
        may_vote=me is not None and me.number in voters - votes,
    )


def _vote(game: Game, seats: list[Seat]) -> TableVote | None:
    """Return the vote that was put last, if nothing but time can have closed it."""
    if game.vote is None:
        return None
    opened_at = datetime.fromisoformat(game.vote["opened_at"])
    vote = timing.vote_of(game, seats, now=opened_at)
    return TableVote(vote.question, vote.closes_at) if vote else None


def _rematch_code(game: Game, me: SeatInfo | None) -> str:
    """Return the code of the waiting room that follows this game, for those who played in it."""
    if me is None:
        return ""
    return Game.objects.filter(rematch_of=game).values_list("code", flat=True).first() or ""
