"""Who is believed: the table of senders, row by row."""

import pytest

from games.replies import (
    TRUST_CODES,
    Border,
    Effect,
    Trust,
    Verdict,
    WithoutBorder,
    judge_sender,
    read,
)
from tests.unit.replies.letters import BORDER, letter

pytestmark = pytest.mark.one_database

OURS = Border(BORDER)
ALICES = ("alice@example.org",)


def judged(
    *results: str,
    sender: str = "alice@example.org",
    verified: tuple[str, ...] = ALICES,
    unverified: tuple[str, ...] = (),
    border: Border = OURS,
    always_confirm: bool = False,
    fields: tuple[str, ...] = (),
) -> Trust:
    """Judge a mail whose border wrote these results at its top."""
    raw = letter("5 fours", *fields).replace(b"alice@example.org", sender.encode())
    top = "".join([f"Authentication-Results: {each}\r\n" for each in results])
    return judge_sender(
        read(top.encode() + raw),
        verified=verified,
        unverified=unverified,
        border=border,
        always_confirm=always_confirm,
    )


def by(results: str) -> str:
    """Return the code of a mail of alice's with these results of our own border."""
    trust = judged(f"{BORDER}; {results}")
    assert trust.code in TRUST_CODES
    effects = {"sender.proven": Effect.ACT, "sender.unproven": Effect.CONFIRM}
    assert trust.effect is effects.get(trust.code, Effect.REFUSE)
    assert trust.address == "alice@example.org"
    assert trust.tell_account == trust.rotate == (trust.code == "sender.forged")
    return trust.code


@pytest.mark.parametrize(
    "results",
    [
        "dmarc=pass header.from=example.org",
        "dmarc=pass (p=REJECT; dis=NONE) header.from=Example.ORG",
        "spf=fail smtp.mailfrom=example.net; dkim=pass header.d=example.org;\r\n"
        " dmarc=pass (p=none dis=none) header.from=example.org",
        "dmarc=none header.from=example.org; dkim=pass (2048-bit key) header.d=example.org",
        'dkim=pass header.d="example.org" header.b="a;b"',
        "dkim=pass header.i=@example.org",
        "dkim=fail header.d=example.org; dkim=pass header.d=example.org header.s=new",
        "spf=pass smtp.mailfrom=bounce@example.org",
        "spf=pass smtp.mailfrom=example.org; dkim=fail header.d=example.org",
        "dkim=fail header.d=list.example.net; spf=pass smtp.mailfrom=example.org",
        "dmarc=permerror header.from=example.org; spf=pass smtp.mailfrom=example.org",
    ],
)
def test_a_pass_of_her_own_domain_proves_alice(results: str) -> None:
    assert by(results) == "sender.proven"


@pytest.mark.parametrize(
    "results",
    [
        "none",
        "",
        "dmarc=none header.from=example.org; spf=none smtp.mailfrom=example.org; dkim=none",
        "spf=neutral smtp.mailfrom=example.org",
        "spf=softfail smtp.mailfrom=example.org; dkim=temperror header.d=example.org",
        "dkim=pass header.d=example.net; spf=pass smtp.mailfrom=mallory@example.net",
        "dkim=pass header.d=evil-example.org",
        "dkim=pass header.d=org",
        "dkim=pass header.d=users.example.org",  # such names may be given away
        "dkim=pass",
        "dmarc=pass header.from=example.net",
        "dmarc=temperror header.from=example.org; dkim=pass header.d=example.org",
        "dmarc=pass header.from=example.org; dmarc=none header.from=example.org",
        "arc=pass header.d=example.org; auth=pass smtp.auth=alice@example.org",
        'spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.org"@example.net',
        'spf=pass smtp.mailfrom="a@example.org"@example.net',
        'spf=pass (domain of "x) ; dmarc=pass header.from=example.org; (y"@example.net)',
        "spf=pass (of x\\) smtp.mailfrom=a@example.net (dmarc=pass header.from=example.org)",
        'dkim=pass header.d=example.org; spf=none (of x" y); dmarc=fail'
        ' header.from=example.org; x=y (of z")',
        "(dmarc=pass header.from=example.org",
        "dkim=pass header.d=example.org; (dmarc=fail header.from=example.org",
        'x="dmarc=pass; dkim=pass header.d=example.org',
    ],
)
def test_what_proves_nothing_about_her_domain_is_confirmed_by_a_link(results: str) -> None:
    assert by(results) == "sender.unproven"


@pytest.mark.parametrize(
    "results",
    [
        "dmarc=fail (p=reject) header.from=example.org",
        "dmarc=fail header.from=example.org; dkim=pass header.d=example.org",
        "spf=fail smtp.mailfrom=alice@example.org",
        "dmarc=none header.from=example.org; dkim=fail header.d=example.org; spf=softfail",
        "spf=hardfail smtp.mailfrom=example.org",
    ],
)
def test_a_failure_of_her_own_domain_is_a_forgery_and_changes_the_address(results: str) -> None:
    assert by(results) == "sender.forged"


def test_a_domain_above_hers_speaks_for_her() -> None:
    trust = judged(
        f"{BORDER}; dkim=pass header.d=example.org",
        sender="alice@mail.example.org",
        verified=("alice@mail.example.org",),
    )
    assert trust.effect is Effect.ACT


