"""What a terminal does at the commands of a till: a row for each, and what is answered.

A command yields the messages that answer it; the till acknowledges each before the next is sent.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from importlib.metadata import version
from typing import NamedTuple

from pos_emulator.ecr.ports import TillTerminal
from pos_emulator.ecr.zvt.bmp import FieldError, digits_of, parse_fields
from pos_emulator.ecr.zvt.codes import IMPOSSIBLE, ORDERS, ZvtCommand, ZvtResult, result_of
from pos_emulator.ecr.zvt.frames import Apdu
from pos_emulator.ecr.zvt.messages import (
    COMPLETION,
    RECEIPTS,
    aborted,
    amount_of,
    payment_result,
    printed_receipts,
    printed_totals,
    registered,
    state,
    totals_result,
)
from pos_emulator.ecr.zvt.settings import (
    PASSWORD_BYTES,
    TillRegistration,
    ZvtSettings,
    currency_of,
    registration_of,
)
from pos_emulator.terminal.orders import MUST_REFER
from pos_emulator.terminal.records import (
    BusyError,
    OrderError,
    OrderKind,
    OutOfOrderError,
    TerminalEntry,
    TillOrder,
)

# All orders of tills of this interface have one name: the newest is the one that is repeated.
REFERENCE = "zvt"
AMOUNT, SERVICE_BYTE, CURRENCY, RECEIPT = 0x04, 0x03, 0x49, 0x87
WANTS_VERSION = 0x02
# What stands where a till leaves its password out.
FIRST_FIELDS = (bytes((AMOUNT,)), bytes((RECEIPT,)))


@dataclass
class ZvtStation:
    """A terminal at its till; what the till registered holds until it logs off."""

    terminal: TillTerminal
    settings: ZvtSettings
    registration: TillRegistration = field(default_factory=TillRegistration)


class ZvtRequest(NamedTuple):
    """A command with what follows its password."""

    command: ZvtCommand
    data: bytes
    fields: Mapping[int, bytes]


Act = Callable[[ZvtStation, ZvtRequest], Iterator[Apdu]]


class ZvtRow(NamedTuple):
    """What a command does, what stands in it (a password, which some tills leave out; fields), and
    whether a completion or an abort ends it.
    """

    act: Act
    has_password: bool = False
    needs_password: bool = True
    has_fields: bool = True
    has_end: bool = True


class PasswordError(ValueError):
    """Not the password of the terminal."""


def request_of(station: ZvtStation, row: ZvtRow, apdu: Apdu) -> ZvtRequest:
    """A command as it was received. Raises FieldError, PasswordError."""
    data = apdu.data
    is_left_out = not row.needs_password and data[:1] in FIRST_FIELDS
    if row.has_password and not is_left_out:
        password, data = data[:PASSWORD_BYTES], data[PASSWORD_BYTES:]
        if len(password) < PASSWORD_BYTES:
            raise FieldError(f"expected a password of {PASSWORD_BYTES} bytes")
        settings = station.settings
        if settings.checks_password and password.hex() != settings.password:
            raise PasswordError("not the password of this terminal")
    fields = parse_fields(data) if row.has_fields else {}
    return ZvtRequest(ZvtCommand(apdu.command), data, fields)


def register(station: ZvtStation, request: ZvtRequest) -> Iterator[Apdu]:
    """Note what the till wants. Raises FieldError."""
    station.registration = registration_of(request.data)
    yield registered(station.terminal.identity, station.registration.currency)


def log_off(station: ZvtStation, request: ZvtRequest) -> Iterator[Apdu]:
    """Forget what the till wanted; nothing is answered but that it was received."""
    station.registration = TillRegistration()
    yield from ()


def order(station: ZvtStation, request: ZvtRequest) -> Iterator[Apdu]:
    """Carry out an order, of a payment or about one. Raises FieldError."""
    entered = _order_of(station, request)
    try:
        entry = station.terminal.run(_named(station, request, entered))
    except BusyError:
        yield aborted(ZvtResult.PLEASE_WAIT)
    except OutOfOrderError:
        yield aborted(ZvtResult.SYSTEM_ERROR)
    except OrderError:
        yield aborted(IMPOSSIBLE.get(request.command, ZvtResult.NOT_POSSIBLE))
    else:
        yield from _result(station, entry)


def repeat_receipt(station: ZvtStation, request: ZvtRequest) -> Iterator[Apdu]:
    """The result and the receipt of the last order, also one whose answer was lost."""
    entry = station.terminal.entry_of(REFERENCE)
    if entry is None:
        yield aborted(ZvtResult.NOT_POSSIBLE)
        return
    yield payment_result(entry, station.terminal.identity)
    yield from printed_receipts(entry, station.registration)
    yield COMPLETION


def send_totals(station: ZvtStation, request: ZvtRequest) -> Iterator[Apdu]:
    """The totals of the open batch."""
    totals = station.terminal.totals()
    yield totals_result(totals, station.registration.currency)
    yield from printed_totals("TOTALS", totals, station.registration)
    yield COMPLETION


def close_day(station: ZvtStation, request: ZvtRequest) -> Iterator[Apdu]:
    """Close the batch, and send its totals."""
    try:
        totals = station.terminal.close_batch()
    except BusyError:
        yield aborted(ZvtResult.PLEASE_WAIT)
        return
    except OutOfOrderError:
        yield aborted(ZvtResult.SYSTEM_ERROR)
        return
    yield totals_result(totals, station.registration.currency)
    yield from printed_totals("END OF DAY", totals, station.registration)
    yield COMPLETION


def diagnose(station: ZvtStation, request: ZvtRequest) -> Iterator[Apdu]:
    """Whether the terminal can pay."""
    if station.terminal.out_of_order:
        yield aborted(ZvtResult.SYSTEM_ERROR)
    elif not station.terminal.network_up:
        yield aborted(ZvtResult.NO_CONNECTION)
    else:
        yield COMPLETION


def tell_state(station: ZvtStation, request: ZvtRequest) -> Iterator[Apdu]:
    """Whether the terminal is ready, and its version where the till asks for it."""
    wanted = request.fields.get(SERVICE_BYTE, b"\x00")[0] & WANTS_VERSION
    status = ZvtResult.SYSTEM_ERROR if station.terminal.out_of_order else ZvtResult.SUCCESS
    yield state(f"Sandgate {version('sandgate')}" if wanted else "", status)


# fmt: off
COMMANDS: Mapping[ZvtCommand, ZvtRow] = {
    ZvtCommand.STATUS_ENQUIRY:  ZvtRow(tell_state, has_password=True),
    ZvtCommand.REGISTRATION:    ZvtRow(register, has_password=True, has_fields=False),
    ZvtCommand.AUTHORIZATION:   ZvtRow(order),
    ZvtCommand.LOG_OFF:         ZvtRow(log_off, has_end=False),
    ZvtCommand.TURNOVER_TOTALS: ZvtRow(send_totals, has_password=True),
    ZvtCommand.REPEAT_RECEIPT:  ZvtRow(repeat_receipt, has_password=True),
    ZvtCommand.RESERVATION:     ZvtRow(order),
    ZvtCommand.BOOKING:         ZvtRow(order, has_password=True, needs_password=False),
    ZvtCommand.BOOK_TOTAL:      ZvtRow(order, has_password=True, needs_password=False),
    ZvtCommand.RESERVATION_REVERSAL: ZvtRow(order, has_password=True, needs_password=False),
    ZvtCommand.REVERSAL:        ZvtRow(order, has_password=True),
    ZvtCommand.REFUND:          ZvtRow(order, has_password=True),
    ZvtCommand.END_OF_DAY:      ZvtRow(close_day, has_password=True),
    ZvtCommand.DIAGNOSIS:       ZvtRow(diagnose),
}
# fmt: on


def row_of(apdu: Apdu) -> ZvtRow | None:
    """The row of a command; None for one that no terminal here knows."""
    return next((row for command, row in COMMANDS.items() if command == apdu.command), None)


def _order_of(station: ZvtStation, request: ZvtRequest) -> TillOrder:
    fields, operation = request.fields, ORDERS[request.command]
    currency = station.registration.currency
    if CURRENCY in fields:
        currency = currency_of(fields[CURRENCY])
    receipt, amount = "", None
    if operation in MUST_REFER:
        receipt = _receipt_in(fields)
    elif AMOUNT not in fields:
        raise FieldError(f"expected field {AMOUNT:02X}, the amount")
    if AMOUNT in fields and operation is not OrderKind.VOID:
        amount = _amount_in(request, currency)
    return TillOrder(
        operation=operation, amount=amount, currency=currency, reference=REFERENCE, receipt=receipt
    )


def _amount_in(request: ZvtRequest, currency: str) -> Decimal:
    return amount_of(digits_of(request.fields[AMOUNT]), currency)


def _receipt_in(fields: Mapping[int, bytes]) -> str:
    """The number of the receipt that an order is about. Raises FieldError."""
    if RECEIPT not in fields:
        raise FieldError(f"expected field {RECEIPT:02X}, the number of a receipt")
    return f"{int(digits_of(fields[RECEIPT])) or RECEIPTS:06d}"


def _named(station: ZvtStation, request: ZvtRequest, entered: TillOrder) -> TillOrder:
    """The order with batch and number of the payment that it is about: a reversal's is in the open
    batch, that of all others a pre-authorization of any batch. Raises OrderError. Choice: D-453,
    D-705.
    """
    if not entered.receipt or station.terminal.out_of_order:
        return entered
    is_reversal = request.command is ZvtCommand.REVERSAL
    find = station.terminal.entry if is_reversal else station.terminal.reservation
    found = find(entered.receipt)
    if found is None:
        raise OrderError("receipt: expected that of a payment that can be meant")
    if entered.operation is OrderKind.VOID:
        _refuse_other_amount(request, found)
    return replace(entered, receipt=found.name)


def _refuse_other_amount(request: ZvtRequest, found: TerminalEntry) -> None:
    """Raise OrderError where a void has another amount or currency than its payment."""
    fields, currency = request.fields, found.order.currency
    is_other = CURRENCY in fields and currency_of(fields[CURRENCY]) != currency
    if is_other or (AMOUNT in fields and _amount_in(request, currency) != found.approved):
        raise OrderError("amount: expected that of the payment, as a void is of the whole")


def _result(station: ZvtStation, entry: TerminalEntry) -> Iterator[Apdu]:
    result = result_of(entry)
    yield payment_result(entry, station.terminal.identity)
    yield from printed_receipts(entry, station.registration)
    yield COMPLETION if result == ZvtResult.SUCCESS else aborted(result)
