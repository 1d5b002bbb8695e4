"""What an AReq says of the shopper's browser, where the merchant left it to the page behind
redirect.url. Choice: D-283.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

PREFIX = "customer.browser."
# What the page's own form is called by; a merchant's redirect.parameters have other names.
COLLECTED = "browser"

# fmt: off
# The parameters without which no AReq can be written: pattern, and what an unknown browser gets.
NEEDED: Mapping[str, tuple[re.Pattern[str], str]] = MappingProxyType({
    "acceptHeader": (re.compile(r"[ -~]{1,2048}"),   "*/*"),
    "language":     (re.compile(r"[A-Za-z0-9-]{1,8}"), "en"),
    "screenHeight": (re.compile(r"[0-9]{1,6}"),      "1080"),
    "screenWidth":  (re.compile(r"[0-9]{1,6}"),      "1920"),
    "timezone":     (re.compile(r"-?[0-9]{1,4}"),    "0"),
    "userAgent":    (re.compile(r"[ -~]{1,2048}"),   "unknown"),
    "javaEnabled":  (re.compile(r"true|false"),      "false"),
})
# fmt: on


def lacks_browser(sent: Mapping[str, str]) -> bool:
    """Whether a payment was sent without all that an AReq needs of the browser."""
    return any(f"{PREFIX}{name}" not in sent for name in NEEDED)


def browser_of(
    form: Mapping[str, object], *, accept: str, languages: str, agent: str
) -> dict[str, str]:
    """What a browser shows of itself: by its headers, by what the page collected, else a usual
    value. Nothing of it is trusted further than its format.
    """
    language = re.split(r"[,;]", languages)[0].strip()
    shown = {"acceptHeader": accept[:2048], "language": language[:8], "userAgent": agent[:2048]}
    found = {name: str(form.get(name, "")) for name in NEEDED} | shown
    return {
        f"{PREFIX}{name}": found[name] if pattern.fullmatch(found[name]) else usual
        for name, (pattern, usual) in NEEDED.items()
    }
