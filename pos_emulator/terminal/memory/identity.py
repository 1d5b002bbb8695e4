"""Who a terminal is: the numbers and the model that the gateway knows it by."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pos_emulator.card_numbers import has_card_number
from pos_emulator.kernel.models import MAKER, MODELS, short_name
from pos_emulator.keys.errors import StorageError
from pos_emulator.keys.storage import refused_by_disk, replace_file

FILE = "identity.json"
TEXT_MAX = 40
DIGITS_MAX = 32


@dataclass(frozen=True, kw_only=True)
class Identity:
    """A terminal: `id` is pos.terminalId, `device` pos.deviceId, `model` the name of a model such
    as COUNTERTOP, `channel` the entity that it pays for, `merchant` what receipts begin with.
    """

    id: str
    device: str
    model: str
    channel: str
    merchant: str = "SANDGATE MERCHANT"

    @property
    def device_type(self) -> str:
        """pos.deviceType."""
        return MAKER + self.model


class IdentityError(ValueError):
    """What a terminal is loaded from lacks something; the message says what was expected."""


def identity_in(document: Mapping[str, Any], merchant: str = "") -> Identity:
    """The identity in what the control API answers to a new terminal. Raises IdentityError."""
    number, device = str(document.get("id", "")), str(document.get("device", ""))
    model = short_name(str(document.get("model", "")))
    channel = str(document.get("channel", ""))
    if model not in MODELS:
        raise IdentityError(f"model: expected one of {', '.join(MODELS)}")
    for name, value in (("id", number), ("device", device)):
        if not (value.isascii() and value.isdecimal() and len(value) <= DIGITS_MAX):
            raise IdentityError(f"{name}: expected 1 to {DIGITS_MAX} digits")
    if not (channel.isascii() and channel.isalnum() and len(channel) <= TEXT_MAX):
        raise IdentityError(f"channel: expected 1 to {TEXT_MAX} letters and digits")
    named = (merchant or str(document.get("merchant", "")))[:TEXT_MAX]
    if has_card_number(named):
        raise IdentityError("merchant: expected a name, received the number of a card")
    more = {"merchant": named} if named else {}
    return Identity(id=number, device=device, model=model, channel=channel, **more)


def write_identity(folder: Path, identity: Identity) -> None:
    """Keep an identity. Raises StorageError."""
    try:
        replace_file(folder / FILE, json.dumps(asdict(identity)).encode())
    except OSError as error:
        raise refused_by_disk(folder / FILE, "written", error) from None


def read_identity(folder: Path) -> Identity:
    """The identity of a folder. Raises StorageError, also where no terminal was loaded into it."""
    try:
        return identity_in(json.loads((folder / FILE).read_bytes()))
    except FileNotFoundError:
        raise StorageError(f"{FILE} cannot be read: no terminal was loaded here") from None
    except OSError as error:
        raise refused_by_disk(folder / FILE, "read", error) from None
    except (ValueError, AttributeError) as error:
        raise StorageError(f"{FILE} is malformed: {error}") from None
