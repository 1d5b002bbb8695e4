"""What stands behind a name in a text: in a form, a header, an object of JSON, XML, or quoted.

For masking: the value of a secret stays one in whatever notation it was typed into a wrong field.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

# Behind a name: as it is, as a text within JSON, and percent-encoded once or twice.
QUOTE = r"(?:\\{0,3}['\"]|%(?:25)?2[27])?+"
BETWEEN = r"(?:\s|%(?:25)?20|\+){0,3}+"
WIDE = "\uff1d|\uff1a"
IS = rf"(?:[=:]{{1,2}}+>?+|{WIDE}|(?:%(?:25)?3[ADEade]){{1,2}}+|\\{{1,2}}u003[ADad]>?)"
# What is masked already: nothing is left to look for.
MASKED = r"(?!\\{0,3}['\"]\*{3}\\{0,3}['\"]|\*{3}(?:[\s&,;)}<\0]|$))"
# Quoted once or twice, a list, an object, a plain word, or one whose quotes do not end.
VALUE = (
    r"(?:\\{1,3}\"[^\"]*\"|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\[[^\]]*\]?|\{[^}]*\}?"
    r"|;?[^\s'\"&,;)}]+|['\"][^\s&,;)}]*)"
)
# The rest of a name, as of `cvv-2` and "PIN value". What was taken is not given back, and what
# turns out to be no name is passed by as a whole: masking is linear.
REST = r"(?:[\w.\]]|-(?=\w)| (?=(?i:value|code|number)\b)|%(?:25)?5[Dd])*+"
# What a refusal says behind a name is no value.
SAID = r"(?!expected )"
# How the credentials of a header begin: it is shown, and what follows it is the value. The schemes
# that IANA lists, and those of well-known interfaces.
SCHEME = (
    r"(?:\\{0,3}['\"])?(?i:basic|bearer|concealed|digest|dpop|gnap|hoba|mutual|negotiate|oauth"
    r"|privatetoken|scram-sha-(?:1|256)|vapid|token|api-?key|key|ntlm|hawk|hmac|signature|jwt|ssws"
    r"|aws4-hmac-sha256|checkout)(?:\s|%(?:25)?20|\+){1,3}"
)
BEHIND = rf"{REST}{QUOTE}{BETWEEN}{IS}{BETWEEN}(?:{SCHEME})?+{MASKED}{SAID}"
# In a tag of XML, with or without attributes.
TAG_BEHIND = (
    r"[\w.:-]{0,40}+(?:\s[^<>=]{1,40}=[^<>]{0,80})?>\s{0,3}(?:<!\[CDATA\[)?(?=[^<\s])"
    r"(?!\*{3}<)"
)

# A first look at a text. One of these signs stands in all that can stand between name and value.
SIGNS = b"=:%\\\xef>"
NO_SIGNS = bytes(sign for sign in range(256) if sign not in SIGNS)
# Before a colon of these stands no name, or one that is looked at apart: that of a member, unless
# its value is masked already. A pattern that begins with one plain sign is sought quickly.
MEMBER, MEMBER_ENDS = re.compile(rb'"(?<=[{,]")([^"]*+)":(?!"\*{3}")'), b'":'
MASKED_MEMBER = b'":"***"'
# So many names of members are remembered, none longer.
KEPT_MEMBERS, KEPT_LENGTH_MAX = 4096, 64
NO_NAME = re.compile(
    rb":(?:(?:(?<= [0-9]{2}:)|(?<=-[0-9]{2}T[0-9]{2}:))[0-9]{2}:[0-9]{2}"
    rb"|(?:(?<=[\0\"]https:)|(?<=[\0\"]http:))//(?:(?:[0-9.]+|localhost):[0-9]{1,5}(?![0-9]))?+)"
)


class NamedValues:
    """The values behind the names of a pattern, each of which begins with one of the stems, in
    capitals or not. A text without names and signs, as nearly all are, is only looked at. More
    names may be secret as those of members alone: `is_hidden` says which.
    """

    def __init__(
        self, stems: Iterable[str], names: str, is_hidden: Callable[[str], bool] = lambda _: False
    ):
        self._is_hidden = is_hidden
        # Most members of all answers are the same.
        self._plain: set[bytes] = set()
        self._stems = tuple(stem.encode() for stem in stems)
        ways = (rf"((?:{names}){BEHIND}){VALUE}", rf"((?:{names}){TAG_BEHIND})[^<]+")
        self._pattern = re.compile("|".join([*ways, f"(?:{names}){REST}"]).encode())

    def places_in(self, encoded: bytes) -> int:
        """In how many places of a text in UTF-8 one is to be sought."""
        lowered = encoded.lower()
        return sum(lowered.count(stem) for stem in self._stems)

    def are_in(self, encoded: bytes) -> bool:
        """Whether a value stands behind a name in a text in UTF-8."""
        members = MEMBER.findall(encoded)
        are_plain = self._are_plain(members)
        if not are_plain and any(map(self._is_hidden_name, {*members} - self._plain)):
            return True
        return any(True for _ in self._found(encoded, members, are_plain=are_plain))

    def masked(self, text: str, mask: str) -> str:
        """The text with a mask in place of each value."""
        encoded, hidden, end = text.encode("utf-8", "surrogatepass"), mask.encode(), 0
        members = MEMBER.findall(encoded)
        parts: list[bytes] = []
        for start, stop in self._found(encoded, members, are_plain=self._are_plain(members)):
            parts += (encoded[end:start], hidden)
            end = stop
        return b"".join([*parts, encoded[end:]]).decode("utf-8", "surrogatepass") if end else text

    def _found(
        self, encoded: bytes, members: list[bytes], *, are_plain: bool
    ) -> Iterator[tuple[int, int]]:
        """Where each value begins and ends."""
        if are_plain and not _has_sign(encoded, members):
            return
        end = 0
        for place in self._places(encoded):
            found = self._pattern.match(encoded, place) if place >= end else None
            if found is not None:
                end = found.end()
                if found.lastindex:
                    yield found.end(found.lastindex), end

    def _are_plain(self, members: list[bytes]) -> bool:
        """Whether none of these members is a name or hidden; those that are not are remembered."""
        if self._plain.issuperset(members):
            return True
        new = {*members} - self._plain
        if max(map(len, new)) > KEPT_LENGTH_MAX:
            return False
        if any(self._is_name(each) or self._is_hidden_name(each) for each in new):
            return False
        if len(self._plain) + len(new) > KEPT_MEMBERS:
            self._plain.clear()
        self._plain |= {*islice(new, KEPT_MEMBERS)}
        return True

    def _is_hidden_name(self, member: bytes) -> bool:
        return self._is_hidden(member.decode("utf-8", "replace"))

    def _is_name(self, member: bytes) -> bool:
        named = b'"%b":0' % member
        found = (self._pattern.match(named, place) for place in self._places(named))
        return any(each is not None and each.lastindex for each in found)

    def _places(self, encoded: bytes) -> list[int]:
        lowered, places = encoded.lower(), []
        for stem in self._stems:
            place = lowered.find(stem)
            while place >= 0:
                places.append(place)
                place = lowered.find(stem, place + 1)
        return sorted(places)


def _has_sign(encoded: bytes, members: list[bytes]) -> bool:
    """Whether one of the signs between name and value stands in a text elsewhere than behind these
    members: a look of some microseconds.
    """
    if len(members) + encoded.count(MASKED_MEMBER) < encoded.count(MEMBER_ENDS):
        return True
    left = encoded.replace(MEMBER_ENDS, b"")
    return bool(left.translate(None, NO_SIGNS) and NO_NAME.sub(b"", left).translate(None, NO_SIGNS))
