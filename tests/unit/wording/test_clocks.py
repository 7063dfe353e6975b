"""The rules of a table's clock in words: all of them, with the numbers that hold."""

from dataclasses import replace
from datetime import timedelta

from games.clock import (
    EMERGENCY_TIME,
    GIFT_TIME,
    TOKEN_TIME,
    TOKENS,
    ClockSettings,
    TimeOut,
    find_clock,
)
from games.clock.automatic import DUDO_BELOW
from games.services.voting import PAUSE
from games.wording import clock_lines

HOUR, STANDARD = timedelta(hours=1), find_clock("standard")


def said(key: str, settings: ClockSettings = STANDARD) -> str:
    """Return the sentence of one rule, nothing where the table has no such rule."""
    lines = {line.key: line.sentence for line in clock_lines(settings)}
    return lines.get(f"clock.{key}", "")


def test_they_name_the_numbers_that_the_clocks_and_the_automatic_move_go_by() -> None:
    assert f"below {DUDO_BELOW:.0%}".replace("%", " percent") in said("automatic")
    assert TOKENS == 2
    assert f"two extensions of {TOKEN_TIME // HOUR} hours" in said("more")
    assert f"give {GIFT_TIME // HOUR} hours to each opponent once" in said("more")
    assert timedelta(days=3) == PAUSE
    assert "stand still for three days" in said("votes")
    assert f"stand still for {EMERGENCY_TIME // HOUR} hours" in said("emergency")


def test_a_table_says_whether_it_waits_for_those_who_are_away() -> None:
    assert "It stands still while a player is away" in said("absences")
    assert "It goes on while a player is away" in said(
        "absences", replace(STANDARD, absences=False)
    )


def test_where_time_puts_a_player_out_nobody_moves_for_him() -> None:
    out = replace(STANDARD, time_out=TimeOut.OUT)
    assert said("automatic", out) == said("retirement", out) == ""
    assert said("automatic", replace(STANDARD, time_out=TimeOut.LOSE_A_DIE))
