"""What `sandgate doctor` judges, and the lines of its report."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from simulator.setting_sources import Source
from simulator.settings import Settings


class CheckedSettings(NamedTuple):
    """What is judged: the settings and where they came from, or why they were refused."""

    settings: Settings
    sources: tuple[Source, ...]
    environ: Mapping[str, str]
    refused: str | None = None

    @property
    def folder(self) -> Path:
        return self.settings.data


class Finding(NamedTuple):
    """One line of the report; a wrong one has an advice."""

    what: str
    found: str
    advice: str = ""

    @property
    def is_good(self) -> bool:
        return not self.advice
