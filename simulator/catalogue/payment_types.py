"""Payment types: one row each, which everything else that depends on a payment type reads.

The specification names PA, DB, CD and RG and shows no list of what may refer to what: that is the
workflow of public sources. Source: Basic payment, paymentType; Endpoints, note 2.
Choices: D-11 (PA.CP), D-14 and D-29 (RV), D-30 and D-282 (RC and RB), D-43 (amounts of 0.00),
D-57 (RG as a new payment), D-146 (3-D Secure), D-147 (CB and CR), D-168 (RI).
"""

from collections.abc import Callable, Mapping

from simulator.grammar.brands import CARD
from simulator.grammar.events import PAYMENT, REGISTRATION, RISK
from simulator.grammar.payment_types import (
    CLEARING,
    MERCHANT,
    RESERVE,
    IssuerEffect,
    LedgerRule,
    MessageForm,
    PaymentEffect,
    PaymentTypeRow,
)

# fmt: off
ROWS = (
    PaymentTypeRow("PA", PaymentEffect.AUTHORIZATION,
        "authorizes an amount, to be captured later",
        zero_amount=True, three_d_secure=True, event=PAYMENT,
        ledger=LedgerRule(CLEARING, RESERVE), message=MessageForm("0100", "00"),
        issuer=IssuerEffect(authorized=+1), fee="AUTH_FEE"),
    PaymentTypeRow("DB", PaymentEffect.SALE,
        "authorizes and captures an amount in one",
        three_d_secure=True, event=PAYMENT,
        ledger=LedgerRule(CLEARING, MERCHANT), message=MessageForm("0200", "00"),
        issuer=IssuerEffect(captured=+1), record="SETTLED", transaction="DEBIT"),
    PaymentTypeRow("CD", PaymentEffect.CREDIT,
        "pays an amount out to the shopper",
        event=PAYMENT,
        ledger=LedgerRule(MERCHANT, CLEARING), message=MessageForm("0200", "26"),
        issuer=IssuerEffect(captured=-1), record="SETTLED", transaction="CREDIT"),
    PaymentTypeRow("RG", PaymentEffect.REGISTRATION,
        "stores the payment details as a registration",
        zero_amount=True, switch="registration_type", event=REGISTRATION),
    PaymentTypeRow("PA.CP", PaymentEffect.SALE,
        "authorizes an amount and captures it at once",
        three_d_secure=True, switch="authorize_capture", event=PAYMENT,
        ledger=LedgerRule(CLEARING, MERCHANT), message=MessageForm("0200", "00"),
        issuer=IssuerEffect(captured=+1), record="SETTLED", transaction="DEBIT"),
    PaymentTypeRow("CP", PaymentEffect.CAPTURE,
        "captures what was authorized, wholly or in parts",
        event=PAYMENT,
        ledger=LedgerRule(RESERVE, MERCHANT), message=MessageForm("0200", "01"),
        issuer=IssuerEffect(authorized=-1, captured=+1, releases=True),
        record="SETTLED", transaction="DEBIT", fee="CAPTURE_FEE",
        to=("PA",),
        unsuitable="700.400.510", unknown="700.400.510", used_up="700.400.100"),
    PaymentTypeRow("RF", PaymentEffect.REFUND,
        "refunds an amount, wholly or in parts",
        event=PAYMENT,
        ledger=LedgerRule(MERCHANT, CLEARING, gives_back=True),
        message=MessageForm("0200", "20"), issuer=IssuerEffect(captured=-1, gives_back=True),
        record="SETTLED", transaction="REFUND", fee="REFUND_FEE",
        to=("DB", "CP", "CD", "RC", "RB", "PA.CP"),
        unsuitable="700.400.520", unknown="600.200.500", used_up="700.400.200"),
    PaymentTypeRow("RV", PaymentEffect.REVERSAL,
        "voids the whole amount",
        zero_amount=True, event=PAYMENT,
        ledger=LedgerRule(reverses=True), message=MessageForm("0400", "00"),
        issuer=IssuerEffect(undoes=True), record="SETTLED", fee="CANCEL_FEE",
        to=("PA",), also=("DB",), also_switch="reverse_debit", too_late=("DB", "CP", "RB"),
        amount_needed=False, cut_off="700.300.700",
        unsuitable="700.400.530", unknown="700.400.530", used_up="700.400.300"),
    PaymentTypeRow("RB", PaymentEffect.REBILL,
        "charges the account of a debit again",
        event=PAYMENT,
        ledger=LedgerRule(CLEARING, MERCHANT), message=MessageForm("0200", "00"),
        issuer=IssuerEffect(captured=+1), record="SETTLED", transaction="DEBIT",
        to=("DB",),
        unsuitable="700.100.700", unknown="700.100.100", used_up="700.300.300"),
    PaymentTypeRow("RC", PaymentEffect.RECEIPT,
        "records money that came in for an authorization",
        event=PAYMENT,
        ledger=LedgerRule(RESERVE, MERCHANT), message=MessageForm("0200", "02"),
        record="SETTLED", transaction="DEBIT",
        to=("PA",), also=("CP", "DB", "RB"), also_switch="receipt_captured",
        unsuitable="700.400.560", unknown="700.400.560", used_up="700.400.100"),
    PaymentTypeRow("CB", PaymentEffect.CHARGEBACK,
        "charges back what was paid, wholly or in part, once",
        event=PAYMENT,
        ledger=LedgerRule(reverses=True), record="CHARGEBACK",
        to=("DB", "CP", "RF", "RB", "PA.CP", "CR"), amount_needed=False, reported=True,
        unsuitable="700.400.550", unknown="700.400.550", used_up="700.400.400",
        repeated="700.300.500", platform_only="700.400.402"),
    PaymentTypeRow("CR", PaymentEffect.CHARGEBACK_REVERSAL,
        "reverses a chargeback, wholly or in part, once",
        event=PAYMENT,
        ledger=LedgerRule(), record="CHARGEBACK REVERSAL",
        to=("CB",), amount_needed=False, reported=True,
        unsuitable="700.400.420", unknown="700.400.420", used_up="700.400.410",
        at_end="700.400.411", platform_only="700.400.402"),
    PaymentTypeRow("RI", PaymentEffect.RISK_CHECK,
        "checks the risk of a payment and moves no money",
        any_brand=True, event=RISK),
    PaymentTypeRow("3D", PaymentEffect.AUTHENTICATION,
        "authenticates the shopper and moves no money",
        zero_amount=True, three_d_secure=True, any_brand=True,
        accounts=(CARD,), other_account="000.400.104"),
)
# fmt: on

