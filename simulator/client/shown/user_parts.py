"""The user part of an address in a text: it holds a password, or is a key.

An address is found as it is, within JSON, and percent-encoded up to three times. What was looked
through is not looked through again: masking is linear. Choice: D-94.
"""

import re
from typing import NamedTuple

AT = r"(?:@|%(?:25){0,2}40|\\{1,3}u0040)"
COLON = r"(?::|%(?:25){0,2}3[Aa]|u003[Aa])"
# The same, each of a length of its own.
COLONS = (":", r":\\", "%3[Aa]", "%253[Aa]", "%25253[Aa]", r"\\u003[Aa]", r"\\u003[Aa]\\")
# What follows a value and its comma, colon or bracket in a list or an object.
NEXT = r"-?[0-9.]++(?:[,}\])]|%)|true|false|null|\Z"
# No address goes on behind a blank, or behind a quote that ends a value.
STOPS = rf"[\s\0]|['\"](?=[\s;<>&]|[,:}}\])](?:[\s'\"\\,:}}\])\[{{<>&;]|{NEXT}))"
# Digits with one of these behind them are a port, and no password.
PORT_ENDS = r"[/?<]|%(?:25){0,2}(?:2[Ff]|3[FfCc])|\\{1,3}u00(?:2[Ff]|3[FfCc])"
# A user without a password is a key of an interface, or stands for a person: `ssh://git@host`.
IS_WEB = re.compile(rf"https?\\{{0,3}}{COLON}\\{{0,3}}\Z", re.IGNORECASE)
SCHEME_LENGTH_MAX = 20
# A host and something behind a comma: `https://shop.example,anna@example.com`.
HOST_IN_LIST = re.compile(r"[^,;]*\.[A-Za-z]{2,63}[,;]")
WITH_PASSWORD = re.compile(COLON)
USER = re.compile(rf"(?s:(.*)){AT}")
AT_IN_BYTES = re.compile(AT.encode())
# One of them stands in every text with an AT.
AT_SIGNS = (b"@", b"%", b"\\")


class AddressForm(NamedTuple):
    """A notation of addresses: a sign that each has, and the pattern of the slashes and of all
    behind them that may be user, password and host.
    """

    sign: str
    pattern: re.Pattern[str]
    sign_in_bytes: bytes
    pattern_in_bytes: re.Pattern[bytes]


def _form(sign: str, slash: str, more: str, *, colon: str, ends: str, stops: str) -> AddressForm:
    each, slashes = rf"(?!{stops})[\s\S]", slash + more
    # A port, or the scheme of an address within this one.
    no_password = rf"[0-9]{{1,5}}(?:{PORT_ENDS}|{stops}|\Z)|{slashes}|{stops}|\Z"
    # A password that was not encoded may have what ends a host.
    with_password = (
        rf"(?:(?!{colon}|{ends}|\[|{AT}){each})*+{colon}(?!{no_password})"
        rf"(?:{each})*+"
    )
    host = rf"(?:(?!{ends}|{colon}{slashes}){each})*+"
    # One slash alone is enough behind the colon of a scheme such as http.
    alone = "|".join(rf"(?<=[PpSs]{colon}{slash})" for colon in COLONS)
    whole = rf"(?P<slashes>{slash}(?:{more}|{alone}))(?P<rest>{with_password}|{host})"
    return AddressForm(sign, re.compile(whole, re.ASCII), sign.encode(), re.compile(whole.encode()))


def _encoded(percent: str) -> AddressForm:
    goes_on = rf"{percent}(?:2[0279Cc]|3[AaBb]|5[BbCcDd]|7[BbDd])|[&+]|{NEXT}"
    ends_value = rf"(?:{percent}(?:20|3[Bb]|(?:2[9Cc]|3[Aa]|[57][Dd])(?:{goes_on}))|[&+]|\Z)"
    return _form(
        "%",
        rf"{percent}2[Ff]",
        rf"(?:{percent}2[Ff])++",
        colon=rf"(?::|{percent}3[Aa])",
        ends=rf"(?:[/?#]|{percent}(?:2[Ff3]|3[Ff]))",
        stops=rf"[\s\0&]|{percent}(?:20|0[0AaDd]|2[27]{ends_value})",
    )


FORMS = (
    _form("/", "/", r"(?:\\{0,3}/)++", colon=COLON, ends="[/?#]", stops=STOPS),
    _form(
        "\\",
        "u002[Ff]",
        r"(?:\\{1,3}u002[Ff])++",
        colon=COLON,
        ends=r"(?:[/?#]|\\{1,3}u00(?:2[Ff3]|3[Ff]))",
        stops=STOPS,
    ),
    _encoded("%"),
    _encoded("%25"),
    _encoded("%2525"),
)


def without_user_parts(text: str, mask: str) -> str:
    """The text with a mask in place of the user part of each address."""
    for form in FORMS:
        if form.sign in text:
            text = form.pattern.sub(lambda found: _without_user(found, mask), text)
    return text


def may_have_user_part(encoded: bytes) -> bool:
    """Whether an address in a text in UTF-8 may have a user part: a look of some microseconds."""
    return any(sign in encoded for sign in AT_SIGNS) and any(
        AT_IN_BYTES.search(found["rest"])
        for form in FORMS
        if form.sign_in_bytes in encoded
        for found in form.pattern_in_bytes.finditer(encoded)
    )


def _without_user(found: re.Match[str], mask: str) -> str:
    user = USER.match(found["rest"])
    if user is None:
        return found[0]
    before = found.string[max(0, found.start() - SCHEME_LENGTH_MAX) : found.start()]
    has_password = WITH_PASSWORD.search(user[1])
    is_key = IS_WEB.search(before) and not HOST_IN_LIST.match(user[1])
    if not has_password and not is_key:
        return found[0]
    return f"{found['slashes']}{mask}{found['rest'][user.end(1) :]}"
