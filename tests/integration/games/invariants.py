"""What is true of every game after every step, whatever was tried."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games import fairness, orders, queries, rules, store, timing
from games.models import Bid, Event, Game, GameStatus, Order, OutboxMessage, Round, Seat, Tenure
from games.services import attendance
from games.services.commit import bot_delay
from games.services.waking import GRACE

CLOSINGS = ("dudo", "calza", "resign", "forfeit")
START_KEYS = {"contributions", "seats", "starter", "opener", "rolls"}
ENTRY_KEYS = {"seat", "auto", "keys"}


def check_game(game_id: int) -> None:
    """Prove that rows, log, clock, mails and dice of one game tell the same story."""
    game = Game.objects.select_related("current_round").get(pk=game_id)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    rounds = list(Round.objects.filter(game=game).order_by("number"))
    events = list(Event.objects.filter(game=game).order_by("seq"))
    bids = list(Bid.objects.filter(round__game=game).order_by("round__number", "number"))
    assert [event.seq for event in events] == list(range(game.version + 1))
    check_chain(game, events)
    check_mails(game, seats)
    if game.status == GameStatus.OPEN or (game.status == GameStatus.CANCELLED and not rounds):
        assert not game.ended_by
        assert len(seats) <= game.seats_wanted
        assert (game.wake_at is None) == (game.status == GameStatus.CANCELLED)
        return
    assert [seat.number for seat in seats] == list(range(len(seats)))
    check_places(game, seats)
    check_log(events, bids)
    check_rolls(game, rounds, events)
    check_rounds(game, seats, rounds, events)
    check_secrecy(game, rounds, events)
    check_orders(game, seats)
    check_hands(game, seats)
    if game.status == GameStatus.ACTIVE:
        check_turn(game, seats, [bid for bid in bids if bid.round_id == game.current_round_id])


def check_turn(game: Game, seats: Sequence[Seat], bids: Sequence[Bid]) -> None:
    """Somebody with dice is to move, the clock runs for him, and a person has been told."""
    assert game.to_act is not None
    seat = seats[game.to_act]
    assert seat.dice > 0
    if game.current_round is not None and not game.current_round.is_rolled:
        assert (game.turn_started_at, game.turn_deadline_at, bids) == (None, None, [])
        told = OutboxMessage.objects.filter(game=game, version=game.version)
        assert not told.exclude(kind__in=("absent", "too_late")).exists()
        return
    started, deadline, wake = game.turn_started_at, game.turn_deadline_at, game.wake_at
    assert started is not None
    assert deadline is not None
    queries.attach_hours(list(seats))
    assert wake is not None
    retirement = first_retirement(seats)
    assert retirement is None or wake <= retirement
    if wake == retirement:
        wake = min(deadline, wake) if game.running_since else deadline
    ends = attendance.abandoned_at(seats)
    if ends is not None:
        assert deadline == wake == max(ends, started)
    elif game.running_since is None:
        assert seat.bot or seat.is_absent or timing.is_over_cap(game, seat, now=started)
        if keeps_time_for_calza(game):
            assert started + bot_delay() <= deadline
            assert wake <= deadline
        else:
            assert deadline == wake == started + bot_delay()
    else:
        assert not seat.bot
        assert not seat.is_absent
        assert deadline == timing.deadline_for(game, seat)
        is_plain = timing.clock_of(game).is_plain and not game.pauses
        if is_plain and seat.hours is not None and seat.hours.emergency_at is None:
            length = timedelta(seconds=game.turn_seconds) + game.turn_extra
            assert deadline == started + length
        if game.wake_at != retirement:
            check_wake(game, seat)
        if seat.user_id is not None and game.wake_at > deadline:
            told = OutboxMessage.objects.filter(seat=seat, version=game.version)
            assert told.filter(kind__in=("turn", "reminder")).exists()
    assert game.bids_made == len(bids)
    standing = (bids[-1].seat, bids[-1].quantity, bids[-1].face) if bids else (None, None, None)
    assert (game.bid_seat, game.bid_quantity, game.bid_face) == standing


def first_retirement(seats: Sequence[Seat]) -> datetime | None:
    """Return when the sweep has to retire the first of the seats, None if there is none."""
    due = [attendance.retires_at(seat) for seat in seats]
    return min([at + GRACE for at in due if at is not None], default=None)


def check_hands(game: Game, seats: Sequence[Seat]) -> None:
    """Nobody holds a retired seat, and each round of a seat was at most one player's."""
    for seat in seats:
        if seat.retired_at is not None:
            assert seat.user_id is None
            assert seat.is_absent
        held = list(Tenure.objects.filter(seat=seat).order_by("retired_at", "pk"))
        assert (seat.retired_at is not None or seat.held_from > 0) == bool(held)
        rounds = [number for each in held for number in range(each.from_round, each.to_round + 1)]
        assert len(set(rounds)) == len(rounds)
        if seat.retired_at is None and rounds:
            assert seat.held_from > max(rounds)
        assert seat.heir_id is None or game.status == GameStatus.ACTIVE
        assert all(1 <= each.place <= len(seats) for each in held)
    coming = [seat.heir_id for seat in seats if seat.heir_id]
    there = [seat.user_id for seat in seats if seat.user_id]
    gone = Tenure.objects.filter(game=game, user__isnull=False).values_list("user_id", flat=True)
    everybody = [*coming, *there, *gone]
    assert len(set(everybody)) == len(everybody)


