"""A disk that is full when the response to a stored attempt comes: the attempt ends by itself."""

from functools import partial

import gevent
import pytest

from simulator.adapters.store import store
from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.core.records import Payment, State
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.tests.acquiring.test_external import FAST, Shop, code_of
from simulator.tests.lost_writes.faulty_disk import FaultyDisk

SLOW = {"acquirer": {"approve": {}, "latency": {"fixed": {"seconds": 20}}}}
UNCLEAR = (500, "999.999.999")
MODES = pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])


def while_the_disk_is_full(shop: Shop, disk: FaultyDisk, request: object) -> tuple[int, str]:
    """What a request is answered whose attempt was stored before the disk was full, with the entry
    of the card host if it is sent there; then the disk has room again.
    """
    asked = gevent.spawn(request)
    with gevent.Timeout(10):
        while not any(map(partial(is_decided, shop), open_payments(shop))):
            gevent.sleep(0)
        shop.ports.store.wait_durable()
        disk.is_full = True
        answer = asked.get()
    disk.is_full = False
    return answer.status_code, answer.json["result"]["code"]


def open_payments(shop: Shop) -> list[Payment]:
    return list(shop.ports.store.find(Payment, "open", "yes"))


def is_decided(shop: Shop, payment: Payment) -> bool:
    is_internal = payment.test_mode == "INTERNAL"
    return is_internal or shop.ports.store.get(CardEntry, payment.id) is not None


def wait_until_ended(shop: Shop) -> None:
    with gevent.Timeout(10):
        while open_payments(shop) or shop.ports.store.count(LostRequest):
            gevent.sleep(0.05)


def agrees(shop: Shop) -> bool:
    return not reconcile_ledgers(shop.ports).differences


@MODES
def test_a_payment_whose_response_was_not_stored_is_reversed_without_a_restart(
    shop: Shop, disk: FaultyDisk, mode: str
) -> None:
    assert code_of(shop.pay()) == "000.100.112"
    shop.arm(SLOW, times=1)

    answer = while_the_disk_is_full(
        shop, disk, lambda: shop.gateway.post(who=shop.who, testMode=mode)
    )
    wait_until_ended(shop)

    assert answer == UNCLEAR
    found = shop.ports.store.between(Payment, "host_history", "", "~")
    assert [each.state for each in found if each.state is not State.COMPLETED] == [State.FAILED]
    assert agrees(shop)


@MODES
def test_an_authorization_can_be_captured_after_a_capture_whose_response_was_not_stored(
    shop: Shop, disk: FaultyDisk, mode: str
) -> None:
    paid = shop.pay(paymentType="PA")
    sent = {"amount": "92.00", "currency": "EUR", "testMode": mode}
    whole = {"entityId": shop.who.entity_id, "paymentType": "CP", **sent}
    shop.arm(SLOW, times=1)

    answer = while_the_disk_is_full(
        shop, disk, lambda: shop.gateway.send(f"/v1/payments/{paid['id']}", whole, shop.who)
    )
    wait_until_ended(shop)

    assert answer == UNCLEAR
    assert code_of(shop.refer(paid["id"], "CP", **sent)) == "000.100.112"
    assert agrees(shop)


def test_a_request_that_the_host_did_not_answer_is_reversed_where_that_was_not_stored(
    shop: Shop, disk: FaultyDisk
) -> None:
    shop.arm({"link": "timeout"}, times=1)

    answer = while_the_disk_is_full(
        shop, disk, lambda: shop.gateway.post(who=shop.who, testMode="EXTERNAL")
    )
    wait_until_ended(shop)

    assert answer == UNCLEAR
    assert agrees(shop)


def test_a_payment_whose_response_is_too_long_to_be_stored_is_reversed_without_a_restart(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    details = {f"Text{number}": "v" * 250 for number in range(12)}
    shop.arm({"acquirer": {**SLOW["acquirer"], "approve": {"details": details}}}, times=1)
    asked = gevent.spawn(shop.gateway.post, who=shop.who)
    with gevent.Timeout(10):
        while not open_payments(shop):
            gevent.sleep(0)
        monkeypatch.setattr(store, "RECORD_BYTES_MAX", 3000)
        answer = asked.get()
    wait_until_ended(shop)

    assert (answer.status_code, answer.json["result"]["code"]) == UNCLEAR
    assert agrees(shop)


def test_what_was_not_stored_at_all_may_be_sent_again(shop: Shop, disk: FaultyDisk) -> None:
    disk.is_full = True
    answer = shop.gateway.post(who=shop.who, testMode="EXTERNAL")
    disk.is_full = False
    gevent.sleep(1.1)

    assert (answer.status_code, answer.json["result"]["code"]) == (503, "999.999.888")
    assert shop.ports.store.count(Payment) == 0
    assert code_of(shop.pay()) == "000.100.112"


@MODES
def test_a_payment_whose_response_was_not_stored_has_not_used_its_sequence_number(
    shop: Shop, disk: FaultyDisk, mode: str
) -> None:
    refusing = [{"channels": [{"repeated_sequence_number": "refuse"}]}]
    shop = Shop(shop.gateway, clock=FAST, merchants=refusing)
    shop.arm(SLOW, times=1)
    sent = {"pos.entryMode": "MANUAL", "pos.terminalId": "12345678", "card.cvv": None}
    sent |= {"pos.transactionSequenceNumber": "7", "testMode": mode}

    answer = while_the_disk_is_full(shop, disk, lambda: shop.gateway.post(who=shop.who, **sent))
    wait_until_ended(shop)

    assert answer == UNCLEAR
    again = [shop.gateway.post(who=shop.who, **sent).json["result"]["code"] for _ in range(2)]
    assert (again[0][:9], again[1]) == ("000.100.1", "800.120.402")
