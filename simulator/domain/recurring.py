"""Series of payments: the place a payment says it has, and the agreement it rests on.

An agreement begins with a payment of the shopper and lets the merchant charge again without one.
What limits a series without one is in `series.py`.
Source: Recurring; Recurring migration; Card on file. Choices: D-123, D-124, D-125, D-126.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from simulator.catalogue.fields.recurring import THREE_D_SECURE_DUTIES
from simulator.catalogue.fields.three_d_secure import EXTERNAL_MPI
from simulator.catalogue.payment_types import CHARGING_TYPES, NEW_TYPES, PAYMENT_TYPES
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Refusal, Violations
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.money import ZERO, read_amount
from simulator.domain.core.records import AccountHierarchy, Payment
from simulator.grammar.choices import Choices
from simulator.grammar.violations import Violation

RECURRING_TYPE = "recurringType"
TYPE = "standingInstruction.type"
MODE = "standingInstruction.mode"
SOURCE = "standingInstruction.source"
TRANSACTION = "standingInstruction.initialTransactionId"
PRACTICE = "standingInstruction.industryPractice"
BY_WALLET = ("mobileWallet.paymentToken", "mobileWallet.source")
EXPIRY = "standingInstruction.expiry"
FREQUENCY = "standingInstruction.frequency"
NUMBER = "standingInstruction.numberOfInstallments"
MIGRATED_TYPE = "recurringMigration.paymentType"
MIGRATED_TRANSACTION = "recurringMigration.connectorTxId1"
FLAGS = frozenset({RECURRING_TYPE, TYPE, MODE, SOURCE, TRANSACTION, EXPIRY})

INITIAL, REPEATED = "INITIAL", "REPEATED"
CUSTOMER, MERCHANT = "CIT", "MIT"
INSTALLMENT, UNSCHEDULED = "INSTALLMENT", "UNSCHEDULED"
PLANS = frozenset({INSTALLMENT, "RECURRING"})

# Where an acquirer gives the reference of the first payment of a series. Source: COF-02.
ISSUED = "CardholderInitiatedTransactionID"

WRONG_SERIES = "600.200.501"
TWO_MODES = "100.900.500"
DUTY = "COF-03"


class Agreement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a merchant may charge without the shopper: under which reference, how often, until when.

    `transaction` is the reference of the acquirer, empty where a migration brought none. `type` is
    the category it began with. `taken` counts the authorizations, `reserved` those under way,
    `most` is how many there may be; between two lie at least `every_days` days. The id is made of
    merchant and reference: see `key_of`.
    """

    id: str
    version: int = 0
    stamp: AccountHierarchy
    host: Host = TEST
    created_at: datetime
    transaction: str = ""
    type: str = ""
    expiry: str | None = None
    every_days: int = 0
    most: int | None = None
    taken: int = 0
    reserved: int = 0
    last_at: datetime | None = None


def is_in_series(sent: Mapping[str, str]) -> bool:
    """Whether a payment says anything of a series; asked at every payment."""
    return not sent.keys().isdisjoint(FLAGS)


def is_merchant_initiated(sent: Mapping[str, str]) -> bool:
    """Whether no shopper takes part, who could be redirected.

    The source says so where one is sent. Without one, only the older recurringType=REPEATED means
    the merchant. Choice: D-123.
    """
    source = sent.get(SOURCE)
    if source is not None:
        return source == MERCHANT
    return sent.get(RECURRING_TYPE) == REPEATED and MODE not in sent


def begins_agreement(sent: Mapping[str, str], kind: str) -> bool:
    """Whether a payment of type `kind` is the shopper's first of a series: the acquirer gives it a
    reference. What refers to another payment is none, though it may repeat what that one sent.

    Source: COF-02.
    """
    is_first = sent.get(MODE) == INITIAL and sent.get(SOURCE) == CUSTOMER
    return is_first and kind in NEW_TYPES


def is_next_authorization(sent: Mapping[str, str], kind: str, agreement: Agreement) -> bool:
    """Whether a payment of type `kind` is the next authorization of an agreement it rests on.

    A set-up is none, nor is what follows from an earlier authorization, nor a single purchase of
    the shopper beside a plan. Choice: D-125.
    """
    if not is_authorization(sent, kind) or is_initial(sent):
        return False
    return is_merchant_initiated(sent) or _continues(sent, agreement)


def is_authorization(sent: Mapping[str, str], kind: str) -> bool:
    """Whether a payment of type `kind` is one by itself, not what follows an earlier one."""
    return PRACTICE not in sent and kind in CHARGING_TYPES


