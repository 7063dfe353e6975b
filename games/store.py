"""Rows <-> values of the rules. The only module that may touch a game's seed.

Nothing here decides anything: :mod:`games.rules` does. Dice are derived when they are needed and
never leave as anything but a :class:`~games.rules.GameState`.
"""

import json
import secrets
from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from games import fairness, keyring
from games.dice import Dice, rules_text
from games.models import Bid, Game, Round, Seat
from games.models.secret import GameSecret
from games.rows import Part, Select
from games.rules import (
    Bid as BidValue,
)
from games.rules import (
    Cup,
    GameState,
    Mode,
    Phase,
    PlacedBid,
    RoundState,
    Ruleset,
    SeatState,
)
from games.rules.state import left_of

__all__ = [
    "Dice",
    "SeedUnavailable",
    "create_secret",
    "load_all_cups",
    "load_cups",
    "load_past",
    "load_state",
    "open_dice",
    "replace_secret",
    "rewrap_seeds",
    "round_row",
    "rules_text",
    "ruleset_of",
]

_SECRET = Select((Part(GameSecret),), "FROM {0} t0 WHERE t0.game_id = %s")


class SeedUnavailable(Exception):
    """The key that encrypts this game's seed is not configured: the game must wait."""


def ruleset_of(game: Game) -> Ruleset:
    """Return the full toggle set that ``game`` began with."""
    return _read_ruleset(json.dumps(game.ruleset))


@lru_cache(maxsize=512)
def _read_ruleset(text: str) -> Ruleset:
    # Most games share a few rulesets; reading one costs as much as judging ten moves.
    return Ruleset.from_dict(json.loads(text))


def load_state(
    game: Game,
    seats: Sequence[Seat],
    *,
    bids: Sequence[Bid] | None = None,
    with_dice: bool = False,
    cup_of: int | None = None,
    dice: Dice | None = None,
) -> GameState:
    """Return ``game`` as the rules see it.

    :param seats: all seats in the order of their numbers.
    :param bids: this round's bids in order; without them only the standing bid is filled in,
        which is all that judging takes.
    :param with_dice: derive the cups, which reads and decrypts the seed.
    :param cup_of: derive the cup of this seat alone and leave the others empty: enough to look.
    :param dice: the game's dice, where the caller has opened them: all cups are filled in.
    :raises SeedUnavailable: the seed cannot be decrypted.
    """
    round_row = game.current_round
    if round_row is None or game.to_act is None:
        raise ValueError(f"game {game.pk} is not under way")
    if bids is not None:
        placed = tuple(PlacedBid(bid.seat, BidValue(bid.quantity, bid.face)) for bid in bids)
    elif game.bid_seat is not None and game.bid_quantity and game.bid_face:
        placed = (PlacedBid(game.bid_seat, BidValue(game.bid_quantity, game.bid_face)),)
    else:
        placed = ()
    is_rolled = round_row.is_rolled
    if is_rolled and dice is None and (with_dice or cup_of is not None):
        dice = open_dice(game)
    return GameState(
        rules=ruleset_of(game),
        seats=tuple(SeatState(seat.dice, seat.palifico_done, seat.place) for seat in seats),
        round=RoundState(
            number=round_row.number,
            mode=Mode(round_row.mode),
            opener=round_row.opener,
            to_act=game.to_act,
            palifico_by=round_row.palifico_by,
            bids=placed,
            cups=dice.cups(round_row, only=cup_of) if is_rolled and dice is not None else None,
        ),
        phase=Phase.BID if is_rolled else Phase.ROLL,
    )


def load_past(
    game: Game,
    seats: Sequence[Seat],
    row: Round,
    *,
    bids: Sequence[Bid],
    is_closed: bool = False,
    cups_of: Container[int] = (),
) -> GameState:
    """Return a round of ``game`` as it stood after ``bids``: for looking back, not for playing on.

    :param bids: the round's bids up to that moment, in order.
    :param is_closed: the round's last word has been said: nobody may move.
    :param cups_of: the seats whose cups are derived, which reads the seed; others are left empty.
    :raises SeedUnavailable: the seed cannot be decrypted.
    """
    states = tuple(
        SeatState(dice, place=None if dice else seat.place)
        for seat, dice in zip(seats, row.counts, strict=True)
    )
    open_seats = [seat for seat, dice in enumerate(row.counts) if dice and seat in cups_of]
    cups: tuple[Cup, ...] | None = None
    if open_seats and row.is_rolled:
        dice = open_dice(game)
        cups = tuple(
            dice.cups(row, only=seat)[seat] if seat in open_seats else ()
            for seat in range(len(states))
        )
    return GameState(
        rules=ruleset_of(game),
        seats=states,
        round=RoundState(
            number=row.number,
            mode=Mode(row.mode),
            opener=row.opener,
            to_act=left_of(states, bids[-1].seat) if bids else row.opener,
            palifico_by=row.palifico_by,
            bids=tuple(PlacedBid(bid.seat, BidValue(bid.quantity, bid.face)) for bid in bids),
            cups=cups,
        ),
        phase=Phase.BID if row.is_rolled and not is_closed else Phase.ROLL,
    )


