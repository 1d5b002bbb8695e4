"""Remote key loading: how a terminal in a shop gets its keys over a line that others can read.

The terminal makes an RSA key, and the authority of its sandbox certifies it. New initial keys then
come as they do from a key-loading facility, but their protection key is encrypted for the certified
key, and the whole is signed together with a number that the terminal drew. Choice: D-510.
"""

from typing import Annotated

import msgspec

from simulator.domain.core.shapes import shape
from simulator.domain.terminals.serials import Usage
from simulator.domain.terminals.terminals import KeyBlock

AUTHORITY = "terminal-authority"
PEM_CHARACTERS_MAX = 8_000
SEPARATOR = "|"

Pem = Annotated[str, msgspec.Meta(max_length=PEM_CHARACTERS_MAX)]


class TerminalAuthority(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The authority of a sandbox that certifies keys of terminals and signs what they load: its
    certificate as PEM, and its private key, sealed by the security module.
    """

    id: str = AUTHORITY
    version: int = 0
    certificate: str
    sealed: str


class AskedCertificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a terminal asks to be certified."""

    request: Annotated[Pem, shape("PKCS#10 as PEM, made with the RSA key of the terminal.")]


class TerminalCertificate(msgspec.Struct, frozen=True):
    """The certificate of a terminal, and that of the authority which issued it, as PEM."""

    certificate: str
    authority: str


class AskedKeys(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a terminal asks new keys with."""

    certificate: Annotated[Pem, shape("That of the terminal, as PEM.")]
    nonce: Annotated[
        str,
        msgspec.Meta(pattern="^[0-9A-Fa-f]{32}$"),
        shape("32 hex digits that the terminal draws for this load."),
    ]


class RemoteLoad(msgspec.Struct, frozen=True):
    """New initial keys: their protection key under RSA-OAEP (SHA-256) for the certified key, their
    key blocks, and an ECDSA signature (SHA-256, DER) of the authority; all in hex but the blocks.
    """

    kbpk: str
    blocks: tuple[KeyBlock, ...]
    signature: str


KeyId = Annotated[str, msgspec.Meta(pattern="^[0-9A-Fa-f]{16}$")]


class AskedRollover(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ids of the initial keys that a terminal has, whose update keys protect the next ones."""

    pin: Annotated[KeyId, shape("That for PINs: how its serial numbers begin, 16 hex digits.")]
    data: Annotated[KeyId, shape("That for account data.")]

    @property
    def present(self) -> dict[Usage, str]:
        """The ids by what the keys are for."""
        return {"PIN": self.pin.upper(), "DATA": self.data.upper()}


class KeyRollover(msgspec.Struct, frozen=True):
    """The next initial keys, each in a key block under the update key of the one before it."""

    blocks: tuple[KeyBlock, ...]


def signed_text(terminal: str, nonce: str, kbpk: str, blocks: tuple[KeyBlock, ...]) -> bytes:
    """What the signature of a load is made over."""
    parts = (terminal, nonce.upper(), kbpk, *(f"{each.usage}={each.block}" for each in blocks))
    return SEPARATOR.join(parts).encode("ascii")
