"""What can be set of the till interface."""

from dataclasses import dataclass, field
from pathlib import Path

from pos_emulator.ecr.nexo.dialects import Additional

PATH = "/nexo/"


@dataclass(frozen=True, kw_only=True)
class SealSettings:
    """The shared secret of the encrypted variant. `salt` and `version_member` are those of the
    vendor whose terminals the till knows; the till's own manual says what they are.
    """

    passphrase: str = field(repr=False)
    salt: str
    key_identifier: str
    key_version: int
    version_member: str
    crypto_version: int = 1


@dataclass(frozen=True, kw_only=True)
class NexoSettings:
    """`folder` keeps the certificate and the answers. `poi_id` is a name of the terminal beside
    its id. `login_required` refuses payments before a Login. With `seal`, messages are encrypted.
    `events_url` is where the till takes notifications.
    """

    folder: Path
    path: str = PATH
    hosts: tuple[str, ...] = ()
    poi_id: str = ""
    additional: Additional = Additional.TEXT
    login_required: bool = False
    seal: SealSettings | None = None
    events_url: str = ""
