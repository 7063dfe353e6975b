"""The rows of a language: phrases as people write them, kept apart by commas."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """What mail programs write by themselves. It is never a command and never plays."""

    wrote: str
    """Before a quote: how the line begins, ``…``, how it ends before its colon."""
    sender: str
    """The first label of a quoted header, before its colon."""
    original: str
    """Between dashes, over a mail that is answered."""
    forwarded: str
    """Between dashes or with a colon, over a mail that is passed on."""
    answers: str
    """Before the subject of an answer; a colon follows."""
    forwards: str
    """Before the subject of a mail that is passed on; a colon follows."""
    away: str
    """How the subject of an automatic answer begins."""


@dataclass(frozen=True, slots=True)
class Words:
    """The commands of a language, beside those of standing orders."""

    code: str
    my_dice: str
    status: str
    history: str
    help: str
    cancel: str
    stop_mail: str
    accept: str
    decline: str
    polite: str
    """After a command, without meaning anything."""
    order: str
    """Before a colon and a standing order; the words for "next" are those of orders."""
    say: str
    """Before a colon and a sentence for all players. Letters of the alphabet only."""
    habits: Habits
