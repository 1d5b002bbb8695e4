"""The gateway itself: payments, what follows them, registrations and checkouts, in memory."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from features.reference_gateway.answers import (
    CREATED,
    DECLINED,
    NOT_NOW,
    PENDING,
    TAKEN,
    UNKNOWN,
    Body,
    answer,
    closed,
    refusal,
    shown,
)
from features.reference_gateway.formats import wrong_in

Sent = Mapping[str, str]
Said = tuple[int, Body]

CARD = ("card.number", "card.expiryMonth", "card.expiryYear")
MONEY = ("amount", "currency", "descriptor")
MODE, SOURCE = "standingInstruction.mode", "standingInstruction.source"
REFERENCE = "standingInstruction.initialTransactionId"
KEPT = ("card.", "paymentBrand", "customer.", "billing.", REFERENCE)
TERMS = ("standingInstruction.expiry", "standingInstruction.frequency")
APPROVED = "00"
BRANDS = (("4", "VISA"), ("5", "MASTER"), ("37", "AMEX"), ("6", "MAESTRO"))


@dataclass
class ReferencePayment:
    """A payment as it is shown, and how much of it may still be captured, refunded, reversed."""

    body: Body
    kind: str
    open: Decimal
    children: int = 0


@dataclass
class ReferenceGateway:
    """Everything that was taken since it was started."""

    payments: dict[str, ReferencePayment] = field(default_factory=dict)
    registrations: dict[str, dict[str, str]] = field(default_factory=dict)
    checkouts: dict[str, dict[str, str]] = field(default_factory=dict)
    ended: dict[str, Body] = field(default_factory=dict)

    def pay(self, sent: Sent, stored: Sent | None = None) -> Said:
        """Take a payment by a card, sent or stored."""
        sent = {**(stored or {}), **sent}
        kind = sent.get("paymentType", "")
        wrong = [*wrong_in(sent), *lacking(sent, ("amount", "currency", "paymentType", *CARD))]
        if kind not in ("PA", "DB", "CD", "RG"):
            wrong.append("paymentType")
        wrong += terms_lacking(sent)
        if wrong:
            return 400, refusal(wrong, sent)
        if not is_chargeable(sent):
            return 400, answer("100.100.101", "the card cannot be charged")
        if sent.get("card.holder", "").startswith("800.100."):
            return 400, self.declined(sent)
        more = brand_of(sent)
        if sent.get(MODE) == "INITIAL" and sent.get(SOURCE) == "CIT":
            sent = {**sent, REFERENCE: new_id()}
        if sent.get("createRegistration") == "true":
            more["registrationId"] = self.keep(sent)
        return 200, self.take(kind, sent, more)

    def refer(self, payment_id: str, sent: Sent) -> Said:
        """Capture, refund or reverse a payment."""
        earlier, kind = self.payments.get(payment_id), sent.get("paymentType", "")
        needed = ("paymentType",) if kind == "RV" else ("paymentType", "amount", "currency")
        wrong = [*wrong_in(sent), *lacking(sent, needed)]
        if wrong:
            return 400, refusal(wrong, sent)
        if earlier is None:
            return nothing()
        amount = Decimal(sent.get("amount") or earlier.body["amount"])
        allowed = {"CP": ("PA",), "RF": ("DB", "CP", "CD"), "RV": ("PA",)}.get(kind, ())
        spent = kind == "RV" and earlier.children
        other = sent.get("currency") or earlier.body["currency"]
        spent = spent or other != earlier.body["currency"]
        if earlier.kind not in allowed or amount > earlier.open or spent:
            return 400, answer(NOT_NOW, "not of this payment, or not so much")
        earlier.open -= amount
        earlier.children += 1
        money = {"amount": str(amount), "currency": earlier.body["currency"]}
        return 200, self.take(kind, {**sent, **money}, {})

    def read(self, payment_id: str) -> Said:
        """Show a payment."""
        found = self.payments.get(payment_id)
        return (200, closed(found.body)) if found else nothing()

    def register(self, sent: Sent) -> Said:
        """Store a card."""
        wrong = [*wrong_in(sent), *lacking(sent, CARD)]
        if wrong:
            return 400, refusal(wrong, sent)
        if not is_chargeable(sent):
            return 400, answer("100.100.101", "the card cannot be charged")
        stored = self.keep(sent)
        return 200, answer(TAKEN, "stored", id=stored, **shown({**sent, **brand_of(sent)}))

    def charge(self, registration: str, sent: Sent) -> Said:
        """Take a payment by a stored card."""
        stored = self.registrations.get(registration)
        if stored is None:
            return nothing()
        if stored.get("card.holder") or sent.get("overrideHolder") != "true":
            sent = {name: value for name, value in sent.items() if name != "card.holder"}
        is_next = sent.get(MODE) == "REPEATED" and sent.get(SOURCE) == "MIT"
        kept = {n: v for n, v in stored.items() if is_next or n != REFERENCE}
        status, body = self.pay({**sent, "createRegistration": "false"}, kept)
        return status, {**body, "registrationId": registration}

    def stored(self, registration: str) -> Said:
        """Show a stored card."""
        found = self.registrations.get(registration)
        if found is None:
            return nothing()
        return 200, answer(TAKEN, "stored", id=registration, **shown(found))

    def remove(self, registration: str) -> Said:
        """Forget a stored card."""
        known = self.registrations.pop(registration, None)
        return (200, answer(TAKEN, "removed", id=registration)) if known else nothing()

    def prepare(self, sent: Sent) -> Said:
        """Prepare a checkout."""
        secret = [name for name in sent if name.startswith("card.")]
        wrong = [*wrong_in(sent), *secret]
        if sent.get("createRegistration") != "true":
            wrong += lacking(sent, ("amount", "currency", "paymentType"))
        if wrong:
            return 400, refusal(wrong, {name: sent[name] for name in sent if name not in secret})
        checkout = f"{secrets.token_hex(16).upper()}.independent"
        self.checkouts[checkout] = dict(sent)
        return 200, answer(CREATED, "prepared", id=checkout)

    def pay_in(self, checkout: str, sent: Sent) -> Said:
        """Take the payment of a shopper in a checkout."""
        fixed = self.checkouts.get(checkout)
        if fixed is None or checkout in self.ended:
            return nothing()
        changed = [name for name in sent if name != "entityId" and name in fixed]
        if changed:
            return 400, refusal(changed, sent)
        status, body = self.pay({**fixed, **sent})
        if status == 200:
            self.ended[checkout] = body
        return status, body

    def end_of(self, checkout: str) -> Said:
        """Show how a checkout ended."""
        if checkout not in self.checkouts:
            return nothing()
        ended = self.ended.get(checkout)
        return 200, closed(ended) if ended else answer(PENDING, "the shopper has not paid yet")

    def take(self, kind: str, sent: Sent, more: Sent) -> Body:
        """Store a payment, and show it."""
        whole = {**sent, "paymentType": kind, **more, **statement(sent)}
        details = {"AcquirerResponse": APPROVED}
        body = answer(TAKEN, "taken", id=new_id(), resultDetails=details, **shown(whole))
        self.payments[body["id"]] = ReferencePayment(body, kind, Decimal(sent["amount"]))
        return body

    def declined(self, sent: Sent) -> Body:
        """Store a payment that the acquirer does not take, and show it without its money."""
        code = sent["card.holder"] if len(sent["card.holder"]) == 11 else DECLINED
        kept = {name: value for name, value in sent.items() if name not in MONEY}
        body = answer(code, "declined", id=new_id(), **shown({**kept, **brand_of(sent)}))
        self.payments[body["id"]] = ReferencePayment(body, "", Decimal(0))
        return body

    def keep(self, sent: Sent) -> str:
        """Store the card of a payment; the id of the registration."""
        registration = new_id()
        kept = {name: sent[name] for name in sent if name.startswith(KEPT)}
        self.registrations[registration] = {n: v for n, v in kept.items() if n != "card.cvv"}
        return registration


def nothing() -> Said:
    """The answer where nothing is found."""
    return 404, answer(UNKNOWN, "there is no such thing")


def lacking(sent: Sent, names: tuple[str, ...]) -> list[str]:
    """Those of the names that were not sent, or sent empty."""
    return [name for name in names if not sent.get(name)]


def terms_lacking(sent: Sent) -> list[str]:
    """The terms that a series has to have whose first payment was authenticated."""
    kind = sent.get("standingInstruction.type")
    if not sent.get("threeDSecure.eci") or kind not in ("RECURRING", "INSTALLMENT"):
        return []
    more = ("standingInstruction.numberOfInstallments",) if kind == "INSTALLMENT" else ()
    return lacking(sent, (*TERMS, *more))


def statement(sent: Sent) -> dict[str, Any]:
    """What stands on the statement: the merchant's name, or the descriptor."""
    name = sent.get("merchant.name") or sent.get("descriptor")
    return {"descriptor": name} if name else {}


