"""Who opens the first round (docs/rules.md R-03)."""

from collections.abc import Callable

from games.rules.ruleset import FirstStarter, Ruleset


def first_opener(
    rules: Ruleset, *, seats: int, draw: Callable[[int], int], declared: int | None = None
) -> int:
    """Return the seat that opens the game.

    ``draw(n)`` is the caller's chance: a uniform number from 0 to n-1. ``declared`` is the seat the
    host named; where nobody was named, or the rules do not ask for it, chance decides. In a
    roll-off the highest die opens and the seats that tie for it roll again.
    """
    if rules.first_starter is FirstStarter.DECLARED and declared is not None:
        if not 0 <= declared < seats:
            raise ValueError(f"there is no seat {declared}")
        return declared
    if rules.first_starter is not FirstStarter.ROLL_OFF:
        return draw(seats)
    rolling = list(range(seats))
    while len(rolling) > 1:
        throws = {seat: draw(6) for seat in rolling}
        best = max(throws.values())
        rolling = [seat for seat in rolling if throws[seat] == best]
    return rolling[0]
