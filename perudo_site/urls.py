"""Every address of the site."""

from django.conf import settings
from django.urls import include, path

from games.views import styleguide
from perudo_site import health
from perudo_site.doors import webhooks

urlpatterns = [
    path("live", health.live, name="live"),
    path("ready", health.ready, name="ready"),
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
]
# With a secret only: whoever may post here may write as anybody.
if settings.MAIL_WEBHOOKS:
    urlpatterns.append(path("mail/", include(webhooks.urlpatterns(settings.MAIL_WEBHOOKS))))
if settings.DEVELOPMENT:
    urlpatterns.append(path("styleguide/", styleguide.styleguide, name="styleguide"))
if settings.MAILBOX_ENABLED:
    urlpatterns.append(path("mailbox/", include("perudo_site.mailbox.urls")))
