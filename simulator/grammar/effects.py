"""Effects: what becomes of a request field that no answer repeats."""

from dataclasses import dataclass

ACTS = "acts"
ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a field, or every field whose name begins so, does.

    `kind` is ACTS where something depends on the value, ACCEPTED where it only travels on.
    """

    name: str
    kind: str
    says: str

    def covers(self, name: str) -> bool:
        """Whether the row is about the field `name`."""
        return name == self.name or (self.name.endswith(".") and name.startswith(self.name))
