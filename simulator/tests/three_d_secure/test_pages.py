"""Where browsers, the directory server and merchants find 3-D Secure over HTTP."""

import json
import re
from urllib.parse import urlsplit

import pytest
from falcon.testing import Result

from simulator.derive.schemas.three_d_secure import MESSAGE_BYTES_MAX
from simulator.domain.core.records import Payment
from simulator.domain.three_d_secure.authentications import Authentication, packed
from simulator.tests.kit.authenticating import ACS_URL, SHOP, asking, opened
from simulator.tests.kit.gateway import FORM, Credentials, Gateway
from simulator.tests.kit.making import Frictionless
from simulator.tests.kit.shopper import BROWSER as WANTS_PAGE
from simulator.tests.kit.shopper import CLOCK, path_of
from simulator.tests.kit.sinks import sink
from simulator.tests.merchants.test_requirements import ADDRESS, BROWSER

SECURED = {"merchants": [{"channels": [{"three_d_secure": {"VISA": "2.2.0"}}]}], "clock": CLOCK}


class Shop:
    """A shop whose channel asks, in front of a directory server of the test."""

    def __init__(self, gateway: Gateway, directory: Frictionless):
        gateway._built.links.directory.ask = directory.ask
        gateway._built.links.directory.signed = directory.signed
        made = gateway.control("POST", "/sandboxes", SECURED).json
        self.gateway, self.sandbox = gateway, made["id"]
        self.merchant = Credentials(made["token"], made["entity_id"])

    def pays(self, path: str = "/v1/payments", **more: str | None) -> dict:
        """A payment that is authenticated."""
        sent = {**BROWSER, **ADDRESS, "shopperResultUrl": SHOP, **more}
        return self.gateway.post(path, who=self.merchant, **sent).json

    def known(self, payment: dict) -> Authentication:
        """What is stored of it."""
        return self.gateway.ports(self.sandbox).store.get(Authentication, payment["id"])

    def opens(self, payment: dict, headers: dict | None = None) -> Result:
        """GET of the redirect page."""
        return self.gateway.client.simulate_get(path_of(payment), headers=headers)

    def posts(self, payment: dict, page: str, body: str | bytes, **more: object) -> Result:
        """POST to another page of the payment."""
        path = path_of(payment).rpartition("/")[0] + f"/{page}"
        return self.gateway.client.simulate_post(path, body=body, content_type=FORM, **more)

    def cres(self, payment: dict, status: str = "Y") -> str:
        """What the browser brings back."""
        known = self.known(payment)
        made = {"messageType": "CRes", "messageVersion": "2.2.0", "transStatus": status}
        ids = {"threeDSServerTransID": known.server_id, "acsTransID": known.acs_id}
        return f"cres={packed({**made, **ids})}"

    def send_rreq(self, payment: dict, status: str = "Y", *, behind: str = "") -> Result:
        """The RReq of the directory server, with more `behind` it."""
        known = self.known(payment)
        made = {
            "messageType": "RReq", "messageVersion": "2.2.0", "messageCategory": "01",
            "threeDSServerTransID": known.server_id, "acsTransID": known.acs_id,
            "dsTransID": known.ds_id, "interactionCounter": "01", "transStatus": status,
            "eci": "05", "authenticationValue": "AAABBWFlmQAAAABjRWWZEEFgFz8=",
        }  # fmt: skip
        return self.posts(payment, f"results/{known.secret}", json.dumps(made) + behind)


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    """A shop whose shoppers are challenged."""
    return Shop(gateway, asking())


def test_a_program_receives_the_address_of_the_challenge(shop: Shop) -> None:
    payment = shop.pays()
    answer = shop.opens(payment)

    assert (answer.status_code, answer.json["acsURL"]) == (200, ACS_URL)
    creq = opened(answer.json["creq"])
    assert (creq["messageType"], creq["acsTransID"]) == ("CReq", shop.known(payment).acs_id)


