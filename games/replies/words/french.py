from games.replies.words.table import Habits, Words

FRENCH = Words(
    code="fr",
    my_dice="mes dés",
    status="état,statut",
    history="historique",
    help="aide",
    cancel="annule,annuler",
    stop_mail="stop mail,stop mails,plus de mails",
    accept="accepte,j'accepte,je participe,oui",
    decline="refuse,je refuse,non",
    polite="s'il te plaît,s'il vous plaît,merci",
    order="ordre,ordres",
    say="dire,message",
    habits=Habits(
        wrote="le … a écrit",
        sender="de",
        original="message d'origine,message original",
        forwarded="message transféré,message transmis,début du message réexpédié,"
        "début du message transféré",
        answers="re,réf,rép",
        forwards="tr,trans",
        away=(
            "réponse automatique,absence du bureau,absent,absente,en congés,en vacances,"
            "notification d'absence,message automatique,message d'absence"
        ),
    ),
)
