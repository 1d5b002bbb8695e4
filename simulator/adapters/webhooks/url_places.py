"""Places for the queues of URLs of single payments, and the deliveries that wait for one.

Merchants name the URLs, and one that does not respond keeps its place for thirty seconds. So no
host has more places than are left to its merchant: those that are free, less those the merchant has
already. However many hosts of a merchant do not respond, it has half of the places, two merchants
have a third each, and another one finds a place; so does another host of the same merchant until
that has its share. Calls that failed before count apart from first ones, as if another merchant
made them. Those that wait take turns: the merchants, then the hosts of each.

Choice: D-666.
"""

from collections import Counter, OrderedDict
from collections.abc import Collection
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from simulator.domain.webhooks.records import Delivery

Key = TypeVar("Key")


class Caller(NamedTuple):
    """What has a share of the places: the first calls of a merchant, or those that failed."""

    merchant: str
    has_failed: bool


class CalledHost(NamedTuple):
    """A host that a caller calls."""

    caller: Caller
    name: str


Hosts = OrderedDict[CalledHost, OrderedDict[str, dict[str, None]]]


class UrlPlaces:
    """At most `most` places, each of a URL."""

    __slots__ = ("_counts", "_most", "_taken", "_waiting")

    def __init__(self, most: int):
        self._most = most
        self._taken: dict[str, CalledHost] = {}
        self._counts: Counter[Caller | CalledHost] = Counter()
        # Callers, the hosts of each, their URLs and the deliveries to these, each in the order in
        # which they come next.
        self._waiting: OrderedDict[Caller, Hosts] = OrderedDict()

    @property
    def urls(self) -> Collection[str]:
        """The URLs that have a place."""
        return self._taken.keys()

    @property
    def has_waiting(self) -> bool:
        """Whether deliveries wait for a place."""
        return bool(self._waiting)

    def take(self, delivery: Delivery) -> bool:
        """Whether the URL of a delivery has a place, since now or already."""
        host = _host_of(delivery)
        is_free = self._counts[host] < self._left_to(host.caller)
        if is_free:
            self._occupy(delivery.url, host)
        return is_free or delivery.url in self._taken

    def wait(self, delivery: Delivery) -> None:
        """Let a delivery wait for a place; one that waits already keeps its turn."""
        host = _host_of(delivery)
        hosts = self._waiting.setdefault(host.caller, OrderedDict())
        urls = hosts.setdefault(host, OrderedDict())
        urls.setdefault(delivery.url, {})[delivery.id] = None

    def give_back(self, url: str) -> None:
        """Free the place of a URL: others may take their next turns."""
        host = self._taken.pop(url)
        for each in (host, host.caller):
            self._counts[each] -= 1
            if not self._counts[each]:
                del self._counts[each]

    def take_next(self) -> tuple[str, Collection[str]] | None:
        """The next URL for which there is room, which has a place now, and its deliveries, which
        wait no longer.
        """
        for caller, hosts in self._waiting.items():
            left = self._left_to(caller)
            if left <= 0:
                continue
            # Of many hosts the first few are looked at: of those that have a place there are few.
            host = next((each for each in hosts if self._counts[each] < left), None)
            if host is not None:
                return self._begin(host)
        return None

    def clear(self) -> None:
        """Let none wait any longer."""
        self._waiting.clear()

    def _left_to(self, caller: Caller) -> int:
        return self._most - len(self._taken) - self._counts[caller]

    def _begin(self, host: CalledHost) -> tuple[str, Collection[str]]:
        hosts = self._waiting[host.caller]
        urls = hosts[host]
        url, deliveries = urls.popitem(last=False)
        _end_turn(hosts, host)
        _end_turn(self._waiting, host.caller)
        self._occupy(url, host)
        return url, deliveries

    def _occupy(self, url: str, host: CalledHost) -> None:
        if url not in self._taken:
            self._taken[url] = host
            self._counts.update((host, host.caller))


def _host_of(delivery: Delivery) -> CalledHost:
    caller = Caller(delivery.merchant, has_failed=delivery.failures > 0)
    return CalledHost(caller, urlsplit(delivery.url).netloc)


def _end_turn(waiting: OrderedDict[Key, Any], key: Key) -> None:
    """Let it come after all others that wait, if more of it waits."""
    if waiting[key]:
        waiting.move_to_end(key)
    else:
        del waiting[key]
