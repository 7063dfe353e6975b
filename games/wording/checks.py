"""What a check of a game's dice found, in words (docs/pf1.md section 5).

The browser computes the findings and knows them by their codes; the sentences are the server's, in
the reader's language. ``{line}``, ``{player}`` and the like are filled in by the browser.
"""

from django.utils.translation import gettext as _

CHECKS = tuple(f"V{number}" for number in range(10))


def check_titles() -> dict[str, str]:
    """Return what each check is about, by its name."""
    return {
        "V0": _("The file is whole and in its one form"),
        "V1": _("The secret is the one that was promised"),
        "V2": _("The log hangs together"),
        "V3": _("Chance chose the seats and who opens"),
        "V4": _("The public beacon"),
        "V5": _("The dice were sealed before the first bid"),
        "V6": _("The lifted cups are the sealed cups"),
        "V7": _("The game was played by its rules"),
        "V8": _("Anything out of the ordinary"),
        "V9": _("The seals in your mails"),
    }


def check_sentences() -> dict[str, str]:
    """Return the sentence for each code that a check may find."""
    unread = _("Not looked at: the file could not be read.")
    return {
        **_of_the_file(),
        **_of_the_dice(),
        **_of_the_play(),
        **_of_the_reader(),
        **{f"{check}.unread": unread for check in CHECKS},
    }


def _of_the_file() -> dict[str, str]:
    return {
        "V0.ok": _("All {lines} lines can be read, to the byte."),
        "V0.empty": _("The file is empty."),
        "V0.utf8": _("Line {line} is not text (UTF-8)."),
        "V0.json": _("Line {line} is not JSON."),
        "V0.fields": _("Line {line} is not an event that a game can have."),
        "V0.canonical": _("Line {line} is not written in the one form that counts."),
        "V0.order": _("Line {line} tells something that cannot happen at that moment."),
        "V0.cut": _("The file ends in the middle of line {line}."),
        "V0.broken": _("The file cannot be read, or this browser cannot check it."),
        "V1.ok": _("The secret was opened, and it fits the fingerprint published before."),
        "V1.partly": _("A secret that was replaced was opened and fits; the newest is still shut."),
        "V1.closed": _("The secret is opened when the game ends: until then it cannot be checked."),
        "V1.never": _("This table chose never to show covered cups, so the secret stays shut."),
        "V1.differs": _("The secret opened in line {line} is not the one that was promised."),
        "V2.ok": _(
            "Each of the {lines} lines is chained to the one before. Whether everybody was given "
            "this log shows when you compare seals."
        ),
        "V2.hash": _("Line {line} does not fit its own hash and the line before it."),
        "V2.gap": _("Before line {line} something is missing, or was put in."),
    }


def _of_the_dice() -> dict[str, str]:
    return {
        "V3.ok": _("The seats and the opener follow from the secret and what the players added."),
        "V3.closed": _("Nothing speaks against them; the proof takes the secret, at the end."),
        "V3.not-started": _("The game has not begun."),
        "V3.seats": _("The seats in line {line} are not those that chance gave."),
        "V3.starter": _("Line {line} chooses who opens in another way than the rules say."),
        "V3.roll-off": _("The roll-off in line {line} is not the one that was rolled."),
        "V3.opener": _("Line {line} lets a seat open that may not."),
        "V4.ok": _(
            "Each round’s beacon was named before it was known ({rounds} times). That its value is "
            "the beacon’s own takes a look at drand: this page does not ask other sites."
        ),
        "V4.no-beacon": _("This game rolls without a public beacon."),
        "V4.none-yet": _("No round was rolled with the beacon yet."),
        "V4.chain": _("Line {line} names a beacon that is not the public one."),
        "V4.round": _("Line {line} names another beacon round than its time allows."),
        "V4.beacon": _("The beacon’s value in line {line} does not fit its signature."),
        "V4.switched": _("Line {line} uses a beacon round that was not announced."),
        "V4.dropped": _("Line {line} rolls without the beacon though nobody voted for it."),
        "V4.empty": _("Line {line} names a beacon where there is none."),
        "V5.ok": _("All seals, cups and dice fit, lifted or not. Rounds: {rounds}."),
        "V5.bound": _(
            "All seals fit their cups, so no die can be changed any more. Rounds: {rounds}. "
            "Cups that stayed covered are checked when the secret is opened."
        ),
        "V5.never": _(
            "All seals fit their cups, so no die can be changed any more. Rounds: {rounds}. "
            "Cups that stayed covered stay so: this table chose it."
        ),
        "V5.none-yet": _("Nothing was rolled yet."),
        "V5.order": _("The cups in line {line} are out of order."),
        "V5.leaf": _("The dice of {player} sealed in line {line} are not those that chance gave."),
        "V5.cup": _("The cup of {player} in line {line} does not fit its dice."),
        "V5.seal": _("The seal in line {line} does not fit its cups."),
        "V6.ok": _("Every lifted cup shows what was sealed. Cups: {keys}."),
        "V6.so-far": _("Every cup lifted so far shows what was sealed. Cups: {keys}."),
        "V6.none-yet": _("No cup was lifted yet."),
        "V6.seats": _("Line {line} has keys for other cups than it lifts."),
        "V6.dice": _("The dice that {player} is said to have in line {line} were not in the cup."),
        "V6.leaf": _("The cup of {player} lifted in line {line} is not the one that was sealed."),
        "V6.key": _("The key of {player}’s cup in line {line} does not follow from the secret."),
    }


