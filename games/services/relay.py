"""All that is due is sent, by every way: what the worker and ``manage.py relay_outbox`` do."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime

from games.services import outbox, pushes, webhooks
from games.services.outbox import Fate


def deliver_all(*, clock: Callable[[], datetime]) -> Counter[Fate]:
    """Send what is due and return what became of the rows.

    The ways take turns, a batch each, so that a webhook that keeps us waiting holds up no mail for
    longer than that. A way of which a whole batch came back is left alone until the next sweep.
    """
    fates: Counter[Fate] = Counter()
    ways: list[Callable[..., Counter[Fate]]] = [outbox.deliver, webhooks.deliver, pushes.deliver]
    while ways:
        for deliver in tuple(ways):
            batch = deliver(now=clock())
            fates += batch
            if not outbox.settled(batch):
                ways.remove(deliver)
    return fates
