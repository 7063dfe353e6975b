"""Write the golden game records anew: ``python -m tests.transcripts.make_records``.

Look at the difference before you commit it. That a bot plays another way is no reason to change a
record: old records must stay readable.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

from games.bots import decide
from games.clock.automatic import automatic_move
from games.rules.engine import apply
from games.rules.presets import find_ruleset, with_options
from games.rules.record import (
    GameRecord,
    MoveEntry,
    account,
    dump,
    load,
    record_game,
    without_covered_cups,
)
from games.rules.ruleset import CoveredCups, Ruleset
from games.rules.state import Action, Phase, Resign, Roll, new_game
from games.rules.view import view_for

FOLDER = Path(__file__).parent / "records"
CAST = ("alice", "bob", "carol", "dave", "erin")


def game(
    rules: Ruleset, *, seats: int, seed: int, leaves: dict[int, int] | None = None
) -> GameRecord:
    """Return a game of bots and the clock; ``leaves`` maps a round to who resigns in it."""
    rng = Random(seed)
    opener = rng.randrange(seats)
    state = new_game(rules, seats=seats, opener=opener)
    actions: list[Action | MoveEntry] = []
    leaving = dict(leaves or {})
    while state.phase is not Phase.OVER:
        seat = state.round.to_act
        action: Action
        auto = False
        if state.phase is Phase.ROLL:
            action = Roll(tuple(tuple(rng.choices(range(1, 7), k=s.dice)) for s in state.seats))
        elif state.round.bids and state.round.number in leaving:
            action = Resign(leaving.pop(state.round.number))
        else:
            auto = rng.random() < 0.1
            view = view_for(state, seat)
            action = automatic_move(view) if auto else decide(view, luck=rng.random())
        actions.append(action if isinstance(action, Roll) else MoveEntry(action, auto))
        state = apply(state, action).state
    return record_game(
        rules, seats=CAST[:seats], opener=opener, actions=actions, meta={"code": f"GOLD{seats}"}
    )


def main() -> None:
    """Write every record and its account."""
    covered = replace(
        find_ruleset("piatnik"), covered_cups_after_game=CoveredCups.NEVER, start_dice=3
    )
    calza = {"calza": True}
    records = {
        "bga-calza-two": game(with_options(find_ruleset("bga"), calza), seats=2, seed=2),
        "piatnik-covered-four": without_covered_cups(game(covered, seats=4, seed=4)),
        "asmodee-three": game(
            with_options(find_ruleset("asmodee"), {"palifico": True, **calza}), seats=3, seed=3
        ),
        "wikipedia-resignation-five": game(
            find_ruleset("wikipedia"), seats=5, seed=5, leaves={2: 1, 6: 3}
        ),
    }
    for name, record in records.items():
        (FOLDER / f"{name}.jsonl").write_text(dump(record), encoding="utf-8", newline="\n")
    for file in sorted(FOLDER.glob("*.jsonl")):
        told = "".join(f"{line}\n" for line in account(load(file.read_bytes())))
        file.with_suffix(".txt").write_text(told, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
