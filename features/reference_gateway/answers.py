"""Answers: the accepted parameters as nested objects, without those that are never shown."""

import re
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

Sent = Mapping[str, str]
Body = dict[str, Any]

BUILD = "independent-1"
HIDDEN = {"card.number", "card.cvv", "entityId", "merchantMemo", "createRegistration", "testMode"}
HIDDEN |= {"shopperResultUrl", "notificationUrl", "merchantInvoiceId"}
PART = re.compile(r"([^.\[\]]+)|\[([^\]]*)\]")
NAME_LONGEST = 48

TAKEN, DECLINED, PENDING = "000.100.110", "800.100.152", "000.200.000"
CREATED, MALFORMED = "000.200.100", "200.300.404"
UNKNOWN, NO_RIGHT, NOT_NOW = "100.150.200", "800.900.300", "700.400.100"


def answer(code: str, about: str, **members: Any) -> Body:
    """An answer with a result code, and what every answer closes with."""
    given = {name: value for name, value in members.items() if value is not None}
    return closed({**given, "result": {"code": code, "description": about}})


def closed(body: Body) -> Body:
    """An answer with what every answer closes with, made for this request alone."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S+0000")
    return {**body, "buildNumber": BUILD, "timestamp": now, "ndc": secrets.token_hex(16)}


def refusal(wrong: list[str], sent: Sent) -> Body:
    """An answer that names what is wrong, with the value that came where it is no secret."""
    errors = []
    for name in dict.fromkeys(wrong):
        shown = {} if name in HIDDEN or name not in sent else {"value": sent[name]}
        errors.append({"name": name, **shown, "message": "does not fit, or is missing"})
    body = answer(MALFORMED, "invalid or missing parameter")
    body["result"]["parameterErrors"] = errors
    return body


def shown(sent: Sent) -> Body:
    """What was sent, as it is shown: nested, cut where names are cut, the card by its ends."""
    body: Body = {}
    for name, value in sent.items():
        if name not in HIDDEN and not ignored(name, sent):
            put(body, [plain or key for plain, key in PART.findall(name)], cut(name, value))
    number = sent.get("card.number", "")
    if number:
        body["card"] = {"bin": number[:6], "last4Digits": number[-4:], **body.get("card", {})}
    for item in body.get("cart", {}).get("items", []):
        item.setdefault("quantityUnit", "COUNT")
    return body


def ignored(name: str, sent: Sent) -> bool:
    """Whether a street's second line gives way to a house number."""
    address = name.removesuffix(".street2")
    return address != name and bool(sent.get(f"{address}.houseNumber1"))


def cut(name: str, value: str) -> str:
    """A value as it is kept: names of a customer are cut, amounts have two decimals."""
    if name in ("customer.givenName", "customer.surname"):
        return value[:NAME_LONGEST]
    return f"{value}.00" if name == "amount" and "." not in value else value


def put(body: Body, way: list[str], value: str) -> None:
    """Put a value where its name leads: digits index a list, anything else names a member."""
    place: Any = body
    for part, following in zip(way, way[1:], strict=False):
        place = entry(place, part, list if following.isdecimal() else dict)
    place[way[-1]] = value


def entry(place: Any, part: str, new: Callable[[], Any]) -> Any:
    """What stands at a part of a name; something new where nothing stands there yet."""
    if isinstance(place, dict):
        return place.setdefault(part, new())
    while len(place) <= int(part):
        place.append(new())
    return place[int(part)]
