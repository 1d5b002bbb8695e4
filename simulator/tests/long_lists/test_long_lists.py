"""Lists without an end: others have their turn while they are read, made and sent."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from weakref import ref

import gevent
import msgspec
import pytest
from falcon.testing import create_environ

from simulator.adapters.turns import in_slices, next_turn
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Outcome, Payment
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.payments.pending import Awaited
from simulator.domain.payments.trees import tree_below
from simulator.domain.webhooks.records import Delivery, WebhookEvent
from simulator.service.payments.pending import pending_payments
from simulator.service.webhooks.deliveries import find_events, with_deliveries
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway
from simulator.tests.long_lists.reading import ReadInTurns

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ABOUT = "8" * 32
MANY = 300


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway whose answers are looked at as they are sent."""
    gateway = Gateway(tmp_path, is_described=False)
    yield gateway
    gateway.close()


def sandbox_of(gateway: Gateway) -> str:
    """The id of the default sandbox."""
    return str(gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"])


def stored_events(ports: Any, count: int = MANY) -> list[WebhookEvent]:
    """Events of the same instant about a registration, and a failed delivery of the oldest."""
    events = [
        WebhookEvent(id=f"{number * 7919 % count:032x}", type="PAYMENT", payment=ABOUT,
                     payload=msgspec.Raw(b'{"a":"%b"}' % (b"x" * 100)), created_at=NOON)
        for number in range(count)
    ]  # fmt: skip
    failed = Delivery(id="d", event_id=events[0].id, began_at=NOON, attempts=1, held="endpoint")
    for each in events:
        ports.store.commit(unit_of(each))
    ports.store.commit(unit_of(failed))
    return events


@pytest.mark.parametrize(("payment", "failed"), [(ABOUT, False), (None, False), (None, True)])
def test_events_are_looked_through_in_slices_the_newest_first(
    gateway: Gateway, payment: str | None, failed: bool
) -> None:
    ports: Any = gateway.ports(sandbox_of(gateway))
    events = stored_events(ports)
    watched = ReadInTurns(ports.store)

    found = [*find_events(SimpleNamespace(store=watched), payment=payment, failed=failed)]

    wanted = events[:1] if failed else events[::-1]
    assert [each.id for each in found] == [each.id for each in wanted]
    assert watched.most <= 4 * SLICE_RECORDS


@pytest.mark.parametrize("is_shown", [False, True])
def test_events_with_many_failed_deliveries_are_looked_through_in_slices(
    gateway: Gateway, *, is_shown: bool
) -> None:
    ports: Any = gateway.ports(sandbox_of(gateway))
    events, each_has = stored_events(ports, 20), 50
    for event in events:
        failed = [
            Delivery(id=f"{event.id}{number}", event_id=event.id, began_at=NOON, attempts=1,
                     held="endpoint")
            for number in range(each_has)
        ]  # fmt: skip
        ports.store.commit(unit_of(*failed))
    watched = ReadInTurns(ports.store)

    ports = SimpleNamespace(store=watched)

    if is_shown:
        shown = [*with_deliveries(ports, events[::-1])]
        assert all(len(deliveries) >= each_has for _, deliveries in shown)
        found = [event for event, _ in shown]
    else:
        found = [*find_events(ports, failed=True)]

    assert [each.id for each in found] == [each.id for each in events[::-1]]
    assert watched.most <= each_has + 1 + 4 * SLICE_RECORDS


def test_of_events_few_are_in_memory_while_all_are_looked_through(gateway: Gateway) -> None:
    store: Any = gateway.ports(sandbox_of(gateway)).store
    stored_events(SimpleNamespace(store=store))
    seen: list[ref[WebhookEvent]] = []

    def noted(event: WebhookEvent) -> WebhookEvent:
        seen.append(ref(event))
        return event

    def page(*place: Any, start: int, most: int) -> tuple[Iterator[Any], int]:
        found, count = store.page(*place, start=start, most=most)
        return map(noted, found), count

    watched = SimpleNamespace(page=page, get_many=store.get_many, pause=store.pause)
    found = find_events(SimpleNamespace(store=watched))
    alive = [sum(each() is not None for each in seen) for _ in found]

    assert len(alive) == MANY
    assert max(alive) <= 2 * SLICE_RECORDS


def test_no_event_is_shown_twice_where_older_ones_are_removed_meanwhile(gateway: Gateway) -> None:
    ports: Any = gateway.ports(sandbox_of(gateway))
    events = stored_events(ports)
    found = find_events(ports)
    shown = [*islice(found, 60)]

    oldest = [ports.store.get(WebhookEvent, each.id) for each in events[:50]]
    ports.store.commit(unit_of(removes=tuple(oldest)))

    shown += found
    assert [each.id for each in shown] == [each.id for each in events[:49:-1]]


def test_what_refers_to_a_payment_is_read_in_slices(gateway: Gateway) -> None:
    ports: Any = gateway.ports(sandbox_of(gateway))
    top = gateway.post(paymentType="PA").json["id"]
    parts = [gateway.refer(top, "CP", amount="1.00", currency="EUR").json["id"] for _ in range(50)]
    refund = gateway.refer(parts[3], "RF", amount="1.00", currency="EUR").json["id"]
    watched = ReadInTurns(ports.store)

    found = [*tree_below(SimpleNamespace(store=watched), ports.store.get(Payment, top))]

    assert [each.id for each in found] == [top, *parts, refund]
    assert watched.most <= 2 * SLICE_RECORDS


def test_what_is_pending_is_read_in_slices(gateway: Gateway) -> None:
    ports: Any = gateway.ports(sandbox_of(gateway))
    store_pending(ports)
    watched = ReadInTurns(ports.store)

    found = [*pending_payments(SimpleNamespace(store=watched))]

    assert len(found) == MANY
    assert watched.most <= SLICE_RECORDS


def store_pending(ports: Any) -> None:
    outcome = Outcome(code="000.100.112")
    pending = [
        Awaited(id=f"{number:032x}", due=NOON + timedelta(days=number), outcome=outcome)
        for number in range(MANY)
    ]
    ports.store.commit(unit_of(*pending))


def pieces_of(gateway: Gateway, path: str) -> Sequence[bytes]:
    """What a listener sends, one after the other."""
    path, _, query = path.partition("?")
    environ = create_environ(
        f"/_sandbox/v1{path}", query, headers={"Authorization": f"Bearer {CONTROL_KEY}"}
    )
    answer: Iterable[bytes] = gateway.client.app(environ, lambda *head: None)
    return [*answer]


@pytest.mark.parametrize("name", ["sandboxes", "pending", "notices"])
def test_a_long_list_is_sent_in_pieces(bare: Gateway, name: str) -> None:
    sandbox = sandbox_of(bare)
    path = f"/sandboxes/{sandbox}/{name}"
    if name == "pending":
        store_pending(bare.ports(sandbox))
    elif name == "notices":
        stored_events(bare.ports(sandbox))
        path = f"{path}?limit=500"
    else:
        path = "/sandboxes"
        for _ in range(40):
            bare.sandbox()

    pieces = pieces_of(bare, path)

    assert len(pieces) > 1 and max(map(len, pieces)) <= 2 * 16 * 1024
    shown = msgspec.json.decode(b"".join(pieces))
    assert [*shown] == [name]
    assert len({each["id"] for each in shown[name]}) == (41 if name == "sandboxes" else MANY)


def test_others_have_their_turn_while_the_sandboxes_are_looked_through() -> None:
    def costly() -> Iterator[int]:
        for number in range(5):
            ends = gevent.get_hub().loop.now() + 0.003
            while gevent.get_hub().loop.now() < ends:
                gevent.get_hub().loop.update_now()
            yield number

    turns: list[None] = []
    other = gevent.spawn(lambda: [turns.append(next_turn()) for _ in range(1000)])

    seen = [(number, len(turns)) for number in in_slices(costly())]

    other.kill()
    assert [number for number, _ in seen] == [0, 1, 2, 3, 4]
    assert len({count for _, count in seen}) >= 4
