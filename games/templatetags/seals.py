"""A seal in its short form, as people compare it."""

from django import template

register = template.Library()

GROUP = 4


@register.filter
def grouped(letters: str) -> str:
    """Set the letters of a seal apart for reading, as a bank does with its numbers."""
    return " ".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))
