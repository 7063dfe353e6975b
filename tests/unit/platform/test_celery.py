"""A task that waits long is not a task but a row."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from perudo_site.celery import app


@app.task(name="tests.nothing")
def nothing() -> None:
    """Do nothing."""


def test_a_task_may_wait_a_minute() -> None:
    nothing.apply_async(countdown=59)


@pytest.mark.parametrize("late", [{"countdown": 62}, {"eta": timedelta(seconds=62)}])
def test_a_task_that_would_wait_longer_is_refused(late: dict[str, Any]) -> None:
    if "eta" in late:
        late = {"eta": datetime.now(UTC) + late["eta"]}
    with pytest.raises(ValueError, match="write a row"):
        nothing.apply_async(**late)
    with pytest.raises(ValueError, match="write a row"):
        app.send_task("tests.nothing", **late)


def test_a_lost_task_comes_back_within_minutes_and_a_slow_one_ends_before() -> None:
    options = app.conf.broker_transport_options
    assert options["unacked_restore_interval"] * options["unacked_restore_throttle"] <= 5
    assert app.conf.task_time_limit < options["visibility_timeout"]
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
