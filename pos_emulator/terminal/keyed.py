"""A card that the merchant types in: no chip, no PIN, no track."""

from calendar import monthrange
from collections.abc import Callable

from pos_emulator.kernel.completion import APPROVED_CODES
from pos_emulator.kernel.magstripe import SIGNATURE_CVM
from pos_emulator.kernel.records import (
    CardOutcome,
    CardResult,
    EntryMode,
    HostUnreachableError,
    OnlineRequest,
    OnlineResponse,
)
from pos_emulator.keys.account_data import CODE
from pos_emulator.terminal.records import Keyed
from pos_emulator.tlv import build

NUMBER_DIGITS = range(12, 20)
EXPIRY_DIGITS = 4
CODE_DIGITS = range(3, 5)
CENTURY = 2000


def is_well_formed(keyed: Keyed) -> bool:
    """Whether number and expiry have the digits that they need."""
    number, expiry = keyed.number, keyed.expiry
    has_digits = all(each.isascii() and each.isdecimal() for each in (number, expiry))
    if not has_digits or len(number) not in NUMBER_DIGITS or len(expiry) != EXPIRY_DIGITS:
        return False
    return 1 <= int(expiry[2:]) <= 12


def has_code(keyed: Keyed) -> bool:
    """Whether the code has three or four digits, or was left out."""
    code = keyed.code
    return not code or (code.isascii() and code.isdecimal() and len(code) in CODE_DIGITS)


def pay_by_hand(keyed: Keyed, host: Callable[[OnlineRequest], OnlineResponse]) -> CardOutcome:
    """How a payment with a card that was typed in ended; it is always online. A person who holds
    the card signs.
    """
    account = _account(keyed)
    request = OnlineRequest(EntryMode.MANUAL, b"", account, b"", b"")
    try:
        response = host(request)
    except HostUnreachableError as error:
        return _outcome(CardResult.DECLINED, str(error), account, OnlineResponse("Z3"))
    is_approved = response.code in APPROVED_CODES
    result = CardResult.APPROVED if is_approved else CardResult.DECLINED
    return _outcome(result, f"{result.value} by the host", account, response)


def _outcome(
    result: CardResult, reason: str, account: bytes, response: OnlineResponse
) -> CardOutcome:
    return CardOutcome(
        result,
        reason,
        EntryMode.MANUAL,
        code=response.code,
        needs_signature=result is CardResult.APPROVED,
        authorization=response.authorization,
        account=account,
        values={"9F34": SIGNATURE_CVM},
    )


def _account(keyed: Keyed) -> bytes:
    year, month = int(keyed.expiry[:2]), int(keyed.expiry[2:])
    last = monthrange(CENTURY + year, month)[1]
    number = keyed.number + "F" * (len(keyed.number) % 2)
    expiry = bytes.fromhex(f"{keyed.expiry}{last:02d}")
    code = ((CODE, keyed.code.encode("ascii")),) if keyed.code else ()
    return build(("5A", bytes.fromhex(number)), ("5F24", expiry), *code)
