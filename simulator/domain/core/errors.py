"""The four words that are never mixed up, as far as they are raised: violation and refusal.

A decline is no error but a payment with its result code; a fault is any other exception.
"""

from collections.abc import Iterable, Sequence

from simulator.grammar.violations import Violation


class Violations(Exception):
    """Parameters that break catalogue rules: answered 400, nothing stored."""

    def __init__(self, violations: Sequence[Violation]):
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


class LargeRecordError(Refusal):
    """A refusal because a record would be longer than any that is stored. Choice: D-05."""

    def __init__(self, most: int, got: int):
        super().__init__("200.100.103", f"expected records of at most {most:,} bytes, got {got:,}")


class UnknownReferenceError(Refusal):
    """A refusal because no payment has the id in the path. Source: Endpoints, note 5."""


class UnknownCheckoutError(Exception):
    """No checkout has the id: it is unknown, of another merchant, expired, or already used. Source:
    FORM-01.
    """

    def __init__(self) -> None:
        super().__init__(
            "the id is unknown or of the other host, the 30 minutes of the checkout are over, or it"
            " was paid"
        )


class FormCapabilityError(Exception):
    """A capability that is not of this checkout, or was used before. Choice: D-131."""


class ConflictError(Exception):
    """A record changed since it was read: load it again and decide again."""


class ContentionError(Exception):
    """A change was not stored: each of its tries met another change of the same record."""

    def __init__(self, tries: int):
        super().__init__(f"not stored: another change of the same record came first {tries} times")


class CrowdedSandboxError(Exception):
    """Too much is under way in the sandbox: nothing of the request was done. Choice: D-358."""

    def __init__(self, what: str, most: int):
        super().__init__(
            f"expected at most {most} {what} of a sandbox, got one more; send it again later"
        )


class FullSandboxError(Exception):
    """The sandbox stores all that one may: nothing of the request was done. Choice: D-699."""

    def __init__(self) -> None:
        super().__init__(
            "the sandbox stores as much as one may: reset or delete it, or go on in another"
        )


class CrowdedSnapshotsError(Exception):
    """Snapshots on their way take too many bytes of the disk: nothing of the request was done."""

    def __init__(self, most: int):
        super().__init__(
            f"expected at most {most} bytes of snapshots on their way, got more; try it again"
        )


class UnappliedResponseError(Exception):
    """The acquirer was called for a stored attempt, but its response met another change at each
    try, or the store did not take it: the attempt is reversed. Choices: D-305, D-687.
    """

    def __init__(self, identity: str):
        super().__init__(f"{identity}: the acquirer's response is not applied")


class EpochEndedError(Exception):
    """The sandbox was reset or deleted while this work was under way: it is dropped."""


class ChargedEpochError(EpochEndedError):
    """The same behind a request to a card host of the sandbox: it may have charged."""


class ReplacedEpochError(Exception):
    """The sandbox was reset or restored while a request was under way whose sender it still admits:
    nothing of the request is kept. Choice: D-305.
    """

    def __init__(self) -> None:
        super().__init__(
            "the sandbox was reset or restored meanwhile, nothing was stored; send it again later"
        )


class DiskError(Exception):
    """A unit is not stored: the disk refused it or an earlier one. Acknowledged units are safe."""

    def __init__(self, place: object, error: str):
        super().__init__(f"{place}: not stored, the disk answered: {error}; it is tried again")


class UnreachableStoreError(DiskError):
    """The database that keeps the records does not answer, or will not store."""

    def __init__(self, error: str):
        Exception.__init__(self, f"the database: {error}; it is tried again")
        self.reason = error


class UnknownOutcomeError(DiskError):
    """A unit may be stored, or stands and may not last. Choices: D-687, D-688."""

    def __init__(self, place: object, error: str):
        Exception.__init__(
            self, f"{place}: changed, and a power cut may undo it, the disk answered: {error}"
        )


class LostOutcomeError(UnknownOutcomeError, UnreachableStoreError):
    """The connection was lost while a unit was stored: it may be stored. Choice: D-687."""

    def __init__(self, error: str):
        UnreachableStoreError.__init__(self, error)


class HomeNeededError(Exception):
    """Only the home of the sandbox can serve the request: nothing of it was done here."""


class DamagedLogError(Exception):
    """A log that lost what it had acknowledged, or is none: a person has to look at it. Choice:
    D-77.
    """

    def __init__(self, path: object, number: int, expected: str):
        super().__init__(f"{path}, line {number}: expected {expected}")
        self.path = path
        self.number = number


class DamagedRecordError(DamagedLogError):
    """A record that cannot be read, in a log or in a database: which one, and why not. `path` is
    the log, or the table of the database. Choice: D-563.
    """

    def __init__(self, path: object, where: str, reason: str):
        Exception.__init__(self, f"{where}: expected a record of this version ({reason})")
        self.path, self.number = path, 0


class InvalidInputError(Exception):
    """A value of the control API that cannot be: where it stood, what was expected, what came."""

    def __init__(self, where: str, expected: str, got: str):
        super().__init__(f"{where}: expected {expected}; got {got}")
        self.where, self.expected, self.got = where, expected, got


class UnknownMemberError(InvalidInputError):
    """A member that an object cannot have: the nearest name it can have, and all of them."""

    def __init__(self, where: str, name: str, known: Iterable[str], near: str | None):
        names, got = ", ".join(known), f"unknown field '{name}'"
        super().__init__(where, f"one of {names}{f' (nearest: {near})' if near else ''}", got)
        meant = f"did you mean {near}? " if near else ""
        self.args = (f"{got}; {meant}known fields: {names}",)


class UnreadableRequestError(Exception):
    """A request that is no HTTP, or does not arrive: `status` answers it, `reason` says what is
    wrong and repeats nothing of the request. Choices: D-70, D-71.
    """

    def __init__(self, status: int, reason: str):
        super().__init__(reason)
        self.status = status
        self.reason = reason


class CurrencyMismatchError(ValueError):
    """Two amounts of different currencies met."""

    def __init__(self, ours: str, theirs: str):
        super().__init__(f"expected {ours}, got {theirs}")


class TamperedSecretError(Exception):
    """A sealed secret does not open for this record: altered, or sealed for another one."""

    def __init__(self, identity: str):
        super().__init__(f"expected a secret sealed for {identity}")


class MessageNotSentError(Exception):
    """A request did not leave the gateway: nothing happened at the card host."""

    def __init__(self, why: str, *, is_too_long: bool = False):
        super().__init__(why)
        self.is_too_long = is_too_long


class SignatureError(Exception):
    """A signature that is missing, not made by whom it should be, or over something else."""


class NoResponseError(Exception):
    """A request left the gateway, and its outcome is unknown."""
