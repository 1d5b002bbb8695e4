"""Time as it passes here. Tests move a clock by hand: `simulator/tests/kit/twins.py`."""

from datetime import UTC, datetime, timedelta

import gevent


class RealClock:
    """The clock of this machine."""

    __slots__ = ()

    def now(self) -> datetime:
        """The present, aware, UTC."""
        return datetime.now(UTC)

    def wait(self, span: timedelta) -> None:
        """Return when `span` has passed; other greenlets go on meanwhile."""
        gevent.sleep(span.total_seconds())
