"""The grammar of mail commands once more, from the tables of its specification.

It shares nothing with ``games.replies``: words are typed in again, and a line is read by trying
every way to cut its tokens into a lead, a quantity, a separator, a face and a courtesy. It is slow
and finds every reading there is.
"""

import re
import unicodedata
from collections.abc import Iterator
from random import Random

Tokens = tuple[str, ...]

NUMBERS = """
1 one un uno une | 2 two due deux dos | 3 three tre trois tres | 4 four quattro quatre cuatro
| 5 five cinque cinq cinco | 6 six sei seis | 7 seven sette sept siete | 8 eight otto huit ocho
| 9 nine nove neuf nueve | 10 ten dieci dix diez | 11 eleven undici onze once
| 12 twelve dodici douze doce | 13 thirteen tredici treize trece
| 14 fourteen quattordici quatorze catorce | 15 fifteen quindici quinze quince
| 16 sixteen sedici seize dieciséis | 17 seventeen diciassette dix-sept dix_sept diecisiete
| 18 eighteen diciotto dix-huit dix_huit dieciocho
| 19 nineteen diciannove dix-neuf dix_neuf diecinueve | 20 twenty venti vingt veinte
"""
FACES = """
1 ace aces one ones paco pacos wild wilds joker jokers llama llamas toucan toucans
  asso assi uno uni jolly pachi lama lame tucano tucani teste
  as un uns pakito pakitos lamas ases unos bala balas comodín comodines
| 2 two twos deuce deuces due deux dos doses tonto tontos don dones pato patos
| 3 three threes trey treys tre trois tres treses tren trenes
| 4 four fours quattro quatre cuatro cuatros cuadra cuadras perro perros
| 5 five fives cinque cinq cinco cincos quina quinas
| 6 six sixes sei seis seises cena cenas sexta sextas sexto sextos samba sambas
"""
LEADS = """
bid|i bid|i say|raise to|dico|punto|rilancio|je dis|j'annonce|digo|apuesto|subo a
|raise|punta|rilancia|rilancia a|rilancio a|annonce|relance|relance a|apuesta|sube|sube a
"""
JOINERS = "times|of|di|de|volte|fois|veces|dadi da|dés de|dados de"
POLITE = "please|thanks|per favore|grazie|s'il te plaît|s'il vous plaît|merci|por favor|gracias"
VERBS = {
    "dudo": "dudo|i doubt|i doubt it|doubt|liar|challenge|dubito|non ci credo|bugiardo|bugiarda"
    "|je doute|menteur|menteuse|mentira|mentiroso|mentirosa",
    "calza": "calza|spot on|exact|exactly|esatto|esatta|occhio di bue|tout pile|calzo|exacto|cazo",
    "pass": "pass|none|passo|nessuno|passe|aucun|paso|ninguno",
    "my-dice": "my dice|i miei dadi|mes dés|mis dados",
    "status": "status|state|stato|état|statut|estado",
    "help": "help|?|aiuto|aide|ayuda",
    "cancel": "cancel|annulla|annule|annuler|cancela|cancelar",
    "history": "history|storico|cronologia|historique|historial|historia",
    "stop-mail": "stop mail|stop mails|basta mail|plus de mails|no más correo|no más correos"
    "|basta de correo",
    "accept": "accept|i accept|join|yes|ok|accetto|partecipo|sì|accepte|j'accepte|je participe|oui"
    "|acepto|aceptar|participo",
    "decline": "decline|i decline|no|rifiuto|refuse|je refuse|non|rechazo|rechazar",
}


def tokens(line: str) -> Tokens:
    """Return a line's words, numbers, spaces and marks, without case and accents."""
    apart = unicodedata.normalize("NFKD", line.casefold())
    bare = "".join(char for char in apart if unicodedata.category(char) != "Mn")
    return tuple(re.findall(r"[a-z]+|[0-9]+| |.", " ".join(bare.split())))


def _phrases(row: str) -> list[Tokens]:
    return [tokens(phrase.strip().replace("_", " ")) for phrase in row.split("|")]


def _numbered(table: str) -> dict[Tokens, int]:
    rows = [row.split() for row in table.split("|")]
    return {tokens(word.replace("_", " ")): int(row[0]) for row in rows for word in row[1:]}


QUANTITY = _numbered(NUMBERS) | {(str(number),): number for number in range(1, 100)}
FACE_WORDS = _numbered(FACES)
FACE = FACE_WORDS | {
    (str(face), *plural): face for face in range(1, 7) for plural in ((), ("s",), ("'", "s"))
}
LEAD = {()} | {(*phrase, " ") for phrase in _phrases(LEADS)}
MARKS = ("x", "×", "*", "-", "/")
SEPARATOR = (
    {(" ",)}
    | {
        (*before, mark, *behind)
        for mark in MARKS
        for before in ((), (" ",))
        for behind in ((), (" ",))
    }
    | {(" ", *joiner, " ") for joiner in _phrases(JOINERS)}
)
COURTESIES = _phrases(POLITE)
WORDS = {phrase: verb for verb, row in VERBS.items() for phrase in _phrases(row)}
AROUND = set(" .!¡,;:*_\"'()[]{}")


