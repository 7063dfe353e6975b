"""What the game's page shows in each of its states: values for the templates, nothing else."""

import secrets
import zlib
from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from games import panels, wording
from games.forms import ContributionForm, InviteForm
from games.rules import (
    Bid,
    CalzaWindow,
    FirstStarter,
    Mode,
    OutcomeKind,
    RuleViolation,
    TableView,
)
from games.selectors import ClosedRound, GameCard, GameInfo, Roll, TablePage, WaitingRoom
from games.selectors.table import NextGame
from games.selectors.values import retired_seats
from games.views.playing import Manner
from games.views.telling import tale_of
from games.views.times import forecast_of, timed
from games.wording.wild import wild_face

Context = dict[str, object]


@dataclass(frozen=True, slots=True)
class Notice:
    """One line for ``components/messages.html``."""

    text: str
    tags: str = "error"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class MovePanel:
    """The move form: what may be done, and which position and copy of the form it answers.

    ``odds`` say how likely the standing bid is, where the table shows that. ``says_*`` are the
    words that everybody will read; a bid stands in them as "%s".
    """

    ladder: panels.Ladder | None
    may_dudo: bool
    may_calza: bool
    standing_text: str
    says_bid: str
    says_dudo: str
    says_calza: str
    asks: bool
    odds: str
    version: int
    idem_key: str

    @property
    def may_bid(self) -> bool:
        """Return whether there is a bid to choose."""
        return self.ladder is not None


@dataclass(frozen=True, slots=True)
class RollPanel:
    """A round that waits to be rolled; ``vote`` is empty as long as there is nothing to decide."""

    sentence: str
    vote: str
    may_vote: bool


@dataclass(frozen=True, slots=True)
class LastRound:
    """How the round before this one ended: with lifted cups, or by somebody's leaving."""

    number: int
    reveal: panels.RevealPanel | None
    story: tuple[str, ...]
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Card:
    """A game in a list, with the words for it; ``time_lines`` are the rules of its clock."""

    game: GameCard
    title: str
    rules_title: str
    turn_time: str
    lines: tuple[wording.RuleLine, ...]
    time_lines: tuple[wording.RuleLine, ...]
    length: str


def title_of(game: GameInfo) -> str:
    """Return what a game is called: the host's words, or its code."""
    return game.name or _("Game %(code)s") % {"code": game.code}


def card(game: GameCard) -> Card:
    """Return a game as a list shows it."""
    return Card(
        game=game,
        title=game.name or _("Game %(code)s") % {"code": game.code},
        rules_title=wording.ruleset_title(game.ruleset.name),
        turn_time=wording.time_left(game.clock.base),
        lines=(
            *wording.table_lines(
                gate=game.gate,
                new_welcome=game.new_welcome,
                day_parts=game.day_parts,
                shows_odds=game.shows_odds,
            ),
            wording.rating_tag(is_rated=game.is_rated),
        ),
        time_lines=wording.clock_lines(game.clock),
        length=wording.length_sentence(*game.length) if game.length else "",
    )


def table_rules(game: GameInfo) -> tuple[wording.RuleLine, ...]:
    """Return what a table settles besides the rules of play: who may sit there, its clock."""
    return (
        *wording.table_lines(
            gate=game.gate,
            new_welcome=game.new_welcome,
            day_parts=game.day_parts,
            shows_odds=game.shows_odds,
        ),
        wording.rating_line(is_rated=game.is_rated),
        *wording.clock_lines(game.clock),
    )


def rules_context(game: GameInfo) -> Context:
    """Return the game's rules in words."""
    return {
        "rules_title": wording.ruleset_title(game.ruleset.name),
        "rule_lines": (*table_rules(game), *wording.describe(game.ruleset)),
        "turn_time": wording.time_left(timedelta(seconds=game.turn_seconds)),
    }


def room_context(
    room: WaitingRoom,
    *,
    now: datetime,
    invite_url: str,
    form: InviteForm | None,
    contribution_form: ContributionForm | None = None,
) -> Context:
    """Return the waiting room."""
    is_host = room.me is not None and room.me.is_host
    all_ready = all(seat.is_ready for seat in room.seats)
    declared = room.game.ruleset.first_starter is FirstStarter.DECLARED
    return {
        **rules_context(room.game),
        "title": title_of(room.game),
        "game": room.game,
        "seats": room.seats,
        "me": room.me,
        "is_host": is_host,
        "free_seats": room.free_seats,
        "may_start": is_host and all_ready and len(room.seats) > 1,
        "names_opener": declared and len(room.seats) > 1,
        "invite_url": invite_url,
        "invite_form": form or InviteForm(),
        "invited": room.invited,
        "contributed": room.contributed,
        "contribution_form": contribution_form or ContributionForm(),
        "commitment_line": room.commitment_line,
        "closes_at": room.closes_at,
        "length": wording.length_sentence(*room.length) if room.length else "",
        "now": now,
        "since": room_key(room),
    }


