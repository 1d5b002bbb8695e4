"""A write that fails while a payment is on its way to the card host: gateway and host agree."""

import gevent
import pytest

from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.core.records import Payment
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.tests.acquiring.test_external import Shop, code_of
from simulator.tests.lost_writes.faulty_disk import FaultyDisk, reopen_after_failure

PAYMENTS, ENTRIES = b'["payments"', b'["card_entries"'


def slow_the_next_sign_on(shop: Shop) -> None:
    shop.arm({"link": "slow_start"}, times=1)
    assert code_of(shop.pay()) == "000.100.112"


def while_a_write_fails(shop: Shop, disk: FaultyDisk, part: bytes, request: object) -> object:
    """What a request is answered while a write with these bytes fails and the disk has room again
    at once.
    """
    disk.refuses = part
    asked = gevent.spawn(request)
    reopen_after_failure(shop.ports.store)
    with gevent.Timeout(10):
        return asked.get()


def agrees(shop: Shop) -> bool:
    return not reconcile_ledgers(shop.ports).differences


def test_a_payment_that_could_not_be_stored_is_not_sent_to_the_card_host(
    shop: Shop, disk: FaultyDisk
) -> None:
    slow_the_next_sign_on(shop)

    answer = while_a_write_fails(
        shop, disk, PAYMENTS, lambda: shop.gateway.post(who=shop.who, testMode="EXTERNAL")
    )

    assert (answer.status_code, answer.json["result"]["code"]) == (503, "999.999.888")
    gevent.sleep(0.7)
    assert agrees(shop)
    assert shop.ports.store.count(CardEntry) == shop.ports.store.count(Payment) == 1
    assert code_of(shop.pay()) == "000.100.112"


def test_a_capture_that_could_not_be_stored_is_counted_once_when_it_is_repeated(
    shop: Shop, disk: FaultyDisk
) -> None:
    paid = shop.pay(paymentType="PA")
    slow_the_next_sign_on(shop)
    sent = {"amount": "92.00", "currency": "EUR", "testMode": "EXTERNAL"}

    answer = while_a_write_fails(shop, disk, PAYMENTS, lambda: shop.refer(paid["id"], "CP", **sent))
    gevent.sleep(0.7)

    assert code_of(answer) == "999.999.888"
    assert code_of(shop.refer(paid["id"], "CP", **sent)) == "000.100.112"
    assert agrees(shop)


@pytest.mark.parametrize("latency", [0, 20])
def test_a_decision_that_the_host_could_not_store_is_no_approval(
    shop: Shop, disk: FaultyDisk, latency: int
) -> None:
    if latency:
        shop.arm({"acquirer": {"approve": {}, "latency": {"fixed": {"seconds": latency}}}})

    answer = while_a_write_fails(shop, disk, ENTRIES, shop.pay)

    assert code_of(answer) != "000.100.112"
    assert shop.ports.store.count(CardEntry) == 0
    assert agrees(shop)
