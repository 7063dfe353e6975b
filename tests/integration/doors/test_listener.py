"""SMTP and LMTP, as mail servers speak it to the listener."""

import smtplib
import socket
import stat
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from perudo_site.doors import listener, protocol
from tests.integration.doors.serving import DOMAIN, desk, hears, listening, smtp

ALICE, BOB, NOBODY = f"alice@{DOMAIN}", f"bob@{DOMAIN}", f"nobody@{DOMAIN}"
MAIL = b"Subject: hi\r\n\r\n..caf\xc3\xa9\r\n"
TOO_LARGE = (b"x" * 998 + b"\r\n") * (protocol.LARGEST_MAIL // 1000 + 1)

pytestmark = pytest.mark.one_database


class TestTaking:
    def test_it_hands_over_what_it_was_sent(self) -> None:
        with desk() as (kept, port), smtp(port) as client:
            client.sendmail("ann@example.org", [ALICE, BOB], MAIL)
        assert kept.kept == [("ann@example.org", [ALICE, BOB], MAIL)]

    def test_the_null_sender_of_a_bounce_is_nobody(self) -> None:
        with desk() as (kept, port), smtp(port) as client:
            client.sendmail("", [ALICE], MAIL)
        assert kept.kept == [("", [ALICE], MAIL)]

    def test_it_was_received_when_its_last_line_came(self) -> None:
        with desk() as (kept, port), smtp(port) as client:
            client.ehlo()
            client.mail("ann@example.org")
            client.rcpt(ALICE)
            client.docmd("DATA")
            client.send(b"Subject: slow\r\n")
            time.sleep(0.3)
            before = datetime.now(UTC)
            client.send(b"\r\n5 fours\r\n.\r\n")
            assert client.getreply()[0] == 250
            after = datetime.now(UTC)
        assert before <= kept.times[0] <= after

    def test_lines_may_be_longer_than_the_standard_says(self) -> None:
        long = b"Subject: hi\r\n\r\n" + b"x" * 50_000 + b"\r\n"
        with desk() as (kept, port), smtp(port) as client:
            client.sendmail("ann@example.org", [ALICE], long)
        assert kept.kept[0][2] == long

    def test_addresses_may_be_written_in_any_script(self) -> None:
        with desk() as (kept, port), smtp(port) as client:
            client.sendmail("niño@example.org", [ALICE], MAIL, mail_options=["SMTPUTF8"])
        assert kept.kept[0][0] == "niño@example.org"

    def test_one_connection_brings_many_mails(self) -> None:
        with desk() as (kept, port), smtp(port) as client:
            for _ in range(30):
                client.sendmail("ann@example.org", [ALICE], MAIL)
        assert len(kept.kept) == 30

    def test_a_slow_database_holds_up_nobody_else(self) -> None:
        """One mail waits for its lock; another one comes and goes meanwhile."""
        free, waiting = threading.Event(), threading.Event()

        def deliver(sender: str, to: Sequence[str], raw: bytes, now: datetime) -> None:
            if sender.startswith("slow"):
                waiting.set()
                assert free.wait(10)

        with listening(lambda recipient: None, deliver) as port:
            slow = smtp(port)
            thread = threading.Thread(
                target=slow.sendmail, args=("slow@example.org", [ALICE], MAIL)
            )
            thread.start()
            try:
                assert waiting.wait(10)
                with smtp(port) as client:
                    client.sendmail("ann@example.org", [ALICE], MAIL)
            finally:
                free.set()
                thread.join(10)
                slow.close()


class TestRefusing:
    def test_an_unknown_recipient_is_refused_while_his_sender_is_there(self) -> None:
        with desk() as (kept, port), smtp(port) as client:
            refused = client.sendmail("ann@example.org", [NOBODY, ALICE], MAIL)
        assert refused == {NOBODY: (550, b"5.1.1 No such address here")}
        assert kept.kept == [("ann@example.org", [ALICE], MAIL)]

    def test_who_cannot_be_looked_up_is_asked_to_wait(self) -> None:
        with desk(out_of_order=frozenset({"lookup"})) as (_, port), smtp(port) as client:
            client.ehlo()
            client.mail("ann@example.org")
            assert client.rcpt(ALICE)[0] == 451

    def test_it_promises_nothing_that_it_cannot_keep(self) -> None:
        with (
            desk(out_of_order=frozenset({ALICE})) as (kept, port),
            smtp(port) as client,
            pytest.raises(smtplib.SMTPDataError) as refused,
        ):
            client.sendmail("ann@example.org", [ALICE], MAIL)
        assert refused.value.smtp_code == 451
        assert kept.kept == []

    @pytest.mark.parametrize("announced", [True, False])
    def test_it_refuses_a_mail_beyond_its_limit(self, announced: bool) -> None:
        with desk() as (kept, port), smtp(port) as client:
            client.ehlo()
            if announced:
                assert client.mail("ann@example.org", [f"SIZE={len(TOO_LARGE)}"])[0] == 552
                return
            client.mail("ann@example.org")
            client.rcpt(ALICE)
            assert client.data(TOO_LARGE)[0] == 552
            # And the conversation goes on.
            client.sendmail("ann@example.org", [ALICE], MAIL)
        assert kept.kept == [("ann@example.org", [ALICE], MAIL)]

    def test_a_search_for_addresses_ends_soon(self) -> None:
        with desk() as (_, port), smtp(port) as client:
            client.ehlo()
            client.mail("mallory@example.org")
            codes = [client.rcpt(f"{n}@{DOMAIN}")[0] for n in range(protocol.MOST_REFUSALS)]
            assert set(codes) == {550}
            # Even one who exists is not told any more.
            assert client.rcpt(ALICE)[0] == 450

    def test_a_mail_has_at_most_a_hundred_recipients(self) -> None:
        many = frozenset(f"{n}@{DOMAIN}" for n in range(protocol.MOST_RECIPIENTS + 1))
        with desk(known=many) as (kept, port), smtp(port) as client:
            refused = client.sendmail("ann@example.org", sorted(many), MAIL)
        assert [code for code, _ in refused.values()] == [452]
        assert len(kept.kept[0][1]) == protocol.MOST_RECIPIENTS

    def test_a_connection_too_many_is_sent_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocol, "MOST_CONNECTIONS", 2)
        with desk() as (_, port):
            first, second = smtp(port), smtp(port)
            assert hears(port).startswith("421 4.7.0 ")
            first.close()
            second.quit()
            deadline = time.monotonic() + 5
            while not hears(port).startswith("220 "):
                assert time.monotonic() < deadline

    def test_who_says_nothing_is_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocol, "IDLE_SECONDS", 0.2)
        with desk() as (_, port), socket.create_connection(("127.0.0.1", port)) as idle:
            idle.settimeout(5)
            assert idle.recv(1000).startswith(b"220 ")
            assert idle.recv(1000) == b""

    def test_who_repeats_himself_without_end_is_left(self) -> None:
        with desk() as (_, port), smtp(port) as client:
            codes = [client.noop()[0] for _ in range(21)]
        assert codes == [250] * 20 + [421]

    def test_it_is_no_relay_of_words(self) -> None:
        """Bare line feeds end no mail: nobody smuggles a second one in (SMTP smuggling)."""
        with desk() as (kept, port), smtp(port) as client:
            client.ehlo()
            client.mail("ann@example.org")
            client.rcpt(ALICE)
            client.docmd("DATA")
            client.send(
                b"Subject: one\r\n\r\n5 fours\n.\nMAIL FROM:<a@b>\nRCPT TO:<"
                + BOB.encode()
                + b">\nDATA\nSubject: two\n\n.\n\r\n.\r\n"
            )
            assert client.getreply()[0] == 250
        assert len(kept.kept) == 1

    def test_what_breaks_inside_is_not_told(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def fail(*_: object) -> str:
            raise RuntimeError(f"of {ALICE}")

        monkeypatch.setattr(protocol.Conversation, "handle_RCPT", fail)
        with desk() as (_, port), smtp(port) as client:
            client.ehlo()
            client.mail("ann@example.org")
            assert client.rcpt(ALICE) == (451, b"4.3.0 Could not be kept, try again later")
        assert "RuntimeError" in caplog.text
        assert ALICE not in caplog.text

    def test_an_address_that_is_no_text_is_refused(self) -> None:
        with desk() as (kept, port), smtp(port) as client:
            client.ehlo()
            client.send(b"MAIL FROM:<\xff@example.org>\r\n")
            assert client.getreply()[0] == 250
            client.send(b"RCPT TO:<\xff@" + DOMAIN.encode() + b">\r\n")
            assert client.getreply()[0] == 553
            client.rcpt(ALICE)
            client.data(MAIL)
        assert kept.kept[0][0] == "?@example.org"


class TestLmtp:
    where = listener.Where(is_lmtp=True)

    def test_each_recipient_has_an_answer_of_his_own(self) -> None:
        with (
            desk(where=self.where, out_of_order=frozenset({BOB})) as (kept, port),
            smtplib.LMTP("127.0.0.1", port) as client,
        ):
            client.ehlo()
            client.mail("ann@example.org")
            assert [client.rcpt(to)[0] for to in (ALICE, NOBODY, BOB)] == [250, 550, 250]
            assert client.data(MAIL)[0] == 250
            assert client.getreply()[0] == 451
        assert kept.kept == [("ann@example.org", [ALICE], MAIL)]

    def test_a_mail_beyond_the_limit_is_refused_to_each(self) -> None:
        with (
            desk(where=self.where) as (kept, port),
            smtplib.LMTP("127.0.0.1", port) as client,
        ):
            client.ehlo()
            client.mail("ann@example.org")
            client.rcpt(ALICE)
            client.rcpt(BOB)
            assert client.data(TOO_LARGE)[0] == 552
            assert client.getreply()[0] == 552
            client.sendmail("ann@example.org", [ALICE], MAIL)  # in step again
        assert len(kept.kept) == 1

    def test_it_speaks_on_a_socket_that_its_group_may_use(self, tmp_path: Path) -> None:
        path = tmp_path / "lmtp.sock"
        where = listener.Where(socket=str(path), is_lmtp=True)
        with desk(where=where) as (kept, _):
            assert stat.S_IMODE(path.stat().st_mode) == 0o660
            with smtplib.LMTP(str(path)) as client:
                client.sendmail("ann@example.org", [ALICE], MAIL)
        assert len(kept.kept) == 1
        assert not path.exists()

    def test_it_is_not_smtp(self) -> None:
        with (
            desk(where=self.where) as (_, port),
            smtplib.SMTP("127.0.0.1", port) as client,
        ):
            assert client.docmd("EHLO", "x")[0] == 500
