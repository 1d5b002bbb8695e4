"""Registrations of bank accounts: what their answers show beside the account."""

from simulator.tests.kit.gateway import Gateway
from simulator.tests.recurring.test_api_registrations import ask, send

BANK = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.bic": "COBADEFFXXX",
}


def test_a_stored_bank_account_shows_whom_shoppers_pay_to(gateway: Gateway) -> None:
    made = send(gateway, "", {**BANK, "merchant.name": "Jones"}).json
    changed = send(gateway, f"/{made['id']}", {"bankAccount.holder": "Jane Smith"}).json
    declined = send(gateway, "", {**BANK, "customParameters[forceResultCode]": "800.100.152"}).json

    stored = ask(gateway, "GET", f"/v1/registrations/{made['id']}").json
    account = ask(gateway, "GET", f"/v1/payments/{made['id']}").json["merchant"]["bankAccount"]
    assert account["holder"]
    for answer in (made, changed, stored):
        assert answer["merchant"] == {"name": "Jones", "bankAccount": account}
    assert declined["merchant"]["bankAccount"] == account
