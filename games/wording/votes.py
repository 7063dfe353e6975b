"""Votes of a table, and games that ended without a winner, in words."""

from types import MappingProxyType

from django.utils.translation import gettext_lazy

from games.clock import Question

_QUESTIONS = MappingProxyType(
    {
        Question.PAUSE: gettext_lazy("Let all clocks stand still for three days?"),
        Question.EXTEND: gettext_lazy("Give the player to move 24 hours more for this turn?"),
        Question.CANCEL: gettext_lazy("Call the game off, without a winner?"),
        Question.BOT: gettext_lazy("Let a bot take over the seat that nobody holds?"),
    }
)
_ENDS = MappingProxyType(
    {
        "vote": gettext_lazy("The players voted to call the game off. It has no winner."),
        "abandoned": gettext_lazy(
            "Nobody had been there for 72 hours, so the game was called off. It has no winner."
        ),
    }
)


def question_text(question: Question) -> str:
    """Return what is voted on."""
    return str(_QUESTIONS[question])


def called_off_sentence(why: str) -> str:
    """Return why a game that had begun was called off; nothing for one that had not."""
    return str(_ENDS.get(why, ""))
