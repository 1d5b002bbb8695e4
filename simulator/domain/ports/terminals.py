"""The port to the hardware security module: the one place where keys of terminals are clear."""

from typing import Protocol

from simulator.domain.terminals.serials import KeySerial, Method
from simulator.domain.terminals.terminals import KeyLoad


class SecurityModule(Protocol):
    """Derives the keys of terminals from the base keys of a sandbox, which it seals and opens.

    `sealed` is always the text that `new_keys` made.
    """

    def new_keys(self) -> str:
        """New base keys and a zone key, sealed."""

    def load_keys(self, sealed: str, method: Method, number: int) -> KeyLoad:
        """The initial keys of terminal `number`, under a key that is new each time."""

    def decrypt_data(self, sealed: str, serial: KeySerial, data: bytes) -> bytes:
        """What a terminal encrypted, without its padding. Raises UnreadableDataError."""

    def translate_pin(self, sealed: str, serial: KeySerial, block: bytes, number: str) -> str:
        """A PIN block of a terminal as one of format 0 under the zone key, in hex, for the card
        with this `number`. Raises UnreadableDataError, and says no more.
        """


class HasSecurityModule(Protocol):
    @property
    def hsm(self) -> SecurityModule: ...
