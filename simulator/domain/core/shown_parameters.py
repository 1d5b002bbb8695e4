"""The parameters of a request as they may be shown: what the journal keeps of every one.

What names alone decide is remembered, for clients send the same names again and again. Names and
values are kept joined, in two texts: that is small, made at once, and rarely taken apart again.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from simulator.domain.core.masking import (
    FOUND_ANYWHERE_LENGTH,
    PLAIN,
    ValueKind,
    glance,
    kind_of,
    mask_text,
    masked_value,
)
from simulator.grammar.remembered import ByNames

# What no parameter holds: see D-04.
NUL = "\0"


class Shown(NamedTuple):
    """Parameters masked by their names, and the values that may stand nowhere else either.

    Names and values are joined by NUL. `is_free_name` says that a name which merchants choose
    themselves was among the secret ones, `is_clean` that there is nothing left to mask: no card
    number, no secret.
    """

    names: str
    values: str
    secrets: list[str]
    is_free_name: bool
    is_clean: bool

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters by their names."""
        return parameters_in(self.names, self.values)


class Hiding(NamedTuple):
    """What names alone decide: the places of the values to hide, and which names merchants chose.

    `names` are all of them and `odd` those that are in no row, joined by NUL. `is_clean` says that
    no card number stands in them.
    """

    names: str
    places: tuple[tuple[int, ValueKind], ...]
    odd: str
    is_free_name: bool
    is_clean: bool


def parameters_in(names: str, values: str) -> dict[str, str]:
    """The parameters whose names and values were joined by NUL."""
    return dict(zip(names.split(NUL), values.split(NUL), strict=True)) if names else {}


def masked_parameters(sent: Mapping[str, str], secrets: Iterable[str] = ()) -> Shown:
    """The parameters of a request as they may be shown; `secrets` may not stand in them either.

    On the way of every payment: some microseconds for forty parameters.
    """
    names, places, odd, is_free_name, is_clean = _hiding_of(sent)
    values, secrets = list(sent.values()), [*secrets]
    for place, kind in places:
        value = values[place]
        values[place] = masked_value(value, kind)
        if len(value) >= FOUND_ANYWHERE_LENGTH:
            secrets.append(value)
    text = NUL.join(values)
    if "=" in text:
        text = NUL.join([mask_text(value) if "=" in value else value for value in values])
    raw = text.encode()
    is_clean = is_clean and glance(raw) is raw
    for secret in secrets:
        is_clean = is_clean and secret not in text and secret not in odd
    return Shown(names, text, secrets, is_free_name, is_clean)


def _hiding(names: tuple[str, ...]) -> Hiding:
    places = [
        (place, kind)
        for place, name in enumerate(names)
        if (kind := kind_of(name)) is not ValueKind.PLAIN
    ]
    odd = NUL.join([name for name in names if name not in PLAIN])
    raw = odd.encode()
    return Hiding(
        names=NUL.join(names),
        places=tuple(places),
        odd=odd,
        is_free_name=any("[" in names[place] for place, _ in places),
        is_clean=glance(raw) is raw,
    )


_hiding_of = ByNames(_hiding)
