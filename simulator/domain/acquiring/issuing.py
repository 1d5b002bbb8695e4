"""The issuer's books: what stands on a card, what each payment moved there, and what lapses.

Only cards with a profile have any. Money of a card is counted by its currency. Choice: D-189.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.hosts import LIVE, TEST, Host, of_host
from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import Store
from simulator.domain.core.records import PaymentType
from simulator.grammar.payment_types import IssuerEffect

# What each payment type does to a card account.
EFFECTS: Mapping[str, IssuerEffect] = {
    code: row.issuer for code, row in PAYMENT_TYPES.items() if row.issuer is not None
}
# How long an authorization holds money that is not captured.
AUTHORISED_FOR = timedelta(days=7)


class CardAccount(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What stands on a card in one currency, on one host: held by authorisations, and taken. The id
    is made of all three: see `account_id`.
    """

    id: str
    version: int = 0
    held: Decimal = ZERO
    taken: Decimal = ZERO


class Movement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a payment moved on a card account, by its id, so that it can be taken back.

    `rest` is what an authorisation still holds; at `due` it lapses. `original` is the payment whose
    rest it changed.
    """

    id: str
    version: int = 0
    account: str
    held: Decimal = ZERO
    taken: Decimal = ZERO
    rest: Decimal = ZERO
    original: str | None = None
    due: datetime | None = None


def account_id(card: str, currency: str, host: Host) -> str:
    """The id of the account of a card profile in a currency, on a host."""
    return of_host(f"{card}.{currency}", host)


def card_of(account: str) -> str:
    """The card profile that an account belongs to."""
    return account.partition(".")[0]


def host_of(account: str) -> Host:
    """The host of an account; one that an earlier build kept for both is of the test host."""
    return LIVE if account.endswith(f".{LIVE}") else TEST


def movement_of(
    identity: str,
    kind: PaymentType,
    amount: Decimal,
    *,
    account: str,
    original: Movement | None,
    now: datetime,
) -> Movement:
    """What a payment changes on a card account: a reversal undoes what the original did, the others
    add their amount by the signs of their row. Raises KeyError for a type without an effect.
    """
    effect, open_from = EFFECTS[kind], None
    if effect.undoes and original is not None:
        return Movement(
            id=identity,
            account=account,
            held=-original.rest,
            taken=-original.taken,
            original=original.id,
        )
    if effect.releases and original is not None:
        open_from = original
    authorizes = effect.authorized > 0
    taken = effect.captured * amount
    if effect.gives_back and original is not None and original.taken * taken > 0:
        taken = -taken
    rest = amount if open_from is None else open_from.rest
    return Movement(
        id=identity,
        account=account,
        held=effect.authorized * min(amount, rest),
        taken=taken,
        rest=amount if authorizes else ZERO,
        due=now + AUTHORISED_FOR if authorizes else None,
        original=None if open_from is None else open_from.id,
    )


def booked(account: CardAccount, movement: Movement) -> CardAccount:
    """The account after a movement."""
    return replace(account, held=account.held + movement.held, taken=account.taken + movement.taken)


def unbooked(account: CardAccount, movement: Movement) -> CardAccount:
    """The account without a movement."""
    return replace(account, held=account.held - movement.held, taken=account.taken - movement.taken)


def with_rest(original: Movement, change: Decimal) -> Movement:
    """An authorisation with more or less of it still held."""
    return replace(original, rest=original.rest + change)


def taken_back(
    payment: str, store: Store
) -> tuple[tuple[Movement | CardAccount, ...], tuple[Movement, ...]]:
    """What to store and what to remove, so that a payment moved nothing on its card. What it held
    of an authorization that has lapsed meanwhile stays free.
    """
    movement = store.get(Movement, payment)
    account = None if movement is None else store.get(CardAccount, movement.account)
    if movement is None or account is None:
        return (), ()
    original = None if movement.original is None else store.get(Movement, movement.original)
    if original is None:
        return (unbooked(account, movement),), (movement,)
    held = movement.held if original.due is not None else ZERO
    freed = unbooked(account, replace(movement, held=held))
    return (freed, with_rest(original, -held)), (movement,)


def lapsed(account: CardAccount, movement: Movement) -> tuple[CardAccount, Movement]:
    """The account without what an authorisation still held, and that authorisation."""
    freed = replace(account, held=account.held - movement.rest)
    return freed, replace(movement, rest=ZERO, due=None, held=movement.held - movement.rest)
