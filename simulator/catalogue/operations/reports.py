"""Reports: what each endpoint accepts and what it needs.

The specification names date.from and date.to and shows no path. Source: Endpoints, note 3;
Reporting request. Choices: D-171 to D-175.
"""

import re
from collections.abc import Iterable

from simulator.catalogue.fields.basic import AUTHENTICATION, BASIC, TEST_MODES
from simulator.catalogue.fields.reporting import REPORTING
from simulator.catalogue.operations.payments import ENTITY_RELATIONS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.grammar.formats import Format, boolean, matching
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import OPTIONAL, Param, some_of, table

PAGE = 100
PAGE_SIZE = matching("1 to 500", "page size", "(?:[1-9][0-9]?|[1-4][0-9]{2}|500)", lengths=(1, 3))
PAGE_NUMBER = matching("1 to 999999", "page number", "[1-9][0-9]{0,5}", lengths=(1, 6))


def _some_of(values: Iterable[str], kind: str) -> Format:
    """One or several of `values`, separated by commas."""
    one = f"(?:{'|'.join(re.escape(value) for value in values)})"
    return matching("comma list", kind, f"{one}(?:,{one}){{0,15}}", lengths=(2, 80))


TYPES = _some_of(PAYMENT_TYPES, "payment types")
METHODS = _some_of(("CC", "DD", "VA", "RM"), "payment methods")

# fmt: off
# What clients of the field send with a report. Choice: D-173.
LINKED = table("Report of a transaction", (
    Param("includeLinkedTransactions", boolean(), OPTIONAL,
          "adds the transactions it refers to and those that refer to it", origin="D-174"),
))
FILTERED = table("Filters of a report", (
    Param("paymentTypes",   TYPES,       OPTIONAL,
          "only these, such as PA,CP", origin="D-173"),
    Param("paymentMethods", METHODS,     OPTIONAL,
          "only these: CC (card), DD (bank account), VA (virtual account), RM (risk check)",
          origin="D-173"),
))
PAGED = table("Report of transactions", (
    Param("limit",          PAGE_SIZE,   OPTIONAL,
          "transactions of a page, 100 by default", origin="D-173"),
    Param("pageNo",         PAGE_NUMBER, OPTIONAL, "from 1", origin="D-173"),
))

QUERY_PAYMENT = Operation(
    "query_payment", "GET", "/v1/query/{id}",
    (TEST_MODES, AUTHENTICATION, LINKED),
    ENTITY_RELATIONS,
)
QUERY_PAYMENTS = Operation(
    "query_payments", "GET", "/v1/query",
    (TEST_MODES, some_of(BASIC, "merchantTransactionId"), AUTHENTICATION, REPORTING, LINKED,
     FILTERED, PAGED),
    ENTITY_RELATIONS,
)
QUERY_RECORD = Operation(
    "query_record", "GET", "/v3/query/{id}",
    (TEST_MODES, AUTHENTICATION, LINKED, FILTERED),
    ENTITY_RELATIONS,
)
QUERY_PAGES = Operation(
    "query_pages", "GET", "/v3/query",
    QUERY_PAYMENTS.tables,
    ENTITY_RELATIONS,
)
# fmt: on

ROWS = (QUERY_PAYMENT, QUERY_PAYMENTS, QUERY_RECORD, QUERY_PAGES)
