"""What the bids of a round say about the dice under the cups.

A bid makes its face likelier in the bidder's own cup. Each die of a seat is taken as independent,
with weight exp(sum of the persuasion of those of its bids that the die would count for). A bid
persuades most when it opens the round, less when it raises, and less again with every time that the
same seat names the same face: how much, is the reader's own :class:`Trust`.
"""

from collections.abc import Iterable, Sequence
from math import comb, exp
from typing import NamedTuple

from games.rules.bid import ACE, FACES, Mode
from games.rules.state import PlacedBid


class Trust(NamedTuple):
    """How strongly a bid speaks for its face, as a logarithm of odds.

    ``repeat`` is what is left of that each time that the same seat names the face again.
    """

    opening: float
    new_face: float
    same_face: float
    repeat: float


Distribution = Sequence[float]
"""``d[k]`` is the chance of exactly k matching dice."""


def persuasion(bids: Sequence[PlacedBid], seat: int, trust: Trust) -> dict[int, float]:
    """Return for each face that ``seat`` named how strongly its bids speak for it.

    :param bids: all bids of the round so far, the opening first.
    """
    found: dict[int, float] = {}
    times: dict[int, int] = {}
    before: int | None = None
    for placed in bids:
        face = placed.bid.face
        if placed.seat == seat:
            raised = trust.same_face if face == before else trust.new_face
            strength = trust.opening if before is None else raised
            repeats = times.get(face, 0)
            found[face] = found.get(face, 0.0) + strength * trust.repeat**repeats
            times[face] = repeats + 1
        before = face
    return found


def face_chances(mode: Mode, persuaded: dict[int, float]) -> tuple[float, ...]:
    """Return the chance of each face, from the ace on, of one die whose seat's bids say so."""
    weights = [exp(persuaded.get(die, 0.0)) for die in FACES]
    if mode is Mode.NORMAL:
        # A wild ace counts for every bid, so all of them speak for it.
        weights[0] = exp(sum(persuaded.values()))
    whole = sum(weights)
    return tuple([weight / whole for weight in weights])


def match_chance(face: int, mode: Mode, persuaded: dict[int, float]) -> float:
    """Return the chance that one die of a seat counts for ``face``, given what its bids say."""
    return matching_chance(face, face_chances(mode, persuaded), mode)


def matching_chance(face: int, chances: Sequence[float], mode: Mode) -> float:
    """Return the chance that a die with these chances of its faces counts for ``face``."""
    wild = mode is Mode.NORMAL and face != ACE
    return chances[face - 1] + (chances[0] if wild else 0.0)


def binomial(dice: int, success: float) -> Distribution:
    """Return the distribution of matches among ``dice`` dice that match with ``success`` each."""
    failure = 1.0 - success
    return [comb(dice, k) * success**k * failure ** (dice - k) for k in range(dice + 1)]


def convolve(parts: Iterable[Distribution]) -> Distribution:
    """Return the distribution of the sum of independent parts."""
    total: list[float] = [1.0]
    for part in parts:
        summed = [0.0] * (len(total) + len(part) - 1)
        for i, left in enumerate(total):
            for j, right in enumerate(part):
                summed[i + j] += left * right
        total = summed
    return total


def tails(distribution: Distribution) -> Distribution:
    """Return t with ``t[k]`` the chance of at least k matches."""
    result = [0.0] * len(distribution)
    running = 0.0
    for k in range(len(distribution) - 1, -1, -1):
        running += distribution[k]
        result[k] = running
    return result


def at_least(tail: Distribution, missing: int) -> float:
    """Return the chance of at least ``missing`` matches; any number may be asked for."""
    if missing <= 0:
        return 1.0
    return tail[missing] if missing < len(tail) else 0.0
