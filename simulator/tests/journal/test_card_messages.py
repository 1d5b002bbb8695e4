"""What the card host was sent repeats parameters: in the journal as the request shows them, also
those that a merchant fixed before.
"""

import pytest
from falcon.testing import Result

from simulator.adapters.journal import MemoryJournal
from simulator.domain.journal.exchanges import AcquirerExchange
from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop
from simulator.tests.kit.gateway import Gateway

SECRET, CITY = "zebra-quince-81", "Potsdam"
SENT = {"testMode": "EXTERNAL", "customParameters[apiToken]": SECRET, "shipping.city": CITY}
REPEATED = {"customParameters[note]": f"{SECRET} again"}


def by_payment(shop: Shop, **more: str) -> Result:
    sent = {"entityId": shop.who.entity_id, **SESSION, **CARD, **SENT, **more}
    return shop.gateway.send("/v1/payments", sent, shop.who)


def by_checkout(shop: Shop, **more: str) -> Result:
    return shop.pay(shop.prepare({**SESSION, **SENT, **more}))


def by_form(shop: Shop, **more: str) -> Result:
    checkout = shop.prepare({**SESSION, **SENT, **more})
    return shop.submit(checkout, shop.capability(checkout), CARD)


def sent_in(journal: Result) -> list[dict]:
    """The parameters that messages to the card host repeat."""
    return [
        message["body"]["parameters"]
        for entry in journal.json["entries"]
        for message in entry.get("messages", ())
        if isinstance(message["body"].get("parameters"), dict)
    ]


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize("ask", [by_payment, by_checkout, by_form])
def test_what_the_card_host_was_sent_is_masked(gateway: Gateway, ask, profile: str) -> None:
    shop = Shop(gateway, profile=profile)
    assert ask(shop).status_code == 200
    found = gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal")
    bodies = sent_in(found)
    assert {body["customParameters[apiToken]"] for body in bodies} == {"***"}
    assert {body["shipping.city"] for body in bodies} == {CITY}
    assert SECRET not in found.text


@pytest.mark.parametrize("ask", [by_payment, by_checkout, by_form])
def test_a_secret_that_another_parameter_repeats_is_masked_there(gateway: Gateway, ask) -> None:
    shop = Shop(gateway)
    assert ask(shop, **REPEATED).status_code == 200
    bodies = sent_in(gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal"))
    assert {body["customParameters[note]"] for body in bodies} == {"*** again"}


def test_what_is_read_before_its_request_is_over_is_masked_too(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = MemoryJournal.hold_acquirer_exchange

    def hold_and_read(journal: MemoryJournal, exchange: AcquirerExchange) -> None:
        hold(journal, exchange)
        assert journal.find_entries(exchange.payment)

    monkeypatch.setattr(MemoryJournal, "hold_acquirer_exchange", hold_and_read)
    test_a_secret_that_another_parameter_repeats_is_masked_there(gateway, by_payment)


# More than a journal keeps of an answer: what is masked there says nothing of the message.
LONG = {f"customParameters[SHOPPER_{place}]": f"{place:03}" + "x" * 200 for place in range(90)}


@pytest.mark.parametrize("ask", [by_payment, by_checkout, by_form])
def test_it_is_masked_beside_an_answer_too_long_to_show(gateway: Gateway, ask) -> None:
    shop = Shop(gateway)
    assert ask(shop, **REPEATED, **LONG).status_code == 200
    journal = gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal")
    paid = next(each for each in journal.json["entries"] if each.get("messages"))
    assert (paid["cut"], paid["answer"]) == (True, None)
    assert SECRET not in journal.text


@pytest.mark.parametrize("pay", [Shop.pay, lambda shop, made: shop.submit(
    made, shop.capability(made)
)], ids=["by checkout", "by form"])  # fmt: skip
def test_a_near_miss_shows_nothing_behind_a_secret_name(gateway: Gateway, pay) -> None:
    shop = Shop(gateway)
    match = {"customParameters": {"note": f"apiToken={SECRET}"}}
    script = {"behaviour": "decline", "match": match}
    gateway.control("POST", f"/sandboxes/{shop.sandbox}/scripts", script)
    assert pay(shop, shop.prepare()).status_code == 200
    journal = gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal")
    assert any("note=apiToken=***" in str(each) for each in journal.json["entries"])
    assert SECRET not in journal.text
