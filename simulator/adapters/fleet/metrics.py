"""The metrics of a fleet: what every member counts, added up, whichever of them is asked."""

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gevent

from simulator.adapters.fleet.internal import METRICS
from simulator.adapters.fleet.peers import LostForwardError, Peers, UnservedError
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.core.errors import UnreachableStoreError

LOG = logging.getLogger("sandgate.fleet")
ANSWER_S = 2.0
# The same at every member, or of one process: the largest is shown, not the sum.
LARGEST = frozenset({"sandgate_sandboxes", "process_start_time_seconds", "process_max_fds"})
MEMBERS = "sandgate_members"


class FleetMetrics:
    """The text Prometheus reads. `local` is that of this process; `number` that of its member."""

    def __init__(
        self,
        local: Callable[[], bytes],
        number: int,
        *,
        peers: Peers,
        members: Callable[[], list[FleetPeer]],
    ):
        self.local = local
        self._number = number
        self.peers = peers
        self._members = members

    def __call__(self) -> bytes:
        """What all members count together; one that does not answer in time is left out."""
        from prometheus_client import CollectorRegistry, generate_latest

        registry = CollectorRegistry()
        registry.register(_Collected(summed(self._texts())))
        return generate_latest(registry)

    def _texts(self) -> list[bytes]:
        try:
            others = [each for each in self._members() if each.number != self._number]
        except UnreachableStoreError:
            others = []
        asked = [gevent.spawn(self._text_of, each) for each in others]
        gevent.joinall(asked, timeout=ANSWER_S)
        return [self.local(), *(each.value for each in asked if each.value is not None)]

    def _text_of(self, peer: FleetPeer) -> bytes | None:
        try:
            answer = self.peers.send(peer, "GET", METRICS, headers={}, body=b"")
            text = b"".join(answer.pieces)
        except (UnservedError, LostForwardError) as error:
            LOG.info("member %d is left out of the metrics: %s", peer.number, error)
            return None
        return text if answer.status.startswith("200") else None


class _Collected:
    """Families as a registry of the library asks for them."""

    def __init__(self, families: Iterable[Any]):
        self._families = list(families)

    def collect(self) -> Iterator[Any]:
        return iter(self._families)


def summed(texts: list[bytes]) -> Iterator[Any]:
    """The families of several texts, each sample with the sum of its values."""
    from prometheus_client.core import GaugeMetricFamily, Metric
    from prometheus_client.parser import text_string_to_metric_families

    families: dict[str, Any] = {}
    values: dict[tuple[str, str, tuple[tuple[str, str], ...]], float] = {}
    for text in texts:
        for family in text_string_to_metric_families(text.decode()):
            families.setdefault(family.name, family)
            for sample in family.samples:
                key = (family.name, sample.name, tuple(sorted(sample.labels.items())))
                known = values.get(key)
                add = max if family.name in LARGEST else float.__add__
                values[key] = sample.value if known is None else add(known, sample.value)
    for name, family in families.items():
        found = Metric(name, family.documentation, family.type)
        for (of, kind, labels), value in values.items():
            if of == name:
                found.add_sample(kind, dict(labels), value)
        yield found
    yield GaugeMetricFamily(MEMBERS, "Members of the fleet that answered.", value=len(texts))
