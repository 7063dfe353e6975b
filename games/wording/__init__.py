"""Every sentence about the rules and about what happened, in the reader's language.

Floor 0 speaks in codes and values; pages and mails alike turn them into plain text here. Nothing
in this package returns HTML, reads a row or knows who is reading.
"""

from games.wording.clocks import clock_lines, clock_refusal, clock_summary, clock_title
from games.wording.dice import (
    bid_text,
    dice_count_text,
    dice_text,
    face_name,
    quantity_text,
)
from games.wording.happenings import (
    bid_sentence,
    call_sentence,
    event_sentence,
    mode_sentence,
    next_round_sentence,
    outcome_story,
)
from games.wording.refusals import refusal
from games.wording.rolls import vote_sentence, waiting_sentence
from games.wording.rulesets import (
    RuleLine,
    choice_text,
    describe,
    option_lines,
    option_title,
    ruleset_summary,
    ruleset_title,
)
from games.wording.times import time_left
from games.wording.waiting import lobby_refusal

__all__ = [
    "RuleLine",
    "bid_sentence",
    "bid_text",
    "call_sentence",
    "choice_text",
    "clock_lines",
    "clock_refusal",
    "clock_summary",
    "clock_title",
    "describe",
    "dice_count_text",
    "dice_text",
    "event_sentence",
    "face_name",
    "lobby_refusal",
    "mode_sentence",
    "next_round_sentence",
    "option_lines",
    "option_title",
    "outcome_story",
    "quantity_text",
    "refusal",
    "ruleset_summary",
    "ruleset_title",
    "time_left",
    "vote_sentence",
    "waiting_sentence",
]
