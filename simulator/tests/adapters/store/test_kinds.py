"""What is kept of payments and of the other records."""

from datetime import UTC, datetime
from decimal import Decimal

import msgspec
import pytest

from simulator.adapters.store.kinds import KINDS, Kind
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.vault import KeyVault
from simulator.domain.core.money import Money
from simulator.domain.core.ports import Unit, key_of
from simulator.domain.core.records import (
    AccountHierarchy,
    Attempt,
    CardSummary,
    LedgerEntry,
    Payment,
    PaymentType,
    State,
)

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NUMBER = "4200000000000000"
STAMP = AccountHierarchy("psp", "division", "merchant", "channel", "account", "institute")


def a_payment(identity: str = "8a", **fields: object) -> Payment:
    return Payment(
        **{
            "id": identity,
            "version": 1,
            "type": PaymentType.PA,
            "state": State.AUTHORIZED,
            "stamp": STAMP,
            "created_at": NOON,
            "ndc": "1",
            "short_id": "1234.1234.1234",
            **fields,
        }
    )


@pytest.fixture
def store(tmp_path) -> DocumentStore:
    return DocumentStore(tmp_path / "a.log")


def test_every_kind_has_a_table_of_its_own():
    tables = [kind.table for kind in KINDS]

    assert len(set(tables)) == len(tables)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.table)
def test_an_indexed_field_is_always_written(kind: Kind):
    # A field that equals its default is left out of the JSON, and out of the index with it.
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind.record)}
    for index in kind.indexes:
        field = fields[index.path.partition(".")[0]]
        empty = field.default is None or field.default_factory is dict
        assert field.required or empty, f"{kind.table}.{index.path} has a default"


def test_a_payment_is_found_by_what_a_merchant_knows(store):
    payment = a_payment(
        sent={"merchantTransactionId": "order 1"}, referenced="8b", registration="8c"
    )

    store.commit(Unit(puts=(payment, a_payment("8d"))))

    for index, key in (
        ("referenced", "8b"),
        ("registration", "8c"),
    ):
        assert store.find(Payment, index, key) == [payment]
    merchant = payment.stamp.merchant
    day = (key_of(merchant, "test", "2026-11-20"), key_of(merchant, "test", "2026-11-21"))
    assert len(list(store.between(Payment, "host_history", *day))) == 2


def test_a_payment_is_in_the_history_of_its_host_also_after_a_restart(store):
    made = {"8b": "test", "8c": "live"}
    puts = tuple(a_payment(identity, host=host) for identity, host in made.items())
    store.commit(Unit(puts=puts))
    for _ in range(2):
        for payment in puts:
            within = key_of(payment.stamp.merchant, payment.host)
            bounds = (key_of(within, ""), key_of(within, "~"))
            assert list(store.between(Payment, "host_history", *bounds)) == [payment]
        assert store.sleep()


def test_open_attempts_are_found_until_they_are_closed(store):
    payment = a_payment(state=State.OPEN, attempt=Attempt(trace=1, at=NOON))
    store.commit(Unit(puts=(payment, a_payment("8b"))))
    assert store.find(Payment, "open", "yes") == [payment]

    store.commit(Unit(puts=(a_payment(version=2),)))

    assert store.find(Payment, "open", "yes") == []


def test_amounts_are_exact_after_a_restart(store):
    amounts = [Decimal("92.00"), Decimal("0.10"), Decimal("9999999999.99")]
    postings = [
        LedgerEntry(
            id=str(amount),
            version=1,
            payment="8a",
            debit="x",
            credit="y",
            money=Money(amount, "EUR"),
            at=NOON,
        )
        for amount in amounts
    ]
    store.commit(Unit(puts=tuple(postings)))
    assert store.sleep()

    found = list(store.between(LedgerEntry, "date", "", "~"))

    assert found == postings
    assert [str(posting.money.amount) for posting in found] == ["92.00", "0.10", "9999999999.99"]


def test_no_secret_is_in_the_file(store):
    vault = KeyVault(bytes(32))
    payment = a_payment(
        card=CardSummary("420000", "0000", "05", "2034", "Jane Jones"),
        sealed_card=vault.seal_card("8a", NUMBER),
        attempt=Attempt(trace=1, at=NOON),
        state=State.OPEN,
    )
    store.commit(Unit(puts=(payment,)))
    store.commit(Unit(puts=(msgspec.structs.replace(payment, version=2, attempt=None),)))
    store.close()

    content = store.path.read_bytes()

    assert NUMBER.encode() not in content
    assert b"Jane Jones" in content, "what is not secret is there to read"


def test_a_record_without_a_row_is_an_error(store):
    for call in (
        lambda: store.get(CardSummary, "8a"),
        lambda: store.commit(Unit(puts=(CardSummary("4", "0", "1", "2030"),))),
    ):
        with pytest.raises(TypeError, match="KINDS, got CardSummary"):
            call()