def _of_the_play() -> dict[str, str]:
    return {
        "V7.ok": _("Every turn, bid, count, loss and the winner are as the rules want them."),
        "V7.so-far": _("Every turn, bid, count and loss so far is as the rules want it."),
        "V7.not-started": _("The game has not begun."),
        "V7.rules": _("The rules in line {line} are none that can be replayed."),
        "V7.seats": _("Line {line} seats more players than the rules allow."),
        "V7.never": _("Line {line} opens the secret of a table that chose never to."),
        "V7.reason": _("Line {line} says wrongly whether the game was over."),
        "V7.over": _("Line {line} goes on though the game was over."),
        "V7.round": _("Line {line} belongs to another round."),
        "V7.cups": _("Line {line} rolls other dice than the players had."),
        "V7.turn": _("In line {line} somebody bids out of turn."),
        "V7.bid": _("The bid in line {line} is against the rules."),
        "V7.call": _("Line {line} is a call that the rules do not allow."),
        "V7.bid-named": _("Line {line} judges another bid than the one that stood."),
        "V7.lifted": _("The cups lifted in line {line} are not those that the rules lift."),
        "V7.count": _("The count in line {line} is wrong."),
        "V7.loss": _("Line {line} takes or gives a die to the wrong player."),
        "V7.next": _("Line {line} is wrong about who opens the next round, or how."),
        "V7.winner": _("Line {line} is wrong about the winner."),
        "V8.ok": _("Nothing: no round was rolled anew, and no secret was replaced."),
        "V8.epoch": _("Line {line}: after a restore, round {round} was rolled anew."),
        "V8.rekey": _("Line {line}: after a restore, the secret was opened and replaced."),
        "V8.fallback": _("Line {line}: the table voted to roll round {round} without the beacon."),
        "V8.differs": _("Line {line} counts wrongly how often the round was rolled."),
    }


def _of_the_reader() -> dict[str, str]:
    return {
        "V9.no-mail": _("Paste lines from your mails below, and they are compared here."),
        "V9.no-lines": _("What you pasted has no line that begins with “Seal”."),
        "V9.ok": _("Every seal that you pasted is the one in this game. Compared: {seals}."),
        "V9.partly": _("Compared: {seals}, and they fit. Newer than this file: {newer}."),
        "V9.newer": _("What you pasted is newer than this file. Load the page again."),
        "V9.unreadable": _("One of the lines cannot be read. Copy it whole, with all 26 letters."),
        "V9.missing": _("Your mail has a seal “{name}” that this game does not have."),
        "V9.differs": _("The seal “{name}” in your mail is not the one in line {line}."),
        "V9.position": _("The seal “{name}” stands elsewhere in the log than your mail says."),
        "own.ok": _("Your dice of this round are what was sealed."),
        "own.differs": _("Your dice of this round are not what was sealed in line {line}."),
        "own.no-seal": _("The seal of this round is not in the log yet. Load the page again."),
        "loading": _("Checking…"),
        "holds": _("Everything that can be checked so far holds."),
        "all-holds": _("The game is open, and everything holds."),
        "fails": _("Something does not hold: see line {line}."),
        "fails-somewhere": _("Something does not hold."),
        "not-loaded": _("The log of this game could not be loaded. Try again in a moment."),
        "no-crypto": _("This browser checks only pages that come over https."),
    }
