"""Orders: one request each, with what a right answer to it is. Named as the gateway counts them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from load.payloads import Decline, Payloads, amount_of, card_parameters

CURRENCY = "EUR"
SUCCESS = "000."
PAID = ("000.000.", "000.100.1", "000.3", "000.6")
CREATED_CHECKOUT = ("000.200.100",)
CHARGED_BACK = ("000.100.2",)
# What a reference may be refused with where another was quicker: the sum is used up.
EXCEEDED = ("700.400.100", "700.400.200")


@dataclass(frozen=True, slots=True)
class Order:
    """A request. `right` are beginnings of the codes of success, `refusals` codes that are as good.

    With `only_refusal` a success is wrong. `stores` says that a refusal is a decline, which is kept
    as a payment. `of` is the id in the path, `root` the merchantTransactionId of the whole tree,
    `shows` the id that whatever is answered has to show, where it is known.
    """

    operation: str
    method: str
    path: str
    form: Mapping[str, str] = field(default_factory=dict)
    right: tuple[str, ...] = PAID
    refusals: tuple[str, ...] = ()
    only_refusal: bool = False
    stores: bool = False
    type: str = ""
    cents: int = 0
    of: str = ""
    root: str = ""
    shows: str = ""


class Purse(NamedTuple):
    """A payment that something can be taken from: what is left, and the tree it stands in."""

    id: str
    type: str
    cents: int
    root: str


def new_payment(draw: Payloads, kind: str, cents: int | None = None) -> Order:
    """A PA, DB or CD by card that has to be approved."""
    return _payment(draw, kind, cents or draw.cents())


def declined_payment(draw: Payloads) -> Order:
    """A DB by a card that has to be declined, with its own code."""
    return _payment(draw, "DB", draw.cents(), draw.decline())


def reference(kind: str, purse: Purse, cents: int, *, refusals: tuple[str, ...] = ()) -> Order:
    """A CP, RF or CB of so much of a payment."""
    return Order(
        "refer_payment",
        "POST",
        f"v1/payments/{purse.id}",
        {**_money(cents), "paymentType": kind},
        right=CHARGED_BACK if kind == "CB" else PAID,
        refusals=refusals,
        type=kind,
        cents=cents,
        of=purse.id,
        root=purse.root,
    )


def refused_capture(purse: Purse) -> Order:
    """A capture of a cent more than is left: it has to be refused, and nothing may change."""
    order = reference("CP", purse, purse.cents + 1, refusals=EXCEEDED)
    return replace(order, only_refusal=True)


def reversal(purse: Purse) -> Order:
    """An RV of an authorisation of which nothing was captured."""
    return Order(
        "refer_payment", "POST", f"v1/payments/{purse.id}", {"paymentType": "RV"},
        type="RV", of=purse.id, root=purse.root,
    )  # fmt: skip


def read_payment(payment: str, code: str) -> Order:
    """A read of a payment whose result is known; of a declined one, which answers 400."""
    is_declined = not code.startswith(SUCCESS)
    return Order(
        "read_payment", "GET", f"v1/payments/{payment}",
        right=(code,), refusals=(code,) if is_declined else (), only_refusal=is_declined,
        of=payment, shows=payment,
    )  # fmt: skip


def new_checkout(draw: Payloads) -> Order:
    """A checkout that a merchant prepares."""
    cents, root = draw.cents(), draw.reference()
    form = {**_money(cents), "paymentType": "DB", "merchantTransactionId": root}
    return Order(
        "create_checkout", "POST", "v1/checkouts", form,
        right=CREATED_CHECKOUT, cents=cents, root=root,
    )  # fmt: skip


def pay_checkout(draw: Payloads, checkout: str, made: Order) -> Order:
    """The card of a shopper for a checkout that was made by an order."""
    return Order(
        "pay_checkout", "POST", f"v1/checkouts/{checkout}/payment",
        card_parameters(draw.shopper()), type="DB", cents=made.cents, of=checkout, root=made.root,
    )  # fmt: skip


def read_checkout_payment(checkout: str, made: Order) -> Order:
    """How a checkout ended."""
    return Order(
        "read_checkout_payment", "GET", f"v1/checkouts/{checkout}/payment",
        cents=made.cents, of=checkout,
    )  # fmt: skip


def new_registration(draw: Payloads) -> Order:
    """A card that is stored and not charged."""
    form = card_parameters(draw.shopper())
    return Order("create_registration", "POST", "v1/registrations", form, type="RG")


def pay_registration(draw: Payloads, registration: str, *, mode: str) -> Order:
    """A charge of a stored card: the INITIAL one of a series, or a REPEATED one."""
    cents, root = draw.cents(), draw.reference()
    form = {
        **_money(cents),
        "paymentType": "DB",
        "merchantTransactionId": root,
        "standingInstruction.mode": mode,
    }
    path = f"v1/registrations/{registration}/payments"
    return Order(
        "pay_registration", "POST", path, form,
        type="DB", cents=cents, of=registration, root=root,
    )  # fmt: skip


def report_of_one(payment: str, code: str) -> Order:
    """A report of one transaction whose result is known."""
    return Order("query_payment", "GET", f"v1/query/{payment}", right=(code,), of=payment)


def report_of_tree(root: str) -> Order:
    """A report of a reference, with everything that refers to it."""
    query = {"merchantTransactionId": root, "includeLinkedTransactions": "true"}
    return Order("query_payments", "GET", "v1/query", query)


def report_of_days(first: date, last: date, page: int) -> Order:
    """A page of so many transactions of some days."""
    query = {"date.from": f"{first}", "date.to": f"{last}", "limit": str(page)}
    return Order("query_pages", "GET", "v3/query", query)


def _payment(draw: Payloads, kind: str, cents: int, decline: Decline | None = None) -> Order:
    shopper, root = draw.shopper(), draw.reference()
    form = {
        **_money(cents),
        "paymentType": kind,
        "merchantTransactionId": root,
        **card_parameters(shopper, decline.card if decline else None),
        **shopper.person,
    }
    refusals = (decline.code,) if decline else ()
    return Order(
        "create_payment", "POST", "v1/payments", form,
        refusals=refusals, only_refusal=bool(decline), stores=bool(decline),
        type=kind, cents=cents, root=root,
    )  # fmt: skip


def _money(cents: int) -> dict[str, str]:
    return {"amount": amount_of(cents), "currency": CURRENCY}
