"""Classes: people who come by one link, each with a sandbox of their own, or as spectators of one
stage. A class lasts a day. Choice: D-492.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any

import msgspec

from simulator.catalogue.console_words import plain
from simulator.domain.console.limits import refuse_one_more
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.masking.masking import mask_explanation

CLASSES_MAX, PARTICIPANTS_MAX = 20, 60
# Each participant gets the data, and each record of it is checked.
DATA_BYTES_MAX = 4 * 1024 * 1024
LASTS = timedelta(hours=24)
NAME_LENGTH_MAX = 40


class Participant(msgspec.Struct, frozen=True, kw_only=True):
    """Someone in a class: the name as it was typed, the person made for it, and their sandbox,
    which a spectator shares; `way_back` is the hash of the secret by which one who signed out comes
    back, once, `form` that of the mark of the form by which they joined.
    """

    name: str
    person: str
    sandbox: str
    is_spectator: bool = False
    way_back: str = ""
    form: str = ""


# The file with the data of a class has its id as its name.
Name = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{1,64}\Z")]


class TrainingClass(msgspec.Struct, frozen=True, kw_only=True):
    """A class; `key` is the hash of the secret in its link, `stage` the sandbox that spectators
    see, if there is one. The sandboxes of its participants have the same `seed`, and are set up as
    `options` say, or are copies of the snapshot that is kept of a class that `has_data`. One that
    `is_ended` is kept until its people and sandboxes are gone.
    """

    id: Name
    key: str
    by: str
    began_at: datetime
    stage: str = ""
    seed: int = 1
    options: Mapping[str, Any] = {}
    has_data: bool = False
    participants: tuple[Participant, ...] = ()
    trainer_stage: str = ""
    is_ended: bool = False
    version: int = 0

    @property
    def own_stage(self) -> str:
        """The stage that spectators saw first: that of the trainer."""
        return self.trainer_stage or self.stage

    def has(self, person: str) -> bool:
        """Whether the person with this name takes part."""
        return any(each.person == person for each in self.participants)

    def joined_by(self, form: str) -> Participant | None:
        """Who joined by the form whose mark has this hash, if it has a mark."""
        return next((each for each in self.participants if form and each.form == form), None)

    def unused(self, name: str) -> str:
        """The name for one more participant, with a number where others have it."""
        taken = {each.name for each in self.participants}
        numbered = (f"{name} ({number})" for number in range(2, len(taken) + 2))
        return name if name not in taken else next(one for one in numbered if one not in taken)

    def is_over(self, now: datetime) -> bool:
        """Whether it was ended, or its day has passed."""
        return self.is_ended or now - self.began_at >= LASTS


def read_name(text: str) -> str:
    """The name a participant typed, without card numbers and keys. Raises InvalidInputError."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= NAME_LENGTH_MAX or not name.isprintable():
        raise InvalidInputError(
            "name", plain("errors.length", most=NAME_LENGTH_MAX), f"{len(name)}"
        )
    return mask_explanation(name)


def refuse_large(size: int) -> None:
    """Raise InvalidInputError for a snapshot that is too large for a class."""
    if size > DATA_BYTES_MAX:
        most, got = (plain("errors.bytes", count=f"{each:,}") for each in (DATA_BYTES_MAX, size))
        raise InvalidInputError("like", plain("errors.data", most=most), got)


def refuse_crowded(found: TrainingClass) -> None:
    """Raise InvalidInputError where no one else has a place."""
    said = plain("errors.participants", most=PARTICIPANTS_MAX)
    refuse_one_more("class", len(found.participants), PARTICIPANTS_MAX, said)
