"""Secrets within a value: a text in base64, a private key, and the token of a wallet.

A text that one program packs in base64 for another is masked whole where something in it would be
masked: a token, a card number, a form, JSON or XML, in a row or in lines, in UTF-8 or UTF-16, and
in base64 twice. What is compressed or encrypted is not looked into. What was looked through is not
looked through again. Choice: D-94.
"""

import re
from binascii import a2b_base64
from collections.abc import Callable, Iterator, Mapping

# Whether something in a text would be masked, had it not been in base64.
HoldsSecret = Callable[[str], bool]

# The end of a line, indented or not, and the blank that it becomes where lines are pasted into one:
# no word follows that.
BREAK = r"\r?\n|\\{1,3}[rnt]|%(?:25){0,2}0[ADad]|<br ?/?>|&#1[03];"
LINE_END = (
    rf"(?<=[\w+/-]{{16}})[ \t]{{0,8}}(?:(?:{BREAK})[ \t]{{0,8}}){{1,6}}(?=[\w+/-])"
    r"|(?<=[\w+/-]{40}) (?=[\w+/-]{20})"
)
# A sign of base64, in an address or JSON too.
SIGN = rf"[\w+/-]|%(?:25){{0,2}}2[BbFf]|\\{{1,3}}/|(?:{LINE_END})"
PADDING = r"=|%(?:25){0,2}3[Dd]|\\{1,3}u003[Dd]"
RUN_MIN = 16
RUN = re.compile(rf"(?:{SIGN}){{{RUN_MIN},}}+(?:{PADDING}){{0,2}}", re.ASCII)
RUN_IN_BYTES = re.compile(RUN.pattern.encode())
# How three signs of ASCII begin in base64: with the bits 001 to 011, or as tabs and line ends with
# 0000. Ids, names and paths hardly ever read so three times in a row.
ASCII = "[CDI-Za-f][ACD-HQS-Xgi-nwy-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589]"
# The same with a zero byte beside each sign, in either order.
UTF_16 = r"[CDI-Za-f][AQgw][AB][\w+/-]A[AC-H][AEIMQUYcgkosw048]A"
TEXT = re.compile(rf"(?:{ASCII}[\w+/-]){{3,}}+|(?:{UTF_16}){{2,}}+", re.ASCII)
TEXT_IN_BYTES = re.compile(TEXT.pattern.encode())
# For a look at bytes: signs of base64 as 0, anything else as _. Runs are found much faster so.
SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
SIGN_TABLE = bytes(48 if sign in SIGNS else 95 for sign in range(256))
LONG_RUN = b"0" * RUN_MIN
# What stands for a sign of base64, and the other alphabet.
WRITTEN = re.compile(rf"%(?:25){{0,2}}2([BbFf])|\\+/|{BREAK}|[ \t]")
STANDARD = str.maketrans("-_", "+/")
# So much of one is decoded, and a longer text masked unseen: a token of a wallet has 3,004 signs.
DECODED_MAX = 16 * 1024
# The id of a transaction of 3-D Secure, which many fill with the digits of a counter: longer than
# the number of a card.
XID = re.compile("[0-9]{20,}")
# A private key as files have it, to its end or that of the text.
PRIVATE_KEY = re.compile(
    r"-----BEGIN(?:[ +A-Z0-9]|%20){0,40}PRIVATE(?:[ +]|%20)KEY-.*?(?:-----END[^-]{0,60}-----|\Z)",
    re.DOTALL,
)
# The members of a token in both protocols of wallets.
TOKEN_KEY, SIGNATURE = "ephemeralPublicKey", "signature"
CONTENTS = ("data", "signedMessage")


def without_packed(text: str, mask: str, holds_secret: HoldsSecret) -> str:
    """The text with a mask in place of each private key, and of each text in base64 that holds a
    secret.
    """
    if "PRIVATE" in text:
        text = PRIVATE_KEY.sub(mask, text)
    if not TEXT.search(text):
        return text
    return RUN.sub(
        lambda found: mask if _is_hidden(found[0], holds_secret) else found[0],
        text,
    )


def may_be_packed(encoded: bytes, holds_secret: HoldsSecret) -> bool:
    """Whether there may be such a key or text in a text in UTF-8: a look of some microseconds."""
    if b"-----BEGIN" in encoded:
        return True
    flat = encoded.translate(SIGN_TABLE)
    position = flat.find(LONG_RUN)
    while position >= 0:
        end = flat.find(b"_", position) % (len(flat) + 1)
        if TEXT_IN_BYTES.search(encoded, position, end):
            run = RUN_IN_BYTES.match(encoded, position)
            if run is None or _is_hidden(run[0].decode(), holds_secret):
                return True
            end = run.end()
        position = flat.find(LONG_RUN, end)
    return False


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


def _is_hidden(packed: str, holds_secret: HoldsSecret) -> bool:
    signs = _signs_of(packed)
    texts = _texts_in(signs[:DECODED_MAX])
    if any(
        PRIVATE_KEY.search(text) or (holds_secret(text) and not XID.fullmatch(text))
        for text in texts
    ):
        return True
    # Many ids in lines are as long, and hold no more than a few signs that read as text.
    return len(signs) > DECODED_MAX and sum(map(len, TEXT.findall(signs))) * 2 > len(signs)


def _texts_in(signs: str) -> Iterator[str]:
    """The texts that signs of base64 may stand for, and those in base64 in them."""
    for text in _unpacked(signs):
        yield text
        for again in RUN.finditer(text):
            yield from _unpacked(_signs_of(again[0]))


def _unpacked(signs: str) -> Iterator[str]:
    for place in {each.start() % 4 for each in TEXT.finditer(signs)}:
        rest = signs[place : len(signs) - ((len(signs) - place) % 4 == 1)]
        decoded = a2b_base64(rest + "=" * (-len(rest) % 4))
        yield decoded.decode("utf-8", "replace").replace("\0", "")


def _signs_of(packed: str) -> str:
    """The signs of a run in the one alphabet: others would be refused."""
    signs = WRITTEN.sub(_sign_of, packed).rstrip("=").translate(STANDARD)
    return signs.partition("%")[0].partition("\\")[0]


def _sign_of(found: re.Match[str]) -> str:
    if found[1]:
        return "+" if found[1] in "Bb" else "/"
    return "/" if found[0].endswith("/") else ""
