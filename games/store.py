"""Rows <-> values of the rules. The only module that may touch a game's seed.

Nothing here decides anything: :mod:`games.rules` does. Dice are derived when they are needed and
never leave as anything but a :class:`~games.rules.GameState`.
"""

import json
import os
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from games import fairness
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
) -> GameState:
    """Return ``game`` as the rules see it.

    :param seats: all seats in the order of their numbers.
    :param bids: this round's bids in order; without them only the standing bid is filled in,
        which is all that judging takes.
    :param with_dice: derive the cups, which reads and decrypts the seed.
    :param cup_of: derive the cup of this seat alone and leave the others empty: enough to look.
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
            cups=(
                load_cups(game, round_row, only=cup_of) if with_dice or cup_of is not None else None
            ),
        ),
        phase=Phase.BID,
    )


def load_cups(game: Game, round_row: Round, *, only: int | None = None) -> tuple[Cup, ...]:
    """Derive what lies under every cup of one round, or under one seat's and no other.

    The caller decides who may see them: :func:`games.rules.view_for` is the only projection.
    """
    return _derive_cups(_game_key(game), game, round_row, only=only)


def load_all_cups(game: Game, round_rows: Iterable[Round]) -> dict[int, tuple[Cup, ...]]:
    """Derive the cups of many rounds, by round number, from one look at the seed."""
    key = _game_key(game)
    return {row.number: _derive_cups(key, game, row) for row in round_rows}


def create_secret(game: Game) -> None:
    """Give a new game its seed and publish the commitment to it. Called once, before any join."""
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    kid, key = _keys()[0]
    nonce = os.urandom(12)
    game.commitment = fairness.commitment(gid=bytes.fromhex(game.gid), seed=seed).hex()
    game.save(update_fields=["commitment"])
    GameSecret.objects.create(
        game=game,
        kid=kid,
        nonce=nonce,
        ciphertext=AESGCM(key).encrypt(nonce, seed, _bound_to(game, kid)),
    )


def draw_seating(game: Game, seats: int) -> tuple[int, ...]:
    """Return who sits where: element ``n`` is the old number of the seat that becomes ``n``."""
    return fairness.seating(_game_key(game), seats)


def draw_roll_off(game: Game, seats: int) -> tuple[tuple[dict[int, int], ...], int]:
    """Return the rolls for the first turn, lap by lap, and the seat that opens."""
    return fairness.roll_off(_game_key(game), seats)


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


def _game_key(game: Game) -> bytes:
    return fairness.game_key(
        seed=_open_seed(game),
        gid=bytes.fromhex(game.gid),
        rules=fairness.rules_digest(json.dumps(game.ruleset, sort_keys=True)),
        contributions=(),
    )


def _derive_cups(
    game_key: bytes, game: Game, round_row: Round, *, only: int | None = None
) -> tuple[Cup, ...]:
    key = fairness.round_key(
        game_key,
        gid=bytes.fromhex(game.gid),
        number=round_row.number,
        epoch=round_row.epoch,
    )
    return tuple(
        fairness.cup_dice(fairness.cup_key(key, seat), dice)
        if dice and only in (None, seat)
        else ()
        for seat, dice in enumerate(round_row.counts)
    )


def _open_seed(game: Game) -> bytes:
    found = _SECRET.one(game.pk)
    if found is None:
        raise SeedUnavailable(f"no seed for game {game.code}")
    (secret,) = found
    for kid, key in _keys():
        if kid == secret.kid:
            return AESGCM(key).decrypt(
                bytes(secret.nonce), bytes(secret.ciphertext), _bound_to(game, kid)
            )
    raise SeedUnavailable(f"no key {secret.kid!r} for game {game.code}")


def _bound_to(game: Game, kid: str) -> bytes:
    # A ciphertext that is moved to another game or key id does not decrypt.
    return b"PF1:S\x00" + bytes.fromhex(game.gid) + kid.encode()


def _keys() -> list[tuple[str, bytes]]:
    pairs = [entry.partition(":") for entry in settings.SEED_KEYS]
    return [(kid, bytes.fromhex(key)) for kid, _, key in pairs]
