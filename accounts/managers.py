"""How users are made and found."""

from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import BaseUserManager

from accounts.names import MAX_LENGTH, display_key

if TYPE_CHECKING:
    from accounts.models import User

    _Manager = BaseUserManager["User"]
else:
    _Manager = BaseUserManager


class UserManager(_Manager):
    """Creates users by e-mail: the signature that Django's commands and tests expect."""

    use_in_migrations = True

    def create_user(
        self, email: str, display_name: str, password: str | None = None, **fields: Any
    ) -> "User":
        """Create a person; without a password the login is by code or passkey."""
        if not email:
            raise ValueError("A user needs an e-mail address.")
        user: User = self.model(email=email, display_name=display_name, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def named(self, display_name: str) -> "User | None":
        """Return the person who may log in and is called just so, found by the key of the name."""
        found: User | None = self.filter(
            display_key=display_key(display_name[:MAX_LENGTH]),
            display_name=display_name,
            is_active=True,
        ).first()
        return found

    def create_superuser(
        self, email: str, display_name: str, password: str | None = None, **fields: Any
    ) -> "User":
        """Create a person who may do everything in the admin."""
        return self.create_user(
            email, display_name, password, **{**fields, "is_staff": True, "is_superuser": True}
        )
