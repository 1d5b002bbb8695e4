"""What a student does in the copy of a sandbox reaches nothing of the original."""

import json
import re
from collections.abc import Iterator
from itertools import count
from urllib.parse import urlsplit

import pytest

from simulator.domain.core.records import Payment
from simulator.domain.three_d_secure.authentications import Authentication, packed
from simulator.domain.webhooks.records import Endpoint, InboxAddress
from simulator.tests.console.test_class_data import class_with_data, copied, log_of
from simulator.tests.console.test_classes import joined
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.authenticating import SHOP, asking, opened
from simulator.tests.kit.checkout_shop import Shop
from simulator.tests.kit.gateway import FORM, Credentials, Gateway
from simulator.tests.kit.making import Frictionless
from simulator.tests.kit.shopper import CLOCK, Shopper, path_of
from simulator.tests.kit.sinks import Sink
from simulator.tests.merchants.test_requirements import ADDRESS, BROWSER

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
CHANNEL = {"three_d_secure": {"VISA": "2.2.0"}}


class Challenges:
    """A directory server that keeps what it is asked; its ACS has an address for each challenge."""

    def __init__(self, *, method: bool = False):
        self._inner: Frictionless = asking(method=method)
        self._numbers = count(1)
        self.asked: list[dict] = []

    def ask(self, kind: str, document: dict) -> bytes:
        """The answer; each ARes has ids of its own."""
        answer = self._inner.ask(kind, document)
        if kind == "areq":
            self.asked.append(document)
            answer = answer.replace(b"-000000000001", b"-%012d" % next(self._numbers))
        return answer

    def signed(self, content: str) -> dict:
        """What an ARes was signed over."""
        return self._inner.signed(content)


@pytest.fixture
def receiver() -> Iterator[Sink]:
    """The trainer's own server."""
    sink = Sink(lambda number: OK)
    yield sink
    sink.server.stop()


def secured(gateway: Gateway, *, method: bool = False) -> tuple[Shopper, Challenges]:
    """A shop whose shoppers are challenged, and who challenges them."""
    directory = Challenges(method=method)
    gateway._built.links.directory.ask = directory.ask
    gateway._built.links.directory.signed = directory.signed
    made = gateway.control(
        "POST", "/sandboxes", {"merchants": [{"channels": [CHANNEL]}], "clock": CLOCK}
    ).json
    return Shopper(gateway, made["id"], Credentials(made["token"], made["entity_id"])), directory


def challenged(shop: Shopper, **more: str) -> dict:
    """A payment that waits for its challenge."""
    sent = {**BROWSER, **ADDRESS, "shopperResultUrl": SHOP, **more}
    return shop.gateway.post(who=shop.merchant, **sent).json


def phone_of(student: Visitor, own: str, payment: dict) -> str:
    """The address that the phone of a stage shows."""
    page = student.get(f"/console/{own}/stage/phone/{payment['id']}").text
    return re.search(r'src="(/(?:threeDSecure|redirect)/[^"]+)"', page)[1]


def post(gateway: Gateway, address: str, body: str) -> object:
    """POST to a page that a message names."""
    path = urlsplit(address).path
    return gateway.client.simulate_post(path, body=body, content_type=FORM)


def approve(gateway: Gateway, areq: dict, known: Authentication) -> None:
    """What the ACS and the browser do once the shopper confirms: to the addresses of the AReq."""
    ids = {"threeDSServerTransID": areq["threeDSServerTransID"], "acsTransID": known.acs_id}
    rreq = {
        "messageType": "RReq", "messageVersion": "2.2.0", "messageCategory": "01", **ids,
        "dsTransID": known.ds_id, "interactionCounter": "01", "transStatus": "Y",
        "eci": "05", "authenticationValue": "AAABBWFlmQAAAABjRWWZEEFgFz8=",
    }  # fmt: skip
    post(gateway, areq["threeDSServerURL"], json.dumps(rreq))
    cres = {"messageType": "CRes", "messageVersion": "2.2.0", "transStatus": "Y", **ids}
    post(gateway, areq["notificationURL"], f"cres={packed(cres)}")


def code_in(gateway: Gateway, sandbox: str, payment: dict) -> str:
    """The result code of a payment in a sandbox."""
    outcome = gateway.ports(sandbox).store.get(Payment, payment["id"]).outcome
    return str(outcome.code)


