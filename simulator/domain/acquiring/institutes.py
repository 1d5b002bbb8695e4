"""Which clearing institute settles a payment: answers, settlement and reports ask here.

Choices: D-401, D-679.
"""

from collections.abc import Mapping

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.clearing_institutes import BANK_ACCOUNTS
from simulator.domain.core.hosts import LIVE, NO_TEST_MODE
from simulator.domain.core.records import Payment
from simulator.grammar.brands import BANK


def settling_institute(payment: Payment) -> str:
    """The name of the institute that settles a payment: that of bank accounts, else of its channel.

    What refers to a payment has the hierarchy of that one; a payment of an earlier version has that
    of its channel, whatever pays it.
    """
    return BANK_ACCOUNTS if is_of_bank_account(payment) else payment.stamp.clearing_institute


def is_settled_at(payment: Payment, institute: str) -> bool:
    """Whether an institute settles a payment: it settles no test of the live host. Choice:
    D-679.
    """
    is_test = payment.host == LIVE and payment.test_mode != NO_TEST_MODE
    return not is_test and settling_institute(payment) == institute


def is_of_bank_account(payment: Payment) -> bool:
    """Whether a bank account pays it, and no card: what refers to a payment has its brand alone."""
    return payment.card is None and is_bank_account(payment.brand, payment.sent)


def is_bank_account(brand: str | None, parameters: Mapping[str, str]) -> bool:
    """Whether a brand, or what was sent with it, is a bank account and no card."""
    is_of_bank = brand is not None and BRANDS[brand].account == BANK
    return is_of_bank or any(name.startswith("bankAccount.") for name in parameters)