def open_dice(game: Game) -> Dice:
    """Read and decrypt the game's seed.

    :raises SeedUnavailable: it cannot be decrypted.
    """
    return Dice(game, _open_seed(game))


def load_cups(game: Game, round_row: Round, *, only: int | None = None) -> tuple[Cup, ...]:
    """Derive what lies under every cup of one round, or under one seat's and no other.

    The caller decides who may see them: :func:`games.rules.view_for` is the only projection.
    """
    return open_dice(game).cups(round_row, only=only)


def load_all_cups(game: Game, round_rows: Iterable[Round]) -> dict[int, tuple[Cup, ...]]:
    """Derive the cups of many rounds, by round number, from one look at the seed."""
    dice = open_dice(game)
    return {row.number: dice.cups(row) for row in round_rows}


def create_secret(game: Game) -> None:
    """Give a new game its seed and publish the commitment to it. Called once, before any join."""
    GameSecret.objects.create(game=game, **_new_seed(game))
    game.save(update_fields=["commitment"])


def replace_secret(game: Game) -> str:
    """Give a game a new seed and commitment after a restore; return the old seed, in hex."""
    old = _open_seed(game)
    GameSecret.objects.filter(game=game).update(**_new_seed(game))
    return old.hex()


def rewrap_seeds(*, limit: int = 500) -> tuple[int, int]:
    """Encrypt seeds anew that are not under the first of the configured keys.

    Safe to repeat and to kill: each row is changed by itself, and only if it still is as read. A
    seed whose key is missing is left as it is.

    :returns: how many were rewrapped, and how many could not be read.
    """
    newest, done, unreadable = keyring.newest(), 0, 0
    rows = GameSecret.objects.exclude(kid=newest).select_related("game").order_by("pk")
    for secret in rows.iterator(chunk_size=limit):
        try:
            seed = _decrypt(secret.game, secret)
        except SeedUnavailable:
            unreadable += 1
            continue
        same = GameSecret.objects.filter(pk=secret.pk, kid=secret.kid, nonce=secret.nonce)
        done += same.update(**_encrypted(secret.game, seed))
    return done, unreadable


def round_row(game: Game, state: GameState, *, now: datetime) -> Round:
    """Return the unsaved row of the round that ``state`` is about to begin."""
    return Round(
        game=game,
        number=state.round.number,
        mode=state.round.mode.value,
        opener=state.round.opener,
        palifico_by=state.round.palifico_by,
        counts=[seat.dice for seat in state.seats],
        opened_at=now,
    )


def _new_seed(game: Game) -> dict[str, object]:
    """Draw a seed, set the game's commitment to it, and return its row's values."""
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    game.commitment = fairness.commitment(gid=bytes.fromhex(game.gid), seed=seed).hex()
    return _encrypted(game, seed)


def _encrypted(game: Game, seed: bytes) -> dict[str, object]:
    sealed = keyring.seal(seed, bound_to=_bound_to(game))
    return {"kid": sealed.kid, "nonce": sealed.nonce, "ciphertext": sealed.ciphertext}


def _open_seed(game: Game) -> bytes:
    found = _SECRET.one(game.pk)
    if found is None:
        raise SeedUnavailable(f"no seed for game {game.code}")
    return _decrypt(game, found[0])


def _decrypt(game: Game, secret: GameSecret) -> bytes:
    sealed = keyring.Sealed(secret.kid, bytes(secret.nonce), bytes(secret.ciphertext))
    try:
        return keyring.unseal(sealed, bound_to=_bound_to(game))
    except keyring.KeyUnavailable as error:
        raise SeedUnavailable(f"{error} for game {game.code}") from None


def _bound_to(game: Game) -> bytes:
    # A ciphertext that is moved to another game or key id does not decrypt.
    return b"PF1:S\x00" + bytes.fromhex(game.gid)
