"""The site's addresses, and the floor's."""

from django.urls import include, path

urlpatterns = [
    path("floor/", include("benchmarks.floor.urls")),
    path("", include("perudo_site.urls")),
]
