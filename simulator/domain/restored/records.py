"""What a record of a snapshot must be before any of them is used: what it seals opens, it holds no
secret in clear, and it can be shown as answers show it.

A snapshot comes from outside, and a record of the right type may still say what cannot be: an
amount that is a word, a result code that is none. Choices: D-295, D-685.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.choices import CHOICES
from simulator.catalogue.payment_types import INITIAL_TYPES, NEW_TYPES, types_where
from simulator.catalogue.results import RESULTS
from simulator.domain.chargebacks import Return
from simulator.domain.checkouts.checkouts import OVERRIDE, Checkout
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.errors import InvalidInputError, Refusal, TamperedSecretError
from simulator.domain.core.money import read_amount
from simulator.domain.core.parameters import SECRET
from simulator.domain.core.ports import Vault
from simulator.domain.core.records import (
    CardSummary,
    Outcome,
    Payment,
    PaymentType,
    Registration,
    Returned,
    Script,
)
from simulator.domain.merchants.passwords import CARD_NUMBER, PASSWORD
from simulator.domain.payments.bodies import PENDING, payment_fields, registration_fields
from simulator.domain.schedules.bodies import schedule_fields
from simulator.domain.schedules.expressions import trigger_of
from simulator.domain.schedules.schedules import Executed, Schedule
from simulator.domain.settlement.pushing import PushTarget
from simulator.domain.steering.scripts import refuse_foreign_script
from simulator.domain.terminals.loading import TerminalAuthority
from simulator.domain.terminals.terminals import TerminalKeys
from simulator.domain.wallets import WalletKeys
from simulator.domain.webhooks.records import Endpoint
from simulator.grammar.choices import choose

AMOUNT_BELOW = Decimal(10) ** 18
CURRENCY = re.compile("[A-Za-z]{3}")
SPECIFIED = choose(CHOICES, "specification")
UNREFERRING_TYPES = types_where(lambda row: row.is_initial)
EXPIRY = re.compile(r"[0-9]{0,4}")
# What each secret is, opened: seals bind the id of their record, not the place in it.
ENDPOINT_SECRET = re.compile("[0-9a-f]{64}")
PRIVATE_KEY = re.compile("-----BEGIN .*", re.DOTALL)
JSON = re.compile(r"[\[{].*", re.DOTALL)
# The name that each secret is sealed for, the sealed secret, and what it is.
Sealed = tuple[tuple[str, str, re.Pattern[str]], ...]
# What goes wrong where a record that no gateway stored is read or shown.
UNREADABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, Refusal, TypeError)


def refuse_unusable_record(record: Any, vault: Vault) -> None:
    """Raise InvalidInputError for a record that no gateway stored, by what it holds; `vault` is
    that of its sandbox.
    """
    kind = type(record).__name__
    if any(name in SECRET for name in getattr(record, "sent", ())):
        raise InvalidInputError("record.sent", "parameters without secrets", f"one of a {kind}")
    for identity, sealed, shape in SEALED.get(type(record), _nothing_sealed)(record):
        _refuse_foreign(vault, identity, sealed, shape)
    try:
        for part in _parts_of(record):
            READ.get(type(part), _unread)(part)
    except (*UNREADABLE, ValueError) as error:
        got = type(error).__name__
        raise InvalidInputError("record", f"a {kind} as a gateway stores it", got) from None


def _refuse_foreign(vault: Vault, identity: str, sealed: str, shape: re.Pattern[str]) -> None:
    try:
        is_ours = shape.fullmatch(vault.open(identity, sealed)) is not None
    except TamperedSecretError:
        is_ours = False
    if not is_ours:
        raise InvalidInputError("record", "a secret sealed for this place of it", "another")


def _parts_of(value: object) -> Iterator[object]:
    """The record, its structures and amounts, from the outside in."""
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _parts_of(getattr(value, name))
    elif isinstance(value, Decimal):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _parts_of(each)


def _unread(part: object) -> None:
    """Nothing more than its type says."""


def _read_decimal(amount: Decimal) -> None:
    if not (amount.is_finite() and abs(amount) < AMOUNT_BELOW):
        raise ValueError("expected an amount")


def _read_code(part: Outcome | Executed | Return | Returned) -> None:
    RESULTS[part.code]


def _read_card(card: CardSummary) -> None:
    # Accounts without a card number have none.
    for number in (card.expiryMonth, card.expiryYear):
        if EXPIRY.fullmatch(number) is None:
            raise ValueError("expected a month and a year")


def _read_sent(sent: Mapping[str, str]) -> None:
    if "amount" in sent:
        _read_decimal(read_amount(sent["amount"]))
    if "paymentType" in sent:
        PaymentType(sent["paymentType"])
    if not CURRENCY.fullmatch(sent.get("currency", "EUR")):
        raise ValueError("expected a currency of three letters")


def _refuse_others(types: Iterable[str | None], known: Collection[str]) -> None:
    """Raise ValueError for a payment type that cannot be begun in such a place."""
    if any(each is not None and each not in known for each in types):
        raise ValueError("expected a payment type that refers to no payment")


def _read_brand(brand: str | None) -> None:
    if brand is not None:
        BRANDS[brand]


def _read_payment(payment: Payment) -> None:
    _read_sent(payment.sent)
    _read_brand(payment.brand)
    _read_brand(payment.scheme)
    if payment.referenced is None:
        _refuse_others((payment.type,), UNREFERRING_TYPES)
    if payment.type is PaymentType.RG:
        registration_fields(payment)
    else:
        str(payment.moved)
        payment_fields(payment, SPECIFIED)


def _read_registration(registration: Registration) -> None:
    _read_sent(registration.sent)
    _read_brand(registration.brand)
    registration_fields(registration)


def _read_checkout(checkout: Checkout) -> None:
    sent = checkout.sent
    _read_sent(sent)
    overriding = (sent[name] for name in sent if name.startswith(OVERRIDE))
    _refuse_others((sent.get("paymentType"), *overriding), NEW_TYPES)


def _read_schedule(schedule: Schedule) -> None:
    _read_sent(schedule.sent)
    _refuse_others((schedule.sent.get("paymentType"),), INITIAL_TYPES)
    schedule_fields(schedule, PENDING)
    # Whether a day of the week counts from 0 or from 1 depends on the profile of its sandbox.
    for weekdays in ("quartz", "zero"):
        try:
            trigger_of(schedule.sent, weekdays=weekdays)
        except Refusal:
            if weekdays == "zero":
                raise
        else:
            return


def _nothing_sealed(record: object) -> Sealed:
    return ()


def _some(identity: str, *secrets: tuple[str | None, re.Pattern[str]]) -> Sealed:
    """Without what is not there."""
    return tuple((identity, sealed, shape) for sealed, shape in secrets if sealed is not None)


def _sealed_card(record: Payment | Registration) -> Sealed:
    card = record.sealed_card
    return () if card is None else ((record.id, card.number, CARD_NUMBER),)


# fmt: off
READ: Mapping[type, Callable[[Any], object]] = {
    CardSummary:  _read_card,
    Checkout:     _read_checkout,
    Decimal:      _read_decimal,
    Executed:     _read_code,
    Outcome:      _read_code,
    Payment:      _read_payment,
    Registration: _read_registration,
    Return:       _read_code,
    Returned:     _read_code,
    Schedule:     _read_schedule,
    Script:       refuse_foreign_script,
}
SEALED: Mapping[type, Callable[[Any], Sealed]] = {
    Endpoint:          lambda each: _some(
        each.id, (each.secret, ENDPOINT_SECRET), (each.next_secret, ENDPOINT_SECRET)),
    KeptForm:          lambda each: _some(each.id, (each.sealed or None, JSON)),
    Payment:           _sealed_card,
    PushTarget:        lambda each: _some(
        each.id, (each.password or None, PASSWORD), (each.key or None, PRIVATE_KEY)),
    Registration:      _sealed_card,
    TerminalAuthority: lambda each: ((each.id, each.sealed, PRIVATE_KEY),),
    TerminalKeys:      lambda each: ((each.id, each.sealed, JSON),),
    WalletKeys:        lambda each: ((each.id, each.sealed, JSON),),
}
# fmt: on
