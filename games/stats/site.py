"""What all games of a site say: bots' moves too, for this is about the game, not about people."""

from collections import Counter

from games.rules import Mode, OutcomeKind
from games.stats.played import PlayedGame
from games.stats.sums import Part, Sums, total

MOST_QUANTITY = 20
"""Bids of this quantity and of larger ones are counted together."""


def site_sums(game: PlayedGame) -> Sums:
    """Return what one game adds: rounds, calls and how many were right, bids by what they say."""
    return total([_whole(game), _calls(game), _bids(game)])


def _whole(game: PlayedGame) -> Sums:
    rounds = len(game.rounds)
    palifico = sum(each.mode is Mode.PALIFICO for each in game.rounds)
    return {
        "games": Part(1, 1),
        f"rules_{game.rules.name}": Part(1, 1),
        f"seats_{game.seats}": Part(1, 1),
        "rounds": Part(rounds, 1),
        "palifico": Part(palifico, rounds),
    }


def _calls(game: PlayedGame) -> Sums:
    found: dict[str, Part] = {}
    outcomes = [each.outcome for each in game.rounds]
    dudos = [each for each in outcomes if each.kind is OutcomeKind.DUDO]
    calzas = [each for each in outcomes if each.kind is OutcomeKind.CALZA]
    found["dudo_right"] = Part(sum(not each.held for each in dudos), len(dudos))
    found["calza_right"] = Part(sum(bool(each.held) for each in calzas), len(calzas))
    found["calza"] = Part(len(calzas), len(outcomes))
    return found


def _bids(game: PlayedGame) -> Sums:
    bids = [each.bid for played in game.rounds for each in played.bids]
    if not bids:
        return {}
    found = {"bids": Part(len(bids), len(game.rounds))}
    by_face = Counter(bid.face for bid in bids)
    by_quantity = Counter(min(bid.quantity, MOST_QUANTITY) for bid in bids)
    found |= {f"face_{face}": Part(by_face[face], len(bids)) for face in range(1, 7)}
    found |= {f"quantity_{many}": Part(count, count) for many, count in by_quantity.items()}
    return found
