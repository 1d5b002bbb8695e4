"""The numbers of ZVT: commands, result codes by how a payment ended, statuses by what is shown."""

from collections.abc import Mapping
from enum import IntEnum

from pos_emulator.terminal.records import Ending, OrderKind, Stage, TerminalEntry


class ZvtCommand(IntEnum):
    """What a till and a terminal send each other."""

    STATUS_INFORMATION = 0x040F
    INTERMEDIATE_STATUS = 0x04FF
    STATUS_ENQUIRY = 0x0501
    REGISTRATION = 0x0600
    AUTHORIZATION = 0x0601
    LOG_OFF = 0x0602
    COMPLETION = 0x060F
    TURNOVER_TOTALS = 0x0610
    ABORTED = 0x061E
    REPEAT_RECEIPT = 0x0620
    RESERVATION = 0x0622
    BOOKING = 0x0623
    BOOK_TOTAL = 0x0624
    RESERVATION_REVERSAL = 0x0625
    REVERSAL = 0x0630
    REFUND = 0x0631
    END_OF_DAY = 0x0650
    DIAGNOSIS = 0x0670
    ABORT = 0x06B0
    PRINT_LINE = 0x06D1
    PRINT_BLOCK = 0x06D3
    ACKNOWLEDGED = 0x8000
    REFUSED = 0x8400


class ZvtResult(IntEnum):
    """Result codes; those up to 99 are the issuer's."""

    SUCCESS = 0x00
    DO_NOT_HONOR = 0x05
    PROCESSING_ERROR = 0x66
    ENDED = 0x6C
    WRONG_CURRENCY = 0x6F
    CARD_UNKNOWN = 0x7A
    NOT_POSSIBLE = 0x83
    PROTOCOL_ERROR = 0x9A
    PLEASE_WAIT = 0x9C
    NO_ANSWER = 0xA1
    NO_CONNECTION = 0xA3
    ALREADY_REVERSED = 0xB4
    REVERSAL_NOT_POSSIBLE = 0xB5
    RESERVATION_ERROR = 0xB8
    SYSTEM_ERROR = 0xFF


# fmt: off
ORDERS: Mapping[ZvtCommand, OrderKind] = {
    ZvtCommand.AUTHORIZATION:        OrderKind.SALE,
    ZvtCommand.RESERVATION:          OrderKind.PRE_AUTHORIZATION,
    ZvtCommand.BOOKING:              OrderKind.CAPTURE,
    ZvtCommand.BOOK_TOTAL:           OrderKind.CAPTURE,
    ZvtCommand.RESERVATION_REVERSAL: OrderKind.VOID,
    ZvtCommand.REFUND:               OrderKind.REFUND,
    ZvtCommand.REVERSAL:             OrderKind.VOID,
}
# What an order that the terminal cannot carry out ends with.
IMPOSSIBLE: Mapping[ZvtCommand, ZvtResult] = {
    ZvtCommand.BOOKING:              ZvtResult.RESERVATION_ERROR,
    ZvtCommand.BOOK_TOTAL:           ZvtResult.RESERVATION_ERROR,
    ZvtCommand.RESERVATION_REVERSAL: ZvtResult.RESERVATION_ERROR,
    ZvtCommand.REVERSAL:             ZvtResult.REVERSAL_NOT_POSSIBLE,
}
RESULTS: Mapping[Ending, ZvtResult] = {
    Ending.APPROVED:     ZvtResult.SUCCESS,
    Ending.PARTIAL:      ZvtResult.SUCCESS,
    Ending.DECLINED:     ZvtResult.DO_NOT_HONOR,
    Ending.WRONG_PIN:    ZvtResult.DO_NOT_HONOR,
    Ending.CANCELED:     ZvtResult.ENDED,
    Ending.ABORTED:      ZvtResult.ENDED,
    Ending.CARD_REMOVED: ZvtResult.PROCESSING_ERROR,
    Ending.CARD_REFUSED: ZvtResult.CARD_UNKNOWN,
    Ending.UNREACHABLE:  ZvtResult.NO_ANSWER,
    Ending.TIMED_OUT:    ZvtResult.ENDED,
    Ending.POWER_CUT:    ZvtResult.SYSTEM_ERROR,
}
# What the display of the terminal says, and the status that a till shows then.
STATUSES: Mapping[str, int] = {
    "PRESENT CARD":            0x0A,
    "INSERT CARD":             0x0A,
    "TAP AGAIN":               0x0A,
    "USE ANOTHER READER":      0x0A,
    "ENTER PIN":               0x01,
    "PLEASE WAIT":             0x0E,
    "CHOOSE APPLICATION":      0x2C,
    "CHOOSE A CURRENCY":       0x2C,
    "CHECK SIGNATURE":         0xC8,
    "WRONG PIN":               0x15,
    "WRONG PIN, TAP AGAIN":    0x15,
    "NOT READ, TRY AGAIN":     0x0C,
    "NOT READ, TAP AGAIN":     0x0C,
    "NUMBER OR EXPIRY INVALID": 0x19,
    "CODE HAS 3 OR 4 DIGITS":  0x19,
    "CARD NOT ACCEPTED":       0x07,
    "NO CONNECTION":           0x12,
    "DECLINED":                0x1D,
}
# fmt: on
ISSUER_DIGITS = 2
ISSUED = frozenset({Ending.DECLINED, Ending.WRONG_PIN})
APPROVING = frozenset({Ending.APPROVED, Ending.PARTIAL})
REVERSING = frozenset({Stage.MUST_REVERSE, Stage.REVERSED})
# Codes of an issuer that read like an approval, where the gateway declined all the same.
APPROVAL_CODES = frozenset({"00", "10"})


def result_of(entry: TerminalEntry) -> int:
    """The result code of a payment: the issuer's own where it declined with two digits."""
    if entry.ending is None:
        return ZvtResult.PLEASE_WAIT
    if entry.ending in APPROVING and entry.stage in REVERSING:
        return ZvtResult.ALREADY_REVERSED
    is_number = len(entry.code) == ISSUER_DIGITS and entry.code.isascii() and entry.code.isdecimal()
    if entry.ending in ISSUED and is_number and entry.code not in APPROVAL_CODES:
        return int(entry.code)
    return RESULTS[entry.ending]
