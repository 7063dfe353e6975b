"""The clocks of a game that takes days, as a pure library: this page is its manual and a test.

Time is an argument: nothing here reads a clock, knows a database or draws a chance. Instants are
aware and come back in UTC; what is left is a duration. Refusals carry a stable code, an English
sentence and the values in it, as those of ``games.rules``.

**A table's clock** gives each turn a base and each seat a bank, which fills up with every move.

>>> from datetime import UTC, date, datetime, time, timedelta
>>> from zoneinfo import ZoneInfo
>>> from games.clock import *
>>> sorted(PRESETS)
['brisk', 'day', 'relaxed', 'standard']
>>> rules = find_clock("standard")
>>> str(rules.base), str(rules.bank), str(rules.increment), str(rules.time_out)
('1 day, 0:00:00', '2 days, 0:00:00', '4:00:00', 'auto')
>>> ClockSettings.from_dict(rules.to_dict()) == rules
True
>>> hour = timedelta(hours=1)
>>> try:
...     ClockSettings(name="custom", version=1, base=6 * hour, nights=False)
... except ClockRefusal as refused:
...     refused
ClockRefusal('clock.floor', 'Without the night stop a turn takes at least 12 hours.')

A plain clock has time a turn and nothing else. One that is too fast for people who sleep is still
played where it was made, and offered no more.

>>> plain(3600).is_plain, why_not_offered(plain(3600)).code
(True, 'clock.floor')

**Quiet times** are when a player's clock stands still: nights in his own zone, his weekend, his
absences, the table's pauses. ``add`` says when a clock has run for so long, ``between`` how long it
has run. Both changes of the daylight saving time are right: this night has eight hours.

>>> rome = ZoneInfo("Europe/Rome")
>>> alice = Quiet(zone=rome, night=time(22, 30))
>>> evening = datetime(2026, 3, 28, 21, 30, tzinfo=rome)
>>> alice.add(evening, 2 * hour).astimezone(rome).isoformat()
'2026-03-29T08:30:00+02:00'
>>> str(alice.between(evening, evening + timedelta(days=1)))
'15:00:00'
>>> str(alice.stop_at(evening + 3 * hour).length)
'8:00:00'

``at_table`` leaves of a player's hours what the table allows.

>>> alice.at_table(plain(86400)).night is None
True

**A seat's clock** holds two durations and since when they run. ``deadline`` is the one that is
shown and the one that is enforced; a move that arrives at that very instant is in time. The clock
acts a grace later, ``GRACE_WEB`` or ``GRACE_MAIL``, and gives nobody more time by it.

>>> noon = datetime(2026, 6, 10, 12, tzinfo=rome)
>>> clock = start_turn(new_clock(rules), rules, now=noon)
>>> bank_starts_at(clock, alice).astimezone(rome).isoformat()
'2026-06-11T21:00:00+02:00'
>>> ends = deadline(clock, alice)
>>> ends.astimezone(rome).isoformat()
'2026-06-15T09:00:00+02:00'
>>> in_time(clock, alice, arrived_at=ends)
True

A pause keeps what is left. More time, from a token or an opponent, is for this turn. Before a
player's hours change, ``settle`` takes off what ran by the old ones.

>>> paused = pause(clock, alice, now=noon + 6 * hour)
>>> deadline(paused, alice) is None, str(paused.left)
(True, '2 days, 18:00:00')
>>> back = resume(paused, now=noon + timedelta(days=20))
>>> longer = extend(back, alice, by=TOKEN_TIME, now=noon + timedelta(days=20))
>>> str(remaining(longer, alice, now=noon + timedelta(days=20)))
'3 days, 18:00:00'
>>> settle(longer, alice, now=noon + timedelta(days=20)) == longer
True

A move takes off what ran and brings the increment; a time-out leaves nothing.

>>> str(stop_turn(clock, rules, alice, arrived_at=alice.add(noon, 30 * hour)).bank)
'1 day, 22:00:00'
>>> str(expire(clock, alice, now=ends + GRACE_MAIL).left)
'0:00:00'

**The ladder**: two misses in a row make a seat absent, which plays at once; playing brings it back;
seven days retire it; a game in which all are absent for 72 hours ends. What the automatic move is,
``automatic_move`` says from the seat's own dice.

>>> first = after_time_out(PRESENT, rules.time_out, now=noon)
>>> second = after_time_out(first.attendance, rules.time_out, now=noon)
>>> str(second.act), first.attendance.plays_at_once, second.attendance.plays_at_once
('automatic', False, True)
>>> str(second.attendance.retires_at - noon), str(abandoned_at([second.attendance]) - noon)
('7 days, 0:00:00', '3 days, 0:00:00')
>>> after_move(second.attendance) == PRESENT
True

**Reminders** fall into no night and never behind the deadline; the same clock gives the same ones.

>>> for each in reminders(clock, rules, alice, opened=False, after=noon):
...     print(each.kind, each.at.astimezone(rome).strftime("%d %H:%M"))
half 11 09:00
most 11 16:12
bank 11 21:00
last 14 22:00

**Absences, extensions, gifts, nudges, emergencies**: each ``why_not_...`` returns the refusal or
None. An absence counts from the roll after its start, and for seven days in one game.

>>> trip = Absence(date(2026, 6, 20), date(2026, 6, 29))
>>> why_not_absence(trip, booked=(), allowance=Allowance(), today=date(2026, 6, 10)) is None
True
>>> why_not_absence(trip, booked=(), allowance=Allowance(days=3), today=date(2026, 6, 10))
ClockRefusal('absence.allowance', 'This absence takes 10 days and you have 3 left.')
>>> standing, at_once = split_at_cap(in_round([trip.span(rome)], rolled_at=trip.span(rome).start))
>>> [str(span.length) for span in (*standing, *at_once)]
['7 days, 0:00:00', '3 days, 0:00:00']
>>> why_not_token(used=0), why_not_gift(giver=0, to=1, given_to=()), why_no_absences(rules)
(None, None, None)
>>> why_not_now(is_in=True, runs=False).code
'time.stands'
>>> why_not_nudge(by=1, to=0, left_of_turn=20 * hour, length=24 * hour, nudged_at=None, now=noon)
ClockRefusal('nudge.early', 'A player may be nudged once half of his time has been used.')
>>> why_not_emergency(finished_games=7, last_at=None, now=noon) is None
True

A night and a weekend change once a week.

>>> why_not_change_night(noon, now=noon + hour).params["at"] == next_change_at(noon)
True
>>> why_not_change_weekend(None, now=noon) is None
True

**Votes** pass with more than half of the people still in the game, in two days.

>>> vote = open_vote(Question.PAUSE, seats=(0, 1, 2), by=0, now=noon)
>>> str(vote.result(noon)), sorted(vote.silent)
('open', [1, 2])
>>> vote.why_not_beside(Question.CANCEL).code
'vote.another'
>>> why_no_bot(free_seats=0).code
'vote.no-seat'
>>> str(vote.cast(1, aye=True, now=noon).result(noon)), str(vote.result(noon + VOTE_TIME))
('passed', 'lapsed')

**Reliability** changes when a turn is played or missed, and by nothing else.

>>> bob = Reliability(kept=21, missed=2, games=12, played_on=date(2026, 6, 9))
>>> bob.percent, str(bob.standing), bob.next_step()
(91, 'fair', NextStep(to=<Standing.GOOD: 'good'>, turns=2, games=0))
>>> why_not_gate(bob, percent=92).code, why_not_gate(bob, percent=85)
('gate.turns', None)
>>> bob.after_miss(Miss.ANNOUNCED).score > bob.after_miss(Miss.SILENT).score
True
>>> bob.after_turn(date(2026, 6, 10)).after_game().percent
91
>>> banned_until([noon] * 4) - noon
datetime.timedelta(days=1)

**Day parts** are what a table sees of the times of moves, if it asked for no more.

>>> str(day_part(noon, rome)), part_start(noon + hour, rome) == noon, part_end(noon, rome) == noon
('afternoon', True, True)

**Forecasts** are intervals in which about every second one comes true; None from too little data.

>>> pace = SeatPace(Answers.of([n * hour for n in range(1, 10)]), quiet=alice)
>>> soon = next_turn([pace, pace], now=noon)
>>> [end.astimezone(rome).strftime("%d %H:%M") for end in (soon.earliest, soon.latest)]
['10 19:10', '11 09:49']
>>> next_turn([SeatPace(Answers.of([hour]))], now=noon) is None
True
>>> ends = game_end([pace, pace], dice=(5, 3), now=noon)
>>> ends.earliest < ends.latest, turns_left((5, 3))
(True, 16)
"""