def readings(line: str, *, most: int) -> set[str]:
    """Return everything that ``line`` can mean: bids as ``5x4``, other commands by name."""
    read = list(tokens(line))
    while read and read[0] in AROUND:
        read.pop(0)
    while read and read[-1] in AROUND:
        read.pop()
    whole = tuple(read)
    found = {
        WORDS[whole[:end]]
        for end in range(1, len(whole) + 1)
        if whole[:end] in WORDS and _ends(whole[end:])
    }
    return found | {bid for bid in _bids(whole, most) if bid}


def _ends(rest: Tokens) -> bool:
    """Say whether nothing is left, or a courtesy behind a space and any commas and stops."""
    return rest == () or any(
        rest[-len(polite) :] == polite
        and set(rest[: -len(polite)]) <= {" ", ",", ".", "!"}
        and rest[-len(polite) - 1 : -len(polite)] == (" ",)
        for polite in COURTESIES
    )


def _bids(whole: Tokens, most: int) -> Iterator[str]:
    length = len(whole)
    for a in range(min(length, 5) + 1):
        if whole[:a] not in LEAD:
            continue
        for b in range(a + 1, min(length, a + 4) + 1):
            quantity = QUANTITY.get(whole[a:b], 0)
            if not 1 <= quantity <= most:
                continue
            for c in range(b + 1, min(length, b + 6) + 1):
                for d in range(c + 1, min(length, c + 4) + 1):
                    face = FACE.get(whole[c:d])
                    if face is None or whole[b:c] not in SEPARATOR or not _ends(whole[d:]):
                        continue
                    if not _is_ambiguous(whole[a:b], whole[b:c], whole[c:d], whole[d:]):
                        yield f"{quantity}x{face}"


def _is_ambiguous(quantity: Tokens, separator: Tokens, face: Tokens, end: Tokens) -> bool:
    """Say whether two words that make a bid are more often something else."""
    if quantity == ("once",):
        return separator != (" ",) or face not in FACE_WORDS or end != ()
    number = QUANTITY[quantity] if not quantity[0].isdigit() else 0
    hyphened = tuple(token for token in separator if token != " ") in ((), ("-",))
    return number == 20 and hyphened and face in _numbered(NUMBERS)


VOCABULARY = sorted(
    {
        *(" ".join(phrase) for phrase in (*QUANTITY, *FACE, *WORDS)),
        *(" ".join(phrase).strip() for phrase in (*LEAD, *COURTESIES)),
        *JOINERS.split("|"),
    }
)


def _end(rng: Random) -> Tokens:
    courtesy = (rng.choice((" ", ", ", ". ", "! ", " , ")), *rng.choice(COURTESIES))
    return rng.choice(((), (), courtesy))


_PIECES = (
    lambda rng: rng.choice(sorted(LEAD)),
    lambda rng: rng.choice(sorted(QUANTITY)),
    lambda rng: rng.choice(sorted(SEPARATOR)),
    lambda rng: rng.choice(sorted(FACE)),
    _end,
)
_NOISE = [
    "?",
    ",",
    ".",
    "x",
    " ",
    "  ",
    "-",
    "0",
    "7",
    "31",
    "100",
    "s",
    "'s",
    "dudo",
    "no",
    ":",
    "e",
]


def random_line(rng: Random) -> str:
    """Return a line that is a command, almost one, a heap of its words, or nothing of the kind."""
    kind = rng.random()
    if kind < 0.2:
        return " ".join(rng.choice(VOCABULARY) for _ in range(rng.randint(1, 4)))
    if kind < 0.3:
        return "".join(rng.choice("abdeous 0123456789x-'*/,.?!") for _ in range(rng.randint(1, 9)))
    if kind < 0.4:
        line = "".join(rng.choice(sorted(WORDS)) + _end(rng))
    else:
        line = "".join("".join(piece(rng)) for piece in _PIECES)
    for _ in range(rng.choice((0, 0, 1, 2))):
        at = rng.randrange(len(line) + 1)
        line = rng.choice(
            (
                line[:at] + rng.choice(_NOISE) + line[at:],
                line[:at] + line[at + 1 :],
                line[:at] + " " + line[at:],
                line.upper(),
                line[:at] + line[max(0, at - 3) : at] + line[at:],
            )
        )
    return line
