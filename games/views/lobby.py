"""Open games, and making one."""

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from games import selectors, wording
from games.clock import find_clock
from games.forms import ClockForm, NewGameForm
from games.forms.clock import DEFAULT
from games.forms.new_game import default_name
from games.selectors.conduct import field_answers
from games.selectors.forecast import length_of_game
from games.services import lobby as service
from games.services.errors import LobbyRefusal
from games.views.access import player_of, private_page, signed_in, viewer_of
from games.views.boards import card


@require_safe
@private_page
def lobby(request: HttpRequest) -> HttpResponseBase:
    """List the open games that wait for players, and seats that are free again."""
    found = selectors.lobby(viewer_of(request))
    context = {
        "cards": tuple(map(card, found.open)),
        "vacant": tuple(map(card, found.vacant)),
        "now": timezone.now(),
    }
    return TemplateResponse(request, "games/lobby.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def game_new(request: HttpRequest) -> HttpResponseBase:
    """Ask for rules, seats and time, then open the waiting room."""
    if request.method == "POST":
        form, clock = NewGameForm(request.POST), ClockForm(request.POST)
        if form.is_valid() and clock.is_valid():
            try:
                game = _create(request, form, clock)
            except LobbyRefusal as refusal:
                form.add_error(None, wording.lobby_refusal(refusal.code, refusal.params))
            else:
                return HttpResponseRedirect(reverse("game", args=[game]))
    else:
        form = NewGameForm.proposing(
            rules=request.GET.get("rules", ""), host=player_of(request).name
        )
        clock = ClockForm()
    context = {
        "form": form,
        "ruleset_choices": form.ruleset_choices(),
        "plain_fields": form.plain_fields(),
        "clock": clock,
        "clock_choices": clock.choices(),
        "lengths": _lengths(),
    }
    status = 422 if form.errors or clock.errors else 200
    return TemplateResponse(request, "games/new_game.html", context, status=status)


def _lengths() -> tuple[tuple[int, str], ...]:
    """Return how long games of two, three, four and six are likely to take; nothing if unknown."""
    standard, field = find_clock(DEFAULT), field_answers()
    found = (
        (seats, length_of_game(standard, seats=seats, start_dice=5, answers=field))
        for seats in (2, 3, 4, 6)
    )
    return tuple((seats, wording.length_text(*length)) for seats, length in found if length)


def _create(request: HttpRequest, form: NewGameForm, clock: ClockForm) -> str:
    """Open the waiting room and return its code."""
    data, host = form.cleaned_data, player_of(request)
    new = service.NewGame(
        ruleset=data["ruleset"],
        seats=data["seats"],
        clock=clock.cleaned_data["settings"],
        is_private=data["visibility"] == "private",
        bots=data["bots"],
        name=data["name"] or default_name(host.name),
        gate=data["gate"] or 0,
        new_welcome=data["new_welcome"],
        day_parts=data["day_parts"],
        shows_odds=data["shows_odds"],
        is_rated=data["is_rated"],
    )
    return service.create_game(host=host, new=new, now=timezone.now()).code
