from django.apps import AppConfig


class PerudoSiteConfig(AppConfig):
    """The site itself: what joins the apps, the mailbox, the checks."""

    name = "perudo_site"

    def ready(self) -> None:
        # Loading them registers them.
        from perudo_site import checks, wiring  # noqa: F401
        from perudo_site.doors import checks as door_checks  # noqa: F401
        from perudo_site.doors import webhooks

        wiring.connect()
        webhooks.connect()