@pytest.mark.parametrize("method", [False, True])
def test_a_student_approves_the_payment_of_the_copy_and_not_the_trainers(
    gateway: Gateway, anna: Visitor, method: bool
) -> None:
    shop, directory = secured(gateway, method=method)
    payment = challenged(shop)
    shop.opens(payment)
    (before,) = directory.asked
    student, own = joined(gateway, class_with_data(anna, shop.sandbox), "Ada")

    page = gateway.client.simulate_get(phone_of(student, own, payment)).json
    known = gateway.ports(own).store.get(Authentication, payment["id"])
    areq = directory.asked[-1]
    approve(gateway, areq, known)

    assert opened(page["creq"])["threeDSServerTransID"] != before["threeDSServerTransID"]
    for name in ("notificationURL", "threeDSServerURL"):
        assert own in areq[name] and shop.sandbox not in areq[name]
    assert code_in(gateway, own, payment) == "000.100.110"
    assert code_in(gateway, shop.sandbox, payment) == "000.200.000"


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize("plan", ["pending-then-approved", "pending-then-declined"])
def test_a_payment_that_is_pending_at_the_acquirer_is_not_sent_there_again(
    gateway: Gateway, anna: Visitor, mode: str, plan: str
) -> None:
    shop, directory = secured(gateway)
    script = {"behaviour": plan, "times": 1}
    gateway.control("POST", f"/sandboxes/{shop.sandbox}/scripts", script)
    payment = challenged(shop, testMode=mode)
    shop.opens(payment)
    known = gateway.ports(shop.sandbox).store.get(Authentication, payment["id"])
    approve(gateway, directory.asked[0], known)
    assert code_in(gateway, shop.sandbox, payment) == "000.200.000"
    student, own = joined(gateway, class_with_data(anna, shop.sandbox), "Ada")

    gateway.client.simulate_get(phone_of(student, own, payment))

    assert len(directory.asked) == 1
    for sandbox in (shop.sandbox, own):
        gateway.control("POST", f"/sandboxes/{sandbox}/clock/advance", {"by": "5m"})
        assert gateway.control("GET", f"/sandboxes/{sandbox}/books").json["agree"]
    assert code_in(gateway, own, payment) == code_in(gateway, shop.sandbox, payment)
    assert code_in(gateway, own, payment) != "000.200.000"


@pytest.mark.parametrize("method", [False, True])
def test_no_secret_or_id_of_a_challenge_of_the_original_is_in_its_copy(
    gateway: Gateway, anna: Visitor, method: bool
) -> None:
    shop, _ = secured(gateway, method=method)
    for format in ("json", "hex"):
        hook = {"url": "inbox", "format": format}
        gateway.control("POST", f"/sandboxes/{shop.sandbox}/webhooks", hook)
    payment = challenged(shop)
    gateway.control("POST", f"/sandboxes/{shop.sandbox}/drain", {})
    if not method:
        shop.opens(payment)
    known = gateway.ports(shop.sandbox).store.get(Authentication, payment["id"])
    data = [
        each["value"]
        for frame in payment["redirect"].get("preconditions", ())
        for each in frame["parameters"]
    ]
    token = path_of(payment).rpartition("/")[2]
    own, _ = copied(gateway, anna, shop.sandbox)

    log, original = log_of(gateway, own), log_of(gateway, shop.sandbox)

    for secret in filter(None, (known.secret, known.server_id, known.acs_id, token, *data)):
        assert secret in original and secret not in log
    assert payment["id"] in log and "PAYMENT" in log


def test_a_challenge_that_no_one_comes_to_ends_in_the_copy_as_in_the_original(
    gateway: Gateway, anna: Visitor
) -> None:
    shop, _ = secured(gateway)
    payment = challenged(shop)
    own, _ = copied(gateway, anna, shop.sandbox)

    gateway.control("POST", f"/sandboxes/{own}/clock/advance", {"by": "30m"})

    assert code_in(gateway, own, payment) == "100.396.103"
    assert code_in(gateway, shop.sandbox, payment) == "000.200.000"


