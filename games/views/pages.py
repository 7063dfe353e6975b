"""Pages that are the same for everybody: what the site is, and the rules."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import panels, wording
from games.rules import PRESETS, Bid, Dudo, Mode, apply, position
from games.wording.order_help import order_help
from games.wording.rule_examples import explain, explained_options
from games.wording.wild import wild_face

EXAMPLE_NAMES = ("Alice", "Bob", "Carol")


@dataclass(frozen=True, slots=True)
class PresetLink:
    """A preset as the list of rules shows it."""

    name: str
    title: str
    summary: str


@require_safe
def landing(request: HttpRequest) -> TemplateResponse:
    """Tell a visitor in twenty seconds what this is."""
    return TemplateResponse(request, "pages/landing.html", {"reveal": example_reveal()})


@require_safe
def rules(request: HttpRequest) -> TemplateResponse:
    """Explain the game, and list the rulesets that a table can choose from."""
    presets = tuple(
        PresetLink(name, wording.ruleset_title(name), wording.ruleset_summary(name))
        for name in PRESETS
    )
    return TemplateResponse(
        request, "pages/rules.html", {"presets": presets, "reveal": example_reveal()}
    )


@require_safe
def rules_preset(request: HttpRequest, name: str) -> TemplateResponse:
    """Explain every rule of one preset, from its toggles, each with an example."""
    if name not in PRESETS:
        raise Http404
    return TemplateResponse(
        request,
        "pages/rules_preset.html",
        {
            "title": wording.ruleset_title(name),
            "summary": wording.ruleset_summary(name),
            "wild": wild_face(name),
            "rules": explain(PRESETS[name]),
            "options": explained_options(name),
            "tabs": tuple(
                (wording.ruleset_title(key), reverse("rules_preset", args=[key]), key == name)
                for key in PRESETS
            ),
        },
    )


@require_safe
def orders(request: HttpRequest) -> TemplateResponse:
    """Explain how a standing order is written."""
    return TemplateResponse(request, "pages/orders.html", {"help": order_help()})


def example_reveal() -> panels.RevealPanel:
    """Return the end of an example round, judged by the rules themselves."""
    cups = ((5, 2, 1, 5, 3), (4, 5, 6, 2, 2), (6, 3, 1, 4, 3))
    state = position(PRESETS["bga"], counts=(5, 5, 5), to_act=2, bid=Bid(6, 5), cups=cups)
    outcome = apply(state, Dudo(2)).outcome
    panel = None if outcome is None else panels.reveal(outcome, EXAMPLE_NAMES, mode=Mode.NORMAL)
    if panel is None:
        raise RuntimeError("a dudo always lifts cups")
    return panel