def room_key(room: WaitingRoom) -> str:
    """Return a key that changes when somebody comes, goes or gets ready."""
    seen = [(seat.number, seat.name, seat.is_ready) for seat in room.seats], room.contributed
    return f"w{zlib.crc32(repr(seen).encode()):x}"


def table_key(version: int, deadline_at: datetime | None, *, has_vote: bool, handovers: int) -> str:
    """Return a key that changes with every move, and with all else that the table shows.

    A deadline may move, a vote be opened, a seat change hands.
    """
    ends = f"-{deadline_at.timestamp():.0f}" if deadline_at else ""
    hands = f"-h{handovers}" if handovers else ""
    return f"{version}{ends}{'-v' if has_vote else ''}{hands}"


def table_context(page: TablePage, *, now: datetime, manner: Manner, chosen: str = "") -> Context:
    """Return the table of a game under way; ``chosen`` is a bid to keep ticked."""
    view = page.view
    if view is None:
        raise ValueError(f"game {page.game.code} is not under way")
    is_late = page.is_my_turn and page.deadline_at is not None and now > page.deadline_at
    bids, vote = page.bids, page.vote
    move = None if is_late else _move_panel(page, view, chosen=chosen, asks=manner.asks)
    return {
        "rules_title": wording.ruleset_title(page.game.ruleset.name),
        "title": title_of(page.game),
        "game": page.game,
        "headline": _headline(page, view),
        "is_my_turn": page.is_my_turn,
        "manner": manner,
        "tale": tale_of(page),
        "next_game": page.next_game,
        "next_title": next_title(page.next_game),
        "bag": _bag(view),
        "wild": wild_face(page.game.ruleset.name),
        "is_late": is_late,
        "late": wording.time_up_notice(page.game.clock.time_out),
        "i_sit": page.me is not None,
        "i_am_absent": page.me is not None and page.me.is_absent,
        "retires_at": page.me.retires_at if page.me else None,
        "mail_fails": page.me is not None and page.me.mail_fails,
        "may_resign": page.me is not None and not view.seats[page.me.number].out,
        "round_number": view.round_number,
        "is_palifico": view.mode is Mode.PALIFICO,
        "mode_sentence": wording.mode_sentence(view.mode),
        "seats": panels.seat_panels(view, people(page, now=now)),
        "own_dice": view.own_dice,
        "standing": bids[-1] if bids else None,
        "bids": timed(bids, now=now, by_parts=page.game.day_parts),
        "deadline_at": page.deadline_at,
        "stands_still": page.stands_still,
        "paused_until": page.paused_until,
        "forecast": forecast_of(page.outlook, now=now),
        "now": now,
        "move": move,
        "roll": _roll_panel(page.roll, now=now) if page.roll else None,
        "order": page.order,
        "may_order": bool(view.own_dice),
        "calza_window": _window(page),
        "is_held": page.is_my_turn and page.order is not None and bool(page.calza_until),
        "may_pass": _has_window(view) and not page.has_passed,
        "has_passed": _has_window(view) and page.has_passed,
        "lost_choice": _lost_choice(chosen, move),
        "last": last_round(page.last, page.last_names) if page.last else None,
        "seal_line": page.seal_line,
        "is_rerolled": page.is_rerolled,
        "question": wording.question_text(vote.question) if vote and now < vote.closes_at else "",
        "since": table_key(
            page.game.version,
            page.deadline_at,
            has_vote=page.has_vote,
            handovers=page.handovers,
        ),
    }


def finished_context(page: TablePage) -> Context:
    """Return the end of a game: places, the last round, what comes next."""
    nobodys = retired_seats(page.seats)
    return {
        "called_off": wording.called_off_sentence(page.game.ended_by),
        "rules_title": wording.ruleset_title(page.game.ruleset.name),
        "title": title_of(page.game),
        "game": page.game,
        "placed": sorted(page.seats, key=lambda seat: seat.place or 0),
        "winner": next((seat.name for seat in page.seats if seat.place == 1), ""),
        "winner_is_nobody": any(seat.place == 1 and seat.is_retired for seat in page.seats),
        "i_won": page.me is not None and page.me.place == 1,
        "i_sat": page.me is not None,
        "last": last_round(page.last, page.last_names, retired=nobodys) if page.last else None,
        "rematch_code": page.rematch_code,
        "next_game": page.next_game,
        "next_title": next_title(page.next_game),
        "wild": wild_face(page.game.ruleset.name),
        "seal_line": page.seal_line,
    }


