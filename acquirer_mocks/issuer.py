"""The issuer of the cards that have a profile: it looks at limit, balance, address and code.

It is asked where nothing else steers a payment, and keeps books of every payment of such a card
that was approved, whether by the issuer or by a script. A card for terminals has an account like
the others; what else its issuer checks is in `issuing`. Source: Payment response, avsResponse,
cvvResponse.
Choices: D-189, D-190.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from scenarios.issuer_cards import ADVICE, BY_NAME, BY_NUMBER, IssuerCard
from scenarios.terminal_cards import TerminalCard, terminal_card, terminal_cards
from simulator.catalogue.messages.card_responses import RESULT_OF
from simulator.catalogue.payment_types import INITIAL_TYPES
from simulator.catalogue.results import class_of
from simulator.domain.acquiring.issuing import (
    EFFECTS,
    CardAccount,
    Movement,
    account_id,
    booked,
    card_of,
    host_of,
    movement_of,
    with_rest,
)
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.ports import Clock, Store
from simulator.domain.core.records import Outcome
from simulator.grammar.results import APPROVALS, DEFERRALS

NOT_ENOUGH, TOO_MUCH, WRONG_CODE = "800.100.155", "800.100.162", "800.100.153"
WRONG_ADDRESS, NO_ORIGINAL = "800.400.100", "800.100.167"
BY_ISSUER = "issuer"
STREET, NUMBER, POSTCODE = "billing.street1", "billing.houseNumber1", "billing.postcode"
ADVISED = "MerchantAdviceCode"
# What counts on a card: Choice: D-693.
COUNTING = APPROVALS | DEFERRALS


class IssuerCase(NamedTuple):
    """A payment of a card with a profile: the card, its account, and what the payment refers to."""

    card: IssuerCard
    account: CardAccount
    original: Movement | None

    @property
    def available(self) -> Decimal:
        """What can still be charged to the account."""
        return self.card.limit - self.account.held - self.account.taken


def has_profile(number: str) -> bool:
    """Whether the issuer knows the card with a number. It knows hardly any."""
    return number in _known_numbers()


@cache
def _known_numbers() -> frozenset[str]:
    """The numbers of all cards with a profile, in one place: each payment is looked up in it."""
    at_terminals = (card.number for card in terminal_cards().cards.values())
    return frozenset((*BY_NUMBER, *at_terminals))


def case_of(ask: AcquirerRequest, store: Store) -> IssuerCase | None:
    """The case of a payment, or None: its card has no profile. Nearly all have none."""
    card, original = _card_with(ask.number or ""), None
    if card is None and ask.original is not None and ask.number is None:
        original = store.get(Movement, ask.original)
        card = None if original is None else _card_named(card_of(original.account))
    if card is None or ask.money is None:
        return None
    host = ask.host if original is None else host_of(original.account)
    identity = account_id(card.name, ask.money.currency, host)
    return IssuerCase(card, store.get(CardAccount, identity) or CardAccount(id=identity), original)


def judged(case: IssuerCase, ask: AcquirerRequest, outcome: Outcome) -> Outcome:
    """The outcome that nothing steered, as the issuer sees it."""
    code = refusal_of(case, ask)
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
    case: IssuerCase, ask: AcquirerRequest, outcome: Outcome, clock: Clock
) -> tuple[Any, ...]:
    """The records of the issuer that an approved payment changes, and a pending one until its end:
    a decline takes them back.
    """
    if class_of(outcome.code) not in COUNTING or ask.money is None:
        return ()
    return movements_of(case, ask, ask.money.amount, clock)


def movements_of(
    case: IssuerCase, ask: AcquirerRequest, amount: Decimal, clock: Clock
) -> tuple[Any, ...]:
    """The records of the issuer that change when `amount` of a payment is approved."""
    if ask.type not in EFFECTS:
        return ()
    movement = movement_of(
        ask.payment,
        ask.type,
        amount,
        account=case.account.id,
        original=case.original,
        now=clock.now(),
    )
    account = booked(case.account, movement)
    if movement.original is None or case.original is None:
        return account, movement
    return account, movement, with_rest(case.original, movement.held)


def refusal_of(case: IssuerCase, ask: AcquirerRequest) -> str | None:
    """The result code that the account of a card declines a payment with, or None."""
    card = case.card
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
    return NOT_ENOUGH if amount > case.available else None


def _card_with(number: str) -> IssuerCard | None:
    if not has_profile(number):
        return None
    found = BY_NUMBER.get(number)
    if found is not None:
        return found
    at_terminals = terminal_card(number)
    return None if at_terminals is None else _account_of(at_terminals[0])


def _card_named(name: str) -> IssuerCard | None:
    return BY_NAME.get(name) or (_account_of(name) if name in terminal_cards().cards else None)


@cache
def _account_of(name: str) -> IssuerCard:
    """The account behind a card for terminals."""
    card: TerminalCard = terminal_cards().cards[name]
    rules = card.issuer
    refuses = None if rules.refuses is None else RESULT_OF[rules.refuses]
    return IssuerCard(name, card.number, limit=rules.limit, most=rules.most, refuses=refuses)


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
