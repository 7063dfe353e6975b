"""Every address of the site."""

from django.conf import settings
from django.urls import include, path

from games.views import styleguide
from perudo_site import health

urlpatterns = [
    path("live", health.live, name="live"),
    path("ready", health.ready, name="ready"),
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
]
if settings.DEVELOPMENT:
    urlpatterns.append(path("styleguide/", styleguide.styleguide, name="styleguide"))
if settings.MAILBOX_ENABLED:
    urlpatterns.append(path("mailbox/", include("perudo_site.mailbox.urls")))
