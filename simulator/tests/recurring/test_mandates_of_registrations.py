"""Mandates of registered bank accounts: for taking money by them, and not for paying it out."""

import pytest

from simulator.grammar.choices import PROFILES
from simulator.tests.kit.gateway import Credentials, Gateway

OF_ITS_OWN = {
    "bankAccount.mandate.id": "M" * 35,
    "bankAccount.mandate.dateOfSignature": "2020-01-01",
    "bankAccount.mandate.reference": "R" * 32,
}
ACCOUNT = {
    "paymentBrand": "SEPA", "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000", "bankAccount.bic": "COBADEFFXXX",
    "bankAccount.country": "DE",
}  # fmt: skip
MONEY = {"amount": "9.90", "currency": "EUR"}


def post(gateway: Gateway, who: Credentials, path: str, sent: dict[str, str]) -> dict:
    return gateway.send(path, {"entityId": who.entity_id, **sent}, who).json


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mandate", [{}, OF_ITS_OWN], ids=["made", "sent"])
def test_a_credit_by_a_registration_has_no_mandate(
    gateway: Gateway, profile: str, mandate: dict[str, str]
) -> None:
    who = gateway.sandbox(profile=profile)
    made = post(gateway, who, "/v1/registrations", {**ACCOUNT, **mandate})["id"]
    path = f"/v1/registrations/{made}/payments"
    sold, paid_out = (
        post(gateway, who, path, {**MONEY, "paymentType": kind}) for kind in ("DB", "CD")
    )

    assert sold["bankAccount"]["mandate"]["id"] == mandate.get(
        "bankAccount.mandate.id", f"SGM{made}"
    )
    assert paid_out["result"]["code"] == "000.100.110"
    assert paid_out["bankAccount"].pop("mandate", None) is None
    assert paid_out["bankAccount"]["iban"] == sold["bankAccount"]["iban"]
