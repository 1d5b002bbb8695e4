"""Names of entities that were made without one."""

from typing import NamedTuple

from simulator.domain.core.ports import Names


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
