"""The tables of the game: thin rows, constraints and querysets; no game logic.

The secret's module is loaded so that Django knows its table, but its model is not exported:
only :mod:`games.store` may import it.
"""

import games.models.secret  # noqa: F401
from games.models.conduct import Conduct
from games.models.contribution import Contribution, ContributionKind
from games.models.event import Event
from games.models.game import Game, GameStatus, Seat
from games.models.hours import Hours
from games.models.invitation import Invitation
from games.models.mailbox import (
    FaultKind,
    InboundMail,
    MailFault,
    MailState,
    ReplyToken,
    Saying,
    TokenKind,
)
from games.models.order import Order
from games.models.outbox import Channel, OutboxKind, OutboxMessage, OutboxStatus
from games.models.push import PushSubscription
from games.models.round import VOTE_AFTER, Bid, Round
from games.models.tenure import Tenure
from games.models.webhook import Webhook, WebhookForm
from games.models.wishes import DIGEST_AT, TOPIC_OF, Mode, StoppedAddress, Topic, Wishes

__all__ = [
    "DIGEST_AT",
    "TOPIC_OF",
    "VOTE_AFTER",
    "Bid",
    "Channel",
    "Conduct",
    "Contribution",
    "ContributionKind",
    "Event",
    "FaultKind",
    "Game",
    "GameStatus",
    "Hours",
    "InboundMail",
    "Invitation",
    "MailFault",
    "MailState",
    "Mode",
    "Order",
    "OutboxKind",
    "OutboxMessage",
    "OutboxStatus",
    "PushSubscription",
    "ReplyToken",
    "Round",
    "Saying",
    "Seat",
    "StoppedAddress",
    "Tenure",
    "TokenKind",
    "Topic",
    "Webhook",
    "WebhookForm",
    "Wishes",
]
