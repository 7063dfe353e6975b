r"""Mails that players send, as a pure library: this page is its manual and is run as a test.

Raw bytes go in; one command comes out, or a reason. Nothing here knows a database, a clock or a
player. ``docs/mail.md`` is the grammar for players.

**Reading.** ``read`` takes a mail apart and never raises, whatever the bytes.

>>> from games.replies import *
>>> raw = (
...     b"From: Alice <alice@Example.org>\r\n"
...     b"To: m-7h3k@in.play.example, bob@example.net\r\n"
...     b"Subject: Re: [friday] Round 3\r\n"
...     b"Authentication-Results: mx.play.example; dmarc=pass header.from=example.org\r\n"
...     b"\r\n"
...     b"Five fours, please\r\n\r\n"
...     b"On Mon, 3 Jun 2024, Perudo wrote:\r\n> " + MARKER.encode()
... )
>>> mail = read(raw)
>>> mail.senders, mail.subject, mail.text.shown
(('alice@example.org',), 'Re: [friday] Round 3', 'Five fours, please')

**Its steps** are the caller's, in this order. No machine is answered:

>>> is_machine(mail, envelope_sender="alice@example.org", our_domains=["in.play.example"])
''
>>> mail.bounce, mail.complaint, is_machine(mail, envelope_sender="")
(None, None, 'machine.null-sender')

A mail that came before has the same key:

>>> repeat_key(mail, token="m-7h3k") == repeat_key(read(raw), token="m-7h3k")
True

The sender is one of the player's verified addresses, and somebody vouches for him:

>>> trust = judge_sender(mail, verified=["alice@example.org"], border=Border("mx.play.example"))
>>> trust.effect, trust.code
(<Effect.ACT: 'act'>, 'sender.proven')
>>> judge_sender(mail, verified=["carol@example.org"], border=Border()).code
'sender.stranger'

It is no mail of ours that was passed on; others may have got a copy:

>>> mail.forward, others(mail, our_domains=["in.play.example"])
('', ('bob@example.net',))

Then its line counts. ``command_of`` compares the text with the HTML, and gives an ``Offer`` for a
command that stands in the subject of an empty mail: that one needs a confirmation.

>>> command_of(mail, most=30)
Command(verb=<Verb.BID: 'bid'>, bid=Bid(quantity=5, face=4), order=None, said='', code=None)

**A line alone** is a command, or the reason why it is none with what it might have meant.

>>> str(parse_command("prossima: sei quattro sennò dudo").order)
'bid 6x4; else dudo'
>>> refused = parse_command("54")
>>> refused.reason, [str(each.bid) for each in refused.readings]
(<Reason.TWO_READINGS: 'two-readings'>, ['5x4', '4x5'])
"""

from games.replies.choose import command_of
from games.replies.command import MOST_SAID, Command, Offer, Reason, Unread, Verb
from games.replies.grammar import parse_command
from games.replies.incoming import (
    MARKER,
    Bounce,
    Complaint,
    Incoming,
    Line,
    Severity,
    Trouble,
    Verdict,
)
from games.replies.reading import read
from games.replies.repeats import repeat_key
from games.replies.signs import MACHINE_SIGNS, is_machine, others
from games.replies.trust import CODES as TRUST_CODES
from games.replies.trust import Border, Effect, Trust, WithoutBorder, judge_sender

__all__ = [
    "MACHINE_SIGNS",
    "MARKER",
    "MOST_SAID",
    "TRUST_CODES",
    "Border",
    "Bounce",
    "Command",
    "Complaint",
    "Effect",
    "Incoming",
    "Line",
    "Offer",
    "Reason",
    "Severity",
    "Trouble",
    "Trust",
    "Unread",
    "Verb",
    "Verdict",
    "WithoutBorder",
    "command_of",
    "is_machine",
    "judge_sender",
    "others",
    "parse_command",
    "read",
    "repeat_key",
]
