"""What each kind of mail says: the values that its three templates put into words.

No model reaches a template, and nothing but a :class:`games.rules.TableView` knows dice.
"""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games import store, timing, wording
from games.mail import parts
from games.mail.words import game_title, moment_text, one_line
from games.models import Game, GameStatus, Invitation, OutboxKind, OutboxMessage, Seat, Tenure
from games.rules import CoveredCups, DiceCounts, TableView
from games.selectors.log import commitment_line, seal_line
from games.selectors.story import Story, ToldRound, story_for, told_until
from games.selectors.table import seats_of
from games.selectors.talk import talk_for
from games.selectors.values import retired_seats, seat_infos

Context = dict[str, object]

_WITH_TALK = (OutboxKind.TURN, OutboxKind.ROUND_OVER)

MOST_ROUNDS = 6
"""Closed rounds that a mail tells; the page tells the others."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One line of the final ranking. A retired seat goes by the name of who held it last."""

    place: int
    name: str
    is_me: bool
    is_retired: bool


def to_player(
    message: OutboxMessage, game: Game, seat: Seat, *, wants_dice: bool, now: datetime
) -> Context:
    """Return what a notice says to the player on ``seat``, in the language that is active."""
    context = _of_game(game)
    match OutboxKind(message.kind):
        case OutboxKind.TURN | OutboxKind.REMINDER | OutboxKind.NUDGE:
            context |= _turn(game, seat, wants_dice=wants_dice, now=now)
        case OutboxKind.STARTED:
            context |= _started(game, seat, now=now)
        case OutboxKind.ROUND_OVER:
            context |= _round_over(message, game, seat, now=now)
        case OutboxKind.GAME_OVER:
            context |= _game_over(game, seat)
        case OutboxKind.ABSENT:
            context |= {"preheader": _("The automatic move plays for you until you are back.")}
        case OutboxKind.RETIRED:
            context |= _retired(game, message.user_id or 0)
        case OutboxKind.VACANT:
            context |= _vacant(game)
        case OutboxKind.TOO_LATE:
            context |= {
                "preheader": _("There is nothing that you have to do."),
                "lobby_url": link("lobby"),
            }
        case OutboxKind.VOTE:
            context |= _vote(game, now=now)
        case OutboxKind.CANCELLED:
            context |= _called_off(game)
        case _:
            raise ValueError(f"a mail of the kind {message.kind} tells no news of a game")
    context["round_number"] = message.round_number
    context["stage"] = message.stage
    if message.kind in _WITH_TALK:
        context["talk"] = parts.talk_lines(talk_for(game, seat))
    context["seals"] = _seals(game, is_first=message.kind == OutboxKind.STARTED)
    if game.status in (GameStatus.FINISHED, GameStatus.CANCELLED):
        context |= _opened(game)
    return context


def invitation(game: Game, asked: Invitation) -> Context:
    """Return what an invitation says; its link opens the waiting room without an account."""
    host = one_line(asked.invited_by.display_name) if asked.invited_by else ""
    rules = store.ruleset_of(game)
    is_rematch = game.rematch_of_id is not None
    return {
        "preheader": _("Dice, cups and bluff, one move at a time."),
        "inviter": host,
        "is_rematch": is_rematch,
        "has_name": game_title(game) != game.code,
        "is_known": asked.user_id is not None,
        "dice": wording.dice_count_text(rules.start_dice),
        "seats": game.seats_wanted,
        "ruleset": wording.ruleset_title(rules.name),
        "summary": wording.ruleset_summary(rules.name),
        "lines": (
            *wording.table_lines(
                gate=game.gate,
                new_welcome=game.new_welcome,
                day_parts=game.day_parts,
                shows_odds=game.shows_odds,
            ),
            wording.rating_line(is_rated=game.is_rated),
        ),
        "time_lines": wording.clock_lines(timing.clock_of(game)),
        "join_url": link("join", asked.token),
        "settings_url": link("settings"),
        "rules_url": link("rules"),
        "site_url": link("home"),
        "expires": moment_text(asked.expires_at),
        "site_name": settings.SITE_NAME,
        "seals": [commitment_line(game)],
    }


def _seals(game: Game, *, is_first: bool) -> list[str]:
    """Return the lines by which two players can tell that they were shown the same game."""
    newest = seal_line(game.current_round)
    return [line for line in (commitment_line(game) if is_first else "", newest) if line]


def _opened(game: Game) -> Context:
    """Return what can be checked of a game that is over, and where."""
    if store.ruleset_of(game).covered_cups_after_game is CoveredCups.NEVER:
        note = _("The table keeps covered cups shut for good; lifted ones can be checked now.")
    else:
        note = _("The game is over, and everything is open: every die can be checked now.")
    return {"check_note": note, "check_url": link("game_check", game.code)}


def _of_game(game: Game) -> Context:
    return {
        "game_url": link("game", game.code),
        "settings_url": link("notices"),
        "rules_url": link("rules"),
        "site_url": link("home"),
        "site_name": settings.SITE_NAME,
    }


def _turn(game: Game, seat: Seat, *, wants_dice: bool, now: datetime) -> Context:
    story = story_for(game, seat.number, most_rounds=MOST_ROUNDS, with_dice=wants_dice)
    view = _view_of(story)
    names = _names(story)
    standing = view.standing
    if standing is None:
        preheader = _("Your turn: you open round %(number)d.") % {"number": view.round_number}
    else:
        preheader = _("Your turn: %(bid)s by %(name)s.") % {
            "bid": wording.bid_text(standing.bid),
            "name": names[standing.seat],
        }
    return {
        **_at_the_table(game, story, view),
        "preheader": preheader,
        "deadline": parts.deadline_part(game, now=now),
        "time_up": wording.time_up_warning(timing.clock_of(game).time_out),
        "rounds": [_round(story, told) for told in story.rounds],
        "earlier": story.earlier,
        "is_first": story.is_first,
        "bids": parts.bid_lines(story.bids, names),
        "dice": parts.dice_part(view),
        "odds": parts.odds_line(view) if game.shows_odds else "",
        "answers": parts.answers_part(view, names).sentences,
        "examples": parts.two_examples(view),
    }


