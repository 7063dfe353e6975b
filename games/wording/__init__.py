"""Every sentence about the rules and about what happened, in the reader's language.

Floor 0 speaks in codes and values; pages and mails alike turn them into plain text here. Nothing
in this package returns HTML, reads a row or knows who is reading.
"""

from games.wording.calza import window_sentence
from games.wording.clocks import (
    clock_lines,
    clock_refusal,
    clock_summary,
    clock_title,
    time_out_title,
    time_up_notice,
    time_up_warning,
)
from games.wording.conduct import (
    answers_sentence,
    gate_title,
    next_step_sentence,
    reliability_sentence,
    reliability_tag,
    table_lines,
)
from games.wording.devices import device_name
from games.wording.dice import (
    bid_text,
    dice_count_text,
    dice_text,
    face_name,
    quantity_text,
)
from games.wording.forecast import (
    length_sentence,
    length_text,
    move_times,
    prospect_sentences,
)
from games.wording.happenings import (
    bid_pattern,
    bid_sentence,
    call_sentence,
    call_words,
    event_sentence,
    mode_sentence,
    next_round_sentence,
    outcome_story,
    won_sentence,
)
from games.wording.looking_back import (
    lifting_sentence,
    record_lines,
    rolled_sentence,
    tally_text,
)
from games.wording.odds import chance_text, raises_odds_sentence, standing_odds_sentence
from games.wording.orders import (
    ask_sentence,
    chance_range,
    order_bids,
    order_lines,
    order_refusal,
    order_warning,
    shown_action,
)
from games.wording.ratings import (
    not_listed_sentence,
    rating_line,
    rating_tag,
    season_title,
    seats_title,
    unrated_seat_sentence,
)
from games.wording.refusals import refusal
from games.wording.replies import (
    order_error_text,
    order_reading,
    outcome_text,
    reading_text,
    reply_reason,
)
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
from games.wording.seats import (
    free_sentence,
    place_sentence,
    promised_sentence,
    retired_sentence,
    seat_refusal,
    taken_sentence,
)
from games.wording.times import abandoned_sentence, pause_sentence, time_left, zone_text
from games.wording.votes import called_off_sentence, question_text
from games.wording.waiting import lobby_refusal
from games.wording.webhooks import webhook_error

__all__ = [
    "RuleLine",
    "abandoned_sentence",
    "answers_sentence",
    "ask_sentence",
    "bid_pattern",
    "bid_sentence",
    "bid_text",
    "call_sentence",
    "call_words",
    "called_off_sentence",
    "chance_range",
    "chance_text",
    "choice_text",
    "clock_lines",
    "clock_refusal",
    "clock_summary",
    "clock_title",
    "describe",
    "device_name",
    "dice_count_text",
    "dice_text",
    "event_sentence",
    "face_name",
    "free_sentence",
    "gate_title",
    "length_sentence",
    "length_text",
    "lifting_sentence",
    "lobby_refusal",
    "mode_sentence",
    "move_times",
    "next_round_sentence",
    "next_step_sentence",
    "not_listed_sentence",
    "option_lines",
    "option_title",
    "order_bids",
    "order_error_text",
    "order_lines",
    "order_reading",
    "order_refusal",
    "order_warning",
    "outcome_story",
    "outcome_text",
    "pause_sentence",
    "place_sentence",
    "promised_sentence",
    "prospect_sentences",
    "quantity_text",
    "question_text",
    "raises_odds_sentence",
    "rating_line",
    "rating_tag",
    "reading_text",
    "record_lines",
    "refusal",
    "reliability_sentence",
    "reliability_tag",
    "reply_reason",
    "retired_sentence",
    "rolled_sentence",
    "ruleset_summary",
    "ruleset_title",
    "season_title",
    "seat_refusal",
    "seats_title",
    "shown_action",
    "standing_odds_sentence",
    "table_lines",
    "taken_sentence",
    "tally_text",
    "time_left",
    "time_out_title",
    "time_up_notice",
    "time_up_warning",
    "unrated_seat_sentence",
    "vote_sentence",
    "waiting_sentence",
    "webhook_error",
    "window_sentence",
    "won_sentence",
    "zone_text",
]
