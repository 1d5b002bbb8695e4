"""A payment as online shops send it is worked on at once: to hand it to a thread and back, three
times, takes longer than all the rest of it. Counted, for times differ from machine to machine.
"""

from pathlib import Path
from typing import Any

import pytest

from simulator.adapters.background import Threads
from simulator.tests.kit.gateway import Credentials, Gateway

FORTY = {
    "paymentType": "DB",
    "amount": "92.00",
    "currency": "EUR",
    "paymentBrand": "VISA",
    "descriptor": "Corner Shop 4711",
    "merchantTransactionId": "order-000001",
    "merchantInvoiceId": "invoice-2026-000123",
    "merchantMemo": "two items, paid at once",
    "transactionCategory": "EC",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
    "customer.merchantCustomerId": "customer-000042",
    "customer.givenName": "Jane",
    "customer.surname": "Jones",
    "customer.sex": "F",
    "customer.birthDate": "1984-02-29",
    "customer.phone": "+49 30 1234567",
    "customer.email": "jane.jones@shop.example",
    "customer.ip": "203.0.113.42",
    "customer.status": "EXISTING",
    "billing.street1": "Lindenallee 12",
    "billing.street2": "Second floor",
    "billing.city": "Berlin",
    "billing.state": "BE",
    "billing.postcode": "10115",
    "billing.country": "DE",
    "shipping.street1": "Am Alten Markt 3",
    "shipping.city": "Potsdam",
    "shipping.postcode": "14467",
    "shipping.country": "DE",
    "shipping.cost": "4.90",
    "cart.items[0].name": "Blue kettle",
    "cart.items[0].merchantItemId": "sku-1001",
    "cart.items[0].quantity": "2",
    "cart.items[0].price": "43.55",
    "customParameters[campaign]": "autumn-2026",
}
# Words in which the name of a secret begins, and digits with signs between them.
TEXTS = {
    "billing.street2": "Second floor, security desk, take the token for the car park",
    "merchantMemo": "PIN of the locker is with the key holder; call +49 30 123456-78",
    "customParameters[opened]": "2026-11-29T14:28:03+01:00, 2026-11-30T09:00:00+01:00",
    "cart.items[0].description": "Kettle, 1.7 l, 2200 W; 22 x 16 x 24 cm; 100 % BPA-free",
    "customer.browser.userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101",
}


@pytest.mark.parametrize("more", [{}, TEXTS], ids=["forty parameters", "with texts"])
def test_a_usual_payment_is_handed_to_no_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, str]
) -> None:
    gateway = Gateway(tmp_path, durability="os")
    try:
        made = gateway.control("POST", "/sandboxes", {}).json
        who = Credentials(made["token"], made["entity_id"])
        handed: list[object] = []
        run = Threads.run

        def counted(threads: Threads, owner: str, work: Any, *arguments: Any) -> Any:
            handed.append(work)
            return run(threads, owner, work, *arguments)

        monkeypatch.setattr(Threads, "run", counted)
        sent = {"entityId": who.entity_id, **FORTY, **more}

        assert gateway.send("/v1/payments", sent, who).status_code == 200
        assert handed == []
    finally:
        gateway.close()
