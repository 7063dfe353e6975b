"""Every address of the site, found in the resolver: a new one is looked at without being listed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver, reverse

TOLD = {
    # What may stand in an address. A parameter that is not here fails the tests.
    "code", "token", "name", "number", "seat_id", "pk", "stop_token", "feed_token", "player",
    "rival", "confirm_token", "board", "step", "move", "kind",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Route:
    """One address pattern. ``is_ours`` says that its view is the game's, not the accounts'."""

    name: str
    parameters: tuple[str, ...]
    is_ours: bool

    def addresses(self, values: Mapping[str, Iterable[object]]) -> Iterator[str]:
        """Yield the pattern's address for each value of its parameters."""
        choices: list[list[object]] = [[]]
        for parameter in self.parameters:
            choices = [[*chosen, value] for chosen in choices for value in values[parameter]]
        for chosen in choices:
            yield reverse(self.name, args=chosen)


def every_route() -> list[Route]:
    """Return all named routes, each once.

    :raises AssertionError: an address takes a parameter that nobody has said how to fill in.
    """
    found = {}
    for pattern, parameters in _patterns(get_resolver().url_patterns):
        unknown = set(parameters) - TOLD
        assert not unknown, f"tell TOLD and World.values what {sorted(unknown)} may be"
        name = pattern.name
        assert name, f"{pattern.pattern} has no name, so nothing is known of it"
        is_ours = pattern.callback.__module__.startswith("games.")
        found[name] = Route(name, parameters, is_ours)
    return list(found.values())


def _patterns(
    patterns: Iterable[URLPattern | URLResolver], above: tuple[str, ...] = ()
) -> Iterator[tuple[URLPattern, tuple[str, ...]]]:
    """Yield each pattern with its parameters, those of the patterns around it first."""
    for pattern in patterns:
        parameters = (*above, *pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns, parameters)
        else:
            yield pattern, parameters
