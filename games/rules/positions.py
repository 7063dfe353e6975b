"""Build any position by hand: for tests, for puzzles, for a store that reads rows."""

from collections.abc import Sequence

from games.rules.bid import FACES, Bid, Mode
from games.rules.ruleset import Ruleset
from games.rules.state import Cup, GameState, Phase, PlacedBid, RoundState, SeatState


def position(
    rules: Ruleset,
    *,
    counts: Sequence[int],
    to_act: int = 0,
    mode: Mode = Mode.NORMAL,
    bid: Bid | PlacedBid | None = None,
    cups: Sequence[Sequence[int]] | None = None,
    opener: int | None = None,
    palifico_by: int | None = None,
    palifico_done: Sequence[bool] | None = None,
    round_number: int = 1,
    phase: Phase = Phase.BID,
) -> GameState:
    """Return the position in which the seats have ``counts`` dice and ``to_act`` is to move.

    A bare ``bid`` belongs to the seat on the right of ``to_act``. Without ``opener`` the round was
    opened by the palifico player, else by the bidder, else by ``to_act``. Without ``cups`` nothing
    that lifts a cup can be applied. With one seat in, the game is over and that seat has won;
    places of the others are not known here and stay None.

    ``palifico_done`` says a seat which ones have had their first drop to one die (R-41). Left out,
    it is those that have one die now: a seat that regains a die and falls again is remembered.

    :raises ValueError: the numbers do not describe a position.
    """
    size = len(counts)
    for count in counts:
        _require(0 <= count <= rules.start_dice, f"a seat cannot have {count} dice")
    alive = [seat for seat in range(size) if counts[seat]]
    _require(bool(alive), "somebody must have a die")
    _require(to_act in alive, f"seat {to_act} is not in and cannot be to act")

    placed = PlacedBid(_right_of(counts, to_act), bid) if isinstance(bid, Bid) else bid
    _require(
        placed is None or (placed.seat in alive and placed.seat != to_act),
        "the bidder must be another seat that is in",
    )
    if opener is None:
        if mode is Mode.PALIFICO and palifico_by is not None:
            opener = palifico_by
        else:
            opener = to_act if placed is None else placed.seat
    _require(opener in alive, f"seat {opener} is not in and cannot be the opener")
    _require(placed is not None or opener == to_act, "before a bid the opener is to act")
    if mode is Mode.PALIFICO and palifico_by is None:
        palifico_by = opener
    _require(
        (palifico_by is None) == (mode is Mode.NORMAL) and palifico_by in (None, *alive),
        "a palifico round, and no other, has a palifico player who is in",
    )

    done = [count == 1 for count in counts] if palifico_done is None else list(palifico_done)
    _require(len(done) == size, "palifico_done needs one entry a seat")
    if palifico_by is not None:
        done[palifico_by] = True

    over = len(alive) == 1
    _require(over or phase is not Phase.OVER, "a game with several seats in is not over")
    _require(
        phase is not Phase.ROLL or (placed is None and cups is None),
        "before the roll there is neither a bid nor a cup",
    )
    return GameState(
        rules=rules,
        seats=tuple(
            SeatState(count, flag, 1 if over and count else None)
            for count, flag in zip(counts, done, strict=True)
        ),
        round=RoundState(
            number=round_number,
            mode=mode,
            opener=opener,
            to_act=to_act,
            palifico_by=palifico_by,
            bids=() if placed is None else (placed,),
            cups=None if cups is None else _checked(cups, counts),
        ),
        phase=Phase.OVER if over else phase,
    )


def _right_of(counts: Sequence[int], seat: int) -> int:
    size = len(counts)
    number = (seat - 1) % size
    while not counts[number]:
        number = (number - 1) % size
    return number


def _checked(cups: Sequence[Sequence[int]], counts: Sequence[int]) -> tuple[Cup, ...]:
    _require(
        [len(cup) for cup in cups] == list(counts)
        and all(die in FACES for cup in cups for die in cup),
        "the cups do not fit the counts",
    )
    return tuple(tuple(cup) for cup in cups)


def _require(condition: bool, sentence: str) -> None:
    if not condition:
        raise ValueError(sentence)
