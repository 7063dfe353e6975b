"""The floor's tables are an app of the benchmarks' own database."""

from django.apps import AppConfig


class FloorConfig(AppConfig):
    name = "benchmarks.floor"
    label = "floor"
    default_auto_field = "django.db.models.BigAutoField"