def test_a_browser_is_taken_there_by_a_page_that_stands_alone(shop: Shop) -> None:
    payment = shop.pays()
    page = shop.opens(payment, {**WANTS_PAGE, "Host": urlsplit(payment["redirect"]["url"]).netloc})
    policy = dict(
        part.split(" ", 1) for part in page.headers["content-security-policy"].split("; ")
    )

    assert re.search(r'<form method="post" action="([^"]*)">', page.text)[1] == ACS_URL
    assert 'name="creq"' in page.text and not re.search(r"(src|href)=", page.text)
    assert (policy["default-src"], policy["form-action"]) == ("'none'", "http://acs.test")
    assert page.headers["referrer-policy"] == "no-referrer"


def test_a_page_that_was_opened_elsewhere_leads_on_to_the_acs_there(shop: Shop) -> None:
    page = shop.opens(shop.pays(), WANTS_PAGE)

    assert re.search(r'<form method="post" action="([^"]*)">', page.text)[1] == "/acs/challenge/1"
    assert "form-action 'self'" in page.headers["content-security-policy"]


def test_a_result_that_blanks_make_too_long_is_refused(shop: Shop) -> None:
    payment = shop.pays()
    answer = shop.send_rreq(payment, behind=" " * MESSAGE_BYTES_MAX).json

    assert (answer["messageType"], answer["errorCode"]) == ("Erro", "101")
    assert shop.send_rreq(payment).json["messageType"] == "RRes"


def test_result_and_browser_together_end_the_payment_and_lead_back(shop: Shop) -> None:
    payment = shop.pays()

    assert shop.send_rreq(payment).json["messageType"] == "RRes"
    back = shop.posts(payment, "return", shop.cres(payment))
    assert (back.status_code, back.json["result"]["code"]) == (303, "000.100.110")
    assert back.headers["location"].startswith(f"{SHOP}&id={payment['id']}&resourcePath=")
    assert "%2Fv1%2Fpayments%2F" in back.headers["location"]
    assert shop.opens(payment).status_code == 307
    page = shop.opens(payment, WANTS_PAGE)
    assert "The payment is complete." in page.text


def test_what_is_shown_fits_the_schema_and_hides_the_secret(shop: Shop) -> None:
    payment = shop.pays()

    assert payment["threeDSecure"]["flow"] == "challenge"
    assert shop.known(payment).secret not in json.dumps(payment)


@pytest.mark.parametrize("page", ["method", "return"])
def test_a_page_with_an_unknown_message_is_not_found(shop: Shop, page: str) -> None:
    payment = shop.pays()

    assert shop.posts(payment, page, "cres=abc&threeDSMethodData=abc").status_code == 404
    html = shop.posts(payment, page, "", headers=WANTS_PAGE)
    assert (html.status_code, "There is no such page" in html.text) == (404, True)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_an_address_that_is_wrong_in_any_part_leads_nowhere(shop: Shop, part: int) -> None:
    payment = shop.pays()
    parts = path_of(payment).split("/")[2:]
    parts[part] = parts[part][::-1]
    payment["redirect"]["url"] = "http://gateway.test/threeDSecure/" + "/".join(parts)

    assert shop.opens(payment).status_code == 404


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"\xff", b"{" * 100, b"1" * 70_000])
def test_what_is_no_result_is_answered_by_erro(shop: Shop, body: bytes) -> None:
    payment = shop.pays()
    secret = shop.known(payment).secret
    answer = shop.posts(payment, f"results/{secret}", body)

    assert (answer.status_code, answer.json["messageType"]) == (200, "Erro")
    assert shop.known(payment).answered == ""


def test_a_result_for_no_payment_is_answered_by_erro(shop: Shop) -> None:
    payment = shop.pays()
    path = f"/threeDSecure/{shop.sandbox}/{'8' * 32}/results/{'0' * 48}"

    answer = shop.gateway.client.simulate_post(path, body=b"{}")
    assert (answer.json["messageType"], answer.json["errorCode"]) == ("Erro", "301")
    wrong = shop.posts(payment, f"results/{'0' * 48}", b"{}")
    assert wrong.json["messageType"] == "Erro"


