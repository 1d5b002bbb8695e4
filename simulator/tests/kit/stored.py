"""Registrations for tests: a card and a bank account that are stored, and payments with them."""

import pytest

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Payment, Registration
from simulator.service.registrations import charge, register
from simulator.tests.kit.making import CARD, new_ids

ONE_EURO = {"paymentType": "DB", "amount": "1.00", "currency": "EUR"}
NO_HOLDER = {name: value for name, value in CARD.items() if name != "card.holder"}
ACCOUNT = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.country": "DE",
}
SHOPPER = {"customer.givenName": "Jane", "customer.surname": "Jones", "billing.city": "Graz"}


def registered(context: ChannelContext, **more: str) -> Registration:
    """A card, stored."""
    made = register(context, {**CARD, **more}, new_ids(context))
    assert isinstance(made, Registration)
    return made


def registered_account(context: ChannelContext) -> Registration:
    """A bank account, stored."""
    made = register(context, ACCOUNT, new_ids(context))
    assert isinstance(made, Registration)
    return made


def charged(context: ChannelContext, identity: str, **more: str) -> Payment:
    """A debit of 1.00 EUR from what is stored."""
    return charge(context, identity, {**ONE_EURO, **more}, new_ids(context))


def refusal_of(call, *arguments) -> str:
    """The result code a call is refused with."""
    with pytest.raises(Refusal) as caught:
        call(*arguments)
    return caught.value.code
