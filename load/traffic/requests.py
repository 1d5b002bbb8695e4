"""The requests of virtual users, each with the responses that are correct. Named by operation."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal, NamedTuple

from load.traffic.payloads import DecliningCard, Payloads, card_parameters, format_amount

# What users of a load ask. The parts of the form are no operations of the merchant API; each has a
# name of its own in reports.
Operation = Literal[
    "create_payment", "refer_payment", "read_payment", "create_checkout", "pay_checkout",
    "read_checkout_payment", "create_registration", "pay_registration", "query_payment",
    "query_payments", "query_pages", "load_form_script", "load_form_frame", "open_form",
]  # fmt: skip
CURRENCY = "EUR"
SUCCESS = "000."
PAID = ("000.000.", "000.100.1", "000.3", "000.6")
CREATED_CHECKOUT = ("000.200.100",)
CHARGED_BACK = ("000.100.2",)
# The codes a referring payment may be refused with after another one used up the amount.
EXCEEDED = ("700.400.100", "700.400.200")


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """A request and its correct responses.

    `success_codes` are prefixes of the codes of success, `decline_codes` codes of a decline or
    refusal that is as correct. With `must_decline` a success is wrong. `stores_decline` says that
    a decline is stored as a payment. `path_id` is the id in the path, `root` the
    merchantTransactionId of the whole payment tree, `expected_id` the id the response has to show,
    if it is known. A request `by_browser` has neither token nor entity, but `headers` of its own;
    of a file only the status counts, and where the checkout showed one its hash, `integrity`.
    """

    operation: Operation
    method: str
    path: str
    form: Mapping[str, str] = field(default_factory=dict)
    success_codes: tuple[str, ...] = PAID
    decline_codes: tuple[str, ...] = ()
    must_decline: bool = False
    stores_decline: bool = False
    type: str = ""
    cents: int = 0
    path_id: str = ""
    root: str = ""
    expected_id: str = ""
    is_file: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    by_browser: bool = False
    integrity: str = ""


class OpenPayment(NamedTuple):
    """A payment other payments can refer to: the cents that are left, and its payment tree."""

    id: str
    type: str
    cents: int
    root: str


def new_payment(payloads: Payloads, kind: str, cents: int | None = None) -> PlannedRequest:
    """Return a PA, DB or CD by card that has to be approved."""
    return _card_payment(payloads, kind, cents or payloads.draw_cents())


def declined_payment(payloads: Payloads) -> PlannedRequest:
    """Return a DB with a card that has to be declined with its own code."""
    card = payloads.draw_declining_card()
    return _card_payment(payloads, "DB", payloads.draw_cents(), card)


def referring_payment(
    kind: str, payment: OpenPayment, cents: int, *, decline_codes: tuple[str, ...] = ()
) -> PlannedRequest:
    """Return a CP, RF or CB of `cents` of a payment."""
    return PlannedRequest(
        "refer_payment",
        "POST",
        f"v1/payments/{payment.id}",
        {**_money(cents), "paymentType": kind},
        success_codes=CHARGED_BACK if kind == "CB" else PAID,
        decline_codes=decline_codes,
        type=kind,
        cents=cents,
        path_id=payment.id,
        root=payment.root,
    )


def excessive_capture(payment: OpenPayment) -> PlannedRequest:
    """Return a capture of one cent more than is left: it has to be refused without any effect."""
    request = referring_payment("CP", payment, payment.cents + 1, decline_codes=EXCEEDED)
    return replace(request, must_decline=True)


def reversal(payment: OpenPayment) -> PlannedRequest:
    """Return an RV of an authorization of which nothing was captured."""
    return PlannedRequest(
        "refer_payment", "POST", f"v1/payments/{payment.id}", {"paymentType": "RV"},
        type="RV", path_id=payment.id, root=payment.root,
    )  # fmt: skip


def read_payment(payment_id: str, code: str) -> PlannedRequest:
    """Return a read of a payment whose result is known; a declined one is answered with 400."""
    is_declined = not code.startswith(SUCCESS)
    return PlannedRequest(
        "read_payment", "GET", f"v1/payments/{payment_id}",
        success_codes=(code,), decline_codes=(code,) if is_declined else (),
        must_decline=is_declined, path_id=payment_id, expected_id=payment_id,
    )  # fmt: skip


def new_checkout(payloads: Payloads) -> PlannedRequest:
    """Return a checkout that a merchant prepares."""
    cents, root = payloads.draw_cents(), payloads.next_reference()
    form = {**_money(cents), "paymentType": "DB", "merchantTransactionId": root}
    return PlannedRequest(
        "create_checkout", "POST", "v1/checkouts", form,
        success_codes=CREATED_CHECKOUT, cents=cents, root=root,
    )  # fmt: skip


def pay_checkout(
    payloads: Payloads, checkout_id: str, created_by: PlannedRequest
) -> PlannedRequest:
    """Return the payment of a shopper for a checkout."""
    return PlannedRequest(
        "pay_checkout", "POST", f"v1/checkouts/{checkout_id}/payment",
        card_parameters(payloads.draw_shopper()),
        type="DB", cents=created_by.cents, path_id=checkout_id, root=created_by.root,
    )  # fmt: skip


def read_checkout_payment(checkout_id: str, created_by: PlannedRequest) -> PlannedRequest:
    """Return a read of the payment of a checkout."""
    return PlannedRequest(
        "read_checkout_payment", "GET", f"v1/checkouts/{checkout_id}/payment",
        cents=created_by.cents, path_id=checkout_id,
    )  # fmt: skip


def new_registration(payloads: Payloads) -> PlannedRequest:
    """Return the registration of a card without a payment."""
    form = card_parameters(payloads.draw_shopper())
    return PlannedRequest("create_registration", "POST", "v1/registrations", form, type="RG")


def pay_registration(payloads: Payloads, registration_id: str, *, mode: str) -> PlannedRequest:
    """Return a DB with a registered card: the INITIAL one of a series, or a REPEATED one."""
    cents, root = payloads.draw_cents(), payloads.next_reference()
    form = {
        **_money(cents),
        "paymentType": "DB",
        "merchantTransactionId": root,
        "standingInstruction.mode": mode,
    }
    path = f"v1/registrations/{registration_id}/payments"
    return PlannedRequest(
        "pay_registration", "POST", path, form,
        type="DB", cents=cents, path_id=registration_id, root=root,
    )  # fmt: skip


def report_of_payment(payment_id: str, code: str) -> PlannedRequest:
    """Return a report of one transaction whose result is known."""
    return PlannedRequest(
        "query_payment", "GET", f"v1/query/{payment_id}",
        success_codes=(code,), path_id=payment_id,
    )  # fmt: skip


def report_of_tree(root: str) -> PlannedRequest:
    """Return a report of a merchantTransactionId with all payments that refer to it."""
    query = {"merchantTransactionId": root, "includeLinkedTransactions": "true"}
    return PlannedRequest("query_payments", "GET", "v1/query", query)


def report_of_days(first: date, last: date, page_size: int) -> PlannedRequest:
    """Return a report of one page of the transactions of some days."""
    query = {"date.from": f"{first}", "date.to": f"{last}", "limit": str(page_size)}
    return PlannedRequest("query_pages", "GET", "v3/query", query)


def _card_payment(
    payloads: Payloads, kind: str, cents: int, declining: DecliningCard | None = None
) -> PlannedRequest:
    shopper, root = payloads.draw_shopper(), payloads.next_reference()
    form = {
        **_money(cents),
        "paymentType": kind,
        "merchantTransactionId": root,
        **card_parameters(shopper, declining.card if declining else None),
        **shopper.person,
    }
    must_decline = declining is not None
    return PlannedRequest(
        "create_payment", "POST", "v1/payments", form,
        decline_codes=(declining.code,) if declining else (),
        must_decline=must_decline, stores_decline=must_decline,
        type=kind, cents=cents, root=root,
    )  # fmt: skip


def _money(cents: int) -> dict[str, str]:
    return {"amount": format_amount(cents), "currency": CURRENCY}
