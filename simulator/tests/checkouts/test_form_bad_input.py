"""What comes to the form by mistake or by malice without a browser: nothing is paid that should not
be, and what was in order stays usable.
"""

import json
from typing import Any
from urllib.parse import urlencode

import gevent
import pytest
from gevent.pool import Pool

from simulator.adapters.store.store import DocumentStore
from simulator.catalogue.form_words.languages import language_of
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import Payment
from simulator.tests.checkouts.test_form_summaries import BROWSER, PAYER, confirm, keep, stored
from simulator.tests.checkouts.test_forms import OWN, open_form
from simulator.tests.kit.checkout_shop import UNKNOWN, Shop, code_of
from simulator.tests.kit.gateway import FORM, Gateway

OTHER_NUMBER = "4111111111111111"


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"locale=" + b"x" * 60_000, FORM),
        (b"locale=\xff\xfe&countries=yes", FORM),
        (b"locale=de&locale=fr", FORM),
        (b"locale[]=de&countries[]=true", FORM),
        (b"locale=__proto__", FORM),
        (b"locale=de%00", FORM),
        (b'{"locale": "de"}', "application/json"),
        (b"", FORM),
    ],
    ids=["long", "bytes", "twice", "brackets", "proto", "zero", "json", "empty"],
)
def test_a_form_that_asks_for_no_language_is_opened_in_english(
    shop: Shop, body: bytes, content_type: str
) -> None:
    checkout = shop.prepare()
    opened = shop.gateway.client.simulate_post(
        f"/form/{checkout}/open", headers=OWN, body=body, content_type=content_type
    )

    assert (opened.status_code, opened.json["locale"]) == (200, "en")
    assert opened.json["countries"] == []
    assert shop.submit(checkout, opened.json["capability"]).status_code == 200


def test_a_form_that_asks_in_a_flood_of_words_is_not_opened(shop: Shop) -> None:
    refused = shop.gateway.client.simulate_post(
        f"/form/{shop.prepare()}/open", headers=OWN, body="locale=" + "x" * 70_000,
        content_type=FORM,
    )  # fmt: skip

    assert refused.status_code == 413
    assert "capability" not in refused.json


@pytest.mark.parametrize("locale", ["ar", "de-AT", "tlh"])
def test_a_form_that_is_not_opened_has_words_for_it(shop: Shop, locale: str) -> None:
    refused = open_form(shop, UNKNOWN, locale=locale)
    language = language_of(locale)

    assert refused.status_code == 404
    assert refused.json["words"] == {"expired": language.words["expired"]}
    assert refused.json["direction"] == language.row.direction


@pytest.mark.parametrize(
    "written", ["Check {}", "Checkout {}, Checkout {}", "Checkout {}x", "Checkout", "Basic {}"]
)
def test_a_capability_that_is_written_otherwise_pays_nothing(shop: Shop, written: str) -> None:
    checkout = shop.prepare()
    capability = shop.gateway.client.simulate_post(
        f"/form/{checkout}/open", headers=OWN, body="", content_type=FORM
    ).json["capability"]
    refused = shop.gateway.client.simulate_post(
        f"/v1/checkouts/{checkout}/payment", body=urlencode(PAYER), content_type=FORM,
        headers={"Authorization": written.replace("{}", capability)},
    )  # fmt: skip

    assert refused.status_code == 401
    assert code_of(shop.get(f"/{checkout}/payment")) == "000.200.000"
    assert shop.submit(checkout, capability).status_code == 200


def test_a_form_that_names_two_cards_keeps_neither(shop: Shop) -> None:
    checkout = shop.prepare()
    sent = [*PAYER.items(), ("card.number", OTHER_NUMBER)]

    assert keep(shop, checkout, sent).status_code == 400
    assert stored(shop, checkout) is None
    entries = json.dumps(shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal").json)
    assert OTHER_NUMBER not in entries and PAYER["card.number"] not in entries


@pytest.mark.parametrize(
    ("body", "query"),
    [("amount=1.00&card.number=x", ""), ("x" * 70_000, ""), ("", "amount=1.00")],
    ids=["other-amount", "long", "query"],
)
def test_what_a_confirmation_brings_along_changes_nothing(
    shop: Shop, body: str, query: str
) -> None:
    checkout = shop.prepare()
    keep(shop, checkout)
    led = shop.gateway.client.simulate_post(
        f"/form/{checkout}/confirm", headers=BROWSER, body=body, query_string=query,
        content_type=FORM,
    )  # fmt: skip

    assert led.status_code == 303
    paid = shop.get(f"/{checkout}/payment")
    assert (code_of(paid), paid.json["amount"]) == ("000.100.110", "92.00")


@pytest.fixture
def yielding_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other request has a turn before each look into the store, and after each commit."""
    get, commit = DocumentStore.get, DocumentStore.commit

    def get_later(store: DocumentStore, *what: Any) -> Any:
        gevent.sleep(0)
        return get(store, *what)

    def commit_and_yield(store: DocumentStore, unit: Unit) -> None:
        commit(store, unit)
        gevent.sleep(0)

    monkeypatch.setattr(DocumentStore, "get", get_later)
    monkeypatch.setattr(DocumentStore, "commit", commit_and_yield)


@pytest.mark.usefixtures("yielding_store")
def test_confirmations_at_once_pay_once(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout)
    led = Pool(6).map(lambda _: confirm(shop, checkout), range(6))

    assert {each.status_code for each in led} == {303}
    assert {each.headers["Location"] for each in led} == {led[0].headers["Location"]}
    assert code_of(shop.get(f"/{checkout}/payment")) == "000.100.110"
    store = shop.gateway.ports(shop.sandbox).store
    assert len(list(store.between(Payment, "host_history", "", "~"))) == 1


@pytest.mark.parametrize("name", ["X" * 5_000, "%00", "%3Cscript%3E" + "0" * 20, "a.b.c"])
def test_no_checkout_is_confirmed_by_an_odd_name(shop: Shop, name: str) -> None:
    page = shop.gateway.client.simulate_post(f"/form/{name}/confirm", headers=BROWSER, body="")

    assert page.status_code == 404
    assert "This payment page has expired" in page.text
    assert "<script" not in page.text
