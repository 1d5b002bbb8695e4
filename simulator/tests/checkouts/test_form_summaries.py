"""A form kept for the summary page of a shop: an empty form of a browser pays with it once."""

import json
from urllib.parse import urlencode, urljoin

import pytest
from falcon.testing import Result

from simulator.domain.checkouts.summaries import KeptForm
from simulator.tests.checkouts.test_forms import open_form
from simulator.tests.kit.checkout_shop import CARD, DECLINE, UNKNOWN, Shop, code_of
from simulator.tests.kit.gateway import FORM, Credentials, Gateway

URL = {"shopperResultUrl": "https://shop.example/result?order=7"}
BROWSER = {"Accept": "text/html,application/xhtml+xml"}
PAYER = {**CARD, **URL}


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def keep(shop: Shop, checkout: str, sent: dict[str, str] = PAYER, capability: str = "") -> Result:
    allowed = capability or open_form(shop, checkout).json["capability"]
    return shop.gateway.client.simulate_post(
        f"/form/{checkout}/kept", headers={"Authorization": f"Checkout {allowed}"},
        body=urlencode(sent), content_type=FORM,
    )  # fmt: skip


def confirm(shop: Shop, checkout: str, headers: dict[str, str] = BROWSER) -> Result:
    post = shop.gateway.client.simulate_post
    path = f"/v1/checkouts/{checkout}/payment"
    led = post(path, headers=headers, body="", content_type=FORM)
    if led.status_code != 307:
        return led
    onward = urljoin(path, led.headers["Location"])
    return post(onward, headers=headers, body="", content_type=FORM)


def stored(shop: Shop, checkout: str) -> KeptForm | None:
    return shop.gateway.ports(shop.sandbox).store.get(KeptForm, checkout)


def test_a_form_that_was_kept_pays_when_the_shopper_confirms(shop: Shop) -> None:
    checkout = shop.prepare()
    kept = keep(shop, checkout)
    before = shop.get(f"/{checkout}/payment")

    led = confirm(shop, checkout)

    assert (kept.status_code, code_of(kept), code_of(before)) == (200, "000.200.000", "000.200.000")
    assert led.status_code == 303
    assert led.headers["Location"] == (
        f"https://shop.example/result?order=7&id={checkout}"
        f"&resourcePath=%2Fv1%2Fcheckouts%2F{checkout}%2Fpayment"
    )
    assert code_of(shop.get(f"/{checkout}/payment")) == "000.100.110"


def test_a_second_confirmation_pays_nothing_and_leads_to_the_shop(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout)
    first = confirm(shop, checkout)
    paid = shop.get(f"/{checkout}/payment").json["id"]

    second = confirm(shop, checkout)

    assert second.headers["Location"] == first.headers["Location"]
    assert shop.get(f"/{checkout}/payment").json["id"] == paid


def test_what_was_kept_is_sealed_and_erased_by_the_payment(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout)
    kept = stored(shop, checkout)
    assert kept is not None and kept.sealed
    assert CARD["card.number"] not in repr(kept)

    confirm(shop, checkout)

    after = stored(shop, checkout)
    assert after is not None and after.sealed == ""
    shop.advance("30m")
    assert stored(shop, checkout) is None


def test_the_journal_names_no_payment_before_the_shopper_confirms(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout)
    confirm(shop, checkout)

    found = shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal").json["entries"]
    exchanges = [each for each in found if each["kind"] == "exchange"]
    payments = {each["path"]: each.get("payments", []) for each in exchanges}
    assert payments[f"/form/{checkout}/kept"] == []
    paid = shop.get(f"/{checkout}/payment").json["id"]
    assert payments[f"/form/{checkout}/confirm"] == [paid]


def test_what_is_not_confirmed_is_removed_with_the_checkout(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout)
    shop.advance("29m")
    assert stored(shop, checkout) is not None

    shop.advance("1m")

    assert stored(shop, checkout) is None
    assert confirm(shop, checkout).status_code == 404


def test_another_payment_of_the_checkout_erases_what_was_kept(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout)
    assert shop.pay(checkout).status_code == 200

    kept = stored(shop, checkout)
    led = confirm(shop, checkout)

    assert kept is not None and kept.sealed == ""
    assert led.status_code == 303


def test_what_is_kept_later_counts(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **DECLINE})
    keep(shop, checkout)

    confirm(shop, checkout)

    assert code_of(shop.get(f"/{checkout}/payment")) == "000.100.110"


def test_a_decline_leads_to_the_shop_and_lets_the_shopper_try_again(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **DECLINE})

    assert confirm(shop, checkout).status_code == 303
    assert code_of(shop.get(f"/{checkout}/payment")) == DECLINE["card.holder"]
    assert keep(shop, checkout).status_code == 200
    confirm(shop, checkout)
    assert code_of(shop.get(f"/{checkout}/payment")) == "000.100.110"


def test_a_bank_is_asked_after_the_confirmation(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {"paymentBrand": "GIROPAY", **URL})

    page = confirm(shop, checkout, {**BROWSER, "Accept-Language": "de-AT,en;q=0.5"})

    assert page.status_code == 200
    assert 'lang="de"' in page.text and "/redirect/" in page.text
    assert "'unsafe" not in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize("sent", [
    {**PAYER, "card.expiryMonth": "13"},
    {**PAYER, "amount": "1.00"},
    {**PAYER, "descriptor": "Another shop"},
    {**PAYER, "customParameters[order]": "7"},
    {**PAYER, "card.expiryYear": "2025"},
    {**PAYER, "card.number": "4200000000000001"},
    {**PAYER, "mobileWallet.paymentToken": "none", "card.number": "", "paymentBrand": "VISA"},
])  # fmt: skip
def test_what_could_not_be_paid_with_is_not_kept(shop: Shop, sent: dict[str, str]) -> None:
    checkout = shop.prepare()

    assert keep(shop, checkout, sent).status_code == 400
    assert stored(shop, checkout) is None
    assert confirm(shop, checkout).status_code == 404


