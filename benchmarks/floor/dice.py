"""The floor of the engine: rounds of liar's dice in plain lists, with no check of anything.

Whoever writes a simulation of an evening begins like this: cups are lists of random numbers, a
player names more than the last one did, and the dice are counted when somebody doubts.
"""

from random import Random


def play_game(players: int, dice: int, chance: Random) -> int:
    """Play until one player has dice left; return the number of rounds."""
    left = [dice] * players
    opener = 0
    rounds = 0
    while sum(count > 0 for count in left) > 1:
        opener = play_round(left, opener, chance)
        rounds += 1
    return rounds


def play_round(left: list[int], opener: int, chance: Random) -> int:
    """Play one round of random moves; take a die off the loser and return who opens next."""
    cups = [[chance.randint(1, 6) for _ in range(count)] for count in left]
    player = bidder = opener
    quantity, face = 0, 6
    while quantity == 0 or chance.random() >= 1 / 3:
        named = chance.randint(2, 6)
        if named <= face:
            quantity += 1
        face = named
        bidder = player
        player = next_player(left, player)
    count = sum(die in (face, 1) for cup in cups for die in cup)
    loser = player if count >= quantity else bidder
    left[loser] -= 1
    return loser if left[loser] else next_player(left, loser)


def next_player(left: list[int], player: int) -> int:
    """Return the next one to the left who has dice."""
    player = (player + 1) % len(left)
    while not left[player]:
        player = (player + 1) % len(left)
    return player
