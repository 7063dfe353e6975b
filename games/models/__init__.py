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
from games.models.invitation import Invitation, Removal
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
from games.models.outbox import CAPPED, Channel, OutboxKind, OutboxMessage, OutboxStatus
from games.models.push import PushSubscription
from games.models.rating import Rating, RatingBook, RatingChange, Standing
from games.models.review import Review
from games.models.round import VOTE_AFTER, Bid, Round
from games.models.statistics import (
    Career,
    Medal,
    Privacy,
    Result,
    Rivalry,
    SiteSums,
    Tally,
)
from games.models.tenure import Tenure
from games.models.webhook import Webhook, WebhookForm
from games.models.wishes import DIGEST_AT, TOPIC_OF, Mode, StoppedAddress, Topic, Wishes

__all__ = [
    "CAPPED",
    "DIGEST_AT",
    "TOPIC_OF",
    "VOTE_AFTER",
    "Bid",
    "Career",
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
    "Medal",
    "Mode",
    "Order",
    "OutboxKind",
    "OutboxMessage",
    "OutboxStatus",
    "Privacy",
    "PushSubscription",
    "Rating",
    "RatingBook",
    "RatingChange",
    "Removal",
    "ReplyToken",
    "Result",
    "Review",
    "Rivalry",
    "Round",
    "Saying",
    "Seat",
    "SiteSums",
    "Standing",
    "StoppedAddress",
    "Tally",
    "Tenure",
    "TokenKind",
    "Topic",
    "Webhook",
    "WebhookForm",
    "Wishes",
]
