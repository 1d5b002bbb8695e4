"""Registrations: what is kept of an account, how long, and what a payment takes from it.

Source: Tokenization and registration. Choices: D-119 to D-122.
"""

from calendar import monthrange
from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.fields.limits import MOST_USED_AGAIN
from simulator.domain.accounts.accounts import KEPT_OPENLY, account_in
from simulator.domain.accounts.bank_accounts import account_for, bank_account
from simulator.domain.accounts.cards import refuse_expiry
from simulator.domain.core.errors import Refusal
from simulator.domain.core.parameters import added_to, kept, normalised, refuse_oversize
from simulator.domain.core.records import CardSummary, Payment, PaymentType, Registration
from simulator.grammar.brands import BANK

RETAINED_MONTHS, EXTENDED_MONTHS = 14, 24
NO_SUCH_ACCOUNT, KEPT_ENOUGH = "100.150.205", "100.150.206"
CARD_HOLDER, BANK_HOLDER = "card.holder", "bankAccount.holder"
VIRTUAL_ID = "virtualAccount.accountId"
# What a payment may not bring along: the registration has it. Holders: see `_holder_for`.
STORED = (
    "card.number", "card.expiryMonth", "card.expiryYear", CARD_HOLDER, *KEPT_OPENLY,
    "mobileWallet.",
)  # fmt: skip
TRUE = ("true", "1")
# What stays of the parameters of an RG whose registration was removed.
LEFT_OF_AN_RG = frozenset({"paymentType", "entityId", "merchantTransactionId", "testMode"})
OF_THE_SHOPPER = (
    "customer.", "billing.", "shipping.", "corporate.", "recurring", "standingInstruction.",
)  # fmt: skip


def retention_end(registration: Registration) -> datetime:
    """When an account is no longer kept: 14 months after the end of the month in which a card
    expires, of any other account after the last use. Choice: D-122.
    """
    card = registration.card
    if card is None:
        return months_after(registration.used_at or registration.created_at, RETAINED_MONTHS)
    month = datetime(int(card.expiryYear), int(card.expiryMonth), 1, tzinfo=UTC)
    return months_after(month, 1 + RETAINED_MONTHS)


def months_after(instant: datetime, months: int) -> datetime:
    """`instant` so many months later, on the last day of a month that has no such day."""
    number = instant.year * 12 + instant.month - 1 + months
    year, month = divmod(number, 12)
    day = min(instant.day, monthrange(year, month + 1)[1])
    return instant.replace(year=year, month=month + 1, day=day)


def refuse_large_registration(sent: Mapping[str, str]) -> None:
    """Raise Refusal for an RG that was sent more than a registration may have. Choice: D-05."""
    own = {name: value for name, value in sent.items() if name != "paymentType"}
    refuse_oversize(own, MOST_USED_AGAIN)


def begun(registration: Registration) -> Registration:
    """A new registration with the end of its retention. What pays stands apart from what else was
    sent, and of a payment beside it only the shopper and the agreement are kept.
    """
    beside = registration.id != registration.payment
    sent = {
        name: value
        for name, value in registration.sent.items()
        if name not in registration.account and (not beside or name.startswith(OF_THE_SHOPPER))
    }
    return replace(registration, sent=sent, due=retention_end(registration))


def used(registration: Registration, now: datetime) -> Registration:
    """The registration after a payment with it: an account that is no card is kept from now on."""
    touched = replace(registration, used_at=now)
    ends = retention_end(touched)
    return replace(touched, due=max(ends, registration.due or ends))


def extended(registration: Registration) -> Registration:
    """The registration kept 24 months longer than it is by itself. Raises Refusal where that has
    been done already.
    """
    ends = months_after(retention_end(registration), EXTENDED_MONTHS)
    if registration.due is not None and registration.due >= ends:
        raise Refusal(
            KEPT_ENOUGH, f"extendlife: it is kept until {registration.due:%Y-%m-%d} already"
        )
    return replace(registration, due=ends)


def removed(registration: Registration, now: datetime, *, lapsed: bool = False) -> Registration:
    """What is left of a registration: that there was one. Account, card and customer are gone.

    Choice: D-120.
    """
    return replace(
        registration,
        card=None,
        sealed_card=None,
        account={},
        sent={},
        shown={},
        due=None,
        removed_at=now,
        lapsed=lapsed,
    )


