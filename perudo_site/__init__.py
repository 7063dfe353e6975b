"""The composition root: the only package that knows both apps."""

from perudo_site.celery import app as celery_app

__all__ = ["celery_app"]