def test_the_method_is_called_in_a_frame_of_the_shop(gateway: Gateway) -> None:
    shop = Shop(gateway, asking(method=True))
    payment = shop.pays()
    (precondition,) = payment["redirect"]["preconditions"]

    assert {name: precondition[name] for name in ("origin", "waitUntil", "method")} == {
        "origin": "iframe#hidden", "waitUntil": "iframe#load", "method": "POST"
    }  # fmt: skip
    (parameter,) = precondition["parameters"]
    done = shop.posts(payment, "method", f"threeDSMethodData={parameter['value']}")
    assert done.status_code == 200
    assert "frame-ancestors" not in done.headers["content-security-policy"]
    assert shop.known(payment).is_method_done
    assert "acsURL" in shop.opens(payment).json


def test_an_authentication_alone_has_paths_of_its_own(shop: Shop) -> None:
    begun = shop.pays("/v1/threeDSecure", paymentType=None)
    assert (begun["paymentType"], begun["result"]["code"]) == ("3D", "000.200.000")
    shop.send_rreq(begun)
    back = shop.posts(begun, "return", shop.cres(begun))

    assert "resourcePath=%2Fv1%2FthreeDSecure%2F" in back.headers["location"]
    found = read(shop, f"/v1/threeDSecure/{begun['id']}")
    assert found.json["result"]["code"] == "000.100.110"
    assert read(shop, f"/v1/threeDSecure/{'8' * 32}").status_code == 404


def test_the_notification_url_of_an_authentication_alone_gets_the_path_of_the_shopper(
    shop: Shop,
) -> None:
    with sink(200) as receiver:
        begun = shop.pays("/v1/threeDSecure", paymentType=None, notificationUrl=receiver.url)
        shop.send_rreq(begun)
        back = shop.posts(begun, "return", shop.cres(begun))
        (call,) = receiver.wait(1)

    came = urlsplit(call.line.split()[1]).query
    assert came == f"id={begun['id']}&resourcePath=%2Fv1%2FthreeDSecure%2F{begun['id']}"
    assert back.headers["location"].endswith(came)


def test_secrets_stand_in_no_journal_or_trace(shop: Shop) -> None:
    payment = shop.pays()
    secrets = (shop.known(payment).secret, urlsplit(payment["redirect"]["url"]).path[-48:])
    shop.opens(payment)
    shop.send_rreq(payment)
    shop.posts(payment, "return", shop.cres(payment))
    trace = f"/sandboxes/{shop.sandbox}/payments/{payment['id']}/trace"

    for path in (f"/sandboxes/{shop.sandbox}/journal", trace, f"{trace}.svg"):
        answer = shop.gateway.control("GET", path)
        assert answer.status_code == 200, path
        assert not any(secret in answer.text for secret in secrets)
        assert "4200000000000000" not in answer.text
    assert "gateway -> acquirer" in shop.gateway.control("GET", trace).text


def test_a_checkout_leads_back_to_the_checkout(shop: Shop) -> None:
    sent = {"entityId": shop.merchant.entity_id, "paymentType": "DB", "amount": "92.00",
            "currency": "EUR", **BROWSER, **ADDRESS, "shopperResultUrl": SHOP}  # fmt: skip
    checkout = shop.gateway.send("/v1/checkouts", sent, shop.merchant).json["id"]
    fixed = dict.fromkeys(("paymentType", "amount", "currency"))
    path = f"/v1/checkouts/{checkout}/payment"
    payment = shop.gateway.post(path, who=shop.merchant, **fixed).json
    assert payment["result"]["code"] == "000.200.000"
    shop.send_rreq(payment)
    back = shop.posts(payment, "return", shop.cres(payment))

    assert f"id={checkout}&resourcePath=%2Fv1%2Fcheckouts%2F" in back.headers["location"]
    stored = shop.gateway.ports(shop.sandbox).store.get(Payment, payment["id"])
    assert stored.outcome.code == "000.100.110"


def read(shop: Shop, path: str) -> Result:
    return shop.gateway.client.simulate_get(
        path,
        params={"entityId": shop.merchant.entity_id},
        headers={"Authorization": f"Bearer {shop.merchant.token}"},
    )
