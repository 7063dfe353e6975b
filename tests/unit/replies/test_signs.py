"""Machines, lists, bounces and complaints are known by their signs."""

import pytest

from games.replies import MACHINE_SIGNS, Bounce, Complaint, Severity, is_machine, others, read
from tests.unit.replies.letters import ADDRESS, letter, mail

pytestmark = pytest.mark.one_database

OURS = ["in.play.example", "mail.play.example"]
ORIGINAL = "<9f2c61d04be87a35@mail.play.example>"


@pytest.mark.parametrize(
    ("field", "sign"),
    [
        ("Return-Path: <>", "machine.null-sender"),
        ("Auto-Submitted: auto-replied (vacation)", "machine.auto-submitted"),
        ("Auto-Submitted: auto-generated; owner-email=a@example.org", "machine.auto-submitted"),
        ("Auto-Submitted:", "machine.auto-submitted"),
        ("Content-Type: multipart/report; report-type=disposition-notification", "machine.report"),
        ("List-Id: friends <friends.example.net>", "machine.list-id"),
        ("Precedence: bulk", "machine.precedence"),
        ("Precedence: Junk", "machine.precedence"),
        ("Precedence: auto_reply", "machine.precedence"),
        ("X-Autoreply: yes", "machine.autoreply-field"),
        ("X-Autorespond: away", "machine.autoreply-field"),
        ("X-Auto-Reply: 1", "machine.autoreply-field"),
        ("X-POST-MessageClass: 9; Autoresponder", "machine.autoreply-field"),
        ("X-Apple-Action: VACATION", "machine.apple-vacation"),
        ("X-Failed-Recipients: bob@example.net", "machine.failed-recipients"),
        ("X-Perudo-Mail: turn", "machine.loop"),
        ("From: Mailer-Daemon@example.net", "machine.daemon"),
        ("From: postmaster@example.net", "machine.daemon"),
        ("From: no-reply@example.net", "machine.daemon"),
        ("From: turns@mail.play.example", "machine.own-address"),
    ],
)
def test_a_field_that_only_machines_write_gives_one_away(field: str, sign: str) -> None:
    assert sign in MACHINE_SIGNS
    assert is_machine(read(letter("5 fours", field)), our_domains=OURS) == sign


@pytest.mark.parametrize(
    "field",
    [
        "Auto-Submitted: no",
        "X-Auto-Response-Suppress: All",
        "Precedence: first-class",
        "Return-Path: <alice@example.org>",
        "X-Mailer: iPhone Mail (21F90)",
    ],
)
def test_a_field_that_people_send_as_well_is_no_sign(field: str) -> None:
    assert is_machine(read(letter("5 fours", field)), our_domains=OURS) == ""


def test_the_null_sender_of_the_envelope_is_a_sign_though_the_mail_does_not_say_so() -> None:
    alices = read(letter())
    assert is_machine(alices, envelope_sender="") == "machine.null-sender"
    assert is_machine(alices, envelope_sender="alice@example.org") == ""


@pytest.mark.parametrize(
    "subject",
    [
        "Out of Office: Re: [friday] Round 3",
        "Automatic reply: [friday] Round 3",
        "Risposta automatica: [friday]",
        "Fuori sede",
        "Réponse automatique : [friday]",
        "Absence du bureau",
        "Respuesta automática: [friday]",
        "Fuera de la oficina",
        "Automatische Antwort: [friday]",
        "Automatisch antwoord: [friday]",
        "Automatiskt svar: [friday]",
        "Odpowiedź automatyczna: [friday]",
        "AW: Abwesenheitsnotiz",
    ],
)
def test_an_absence_note_is_known_by_its_subject_unless_its_line_is_a_command(subject: str) -> None:
    away = read(letter("I will be back in two weeks.", subject=subject))
    assert is_machine(away) == "machine.out-of-office"
    assert is_machine(read(letter("5 fours", subject=subject))) == ""


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("away-exchange-en", "machine.null-sender"),
        ("away-gmail-it", "machine.auto-submitted"),
        ("away-apple-fr", "machine.apple-vacation"),
        ("away-bare-es", "machine.out-of-office"),
    ],
)
def test_a_vacation_answer_is_no_persons(name: str, sign: str) -> None:
    assert is_machine(mail(name)) == sign