PAYMENT_TYPES: Mapping[str, PaymentTypeRow] = {row.code: row for row in ROWS}


def types_where(holds: Callable[[PaymentTypeRow], bool]) -> tuple[str, ...]:
    """The codes of the rows for which `holds`, in the order of the table."""
    return tuple(row.code for row in ROWS if holds(row))


# Initial types that hold or move money; the profile decides about PA.CP.
INITIAL_TYPES = types_where(lambda row: row.is_initial and row.ledger is not None)
SPECIFIED_PAYMENT_TYPES = types_where(lambda row: row.code in INITIAL_TYPES and not row.switch)
# By these a merchant takes money of a shopper, now or later.
CHARGING_TYPES = types_where(
    lambda row: row.is_initial and row.effect in (PaymentEffect.AUTHORIZATION, PaymentEffect.SALE)
)
SALE_TYPES = types_where(lambda row: row.effect is PaymentEffect.SALE)
PAYOUT_TYPES = types_where(lambda row: row.effect is PaymentEffect.CREDIT)
REGISTRATION_TYPES = types_where(lambda row: row.effect is PaymentEffect.REGISTRATION)
# What a new payment may be, in the order in which clients have seen the list.
NEW_TYPES = types_where(lambda row: row.code in INITIAL_TYPES + REGISTRATION_TYPES)
REFERRING_TYPES = types_where(lambda row: not row.is_initial)
# A bank can return their amount by itself, some days later.
RETURNABLE_TYPES = types_where(
    lambda row: row.effect in (PaymentEffect.SALE, PaymentEffect.CAPTURE, PaymentEffect.REBILL)
)
SCREENED_TYPES = types_where(
    lambda row: row.code in CHARGING_TYPES or row.effect is PaymentEffect.RISK_CHECK
)
