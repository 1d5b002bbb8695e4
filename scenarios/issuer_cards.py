"""Cards with a profile at the issuer: limits, balances, address and code. Every other card has none
and is approved unless something steers. Our own numbers. Choice: D-189.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple


class IssuerCard(NamedTuple):
    """One card: its number, what may stand on it, and most in one payment.

    `refuses` is the code that everything is declined with. One that is `strict` declines a wrong
    code and an address of which nothing is right; the others only say so.
    """

    name: str
    number: str
    limit: Decimal = Decimal("1000.00")
    most: Decimal = Decimal("500.00")
    street: str = "1 High Street"
    postcode: str = "10115"
    cvv: str = "123"
    strict: bool = False
    refuses: str | None = None


# fmt: off
ROWS = (
    #           name       number              more
    IssuerCard("credit",  "4242000000000018"),
    IssuerCard("prepaid", "4242000000000026", limit=Decimal("50.00")),
    IssuerCard("strict",  "4242000000000034", strict=True),
    IssuerCard("closed",  "4242000000000042", refuses="800.100.172"),
    IssuerCard("stopped", "4242000000000059", refuses="800.100.501"),
)

# What a merchant is advised to do about a decline: never again (03, 21), with new details (01), or
# after a while (24: an hour, 25: a day).
ADVICE: Mapping[str, str] = {
    "800.100.155": "24",
    "800.100.162": "25",
    "800.100.153": "01",
    "800.100.172": "03",
    "800.100.501": "21",
}
# fmt: on

BY_NUMBER: Mapping[str, IssuerCard] = {row.number: row for row in ROWS}
BY_NAME: Mapping[str, IssuerCard] = {row.name: row for row in ROWS}
