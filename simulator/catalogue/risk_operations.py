"""Risk checks alone: what the endpoint accepts and what it needs.

The specification speaks of risk-only requests and shows no path. Source: Risk; Choice: D-168.
"""

from collections.abc import Iterable

from simulator.catalogue.parameters import ASYNCHRONOUS, PAYMENT_TABLES, POINT_OF_SALE, TOKENIZATION
from simulator.catalogue.payment_operations import CARD_BRANDS, ENTITY_RELATIONS
from simulator.grammar.formats import choice_of
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import Table
from simulator.grammar.relations import account_needed, required, required_with, requires


def _without(tables: Iterable[Table], *left_out: Table) -> tuple[Table, ...]:
    return tuple(table for table in tables if table not in left_out)


# fmt: off
CHECK_RISK = Operation(
    "check_risk", "POST", "/v1/risk",
    _without(PAYMENT_TABLES, TOKENIZATION, ASYNCHRONOUS, POINT_OF_SALE),
    (
        *ENTITY_RELATIONS,
        required("PAY-01", "amount"),
        required("PAY-03", "currency"),
        requires("PAY-03", "amount", "currency"),
        required_with(
            "PAY-04", ("bankAccount.", "virtualAccount."), "paymentBrand", unless="card.number",
        ),
        account_needed(
            "PAY-04", "paymentBrand", brands=CARD_BRANDS,
            accounts=("card.number", "card.", "mobileWallet.", "virtualAccount.", "bankAccount."),
        ),
    ),
    (("paymentType", choice_of("RI", notation="A2")),),
)
# fmt: on

ROWS = (CHECK_RISK,)
