"""Time as it passes here. Tests move a clock by hand: `simulator/tests/kit/twins.py`."""

from datetime import UTC, datetime, timedelta
from functools import partial

import gevent


class RealClock:
    """The clock of this machine."""

    __slots__ = ()

    # The present, aware, UTC. Asked several times for each payment.
    now = staticmethod(partial(datetime.now, UTC))

    def wait(self, span: timedelta) -> None:
        """Return when `span` has passed; other greenlets go on meanwhile."""
        gevent.sleep(span.total_seconds())