@pytest.mark.parametrize(
    ("name", "severity", "status"),
    [
        ("bounce-hard", Severity.HARD, "5.1.1"),
        ("bounce-soft", Severity.SOFT, "4.2.2"),
        ("bounce-relayed", Severity.NONE, "2.0.0"),
    ],
)
def test_a_bounce_names_the_mail_its_recipient_and_how_bad_it_is(
    name: str, severity: Severity, status: str
) -> None:
    bounce = mail(name)
    # The report names the mailbox behind a forwarding, and whom we wrote to.
    assert bounce.bounce == Bounce(severity, status, "bob@example.net", ORIGINAL)
    assert bounce.complaint is None
    assert is_machine(bounce)


def test_a_bounce_in_the_old_style_counts_as_a_soft_one() -> None:
    bounce = read(letter("It failed.", "X-Failed-Recipients: bob@example.net"))
    assert bounce.bounce == Bounce(Severity.SOFT, "", "bob@example.net", "")


def test_a_report_on_several_recipients_tells_the_worst() -> None:
    report = (
        "--cut\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
        "Final-Recipient: rfc822;a@example.net\nAction: delivered\nStatus: 2.0.0\n\n"
        "Final-Recipient: rfc822;b@example.net\nAction: failed\nStatus: 5.7.1 (no)\n\n"
        "Final-Recipient: rfc822;c@example.net\nAction: delayed\nStatus: 4.4.1\n--cut--\n"
    )
    kind = 'Content-Type: multipart/report; report-type=delivery-status; boundary="cut"'
    assert read(letter(report, kind)).bounce == Bounce(Severity.HARD, "5.7.1", "b@example.net", "")
    # Anybody may attach such a part: only a report is one.
    assert read(letter(report, kind.replace("report;", "mixed;"))).bounce is None


def test_a_warning_that_a_mail_is_late_counts_for_nothing() -> None:
    report = (
        "--cut\nContent-Type: message/delivery-status\n\n"
        "Final-Recipient: rfc822;bob@example.net\nAction: delayed\nStatus: 4.4.1\n--cut--\n"
    )
    kind = 'Content-Type: multipart/report; report-type=delivery-status; boundary="cut"'
    assert read(letter(report, kind)).bounce == Bounce(
        Severity.NONE, "4.4.1", "bob@example.net", ""
    )


def test_a_report_that_says_nothing_is_still_a_bounce() -> None:
    report = "--cut\nContent-Type: message/delivery-status\n\n\n--cut--\n"
    kind = 'Content-Type: multipart/report; boundary="cut"'
    assert read(letter(report, kind)).bounce == Bounce(Severity.NONE, "", "", "")


def test_a_complaint_names_the_mail_and_its_recipient() -> None:
    complaint = mail("complaint")
    assert complaint.complaint == Complaint("abuse", "bob@example.net", ORIGINAL)
    assert complaint.bounce is None
    assert is_machine(complaint) == "machine.report"


@pytest.mark.parametrize(
    ("field", "sign"),
    [
        ("List-Id: <friends.example.net>", "list.id"),
        ("Precedence: list", "list.precedence"),
        ("Precedence: bulk", ""),
    ],
)
def test_a_mailing_list_in_between_shows(field: str, sign: str) -> None:
    assert read(letter("5 fours", field)).mailing_list == sign


def test_who_else_got_a_mail_is_everybody_but_us_and_its_sender() -> None:
    copied = letter(
        "5 fours",
        "Cc: Bob <bob@example.net>, Alice <Alice@Example.ORG>, bob@EXAMPLE.net,",
        f" undisclosed-recipients:;, Us <{ADDRESS.upper()}>",
    )
    assert others(read(copied), our_domains=OURS) == ("bob@example.net",)
    assert others(read(letter()), our_domains=OURS) == ()


@pytest.mark.parametrize(
    ("subject", "is_forward"),
    [
        ("Fwd: [friday] Round 3", True),
        ("FW: [friday] Round 3", True),
        ("I: [friday] Round 3", True),
        ("TR : [friday] Round 3", True),
        ("RV: [friday] Round 3", True),
        ("WG: [friday] Round 3", True),
        ("Re: [friday] Round 3", False),
        ("R: [friday] Round 3", False),
        ("Rif: [friday] Round 3", False),
        ("RÉP : [friday] Round 3", False),
        ("AW: [friday] Round 3", False),
        ("Re[2]: [friday] Round 3", False),
        ("[friday] Round 3", False),
        ("Introduction: I", False),
    ],
)
def test_a_subject_says_whether_a_mail_was_passed_on(subject: str, is_forward: bool) -> None:
    assert (read(letter(subject=subject)).forward == "forward.subject") == is_forward
