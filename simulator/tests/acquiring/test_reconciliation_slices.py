"""A reconciliation gives way to other requests, and its report is bounded."""

import gevent
import pytest
from msgspec.structs import replace

from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.reconciliation import DIFFERENCES_MAX
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.core.records import Payment
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.ports.sandbox import Ports
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.tests.kit.gateway import Gateway

COUNT = 4_000


def identity_of(number: int) -> str:
    return f"8{number:031x}"


def ports_of(gateway: Gateway) -> Ports:
    (sandbox,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    return gateway.ports(sandbox["id"])


def put(ports: Ports, records: list) -> None:
    for first in range(0, len(records), 500):
        ports.store.commit(Unit(unit_of(*records[first : first + 500]).puts))


@pytest.fixture
def ports(gateway: Gateway) -> Ports:
    """A sandbox with thousands of payments that never travelled."""
    paid = gateway.post().json["id"]
    made = ports_of(gateway)
    payment = made.store.get(Payment, paid)
    copies = [replace(payment, id=identity_of(each), version=0) for each in range(COUNT)]
    put(made, copies)
    return made


def test_other_requests_are_served_between_slices(ports: Ports) -> None:
    served = 0

    def serve() -> None:
        nonlocal served
        while True:
            gevent.sleep(0)
            served += 1

    serving = gevent.spawn(serve)
    gevent.sleep(0)
    reconcile_ledgers(ports)
    serving.kill()

    assert served >= COUNT // SLICE_RECORDS


def test_what_differs_is_listed_up_to_a_bound_and_counted_beyond_it(gateway: Gateway) -> None:
    paid = gateway.post(testMode="EXTERNAL").json["id"]
    ports = ports_of(gateway)
    entry = ports.store.get(CardEntry, paid)
    copies = [
        replace(entry, id=identity_of(each), version=0) for each in range(DIFFERENCES_MAX + 500)
    ]
    put(ports, copies)

    report = reconcile_ledgers(ports)

    assert len(report.differences) == DIFFERENCES_MAX
    assert sum(line.count for line in report.lines) == DIFFERENCES_MAX + 501
