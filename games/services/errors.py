"""Why a service refused. The rules' own refusals are :class:`games.rules.RuleViolation`."""


class StaleMove(Exception):
    """The game moved on after the player looked.

    :ivar version: the game's version now.
    """

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class TurnExpired(StaleMove):
    """The move arrived after its deadline: what the clock does is due."""


class LobbyRefusal(Exception):
    """A waiting room refused something.

    :ivar code: stable and dotted, such as ``lobby.full``; :mod:`games.wording` has the sentence.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class SeatRefusal(Exception):
    """A seat that changes hands was refused to somebody.

    :ivar code: such as ``takeover.taken``; :mod:`games.wording` has the sentence.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
