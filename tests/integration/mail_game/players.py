"""Four players who write in four languages, from four mail programs, and never open the site."""

from collections.abc import Mapping
from dataclasses import dataclass

from games import rules
from tests.integration.mail_game import programs
from tests.integration.mail_game.programs import Program


@dataclass(frozen=True, slots=True)
class Writer:
    """How one player writes. ``bid`` is his way to say so many dice of a face."""

    name: str
    language: str
    program: Program
    quantities: tuple[str, ...]
    faces: Mapping[int, str]
    dudo: str
    calza: str
    yes: str

    def words_for(self, move: rules.Move) -> str:
        """Return the one line that says a move."""
        match move:
            case rules.MakeBid(bid=bid):
                return f"{self.quantities[bid.quantity]} {self.faces[bid.face]}"
            case rules.Dudo():
                return self.dudo
            case rules.Calza():
                return self.calza
        raise AssertionError(move)

    @property
    def address(self) -> str:
        return f"{self.name}@example.org"


def _faces(words: str) -> dict[int, str]:
    return dict(enumerate(words.split(","), start=1))


WRITERS = (
    Writer(
        "alice", "en", programs.gmail,
        ("", *[f"I bid {number}" for number in range(1, 21)]),
        _faces("aces,twos,threes,fours,5s,sixes"), "Dudo!", "spot on", "yes",
    ),
    Writer(
        "bob", "it", programs.outlook,
        ("", "un", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "9"),
        _faces("assi,2,3,4,5,6"), "Dubito.", "esatto", "sì",
    ),
    Writer(
        "carol", "fr", programs.apple,
        ("", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "9"),
        _faces("as,deux,trois,quatre,cinq,six"), "je doute", "tout pile", "oui",
    ),
    Writer(
        "dave", "es", programs.thunderbird,
        ("", *[f"{number} de" for number in range(1, 21)]),
        _faces("ases,dos,trenes,cuadras,quinas,seis"), "mentiroso", "calzo", "sí",
    ),
)  # fmt: skip
