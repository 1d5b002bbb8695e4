"""Who may only read finds nothing sign by sign that by itself opens a payment. Choice: D-493."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from simulator.domain.masking.openings import CUT, SHOWN
from simulator.tests.console.hostile.test_openings import READERS, Openings, opened, reader_of
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

PACKED = "eyJtZXNzYWdlVHlwZSI6IkNSZXEiLCJ2IjoiMi4yLjAifQ"
# Where a text is looked for that may be the beginning of an id: {} is the place of the text.
PLACES = (
    "journal/{}", "search?q={}", "payments/{}", "payments?reference={}", "payments?merchant={}",
    "payments?digits={}", "checkouts?merchant={}", "registrations?merchant={}",
    "webhooks?payment={}", "webhooks/events/{}", "settlements/{}", "journal?code={}",
)  # fmt: skip
PATHS = ("journal?path={}", "journal/now?path={}")
# What stands before an id in the paths that merchants ask for.
BEFORE = {
    "checkout": ("/v1/checkouts/", "/v1/payments/"),
    "lower": ("/v1/payments/",),
    "challenge": ("/v1/payments/acsTransID=", "/v1/payments/acs/challenge/"),
    "authentication": ("/v1/payments/threeDSServerTransID=",),
    "packed": ("/v1/payments/",),
}
OTHER = dict(zip("0123456789abcdefABCDEF", "1234567890bcdefaBCDEFA", strict=True))
TIME = re.compile(r"\d\d:\d\d:\d\d[.\d]*")


def looked_for(made: Openings) -> dict[str, str]:
    """What may not be found, each of which a merchant has asked for, too."""
    secrets = {name: value for name, value in made.secrets.items() if name in BEFORE}
    secrets |= {"lower": secrets["checkout"].lower(), "packed": PACKED}
    shop = made.shop
    who = {"Authorization": f"Bearer {shop.merchant.token}"}
    for name, places in BEFORE.items():
        for before in places:
            path, asked = f"{before}{secrets[name]}", f"entityId={shop.merchant.entity_id}"
            shop.gateway.client.simulate_get(path, query_string=asked, headers=who)
    return secrets


def answers(reader: Visitor, made: Openings, name: str, begun: str) -> Iterator[tuple[str, object]]:
    """What each place answers to a beginning: how, how long, and with how many rows."""
    asked = [(place, text) for place in PLACES for text in (begun, f"{begun}{CUT}")]
    for before in BEFORE[name]:
        asked += [(place, f"{before}{begun}{more}") for place in PATHS for more in ("", CUT)]
    for place, text in asked:
        if place.startswith("journal") and "?" in place and len(begun) < SHOWN:
            continue
        path = place.replace("{}", quote(text, safe=""))
        found = reader.get(f"/console/{made.shop.sandbox}/{path}")
        said = TIME.sub("", found.text)
        moved = found.headers.get("Location", "")
        yield place, (found.status_code, len(moved), len(said), said.count("<tr"))


def with_other_end(begun: str) -> str:
    """The same text with another last sign: a digit for a digit, a letter for a letter."""
    return begun[:-1] + OTHER.get(begun[-1], "Z")


@pytest.mark.parametrize("role", READERS)
def test_a_right_sign_is_answered_as_a_wrong_one(
    gateway: Gateway, anna: Visitor, role: str
) -> None:
    made = opened(gateway)
    reader, secrets = reader_of(gateway, anna, made.shop.sandbox, role), looked_for(made)

    betrayed = set()
    for name, secret in secrets.items():
        for length in (1, SHOWN - 1, SHOWN + 1, SHOWN + 2, 20, 33, 40):
            right = secret[:length]
            if right == secret or right.endswith("-"):
                continue
            pairs = zip(
                answers(reader, made, name, right),
                answers(reader, made, name, with_other_end(right)),
                strict=True,
            )
            betrayed |= {(name, place, length) for (place, one), (_, two) in pairs if one != two}

    assert betrayed == set()


def test_the_signs_that_are_shown_lead_on_and_no_others(gateway: Gateway, anna: Visitor) -> None:
    made = opened(gateway)
    checkout = made.secrets["checkout"]
    reader = reader_of(gateway, anna, made.shop.sandbox, "viewer")

    def found(person: Visitor, signs: int) -> tuple[int, bool]:
        text = quote(f"{checkout[:signs]}{CUT}")
        root = f"/console/{made.shop.sandbox}"
        moved = person.get(f"{root}/search?q={text}").headers["Location"]
        return person.get(f"{root}/journal/{text}").status_code, "/journal/" in moved

    for person in (reader, anna):
        assert found(person, SHOWN) == (200, True)
        for signs in (0, 1, SHOWN - 1, SHOWN + 1, 20, 31, len(checkout) - 1, len(checkout)):
            assert found(person, signs) == (404, False), signs
