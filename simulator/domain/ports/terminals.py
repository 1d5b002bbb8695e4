"""The port to the hardware security module: the one place where keys of terminals are clear."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from simulator.domain.terminals.loading import TerminalAuthority
from simulator.domain.terminals.serials import KeySerial, Method, Usage
from simulator.domain.terminals.terminals import KeyBlock, KeyLoad, Terminal


class SecurityModule(Protocol):
    """Derives the keys of terminals from the base keys of a sandbox, which it seals and opens.

    `sealed` is always the text that `new_keys` made.
    """

    def new_keys(self) -> str:
        """New base keys and a zone key, sealed."""

    def load_keys(self, sealed: str, method: Method, number: int) -> KeyLoad:
        """The initial keys of terminal `number`, under a key that is new each time."""

    def roll_over(
        self, sealed: str, present: Mapping[Usage, str], number: int
    ) -> tuple[KeyBlock, ...]:
        """The initial keys of AES DUKPT with `number`, each under the update key of the present one
        for the same use, which is named by its id.
        """

    def decrypt_data(self, sealed: str, serial: KeySerial, data: bytes) -> bytes:
        """What a terminal encrypted, without its padding. Raises UnreadableDataError."""

    def translate_pin(self, sealed: str, serial: KeySerial, block: bytes, number: str) -> str:
        """A PIN block of a terminal as one of format 0 under the zone key, in hex, for the card
        with this `number`. Raises UnreadableDataError, and says no more.
        """


class KeyAuthority(Protocol):
    """Certifies the keys of terminals, and protects what they load remotely. Choice: D-510."""

    def new(self, now: datetime) -> TerminalAuthority:
        """An authority with a new key."""

    def certify(
        self, authority: TerminalAuthority, request: str, terminal: Terminal, now: datetime
    ) -> str:
        """The certificate for the key of a terminal's request. Raises RefusedCertificateError."""

    def encrypt_for(
        self, authority: TerminalAuthority, certificate: str, key: bytes,
        *, terminal: Terminal, now: datetime,
    ) -> bytes:  # fmt: skip
        """A key, encrypted for the terminal of a certificate. Raises RefusedCertificateError."""

    def sign(self, authority: TerminalAuthority, content: bytes) -> bytes:
        """The signature of the authority."""


class HasSecurityModule(Protocol):
    @property
    def hsm(self) -> SecurityModule: ...


class HasKeyAuthority(Protocol):
    @property
    def key_authority(self) -> KeyAuthority: ...
