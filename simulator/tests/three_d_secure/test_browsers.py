"""3-D Secure payments without browser data or address, which profile field accepts."""

import re
from urllib.parse import urlencode

import pytest

from simulator.domain.three_d_secure.browsers import NEEDED, browser_of
from simulator.tests.kit.authenticating import SHOP, asking, saying
from simulator.tests.kit.gateway import FORM, Credentials, Gateway
from simulator.tests.kit.making import Frictionless
from simulator.tests.kit.shopper import BROWSER as WANTS_PAGE
from simulator.tests.kit.shopper import CLOCK, path_of
from simulator.tests.merchants.test_requirements import ADDRESS, BROWSER

CHANNELS = [{"channels": [{"three_d_secure": {"VISA": "2.2.0"}}]}]
AGENT = {"User-Agent": "Shopper/1.0", "Accept-Language": "de-AT,de;q=0.9"}
PLAIN = {"card.number": "4200000000000000"}


class Shop:
    """A shop of profile field whose channel is set up for 3-D Secure."""

    def __init__(self, gateway: Gateway, around: Frictionless):
        self.directory = around
        gateway._built.links.directory.ask = around.ask
        gateway._built.links.directory.signed = around.signed
        options = {"merchants": CHANNELS, "clock": CLOCK, "profile": "field"}
        made = gateway.control("POST", "/sandboxes", options).json
        self.gateway, self.who = gateway, Credentials(made["token"], made["entity_id"])

    @property
    def areqs(self) -> list[dict]:
        """What the directory server received."""
        return [message for what, message in self.directory.asked if what == "areq"]

    def pays(self, path: str = "/v1/payments", **more: str | None) -> dict:
        """A payment without browser data."""
        return self.gateway.post(path, who=self.who, **{"shopperResultUrl": SHOP, **more}).json

    def opens(self, payment: dict, **headers: str) -> object:
        """GET of the redirect page."""
        return self.gateway.client.simulate_get(path_of(payment), headers={**AGENT, **headers})

    def posts(self, payment: dict, **form: str) -> object:
        """POST of the page's own form."""
        return self.gateway.client.simulate_post(
            path_of(payment),
            body=urlencode(form),
            content_type=FORM,
            headers={**AGENT, **WANTS_PAGE},
        )


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway, asking())


@pytest.mark.parametrize("path", ["/v1/payments", "/v1/threeDSecure"])
def test_what_is_missing_is_collected_by_the_page(shop: Shop, path: str) -> None:
    kind = {} if path == "/v1/payments" else {"paymentType": None}
    payment = shop.pays(path, **kind)
    assert payment["result"]["code"] == "000.200.000" and shop.areqs == []

    page = shop.opens(payment, **WANTS_PAGE)
    assert 'name="browser"' in page.text and not re.search(r"(src|href)=", page.text)
    assert "form-action 'self'" in page.headers["content-security-policy"]
    assert shop.areqs == []

    found = {"screenHeight": "900", "screenWidth": "1440", "timezone": "-60", "javaEnabled": "true"}
    on = shop.posts(payment, browser="1", **found)
    assert 'name="creq"' in on.text
    (areq,) = shop.areqs
    assert (areq["browserScreenHeight"], areq["browserScreenWidth"]) == ("900", "1440")
    assert (areq["browserTZ"], areq["browserJavaEnabled"]) == ("-60", True)
    assert (areq["browserUserAgent"], areq["browserLanguage"]) == ("Shopper/1.0", "de-AT")
    assert "billAddrLine1" not in areq
    assert 'name="creq"' in shop.opens(payment, **WANTS_PAGE).text
    assert len(shop.areqs) == 1


def test_a_program_is_not_asked(shop: Shop) -> None:
    payment = shop.pays()
    assert shop.opens(payment).json["acsURL"]
    (areq,) = shop.areqs
    assert areq["browserScreenHeight"] == "1080"


def test_one_whose_issuer_asks_nothing_returns_to_the_shop_paid(gateway: Gateway) -> None:
    shop = Shop(gateway, saying("Y"))
    payment = shop.pays()
    back = shop.opens(payment)
    assert (back.status_code, back.json["result"]["code"]) == (307, "000.100.110")


def test_a_card_in_no_range_is_declined_without_an_address(gateway: Gateway) -> None:
    shop = Shop(gateway, Frictionless(lookup={"enrolled": False}))
    for more in ({}, {"shopperResultUrl": None}):
        declined = shop.pays(**PLAIN, **more)
        assert declined["result"]["code"] == "100.390.109"
        assert declined["id"] and declined["paymentType"] == "DB"


@pytest.mark.parametrize("sent", [{}, BROWSER, ADDRESS, {**BROWSER, **ADDRESS}])
def test_the_way_back_alone_is_demanded(shop: Shop, sent: dict) -> None:
    refused = shop.pays(**sent, shopperResultUrl=None)
    assert [each["name"] for each in refused["result"]["parameterErrors"]] == ["shopperResultUrl"]
    assert shop.pays(**sent)["result"]["code"] == "000.200.000"


def test_what_the_merchant_sent_is_sent_on_at_once(gateway: Gateway) -> None:
    shop = Shop(gateway, saying("Y"))
    paid = shop.pays(**BROWSER)
    assert paid["result"]["code"] == "000.100.110"
    assert shop.areqs[0]["browserUserAgent"] == "Mozilla/5.0"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("screenHeight", "9" * 7), ("screenWidth", "-1"), ("timezone", "GMT"),
        ("javaEnabled", "<b>"), ("screenWidth", ["1", "2"]),
    ],
)  # fmt: skip
def test_a_value_of_no_format_is_replaced_by_a_usual_one(name: str, wrong: object) -> None:
    found = browser_of({name: wrong}, accept="\x07", languages="\u00e4", agent="x" * 3000)
    assert found[f"customer.browser.{name}"] == NEEDED[name][1]
    assert found["customer.browser.acceptHeader"] == "*/*"
    assert found["customer.browser.language"] == "en"
    assert len(found["customer.browser.userAgent"]) == 2048
