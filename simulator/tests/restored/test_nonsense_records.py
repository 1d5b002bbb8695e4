"""Well-formed nonsense in a snapshot: records of the right types that say what cannot be.

They are refused when they are restored, or what is due of them is set aside: an advance is
answered, and all other due work is done.
"""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import inspect

from simulator.adapters.sandboxes.set_aside import SET_ASIDE_MAX
from simulator.adapters.store.kinds import KINDS
from simulator.domain.chargebacks import Return
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.records import Registration
from simulator.domain.payments.pending import Awaited
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.settlement.pushing import FilePush
from simulator.service.sandboxes.due_work import DUE
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.sandboxes.test_advance import FROZEN, card_of, schedule_of
from simulator.tests.sandboxes.test_hostile_snapshots import Opened, opened, restore, taken_of

DUE_AT = "2026-11-23T11:59:00Z"
CARD_NUMBER = "4539578763621486"
TABLES = {kind.record: kind.table for kind in KINDS}
REGISTRATION_AND_SCHEDULE = 2
# What leads to a file or an address must be well-formed, or it is refused when it is restored.
NAMED = {FilePush: {"id": "shop_sandgate_2026-11-23_001.csv", "merchant": "0" * 32}}

# Records that say what cannot be, of which a restore looks at what they say.
REFUSED = frozenset({Awaited, Return, Schedule, Registration, KeptForm})
Change = tuple[str, str, object]
# A table, what is changed in each of its records, and how the restore is answered.
ALTERED: tuple[tuple[Change, int], ...] = (
    (("schedules", "due", DUE_AT), 200),
    (("schedules", "registration", "0" * 32), 200),
    (("schedules", "sent", {}), 400),
    (("schedules", "sent/amount", "nine"), 400),
    (("schedules", "sent/amount", None), 400),
    (("schedules", "sent/currency", "EURO"), 400),
    (("schedules", "sent/paymentType", "PA+DB"), 400),
    (("schedules", "sent/job.expression", "never"), 400),
    (("schedules", "stamp/channel", "0" * 32), 200),
    (("registrations", "brand", "NO_BRAND"), 400),
    (("registrations", "card/expiryYear", "long ago"), 400),
    (("registrations", "sealed_card/number", "AAAA"), 400),
    (("registrations", "stamp/merchant", "0" * 32), 200),
    (("awaited", "due", DUE_AT), 200),
    (("awaited", "id", "0" * 32), 400),
    (("awaited", "outcome/code", "none"), 400),
    (("awaited", "paid/code", ""), 400),
    (("awaited", "outcome", {}), 400),
)

# Where a merchant reads a record of a table.
READ_BY = {
    "payments": "/v1/payments/{}",
    "registrations": "/v1/registrations/{}",
    "schedules": "/scheduling/v1/schedules/{}",
}


# fmt: off
VALUES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (inspect.StructType,     lambda kind: {f.encode_name: nonsense(f.type) for f in kind.fields}),
    (inspect.UnionType,      lambda kind: nonsense(some_of(kind))),
    (inspect.EnumType,       lambda kind: list(kind.cls)[-1].value),
    (inspect.LiteralType,    lambda kind: kind.values[0]),
    (inspect.DateTimeType,   lambda kind: DUE_AT),
    (inspect.DateType,       lambda kind: DUE_AT[:10]),
    (inspect.BoolType,       lambda kind: False),
    (inspect.IntType,        lambda kind: kind.ge or 1),
    (inspect.FloatType,      lambda kind: 1.5),
    (inspect.DecimalType,    lambda kind: "1.00"),
    (inspect.BytesType,      lambda kind: "AAAA"),
    (inspect.DictType,       lambda kind: {}),
    (inspect.CustomType,     lambda kind: {}),
    (inspect.CollectionType, lambda kind: []),
    (inspect.Type,           lambda kind: CARD_NUMBER),
)
# fmt: on


def nonsense(kind: inspect.Type) -> Any:
    """A value of a type, and none that any gateway would store."""
    return next(made(kind) for each, made in VALUES if isinstance(kind, each))


def some_of(kind: inspect.UnionType) -> inspect.Type:
    return next(each for each in kind.types if not isinstance(each, inspect.NoneType))


def nonsense_record(record: type, identity: str) -> list[Any]:
    """A change that stores a record of this kind which is due."""
    made = {**nonsense(inspect.type_info(record)), "id": identity, "version": 1}
    made |= NAMED.get(record, {})
    return [TABLES[record], made["id"], [1_000_000, made]]


@pytest.fixture(scope="module")
def genuine(gateway: Gateway) -> bytes:
    """A snapshot of a sandbox with one payment a day."""
    made = gateway.control("POST", "/sandboxes", {"clock": FROZEN}).json
    who = Credentials(made["token"], made["entity_id"])
    registered = gateway.send("/v1/registrations", card_of(who.entity_id), who).json["id"]
    scheduled = schedule_of(registered, who.entity_id)
    assert gateway.send("/scheduling/v1/schedules", scheduled, who).status_code == 200
    return taken_of(gateway, made["id"])


