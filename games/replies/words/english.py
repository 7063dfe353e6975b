from games.replies.words.table import Habits, Words

ENGLISH = Words(
    code="en",
    my_dice="my dice",
    status="status,state",
    history="history",
    help="help,?",
    cancel="cancel",
    stop_mail="stop mail,stop mails",
    accept="accept,i accept,join,yes,ok",
    decline="decline,i decline,no",
    polite="please,thanks",
    order="order,orders",
    say="say",
    habits=Habits(
        wrote="on … wrote",
        sender="from",
        original="original message",
        forwarded="forwarded message,begin forwarded message,original message from",
        answers="re",
        forwards="fwd,fw",
        away=(
            "out of office,automatic reply,auto reply,autoreply,auto-reply,auto:,autoreply:,"
            "out of the office,away from the office,i am away,on vacation,vacation reply,"
            "automatic response,auto response"
        ),
    ),
)
