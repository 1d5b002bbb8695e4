"""Settings of the till interface in a TOML file."""

import errno
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec

from pos_emulator.card_numbers import MaskedError
from pos_emulator.ecr.nexo.settings import NexoSettings, SealSettings
from simulator.client.files.bounded import read_text_within
from simulator.client.shown.misfits import one_of, said_of_file

BYTES_MAX = 64 * 1024
# Where a terminal keeps its own things is no matter of a till.
OWN = "folder"


class NexoSettingsError(MaskedError, ValueError):
    """A file that cannot be followed: where, what was expected; nothing of its secrets."""


def read_nexo_settings(file: Path, folder: Path) -> NexoSettings:
    """The settings in a file, for a terminal that keeps certificate and answers in `folder`.

    Raises NexoSettingsError.
    """
    try:
        described = tomllib.loads(read_text_within(file, BYTES_MAX))
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise NexoSettingsError(f"{file}: expected at most {BYTES_MAX} bytes") from None
        raise NexoSettingsError(f"{file}: expected a TOML file, got: {error.strerror}") from None
    except (ValueError, RecursionError):
        # What the parser says may repeat a passphrase.
        raise NexoSettingsError(f'{file}: expected TOML, such as poi_id = "P1"') from None
    _refuse_unknown(file, described)
    document = {**described, OWN: folder}
    try:
        return msgspec.convert(document, NexoSettings)
    except msgspec.ValidationError as error:
        said = said_of_file(error, document, NexoSettings, mapping="a table")
        raise NexoSettingsError(f"{file}: {said}") from None


def _refuse_unknown(file: Path, described: dict[str, Any]) -> None:
    seal = described.get("seal")
    tables = [("", described, NexoSettings), ("seal.", seal, SealSettings)]
    for place, table, kind in tables:
        known = [each.name for each in fields(kind) if each.name != OWN]
        for name in table if isinstance(table, dict) else ():
            if name not in known:
                expected = f"expected {one_of(known, name)}"
                raise NexoSettingsError(f"{file}: {place}{name[:64]} is unknown; {expected}")