@pytest.fixture(scope="module")
def waiting(gateway: Gateway) -> tuple[bytes, Credentials]:
    """A snapshot of a sandbox with a schedule and a payment that waits for its shopper, and who
    its merchant is.
    """
    made = gateway.control("POST", "/sandboxes", {"clock": FROZEN}).json
    who = Credentials(made["token"], made["entity_id"])
    registered = gateway.send("/v1/registrations", card_of(who.entity_id), who).json["id"]
    gateway.send("/scheduling/v1/schedules", schedule_of(registered, who.entity_id), who)
    sent = {"entityId": who.entity_id, "amount": "5.00", "currency": "EUR", "paymentType": "DB",
            "paymentBrand": "VIRTUAL_REDIRECT", "shopperResultUrl": "https://a.test"}  # fmt: skip
    assert gateway.send("/v1/payments", sent, who).json["result"]["code"] == "000.200.000"
    return taken_of(gateway, made["id"]), who


@pytest.fixture
def parts(genuine: bytes) -> Opened:
    return opened(genuine)


def advance(gateway: Gateway, parts: Opened) -> dict[str, Any]:
    """The clock after it was moved by three days."""
    path = f"/sandboxes/{parts.sandbox['id']}/clock/advance"
    answer = gateway.control("POST", path, {"by": "3d"})
    assert answer.status_code == 200, answer.text
    return answer.json


def payments_in(gateway: Gateway, parts: Opened) -> int:
    return taken_of(gateway, parts.sandbox["id"]).count(b'[["payments"')


@pytest.mark.parametrize("record", [kind.record for kind in DUE], ids=lambda kind: kind.__name__)
def test_due_work_that_cannot_be_done_stops_no_other(
    gateway: Gateway, parts: Opened, record: type
) -> None:
    parts.units.append([nonsense_record(record, "nonsense")])
    restored = restore(gateway, parts.closed())
    assert restored.status_code == (400 if record in REFUSED else 200), restored.text
    if record in REFUSED:
        return

    clock = advance(gateway, parts)

    assert clock["now"] == "2026-11-23T12:00:00Z"
    assert payments_in(gateway, parts) == REGISTRATION_AND_SCHEDULE + 3
    drained = gateway.control("POST", f"/sandboxes/{parts.sandbox['id']}/drain", {"timeout": "20s"})
    assert drained.json == {"drained": True}


@pytest.mark.parametrize(("change", "expected"), ALTERED, ids=str)
def test_a_genuine_record_that_was_altered_is_refused_or_stops_no_other(
    gateway: Gateway, waiting: tuple[bytes, Credentials], change: Change, expected: int
) -> None:
    snapshot, who = waiting
    parts, (table, path, value) = opened(snapshot), change
    altered = [place for unit in parts.units for place, *_ in unit].count(table)
    for unit in parts.units:
        for place, _, (_, document) in unit:
            if place == table:
                put(document, path, value)
    status = restore(gateway, parts.closed()).status_code

    assert altered and status == expected
    if status == 200:
        advance(gateway, parts)
        drain = f"/sandboxes/{parts.sandbox['id']}/drain"
        assert gateway.control("POST", drain, {"timeout": "20s"}).json == {"drained": True}
        assert {*read_all(gateway, parts, who)} <= {200, 400, 404}
        assert 200 in read_all(gateway, parts, who)


def put(document: Any, path: str, value: object) -> None:
    """Set what stands at a path; None removes it."""
    *above, last = path.split("/")
    for name in above:
        document = document[name]
    if value is None:
        document.pop(last, None)
    else:
        document[last] = value


def read_all(gateway: Gateway, parts: Opened, who: Credentials) -> list[int]:
    """The statuses with which its merchant reads each record of a sandbox."""
    headers = {"Authorization": f"Bearer {who.token}"}
    query = f"entityId={who.entity_id}"
    found = {place: identity for unit in parts.units for place, identity, *_ in unit}
    paths = [path.format(found[table]) for table, path in READ_BY.items() if table in found]
    assert len(paths) == len(READ_BY)
    return [
        gateway.client.simulate_get(path, query_string=query, headers=headers).status_code
        for path in paths
    ]


def test_an_advance_says_so_where_too_much_cannot_be_done(gateway: Gateway, parts: Opened) -> None:
    for number in range(SET_ASIDE_MAX + 1):
        record = nonsense_record(Return, f"nonsense{number}")
        record[2][1]["code"] = "900.100.600"
        parts.units.append([record])
    assert restore(gateway, parts.closed()).status_code == 200
    path = f"/sandboxes/{parts.sandbox['id']}/clock"

    refused = gateway.control("POST", f"{path}/advance", {"by": "3d"})

    assert refused.status_code == 503
    assert "at most 100 records of due work that cannot be done" in refused.text
    assert gateway.control("GET", path).json["set_aside"] == SET_ASIDE_MAX
