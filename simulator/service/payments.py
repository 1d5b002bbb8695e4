"""Taking, referring to and reading payments."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from simulator.domain.acquiring import Plan
from simulator.domain.cards import card_account
from simulator.domain.errors import Conflict, UnknownReference
from simulator.domain.journal import late_answer, question, whole_talk
from simulator.domain.parameters import normalised
from simulator.domain.payments import Opening, Ticket, decide_payment
from simulator.domain.pending import awaited_of
from simulator.domain.ports import Ports, Seat, unit_of
from simulator.domain.records import Outcome, Payment, PaymentType, Registration, State
from simulator.domain.references import decide_reference
from simulator.domain.settlement import registers, registration_of, settle
from simulator.service.notices import hand_over, post_for


def take_payment(seat: Seat, sent: Mapping[str, str], ticket: Ticket) -> Payment:
    """Take an initial payment: decide, ask the acquirer, store what it answered. Raises Refusal."""
    sent = normalised(sent)
    account = card_account(sent, seat.channel, today=ticket.now.date())
    sealed = seat.ports.vault.seal_card(ticket.id, account.number)
    opening = decide_payment(sent, account, seat=seat, sealed=sealed, ticket=ticket)
    return run_attempt(seat.ports, lambda: opening)


def refer_payment(seat: Seat, identity: str, sent: Mapping[str, str], ticket: Ticket) -> Payment:
    """Take a payment that refers to the one with the id `identity`. Raises Refusal,
    UnknownReference.
    """
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
    """The payment with this id, or None: what is another merchant's, or of the other host, stays
    unseen.

    Source: AUTH-06, HOST-03.
    """
    payment = seat.ports.store.get(Payment, identity)
    if payment is None or payment.stamp.merchant != seat.stamp.merchant:
        return None
    return payment if payment.host == seat.host else None


def run_attempt(ports: Ports, decide: Callable[[], Opening]) -> Payment:
    """Reserve, call, settle; decided anew whenever something it rests on has changed meanwhile."""
    with ports.flight:
        while True:
            try:
                return _reserve_and_settle(ports, decide())
            except Conflict:
                continue


def settle_stored(
    ports: Ports, identity: str, outcome: Outcome, *, removes: tuple = (), plan: Plan | None = None
) -> Payment:
    """Settle a stored payment that is open or pending, by compare-and-set on what is stored now.

    `removes` are records that go with it. Raises Refusal if the payment is settled already.
    """
    while True:
        payment = ports.store.get(Payment, identity)
        assert payment is not None, "whatever is settled was stored"
        parent = None
        if payment.referenced is not None:
            parent = ports.store.get(Payment, payment.referenced)
        try:
            settled = _settle(ports, (payment, parent), outcome, plan=plan, removes=removes)
        except Conflict:
            continue
        ports.journal.keep(late_answer(settled, ports.clock.now()))
        return settled


def _reserve_and_settle(ports: Ports, opening: Opening) -> Payment:
    """Where the far side answers at once, the two units of work are one save."""
    plan = ports.acquirer.plan(opening.ask)
    payment, parent = opening.payment, opening.parent
    if not plan.delay:
        settled = _settle(ports, (payment, parent), plan.outcome, plan=plan, also=plan.scripts)
        ports.journal.hold(whole_talk(payment, opening.ask, plan))
        return settled
    parents = () if parent is None else (parent,)
    ports.store.save(unit_of(payment, *parents, *plan.scripts))
    ports.journal.keep(question(payment, opening.ask, plan))
    ports.clock.wait(plan.delay)
    return settle_stored(ports, payment.id, plan.outcome, plan=plan)


def _settle(
    ports: Ports,
    tree: tuple[Payment, Payment | None],
    outcome: Outcome,
    *,
    plan: Plan | None = None,
    also: tuple = (),
    removes: tuple = (),
) -> Payment:
    """Store what an answer leaves, in one unit: payments, books, registration, notices, due work.
    """
    now = ports.clock.now()
    payment, *others = settle(*tree, outcome, now=now)
    if registers(payment):
        registration = _registration(ports, payment)
        payment = replace(payment, registration=registration.id)
        others.append(registration)
    due = (awaited_of(payment, plan, now),) if payment.state is State.PENDING else ()
    post = post_for(ports, payment, others, before=tree[0].state, now=now)
    ports.store.save(unit_of(payment, *others, *also, *due, *post.records, removes=removes))
    hand_over(ports, post)
    ports.meter.settled(payment.type, payment.state)
    if due:
        ports.pacer.wake()
    return payment


def _registration(ports: Ports, payment: Payment) -> Registration:
    """A registration made by RG has the id of that payment; one made beside a payment has its own.
    """
    assert payment.sealed_card is not None, "only a card is registered"
    if payment.type is PaymentType.RG:
        return registration_of(payment, payment.id, payment.sealed_card)
    identity = ports.ids.record()
    number = ports.vault.open(payment.id, payment.sealed_card.number)
    return registration_of(payment, identity, ports.vault.seal_card(identity, number))


def _with_card(ports: Ports, opening: Opening, parent: Payment | None) -> Opening:
    """A rebill charges the card of the payment it refers to; the others name it by the original."""
    if opening.payment.type is not PaymentType.RB:
        return opening
    assert parent is not None and parent.sealed_card is not None, "a rebill charges a card"
    number = ports.vault.open(parent.id, parent.sealed_card.number)
    return replace(opening, ask=replace(opening.ask, number=number))