def test_the_redirect_page_of_a_copy_opens_that_of_no_other(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    shop = Shopper(gateway, sandbox, gateway.merchant)
    payment = shop.pays()
    link = class_with_data(anna, sandbox)
    people = [joined(gateway, link, name) for name in ("Ada", "Bob")]
    (ada, own), (_, others) = people
    page = phone_of(ada, own, payment)

    for other in (sandbox, others):
        foreign = post(gateway, page.replace(own, other), "action=pay")
        assert foreign.status_code == 404
        assert code_in(gateway, other, payment) == "000.200.000"
    paid = post(gateway, page, "action=pay")
    assert paid.status_code == 303 and "shop.example" not in paid.headers["Location"]
    assert code_in(gateway, own, payment) == "000.100.110"


def test_a_copy_calls_no_address_that_the_original_was_given(
    gateway: Gateway, anna: Visitor, receiver: Sink
) -> None:
    shop = Shop(gateway)
    shopper = Shopper(gateway, shop.sandbox, shop.who)
    asked = {"shopperResultUrl": f"{receiver.url}/back", "notificationUrl": f"{receiver.url}/hook"}
    over, pending = (shopper.pays(**asked) for _ in range(2))
    checkout = shop.prepare(**asked)
    shop.pay(checkout)
    shopper.posts(over, "action=pay")
    assert len(receiver.wait(1)) == 1
    student, own = joined(gateway, class_with_data(anna, shop.sandbox), "Ada")

    student.get(f"/console/{own}/clock")
    for span in ("29m", "3h"):
        moved = student.post(f"/console/{own}/clock/advance", {"by": span})
        assert moved.status_code == 303
    for event in gateway.control("GET", f"/sandboxes/{own}/notices").json["notices"]:
        gateway.control("POST", f"/sandboxes/{own}/notices/{event['id']}/resend", {})
    gateway.control("POST", f"/sandboxes/{own}/drain", {})

    assert code_in(gateway, own, pending) == "100.396.103"
    assert len(receiver.requests) == 1 and receiver.url not in log_of(gateway, own)
    shop.advance("29m")
    assert len(receiver.wait(2)) >= 2, "the original still calls"


def test_a_copied_schedule_calls_no_one_when_it_pays(
    gateway: Gateway, anna: Visitor, receiver: Sink
) -> None:
    shop = Shop(gateway, profile="field")
    hook = {"notificationUrl": receiver.url}
    paid = gateway.post(who=shop.who, createRegistration="true", **hook).json
    sent = {
        "entityId": shop.who.entity_id, "registrationId": paid["registrationId"],
        "paymentType": "DB", "amount": "1.00", "currency": "EUR",
        "job.expression": "0 0 * * * ?", **hook,
    }  # fmt: skip
    made = gateway.send("/scheduling/v1/schedules", sent, shop.who)
    assert made.status_code == 200, made.text
    own, _ = copied(gateway, anna, shop.sandbox)
    gateway.control("POST", f"/sandboxes/{own}/clock/advance", {"by": "2h"})

    assert receiver.url not in log_of(gateway, own)
    assert receiver.requests == []


def test_the_id_of_a_checkout_is_not_found_by_that_of_its_copy(
    gateway: Gateway, anna: Visitor
) -> None:
    shop = Shop(gateway)
    checkout = shop.prepare()
    gateway.control("POST", f"/sandboxes/{shop.sandbox}/checkouts/{checkout}/capability", {})
    own, _ = copied(gateway, anna, shop.sandbox)

    log = log_of(gateway, own)

    assert checkout[:20] not in log
    assert '"capabilities"' not in log
    (moved,) = set(re.findall(r"[0-9A-F]{32}\.[0-9a-z]{15}", log))
    page = gateway.client.simulate_get(f"/form/{moved}")
    assert page.status_code == 200


def test_inbox_and_endpoint_of_a_copy_have_an_address_and_a_secret_of_their_own(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", {"url": "inbox"})
    url = gateway.control("GET", f"/sandboxes/{sandbox}/inbox").json["url"]
    own, who = copied(gateway, anna, sandbox)
    gateway.post(who=who)
    gateway.control("POST", f"/sandboxes/{own}/drain", {})

    inbox = gateway.control("GET", f"/sandboxes/{own}/inbox").json

    assert inbox["url"].rpartition("/")[2] != url.rpartition("/")[2]
    assert inbox["arrived"][-1]["type"] == "PAYMENT", "its own secret opens it"
    secrets = []
    for each in (sandbox, own):
        ports = gateway.ports(each)
        (endpoint,) = ports.store.find(Endpoint, "all", "yes")
        secrets.append(ports.vault.open(endpoint.id, endpoint.secret))
    assert len(set(secrets)) == 2
    assert gateway.ports(own).store.get(InboxAddress, "inbox") is not None
