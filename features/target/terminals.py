"""The terminal that a target knows, and the keys it was loaded with."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pos_emulator.keys.errors import KeysError
from pos_emulator.keys.key_blocks import check_initial_key, unwrap

NUMBER_DIGITS_MAX = 32
TYPE_MAX = 32
KEY_BYTES = (16, 24, 32)
PIN_DIGITS = range(4, 13)
FOLDER = "terminal-keys"


@dataclass(frozen=True, slots=True)
class TerminalOfTarget:
    """A terminal that was made known to the target: `id` is pos.terminalId, `device` pos.deviceId,
    `type` pos.deviceType.

    `pin_key` and `data_key` are TR-31 blocks of initial DUKPT keys with their serial numbers,
    `protection_key` in hex protects both. `pin` is that of the reference card. What `folder` holds
    counts up from run to run, because a target takes a serial number once.
    """

    id: str = ""
    device: str = ""
    type: str = ""
    protection_key: str = field(default="", repr=False)
    pin_key: str = field(default="", repr=False)
    data_key: str = field(default="", repr=False)
    pin: str = "1234"
    folder: str = FOLDER

    @property
    def blocks(self) -> tuple[tuple[str, str], ...]:
        """Usage and block of each key."""
        return (("PIN", self.pin_key), ("DATA", self.data_key))


def wrong_terminal_members(terminal: TerminalOfTarget) -> Iterator[tuple[str, str]]:
    """The members that are wrong, each with what is wrong about it; no key is quoted."""
    if not terminal.id and terminal == TerminalOfTarget(folder=terminal.folder):
        return
    for name, number, least in (("id", terminal.id, 1), ("device", terminal.device, 0)):
        is_number = number.isascii() and (number.isdecimal() or not number)
        if not is_number or not least <= len(number) <= NUMBER_DIGITS_MAX:
            yield f"terminal.{name}", f"expected {least} to {NUMBER_DIGITS_MAX} digits, got another"
    if len(terminal.type) > TYPE_MAX or not terminal.type.isprintable():
        yield "terminal.type", f"expected at most {TYPE_MAX} printable characters, got others"
    if len(terminal.pin) not in PIN_DIGITS or not terminal.pin.isdecimal():
        yield "terminal.pin", "expected 4 to 12 digits, got another"
    yield from _wrong_keys(terminal)


def _wrong_keys(terminal: TerminalOfTarget) -> Iterator[tuple[str, str]]:
    try:
        key = bytes.fromhex(terminal.protection_key)
    except ValueError:
        key = b""
    if len(key) not in KEY_BYTES:
        yield "terminal.protection_key", "expected 32, 48 or 64 hex digits, got another"
        return
    for usage, block in terminal.blocks:
        try:
            check_initial_key(unwrap(key, block))
        except KeysError as error:
            expected = "expected a TR-31 block of an initial key under terminal.protection_key"
            yield f"terminal.{usage.lower()}_key", f"{expected}; {error}"
