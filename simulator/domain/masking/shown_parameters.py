"""The parameters of a request as they may be shown: what the journal keeps of every one.

What names alone decide is remembered, for clients send the same names again and again. Names and
values are kept joined, in two texts: that is small, made at once, and rarely taken apart again.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from simulator.domain.masking.masking import (
    CALLED,
    FOUND_ANYWHERE_LENGTH,
    MASK,
    PLAIN,
    ValueKind,
    called_without_query,
    cut_text,
    glance,
    has_secret_value,
    kind_of,
    longest_first,
    mask_text,
    masked,
    masked_value,
)
from simulator.grammar.remembered import ByNames

# What no parameter holds: see D-04.
NUL = "\0"
# The parameters of longer requests are cut, so that a journal is bounded in bytes as well.
WHOLE_LENGTH_MAX = 16 * 1024
VALUE_LENGTH_MAX = 200
PARAMETERS_MAX = 200
# More secrets, or longer ones, are sought in no text: then nothing is shown.
SECRETS_MAX, SECRET_LENGTH_MAX = 100, 4096


class Shown(NamedTuple):
    """Parameters masked by their names, and the values that may stand nowhere else either.

    Names and values are joined by NUL. `is_clean` says that there is nothing left to mask: no card
    number, no secret; `is_cut` that not everything is there.
    """

    names: str
    values: str
    secrets: list[str]
    is_clean: bool
    is_cut: bool = False

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters by their names."""
        return parameters_in(self.names, self.values)

    @property
    def wholly(self) -> dict[str, str]:
        """The same with nothing left to mask."""
        if self.is_clean:
            return self.parameters
        hidden = masked(self.parameters, longest_first(self.secrets))
        assert isinstance(hidden, dict), "what is masked keeps its shape"
        return hidden


class Hiding(NamedTuple):
    """What names alone decide: the places of the values to hide.

    `names` are all of them and `odd` those that are in no row, joined by NUL. `is_clean` says that
    no card number stands in them.
    """

    names: str
    places: tuple[tuple[int, ValueKind], ...]
    odd: str
    is_clean: bool


def parameters_in(names: str, values: str) -> dict[str, str]:
    """The parameters whose names and values were joined by NUL."""
    return dict(zip(names.split(NUL), values.split(NUL), strict=True)) if names else {}


def masked_parameters(sent: Mapping[str, str], secrets: Iterable[str] = ()) -> Shown:
    """The parameters of a request as they may be shown; `secrets` may not stand in them either.

    On the way of every payment: some microseconds for forty parameters. Long requests are cut
    first, for masking costs more than reading.
    """
    if CALLED in sent:
        sent = {**sent, CALLED: called_without_query(CALLED, sent[CALLED])}
    if sum(map(len, sent)) + sum(map(len, sent.values())) > WHOLE_LENGTH_MAX:
        return _masked_beginning(sent, [*secrets])
    names, places, odd, is_clean = _hiding_of(sent)
    values, secrets = list(sent.values()), [*secrets]
    for place, kind in places:
        value = values[place]
        values[place] = masked_value(value, kind)
        if len(value) >= FOUND_ANYWHERE_LENGTH:
            secrets.append(value)
    if len(secrets) > SECRETS_MAX:
        return _hidden(sent)
    text = NUL.join(values)
    raw = text.encode()
    is_clean = is_clean and glance(raw) is raw
    if not is_clean and has_secret_value(raw):
        text = NUL.join(map(mask_text, values))
    for secret in secrets:
        is_clean = is_clean and secret not in text and secret not in odd
    return Shown(names, text, secrets, is_clean)


def _masked_beginning(sent: Mapping[str, str], secrets: list[str]) -> Shown:
    """The first parameters of a long request, and of each value the beginning."""
    hidden = {name: kind for name in sent if (kind := kind_of(name)) is not ValueKind.PLAIN}
    secrets += [sent[name] for name in hidden if len(sent[name]) >= FOUND_ANYWHERE_LENGTH]
    if len(secrets) > SECRETS_MAX or max(map(len, secrets), default=0) > SECRET_LENGTH_MAX:
        return _hidden(sent)
    shown = {
        cut_text(name, VALUE_LENGTH_MAX): masked_value(value, hidden[name])
        if name in hidden
        else _beginning_of(value, secrets)
        for name, value in islice(sent.items(), PARAMETERS_MAX)
    }
    return _cut(shown, secrets)


def _beginning_of(value: str, secrets: list[str]) -> str:
    """The beginning of a value; a secret at the cut is seen whole."""
    if len(value) <= VALUE_LENGTH_MAX:
        return value
    found = str(masked(value[: VALUE_LENGTH_MAX + SECRET_LENGTH_MAX], secrets))
    return f"{cut_text(found, VALUE_LENGTH_MAX)}... ({len(value)} characters)"


def _hidden(sent: Mapping[str, str]) -> Shown:
    """The names of the first parameters, and no value."""
    names = islice(sent, PARAMETERS_MAX)
    return _cut({cut_text(name, VALUE_LENGTH_MAX): MASK for name in names}, [])


def _cut(shown: Mapping[str, str], secrets: list[str]) -> Shown:
    names, values = NUL.join(shown), NUL.join(shown.values())
    return Shown(names, values, secrets, is_clean=False, is_cut=True)


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
        is_clean=glance(raw) is raw,
    )


_hiding_of = ByNames(_hiding)
