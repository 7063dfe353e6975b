"""Make the floor's tables: after the site's own, which they point to."""

from django.db import connection

from benchmarks.floor.models import FloorGame, FloorMove, FloorOutbox


def create() -> None:
    """Create the tables of the floor in a database that has just been migrated."""
    with connection.schema_editor() as editor:
        for model in (FloorGame, FloorMove, FloorOutbox):
            editor.create_model(model)
