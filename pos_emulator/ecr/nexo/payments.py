"""Payment, reversal, and what a till does about an answer that it lost."""

from collections.abc import Callable, Mapping
from decimal import Decimal

from pos_emulator.ecr.nexo.dialects import amount_of
from pos_emulator.ecr.nexo.exchanges import PAYING, TillExchange, reference_of
from pos_emulator.ecr.nexo.messages import Body, Header
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError, NexoOutcome, NexoResult
from pos_emulator.ecr.nexo.payment_answers import (
    failed_answer,
    payment_answer,
    reversal_answer,
)
from pos_emulator.ecr.nexo.station import Station
from pos_emulator.terminal.records import OrderKind, Stage, TerminalEntry, TillOrder

OPERATIONS: Mapping[str, OrderKind] = {
    "Normal": OrderKind.SALE,
    "Refund": OrderKind.REFUND,
    "FirstReservation": OrderKind.PRE_AUTHORIZATION,
    "Completion": OrderKind.CAPTURE,
}
NEVER_BEGUN = "the power was cut before the payment began"
ABORT_TRIES, ABORT_EVERY_S = 20, 0.05


def pay(station: Station, header: Header, body: Body) -> Body:
    """Carry out a payment or refund. Raises NexoError and the errors of the terminal."""
    order = _order_of(station, header, body)
    return payment_answer(station, station.terminal.run(order), remembered_of(body))


def reverse(station: Station, header: Header, body: Body) -> Body:
    """Void a payment, or refund a part of it. Raises as `pay`."""
    original = _original(station, body)
    order = TillOrder(
        operation=OrderKind.VOID,
        currency=original.order.currency,
        reference=reference_of(header.sale_id, header.service_id),
        receipt=original.name,
    )
    if (part := _part_of(original, body)) is not None:
        order = _as_refund(order, part)
    return reversal_answer(station, station.terminal.run(order), remembered_of(body))


def abort(station: Station, header: Header, body: Body) -> Body:
    """End the wait of an exchange that is under way; the answer has no body.

    An exchange may be under way and not yet at its terminal, so it is tried for a second.
    """
    referred = body["MessageReference"]
    reference = reference_of(referred.get("SaleID", header.sale_id), referred["ServiceID"])
    tries = ABORT_TRIES if station.is_under_way(reference) else 0
    while tries and not station.abort(reference):
        tries = 0 if station.wait_for_end(reference, ABORT_EVERY_S) else tries - 1
    return {}


def read_status(station: Station, header: Header, body: Body) -> Body:
    """The answer to an earlier request, whole. Raises NexoError: in progress, or not found.

    The exchange is read again once it is not under way, as it may have ended in between.
    """
    referred = body.get("MessageReference", {})
    exchange = _referred(station, header, referred)
    if station.is_under_way(exchange.reference):
        raise NexoError(Condition.IN_PROGRESS, f"ServiceID {exchange.service} is under way")
    exchange = station.exchanges.find(exchange.sale, exchange.service) or exchange
    answer = _answer_now(station, exchange)
    repeated = {
        "MessageHeader": {**exchange.request["MessageHeader"], "MessageType": "Response"},
        "RepeatedResponseMessageBody": {f"{exchange.category}Response": answer},
    }
    reference = {
        "MessageCategory": exchange.category, "ServiceID": exchange.service,
        "SaleID": exchange.sale, "POIID": header.poi_id,
    }  # fmt: skip
    return {
        "Response": station.response(),
        "MessageReference": reference,
        "RepeatedMessageResponse": repeated,
    }


def remembered_of(body: Body) -> Body:
    """What an answer repeats of the request of a payment or reversal; no data of a card."""
    remembered = {}
    if "SaleData" in body:
        named = body["SaleData"].get("SaleTransactionID", {})
        remembered["SaleTransactionID"] = {
            name: named[name] for name in ("TransactionID", "TimeStamp") if name in named
        }
    if "PaymentTransaction" in body:
        remembered["PaymentType"] = body.get("PaymentData", {}).get("PaymentType", "Normal")
    return remembered


def _order_of(station: Station, header: Header, body: Body) -> TillOrder:
    payment_type = body.get("PaymentData", {}).get("PaymentType", "Normal")
    operation = OPERATIONS.get(payment_type)
    if operation is None:
        text = f"PaymentType: expected one of {', '.join(OPERATIONS)}, received {payment_type}"
        raise NexoError(Condition.UNAVAILABLE_SERVICE, text)
    if "PaymentInstrumentData" in body.get("PaymentData", {}):
        text = "PaymentInstrumentData: expected a card at the terminal, received one of the till"
        raise NexoError(Condition.NOT_ALLOWED, text)
    transaction = body["PaymentTransaction"]
    amount, cashback, tip = _amounts(transaction["AmountsReq"], operation)
    receipt = _original(station, transaction).name if _refers(transaction) else ""
    ahead, named = station.ahead.take(), _acquired(body.get("PaymentData", {}))
    if ahead is not None and not named and not receipt:
        named = ahead.name
    return TillOrder(
        operation=operation,
        amount=amount,
        currency=transaction["AmountsReq"]["Currency"],
        reference=reference_of(header.sale_id, header.service_id),
        receipt=receipt,
        cashback=cashback,
        tip=tip,
        acquired=named,
        forced_online=transaction.get("TransactionConditions", {}).get("ForceOnlineFlag", False),
    )