def test_only_the_topmost_results_of_our_own_border_count() -> None:
    forged = f"{BORDER}; dmarc=pass header.from=example.org"
    assert judged(f"{BORDER}; spf=none", forged).code == "sender.unproven"
    assert judged(f"mx.example.net; {forged}", forged.replace("pass", "fail")).code == (
        "sender.forged"
    )
    assert judged(f"not-{forged}").code == "sender.unproven"
    assert judged(f"mx.play.example.evil.org; {forged}").code == "sender.unproven"
    assert judged().code == "sender.unproven"
    assert judged(forged.upper().replace("DMARC=PASS", "DMARC=pass")).code == "sender.proven"
    assert judged(f'"{BORDER}" 1; dmarc=pass header.from=example.org').code == "sender.proven"


def test_where_no_border_checks_every_mail_is_confirmed_by_a_link() -> None:
    claims = f"{BORDER}; dmarc=pass header.from=example.org"
    assert judged(claims, border=Border()) == Trust(
        Effect.CONFIRM, "sender.no-border", "alice@example.org"
    )
    local = Border(without=WithoutBorder.TRUST_LOCAL)
    assert judged(border=local) == Trust(Effect.ACT, "sender.trusted-locally", "alice@example.org")
    # The development setting never weakens a border that is there.
    with_border = Border(BORDER, without=WithoutBorder.TRUST_LOCAL)
    assert judged(border=with_border).effect is Effect.CONFIRM


def test_local_trust_is_of_the_players_own_address_alone() -> None:
    local = Border(without=WithoutBorder.TRUST_LOCAL)
    assert judged(sender="mallory@example.net", border=local).code == "sender.stranger"
    assert judged(fields=("List-Id: <x.example.net>",), border=local).code == "sender.list"


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([Verdict("dmarc", "pass")], "sender.proven"),
        ([Verdict("dmarc", "fail")], "sender.forged"),
        ([Verdict("dmarc", "none"), Verdict("dkim", "pass")], "sender.unproven"),
        ([Verdict("dkim", "pass", "example.org")], "sender.proven"),
        ([Verdict("spf", "fail", "example.org")], "sender.forged"),
        ([], "sender.unproven"),
    ],
)
def test_a_providers_verdicts_take_the_place_of_the_field(
    verdicts: list[Verdict], code: str
) -> None:
    claims = f"{BORDER}; dmarc=pass header.from=example.org"
    assert judged(claims, border=Border(BORDER, verdicts=tuple(verdicts))).code == code


def test_a_player_who_is_spoofed_may_have_every_mail_confirmed() -> None:
    proven = f"{BORDER}; dmarc=pass header.from=example.org"
    assert judged(proven, always_confirm=True) == Trust(
        Effect.CONFIRM, "sender.always-confirm", "alice@example.org"
    )
    failed = f"{BORDER}; dmarc=fail header.from=example.org"
    assert judged(failed, always_confirm=True).effect is Effect.REFUSE


def test_an_address_that_is_not_verified_plays_nothing() -> None:
    passed = f"{BORDER}; dmarc=pass header.from=example.org"
    unverified = judged(passed, verified=("alice@work.example",), unverified=ALICES)
    assert unverified == Trust(Effect.REFUSE, "sender.unverified", tell_account=True)


@pytest.mark.parametrize(
    "sender",
    ["mallory@example.org", "alice+1@example.org", "al.ice@example.org", "alice@sub.example.org"],
)
def test_a_stranger_is_told_nothing_and_the_address_changes(sender: str) -> None:
    passed = f"{BORDER}; dmarc=pass header.from=example.org"
    assert judged(passed, sender=sender) == Trust(
        Effect.REFUSE, "sender.stranger", tell_account=True, rotate=True
    )


def test_capital_letters_make_no_stranger() -> None:
    passed = f"{BORDER}; dmarc=pass header.from=example.org"
    trust = judged(passed, sender="Alice@EXAMPLE.org")
    assert trust == Trust(Effect.ACT, "sender.proven", "alice@example.org")
    kept_so = judged(passed, verified=("Alice@EXAMPLE.org",))
    assert kept_so == Trust(Effect.ACT, "sender.proven", "Alice@EXAMPLE.org")


@pytest.mark.parametrize("sign", ["List-Id: <friends.example.net>", "Precedence: list"])
def test_a_mailing_list_in_between_refuses_any_sender(sign: str) -> None:
    passed = f"{BORDER}; dmarc=pass header.from=example.org"
    assert judged(passed, fields=(sign,)) == Trust(Effect.REFUSE, "sender.list", tell_account=True)


@pytest.mark.parametrize(
    "extra", ["From: mallory@example.net", "From: alice@example.org", "From: broken"]
)
def test_two_senders_are_none(extra: str) -> None:
    passed = f"{BORDER}; dmarc=pass header.from=example.org"
    assert judged(passed, fields=(extra,)) == Trust(
        Effect.REFUSE, "sender.count", tell_account=True, rotate=True
    )


def test_a_sender_that_cannot_be_read_is_none_though_an_account_had_such_an_address() -> None:
    unreadable = judged(sender="<broken", verified=("", "<broken"))
    assert unreadable.code == "sender.count"
    nobody = judge_sender(read(b"5 fours"), verified=("",), border=Border())
    assert nobody.code == "sender.count"
