"""Secrets within a value: a JSON object in base64, and the token of a wallet.

Programs hand over such a token in base64, in a row or in lines. What was looked through is not
looked through again, and names alone are sought: a value that was cut is found as well. Choice:
D-94.
"""

import re
from binascii import a2b_base64
from collections.abc import Callable, Mapping
from itertools import islice

IsSecret = Callable[[str], bool]

# How `{"`, and `{` before a blank or the end of a line, begin in base64; the same object as a text
# of JSON, in a list, and in base64 twice.
BEGINNING = re.compile("e(?:y[AIJ]|w[0ko])|IntcI|W3si|ZXlK")
BEGINNING_IN_BYTES = re.compile(BEGINNING.pattern.encode())
# The end of a full line, and the blank that it becomes where lines are pasted into one: no word
# follows that.
LINE_END = r"(?<=[\w+/-]{60})(?:(?:\r?\n|(?:\\r)?\\n)(?=[\w+/-])| (?=[\w+/-]{20}))"
# A sign of base64, in an address or JSON too.
SIGN = rf"[\w+/-]|%(?:25){{0,2}}2[BbFf]|\\{{1,3}}/|{LINE_END}"
PADDING = r"=|%(?:25){0,2}3[Dd]|\\{1,3}u003[Dd]"
PACKED = re.compile(rf"(?:{BEGINNING.pattern})(?:{SIGN}){{9,}}+(?:{PADDING}){{0,2}}", re.ASCII)
# What stands for a sign of base64, and the other alphabet.
WRITTEN = re.compile(r"%(?:25){0,2}2([BbFf])|\\+/|\\[rn]|\r?\n| ")
STANDARD = str.maketrans("-_", "+/")
# So much of one is decoded: a token of a wallet has 3,004 characters. It may begin at few places.
DECODED_MAX, PLACES_MAX = 16 * 1024, 4
# A member with a text or number, or a list of such; JSON within a text of JSON has backslashes.
MEMBER = re.compile(r'"([\w.\[\] -]{1,100})\\*"\s{0,9}:[\s\[]{0,9}(?:\\*"(?!\\*")|[0-9-])')
# A private key as files have it, to its end or that of the text.
PRIVATE_KEY = re.compile(
    r"-----BEGIN(?:[ +A-Z0-9]|%20){0,40}PRIVATE(?:[ +]|%20)KEY-.*?(?:-----END[^-]{0,60}-----|\Z)",
    re.DOTALL,
)
# The members of a token in both protocols of wallets.
TOKEN_KEY, SIGNATURE = "ephemeralPublicKey", "signature"
CONTENTS = ("data", "signedMessage")


def without_packed(text: str, mask: str, is_secret: IsSecret) -> str:
    """The text with a mask in place of each private key, and of each JSON object in base64 in which
    the name of a member is that of a secret.
    """
    if "PRIVATE" in text:
        text = PRIVATE_KEY.sub(mask, text)
    if not BEGINNING.search(text):
        return text
    return PACKED.sub(
        lambda found: mask if _holds_secret(found[0], is_secret) else found[0],
        text,
    )


def may_be_packed(encoded: bytes, is_secret: IsSecret) -> bool:
    """Whether there may be such a key or object in a text in UTF-8: a look of some microseconds."""
    if b"-----BEGIN" in encoded:
        return True
    if not BEGINNING_IN_BYTES.search(encoded):
        return False
    text = encoded.decode("utf-8", "replace")
    return any(_holds_secret(found[0], is_secret) for found in PACKED.finditer(text))


def without_wallet_tokens(text: str, mask: str) -> str:
    """The text with a mask in place of the token of a wallet in JSON; what stands between two of
    them is masked with them.
    """
    if TOKEN_KEY not in text or SIGNATURE not in text:
        return text
    if not any(each in text for each in CONTENTS):
        return text
    begin, end = text.find("{"), text.rfind("}")
    return text if begin < 0 else text[:begin] + mask + (text[end + 1 :] if end > begin else "")


def is_wallet_token(value: Mapping[object, object]) -> bool:
    """Whether an object is the token of a wallet."""
    return SIGNATURE in value and ("signedMessage" in value or {"data", "header"} <= value.keys())


def _holds_secret(packed: str, is_secret: IsSecret) -> bool:
    places = islice(BEGINNING.finditer(packed), PLACES_MAX)
    return any(
        is_secret(found[1])
        for place in places
        for found in MEMBER.finditer(_text_of(packed[place.start() :][:DECODED_MAX]))
    )


def _text_of(packed: str) -> str:
    """What is in base64, also twice."""
    text = _unpacked(packed)
    again = PACKED.match(text)
    return text if again is None else _unpacked(again[0])


def _unpacked(packed: str) -> str:
    """What such a run is in base64: other signs than its own would be refused."""
    signs = WRITTEN.sub(_sign_of, packed).rstrip("=").translate(STANDARD)
    signs = signs.partition("%")[0].partition("\\")[0]
    whole = signs[: len(signs) - len(signs) % 4]
    return a2b_base64(whole).decode("utf-8", "replace")


def _sign_of(found: re.Match[str]) -> str:
    if found[1]:
        return "+" if found[1] in "Bb" else "/"
    return "/" if found[0].endswith("/") else ""
