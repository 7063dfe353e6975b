"""Every component on one page, with made-up people: for whoever works on the look of the site.

Its address exists in development only.
"""

from dataclasses import dataclass
from datetime import timedelta

from django import forms
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games import panels, wording
from games.rules import PRESETS, Bid, Mode, TableView, position, view_for
from games.views.pages import example_reveal

PEOPLE = (
    panels.Person("Alice"),
    panels.Person("Bartholomew of the Long Name"),
    panels.Person("Carol"),
    panels.Person("Dicey", bot=True),
    panels.Person("Erin", present=False),
)
COUNTS = (5, 3, 0, 1, 4)
CUPS = ((5, 2, 1, 5, 3), (4, 4, 6), (), (2,), (6, 6, 1, 3))


class ExampleForm(forms.Form):
    """One field of every kind."""

    name = forms.CharField(label="Name", help_text="As the others at the table see it.")
    hours = forms.ChoiceField(label="Time a turn", choices=[("24", "One day"), ("48", "Two days")])
    rules = forms.ChoiceField(
        label="Rules",
        choices=[(name, name) for name in PRESETS],
        widget=forms.RadioSelect,
        help_text="Each has a page of its own.",
    )
    private = forms.BooleanField(label="Private", help_text="Only by invitation.", required=False)


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who is logged in, for the navigation."""

    is_authenticated: bool = True


@dataclass(frozen=True, slots=True)
class Note:
    """A message with its tags, as Django's messages have them."""

    text: str
    tags: str

    def __str__(self) -> str:
        return self.text


def _view(bid: Bid | None, *, mode: Mode = Mode.NORMAL, preset: str = "bga") -> TableView:
    state = position(PRESETS[preset], counts=COUNTS, bid=bid, mode=mode, cups=CUPS)
    return view_for(state, 0)


@require_safe
def styleguide(request: HttpRequest) -> TemplateResponse:
    """Show every component in its states."""
    now = timezone.now()
    view = _view(Bid(5, 5))
    locked = _view(Bid(2, 4), mode=Mode.PALIFICO)
    return TemplateResponse(
        request,
        "pages/styleguide.html",
        {
            "user": Reader(),
            "waiting_count": 2,
            "now": now,
            "tomorrow": now + timedelta(days=1, hours=3, seconds=30),
            "soon": now + timedelta(minutes=25, seconds=30),
            "past": now - timedelta(minutes=1),
            "seats": panels.seat_panels(view, PEOPLE),
            "hidden_seats": panels.seat_panels(_view(Bid(5, 5), preset="piatnik"), PEOPLE),
            "own_dice": view.own_dice,
            "ladder": panels.ladder(view.legal_raises(), mode=view.mode, chosen="6x2"),
            "opening": panels.ladder(_view(None).legal_raises(), mode=Mode.NORMAL),
            "locked": panels.ladder(locked.legal_raises(), mode=Mode.PALIFICO),
            "palifico": panels.ladder(
                _view(None, mode=Mode.PALIFICO).legal_raises(), mode=Mode.PALIFICO
            ),
            "reveal": example_reveal(),
            "lines": wording.describe(PRESETS["piatnik"]),
            "form": ExampleForm({"hours": "48", "rules": "bga"}),
            "notes": (
                Note("Your bid stands.", "success"),
                Note("Bob was quicker: the bid is now 5 sixes.", "error"),
                Note("The code is on its way.", "info"),
            ),
            "tabs": (("My turn", "#a", True), ("Under way", "#b", False), ("Over", "#c", False)),
        },
    )
