from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Listen to allauth: its models load after ours, so not before now."""
        from allauth.mfa import signals

        from accounts import audit, hooks

        audit.connect()
        for signal in (
            signals.authenticator_added,
            signals.authenticator_removed,
            signals.authenticator_reset,
        ):
            signal.connect(hooks.end_sessions_elsewhere, dispatch_uid="accounts.end_elsewhere")
        signals.authenticator_added.connect(hooks.count_as_proof, dispatch_uid="accounts.proof")
