"""Every read that a page or a mail needs: views and primitives out, never a model."""

from games.selectors.export import games_of, invitations_by
from games.selectors.history import GameHistory, RoundPage, history, record_of, round_page
from games.selectors.hours import Away, HoursPage, hours_page
from games.selectors.invite import InvitePage, InviteState, invite_page
from games.selectors.lists import GameCard, Lobby, MyGames, lobby, my_games
from games.selectors.orders import OrderPage, OwnOrder, order_page, orders_of
from games.selectors.replies import mails_of
from games.selectors.since import Happening, happened_since
from games.selectors.table import Roll, TablePage, WaitingRoom, table_page, waiting_room
from games.selectors.talk import said_by
from games.selectors.time import TimePage, VoteInfo, time_page
from games.selectors.values import BidLine, ClosedRound, GameInfo, SeatInfo
from games.selectors.visible import Tie, Viewer, find_by_token, find_game, find_seated_game, tie_of
from games.selectors.wishes import exported_wishes

__all__ = [
    "Away",
    "BidLine",
    "ClosedRound",
    "GameCard",
    "GameHistory",
    "GameInfo",
    "Happening",
    "HoursPage",
    "InvitePage",
    "InviteState",
    "Lobby",
    "MyGames",
    "OrderPage",
    "OwnOrder",
    "Roll",
    "RoundPage",
    "SeatInfo",
    "TablePage",
    "Tie",
    "TimePage",
    "Viewer",
    "VoteInfo",
    "WaitingRoom",
    "exported_wishes",
    "find_by_token",
    "find_game",
    "find_seated_game",
    "games_of",
    "happened_since",
    "history",
    "hours_page",
    "invitations_by",
    "invite_page",
    "lobby",
    "mails_of",
    "my_games",
    "order_page",
    "orders_of",
    "record_of",
    "round_page",
    "said_by",
    "table_page",
    "tie_of",
    "time_page",
    "waiting_room",
]