from games.clock.allowance import (
    DAYS_AT_SIGN_UP,
    EMERGENCY_TIME,
    GAME_CAP,
    GIFT_TIME,
    MOST_DAYS,
    NUDGE_EVERY,
    PLAYED_FOR_A_DAY,
    TOKEN_TIME,
    TOKENS,
    Absence,
    Allowance,
    in_round,
    split_at_cap,
    why_no_absences,
    why_not_absence,
    why_not_emergency,
    why_not_gift,
    why_not_now,
    why_not_nudge,
    why_not_token,
)
from games.clock.automatic import automatic_move
from games.clock.bank import (
    GRACE_MAIL,
    GRACE_WEB,
    SeatClock,
    bank_starts_at,
    deadline,
    drop_turn,
    expire,
    extend,
    in_time,
    new_clock,
    pause,
    remaining,
    resume,
    settle,
    start_turn,
    stop_turn,
)
from games.clock.changes import (
    CHANGE_EVERY,
    next_change_at,
    why_not_change_night,
    why_not_change_weekend,
)
from games.clock.dayparts import DayPart, day_part, part_end, part_start
from games.clock.errors import ALL_CODES, MESSAGES, ClockRefusal
from games.clock.forecast import (
    LEAST_ANSWERS,
    Answers,
    Forecast,
    SeatPace,
    game_end,
    next_turn,
    turns_left,
)
from games.clock.ladder import (
    MISSES_TO_ABSENT,
    PRESENT,
    Act,
    Attendance,
    Step,
    abandoned_at,
    after_move,
    after_time_out,
    retire,
)
from games.clock.quiet import (
    DEFAULT_NIGHT,
    MOST_WEEKEND_DAYS,
    NIGHT_LENGTH,
    Quiet,
    Span,
    local_days,
)
from games.clock.reliability import (
    GATES,
    NEW_BELOW,
    Miss,
    NextStep,
    Reliability,
    Standing,
    banned_until,
    why_not_gate,
)
from games.clock.reminders import APART, Reminder, ReminderKind, reminders
from games.clock.settings import (
    PRESETS,
    ClockSettings,
    TimeOut,
    find_clock,
    plain,
    why_not_offered,
)
from games.clock.votes import VOTE_TIME, Question, Result, Vote, open_vote, why_no_bot

