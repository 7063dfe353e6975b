"""Who people are. Nothing here knows of dice."""

from typing import ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.fields import DisplayKeyField, NormalisedEmailField
from accounts.managers import UserManager
from accounts.names import MAX_LENGTH, validate_display_name
from accounts.zones import UTC, load_zone, validate_zone


def language_choices() -> list[tuple[str, str]]:
    """Return the site's languages: a callable keeps the list out of the migrations."""
    return [(code, str(name)) for code, name in settings.LANGUAGES]


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account. The e-mail address is the login, the display name is public."""

    email = NormalisedEmailField(
        _("e-mail address"),
        unique=True,
        error_messages={"unique": _("There is an account with this address already.")},
    )
    display_name = models.CharField(
        _("display name"),
        max_length=MAX_LENGTH,
        validators=[validate_display_name],
    )
    display_key = DisplayKeyField(
        unique=True,
        error_messages={"unique": _("This name, or one that looks like it, is taken.")},
    )
    time_zone = models.CharField(
        _("time zone"), max_length=64, default=UTC, validators=[validate_zone]
    )
    language = models.CharField(_("language"), max_length=8, default="en", choices=language_choices)
    dice_in_mail = models.BooleanField(_("own dice in own turn mails"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)
    is_active = models.BooleanField(_("may log in"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False)

    objects: ClassVar[UserManager] = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["display_name"]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")

    def __str__(self) -> str:
        return self.display_name

    @property
    def zone(self) -> ZoneInfo:
        """The person's time zone, ready for ``astimezone``."""
        return load_zone(self.time_zone)

    def get_full_name(self) -> str:
        """Return the display name: no other name is known."""
        return self.display_name

    def get_short_name(self) -> str:
        """Return the display name."""
        return self.display_name
