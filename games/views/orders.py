"""Standing orders: one page on which a player writes, tries, leaves and takes back his own."""

from dataclasses import dataclass

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import orders, wording
from games.forms import OrderChoicesForm, OrderTextForm
from games.rules import Calza, RuleViolation
from games.selectors import OrderPage, find_game, order_page
from games.services import orders as service
from games.services.errors import StaleMove, TurnExpired
from games.views.access import SeatVisit, seat_required
from games.views.boards import Context, Notice
from games.views.play import HttpResponseSeeOther
from games.wording.wild import wild_face

Written = OrderChoicesForm | OrderTextForm

_LIMITS = {"order": "30/m/user"}


@dataclass(frozen=True, slots=True)
class TriedRow:
    """What an order does on some bids, in words. ``chance`` is a range, or nothing."""

    bids: str
    does: str
    chance: str


@dataclass(frozen=True, slots=True)
class Tried:
    """What an order would do: its canonical text, its sentences, a table, warnings."""

    text: str
    waits: bool
    lines: tuple[str, ...]
    rows: tuple[TriedRow, ...]
    claims: tuple[TriedRow, ...]
    warnings: tuple[str, ...]
    is_left: bool


@require_http_methods(["GET", "HEAD", "POST"])
@seat_required
def order(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Show the player's order and what it would do; try another, leave it or take it back."""
    table = reverse("game", args=[visit.game.code])
    if request.method == "POST" and request.POST.get("act") == "cancel":
        service.cancel(game_id=visit.game.pk, user_id=visit.player.user_id, now=visit.now)
        messages.success(request, _("Your order is withdrawn. Nobody has known of it."))
        return HttpResponseSeeOther(table)
    page = order_page(find_game(visit.game.code, visit.viewer), visit.viewer)
    if page is None:
        return HttpResponseSeeOther(table)  # no dice, or none rolled: there is nothing to order
    if request.method != "POST":
        return _show(request, page)
    is_text = "text" in request.POST
    form: Written = OrderTextForm(request.POST) if is_text else OrderChoicesForm(request.POST)
    if not form.is_valid():
        return _show(request, page, form, status=422)
    if busy := _too_often(request):
        return busy
    if request.POST.get("act") != "leave":
        return _show(request, page, form)
    try:
        left = service.leave(
            game_id=visit.game.pk,
            user_id=visit.player.user_id,
            text=str(form.order()),
            waits=form.is_to_wait(),
            round_number=form.cleaned_data["round"],
            now=visit.now,
        )
    except TurnExpired:
        late = _("Your time was up before the order arrived.")
        return _show(request, page, form, status=409, refusal=late)
    except StaleMove:
        stale = _("Another round has begun since you wrote this: look at your dice once more.")
        return _show(request, page, form, status=409, refusal=stale)
    except RuleViolation as violation:
        return _show(request, page, form, status=422, refusal=wording.refusal(violation))
    messages.success(request, _said(left))
    return HttpResponseSeeOther(table)


def _too_often(request: HttpRequest) -> HttpResponse | None:
    """Return the page for whoever asks all the time: what an order would do takes work to know."""
    busy: HttpResponse | None = ratelimit.consume_or_429(
        request, app="games", action="order", config=_LIMITS
    )
    return busy


def _said(left: service.Left) -> str:
    match left:
        case service.Left.PLAYED:
            return _("Your order has moved for you.")
        case service.Left.ASKS:
            return _("Your order leaves this turn to you. It stands for the rest of the round.")
        case service.Left.STANDS:
            return _("Your order stands until the cups are lifted. Only you know of it.")


def _show(
    request: HttpRequest,
    page: OrderPage,
    form: Written | None = None,
    *,
    status: int = 200,
    refusal: str = "",
) -> TemplateResponse:
    """Show both forms, the one that was sent as it was, and what the order in it would do."""
    tried: Tried | None = None
    written: orders.Order | None = None
    waits = page.own.waits if page.own else True
    if form is not None and form.is_valid():
        written, waits = form.order(), form.is_to_wait()
    elif form is None and page.own:
        written = orders.parse(page.own.text)
    if written is not None:
        tried = _tried(page, written, waits=waits)
    start = {"round": page.view.round_number, "waits": "1" if waits else ""}
    filled = {} if written is None else OrderChoicesForm.filled(written)
    text = "" if written is None else str(written)
    context: Context = {
        "title": page.name or _("Game %(code)s") % {"code": page.code},
        "code": page.code,
        "round_number": page.view.round_number,
        "own_dice": page.view.own_dice,
        "wild": wild_face(page.view.rules.name),
        "standing": _standing(page),
        "is_my_turn": page.is_my_turn,
        "own": page.own,
        "tried": tried,
        "text_form": _form(OrderTextForm, form, "text", {**start, "text": text}),
        "choices_form": _form(OrderChoicesForm, form, "choices", {**start, **filled}),
        "has_errors": form is not None and not form.is_valid(),
        "notices": (Notice(refusal),) if refusal else (),
    }
    return TemplateResponse(request, "games/order.html", context, status=status)


def _form(
    kind: type[Written], sent: Written | None, name: str, initial: dict[str, object]
) -> Written:
    """Return the form that was sent if it is of this kind and has errors; else a new one."""
    form = sent if isinstance(sent, kind) and not sent.is_valid() else kind(initial=initial)
    form.auto_id = f"{name}-%s"
    return form


def _standing(page: OrderPage) -> str:
    standing = page.view.standing
    if standing is None:
        return _("No bid yet in this round")
    return _("%(bid)s by %(name)s") % {
        "bid": wording.bid_text(standing.bid),
        "name": page.names[standing.seat],
    }


def _tried(page: OrderPage, order: orders.Order, *, waits: bool) -> Tried:
    shown = page.preview(order)
    own = page.own
    return Tried(
        text=str(order),
        waits=waits,
        lines=wording.order_lines(order),
        rows=tuple(map(_row, shown.rows)),
        claims=tuple(map(_row, shown.claims)),
        warnings=tuple(wording.order_warning(each, order) for each in shown.warnings),
        is_left=own is not None and (own.text, own.waits) == (str(order), waits),
    )


def _row(row: orders.Row) -> TriedRow:
    chance = row.exact if isinstance(row.action, Calza) else row.held
    return TriedRow(
        bids=wording.order_bids(row.first, row.last),
        does=wording.shown_action(row),
        chance="" if chance is None else wording.chance_range(*chance),
    )
