import pytest

from games import wording
from games.rules import (
    PRESETS,
    Bid,
    Calza,
    CupLifted,
    Dudo,
    Forfeit,
    Mode,
    PlacedBid,
    Resign,
    RoundOutcome,
    apply,
    position,
    with_options,
)

NAMES = ("Alice", "Bob", "Carol")
CUPS = ((5, 2, 1, 5, 3), (4, 5, 6, 2, 2), (6, 3, 1, 4, 3))  # five fives, aces included


def _outcome(
    action: Dudo | Calza | Resign | Forfeit,
    bid: Bid,
    *,
    counts: tuple[int, int, int] = (5, 5, 5),
    preset: str = "bga",
) -> RoundOutcome:
    rules = (
        PRESETS[preset] if preset == "piatnik" else with_options(PRESETS[preset], {"calza": True})
    )
    cups = tuple(cup[:count] for cup, count in zip(CUPS, counts, strict=True))
    state = position(rules, counts=counts, to_act=2, bid=PlacedBid(1, bid), cups=cups)
    outcome = apply(state, action).outcome
    assert outcome is not None
    return outcome


def test_a_dudo_against_a_bid_too_high() -> None:
    assert wording.outcome_story(_outcome(Dudo(2), Bid(6, 5)), NAMES) == (
        "Carol called dudo on 6 fives by Bob: there are 5 fives.",
        "Bob loses a die.",
        "Bob opens the next round.",
    )


def test_a_dudo_against_a_bid_that_holds() -> None:
    assert wording.outcome_story(_outcome(Dudo(2), Bid(5, 5)), NAMES) == (
        "Carol called dudo on 5 fives by Bob: the cups show 5 fives, so the bid holds.",
        "Carol loses a die.",
        "Carol opens the next round.",
    )


def test_an_early_stop_tells_no_more_than_it_lifted() -> None:
    story = wording.outcome_story(_outcome(Dudo(2), Bid(4, 5), preset="piatnik"), NAMES)
    # Bob's cup, which holds a fifth one, stays covered.
    assert story[0] == (
        "Carol called dudo on 4 fives by Bob: the cups show 4 fives, so the bid holds."
    )


@pytest.mark.parametrize(
    ("third", "ending"),
    [(4, ": there are none."), (6, ": there is 1 six."), (1, ": there is 1 six.")],
)
def test_no_die_and_one_die_are_said_as_such(third: int, ending: str) -> None:
    state = position(
        PRESETS["bga"],
        counts=(1, 1, 1),
        to_act=2,
        bid=PlacedBid(1, Bid(2, 6)),
        cups=((2,), (3,), (third,)),
    )
    outcome = apply(state, Dudo(2)).outcome
    assert outcome is not None
    assert wording.call_sentence(outcome, NAMES).endswith(ending)


def test_going_out_and_winning_end_the_story() -> None:
    state = position(
        PRESETS["bga"],
        counts=(2, 1, 0),
        to_act=0,
        bid=PlacedBid(1, Bid(3, 6)),
        cups=((2, 3), (4,), ()),
    )
    outcome = apply(state, Dudo(0)).outcome
    assert outcome is not None
    assert wording.outcome_story(outcome, NAMES)[1:] == (
        "Bob loses a die.",
        "Bob is out.",
        "Alice wins the game!",
    )


def test_a_drop_to_one_die_announces_palifico() -> None:
    outcome = _outcome(Dudo(2), Bid(6, 5), counts=(5, 2, 5))
    assert outcome.next_mode is Mode.PALIFICO
    assert wording.outcome_story(outcome, NAMES)[-1] == (
        "Bob opens the next round, and it is palifico: aces are not wild."
    )


@pytest.mark.parametrize(
    ("quantity", "counts", "story"),
    [
        (
            5,
            (5, 5, 5),
            (
                "Carol called calza on 5 fives by Bob: there are exactly 5 fives.",
                "Carol has no lost die to get back.",
                "Carol opens the next round.",
            ),
        ),
        (
            5,
            (5, 5, 4),
            (
                "Carol called calza on 5 fives by Bob: there are exactly 5 fives.",
                "Carol gets a die back.",
                "Carol opens the next round.",
            ),
        ),
        (
            4,
            (5, 5, 5),
            (
                "Carol called calza on 4 fives by Bob: there are 5 fives.",
                "Carol loses a die.",
                "Carol opens the next round.",
            ),
        ),
    ],
)
def test_calza(quantity: int, counts: tuple[int, int, int], story: tuple[str, ...]) -> None:
    outcome = _outcome(Calza(2), Bid(quantity, 5), counts=counts)
    assert wording.outcome_story(outcome, NAMES) == story


def test_a_resignation_costs_nobody_a_die() -> None:
    assert wording.outcome_story(_outcome(Resign(0), Bid(4, 5)), NAMES) == (
        "Alice left the game.",
        "Nobody loses a die; the others roll again.",
        "Bob opens the next round.",
    )


def test_a_forfeit_judges_no_bid() -> None:
    assert wording.outcome_story(_outcome(Forfeit(2), Bid(4, 5)), NAMES, automatic=True) == (
        "Carol ran out of time, so the round ends and no cup is lifted.",
        "Carol loses a die.",
        "Carol opens the next round.",
    )
    last = _outcome(Forfeit(2), Bid(4, 5), counts=(5, 5, 1))
    assert wording.outcome_story(last, NAMES, automatic=True)[1:] == (
        "Carol loses a die.",
        "Carol is out.",
        "Alice opens the next round.",
    )


def test_an_automatic_move_is_marked_as_such() -> None:
    assert wording.bid_sentence("Alice", Bid(4, 5)) == "Alice bid 4 fives."
    assert "automatic" in wording.bid_sentence("Alice", Bid(4, 5), automatic=True)
    outcome = _outcome(Dudo(2), Bid(6, 5))
    assert "automatic" in wording.call_sentence(outcome, NAMES, automatic=True)


def test_every_event_of_a_game_is_a_sentence() -> None:
    state = position(
        PRESETS["bga"],
        counts=(2, 1, 0),
        to_act=0,
        bid=PlacedBid(1, Bid(3, 6)),
        cups=((2, 3), (4,), ()),
    )
    events = apply(state, Dudo(0)).events
    assert [wording.event_sentence(event, NAMES) for event in events] == [
        "Alice called dudo.",
        "Alice shows two, three: none counts.",
        "Bob shows four: none counts.",
        "Bob loses a die.",
        "Bob is out.",
        "Alice wins the game!",
    ]
    assert wording.event_sentence(CupLifted(2, (1, 5), 1), NAMES) == (
        "Carol shows ace, five: 1 counts."
    )