def is_initial(sent: Mapping[str, str]) -> bool:
    """Whether a payment says that it is the first of its series."""
    return INITIAL in (sent.get(MODE), sent.get(RECURRING_TYPE))


def _continues(sent: Mapping[str, str], agreement: Agreement) -> bool:
    """Whether a payment of the shopper says that it goes on with the agreement."""
    if sent.get(TYPE) == UNSCHEDULED and agreement.type != UNSCHEDULED:
        return False
    is_repeated = REPEATED in (sent.get(MODE), sent.get(RECURRING_TYPE))
    return is_repeated or sent.get(TYPE) in PLANS or TRANSACTION in sent


def key_of(stamp: AccountHierarchy, host: Host, reference: str) -> str:
    """The id of the agreement a merchant has under a reference. No two merchants share one."""
    return f"{stamp.merchant}.{host}.{reference}"


def refuse_two_modes(sent: Mapping[str, str]) -> None:
    """Raise Refusal where the older and the newer parameter put a payment in two places."""
    older, newer = sent.get(RECURRING_TYPE), sent.get(MODE)
    if older is not None and newer is not None and older != newer:
        raise Refusal(TWO_MODES, f"{RECURRING_TYPE}: expected {newer} as {MODE}, got {older}")


def refuse_past(sent: Mapping[str, str], *, now: datetime, choices: Choices) -> None:
    """Raise Refusal for a series whose expiry was sent and is past. Choice: D-125."""
    if choices["agreement_limits"] != "ignore":
        _refuse_after(sent.get(EXPIRY), now)


def refuse_no_installments(sent: Mapping[str, str], *, choices: Choices) -> None:
    """Raise Refusal for a payment that would be one installment of none. Choice: D-125."""
    if choices["agreement_limits"] == "ignore" or sent.get(TYPE) != INSTALLMENT:
        return
    charges = sent.get("paymentType") in CHARGING_TYPES
    if charges and _is_none(sent.get(NUMBER)) and read_amount(sent.get("amount", "0")) > ZERO:
        raise Refusal(
            WRONG_SERIES, f"{NUMBER}: expected 1 or more of a payment, got {sent[NUMBER]}"
        )


def _is_none(number: str | None) -> bool:
    return number is not None and int(number) == 0


def refuse_missing_duties(sent: Mapping[str, str], channel: Channel, brand: str) -> None:
    """Raise Violations where a series that runs with 3-D Secure lacks what that asks for.

    Source: COF-03. Choice: D-124.
    """
    needed = THREE_D_SECURE_DUTIES.get(sent.get(TYPE, ""), ())
    missing = [name for name in needed if name not in sent]
    if missing and runs_with_three_d_secure(sent, channel, brand):
        says = f"may not be empty: 3-D Secure requires it with {TYPE} {sent[TYPE]}"
        raise Violations([Violation(name, None, says, DUTY) for name in missing])


def is_by_wallet(sent: Mapping[str, str]) -> bool:
    """Whether a wallet pays: by a token, or by what a merchant decrypted."""
    return any(name in sent for name in BY_WALLET)


def runs_with_three_d_secure(sent: Mapping[str, str], channel: Channel, brand: str) -> bool:
    """Whether the shopper is authenticated: here, as the channel is enrolled, or by another MPI.

    Registrations and credits never ask for it, nor does the merchant alone. Choice: D-124.
    """
    if is_merchant_initiated(sent) or not PAYMENT_TYPES[sent["paymentType"]].three_d_secure:
        return False
    elsewhere = not is_by_wallet(sent) and any(name in sent for name in EXTERNAL_MPI)
    return elsewhere or brand in channel.three_d_secure


def refuse_unknown_agreement(
    sent: Mapping[str, str], agreement: Agreement | None, channel: Channel
) -> None:
    """Raise Refusal for a payment of the merchant alone that rests on nothing the channel accepts.

    Choice: D-123.
    """
    if agreement is not None or channel.agreements == "any":
        return
    if TRANSACTION in sent:
        raise Refusal(WRONG_SERIES, f"{TRANSACTION}: no acquirer of the merchant gave it out")
    if channel.agreements == "required" and sent.get(MODE) != INITIAL:
        raise Refusal(WRONG_SERIES, f"{TRANSACTION}: expected one, or a registration that has it")


def refuse_beyond(
    agreement: Agreement, sent: Mapping[str, str], *, now: datetime, choices: Choices
) -> None:
    """Raise Refusal for an authorization the agreement no longer gives, or not yet. What the
    payment sends itself can narrow each of its limits.

    Source: Card on file, expiry, frequency, numberOfInstallments. Choice: D-125.
    """
    agreement, enforced = _narrowed(agreement, sent), choices["agreement_limits"]
    if enforced != "ignore":
        _refuse_late(agreement, sent, now)
        _refuse_many(agreement)
    if enforced == "all":
        _refuse_early(agreement, now)


