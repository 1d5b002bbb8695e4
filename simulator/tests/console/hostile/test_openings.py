"""Who may only read gets nothing that by itself opens or moves a payment. Choice: D-493."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import pytest

from simulator.domain.console.rights import Right
from simulator.domain.core.records import Payment
from simulator.domain.masking.openings import SHOWN
from simulator.domain.three_d_secure.authentications import Authentication
from simulator.tests.console.hostile.test_hidden import post_to_inbox
from simulator.tests.console.hostile.test_sandbox_copies import challenged, secured
from simulator.tests.console.test_classes import LINK, joined
from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.shopper import Shopper
from simulator.web.console.routes import EVENT, ROWS, SANDBOX

READERS = ("viewer", "trainer", "spectator")
OPEN = {"paymentType": "DB", "amount": "92.00", "currency": "EUR"}
# Those of the test kit are alike in all but a few digits.
ACS_IDS = (b"a0000000-0000-4000-8000-", b"a71c02d9-5b3e-4f68-91ac-")
SHOWN_WITHOUT_ID = ("/search", "/stage/lesson.html", "/settlements/{run}", "/picture.svg")


class Openings(NamedTuple):
    """A sandbox in which a checkout is open, a challenge and a redirect wait, and what opens
    them, by what it is; and the payments.
    """

    shop: Shopper
    secrets: dict[str, str]
    payments: list[str]


def opened(gateway: Gateway, *, method: bool = False) -> Openings:
    shop, directory = secured(gateway, method=method)
    ask = directory.ask
    gateway._built.links.directory.ask = lambda kind, sent: ask(kind, sent).replace(*ACS_IDS)
    inbox = f"/sandboxes/{shop.sandbox}/webhooks"
    assert gateway.control("POST", inbox, {"url": "inbox"}).status_code == 201
    held, sent = challenged(shop), shop.pays()
    for each in (held, sent):
        shop.opens(each)
        shop.gateway.read(each["id"], shop.merchant)
    checkout, capability = _checkout_of(shop)
    _repeat(shop, checkout)
    gateway.control("POST", f"/sandboxes/{shop.sandbox}/drain", {})
    known = gateway.ports(shop.sandbox).store.get(Authentication, held["id"])
    _reveal_to_merchant(shop, checkout, known)
    box = gateway.control("GET", f"/sandboxes/{shop.sandbox}/inbox").json["url"]
    secrets = {
        "checkout": checkout,
        "capability": capability,
        "challenge": known.acs_id,
        "authentication": known.server_id,
        "page of the challenge": held["redirect"]["url"].rsplit("/", 1)[1],
        "page of the bank": sent["redirect"]["url"].rsplit("/", 1)[1],
        "inbox": box.rsplit("/", 1)[1],
        "token": shop.merchant.token,
    }
    return Openings(shop, secrets, [held["id"], sent["id"]])


def _checkout_of(shop: Shopper) -> tuple[str, str]:
    """An open checkout, and the capability of a form of it."""
    sent = {"entityId": shop.merchant.entity_id, **OPEN}
    checkout = shop.gateway.send("/v1/checkouts", sent, shop.merchant).json["id"]
    form = shop.gateway.client.simulate_post(
        f"/form/{checkout}/open", headers={"Origin": "http://falconframework.org"}
    )
    return checkout, form.json["capability"]


def _repeat(shop: Shopper, checkout: str) -> None:
    """What merchants and their shops ask with the id in path, query and fields."""
    who = {"Authorization": f"Bearer {shop.merchant.token}"}
    coded = quote(f"/v1/checkouts/{checkout}/payment", safe="")
    for path in (
        f"v1/checkouts/{checkout}/payment",
        f"v1/checkouts/{checkout}",
        f"v1/payments/{checkout}",
        f"v1/checkouts/{checkout.replace('.', '%2E')}",
    ):
        for more in ("", f"&resourcePath={coded}", f"&id={checkout}"):
            query = f"entityId={shop.merchant.entity_id}{more}"
            shop.gateway.client.simulate_get(f"/{path}", query_string=query, headers=who)
    shop.gateway.post(who=shop.merchant, **{"customParameters[checkout]": checkout})
    shop.gateway.post(who=shop.merchant, merchantTransactionId=checkout)
    shop.gateway.send(f"/v1/checkouts/{checkout}", {"amount": "x"}, shop.merchant)


def _reveal_to_merchant(shop: Shopper, checkout: str, known: Authentication) -> None:
    """The ids of a challenge where a client repeats them, and in messages to the inbox."""
    ids = {"threeDSecure.acsTransactionId": known.acs_id}
    shop.gateway.post(who=shop.merchant, **ids)
    event = {"type": "PAYMENT", "action": "CREATED", "payload": {
        "id": checkout, "threeDSecure": {"acsTransactionId": known.acs_id},
        "text": json.dumps({"threeDSServerTransID": known.server_id})}}  # fmt: skip
    post_to_inbox(shop.gateway, shop.sandbox, json.dumps(event))
    post_to_inbox(shop.gateway, shop.sandbox, f"{checkout} acsTransID={known.acs_id}")


def reader_of(gateway: Gateway, anna: Visitor, sandbox: str, role: str) -> Visitor:
    """A person who may only read this sandbox."""
    if role != "spectator":
        return person_of(gateway, role, "ben")
    anna.get("/console/classes")
    page = anna.post("/console/classes", {"seed": "7", "stage": sandbox}).text
    return joined(gateway, LINK.search(page)[0], "Eve", "spectator")[0]


def pages_for(reader: Visitor, made: Openings) -> Iterator[tuple[str, str]]:
    """Every page of the sandbox that reading is enough for, by its path."""
    root, gateway = f"/console/{made.shop.sandbox}", made.shop.gateway
    base = f"/sandboxes/{made.shop.sandbox}"
    merchants = gateway.control("GET", f"{base}/merchants").json["merchants"]
    entries = gateway.control("GET", f"{base}/journal?limit=100").json["entries"]
    named = {
        "payment": made.payments,
        "ndc": [quote(each, safe="") for each in {each["ndc"] for each in entries}],
        "event": [each["id"] for each in gateway.control("GET", f"{base}/notices").json["notices"]],
    }
    assert merchants and len(named["ndc"]) > 5 and named["event"]
    for row in ROWS:
        is_here = row.method == "GET" and row.right is Right.READ and SANDBOX in row.path
        if not is_here or row.path.endswith(SHOWN_WITHOUT_ID):
            continue
        path = row.path.replace(SANDBOX, root)
        name = next(iter(re.findall(r"\{(\w+)\}", path)), "")
        for one in named[name] if name else [""]:
            for more in ("", "?unfold=1"):
                asked = path.replace(f"{{{name}}}", one)
                answer = reader.get(asked + more)
                assert answer.status_code in (200, 404), (asked, answer.text)
                yield asked + more, answer.text + str(answer.headers)


def shown_of(secrets: dict[str, str], pages: Iterator[tuple[str, str]]) -> set[tuple[str, str]]:
    """Of which secrets more than the first signs stands on which pages. The end of a checkout's id
    says of which sandbox it is, and no more.
    """
    found = set()
    for path, text in pages:
        plain, place = unquote(text), path.partition("/console/")[2].partition("/")[2]
        for what, secret in secrets.items():
            if secret[: SHOWN + 4] in plain or secret[SHOWN : SHOWN + 16] in plain:
                found.add((what, place))
    return found


@pytest.mark.parametrize("method", [False, True])
@pytest.mark.parametrize("role", READERS)
def test_no_reader_gets_what_opens_something(
    gateway: Gateway, anna: Visitor, role: str, method: bool
) -> None:
    made = opened(gateway, method=method)
    reader = reader_of(gateway, anna, made.shop.sandbox, role)

    pages = dict(pages_for(reader, made))

    assert shown_of(made.secrets, iter(pages.items())) == set()
    packed = {path for path, text in pages.items() if re.search(r"eyJ[\w-]{16}", text)}
    assert packed == set()
    assert EVENT in {row.path for row in ROWS}
    assert made.secrets["checkout"][:SHOWN] in pages[f"/console/{made.shop.sandbox}/checkouts"]


def test_who_may_change_the_sandbox_sees_the_ids_of_checkouts(
    gateway: Gateway, anna: Visitor
) -> None:
    made = opened(gateway)
    operator = person_of(gateway, "operator", "olga")
    for person in (anna, operator):
        page = person.get(f"/console/{made.shop.sandbox}/checkouts").text
        assert made.secrets["checkout"] in page
    journal = gateway.control("GET", f"/sandboxes/{made.shop.sandbox}/journal?limit=100").text
    assert made.secrets["checkout"] in journal


def recorded_in(gateway: Gateway, anna: Visitor, made: Openings) -> str:
    """The pages of a sandbox with a recording in which its open checkout is asked for."""
    root = f"/console/{made.shop.sandbox}"
    anna.get(f"{root}/stage")
    anna.post(f"{root}/recording", {"deed": "begin"})
    about = {"operation": "read_checkout", "about": made.secrets["checkout"], "deed": "send"}
    assert anna.post(f"{root}/workbench", about).status_code == 200
    return root


def test_who_may_only_read_keeps_no_recording(gateway: Gateway, anna: Visitor) -> None:
    root = recorded_in(gateway, anna, opened(gateway))
    tom = person_of(gateway, "trainer", "tom")
    tom.get("/console")

    refused = tom.post(f"{root}/recording/keep", {"title": "Mine"})

    assert refused.status_code == 403 and "A trainer acts in lessons" in refused.text
    assert "/file" not in tom.get("/console/lessons").text


def test_a_story_that_was_kept_opens_nothing_in_its_sandbox(
    gateway: Gateway, anna: Visitor
) -> None:
    made = opened(gateway)
    root = recorded_in(gateway, anna, made)
    assert made.secrets["checkout"] in anna.get(f"{root}/recording.yaml").text
    kept = anna.post(f"{root}/recording/keep", {"title": "Kept"})
    tom = person_of(gateway, "trainer", "tom")
    (path,) = re.findall('"(/console/lessons/[^"]+/file)"', tom.get(kept.headers["Location"]).text)

    story = tom.get(path).text

    assert shown_of(made.secrets, iter([(path, story)])) == set()
    assert made.secrets["checkout"][:SHOWN] in story


def test_a_reader_goes_from_a_checkout_to_what_was_asked_of_it(
    gateway: Gateway, anna: Visitor
) -> None:
    made = opened(gateway)
    viewer, root = person_of(gateway, "viewer", "ben"), f"/console/{made.shop.sandbox}"
    link = re.search(rf'href="({root}/search\?q=[^"]+)"', viewer.get(f"{root}/checkouts").text)[1]

    moved = viewer.get(quote(link, safe="/?=%"))
    shown = viewer.get(moved.headers["Location"])

    assert moved.headers["Location"].startswith(f"{root}/journal/{made.secrets['checkout'][:8]}")
    assert shown.status_code == 200 and "/v1/checkouts" in shown.text
    assert viewer.get(f"{root}/journal/{quote('00000000…')}").status_code == 404
    assert viewer.get(f"{root}/search?q={quote('…')}").status_code == 303


def test_a_reader_does_not_find_an_id_sign_by_sign(gateway: Gateway, anna: Visitor) -> None:
    made = opened(gateway)
    root, checkout = f"/console/{made.shop.sandbox}/journal", made.secrets["checkout"]
    right, wrong = checkout[:9], checkout[:8] + ("0" if checkout[8] != "0" else "1")
    viewer = person_of(gateway, "viewer", "ben")

    def rows(person: Visitor, begun: str, page: str = "") -> Any:
        return person.get(f"{root}{page}?path=/v1/checkouts/{begun}").text.count("<td>")

    for page in ("", "/now"):
        assert rows(viewer, right, page) == rows(viewer, wrong, page) > 0
    assert rows(anna, right) > 0 == rows(anna, wrong)
    assert rows(viewer, "00000000") == 0
    assert gateway.ports(made.shop.sandbox).store.get(Payment, made.payments[0]) is not None
