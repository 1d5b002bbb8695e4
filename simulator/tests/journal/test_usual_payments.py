"""A payment as online shops send it is worked on at once: to hand it to a thread and back, three
times, takes longer than all the rest of it. Counted, for times differ from machine to machine.
"""

from typing import Any

import pytest

from simulator.adapters.background import Threads
from simulator.domain.journal import exchanges
from simulator.tests.kit.gateway import Gateway
from simulator.web.http import journaling

ROUNDS = 5
# Words in which the name of a secret begins, and digits with signs between them.
TEXTS = {
    "billing.street1": "Lindenallee 12",
    "billing.city": "Berlin",
    "billing.postcode": "10115",
    "billing.country": "DE",
    "billing.street2": "Second floor, security desk, take the token for the car park",
    "merchantMemo": "PIN of the locker is with the key holder; call +49 30 123456-78",
    "customParameters[opened]": "2026-11-29T14:28:03+01:00, 2026-11-30T09:00:00+01:00",
    "customParameters[sold]": "Kettle, 1.7 l, 2200 W; 22 x 16 x 24 cm; 100 % BPA-free",
    "customParameters[browser]": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101",
}


def test_a_usual_payment_is_handed_to_no_thread(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gateway.post().status_code == 200
    handed: list[object] = []
    run = Threads.run

    def counted(threads: Threads, owner: str, work: Any, *arguments: Any) -> Any:
        handed.append(work)
        return run(threads, owner, work, *arguments)

    monkeypatch.setattr(Threads, "run", counted)

    assert gateway.post(**TEXTS).status_code == 200
    assert handed == []


def test_usual_exchanges_are_written_when_they_are_read(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    encode = journaling.encode_entry

    def counted(entry: Any, secrets: Any) -> bytes:
        written.append(entry.path)
        return encode(entry, secrets)

    monkeypatch.setattr(journaling, "encode_entry", counted)
    money = {"amount": "92.00", "currency": "EUR"}
    for _ in range(ROUNDS):
        held = gateway.post(paymentType="PA").json["id"]
        taken = gateway.refer(held, "CP", **money).json["id"]
        assert gateway.refer(taken, "RF", **money).status_code == 200
        assert gateway.read(held).status_code == 200
    # The digits of an id may look like those of a card.
    assert len(written) < ROUNDS

    written.clear()
    for path in ("4200000000000000", "cvv=123"):
        gateway.read(path)
    assert written == ["/v1/payments/420000******0000", "/v1/payments/cvv=***"]


def test_names_that_take_much_memory_are_not_remembered(gateway: Gateway) -> None:
    exchanges._are_clean_names.cache_clear()
    for round_ in range(ROUNDS):
        many = {f"customParameters[{'x' * 50}{round_}.{place}]": "1" for place in range(150)}
        assert gateway.post(testMode="EXTERNAL", **many).status_code == 200
    assert exchanges._are_clean_names.cache_info().currsize == 0

    assert gateway.post(testMode="EXTERNAL").status_code == 200
    assert exchanges._are_clean_names.cache_info().currsize == 1
