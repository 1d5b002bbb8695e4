"""What a sandbox needs of its home, where it is served by another gateway too."""

from typing import Any, Protocol

from simulator.adapters.journal import MemoryJournal
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.domain.core.agenda import Scheduler
from simulator.domain.core.hosts import Host
from simulator.domain.ports.journal import Journal
from simulator.domain.ports.webhooks import Dispatcher
from simulator.domain.throttling.windows import RequestGate


class HomePorts(Protocol):
    """What a runtime beside the home has in place of what only the home does. `absent` raises
    HomeNeededError at every use.
    """

    @property
    def scheduler(self) -> Scheduler: ...

    @property
    def absent(self) -> Any: ...

    def dispatcher_for(self, local: WebhookDispatcher) -> Dispatcher:
        """A dispatcher that hands deliveries to the home; `local` knows the endpoints."""

    def journal_over(self, local: MemoryJournal) -> Journal:
        """A journal in which nothing is that was left to the home; `local` is that of here."""

    def counter_of(self, host: Host, merchant: str) -> RequestGate:
        """What counts the requests of a merchant."""
