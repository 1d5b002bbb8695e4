"""Why the gateway refuses what a terminal encrypted. Each cause is its own; none says more of the
PIN than that its block cannot be read. Choice: D-409.
"""

from simulator.domain.core.errors import InvalidInputError, Refusal

UNKNOWN_KEY, USED_KEY = "600.300.101", "200.200.106"


class UnreadableDataError(Exception):
    """What a terminal encrypted is none after decryption: another key, or altered on the way."""


class RefusedCertificateError(InvalidInputError):
    """A request for a certificate, or a certificate, that no keys are loaded with. D-510."""

    def __init__(self, where: str, expected: str):
        super().__init__(where, expected, "another one")


class UnknownKeyError(Refusal):
    """A serial number of no initial key that was loaded into this terminal for this use."""

    def __init__(self, field: str):
        super().__init__(
            UNKNOWN_KEY, f"{field}: expected the key serial number of a key of pos.terminalId"
        )


class UsedKeyError(Refusal):
    """A serial number that is not above the last one of the same initial key."""

    def __init__(self, field: str):
        super().__init__(
            USED_KEY, f"{field}: expected a counter above the last one, each key is used once"
        )