def _started(game: Game, seat: Seat, *, now: datetime) -> Context:
    story = story_for(game, seat.number, most_rounds=1)
    view = _view_of(story)
    names = _names(story)
    opener = names[view.opener]
    mover = story.seats[view.to_act] if view.to_act is not None else None
    waits = mover is not None and mover.present and not mover.bot
    return {
        **_at_the_table(game, story, view),
        "preheader": _("%(name)s opens the first round.") % {"name": opener},
        "opener": opener,
        "to_act": names[_mover(view)],
        # A bot is about to move: that its time ends in three seconds helps nobody.
        "deadline": parts.deadline_part(game, now=now) if waits else None,
        "forecast": _forecast(story, now=now),
    }


def _round_over(message: OutboxMessage, game: Game, seat: Seat, *, now: datetime) -> Context:
    since = told_until(seat, before=message.version)
    story = story_for(game, seat.number, since=since, most_rounds=MOST_ROUNDS)
    view = _view_of(story)
    names = _names(story)
    rounds = [_round(story, told) for told in story.rounds]
    own = story.seats[story.me]
    return {
        **_at_the_table(game, story, view),
        "preheader": rounds[-1].call if rounds else "",
        "rounds": rounds,
        "earlier": story.earlier,
        "my_dice": wording.dice_count_text(seat.dice) if seat.dice else "",
        "my_place": own.place,
        "to_act": names[_mover(view)],
        "forecast": _forecast(story, now=now),
    }


def _game_over(game: Game, seat: Seat) -> Context:
    story = story_for(game, seat.number, most_rounds=1)
    names = _names(story)
    ranked = [
        Placed(other.place, names[other.number], other.is_me, other.is_retired)
        for other in story.seats
        if other.place is not None
    ]
    places = sorted(ranked, key=lambda line: line.place)
    winner = places[0].name if places else ""
    is_nobodys = bool(places) and places[0].is_retired
    own = story.seats[story.me]
    return {
        "preheader": wording.won_sentence(winner, is_nobodys=is_nobodys),
        "winner": winner,
        "winner_is_nobody": is_nobodys,
        "i_won": own.place == 1,
        "places": places,
        "rounds": [_round(story, told) for told in story.rounds[-1:]],
        "history_url": link("rounds", game.code),
    }


def _vote(game: Game, *, now: datetime) -> Context:
    vote = timing.vote_of(game, list(game.seats.all()), now=now)
    if vote is None:
        raise ValueError(f"there is no vote in game {game.pk}")
    return {
        "preheader": wording.question_text(vote.question),
        "question": wording.question_text(vote.question),
        "closes": moment_text(vote.closes_at),
        "time_url": link("game_time", game.code),
    }


def _retired(game: Game, user_id: int) -> Context:
    tenure = Tenure.objects.get(game=game, user_id=user_id)
    return {
        "preheader": _("You were away for seven days."),
        "place": tenure.place,
        "history_url": link("rounds", game.code),
    }


def _vacant(game: Game) -> Context:
    seats = seat_infos(seats_of(game), viewer_id=None, host_id=None)
    names = [one_line(seat.name) for seat in seats if seat.is_free]
    return {
        "preheader": _("It plays by itself until somebody takes it over."),
        "lines": [wording.free_sentence(name) for name in names],
        "take_over_url": link("join", game.invite_token),
        "time_url": link("game_time", game.code),
    }


def _called_off(game: Game) -> Context:
    if not game.ended_by:
        return {"preheader": _("The game does not take place.")}
    return {
        "preheader": _("The game ends without a winner."),
        "why": wording.called_off_sentence(game.ended_by),
    }


def _at_the_table(game: Game, story: Story, view: TableView) -> Context:
    rules = view.rules
    return {
        "seats": parts.seat_parts(story, view, _names(story)),
        "hidden_counts": rules.dice_counts is DiceCounts.HIDDEN,
        "mode": wording.mode_sentence(view.mode),
        "ruleset": wording.ruleset_title(rules.name),
        "summary": wording.ruleset_summary(rules.name),
        "start_dice": wording.dice_count_text(rules.start_dice),
        "time_lines": wording.clock_lines(timing.clock_of(game)),
        "history_url": link("rounds", game.code),
    }


def _mover(view: TableView) -> int:
    """Return who moves next: before the roll nobody may, and the opener will."""
    return view.opener if view.to_act is None else view.to_act


def _names(story: Story) -> tuple[str, ...]:
    return tuple(one_line(seat.name) for seat in story.seats)


def _round(story: Story, told: ToldRound) -> parts.RoundPart:
    """Return a closed round, with the names of those who held the seats in it."""
    names = story.names_in(told.closed.number)
    plain = tuple(one_line(name) for name in names)
    return parts.round_part(told, plain, retired=retired_seats(story.seats))


def _forecast(story: Story, *, now: datetime) -> tuple[str, ...]:
    """Return when the reader's next turn and the end are likely to come; nothing, if unknown."""
    if story.outlook is None:
        return ()
    likely = story.outlook.at(now)
    return wording.prospect_sentences(likely.next_turn, likely.end, now=now)


def _view_of(story: Story) -> TableView:
    if story.view is None:
        raise ValueError("the game is over")
    return story.view


def link(name: str, *args: object) -> str:
    """Return the full address of a page. Following it changes nothing."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"
