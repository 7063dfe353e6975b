"""The words of orders and bids in English, Italian, French and Spanish, all of them always on.

A phrase is written as a player would, without accents and in small letters; phrases of a row are
kept apart by commas. Where languages share a word, its place in the sentence decides what it means
(docs/orders.md), so each table is looked up only where its meaning can stand. Mail commands use the
same tables for numbers, faces and calls.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Generic, TypeVar

from games.orders.order import Call, ChanceOf, Relation
from games.orders.tokens import Token, tokenize

Meaning = TypeVar("Meaning")


class Phrases(Generic[Meaning]):
    """A table from phrases to what they mean, matched by the longest phrase at a place."""

    def __init__(self, rows: Iterable[tuple[Meaning, str]]) -> None:
        found: dict[tuple[str, ...], Meaning] = {}
        for meaning, phrases in rows:
            for phrase in phrases.split(","):
                found.setdefault(tuple(token.text for token in tokenize(phrase)), meaning)
        self.meanings: Mapping[tuple[str, ...], Meaning] = MappingProxyType(found)
        self._longest = max(map(len, found))

    def match(self, tokens: list[Token], at: int) -> tuple[Meaning, int] | None:
        """Return the meaning of the longest phrase that begins ``at``, and where it ends."""
        texts = tuple(token.text for token in tokens[at : at + self._longest])
        for length in range(len(texts), 0, -1):
            if texts[:length] in self.meanings:
                return self.meanings[texts[:length]], at + length
        return None


def _one(phrases: str) -> Phrases[bool]:
    return Phrases([(True, phrases)])


CALLS = Phrases(
    [
        (
            Call.DUDO,
            "dudo,i doubt,i doubt it,doubt,liar,challenge,dubito,non ci credo,bugiardo,bugiarda,"
            "je doute,menteur,menteuse,mentira,mentiroso,mentirosa",
        ),
        (
            Call.CALZA,
            "calza,spot on,exact,exactly,esatto,esatta,occhio di bue,tout pile,calzo,exacto,cazo",
        ),
        (
            Call.LEAST,
            "least,least raise,the least,minimum,min,minimo,il minimo,rilancio minimo,"
            "le minimum,relance minimale,lo minimo,el minimo,subida minima",
        ),
        (
            Call.ASK,
            "ask,ask me,chiedi,chiedimi,demande,demande moi,demande-moi,pregunta,preguntame",
        ),
    ]
)

PASS = _one("pass,none,passo,nessuno,passe,aucun,paso,ninguno")

LEAD = _one(
    "bid,i bid,i say,raise,raise to,dico,punto,punta,rilancio,rilancia,rilancia a,rilancio a,"
    "je dis,j'annonce,annonce,relance,relance a,digo,apuesto,apuesta,subo a,sube a,sube"
)

AT_LEAST = _one("at least,almeno,au moins,al menos,por lo menos,como minimo")

RELATIONS = Phrases(
    [
        (
            Relation.BELOW,
            "below,under,less than,<,sotto,sotto il,sotto al,meno di,meno del,"
            "sous,moins de,en dessous de,au dessous de,bajo,bajo el,menos de,menos del,"
            "por debajo de",
        ),
        (
            Relation.FROM,
            "from,at least,>=,da,dal,almeno,a partire da,a partir de,au moins,desde,al menos,"
            "por lo menos",
        ),
        (
            Relation.ABOVE,
            "above,over,more than,>,sopra,sopra il,sopra al,oltre,oltre il,piu di,piu del,"
            "plus de,au dessus de,au-dessus de,mas de,mas del,por encima de",
        ),
        (
            Relation.ON,
            "on,exactly,exact,=,su,sul,esattamente,esatto,sur,exactement,en,exactamente,exacto",
        ),
    ]
)

OR_MORE = _one("or more,+,o piu,ou plus,o mas")

CHANCES: Phrases[ChanceOf | None] = Phrases(
    [
        (ChanceOf.HOLDS, "holds,regge,tient,vale"),
        (ChanceOf.EXACT, "exact,exactly,esatto,esatta,exacte,exacto,exacta"),
        (None, "chance,the chance,odds,probabilita,probabilite,probabilidad"),
    ]
)

PERCENT = _one("%,percent,per cent,per cento,pour cent,por ciento")

IF = _one("if,when,se,quando,si,quand,cuando")
THEN = _one("then,allora,alors,entonces")
AND = _one("and,&,e,et,y")
ELSE = _one("else,otherwise,altrimenti,senno,se no,sinon,si no")
NEXT = _one("next,prossima,ensuite,proxima")
OPENING = _one(
    "opening,when opening,to open,i open,if i open,no bid,apertura,in apertura,apro,se apro,"
    "ouverture,a l'ouverture,j'ouvre,si j'ouvre,al abrir,abro,si abro"
)

ANYTHING = _one(
    "of anything,of any face,of any,dice,di qualsiasi,di qualunque,di tutto,dadi,"
    "de n'importe quoi,des,de lo que sea,de cualquiera,dados"
)

JOINER = _one("x,×,*,-,/,times,of,di,dadi da,volte,de,des de,fois,dados de,veces")

NUMBERS = Phrases(
    [
        (1, "one,un,uno,une"),
        (2, "two,due,deux,dos"),
        (3, "three,tre,trois,tres"),
        (4, "four,quattro,quatre,cuatro"),
        (5, "five,cinque,cinq,cinco"),
        (6, "six,sei,seis"),
        (7, "seven,sette,sept,siete"),
        (8, "eight,otto,huit,ocho"),
        (9, "nine,nove,neuf,nueve"),
        (10, "ten,dieci,dix,diez"),
        (11, "eleven,undici,onze,once"),
        (12, "twelve,dodici,douze,doce"),
        (13, "thirteen,tredici,treize,trece"),
        (14, "fourteen,quattordici,quatorze,catorce"),
        (15, "fifteen,quindici,quinze,quince"),
        (16, "sixteen,sedici,seize,dieciseis"),
        (17, "seventeen,diciassette,dix-sept,dix sept,diecisiete"),
        (18, "eighteen,diciotto,dix-huit,dix huit,dieciocho"),
        (19, "nineteen,diciannove,dix-neuf,dix neuf,diecinueve"),
        (20, "twenty,venti,vingt,veinte"),
    ]
)
"""Quantities in words; above twenty they are written in digits."""

FACES = Phrases(
    [
        (
            1,
            "ace,aces,one,ones,paco,pacos,wild,wilds,joker,jokers,llama,llamas,toucan,toucans,"
            "asso,assi,uno,uni,jolly,pachi,lama,lame,lamas,tucano,tucani,teste,as,un,uns,pakito,"
            "pakitos,ases,unos,bala,balas,comodin,comodines",
        ),
        (2, "two,twos,deuce,deuces,due,deux,dos,doses,tonto,tontos,don,dones,pato,patos"),
        (3, "three,threes,trey,treys,tre,trois,tres,treses,tren,trenes"),
        (
            4,
            "four,fours,quattro,quatre,cuatro,cuatros,cuadra,cuadras,perro,perros",
        ),
        (5, "five,fives,cinque,cinq,cinco,cincos,quina,quinas"),
        (6, "six,sixes,sei,seis,seises,cena,cenas,sexta,sextas,sexto,sextos,samba,sambas"),
    ]
)
"""The faces in words, one or many; the ace is 1."""
