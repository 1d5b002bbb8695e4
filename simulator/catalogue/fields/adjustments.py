"""What is cut, ignored or kept from the acquirer. Named by the requirement each row carries out."""

from simulator.catalogue.brands import BRANDS
from simulator.grammar.adjustments import (
    Defaulted,
    Ignored,
    NotOnward,
    NotScreened,
    Truncated,
    WithBrand,
)

NAME_LENGTH_MAX = 48

FACILITATED = tuple(brand.value for brand in BRANDS.values() if brand.has_facilitators)

# fmt: off
TRUNCATED = (
    Truncated("CUST-02", "customer.givenName",          NAME_LENGTH_MAX),
    Truncated("CUST-02", "customer.surname",            NAME_LENGTH_MAX),
    Truncated("CUST-05", "shipping.customer.givenName", NAME_LENGTH_MAX),
    Truncated("CUST-05", "shipping.customer.surname",   NAME_LENGTH_MAX),
)
IGNORED = (
    Ignored("ADDR-02", "billing.street2",  when="billing.houseNumber1"),
    Ignored("ADDR-02", "shipping.street2", when="shipping.houseNumber1"),
)
DEFAULTED = (
    Defaulted("CART-02", "cart.items[n].quantityUnit", "COUNT"),
)
NOT_ONWARD = (
    NotOnward("PAY-09", "merchantInvoiceId"),
    NotOnward("PAY-10", "merchantMemo"),
    NotOnward("AUTH-02", "entityId"),
)
# Which scheme has payment facilitators is not shown. Choice: D-145.
WITH_BRAND = (
    WithBrand("MERCH-03", "merchant.submerchantId", FACILITATED),
)
NOT_SCREENED = (
    NotScreened("BANK-04", "bankAccount.mandate.id"),
    NotScreened("BANK-04", "bankAccount.mandate.dateOfSignature"),
    NotScreened("BANK-04", "transactionDueDate"),
)
# fmt: on
