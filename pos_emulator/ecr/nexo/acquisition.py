"""A card that a till wants to know before its payment."""

from decimal import Decimal
from typing import Any

from pos_emulator.ecr.nexo.dialects import amount_of
from pos_emulator.ecr.nexo.exchanges import reference_of
from pos_emulator.ecr.nexo.messages import Body, Header, instant
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError
from pos_emulator.ecr.nexo.payment_answers import ENTRY_MODES
from pos_emulator.ecr.nexo.payments import remembered_of
from pos_emulator.ecr.nexo.station import Station
from pos_emulator.terminal.records import (
    TAP_CURRENCY,
    AcquiredCard,
    DeskAbortedError,
    DeskCanceledError,
)


def acquire(station: Station, header: Header, body: Body) -> Body:
    """Read a card, which its payment then names. Raises NexoError, errors of the terminal."""
    ahead = station.ahead.take()
    if ahead is not None:
        return _answer(station, ahead, body)
    try:
        card = station.terminal.acquire(
            reference_of(header.sale_id, header.service_id), _amount_of(body)
        )
    except DeskCanceledError:
        raise NexoError(Condition.CANCEL, "the customer canceled") from None
    except DeskAbortedError as error:
        condition = Condition.CANCEL if error.timed_out else Condition.ABORTED
        raise NexoError(condition, str(error)) from None
    return _answer(station, card, body)


def _amount_of(body: Body) -> Decimal | None:
    """The amount of the payment, where the till has it already: then a tap is taken too."""
    written = body["CardAcquisitionTransaction"].get("TotalAmount", 0)
    where = "CardAcquisitionRequest.CardAcquisitionTransaction.TotalAmount"
    return amount_of(written, TAP_CURRENCY, where) or None


def _answer(station: Station, card: AcquiredCard, body: Body) -> Body:
    named = {"TransactionID": card.name, "TimeStamp": instant(card.at)}
    return {
        "Response": station.response(),
        "SaleData": {"SaleTransactionID": remembered_of(body).get("SaleTransactionID", {})},
        "POIData": {"POITransactionID": named},
        "PaymentInstrumentData": {"PaymentInstrumentType": "Card", "CardData": _card(card)},
    }


def _card(card: AcquiredCard) -> Body:
    written: dict[str, Any] = {
        "MaskedPan": f"**** {card.digits}",
        "EntryMode": [ENTRY_MODES[card.entry_mode]],
    }
    if card.label:
        written["PaymentBrand"] = card.label
    if card.sequence:
        written["SensitiveCardData"] = {"CardSeqNumb": card.sequence}
    return written
