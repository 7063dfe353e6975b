"""How the dice can be checked: the page of one game, and the page that explains it."""

import hmac
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from games.rules import FACES
from games.selectors.fairness import check_page, fairness_totals
from games.views.access import Visit, game_visible
from games.views.boards import title_of
from games.wording.checks import CHECKS, check_sentences, check_titles

EXAMPLE_KEY = "4c52181d6a1f3c2a9b373e794e764e86307bc0563e93df200a7c9838c2af402b"
"""The key of cup 0 in the test vector of docs/pf1.md section 6."""

EXAMPLE_DICE = 5


@dataclass(frozen=True, slots=True)
class ExampleDie:
    """How one die of the worked example comes out of the key of its cup.

    ``passed`` are the bytes before ``byte`` that are 252 or more: with them some faces would be
    more frequent than others.
    """

    number: int
    mac: str
    passed: tuple[int, ...]
    byte: int
    face: int


@require_safe
@game_visible
def check(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Let the reader's own browser check the game, and say how to do it without one."""
    page = check_page(visit.game, visit.viewer)
    titles = check_titles()
    context = {
        "title": title_of(page.game),
        "game": page.game,
        "checks": tuple((name, titles[name]) for name in CHECKS),
        "words": {"sentences": check_sentences(), "names": page.names},
        "own_cup": page.own_cup,
        "faces": FACES,
    }
    return TemplateResponse(request, "games/verify.html", context)


@require_safe
def fairness_page(request: HttpRequest) -> TemplateResponse:
    """Explain how one can know that the dice are fair."""
    context = {
        "totals": fairness_totals(),
        "example_key": EXAMPLE_KEY,
        "example": example_dice(),
    }
    return TemplateResponse(request, "games/fairness.html", context)


def example_dice() -> tuple[ExampleDie, ...]:
    """Return the dice under one cup, worked out step by step (docs/pf1.md sections 1 and 2)."""
    return tuple(_example_die(number) for number in range(EXAMPLE_DICE))


def _example_die(number: int) -> ExampleDie:
    parts = (number.to_bytes(2), (0).to_bytes(4))
    message = b"PF1:die\0" + b"".join(len(part).to_bytes(4) + part for part in parts)
    mac = hmac.digest(bytes.fromhex(EXAMPLE_KEY), message, "sha256")
    used = next(index for index, byte in enumerate(mac) if byte < 252)
    return ExampleDie(number, mac.hex(), tuple(mac[:used]), mac[used], 1 + mac[used] % 6)