def last_round(
    closed: ClosedRound, names: tuple[str, ...], *, retired: Container[int] = ()
) -> LastRound:
    """Return how a closed round ended, in words and lifted cups; ``retired`` seats are nobody's."""
    return LastRound(
        number=closed.number,
        reveal=panels.reveal(
            closed.outcome,
            names,
            mode=closed.mode,
            covered=closed.covered,
            automatic=closed.is_auto,
            retired=retired,
        ),
        story=wording.outcome_story(
            closed.outcome, names, automatic=closed.is_auto, retired=retired
        ),
        closed_at=closed.closed_at,
    )


def people(page: TablePage, *, now: datetime) -> tuple[panels.Person, ...]:
    """Return who sits where, as panels name them."""
    return tuple(
        panels.Person(
            seat.name,
            bot=seat.bot,
            present=seat.present,
            away_until=seat.away_until(now),
            retired=seat.is_retired,
            mail_fails=seat.mail_fails,
        )
        for seat in page.seats
    )


def _headline(page: TablePage, view: TableView) -> str:
    if page.is_my_turn:
        return _("It is your turn")
    if page.stands_still:
        return _("Nobody is there")
    if view.to_act is None:
        return _("The dice are about to be rolled")
    return _("%(name)s is to move") % {"name": page.names[view.to_act]}


def _roll_panel(roll: Roll, *, now: datetime) -> RollPanel:
    is_open = now >= roll.vote_from
    return RollPanel(
        sentence=wording.waiting_sentence(roll.number, roll.due_at - now),
        vote=wording.vote_sentence(roll.votes, roll.voters) if is_open else "",
        may_vote=is_open and roll.may_vote,
    )


def _move_panel(page: TablePage, view: TableView, *, chosen: str, asks: bool) -> MovePanel | None:
    offers = view.least_raises or view.may_dudo or view.may_calza
    if not offers:
        return None
    raises = tuple(view.legal_raises()) if view.least_raises else None
    helps = page.game.shows_odds and page.is_my_turn and panels.may_have_odds(view)
    odds = panels.odds_of(view, raises or ()) if helps else {}
    return MovePanel(
        ladder=None
        if raises is None
        else panels.ladder(raises, mode=view.mode, chosen=chosen, odds=odds),
        may_dudo=view.may_dudo,
        may_calza=view.may_calza,
        standing_text=wording.bid_text(view.standing.bid) if view.standing else "",
        says_bid=wording.bid_pattern(page.me.name) if page.me else "",
        says_dudo=_says(page, view, OutcomeKind.DUDO),
        says_calza=_says(page, view, OutcomeKind.CALZA),
        asks=asks,
        odds=panels.standing_odds(view) if helps else "",
        version=page.game.version,
        idem_key=secrets.token_urlsafe(12),
    )


def _says(page: TablePage, view: TableView, call: OutcomeKind) -> str:
    """Return what everybody would read if the viewer called now."""
    if page.me is None or view.standing is None:
        return ""
    bidder = page.names[view.standing.seat]
    words = wording.call_words(call, page.me.name, view.standing.bid, bidder)
    return words.rstrip(": \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}")


def _bag(view: TableView) -> tuple[int, int] | None:
    """Return how many dice are in play and how many in the bag, None where the table hides it."""
    counts = [seat.dice for seat in view.seats if seat.dice is not None]
    if len(counts) < len(view.seats):
        return None
    return sum(counts), view.rules.start_dice * len(view.seats) - sum(counts)


def next_title(game: NextGame | None) -> str:
    """Return what the game that is next is called, or nothing."""
    return (game.name or _("Game %(code)s") % {"code": game.code}) if game else ""


def _window(page: TablePage) -> str:
    """Return how long calls on the bid are collected; by the minute it would tell when it came."""
    if page.calza_until is None:
        return ""
    return wording.window_sentence(None if page.game.day_parts else page.calza_until)


def _has_window(view: TableView) -> bool:
    """Return whether the viewer's calls are waited for at this table."""
    calza = view.rules.calza
    return calza.enabled and calza.window is CalzaWindow.GRACE and bool(view.own_dice)


def _lost_choice(chosen: str, move: MovePanel | None) -> str:
    """Return in words the bid that was chosen and cannot be bid any more, or nothing."""
    try:
        bid = Bid.parse(chosen)
    except RuleViolation:
        return ""
    is_kept = move is not None and move.ladder is not None and move.ladder.chosen is not None
    return "" if is_kept else wording.bid_text(bid)
