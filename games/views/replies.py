"""Play by mail, as far as pages have a part in it: how it works, and mails to be confirmed."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import wording
from games.mail.addresses import is_open
from games.mail.confirming import confirm_token, read_confirm
from games.mail.words import moment_text
from games.selectors.replies import Waiting, mail_page, waiting_mail
from games.services import receiving, wishes
from games.views.access import player_of, private_page, signed_in
from games.wording.mail_help import mail_help as lines_to_write


@require_safe
def mail_help(request: HttpRequest) -> TemplateResponse:
    """Explain how to play by mail, on one page."""
    context = {"is_open": is_open(), "help": lines_to_write()}
    return TemplateResponse(request, "pages/mail_help.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def mail_settings(request: HttpRequest) -> HttpResponseBase:
    """Show how a player's mail goes, both ways; a POST changes what its ``act`` names."""
    user_id = player_of(request).user_id
    if request.method == "POST":
        match request.POST.get("act"):
            case "again":
                receiving.try_again(user_id=user_id)
                messages.success(request, _("Mails go to you again."))
            case "replies":
                wishes.choose_replies(
                    user_id=user_id,
                    confirms="confirms" in request.POST,
                    holds="holds" in request.POST,
                    by_mail=request.POST.getlist("games")[:200],
                )
                messages.success(request, _("Your choice is saved."))
        return HttpResponseRedirect(reverse("mail_settings"))
    page = mail_page(user_id)
    lines = [
        (mail, wording.outcome_text(mail.outcome, mail.reason, is_answered=mail.was_answered))
        for mail in page.mails
    ]
    waiting = [
        (each, _reading(each), reverse("mail_confirm", args=[confirm_token(each.mail_id)]))
        for each in page.waiting
    ]
    context = {
        "page": page,
        "waiting": waiting,
        "mails": lines,
        "now": timezone.now(),
        "is_open": is_open(),
    }
    return TemplateResponse(request, "games/mail_settings.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@private_page
def mail_confirm(request: HttpRequest, confirm_token: str) -> HttpResponseBase:
    """Show what was read in a mail that may not be its player's; a POST with a choice does it.

    Nothing is chosen beforehand: a program that follows links and sends forms plays nothing.
    """
    mail_id = read_confirm(confirm_token)
    waiting = waiting_mail(mail_id) if mail_id is not None else None
    if mail_id is None or waiting is None:
        raise Http404
    if request.method != "POST":
        return _show(request, waiting)
    now = timezone.now()
    match request.POST.get("choice"):
        case "play":
            result = receiving.confirm(mail_id=mail_id, now=now)
            said = _said(result) if result is not None else ""
        case "disown":
            receiving.disown(mail_id=mail_id, now=now)
            said = _("The mail is dropped. Nothing was played.")
        case _:
            fault = _("Choose one of the two.")
            return _show(request, waiting, fault=fault, status=422)
    return _show(request, waiting_mail(mail_id) or waiting, said=said)


def _show(
    request: HttpRequest, waiting: Waiting, *, said: str = "", fault: str = "", status: int = 200
) -> TemplateResponse:
    # Who holds the link is its player, signed in or not.
    with timezone.override(waiting.zone):
        received = moment_text(waiting.received_at)
        deadline = moment_text(waiting.deadline_at) if waiting.deadline_at else ""
    context = {
        "title": waiting.name or waiting.code,
        "code": waiting.code,
        "writer": waiting.writer,
        "received": received,
        "deadline": deadline,
        "reading": _reading(waiting),
        "is_waiting": waiting.is_waiting and not said,
        "said": said,
        "fault": fault,
    }
    return TemplateResponse(request, "games/mail_confirm.html", context, status=status)


def _reading(waiting: Waiting) -> str:
    read = waiting.reading
    return wording.reading_text(read["verb"], read.get("bid", ""), read.get("order", ""))


def _said(result: receiving.Result) -> str:
    """Return what became of a mail that was confirmed."""
    if "reason" in result.detail:
        params = result.detail.get("params")
        why = wording.reply_reason(
            str(result.detail["reason"]), params if isinstance(params, dict) else {}
        )
        return _("Nothing was played. %(why)s") % {"why": why}
    return _("Done. A mail tells you what was played.")
