"""What becomes of money held on cards: it is a payment's, is taken back, or lapses.

Choices: D-189, D-481.
"""

from msgspec.structs import replace

from simulator.domain.acquiring.issuing import CardAccount, Movement, lapsed, taken_back
from simulator.domain.acquiring.parts import part_approved, part_declined, takes_part
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.acquiring.sequence_numbers import UsedSequenceNumber
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.ports import HasStore, unit_of
from simulator.domain.core.transact import transact
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.steering.order import success_code

# What the acquirer's side keeps of a payment only where it is made.
OF_AN_APPROVAL = CardAccount | Movement | UsedSequenceNumber


def settle_part(
    sandbox: Sandbox, attempt: PaymentAttempt, response: AcquirerResponse
) -> AcquirerResponse:
    """The response to a payment of which the issuer approved a part: an approval of that part where
    the channel takes one, else a decline of the whole, without what the issuer holds for it.
    """
    outcome, channel = response.outcome, attempt.payment.stamp.channel
    assert outcome.approved is not None, "asked only about a part"
    channels = (each for merchant in sandbox.merchants for each in merchant.channels)
    found = next((each for each in channels if each.id == channel), None)
    if found is not None and takes_part(found, attempt.request, outcome.approved):
        code = success_code(attempt.request)
        return replace(response, outcome=part_approved(outcome, code))
    kept = (each for each in response.books if not isinstance(each, OF_AN_APPROVAL))
    return replace(response, outcome=part_declined(outcome), books=tuple(kept))


def expire_authorization(ports: HasStore, movement: Movement) -> None:
    """End an authorization that was not captured in time."""

    def change() -> None:
        current = ports.store.get(Movement, movement.id)
        if current is None or current.due is None:
            return
        account = ports.store.get(CardAccount, current.account)
        assert account is not None, "a movement stands on an account"
        ports.store.commit(unit_of(*lapsed(account, current)))

    transact(ports.store, change)


def undo_movement(ports: HasStore, payment: str) -> None:
    """Let a payment have moved nothing on its card, if it moved anything."""

    def change() -> None:
        changed, gone = taken_back(payment, ports.store)
        if gone:
            ports.store.commit(unit_of(*changed, removes=gone))

    transact(ports.store, change)
