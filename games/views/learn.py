"""Perudo in three minutes: links and buttons from step to step; nothing is kept of the answers."""

from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import panels
from games.rules import Mode
from games.views.home import QUICK_BOTS
from games.wording.lessons import NAMES, Lesson, lessons


@require_safe
def learn(request: HttpRequest, step: int = 1) -> TemplateResponse:
    """Show one step; with ``?answer=``, what becomes of it."""
    all_lessons = lessons()
    if not 1 <= step <= len(all_lessons):
        raise Http404
    lesson = all_lessons[step - 1]
    answers = {str(number): choice for number, choice in enumerate(lesson.choices, 1)}
    chosen = answers.get(request.GET.get("answer", ""))
    return TemplateResponse(
        request,
        "pages/learn.html",
        {
            "lesson": lesson,
            "step": step,
            "steps": tuple(
                (number, each.title, reverse("learn_step", args=[number]))
                for number, each in enumerate(all_lessons, 1)
            ),
            "chosen": chosen,
            "next_url": reverse("learn_step", args=[step + 1]) if step < len(all_lessons) else "",
            "reveal": _reveal(lesson) if chosen else None,
            "quick_bots": QUICK_BOTS,
        },
    )


def _reveal(lesson: Lesson) -> panels.RevealPanel | None:
    if lesson.outcome is None:
        return None
    return panels.reveal(lesson.outcome, NAMES, mode=Mode.NORMAL)