__all__ = [
    "ALL_CODES",
    "APART",
    "CHANGE_EVERY",
    "DAYS_AT_SIGN_UP",
    "DEFAULT_NIGHT",
    "EMERGENCY_TIME",
    "GAME_CAP",
    "GATES",
    "GIFT_TIME",
    "GRACE_MAIL",
    "GRACE_WEB",
    "LEAST_ANSWERS",
    "MESSAGES",
    "MISSES_TO_ABSENT",
    "MOST_DAYS",
    "MOST_WEEKEND_DAYS",
    "NEW_BELOW",
    "NIGHT_LENGTH",
    "NUDGE_EVERY",
    "PLAYED_FOR_A_DAY",
    "PRESENT",
    "PRESETS",
    "TOKENS",
    "TOKEN_TIME",
    "VOTE_TIME",
    "Absence",
    "Act",
    "Allowance",
    "Answers",
    "Attendance",
    "ClockRefusal",
    "ClockSettings",
    "DayPart",
    "Forecast",
    "Miss",
    "NextStep",
    "Question",
    "Quiet",
    "Reliability",
    "Reminder",
    "ReminderKind",
    "Result",
    "SeatClock",
    "SeatPace",
    "Span",
    "Standing",
    "Step",
    "TimeOut",
    "Vote",
    "abandoned_at",
    "after_move",
    "after_time_out",
    "automatic_move",
    "bank_starts_at",
    "banned_until",
    "day_part",
    "deadline",
    "drop_turn",
    "expire",
    "extend",
    "find_clock",
    "game_end",
    "in_round",
    "in_time",
    "local_days",
    "new_clock",
    "next_change_at",
    "next_turn",
    "open_vote",
    "part_end",
    "part_start",
    "pause",
    "plain",
    "remaining",
    "reminders",
    "resume",
    "retire",
    "settle",
    "split_at_cap",
    "start_turn",
    "stop_turn",
    "turns_left",
    "why_no_absences",
    "why_no_bot",
    "why_not_absence",
    "why_not_change_night",
    "why_not_change_weekend",
    "why_not_emergency",
    "why_not_gate",
    "why_not_gift",
    "why_not_now",
    "why_not_nudge",
    "why_not_offered",
    "why_not_token",
]
