"""A direct debit that the bank returns some days after its capture becomes a chargeback."""

from contextlib import suppress

from simulator.domain.chargebacks import REASON, Return
from simulator.domain.core.errors import ConflictError, EpochEndedError, Refusal
from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Origin, Payment, PaymentSource, PaymentType
from simulator.service.payments.contexts import context_of, new_transaction_ids
from simulator.service.payments.pipeline import PipelinePorts, refer_payment


def is_refund_pending(ports: PipelinePorts, coming: Return) -> bool:
    """Whether another payment may yet take some of the one to be returned, or free it: the return
    waits until that is known. Choice: D-149.
    """
    payment = ports.store.get(Payment, coming.id)
    return payment is not None and payment.reserved > ZERO


def charge_back_return(ports: PipelinePorts, coming: Return) -> None:
    """Charge back what is still open of the payment that is due to be returned. Choice: D-149.

    Where nothing is left, a chargeback was made meanwhile, or its channel is gone, there is nothing
    to do.
    """
    payment = ports.store.get(Payment, coming.id)
    assert payment is not None, "a returned payment is stored"
    ticket = new_transaction_ids(ports, payment.stamp.channel, ports.clock.now())
    sent = {"paymentType": PaymentType.CB.value, REASON: coming.code}
    with suppress(Refusal, EpochEndedError):
        context = context_of(ports, payment.stamp, payment.host)
        refer_payment(context, payment.id, sent, ticket, origin=Origin(source=PaymentSource.SYSTEM))
    if is_refund_pending(ports, coming):
        return  # A refund came first: what it leaves is charged back when it has ended.
    # Another request that did the same meanwhile has removed it.
    with suppress(ConflictError):
        ports.store.commit(unit_of(removes=(coming,)))
