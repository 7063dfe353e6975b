"""The wild face as its box has it: a llama’s head, a toucan, a jolly, or the plain ace."""

from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class WildFace:
    """The picture on the ace: the sprite's ``key`` (class ``wild-<key>``), its name, a sentence."""

    key: str
    name: str
    sentence: str


_TRADITIONS = MappingProxyType(
    {"piatnik": "lama", "bga": "jolly", "asmodee": "paco", "wikipedia": "paco"}
)
_NAMES: MappingProxyType[str, Promise] = MappingProxyType(
    {
        "lama": _("Llama’s head"),
        "paco": _("Paco"),
        "jolly": _("Jolly"),
        "ace": _("Ace"),
    }
)
_SENTENCES: MappingProxyType[str, Promise] = MappingProxyType(
    {
        "lama": _("On the dice of this box the ace is a llama’s head."),
        "paco": _("On the dice of this box the ace is Paco, the toucan."),
        "jolly": _("On the dice of this site the ace is a jolly."),
        "ace": _("On these dice the ace is a single red pip."),
    }
)


def wild_face(ruleset: str) -> WildFace:
    """Return the wild face of the ruleset of that name; any other name has the plain ace."""
    key = _TRADITIONS.get(ruleset, "ace")
    return WildFace(key, str(_NAMES[key]), str(_SENTENCES[key]))
