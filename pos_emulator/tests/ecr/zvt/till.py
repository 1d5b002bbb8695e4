"""A till that knows nothing but ZVT over TCP, with both framings, and no class of the terminal."""

import socket
from binascii import crc_hqx
from dataclasses import dataclass, field
from types import TracebackType

DLE, STX, ETX = b"\x10", b"\x02", b"\x03"
ACKNOWLEDGED, COMPLETION = "800000", "060f00"
LOGIN = "0600 08 000000 {bits} 0978 0300"


def check_sum(message: bytes) -> bytes:
    """CRC-16 of CCITT, reflected, over a message and ETX, low byte first."""
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in message + ETX)
    return int(f"{crc_hqx(mirrored, 0):016b}"[::-1], 2).to_bytes(2, "little")


@dataclass
class ZvtTill:
    """Acknowledges each message unless `is_mute`; `received` has them all, in hex."""

    address: str
    is_serial: bool = False
    is_mute: bool = False
    received: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        host, _, port = self.address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        self._kept = b""

    def __enter__(self) -> "ZvtTill":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.socket.close()

    def login(self, bits: str = "08") -> list[str]:
        return self.ask(LOGIN.format(bits=bits))

    def pay(self, cents: int = 1250) -> list[str]:
        return self.ask(f"0601 07 04 {cents:012d}")

    def ask(self, command: str) -> list[str]:
        """The messages that answer a command, up to its completion, abort or refusal."""
        self.send(command)
        return self.read_answer()

    def read_answer(self) -> list[str]:
        answer: list[str] = []
        while not answer or not answer[-1].startswith(("060f", "061e", "84")):
            answer.append(self.read())
            if not answer[-1].startswith(("80", "84")):
                self.acknowledge()
        return answer

    def acknowledge(self) -> None:
        if not self.is_mute:
            self.send(ACKNOWLEDGED)

    def send(self, command: str) -> None:
        message = bytes.fromhex(command)
        if self.is_serial:
            doubled = message.replace(DLE, DLE + DLE)
            message = DLE + STX + doubled + DLE + ETX + check_sum(message)
        self.socket.sendall(message)
        if self.is_serial:
            assert self._read(1) == b"\x06"

    def read(self) -> str:
        """The next message, in hex."""
        message = self._serial() if self.is_serial else self._plain()
        self.received.append(message.hex())
        return message.hex()

    def is_closed(self) -> bool:
        """Whether the terminal has ended the connection."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionError:
            return True

    def _plain(self) -> bytes:
        head = self._read(3)
        if head[2] != 0xFF:
            return head + self._read(head[2])
        size = self._read(2)
        return head + size + self._read(int.from_bytes(size, "little"))

    def _serial(self) -> bytes:
        assert self._read(2) == DLE + STX
        message = b""
        while (byte := self._read(1)) != DLE or (byte := self._read(1)) == DLE:
            message += byte
        assert byte == ETX
        assert self._read(2) == check_sum(message)
        self.socket.sendall(b"\x06")
        return message

    def _read(self, size: int) -> bytes:
        while len(self._kept) < size:
            data = self.socket.recv(4096)
            if not data:
                raise ConnectionError("the terminal has ended the connection")
            self._kept += data
        read, self._kept = self._kept[:size], self._kept[size:]
        return read