def brand_of(sent: Sent) -> dict[str, str]:
    """The brand of a card, detected where it was not sent."""
    number = sent.get("card.number", "")
    found = next((brand for start, brand in BRANDS if number.startswith(start)), "")
    return {"paymentBrand": sent.get("paymentBrand") or found}


def passes_check(number: str) -> bool:
    """Whether the check digit of a card number is right."""
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(number))]
    return sum(each - 9 * (each > 9) for each in doubled) % 10 == 0


def is_chargeable(sent: Sent) -> bool:
    """Whether a card can be charged: brand, check digit, expiry and security code."""
    brand, code = brand_of(sent)["paymentBrand"], sent.get("card.cvv", "")
    detected = brand_of({"card.number": sent["card.number"]})["paymentBrand"]
    digits = 4 if brand == "AMEX" else 3
    return (
        # Numbers that begin with 6 belong to several brands.
        (brand == "MOBILE_WALLET" or detected in ("", "MAESTRO", brand))
        and passes_check(sent["card.number"])
        and not has_expired(sent, datetime.now(UTC))
        and len(code) in (0, digits)
    )


def has_expired(sent: Sent, now: datetime) -> bool:
    """Whether a card is past the last day of the month it shows."""
    return f"{sent['card.expiryYear']}-{sent['card.expiryMonth']}" < f"{now:%Y-%m}"


def new_id() -> str:
    """An id of 32 letters and digits."""
    return secrets.token_hex(16)