def check_wake(game: Game, seat: Seat) -> None:
    """The sweep waits for the player, or until his order is looked at or acts: before his time."""
    assert game.turn_deadline_at is not None
    assert game.turn_started_at is not None
    assert game.wake_at is not None
    order = Order.objects.filter(seat=seat).first()
    was_seen = order is not None and order.seen_version == game.version
    if game.calza_until is not None:
        assert keeps_time_for_calza(game)
        assert game.bid_seat is not None
        assert game.wake_at <= game.calza_until
    elif keeps_time_for_calza(game) and was_seen and order is not None and order.fires_at:
        assert game.wake_at >= order.fires_at, "it may have waited for the calls"
    elif order is None or (was_seen and order.fires_at is None):
        assert game.wake_at == game.turn_deadline_at + GRACE
    elif was_seen:
        assert game.wake_at == order.fires_at < game.turn_deadline_at
    else:
        assert game.turn_started_at <= game.wake_at < game.turn_deadline_at


def keeps_time_for_calza(game: Game) -> bool:
    """Return whether this table collects calls after each bid."""
    return store.ruleset_of(game).calza.window is rules.CalzaWindow.GRACE


def check_orders(game: Game, seats: Sequence[Seat]) -> None:
    """Orders are of the open round, of people with dice, and in the form that is read again."""
    for order in Order.objects.filter(seat__game=game).select_related("seat"):
        assert game.status == GameStatus.ACTIVE
        assert game.current_round is not None
        assert order.round_number == game.current_round.number
        assert seats[order.seat.number].dice > 0
        assert order.seat.user_id is not None
        assert str(orders.parse(order.text)) == order.text
        assert order.seen_version is not None or order.fires_at is None


def check_places(game: Game, seats: Sequence[Seat]) -> None:
    """Whoever is out has a place below all who are in; at the end everybody has one."""
    alive = [seat for seat in seats if seat.dice]
    taken = sorted(seat.place for seat in seats if seat.place is not None)
    if game.status == GameStatus.CANCELLED:
        assert game.ended_by
        assert (game.to_act, game.wake_at, game.turn_deadline_at) == (None, None, None)
        assert len(alive) > 1
        assert taken == list(range(len(alive) + 1, len(seats) + 1))
    elif game.status == GameStatus.FINISHED:
        assert taken == list(range(1, len(seats) + 1))
        assert [seat.place for seat in alive] == [1]
        assert (game.to_act, game.wake_at, game.turn_deadline_at) == (None, None, None)
    else:
        assert len(alive) > 1
        assert taken == list(range(len(alive) + 1, len(seats) + 1))
        assert all(seat.place is None for seat in alive)


def check_log(events: Sequence[Event], bids: Sequence[Bid]) -> None:
    """The log and the bids are the same moves; what the service does by itself has no seat."""
    void = {event.round_number: event.seq for event in events if event.kind == "epoch"}
    counts = [event for event in events if event.seq > void.get(event.round_number, -1)]
    said = [(event.round_number, event.seat, event.payload["bid"], event.is_auto)
            for event in counts if event.kind == "bid"]  # fmt: skip
    assert said == [(bid.round.number, bid.seat, str(bid), bid.is_auto) for bid in bids]
    assert [event.kind for event in events[:2]] == ["create", "start"]
    unseated = [event.kind for event in events if event.seat is None]
    assert set(unseated) <= {"create", "start", "intent", "fallback", "seal", "epoch", "open"}


