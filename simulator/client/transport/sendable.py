"""What a request can carry: an address, and what goes into a header as it is."""

import re

from simulator.client.addresses import address_problem
from simulator.client.shown.masking import masked_text

IN_A_HEADER = re.compile("[!-~]([ -~]*[!-~])?")


class UnsendableError(ValueError):
    """What no request can carry, by the name of the option or variable that has it."""


def demand_address(address: str, names: str) -> None:
    """Raise UnsendableError for what is no address of HTTP."""
    problem = address_problem(address)
    if problem:
        raise UnsendableError(f"{names}: {masked_text(problem)}")


def demand_credential(text: str, names: str) -> None:
    """Raise UnsendableError for what no header can carry. It may be a secret: it is not shown."""
    if not IN_A_HEADER.fullmatch(text):
        raise UnsendableError(f"{names}: expected printable ASCII, got other signs too")
