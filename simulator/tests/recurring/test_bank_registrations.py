"""Registrations of bank accounts: what changes is judged as what is new."""

import pytest

from simulator.tests.kit.gateway import Gateway

ACCOUNT = {
    "paymentBrand": "DIRECTDEBIT_SEPA", "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000", "bankAccount.bic": "COBADEFFXXX",
    "bankAccount.country": "DE", "bankAccount.mandate.id": "M" * 35,
    "bankAccount.mandate.dateOfSignature": "2020-01-01",
}  # fmt: skip
MONEY = {"paymentType": "DB", "amount": "9.90", "currency": "EUR"}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"bankAccount.country": "AT"}, "100.200.100"),
        ({"bankAccount.mandate.dateOfSignature": "2099-01-01"}, "100.500.302"),
    ],
)
@pytest.mark.parametrize("profile", ["specification", "field"])
def test_an_account_that_none_may_have_is_refused_when_it_changes(
    gateway: Gateway, profile: str, changed: dict[str, str], code: str
) -> None:
    who = gateway.sandbox(profile=profile)

    def post(path: str, sent: dict[str, str]) -> dict:
        sent = {"entityId": who.entity_id, **sent}
        return gateway.send(f"/v1/registrations{path}", sent, who).json

    assert post("", {**ACCOUNT, **changed})["result"]["code"] == code
    made = post("", ACCOUNT)["id"]
    assert post(f"/{made}", changed)["result"]["code"] == code
    assert post(f"/{made}", {"bankAccount.holder": "Jane Doe"})["result"]["code"] == "000.100.110"
    assert post(f"/{made}/payments", MONEY)["result"]["code"] == "000.100.110"
