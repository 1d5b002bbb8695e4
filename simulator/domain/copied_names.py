"""How text of a sandbox is renamed for a copy of it: what names its hierarchy, wherever it stands.

An id stands in text as it is, a merchant account also as its number on the live host, a channel as
card messages name it. None is looked for between marks: a fixed record has none around it. What
else follows from an id is made anew where it stands: a checkout here, a card message in
`copied_records`. Choice: D-631.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

from simulator.domain.acquiring.messages import ACCEPTOR_LENGTH, acceptor_of
from simulator.domain.checkouts.ids import moved_checkout_id, sandbox_in
from simulator.domain.core.hosts import HOSTS
from simulator.domain.merchants.tokens import TOKEN_LENGTH
from simulator.domain.settlement.numbers import number_on
from simulator.domain.three_d_secure.authentications import UUID_LENGTH, uuid_of

ID_LENGTH = 32
# So many characters are looked at before a name is looked up.
BEGINNING = 5
CHECKOUT = re.compile(rb"[0-9A-F]{32}\.[0-9a-z]{15}")
# What opens a page of a shopper or of an ACS, in JSON and in JSON that stands in JSON: the token
# behind a sandbox and a payment, the id of a challenge, what a browser takes to a method.
SECRETS = re.compile(
    rb"(?<=/[0-9a-f]{32}/)[0-9a-f]{48}(?![0-9A-Za-z])"
    rb'|(?:(?<=acsTransactionId":")|(?<=acsTransactionId\\":\\"))[0-9A-Fa-f-]{36}'
    rb'|(?:(?<=threeDSMethodData","value":")|(?<=threeDSMethodData\\",\\"value\\":\\"))[\w-]+'
)
Rename = Callable[[bytes], bytes]


def renaming(sandbox: str, ids: Mapping[str, str], *, key: str) -> Rename:
    """How text of a sandbox is renamed, whose hierarchy gets these ids for its own. `key` is a
    secret that is stored nowhere: nothing in the original follows from what the copy shows.
    """
    names = {name.encode(): new.encode() for name, new in _forms(ids)}
    begin = re.compile(b"|".join(sorted(_beginnings(names))))

    def moved(found: re.Match[bytes]) -> bytes:
        checkout = found[0].decode()
        is_of_it = sandbox_in(checkout) == sandbox
        return (moved_checkout_id(checkout, ids[sandbox], key) if is_of_it else checkout).encode()

    def other(found: re.Match[bytes]) -> bytes:
        return _other_secret(found[0].decode(), key).encode()

    return lambda text: _replaced(CHECKOUT.sub(moved, SECRETS.sub(other, text)), begin, names)


def _forms(ids: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each id in every form that is as long in the copy, with the same form of the new one. No
    other text looks like one, so it does not matter what the id is of.
    """
    for was, new in ids.items():
        yield acceptor_of(was), acceptor_of(new)
        yield from ((number_on(host, was), number_on(host, new)) for host in HOSTS)


def _beginnings(names: Iterable[bytes]) -> Iterator[bytes]:
    """What finds where a name may begin, by its first characters. One that was looked for whole
    could begin in what only looks like one and end in another.
    """
    by_first: dict[bytes, list[bytes]] = {}
    for name in names:
        by_first.setdefault(name[:1], []).append(name)
    for first, alike in by_first.items():
        following = (bytes({name[place] for name in alike}) for place in range(1, BEGINNING))
        yield first + b"(?=%b)" % b"".join(b"[%b]" % each for each in following)


def _replaced(text: bytes, begin: re.Pattern[bytes], names: Mapping[bytes, bytes]) -> bytes:
    parts, end = list[bytes](), 0
    for found in begin.finditer(text):
        at = found.start()
        new = names.get(text[at : at + ID_LENGTH]) or names.get(text[at : at + ACCEPTOR_LENGTH])
        if new is not None and at >= end:
            parts += (text[end:at], new)
            end = at + len(new)
    return b"".join((*parts, text[end:]))


def _other_secret(secret: str, key: str) -> str:
    """The same each time it is asked for, and of the same form."""
    digits = sha256(f"{key}{secret}".encode()).hexdigest()[:TOKEN_LENGTH]
    if len(secret) != UUID_LENGTH:
        return digits
    return uuid_of(digits)
