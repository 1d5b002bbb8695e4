"""The four words that are never mixed up, as far as they are raised: violation and refusal.

A decline is no error but a payment with its result code; a fault is any other exception.
"""


class Violations(Exception):
    """Parameters that break catalogue rules: answered 400, nothing stored."""

    def __init__(self, violations):
        super().__init__(", ".join(violation.name for violation in violations))
        self.violations = violations


class Refusal(Exception):
    """A well-formed request that state or limits forbid: nothing changes.

    `code` is a result code of the catalogue, `detail` says what was expected and what came.
    """

    def __init__(self, code: str, detail: str = ""):
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class UnknownReference(Refusal):
    """A refusal because no payment has the id in the path. Source: Endpoints, note 5."""


class Conflict(Exception):
    """A record changed since it was read: load it again and decide again."""


class Gone(Exception):
    """The sandbox was reset or deleted while this work was under way: it is dropped."""


class DiskFailed(Exception):
    """A unit is not stored: the disk refused it or an earlier one. Acknowledged units are safe."""

    def __init__(self, place: object, error: str):
        super().__init__(f"{place}: not stored, the disk answered: {error}; it is tried again")


class BadInput(Exception):
    """A value of the control API that cannot be: where it stood, what was expected, what came."""

    def __init__(self, where: str, expected: str, got: str):
        super().__init__(f"{where}: expected {expected}, got {got}")
        self.where, self.expected, self.got = where, expected, got


class CurrencyMismatch(ValueError):
    """Two amounts of different currencies met."""

    def __init__(self, ours: str, theirs: str):
        super().__init__(f"expected {ours}, got {theirs}")


class Tampered(Exception):
    """A sealed secret does not open for this record: altered, or sealed for another one."""

    def __init__(self, identity: str):
        super().__init__(f"expected a secret sealed for {identity}")
