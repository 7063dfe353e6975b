"""Every page of the site, and who looks at it: one table, for tests of the look and for pictures.

A new address of a page gets a row in :data:`LOOKS`; one that has no page, a reason in
:data:`NO_PAGE`.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import rules
from games.mail.stopping import StopGame, stop_token
from games.models import Game
from games.services import lobby
from perudo_site.mailbox import store as mailbox
from tests.cast import act, give_turn, person, player, seat_of, table
from tests.integration.mail.waiting import waiting_mail

PASSWORD: Final = "six-sided-leather-cup"
_MAIL: Final = (
    b"From: Perudo by Post <game@localhost>\r\nTo: alice@example.org\r\n"
    b"Message-ID: <1@localhost>\r\n"
    b"Subject: Your turn\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nYour turn, Alice.\r\n"
)


@dataclass(frozen=True, slots=True)
class World:
    """What there is to be looked at.

    ``mine`` waits for alice, ``theirs`` for bob; ``hosted`` is a waiting room of hers, ``room`` one
    of bob's that anybody may join; ``over`` was won, ``again`` belongs to bob and is private.
    """

    mine: Game
    theirs: Game
    hosted: Game
    room: Game
    over: Game
    key: int
    mail: int


def make_world() -> World:
    """Return the world, made of moves that were really played."""
    now = timezone.now()
    for name in ("alice", "erin", "frank"):
        person(name, password=PASSWORD)
    person("mallory")
    TOTP.activate(person("erin"), generate_totp_secret())
    RecoveryCodes.activate(person("erin"))
    key = Authenticator.objects.create(
        user=person("frank"),
        type=Authenticator.Type.WEBAUTHN,
        data={"name": "My phone", "credential": {}},
    )
    letter = mailbox.keep(
        envelope_from="game@localhost", envelope_to=["alice@example.org"], raw=_MAIL, now=now
    )
    with_calza = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    return World(
        mine=_under_way(with_calza, to_move="alice"),
        theirs=_under_way(with_calza, to_move="bob"),
        hosted=_waiting("alice", "Come and play, all of you"),
        room=_waiting("bob", "First game, be gentle"),
        over=_finished(),
        key=key.pk,
        mail=letter.pk,
    )


def _under_way(ruleset: rules.Ruleset, *, to_move: str) -> Game:
    """Return a game in its second round, with bids on the table."""
    now = timezone.now()
    game = table(("alice", "bob", "carol"), ruleset=ruleset, bots=1, now=now, is_private=False)
    give_turn(game, "carol")
    game = act(game, rules.MakeBid(seat_of(game, "carol").number, rules.Bid.parse("20x6")), now=now)
    game = act(game, rules.Dudo(game.to_act), now=now)
    others = [name for name in ("carol", "bob", "alice") if name != to_move]
    for name, bid in zip(others, ("3x4", "4x5"), strict=True):
        give_turn(game, name)
        game = act(game, rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(bid)), now=now)
    give_turn(game, to_move)
    return game


def _finished() -> Game:
    """Return a game of one die each, which one doubt has ended."""
    now = timezone.now()
    ruleset = rules.with_start_dice(rules.find_ruleset("bga"), 1)
    game = table(("alice", "bob"), ruleset=ruleset, now=now, is_private=False)
    give_turn(game, "bob")
    game = act(game, rules.MakeBid(seat_of(game, "bob").number, rules.Bid.parse("3x4")), now=now)
    return act(game, rules.Dudo(game.to_act), now=now)


def _waiting(host: str, name: str) -> Game:
    new = lobby.NewGame(
        ruleset=rules.find_ruleset("wikipedia"), seats=4, bots=1, is_private=False, name=name
    )
    return lobby.create_game(host=player(person(host)), new=new, now=timezone.now())


def browser_of(name: str) -> Client:
    """Return a client in which ``name`` has just signed in, or nobody when it is empty."""
    client = Client()
    if name:
        user = person(name)
        client.force_login(user)
        session = client.session
        request: Any = SimpleNamespace(session=session)
        record_authentication(request, user, method="password", reauthenticated=True)
        session.save()
    return client


@dataclass(frozen=True, slots=True)
class Look:
    """A look at one page: its address by ``route`` and what ``told`` finds in the world.

    ``viewer`` is nobody when empty; ``before`` is what he did to come to the page.
    """

    route: str
    viewer: str = ""
    told: Callable[[World], Sequence[object]] = lambda _world: ()
    named: str = ""
    query: str = ""
    status: int = 200
    before: Callable[[Client], object] | None = None

    @property
    def name(self) -> str:
        """What its pictures are called."""
        return self.named or f"{self.route}{'' if self.viewer else '-visitor'}".replace("_", "-")

    def address(self, world: World) -> str:
        """Return where it leads."""
        return reverse(self.route, args=list(self.told(world))) + self.query


def _mine(world: World) -> list[object]:
    return [world.mine.code]


def _theirs(world: World) -> list[object]:
    return [world.theirs.code]


def _over(world: World) -> list[object]:
    return [world.over.code]


def _key(world: World) -> list[object]:
    return [world.key]


def _mail(world: World) -> list[object]:
    return [world.mail]


def _asks_for_a_code(client: Client) -> None:
    client.post(reverse("account_request_login_code"), {"email": "alice@example.org"})


def _signs_up(client: Client) -> None:
    said = {"email": f"new{time.monotonic_ns()}@example.org", "display_name": "Newcomer"}
    client.post(reverse("account_signup"), {**said, "time_zone": "Europe/Rome"})


def _forgets_the_password(client: Client) -> None:
    client.post(reverse("account_reset_password"), {"email": "alice@example.org"})


def _comes_to_the_second_step(client: Client) -> None:
    client.post(reverse("account_login"), {"login": "erin@example.org", "password": PASSWORD})


LOOKS: Final[tuple[Look, ...]] = (
    # what everybody may see
    Look("home", named="landing"),
    Look("lobby"),
    Look("rules", named="rules"),
    *(
        Look("rules_preset", told=lambda _world, name=name: [name], named=f"rules-{name}")
        for name in rules.PRESETS
    ),
    Look("learn", named="learn"),
    *(
        Look(
            "learn_step",
            told=lambda _world, step=step: [step],
            named=f"learn-{step}",
            query="?answer=2",
        )
        for step in range(1, 8)
    ),
    Look("order_help", named="order-help"),
    Look("mail_help", named="mail-help"),
    Look("fairness", named="fair-dice"),
    Look("profile", told=lambda _world: ["Alice"]),
    Look("against", told=lambda _world: ["Alice", "Bob"]),
    Look("statistics"),
    Look("ranking", named="ranking"),
    Look("ranking_board", told=lambda _world: ["seats-2"], named="ranking-seats"),
    Look("join", told=lambda world: [world.room.invite_token]),
    Look("join", told=lambda _world: ["a1" * 13], named="join-gone", status=404),
    Look("offline", named="offline"),
    Look("styleguide", named="styleguide"),
    # my games and tables
    Look("home", "alice", named="my-games"),
    Look("home", "mallory", named="my-games-none"),
    Look("lobby", "alice"),
    Look("game_new", "alice"),
    Look("profile", "alice", lambda _world: ["Bob"]),
    Look("profile", "alice", lambda _world: ["Alice"], "profile-own"),
    Look("profile_settings", "alice"),
    Look("game", "alice", _mine, "game-my-turn"),
    Look("game", "alice", _theirs, "game-their-turn"),
    Look("game", "mallory", _mine, "game-onlooker"),
    Look("game", "", _mine, "game-visitor"),
    Look("game", "alice", lambda world: [world.hosted.code], "waiting-room-host"),
    Look("game", "mallory", lambda world: [world.room.code], "waiting-room-guest"),
    Look("game", "alice", _over, "game-over"),
    Look("game_order", "alice", _theirs),
    Look("game_time", "alice", _mine),
    Look("game_resign", "alice", _mine),
    Look("game_rules", "alice", _mine),
    Look("playing", "alice"),
    Look("rounds", "alice", _mine),
    Look("rounds", "alice", _over, "rounds-over"),
    Look("replay", "alice", _over),
    Look("replay_moment", "alice", lambda world: [world.over.code, 1, 1]),
    Look("review", "alice", _over),
    Look("history", "alice", lambda world: [world.mine.code, 1]),
    Look("game_check", "alice", _mine, "game-check-running"),
    Look("game_check", "alice", _over),
    Look("join", "mallory", lambda world: [world.room.invite_token]),
    # mail and settings
    Look("notices", "alice"),
    Look("hours", "alice"),
    Look("mail_settings", "alice"),
    Look("mail_confirm", "alice", lambda world: [waiting_mail(world.mine, "alice")]),
    Look("stop", "", lambda world: [stop_token(StopGame(person("alice").pk, 0, world.mine.code))]),
    Look("settings", "alice"),
    Look("export_account", "alice"),
    Look("close_account", "alice"),
    Look("prove_by_code", "bob"),
    Look("mailbox", "alice"),
    Look("mailbox_message", "alice", _mail),
    # ways in
    Look("account_login"),
    Look("account_signup"),
    Look("account_request_login_code"),
    Look("account_confirm_login_code", before=_asks_for_a_code),
    Look("account_email_verification_sent", before=_signs_up),
    Look("account_reset_password"),
    Look("account_confirm_password_reset_code", before=_forgets_the_password),
    Look("account_password_reset_completed"),
    Look("account_inactive"),
    Look("mfa_authenticate", before=_comes_to_the_second_step),
    # one's account
    Look("account_logout", "alice"),
    Look("account_email", "alice"),
    Look("account_change_password", "alice"),
    Look("account_set_password", "bob"),
    Look("account_reauthenticate", "alice"),
    Look("mfa_index", "alice", named="mfa-none"),
    Look("mfa_index", "erin"),
    Look("mfa_reauthenticate", "erin"),
    Look("mfa_activate_totp", "alice"),
    Look("mfa_deactivate_totp", "erin"),
    Look("mfa_view_recovery_codes", "erin"),
    Look("mfa_generate_recovery_codes", "erin"),
    Look("mfa_list_webauthn", "alice", named="mfa-list-webauthn-none"),
    Look("mfa_list_webauthn", "frank"),
    Look("mfa_add_webauthn", "alice"),
    Look("mfa_edit_webauthn", "frank", _key),
    Look("mfa_remove_webauthn", "frank", _key),
    Look("usersessions_list", "alice"),
)
_POSTED: Final = "only answers a form"
_FILE: Final = "a file, no page"
NO_PAGE: Final = {
    **dict.fromkeys(
        (
            "set_language", "game_quick", "game_play", "game_back", "game_pass",
            "game_roll", "game_withdraw", "game_join", "game_leave", "game_ready",
            "game_contribution", "game_start", "game_invite", "game_add_bot", "game_remove_seat",
            "rematch",
        ),
        _POSTED,
    ),
    **dict.fromkeys(
        (
            "record", "record_text", "transcript", "picture", "moment_picture", "feed_calendar",
            "feed_turns", "export_file", "worker", "manifest", "statistics_csv", "statistics_json",
            "portrait",
            "mfa_download_recovery_codes",
        ),
        _FILE,
    ),
    "live": "a word for machines",
    "ready": "a word for machines",
    "device": "a word for scripts",
    "mfa_login_webauthn": "a word for scripts",
    "mailbox_html": "a mail as it came, in a frame of the mailbox",
    "mailbox_thread": "a part of mailbox_message, asked for by its script",
    "mailbox_reply": _POSTED,
    "mfa_reauthenticate_webauthn": "needs a real key: tests/functional/test_accounts.py has one",
    "account_complete_password_reset": "reached by the code alone: the form of a new password",
}  # fmt: skip


def language_of_all(language: str) -> None:
    """Let everybody read in ``language``."""
    User.objects.update(language=language)
