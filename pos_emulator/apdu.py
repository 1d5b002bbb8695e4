"""Commands to a card and its responses. Source: EMV Book 3, 6.3; ISO/IEC 7816-3, 12."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

COMMAND_SIZE_MIN = 4
DATA_SIZE_MAX = 255


class ApduError(ValueError):
    """Bytes that are no command or no response."""


@dataclass(frozen=True, slots=True)
class CardCommand:
    """Header, data and the length expected back: None expects no data, 0 as much as there is."""

    cla: int
    ins: int
    p1: int
    p2: int
    data: bytes = field(default=b"", repr=False)
    expected: int | None = None

    @property
    def header(self) -> bytes:
        return bytes([self.cla, self.ins, self.p1, self.p2])

    def encode(self) -> bytes:
        """The bytes on the wire. Raises ApduError if the data are too long."""
        if len(self.data) > DATA_SIZE_MAX:
            raise ApduError(f"{len(self.data)} bytes of data; {DATA_SIZE_MAX} fit")
        body = bytes([len(self.data)]) + self.data if self.data else b""
        return self.header + body + (b"" if self.expected is None else bytes([self.expected]))


@dataclass(frozen=True, slots=True)
class CardResponse:
    """Data and the status word."""

    sw: int
    data: bytes = field(default=b"", repr=False)

    def encode(self) -> bytes:
        return self.data + self.sw.to_bytes(2, "big")

    @property
    def is_ok(self) -> bool:
        return self.sw == OK


OK = 0x9000
BYTES_LEFT = 0x6100
NO_CHANGE = 0x6200
INVALIDATED = 0x6283
TRIES_LEFT = 0x63C0
AUTHENTICATION_FAILED = 0x6300
WRONG_LENGTH = 0x6700
MAC_MISSING = 0x6987
MAC_WRONG = 0x6988
SECURITY_STATUS = 0x6982
PIN_BLOCKED = 0x6983
REFERENCE_INVALIDATED = 0x6984
CONDITIONS_NOT_MET = 0x6985
WRONG_DATA = 0x6A80
FUNCTION_NOT_SUPPORTED = 0x6A81
FILE_NOT_FOUND = 0x6A82
RECORD_NOT_FOUND = 0x6A83
WRONG_PARAMETERS = 0x6A86
DATA_NOT_FOUND = 0x6A88
LENGTH_IS = 0x6C00
INS_NOT_SUPPORTED = 0x6D00
CLA_NOT_SUPPORTED = 0x6E00
UNKNOWN_ERROR = 0x6F00

# fmt: off
STATUS_WORDS: Mapping[int, str] = {
    OK:                     "done",
    INVALIDATED:            "selected, but blocked",
    AUTHENTICATION_FAILED:  "authentication failed",
    WRONG_LENGTH:           "wrong length",
    SECURITY_STATUS:        "security status not satisfied",
    PIN_BLOCKED:            "PIN blocked",
    REFERENCE_INVALIDATED:  "challenge not valid",
    CONDITIONS_NOT_MET:     "conditions of use not satisfied",
    MAC_MISSING:            "MAC missing",
    MAC_WRONG:              "MAC incorrect",
    WRONG_DATA:             "wrong data",
    FUNCTION_NOT_SUPPORTED: "function not supported, or card blocked",
    FILE_NOT_FOUND:         "file or application not found",
    RECORD_NOT_FOUND:       "record not found",
    WRONG_PARAMETERS:       "wrong parameters P1 P2",
    DATA_NOT_FOUND:         "data not found",
    INS_NOT_SUPPORTED:      "command not supported",
    CLA_NOT_SUPPORTED:      "class not supported",
    UNKNOWN_ERROR:          "no precise diagnosis",
}
INSTRUCTIONS: Mapping[int, str] = {
    0x16: "CARD BLOCK",          0x18: "APPLICATION UNBLOCK", 0x1E: "APPLICATION BLOCK",
    0x20: "VERIFY",              0x24: "PIN CHANGE/UNBLOCK",  0x2A: "COMPUTE CHECKSUM",
    0x82: "EXTERNAL AUTHENTICATE", 0x84: "GET CHALLENGE",     0x88: "INTERNAL AUTHENTICATE",
    0xA4: "SELECT",              0xA8: "GET PROCESSING OPTIONS", 0xAE: "GENERATE AC",
    0xB2: "READ RECORD",         0xC0: "GET RESPONSE",        0xCA: "GET DATA",
    0xDA: "PUT DATA",            0xDC: "UPDATE RECORD",
}
# fmt: on


def parse_command(data: bytes) -> CardCommand:
    """The command in these bytes, in short form. Raises ApduError."""
    if len(data) < COMMAND_SIZE_MIN:
        raise ApduError("a command has at least four bytes")
    cla, ins, p1, p2 = data[:4]
    header, body = CardCommand(cla, ins, p1, p2), data[4:]
    if not body:
        return header
    if len(body) == 1:
        return replace(header, expected=body[0])
    size, rest = body[0], body[1:]
    if size == 0 or len(rest) not in (size, size + 1):
        raise ApduError("the length of the data does not agree with their number")
    return replace(header, data=rest[:size], expected=rest[size] if len(rest) > size else None)


def parse_response(data: bytes) -> CardResponse:
    """The response in these bytes. Raises ApduError if there is no status word."""
    if not 2 <= len(data) <= DATA_SIZE_MAX + 3:
        raise ApduError("a response has a status word and at most 256 bytes")
    return CardResponse(int.from_bytes(data[-2:], "big"), data[:-2])


def status_words(sw: int) -> str:
    """What a status word says."""
    if sw & 0xFFF0 == TRIES_LEFT:
        return f"wrong PIN, {sw & 0x0F} tries left"
    if sw & 0xFF00 == BYTES_LEFT:
        return f"{sw & 0xFF} bytes wait to be fetched"
    if sw & 0xFF00 == LENGTH_IS:
        return f"the length is {sw & 0xFF}"
    return STATUS_WORDS.get(sw, "status not known")


def instruction_name(command: CardCommand) -> str:
    """The name of a command, for people."""
    return INSTRUCTIONS.get(command.ins, f"command {command.ins:02X}")
