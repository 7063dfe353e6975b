"""Addresses of the game's pages.

Codes, tokens and numbers are matched here: what cannot be one is no address, and reaches no query.
"""

from django.urls import URLPattern, path, register_converter

from games.views import (
    devices,
    fairness,
    game,
    handovers,
    history,
    home,
    hours,
    installed,
    invitation,
    learn,
    lobby,
    notices,
    orders,
    pages,
    people,
    play,
    playing,
    profile,
    ranking,
    replay,
    replies,
    review,
    rules,
    time,
    waiting_room,
)

_SIGN = "[0-9a-hjkmnp-tv-z]"


class _Code:
    """A game's code (see ``games.models.ids``)."""

    regex = _SIGN + "{10}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class _Token(_Code):
    """The token of an invitation."""

    regex = _SIGN + "{26}"


class _Signed(_Code):
    """A signed token (see ``games.mail.stopping``)."""

    regex = "[A-Za-z0-9_:-]{20,300}"


class _Name(_Code):
    """What a player calls himself: no control characters, and not longer than a name may be."""

    regex = r"[^\x00-\x1f\x7f]{2,64}"


class _PlainName(_Name):
    """A name without a stroke, which would look like two."""

    regex = r"[^/\x00-\x1f\x7f]{2,64}"


class _Number:
    """A round or a seat."""

    regex = "0|[1-9][0-9]{0,5}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class _PictureKind:
    """What a picture is made of."""

    regex = "svg|png"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class _Board(_Code):
    """A leaderboard: see ``games.views.ranking``."""

    regex = "season|rules-[a-z]{1,12}|seats-(?:10|[2-9])"


register_converter(_Code, "code")
register_converter(_Token, "token")
register_converter(_Signed, "signed")
register_converter(_Name, "name")
register_converter(_PlainName, "plain_name")
register_converter(_Number, "number")
register_converter(_Board, "board")
register_converter(_PictureKind, "kind")

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("rules/", pages.rules, name="rules"),
    path("learn/", learn.learn, name="learn"),
    path("learn/<number:step>/", learn.learn, name="learn_step"),
    path("orders/", pages.orders, name="order_help"),
    path("help/mail/", replies.mail_help, name="mail_help"),
    path("settings/mail/", replies.mail_settings, name="mail_settings"),
    path("answer/<signed:confirm_token>/", replies.mail_confirm, name="mail_confirm"),
    path("p/<plain_name:player>/picture.<kind:kind>", people.portrait, name="portrait"),
    path("p/<plain_name:player>/<plain_name:rival>/", people.against, name="against"),
    path("p/<name:player>/", profile.player, name="profile"),
    path("statistics/", people.site, name="statistics"),
    path("settings/profile/", people.settings, name="profile_settings"),
    path("settings/statistics.csv", people.statistics_csv, name="statistics_csv"),
    path("settings/statistics.json", people.statistics_json, name="statistics_json"),
    path("ranking/", ranking.ranking, name="ranking"),
    path("ranking/<board:board>/", ranking.ranking, name="ranking_board"),
    path("rules/<slug:name>/", pages.rules_preset, name="rules_preset"),
    path("settings/playing/", playing.manner, name="playing"),
    path("settings/hours/", hours.hours, name="hours"),
    path("settings/notices/", notices.notices, name="notices"),
    path("settings/notices/device/", devices.device, name="device"),
    path("worker.js", installed.worker, name="worker"),
    path("manifest.webmanifest", installed.manifest, name="manifest"),
    path("offline/", installed.offline, name="offline"),
    path("stop/<signed:stop_token>/", notices.stop, name="stop"),
    path("feeds/<token:feed_token>/turns.ics", notices.feed_calendar, name="feed_calendar"),
    path("feeds/<token:feed_token>/turns.atom", notices.feed_turns, name="feed_turns"),
    path("games/new/", lobby.game_new, name="game_new"),
    path("games/quick/", home.quick, name="game_quick"),
    path("join/<token:token>/", invitation.join_by_link, name="join"),
    path("g/<code:code>/", game.game, name="game"),
    path("g/<code:code>/play/", play.play, name="game_play"),
    path("g/<code:code>/order/", orders.order, name="game_order"),
    path("g/<code:code>/resign/", play.resign, name="game_resign"),
    path("g/<code:code>/back/", play.come_back, name="game_back"),
    path("g/<code:code>/pass/", play.pass_calza, name="game_pass"),
    path("g/<code:code>/withdraw/", handovers.withdraw, name="game_withdraw"),
    path("g/<code:code>/time/", time.time, name="game_time"),
    path("g/<code:code>/roll/", play.roll, name="game_roll"),
    path("g/<code:code>/join/", waiting_room.join, name="game_join"),
    path("g/<code:code>/leave/", waiting_room.leave, name="game_leave"),
    path("g/<code:code>/ready/", waiting_room.ready, name="game_ready"),
    path("g/<code:code>/contribution/", waiting_room.contribute, name="game_contribution"),
    path("g/<code:code>/start/", waiting_room.start, name="game_start"),
    path("g/<code:code>/invite/", waiting_room.invite, name="game_invite"),
    path("g/<code:code>/bots/", waiting_room.add_bot, name="game_add_bot"),
    path(
        "g/<code:code>/seats/<int:seat_id>/remove/",
        waiting_room.remove_seat,
        name="game_remove_seat",
    ),
    path("g/<code:code>/rules/", rules.game_rules, name="game_rules"),
    path("g/<code:code>/rounds/", history.rounds, name="rounds"),
    path("g/<code:code>/rounds/<number:number>/", history.round_, name="history"),
    path("g/<code:code>/replay/", replay.replay, name="replay"),
    path(
        "g/<code:code>/replay/<number:number>/<number:move>/", replay.replay, name="replay_moment"
    ),
    path(
        "g/<code:code>/replay/<number:number>/<number:move>/picture.<kind:kind>",
        replay.moment_picture,
        name="moment_picture",
    ),
    path("g/<code:code>/picture.<kind:kind>", replay.picture, name="picture"),
    path("g/<code:code>/review/", review.review, name="review"),
    path("g/<code:code>/record", history.record, name="record"),
    path("g/<code:code>/record.txt", history.record_text, name="record_text"),
    path("g/<code:code>/transcript", history.transcript, name="transcript"),
    path("g/<code:code>/rematch/", history.rematch, name="rematch"),
    path("g/<code:code>/check/", fairness.check, name="game_check"),
    path("fair-dice/", fairness.fairness_page, name="fairness"),
]
