"""The issuer of the cards that have a profile: it looks at limit, balance, address and code.

It is asked where nothing else steers a payment, and keeps books of every payment of such a card
that was approved, whether by the issuer or by a script. Source: Payment response, avsResponse,
cvvResponse.
Choices: D-189, D-190.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from scenarios.issuer_cards import ADVICE, BY_NAME, BY_NUMBER, IssuerCard
from simulator.catalogue.payment_types import INITIAL_TYPES
from simulator.catalogue.results import class_of
from simulator.domain.acquiring.issuing import (
    EFFECTS,
    CardAccount,
    Movement,
    account_id,
    booked,
    card_of,
    movement_of,
    with_rest,
)
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.ports import Clock, Store
from simulator.domain.core.records import Outcome
from simulator.grammar.results import APPROVALS

NOT_ENOUGH, TOO_MUCH, WRONG_CODE = "800.100.155", "800.100.162", "800.100.153"
WRONG_ADDRESS, NO_ORIGINAL = "800.400.100", "800.100.167"
BY_ISSUER = "issuer"
STREET, NUMBER, POSTCODE = "billing.street1", "billing.houseNumber1", "billing.postcode"
ADVISED = "MerchantAdviceCode"


class IssuerCase(NamedTuple):
    """A payment of a card with a profile: the card, its account, and what the payment refers to."""

    card: IssuerCard
    account: CardAccount
    original: Movement | None


def case_of(ask: AcquirerRequest, store: Store) -> IssuerCase | None:
    """The case of a payment, or None: its card has no profile. Nearly all have none."""
    card, original = BY_NUMBER.get(ask.number or ""), None
    if card is None and ask.original is not None and ask.number is None:
        original = store.get(Movement, ask.original)
        card = None if original is None else BY_NAME.get(card_of(original.account))
    if card is None or ask.money is None:
        return None
    identity = account_id(card.name, ask.money.currency)
    return IssuerCase(card, store.get(CardAccount, identity) or CardAccount(id=identity), original)


def judged(case: IssuerCase, ask: AcquirerRequest, outcome: Outcome) -> Outcome:
    """The outcome that nothing steered, as the issuer sees it."""
    code = _refusal(case, ask)
    avs, cvv = letters_of(case.card, ask) if ask.type in INITIAL_TYPES else (None, None)
    if code is None and case.card.strict:
        code = WRONG_CODE if cvv == "N" else WRONG_ADDRESS if avs == "N" else None
    if code is None:
        return replace(outcome, avs=avs, cvv=cvv)
    advice = {ADVISED: ADVICE[code]} if code in ADVICE else {}
    return Outcome(
        code=code,
        avs=avs,
        cvv=cvv,
        risk_score=outcome.risk_score,
        details=advice,
        decided_by=BY_ISSUER,
    )


def letters_of(card: IssuerCard, ask: AcquirerRequest) -> tuple[str, str]:
    """What address and code are worth: F both, A street, Z postcode, N none, U nothing was sent;
    M the code fits, N it does not, P there was none. Source: RSP-05, ADDR-05.
    """
    return _address_letter(card, ask.parameters), _code_letter(card, ask.cvv)


def books_of(
    case: IssuerCase, ask: AcquirerRequest, ended: Outcome, clock: Clock
) -> tuple[Any, ...]:
    """The records of the issuer that an approved payment changes."""
    if class_of(ended.code) not in APPROVALS or ask.money is None:
        return ()
    if ask.type not in EFFECTS:
        return ()
    movement = movement_of(
        ask.payment,
        ask.type,
        ask.money.amount,
        account=case.account.id,
        original=case.original,
        now=clock.now(),
    )
    account = booked(case.account, movement)
    if movement.original is None or case.original is None:
        return account, movement
    return account, movement, with_rest(case.original, movement.held)


def _refusal(case: IssuerCase, ask: AcquirerRequest) -> str | None:
    card, account = case.card, case.account
    assert ask.money is not None, "a case has an amount"
    amount = ask.money.amount
    effect = EFFECTS.get(ask.type)
    if effect is None:
        return None
    if effect.releases:
        is_held = case.original is not None and case.original.rest >= amount
        return None if is_held else NO_ORIGINAL
    if not effect.charges:
        return None
    if card.refuses is not None:
        return card.refuses
    if amount > card.most:
        return TOO_MUCH
    return NOT_ENOUGH if amount > card.limit - account.held - account.taken else None


def _address_letter(card: IssuerCard, sent: Mapping[str, str]) -> str:
    street, postcode = sent.get(STREET), sent.get(POSTCODE)
    if street is None and postcode is None:
        return "U"
    written = {street, f"{sent.get(NUMBER)} {street}", f"{street} {sent.get(NUMBER)}"}
    fits = (card.street in written, postcode == card.postcode)
    return {(True, True): "F", (True, False): "A", (False, True): "Z"}.get(fits, "N")


def _code_letter(card: IssuerCard, cvv: str | None) -> str:
    if cvv is None:
        return "P"
    return "M" if cvv == card.cvv else "N"
