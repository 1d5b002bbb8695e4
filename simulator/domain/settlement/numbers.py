"""The numbers of a merchant account at its clearing institute: one for each host, so that a file
and its sums are of one host alone. Choice: D-528.

On the test host it is the id of the account, which begins with a digit. On the live host a capital
stands in the place of that digit: an L where it is the 8 of all ids (D-27).
"""

from simulator.domain.core.hosts import LIVE, TEST, Host
from simulator.domain.core.records import Payment

DIGITS, CAPITALS = "0123456789abcdef", "DEFGHIJKLMNOPQRS"
TO_LIVE, TO_TEST = str.maketrans(DIGITS, CAPITALS), str.maketrans(CAPITALS, DIGITS)


def number_on(host: Host, merchant_account: str) -> str:
    """The merchant number of a merchant account on a host."""
    if host == TEST:
        return merchant_account
    return merchant_account[:1].translate(TO_LIVE) + merchant_account[1:]


def number_of(payment: Payment) -> str:
    """The merchant number that a payment settles under."""
    return number_on(payment.host, payment.stamp.merchant_account)


def host_of(number: str) -> Host:
    """The host of a merchant number."""
    return LIVE if number[:1] in CAPITALS else TEST


def account_of(number: str) -> str:
    """The merchant account of a merchant number."""
    return number[:1].translate(TO_TEST) + number[1:]
