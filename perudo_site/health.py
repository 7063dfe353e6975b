"""Tell a supervisor whether the process is alive and whether it can serve."""

from functools import cache as once

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.selectors.overdue import overdue
from perudo_site.cache import is_degraded


class _MigrationsMissing(Exception):
    pass


@require_safe
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """Answer as long as the process does."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database answers and has every migration, else 503.

    Redis makes things fast, never true: without it the site is degraded, and ready. So it is
    where the worker does not keep up; what waits is named.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        _require_migrations()
        cache.get("ready")
        late = overdue(now=timezone.now())
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    except _MigrationsMissing:
        return JsonResponse({"status": "migrations missing"}, status=503)
    if late:
        return JsonResponse({"status": "degraded", "overdue": late})
    return JsonResponse({"status": "degraded" if is_degraded() else "ok"})


@once
def _require_migrations() -> None:
    """Raise while migrations are missing; once they are there, they stay for this process."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _MigrationsMissing
