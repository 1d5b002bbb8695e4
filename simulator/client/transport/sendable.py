"""What a request needs before it is sent: an address, what goes into a header as it is, and the
authorities that are trusted.
"""

import re
import ssl

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
    __tracebackhide__ = True
    if not IN_A_HEADER.fullmatch(text):
        raise UnsendableError(f"{names}: expected printable ASCII, got other signs too")


def trust_in(ca_file: str | None) -> ssl.SSLContext:
    """Trust in the certificates of a file, else in those of the machine. Raises UnsendableError."""
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        reason = "none in PEM form" if isinstance(error, ssl.SSLError) else error.strerror
        raise UnsendableError(
            f"ca_file: expected a file of certificates at {ca_file!r}, got: {reason}; correct "
            "--ca-file or SANDGATE_CA_FILE"
        ) from None