def _acquired(data: Body) -> str:
    """The name of a card that was read before."""
    return str(data.get("CardAcquisitionReference", {}).get("TransactionID", ""))


def _amounts(written: Body, operation: OrderKind) -> tuple[Decimal | None, Decimal, Decimal]:
    """What the goods cost, what is paid out in cash, and the tip: RequestedAmount is their sum."""
    currency = written["Currency"]
    where = "PaymentRequest.PaymentTransaction.AmountsReq"
    cashback, tip = (
        amount_of(written.get(name, 0), currency, f"{where}.{name}")
        for name in ("CashBackAmount", "TipAmount")
    )
    if "RequestedAmount" not in written:
        if operation in (OrderKind.SALE, OrderKind.PRE_AUTHORIZATION):
            text = f"{where}.RequestedAmount: expected an amount such as 12.50, received nothing"
            raise NexoError(Condition.MESSAGE_FORMAT, text)
        return None, cashback, tip
    requested = amount_of(written["RequestedAmount"], currency, f"{where}.RequestedAmount")
    if cashback + tip > requested:
        name = "CashBackAmount" if cashback > requested else "TipAmount"
        text = f"{where}.{name}: expected a part of RequestedAmount, received more"
        raise NexoError(Condition.MESSAGE_FORMAT, text)
    return requested - cashback - tip, cashback, tip


def _refers(transaction: Body) -> bool:
    return "POITransactionID" in transaction.get("OriginalPOITransaction", {})


def _original(station: Station, transaction: Body) -> TerminalEntry:
    """The payment that POITransactionID names, with its batch. Raises NexoError."""
    named = transaction["OriginalPOITransaction"]["POITransactionID"]["TransactionID"]
    entry = station.terminal.entry(named)
    if entry is None or entry.name != named:
        text = "POITransactionID: expected that of a payment here, received an unknown one"
        raise NexoError(Condition.NOT_FOUND, text)
    return entry


def _part_of(original: TerminalEntry, body: Body) -> Decimal | None:
    """The amount of a reversal of a part, or None for the whole."""
    if "ReversedAmount" not in body:
        return None
    where = "ReversalRequest.ReversedAmount"
    amount = amount_of(body["ReversedAmount"], original.order.currency, where)
    return None if amount == original.approved else amount


def _as_refund(order: TillOrder, amount: Decimal) -> TillOrder:
    return TillOrder(
        operation=OrderKind.REFUND,
        amount=amount,
        currency=order.currency,
        reference=order.reference,
        receipt=order.receipt,
    )


def _referred(station: Station, header: Header, referred: Body) -> TillExchange:
    """The exchange that a till asks for; without a ServiceID, its last payment."""
    sale = referred.get("SaleID", header.sale_id)
    if service := referred.get("ServiceID", ""):
        exchange = station.exchanges.find(sale, service)
    else:
        exchange = station.exchanges.last(sale, referred.get("MessageCategory", "Payment"))
    if exchange is None or exchange.category not in PAYING:
        text = "MessageReference: expected a payment or reversal of this till, received another"
        raise NexoError(Condition.NOT_FOUND, text)
    return exchange


def _answer_now(station: Station, exchange: TillExchange) -> Body:
    """The answer as the terminal has it now: what it found out since counts, also after a power
    cut. Raises NexoError while it has to find out.
    """
    entry = station.terminal.entry_of(exchange.reference)
    if entry is None:
        return exchange.answer or _never_begun(station, exchange)
    if entry.ending is None or entry.stage is Stage.ASKED:
        text = f"the terminal still has to find out about ServiceID {exchange.service}"
        raise NexoError(Condition.IN_PROGRESS, text)
    make: Callable[[Station, TerminalEntry, Body], Body] = ANSWERS[exchange.category]
    return make(station, entry, exchange.request)


def _never_begun(station: Station, exchange: TillExchange) -> Body:
    """The answer to a request that the power was cut before, kept so that it stays the same."""
    failed, condition = NexoResult.FAILURE, Condition.DEVICE_OUT
    outcome = NexoOutcome(failed, condition, "the power was cut", NEVER_BEGUN)
    answer = failed_answer(station, exchange.category, outcome, exchange.request)
    station.exchanges.finish(exchange.sale, exchange.service, answer)
    return answer


ANSWERS = {"Payment": payment_answer, "Reversal": reversal_answer}
