"""Every read that a page or a mail needs: views and primitives out, never a model."""

from games.selectors.export import games_of, invitations_by
from games.selectors.history import GameHistory, RoundPage, history, record_of, round_page
from games.selectors.invite import InvitePage, InviteState, invite_page
from games.selectors.lists import GameCard, MyGames, lobby, my_games
from games.selectors.since import Happening, happened_since
from games.selectors.table import Roll, TablePage, WaitingRoom, table_page, waiting_room
from games.selectors.values import BidLine, ClosedRound, GameInfo, SeatInfo
from games.selectors.visible import Viewer, find_by_token, find_game, find_seated_game

__all__ = [
    "BidLine",
    "ClosedRound",
    "GameCard",
    "GameHistory",
    "GameInfo",
    "Happening",
    "InvitePage",
    "InviteState",
    "MyGames",
    "Roll",
    "RoundPage",
    "SeatInfo",
    "TablePage",
    "Viewer",
    "WaitingRoom",
    "find_by_token",
    "find_game",
    "find_seated_game",
    "games_of",
    "happened_since",
    "history",
    "invitations_by",
    "invite_page",
    "lobby",
    "my_games",
    "record_of",
    "round_page",
    "table_page",
    "waiting_room",
]
