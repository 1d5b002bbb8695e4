"""Faults of the connection, by script: ordered here, carried out by the listener."""

from collections.abc import Mapping

from falcon import Request

from simulator.domain.core.card_ranges import detected_brand
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.money import Money, read_amount
from simulator.domain.ports.sandbox import Ports
from simulator.domain.transport import FAULT_KEY, InterruptedRequestError, MerchantRequest
from simulator.grammar.operations import Operation
from simulator.service.transport import find_transport_fault
from simulator.web.http.context import exchange_of


def break_transport(
    req: Request, operation: Operation, context: ChannelContext[Ports], sent: Mapping[str, str]
) -> None:
    """Order the fault of the script that matches the request, if one does. Raises
    InterruptedRequestError where the request is not to be carried out.
    """
    fault = find_transport_fault(context.ports, _request_of(operation, context.channel.id, sent))
    if fault is None:
        return
    req.env[FAULT_KEY] = fault
    exchange_of(req).transport = fault.text
    if not fault.carried_out:
        raise InterruptedRequestError(fault)


def _request_of(operation: Operation, entity: str, sent: Mapping[str, str]) -> MerchantRequest:
    """A valid request as a script matches it."""
    amount, number = sent.get("amount"), sent.get("card.number")
    money = None if amount is None else Money(read_amount(amount), sent.get("currency", ""))
    brand = sent.get("paymentBrand") or (detected_brand(number) if number else None)
    return MerchantRequest(
        operation=operation.id,
        entity=entity,
        type=sent.get("paymentType"),
        money=money,
        brand=brand,
        number=number,
        cvv=sent.get("card.cvv"),
        parameters=sent,
    )