def check_rolls(game: Game, rounds: Sequence[Round], events: Sequence[Event]) -> None:
    """Every round is bound by the event before it, and sealed before its first bid."""
    with_beacon = game.chain != "none"
    for row in rounds:
        own = [event for event in events if event.round_number == row.number]
        of_epoch = [event for event in own if event.payload.get("epoch") == row.epoch]
        told = [event.kind for event in of_epoch if event.kind != "epoch"]
        sealed = [event for event in of_epoch if event.kind == "seal"]
        assert told[:1] == (["intent"] if with_beacon else ["seal"])
        assert len(sealed) == row.is_rolled
        assert [(event.payload["seal"], event.seq) for event in sealed] == (
            [(row.seal, row.seal_seq)] if row.is_rolled else []
        )
        bids = [event.seq for event in own if event.kind == "bid"]
        if bids and not row.epoch:
            assert sealed[0].seq < bids[0]


def check_chain(game: Game, events: Sequence[Event]) -> None:
    """Every event is chained to the one before it, and the game knows the newest."""
    after = fairness.FIRST
    for event in events:
        linked = fairness.link(event.kind, event.payload, seq=event.seq, after=after)
        assert event.digest == linked.digest.hex()
        after = linked.digest
    assert game.log_hash == after.hex()
    opened = [event.kind for event in events].count("open")
    assert opened == (game.status in (GameStatus.FINISHED, GameStatus.CANCELLED))


def result_of(event: Event) -> dict[str, object]:
    """Return what a closing entry says of the round, without what is there to check it."""
    return {key: value for key, value in event.payload.items() if key not in ENTRY_KEYS}


def check_rounds(
    game: Game, seats: Sequence[Seat], rounds: Sequence[Round], events: Sequence[Event]
) -> None:
    """Each round begins with the dice that the one before it left: none appears or is lost."""
    assert [row.number for row in rounds] == list(range(1, len(rounds) + 1))
    assert game.current_round == rounds[-1]
    closings = [event for event in events if event.kind in CLOSINGS]
    closed = [row for row in rounds if row.result is not None]
    assert [(row.number, row.result) for row in closed] == [
        (event.round_number, result_of(event)) for event in closings
    ]
    assert len(closed) == len(rounds) - (game.status != GameStatus.FINISHED)
    dice = [store.ruleset_of(game).start_dice] * len(seats)
    for row in rounds:
        assert row.counts == dice
        if row.result is None:
            continue
        outcome = rules.RoundOutcome.from_dict(row.result)
        if outcome.loser is not None:
            dice[outcome.loser] -= 1
        if outcome.gainer is not None:
            dice[outcome.gainer] += 1
        if outcome.kind is rules.OutcomeKind.RESIGN:
            dice[outcome.caller] = 0
    assert [seat.dice for seat in seats] == dice


def check_secrecy(game: Game, rounds: Sequence[Round], events: Sequence[Event]) -> None:
    """The log holds no face of a die but those of lifted cups, and no cup is lifted for nothing."""
    truth = store.load_all_cups(game, rounds)
    early = store.ruleset_of(game).reveal is rules.Reveal.CLOCKWISE_EARLY_STOP
    for event in events:
        if event.kind == "start":
            assert set(event.payload) <= START_KEYS
        elif event.kind == "bid":
            assert set(event.payload) == {"bid", "seat", "auto"}
        elif event.kind in CLOSINGS:
            outcome = rules.RoundOutcome.from_dict(event.payload)
            assert outcome.to_dict() == result_of(event)
            assert [seat for seat, _ in event.payload["keys"]] == [c.seat for c in outcome.lifted]
            cups = truth[event.round_number]
            assert [cup.dice for cup in outcome.lifted] == [cups[c.seat] for c in outcome.lifted]
            if event.kind in ("resign", "forfeit"):
                assert not outcome.lifted
            if event.kind == "forfeit":
                assert event.is_auto
                assert outcome.loser == event.seat
            if early and outcome.kind is rules.OutcomeKind.DUDO and outcome.bid is not None:
                before_the_last = sum(cup.matching for cup in outcome.lifted[:-1])
                assert before_the_last < outcome.bid.quantity


def check_mails(game: Game, seats: Sequence[Seat]) -> None:
    """Every mail is about this game, for a seat of it that a person had, and of a past version."""
    people = {seat.pk for seat in seats if not seat.bot or seat.held_from}
    for row in OutboxMessage.objects.filter(game=game):
        assert row.version <= game.version
        assert (row.seat_id in people) != (row.invitation_id is not None)


def snapshot() -> list[tuple[object, ...]]:
    """Return every row that a move could change, to see that a refused one changed nothing."""
    models = (Game, Seat, Round, Bid, Event, Order, OutboxMessage, Tenure)
    return [row for model in models for row in model.objects.order_by("pk").values_list()]
