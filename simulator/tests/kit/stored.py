"""Registrations for tests: a card and a bank account that are stored, and payments with them."""

import pytest

from simulator.domain.core.errors import Refusal
from simulator.domain.core.ports import Seat
from simulator.domain.core.records import Payment, Registration
from simulator.service.registrations import charge, register
from simulator.tests.kit.making import CARD, a_ticket

ONE_EURO = {"paymentType": "DB", "amount": "1.00", "currency": "EUR"}
NO_HOLDER = {name: value for name, value in CARD.items() if name != "card.holder"}
ACCOUNT = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.country": "DE",
}
SHOPPER = {"customer.givenName": "Jane", "customer.surname": "Jones", "billing.city": "Graz"}


def registered(seat: Seat, **more: str) -> Registration:
    """A card, stored."""
    made = register(seat, {**CARD, **more}, a_ticket(seat))
    assert isinstance(made, Registration)
    return made


def registered_account(seat: Seat) -> Registration:
    """A bank account, stored."""
    made = register(seat, ACCOUNT, a_ticket(seat))
    assert isinstance(made, Registration)
    return made


def charged(seat: Seat, identity: str, **more: str) -> Payment:
    """A debit of 1.00 EUR from what is stored."""
    return charge(seat, identity, {**ONE_EURO, **more}, a_ticket(seat))


def refusal_of(call, *arguments) -> str:
    """The result code a call is refused with."""
    with pytest.raises(Refusal) as caught:
        call(*arguments)
    return caught.value.code
