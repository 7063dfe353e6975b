from games.replies.words.table import Habits, Words

ITALIAN = Words(
    code="it",
    my_dice="i miei dadi",
    status="stato",
    history="storico,cronologia",
    help="aiuto",
    cancel="annulla",
    stop_mail="basta mail,stop mail",
    accept="accetto,partecipo,sì",
    decline="rifiuto,no",
    polite="per favore,grazie",
    order="ordine,ordini",
    say="dire,messaggio",
    habits=Habits(
        wrote="il … ha scritto,il … scrive,in data … ha scritto,in data … scrive",
        sender="da",
        original="messaggio originale",
        forwarded="messaggio inoltrato,inizio messaggio inoltrato,inizio del messaggio inoltrato",
        answers="r,rif,ris",
        forwards="i,inoltra",
        away=(
            "risposta automatica,fuori ufficio,fuori sede,assente,assenza,messaggio automatico,"
            "in ferie,sono in ferie"
        ),
    ),
)
