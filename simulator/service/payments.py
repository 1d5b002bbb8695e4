"""Taking, referring to and reading payments."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from simulator.domain.cards import card_account
from simulator.domain.errors import Conflict, UnknownReference
from simulator.domain.parameters import normalised
from simulator.domain.payments import Opening, Ticket, decide_payment
from simulator.domain.ports import Ports, Seat, unit_of
from simulator.domain.records import Outcome, Payment, PaymentType, Registration
from simulator.domain.references import decide_reference
from simulator.domain.settlement import registers, registration_of, settle


def take_payment(seat: Seat, sent: Mapping[str, str], ticket: Ticket) -> Payment:
    """Take an initial payment: decide, ask the acquirer, store what it answered. Raises Refusal."""
    sent = normalised(sent)
    account = card_account(sent, seat.channel, today=ticket.now.date())
    sealed = seat.ports.vault.seal_card(ticket.id, account.number)
    opening = decide_payment(sent, account, seat=seat, sealed=sealed, ticket=ticket)
    return run_attempt(seat.ports, lambda: opening)


def refer_payment(seat: Seat, identity: str, sent: Mapping[str, str], ticket: Ticket) -> Payment:
    """Take a payment that refers to the one with the id `identity`. Raises Refusal, UnknownReference."""
    sent = normalised(sent)

    def decide() -> Opening:
        parent = visible_payment(seat, identity)
        opening = decide_reference(parent, sent, seat=seat, ticket=ticket)
        return _with_card(seat.ports, opening, parent)

    return run_attempt(seat.ports, decide)


def read_payment(seat: Seat, identity: str) -> Payment:
    """The payment with the id `identity`. Raises UnknownReference.

    It tells nothing a power cut could take back (Choice: D-36).
    """
    payment = visible_payment(seat, identity)
    if payment is None:
        raise UnknownReference("700.400.580", "no payment has the id in the path")
    seat.ports.store.settle()
    return payment


def visible_payment(seat: Seat, identity: str) -> Payment | None:
    """The payment with this id, or None: another merchant's data stays unseen. Source: AUTH-06."""
    payment = seat.ports.store.get(Payment, identity)
    if payment is None or payment.stamp.merchant != seat.stamp.merchant:
        return None
    return payment


def run_attempt(ports: Ports, decide: Callable[[], Opening]) -> Payment:
    """Reserve, call, settle; decided anew whenever something it rests on has changed meanwhile."""
    while True:
        try:
            return _reserve_and_settle(ports, decide())
        except Conflict:
            continue


def _reserve_and_settle(ports: Ports, opening: Opening) -> Payment:
    """Where the far side answers at once, the two units of work are one save."""
    plan = ports.acquirer.plan(opening.ask)
    if not plan.delay:
        return _settle(ports, opening, plan.outcome, also=plan.scripts)
    parents = () if opening.parent is None else (opening.parent,)
    ports.store.save(unit_of(opening.payment, *parents, *plan.scripts))
    ports.clock.wait(plan.delay)
    return settle_attempt(ports, opening, plan.outcome)


def settle_attempt(ports: Ports, opening: Opening, outcome: Outcome) -> Payment:
    """Settle a stored attempt with the acquirer's answer, by compare-and-set on what is stored now."""
    while True:
        payment = ports.store.get(Payment, opening.payment.id)
        parent = None
        if payment.referenced is not None:
            parent = ports.store.get(Payment, payment.referenced)
        try:
            return _settle(ports, replace(opening, payment=payment, parent=parent), outcome)
        except Conflict:
            continue


def _settle(ports: Ports, opening: Opening, outcome: Outcome, also: tuple = ()) -> Payment:
    payment, *others = settle(opening.payment, opening.parent, outcome, now=ports.clock.now())
    if registers(payment):
        registration = _registration(ports, payment, opening.ask.number)
        payment = replace(payment, registration=registration.id)
        others.append(registration)
    ports.store.save(unit_of(payment, *others, *also))
    return payment


def _registration(ports: Ports, payment: Payment, number: str) -> Registration:
    """A registration made by RG has the id of that payment; one made beside a payment has its own."""
    if payment.type is PaymentType.RG:
        return registration_of(payment, payment.id, payment.sealed_card)
    identity = ports.ids.record()
    return registration_of(payment, identity, ports.vault.seal_card(identity, number))


def _with_card(ports: Ports, opening: Opening, parent: Payment) -> Opening:
    """A rebill charges the card of the payment it refers to; the other references name it by the original."""
    if opening.payment.type is not PaymentType.RB:
        return opening
    number = ports.vault.open(parent.id, parent.sealed_card.number)
    return replace(opening, ask=replace(opening.ask, number=number))
