"""Generated names of companies and shops."""

from functools import cache
from typing import Any

LINES = ("Online", "Mobile", "Till", "Phone", "Market", "Station")


class FakerNames:
    """Implements ports.Names by faker, which is imported when a name is first asked for."""

    __slots__ = ()

    def merchant(self, key: str) -> str:
        """The name of a company."""
        name: str = _seeded(key).company()
        return name

    def channel(self, key: str) -> str:
        """The name of a shop."""
        drawn = _seeded(key)
        return f"{drawn.city()} {drawn.random_element(LINES)}"


def _seeded(key: str) -> Any:
    faker = _faker()
    faker.seed_instance(key)
    return faker


@cache
def _faker() -> Any:
    # It takes a quarter of a second to import, which a server without seeds never pays.
    from faker import Faker

    return Faker("en_US")
