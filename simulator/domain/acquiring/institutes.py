"""Which clearing institute settles a payment: answers, settlement and reports ask here.

Choice: D-401.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.clearing_institutes import BANK_ACCOUNTS
from simulator.domain.accounts.accounts import Account
from simulator.domain.core.records import AccountHierarchy, Payment
from simulator.grammar.brands import BANK


def settling_institute(payment: Payment) -> str:
    """The name of the institute that settles a payment: that of bank accounts, else of its channel.

    What refers to a payment has the hierarchy of that one; a payment of an earlier version has that
    of its channel, whatever pays it.
    """
    return BANK_ACCOUNTS if is_of_bank_account(payment) else payment.stamp.clearing_institute


def is_of_bank_account(payment: Payment) -> bool:
    """Whether a bank account pays it, and no card: what refers to a payment has its brand alone."""
    return payment.card is None and _is_of_bank(payment.brand, payment.sent)


def hierarchy_of(stamp: AccountHierarchy, account: Account) -> AccountHierarchy:
    """The hierarchy of a payment by an account: `stamp`, with the institute that settles it."""
    if account.card is not None or not _is_of_bank(account.brand, account.parameters):
        return stamp
    return replace(stamp, clearing_institute=BANK_ACCOUNTS)


def _is_of_bank(brand: str | None, parameters: Mapping[str, str]) -> bool:
    is_of_bank = brand is not None and BRANDS[brand].account == BANK
    return is_of_bank or any(name.startswith("bankAccount.") for name in parameters)