def forgotten(payment: Payment) -> Payment:
    """The RG of a registration that was removed: the transaction stays under its reference, and
    nothing of account, customer, addresses or custom parameters does.
    """
    sent = {name: value for name, value in payment.sent.items() if name in LEFT_OF_AN_RG}
    return replace(payment, card=None, sealed_card=None, sent=sent, shown={})


def charged(
    registration: Registration, sent: Mapping[str, str], number: str | None
) -> dict[str, str]:
    """The parameters of a payment with the account and brand of its registration (E35). `number`
    is that of the card.

    What was sent of an account counts for nothing, save a holder that fills an empty one. A capture
    has nothing to take from but the registration: it is taken at once (Choice: D-180).
    """
    own = {name: value for name, value in sent.items() if not name.startswith(STORED)}
    if own.get("paymentType") == PaymentType.CP:
        own["paymentType"] = PaymentType.PA_CP
    holder = _holder_for(registration, sent)
    account = account_for(own.get("paymentType", ""), _account(registration, number))
    return {**own, "paymentBrand": registration.brand, **account, **holder}


def _account(registration: Registration, number: str | None) -> Mapping[str, str]:
    card = registration.card
    if card is None or number is None:
        return registration.account
    account = {
        "card.number": number,
        "card.expiryMonth": card.expiryMonth,
        "card.expiryYear": card.expiryYear,
    }
    return account if card.holder is None else {**account, CARD_HOLDER: card.holder}


def _holder_for(registration: Registration, sent: Mapping[str, str]) -> dict[str, str]:
    """The holder that fills an empty one of the registration, for this payment. Source: TOK-02."""
    card, account = registration.card, registration.account
    name = BANK_HOLDER if card is None else CARD_HOLDER
    stored = account.get(name) if card is None else card.holder
    fills = not stored and name in sent and sent.get("overrideHolder") in TRUE
    return {name: sent[name]} if fills and VIRTUAL_ID not in account else {}


def whole_after(registration: Registration, sent: Mapping[str, str]) -> dict[str, str]:
    """What a registration keeps beside its account, with what was sent in place of what it had.
    Raises Refusal.
    """
    account = account_in(sent)
    others = {name: value for name, value in kept(sent).items() if name not in account}
    return added_to(registration.sent, others, MOST_USED_AGAIN)


def updated(
    registration: Registration, sent: Mapping[str, str], whole: Mapping[str, str], now: datetime
) -> Registration:
    """The registration with what was sent in place of what it had, and `whole` beside its account.
    Raises Refusal.

    Its retention moves with the expiry of its card. Choice: D-121.
    """
    changed = replace(
        registration,
        account=_updated_account(registration, sent, now),
        card=_updated_card(registration.card, sent, now),
        sent=dict(normalised(whole)),
    )
    moved = retention_end(changed) - retention_end(registration)
    return replace(changed, due=None if registration.due is None else registration.due + moved)


def _updated_account(
    registration: Registration, sent: Mapping[str, str], now: datetime
) -> dict[str, str]:
    """The account with what was sent of it, by which money can be moved as by a new one."""
    others = account_in(sent)
    _refuse_other_account(registration, sent, others)
    account, brand = {**registration.account, **others}, BRANDS[registration.brand]
    if others and brand.account == BANK:
        bank_account(account, brand, now.date())
    return account


def _refuse_other_account(
    registration: Registration, sent: Mapping[str, str], account: Mapping[str, str]
) -> None:
    has_card = registration.card is not None
    if not has_card and any(name.startswith("card.") for name in sent):
        raise Refusal(NO_SUCH_ACCOUNT, f"card: the registration holds a {registration.brand}")
    if has_card and account:
        raise Refusal(NO_SUCH_ACCOUNT, "bankAccount: the registration holds a card")


def _updated_card(
    card: CardSummary | None, sent: Mapping[str, str], now: datetime
) -> CardSummary | None:
    if card is None:
        return None
    changed = replace(
        card,
        expiryMonth=sent.get("card.expiryMonth", card.expiryMonth),
        expiryYear=sent.get("card.expiryYear", card.expiryYear),
        holder=sent.get(CARD_HOLDER, card.holder),
    )
    if (changed.expiryMonth, changed.expiryYear) != (card.expiryMonth, card.expiryYear):
        refuse_expiry(changed.expiryMonth, changed.expiryYear, now.date())
    return changed
