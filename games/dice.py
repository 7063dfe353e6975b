"""The dice of a game whose seed is open: rows in, cups, keys and seals out.

Only :mod:`games.store` makes one; the arithmetic is that of :mod:`games.fairness`.
"""

import json

from games import fairness
from games.models import Game, Round
from games.rules import Cup


class Dice:
    """The dice of one game, opened: who holds this can derive all of them.

    Keep it in a local name, and hand on no more than what its methods are asked for.
    """

    __slots__ = ("_game", "_keys", "_seed")

    def __init__(self, game: Game, seed: bytes) -> None:
        self._game, self._seed = game, seed
        self._keys: dict[bytes, bytes] = {}

    def __repr__(self) -> str:
        return "<Dice>"

    def cups(self, row: Round, *, only: int | None = None) -> tuple[Cup, ...]:
        """Return what lies under the cups of one round, or under one seat's and no other.

        Nothing lies under any before the roll.
        """
        if not row.is_rolled:
            return tuple(() for _ in row.counts)
        key = self._round_key(row)
        return tuple(
            fairness.cup_dice(fairness.cup_key(key, seat), dice)
            if dice and only in (None, seat)
            else ()
            for seat, dice in enumerate(row.counts)
        )

    def cup_key(self, row: Round, seat: int) -> str:
        """Return the key of one cup, in hex: for its owner, and for all once it is lifted."""
        return fairness.cup_key(self._round_key(row), seat).hex()

    def sealed(self, row: Round, *, after: bytes) -> dict[str, object]:
        """Return what the log says of a roll before the first bid.

        :param after: the hash of the event before it.
        """
        gid, key = bytes.fromhex(self._game.gid), self._round_key(row)
        cups = []
        for seat, dice in enumerate(row.counts):
            if dice:
                of_cup = fairness.cup_key(key, seat)
                faces = fairness.cup_dice(of_cup, dice)
                cups.append(
                    fairness.sealed_cup(
                        of_cup, faces, gid=gid, number=row.number, epoch=row.epoch, seat=seat
                    )
                )
        return fairness.seal_payload(
            cups,
            gid=gid,
            number=row.number,
            epoch=row.epoch,
            after=after,
            pulse=self._pulse(row),
        )

    def seating(self, seats: int) -> tuple[int, ...]:
        """Return who sits where: element ``n`` is the place among the joiners of who sits on n."""
        return fairness.seating(self._game_key(self._seed), seats)

    def roll_off(self, seats: int) -> tuple[tuple[dict[int, int], ...], int]:
        """Return the rolls for the first turn, lap by lap, and the seat that opens."""
        return fairness.roll_off(self._game_key(self._seed), seats)

    def open_seed(self) -> str:
        """Return the seed itself, in hex: to be published when the game has ended."""
        return self._seed.hex()

    def secrets(self, row: Round) -> list[bytes]:
        """Return all that nobody may see while the round is under way: for who looks for leaks."""
        key = self._round_key(row)
        cups = [(fairness.cup_key(key, seat), dice) for seat, dice in enumerate(row.counts)]
        salts = [fairness.die_salt(cup, die) for cup, dice in cups for die in range(dice)]
        return [self._seed, self._game_key(self._seed), key, *[cup for cup, _ in cups], *salts]

    def _round_key(self, row: Round) -> bytes:
        return fairness.round_key(
            self._game_key(self._seed_for(row)),
            gid=bytes.fromhex(self._game.gid),
            number=row.number,
            epoch=row.epoch,
            pulse=self._pulse(row),
        )

    def _pulse(self, row: Round) -> fairness.Pulse:
        """Return the beacon's value that a roll takes, if the game has a beacon.

        :raises ValueError: it is not known yet: there are no dice.
        """
        if not row.beacon_round:
            return fairness.NO_PULSE
        if not row.is_rolled:
            raise ValueError(f"round {row} waits for its beacon")
        signature = bytes.fromhex(row.beacon_signature)
        return fairness.pulse_of(signature, chain=self._game.chain, number=row.beacon_round)

    def _seed_for(self, row: Round) -> bytes:
        """Return the seed that a round was rolled with: another one before a restore."""
        for former in self._game.former_seeds:
            if row.number < former["until_round"]:
                return bytes.fromhex(former["seed"])
        return self._seed

    def _game_key(self, seed: bytes) -> bytes:
        if seed not in self._keys:
            self._keys[seed] = fairness.game_key(
                seed=seed,
                gid=bytes.fromhex(self._game.gid),
                rules=fairness.rules_digest(rules_text(self._game)),
                contributions=contributions_of(self._game),
            )
        return self._keys[seed]


def rules_text(game: Game) -> str:
    """Return the rules as the game's key is bound to them: canonical JSON of all toggles."""
    if not game.log_hash:  # it began before logs were chained, and keeps the dice that it has
        return json.dumps(game.ruleset, sort_keys=True)
    return fairness.canonical(game.ruleset)


def contributions_of(game: Game) -> tuple[fairness.Contribution, ...]:
    """Return what the players added, in the order of joining; nothing before the start."""
    return tuple(
        fairness.Contribution(kind, bytes.fromhex(raw)) for kind, raw in game.contributions or ()
    )
