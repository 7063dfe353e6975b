"""Mail programs of players who write in one of our languages and read another."""

from games.replies.words.table import Habits

GERMAN = Habits(
    wrote="am … schrieb,am … schrieben",
    sender="von",
    original="ursprüngliche nachricht,originalnachricht",
    forwarded="weitergeleitete nachricht,anfang der weitergeleiteten nachricht",
    answers="aw,antw",
    forwards="wg",
    away="automatische antwort,abwesenheitsnotiz,abwesenheit,abwesend,nicht im büro",
)
DUTCH = Habits(
    wrote="op … schreef",
    sender="van",
    original="oorspronkelijk bericht",
    forwarded="doorgestuurd bericht,begin doorgestuurd bericht",
    answers="antw",
    forwards="doorst",
    away="automatisch antwoord,afwezig,niet aanwezig",
)
SWEDISH = Habits(
    wrote="den … skrev",
    sender="från",
    original="ursprungligt meddelande",
    forwarded="vidarebefordrat meddelande,vidarebefordrat brev",
    answers="sv",
    forwards="vb",
    away="automatiskt svar,frånvaro,autosvar,inte på kontoret",
)
POLISH = Habits(
    wrote="dnia … napisał,w dniu … pisze",
    sender="od",
    original="oryginalna wiadomość,wiadomość oryginalna",
    forwarded="przekazana wiadomość,treść przekazanej wiadomości",
    answers="odp",
    forwards="pd",
    away="odpowiedź automatyczna,automatyczna odpowiedź,poza biurem,nieobecność",
)

OTHERS = (GERMAN, DUTCH, SWEDISH, POLISH)
