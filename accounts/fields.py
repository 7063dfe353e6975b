"""Columns that store one spelling, whichever way a row is written."""

from typing import TYPE_CHECKING, Any

from django.db import models

from accounts.names import MAX_KEY_LENGTH, display_key

if TYPE_CHECKING:
    _EmailField = models.EmailField[str, str]
    _CharField = models.CharField[str, str]
else:
    _EmailField = models.EmailField
    _CharField = models.CharField


class NormalisedEmailField(_EmailField):
    """An e-mail address, stored and looked up in lower case (as allauth compares them)."""

    def get_prep_value(self, value: Any) -> Any:
        """Return ``value`` in the form that is stored: also for look-ups."""
        prepared = super().get_prep_value(value)
        return prepared.strip().lower() if isinstance(prepared, str) else prepared

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Put the stored form on the instance, so that memory and row agree."""
        value = self.get_prep_value(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)
        return value


class DisplayKeyField(_CharField):
    """The key of ``display_name``, computed at every save that writes this column."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", MAX_KEY_LENGTH)
        kwargs["editable"] = False
        super().__init__(*args, **kwargs)

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Compute the key from the name as it stands now."""
        key = display_key(model_instance.display_name)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key
