"""What OpenAPI shows of each operation beside its rules: where it is listed, in which words, what
it is about and what it answers. One row an operation.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from simulator.derive.schemas.examples import (
    checkout_example,
    integrity_example,
    payment_example,
    registration_example,
    result_codes_example,
    settled_example,
)
from simulator.derive.schemas.reports import (
    records_example,
    records_schema,
    report_example,
    report_schema,
    transaction_example,
    transaction_schema,
)
from simulator.derive.schemas.responses import (
    checkout_id_schema,
    checkout_schema,
    integrity_schema,
    payment_id_schema,
    payment_schema,
    refused_schema,
    registration_id_schema,
    registration_schema,
    result_codes_schema,
    result_schema,
    settled_schema,
    throttled_schema,
)
from simulator.derive.schemas.schedules import (
    schedule_example,
    schedule_id_schema,
    schedule_schema,
    schedules_example,
    schedules_schema,
)
from simulator.derive.schemas.settlements import (
    settlement_example,
    settlement_id_schema,
    settlement_page_example,
    settlement_page_schema,
    settlement_schema,
    settlements_example,
    settlements_schema,
)
from simulator.grammar.choices import Choices

SCHEDULES, REPORTS, RISK = "Schedules", "Reports", "Risk"
# Generators of clients make modules of them, whose names begin with no digit.
SECURE, LOOK_UPS = "Authentications", "Look-ups"
PAYMENTS, CHECKOUTS, REGISTRATIONS = "Payments", "Checkouts", "Registrations"
# fmt: off
TAGS: Mapping[str, str] = {
    PAYMENTS:  "Taking payments, referring to them, reading them. Source: Endpoints.",
    CHECKOUTS: "Sessions that a merchant prepares and a shopper completes. Every path may also be "
               "written without `/v1`. Source: Endpoints.",
    REGISTRATIONS: "Accounts that are stored, and payments with them. Source: Tokenization and "
                   "registration; Endpoints, note 2.",
    SCHEDULES: "Payments that a registration is charged with again and again (D-160). Source: "
               "Scheduled payment jobs; Endpoints, 4.",
    REPORTS:   "What was done, read back. Source: Reporting request; Endpoints, 3.",
    RISK:      "Risk checks without a payment. Source: Risk.",
    SECURE:    "A shopper is authenticated without a payment (D-195). Source: 3D Secure.",
    LOOK_UPS:  "What anybody may read, without an access token.",
}
# fmt: on


class Surface(NamedTuple):
    """The tag, summary and description of an operation; the source stands in brackets.

    `answer` names the schemas of a success, of which one fits; `of` says what its path is about.
    """

    tag: str
    summary: str
    words: str
    answer: tuple[str, ...] = ("Payment",)
    of: str = "payment"


class ResponseKind(NamedTuple):
    """A kind of answer: in words, its schema, and one as it comes."""

    words: str
    schema: Callable[[Choices], dict[str, Any]]
    example: Callable[[Choices], dict[str, Any]] | None = None


# fmt: off
SURFACES: Mapping[str, Surface] = {
    "create_payment": Surface(PAYMENTS, "Take a payment",
        "Pre-authorises (PA), debits (DB), credits (CD) or registers (RG). [Basic payment]"),
    "read_payment": Surface(PAYMENTS, "Read a payment",
        "The payment as it stands now. A declined payment is answered with the status it was "
        "declined with. [Endpoints]"),
    "refer_payment": Surface(PAYMENTS, "Refer to a payment",
        "Captures (CP), refunds (RF), reverses (RV), rebills (RB) or books a receipt (RC) for the "
        "payment in the path. [Endpoints, note 2]"),
    "create_registration": Surface(REGISTRATIONS, "Store an account",
        "An RG: no amount, and no type needed. With recurringMigration.* it brings along what was "
        "agreed elsewhere. [Tokenization and registration]", ("Registration",), "registration"),
    "read_registration": Surface(REGISTRATIONS, "Read a registration",
        "Its account as far as it may be shown, and what was stored with it (D-119).",
        ("Registration",), "registration"),
    "update_registration": Surface(REGISTRATIONS, "Change a registration",
        "Expiry, holder, customer and addresses; never the number (D-121).",
        ("Registration",), "registration"),
    "remove_registration": Surface(REGISTRATIONS, "Remove a registration",
        "Its account is gone for good; it can no longer be charged (D-120).",
        ("Settled",), "registration"),
    "pay_registration": Surface(REGISTRATIONS, "Pay with a registration",
        "A payment with the brand and account of the registration. [Endpoints, note 2]",
        ("Payment",), "registration"),
    "extend_registration": Surface(REGISTRATIONS, "Keep a registration longer",
        "24 months longer than it is kept by itself (D-122).", ("Settled",), "registration"),
    "create_schedule": Surface(SCHEDULES, "Make a schedule",
        "Executes a PA, DB or CD at every time of its job. [Scheduled payment jobs]",
        ("Schedule",), "schedule"),
    "list_schedules": Surface(SCHEDULES, "List schedules",
        "The schedules of a registration, oldest first (D-160).", ("Schedules",), "schedule"),
    "read_schedule": Surface(SCHEDULES, "Read a schedule",
        "The schedule as it stands now; under the id of a registration, the list of its schedules "
        "(D-160).", ("Schedule", "Schedules"), "schedule"),
    "reschedule": Surface(SCHEDULES, "Reschedule",
        "Another schedule takes the place of this one (RS); a job that is sent replaces the whole "
        "job (D-160).", ("Schedule",), "schedule"),
    "deschedule": Surface(SCHEDULES, "Deschedule",
        "Ends every schedule of the chain (DS), when its notice and its minimum duration are over. "
        "[Scheduled payment jobs]", ("Schedule",), "schedule"),
    "remove_schedule": Surface(SCHEDULES, "Remove a schedule",
        "The same as descheduling (D-160).", ("Schedule",), "schedule"),
    "create_schedule_old": Surface(SCHEDULES, "Make a schedule, older path",
        "The same (D-160).", ("Schedule",), "schedule"),
    "deschedule_old": Surface(SCHEDULES, "Deschedule, older path",
        "The same (D-160).", ("Schedule",), "schedule"),
    "query_payment": Surface(REPORTS, "Report a transaction",
        "The payment response with what only reports show; with includeLinkedTransactions, the "
        "whole tree (D-174).", ("Transaction", "Report")),
    "query_payments": Surface(REPORTS, "Report transactions",
        "Those with a merchantTransactionId, or of a time frame; with `pages` where they are more "
        "than a page (D-690). [Reporting request]",
        ("Report",)),
    "query_record": Surface(REPORTS, "Report a transaction as a list",
        "The transaction, or its whole tree, in `records` (D-175).", ("Records",)),
    "query_pages": Surface(REPORTS, "Report transactions in pages",
        "Those of /v1/query in `records`, and how many pages there are (D-173).", ("Records",)),
    "query_settlements": Surface(REPORTS, "Report settlements",
        "What the lines of settlement files add up to, one entry for each bank day and merchant "
        "account (D-392). [Reconciliation record]", ("Settlements",)),
    "query_settlement": Surface(REPORTS, "Report the records of a settlement",
        "All of them, under the API names of their columns (D-393). [Reconciliation record]",
        ("Settlement",), "settlement"),
    "query_settlement_pages": Surface(REPORTS, "Report the records of a settlement in pages",
        "A hundred a page, and how many pages there are (D-393). [Reconciliation record]",
        ("SettlementPage",), "settlement"),
    "check_risk": Surface(RISK, "Check a payment for risk",
        "Answers the score; no money moves (D-168). [Risk]"),
    "create_authentication": Surface(SECURE, "Authenticate a shopper",
        "By 3-D Secure 2, without a payment: pending with a redirect, or final at once (D-195). "
        "What it shows goes into a payment as data of an external MPI. [3D Secure]"),
    "read_authentication": Surface(SECURE, "Read an authentication",
        "The authentication as it stands now (D-195)."),
    "create_checkout": Surface(CHECKOUTS, "Prepare a checkout",
        "Fixes amount, currency and type of a payment, and everything else the shopper must not "
        "change; or, with createRegistration=true alone, prepares a registration. It lives for 30 "
        "minutes. [Endpoints]", ("Checkout",), "checkout"),
    "update_checkout": Surface(CHECKOUTS, "Change a checkout",
        "Fixes more, or something else, before the shopper pays (D-128).",
        ("Checkout",), "checkout"),
    "read_checkout": Surface(CHECKOUTS, "Read a checkout",
        "What was fixed, as far as answers repeat it (D-128).", ("Checkout",), "checkout"),
    "delete_checkout": Surface(CHECKOUTS, "Remove a checkout",
        "Ends it before its time (D-128).", ("Checkout",), "checkout"),
    "pay_checkout": Surface(CHECKOUTS, "Pay",
        "Takes what the shopper entered; what was fixed cannot be overwritten. [Endpoints]",
        ("Payment",), "checkout"),
    "read_checkout_payment": Surface(CHECKOUTS, "Read how the payment ended",
        "The payment of the checkout, or 000.200.000 as long as it is not paid. [Endpoints]",
        ("Payment", "Result"), "checkout"),
    "register_checkout": Surface(CHECKOUTS, "Register",
        "Stores the account that the shopper entered. [Endpoints]",
        ("Registration", "Result"), "checkout"),
    "read_checkout_registration": Surface(CHECKOUTS, "Read how the registration ended",
        "The registration of the checkout, or 000.200.000 as long as nothing was registered. "
        "[Endpoints]", ("Registration", "Result"), "checkout"),
}
ANSWERS: Mapping[str, ResponseKind] = {
    "Payment":   ResponseKind("The payment", payment_schema, payment_example),
    "Checkout":  ResponseKind("The checkout", checkout_schema, checkout_example),
    "Registration": ResponseKind("The registration", registration_schema, registration_example),
    "Settled":   ResponseKind("The result", settled_schema, settled_example),
    "Schedule":  ResponseKind("The schedule", schedule_schema, schedule_example),
    "Schedules": ResponseKind("The schedules", schedules_schema, schedules_example),
    "Transaction": ResponseKind("The transaction", transaction_schema, transaction_example),
    "Report":    ResponseKind("The transactions", report_schema, report_example),
    "Records":   ResponseKind("The transactions, in pages", records_schema, records_example),
    "Settlements": ResponseKind("The settlements", settlements_schema, settlements_example),
    "Settlement": ResponseKind("The settlement", settlement_schema, settlement_example),
    "SettlementPage": ResponseKind("A page of it", settlement_page_schema, settlement_page_example),
    "ResultCodes": ResponseKind("The result codes", result_codes_schema, result_codes_example),
    "Integrity": ResponseKind("The hash", integrity_schema, integrity_example),
    "Result":    ResponseKind("A result alone", result_schema),
    "Refused":   ResponseKind("What was refused", refused_schema),
    "Throttled": ResponseKind("Too many requests", throttled_schema),
}
# The schema of the id in a path, by what the path is about.
IDS: Mapping[str, Callable[[Choices], dict[str, Any]]] = {
    "payment":  payment_id_schema,
    "schedule": schedule_id_schema,
    "checkout": checkout_id_schema,
    "registration": registration_id_schema,
    "settlement": settlement_id_schema,
}
# fmt: on