def test_a_form_keeps_what_it_posts_and_nothing_else_does(shop: Shop) -> None:
    checkout, other = shop.prepare(), shop.prepare()
    capability = open_form(shop, other).json["capability"]
    bearer = shop.gateway.client.simulate_post(
        f"/form/{checkout}/kept", headers={"Authorization": f"Bearer {shop.who.token}"},
        body=urlencode({**PAYER, "entityId": shop.who.entity_id}), content_type=FORM,
    )  # fmt: skip

    assert keep(shop, checkout, capability=capability).status_code == 403
    assert bearer.status_code == 403
    assert stored(shop, checkout) is None


@pytest.mark.parametrize("headers", [{}, {"Accept": "application/json"}])
def test_only_a_browser_confirms(shop: Shop, headers: dict[str, str]) -> None:
    checkout = shop.prepare()
    keep(shop, checkout)

    assert confirm(shop, checkout, headers).status_code == 401
    assert code_of(shop.get(f"/{checkout}/payment")) == "000.200.000"


@pytest.mark.parametrize("checkout", [UNKNOWN, "x"])
def test_nothing_is_confirmed_of_no_checkout(shop: Shop, checkout: str) -> None:
    page = confirm(shop, checkout)

    assert page.status_code == 404
    assert "This payment page has expired" in page.text


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "x"])
def test_a_confirmation_leads_to_no_address_that_runs(shop: Shop, url: str) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**CARD, "shopperResultUrl": url})

    led = confirm(shop, checkout)

    assert "Location" not in led.headers


BANK = {"paymentBrand": "GIROPAY", **URL}
# What is kept, and whether a document answers its confirmation, or a page.
CONFIRMED = ((BANK, False), (PAYER, True))


@pytest.mark.parametrize(("sent", "is_document"), CONFIRMED)
def test_the_journal_repeats_an_answer_only_where_it_is_a_document(
    shop: Shop, sent: dict[str, str], is_document: bool
) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, sent)

    answer = confirm(shop, checkout)

    path = f"/sandboxes/{shop.sandbox}/journal"
    newest = shop.gateway.control("GET", path).json["entries"][0]
    entry = shop.gateway.control("GET", f"{path}/{newest['ndc']}").json
    assert entry["path"] == f"/form/{checkout}/confirm"
    assert answer.text.startswith("{" if is_document else "<")
    assert entry["answer"] == (answer.json if is_document else None)


def test_number_and_code_of_a_kept_form_are_not_in_the_journal(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, "card.cvv": "987"})
    confirm(shop, checkout)

    path = f"/sandboxes/{shop.sandbox}/journal"
    journal = json.dumps(shop.gateway.control("GET", path).json)

    assert "kept" in journal
    assert CARD["card.number"] not in journal and '"987"' not in journal


@pytest.mark.parametrize(
    ("channel", "sent", "code"),
    [
        ({"cvv": "required"}, {"card.cvv": None}, "100.100.600"),
        ({"brands": ["MASTER"]}, {}, "600.200.201"),
        ({"three_d_secure": {"VISA": "2.2.0"}}, {}, "200.300.404"),
    ],
)
@pytest.mark.parametrize("is_stored", [False, True])
def test_what_the_channel_would_refuse_is_not_kept(
    gateway: Gateway, channel: dict, sent: dict, code: str, *, is_stored: bool
) -> None:
    """The shopper is back at the form, not behind a confirmation that pays nothing."""
    shop = Shop(gateway, merchants=[{"channels": [{"name": "Any"}, {"name": "Own", **channel}]}])
    payer, more = {**PAYER, **sent}, {}
    if is_stored:
        made = shop.gateway.send(
            "/v1/registrations", {"entityId": shop.who.entity_id, **CARD}, shop.who
        ).json["id"]
        payer, more = {"registrationId": made, **URL}, {"registrations[0].id": made}
    own = next(each for each in shop.merchants[0]["channels"] if each["name"] == "Own")
    checkout = shop.prepare(entityId=own["id"], **more)

    refused = keep(shop, checkout, {name: text for name, text in payer.items() if text})

    assert (refused.status_code, code_of(refused)) == (400, code)
    assert stored(shop, checkout) is None


def test_a_checkout_that_went_to_another_channel_is_confirmed_there(gateway: Gateway) -> None:
    """Freight that the summary page adds may be too much for the channel of before."""
    channels = [{"name": "Till"}, {"name": "Web"}]
    rules = [{"channel": "Till", "amount_max": "100.00"}, {"channel": "Web"}]
    shop = Shop(gateway, merchants=[{"channels": channels, "dispatching": rules}])
    shop.who = Credentials(shop.who.token, shop.merchants[0]["id"])
    checkout = shop.prepare()
    assert keep(shop, checkout).status_code == 200
    assert shop.post(f"/{checkout}", {"amount": "142.00"}).status_code == 200

    assert confirm(shop, checkout).status_code == 303

    paid = shop.get(f"/{checkout}/payment").json
    assert (paid["amount"], paid["descriptor"].split(" ", 1)[1]) == ("142.00", "Web")
