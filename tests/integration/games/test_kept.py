"""The include that is rendered once for the same values."""

from django.template import engines
from django.utils import translation

from games.templatetags.kept import forget_kept, kept

LINE = {"quantity": 3, "face": 4, "automatic": False, "standing": False}


def test_the_same_values_are_rendered_once_a_language() -> None:
    forget_kept()
    first = kept("components/bid_line.html", name="Alice", **LINE)
    assert kept("components/bid_line.html", name="Alice", **LINE) is first
    assert kept("components/bid_line.html", name="Bob", **LINE) != first
    with translation.override("it"):
        assert kept("components/bid_line.html", name="Alice", **LINE) is not first


def test_it_gives_what_an_include_gives_and_names_are_escaped() -> None:
    values = {**LINE, "name": "<b>Mallory</b>"}
    load = "{% load kept %}"
    fields = "name=name quantity=quantity face=face automatic=automatic standing=standing"
    path = "components/bid_line.html"
    render = engines["django"].from_string
    ours = render(f'{load}{{% kept "{path}" {fields} %}}').render(values)
    plain = render(f'{{% include "{path}" with {fields} only %}}').render(values)
    assert ours.split() == plain.split()
    assert "\n " not in ours, "how a template is indented is not sent"
    assert "&lt;b&gt;Mallory" in ours
    assert "<b>" not in ours
