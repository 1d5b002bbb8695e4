"""Names of entities: what they may be, and those of entities that were made without one."""

import re
from typing import NamedTuple

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import Names
from simulator.domain.masking.refusals import refuse_secrets
from simulator.grammar.characters import CONTROLS

NAME_LENGTH_MAX = 255
CONTROL = re.compile(f"[{CONTROLS}]")


class Namer(NamedTuple):
    """Names the entities of one sandbox: those of a seeded one follow the seed. Choice: D-118."""

    names: Names
    seed: int | None = None

    def merchant(self, number: int) -> str:
        """The name of the merchant with this number, from 0."""
        if self.seed is None:
            return "Sandgate Merchant"
        return self.names.merchant(f"{self.seed} merchant {number}")

    def channel(self, merchant: int, number: int) -> str:
        """The name of a channel of that merchant."""
        if self.seed is None:
            return "Sandgate Channel"
        return self.names.channel(f"{self.seed} merchant {merchant} channel {number}")

    def account(self, merchant: int, number: int) -> str:
        """What the bank account of a channel is drawn by; nothing without a seed."""
        if self.seed is None:
            return ""
        return f"{self.seed} merchant {merchant} channel {number} account"


def refuse_name(name: str, where: str) -> None:
    """Raise InvalidInputError for a name that is empty, too long, has control characters or holds
    what may be the number of a card, a token or a key: names stand on pages, in descriptors and in
    card messages. Choice: D-661.
    """
    if not 0 < len(name) <= NAME_LENGTH_MAX:
        raise InvalidInputError(where, f"1 to {NAME_LENGTH_MAX} characters", f"{len(name)}")
    refuse_secrets(name, where)
    refuse_controls(name, where)


def refuse_controls(text: str, where: str) -> None:
    """Raise InvalidInputError for control characters. Choice: D-266."""
    if CONTROL.search(text):
        raise InvalidInputError(where, "text without control characters", "some")
