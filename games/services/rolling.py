"""Rolls that wait for a public beacon: its value is fetched, or voted away after a day.

A round of a game with a beacon is bound to a value (``intent``) by the event that brought it about,
and rolled when that value is out. Meanwhile nobody moves and no clock runs. Nothing is lost with a
process that dies on the way: the same value gives the same dice, whoever comes back with it.
"""

from datetime import UTC, datetime, timedelta

from django.db import transaction

from games import beacon, rules
from games.fairness import Pulse
from games.models import VOTE_AFTER, Game, GameStatus, Round, Seat
from games.services import commit, log, moves
from games.services.errors import StaleMove

SOONEST_RETRY, LATEST_RETRY = timedelta(seconds=2), timedelta(minutes=5)


class Pulses:
    """The beacon's values as one sweep asks for them: each once, none after a relay failed it.

    All games wait for the same beacon: when one value is not to be had, the next is not either,
    and asking for it would only hold up the sweep.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Pulse] = {}
        self._is_away = False

    def get(self, chain: str, number: int) -> Pulse:
        """Return a verified value.

        :raises beacon.Unavailable: it is not to be had now.
        """
        if (chain, number) not in self._known:
            if self._is_away:
                raise beacon.Unavailable
            try:
                self._known[chain, number] = beacon.fetch(beacon.CHAINS[chain], number)
            except beacon.Unavailable:
                self._is_away = True
                raise
        return self._known[chain, number]


def roll_when_out(*, game_id: int, chain: str, number: int, pulses: Pulses, now: datetime) -> bool:
    """Roll a waiting round if its value is out, else look again later; return whether it rolled.

    The value is fetched with no transaction open: a relay that dawdles holds no lock.

    :raises StaleMove: the round does not wait for that value any more.
    """
    try:
        pulse = pulses.get(chain, number)
    except beacon.Unavailable:
        _put_off(game_id, chain, number, now=now)
        return False
    roll(game_id=game_id, pulse=pulse, now=now)
    return True


@transaction.atomic
def roll(*, game_id: int, pulse: Pulse, now: datetime) -> None:
    """Roll the round that waits for ``pulse``, which has been verified, and start its first turn.

    :raises StaleMove: no round waits for it.
    """
    game, seats = moves.lock(game_id)
    waiting = waiting_round(game)
    if waiting is None or waiting.beacon_round != pulse.number:
        raise StaleMove(game.version)
    waiting.beacon_signature = pulse.signature.hex()
    commit.roll(game, seats, log.Entry(now))


@transaction.atomic
def vote(*, game_id: int, user_id: int, now: datetime) -> bool:
    """Vote to roll without the beacon; more than half of the people still in decide.

    :returns: whether that was the vote that decided.
    :raises StaleMove: the round is rolled already, or has not waited for a day.
    :raises RuleViolation: this player has no seat, or no dice left.
    """
    game, seats = moves.lock(game_id)
    waiting = waiting_round(game)
    if waiting is None or now < waiting.opened_at + VOTE_AFTER:
        raise StaleMove(game.version)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None or not seat.dice:
        raise rules.RuleViolation("seat.unknown" if seat is None else "seat.out")
    waiting.fallback_votes = sorted({*(waiting.fallback_votes or ()), seat.number})
    waiting.save(update_fields=["fallback_votes"])
    if not is_decided(waiting, seats):
        return False
    commit.roll(game, seats, log.Entry(now), without_beacon=True)
    return True


def is_decided(waiting: Round, seats: list[Seat]) -> bool:
    """Return whether more than half of the people still in are for a roll without the beacon."""
    voters = {seat.number for seat in seats if seat.user_id is not None and seat.dice}
    return 2 * len(voters & set(waiting.fallback_votes or ())) > len(voters)


def waiting_round(game: Game) -> Round | None:
    """Return the round of a game under way that waits for its beacon, if it does."""
    current = game.current_round
    is_waiting = game.status == GameStatus.ACTIVE and current is not None and not current.is_rolled
    return current if is_waiting else None


def _put_off(game_id: int, chain: str, number: int, *, now: datetime) -> None:
    """Look again after as long as the value is late already, within limits."""
    due = datetime.fromtimestamp(beacon.CHAINS[chain].published_at(number), UTC)
    pause = min(max(now - due, SOONEST_RETRY), LATEST_RETRY)
    waiting = Game.objects.filter(pk=game_id, current_round__beacon_round=number, wake_at__lte=now)
    waiting.filter(current_round__beacon_signature="").update(wake_at=now + pause)