def refuse_ended(
    agreement: Agreement, sent: Mapping[str, str], *, now: datetime, choices: Choices
) -> None:
    """Raise Refusal where an agreement gives no authorization from `now` on, however those that are
    under way end.
    """
    if choices["agreement_limits"] != "ignore":
        _refuse_late(agreement, sent, now)
        _refuse_many(replace(_narrowed(agreement, sent), reserved=0))


def _narrowed(agreement: Agreement, sent: Mapping[str, str]) -> Agreement:
    """The agreement with the limits of a payment where those are narrower than its own. One that it
    has not is none of it: other payments count there too.
    """
    most, days = number_in(sent), days_in(sent)
    if most is not None and agreement.most is not None:
        agreement = replace(agreement, most=min(agreement.most, most))
    if days and agreement.every_days:
        agreement = replace(agreement, every_days=max(agreement.every_days, days))
    return agreement


def _refuse_late(agreement: Agreement, sent: Mapping[str, str], now: datetime) -> None:
    _refuse_after(min(filter(None, (agreement.expiry, sent.get(EXPIRY))), default=None), now)


def _refuse_after(last: str | None, now: datetime) -> None:
    if last is not None and f"{now:%Y-%m-%d}" > last:
        raise Refusal(WRONG_SERIES, f"{EXPIRY}: no authorizations are made after {last}")


def _refuse_many(agreement: Agreement) -> None:
    made = agreement.taken + agreement.reserved
    if agreement.most is not None and made >= agreement.most:
        raise Refusal(WRONG_SERIES, f"{NUMBER}: all {agreement.most} authorizations are made")


def _refuse_early(agreement: Agreement, now: datetime) -> None:
    if not agreement.every_days or (agreement.last_at is None and not agreement.reserved):
        return
    earliest = (agreement.last_at or now).date() + timedelta(days=agreement.every_days)
    if agreement.reserved or now.date() < earliest:
        raise Refusal(WRONG_SERIES, f"{FREQUENCY}: the next authorization is due {earliest}")


def reserve_next(agreement: Agreement) -> Agreement:
    """The agreement with one more authorization under way."""
    return replace(agreement, reserved=agreement.reserved + 1)


def count_authorization(agreement: Agreement, payment: Payment, *, approved: bool) -> Agreement:
    """The agreement after an authorization that was under way has its answer."""
    freed = replace(agreement, reserved=agreement.reserved - 1)
    if not approved:
        return freed
    return replace(freed, taken=freed.taken + 1, last_at=payment.created_at)


def agreement_of(payment: Payment, transaction: str) -> Agreement:
    """The agreement that the shopper's approved first payment begins. Source: COF-02.

    It is the first authorization itself, where it moves money.
    """
    return with_first(terms_of(payment, transaction), payment)


def with_first(agreement: Agreement, payment: Payment) -> Agreement:
    """The agreement with the payment that begins it, which counts where it moves money: an RG or a
    verification does not.
    """
    has_money = payment.money is not None and payment.money.amount > ZERO
    if payment.type not in CHARGING_TYPES or not has_money:
        return agreement
    return replace(agreement, taken=1, last_at=payment.created_at)


def migrated_agreement(payment: Payment) -> Agreement:
    """The agreement that a migration brings along, under the acquirer's reference if it has one.

    Source: MIG-01, MIG-02. Choice: D-126.
    """
    transaction = payment.sent.get(MIGRATED_TRANSACTION, "")
    agreement = terms_of(payment, transaction)
    if transaction:
        return agreement
    return replace(agreement, id=key_of(payment.stamp, payment.host, payment.id))


def terms_of(payment: Payment, transaction: str) -> Agreement:
    """The agreement with the limits that a payment sends, of which nothing is used yet."""
    sent = payment.sent
    return Agreement(
        id=key_of(payment.stamp, payment.host, transaction),
        stamp=payment.stamp,
        host=payment.host,
        created_at=payment.created_at,
        transaction=transaction,
        type=sent.get(TYPE, ""),
        expiry=sent.get(EXPIRY),
        every_days=days_in(sent),
        most=number_in(sent),
    )


def number_in(sent: Mapping[str, str]) -> int | None:
    """The number of installments that was sent: of no other series is it a limit."""
    number = sent.get(NUMBER) if sent.get(TYPE) == INSTALLMENT else None
    return None if number is None else int(number)


def days_in(sent: Mapping[str, str]) -> int:
    """The days between two authorizations that were sent; 0 for none."""
    return int(sent.get(FREQUENCY, "0"))
