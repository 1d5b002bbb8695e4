"""The journal shows nothing of a removed registration, however it was read. Choice: D-120."""

import pytest
from falcon.testing import Result

from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.journal.entries import listing_key
from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop
from simulator.tests.kit.gateway import Gateway

HOLDER = {"card.holder": "Zaphod Beeblebrox"}


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_the_end_of_its_checkout_shows_nothing_of_it(gateway: Gateway, profile: str) -> None:
    shop = Shop(gateway, profile=profile)
    checkout = shop.prepare({"createRegistration": "true"})
    made = shop.post(f"/{checkout}/registration", {**CARD, **HOLDER}).json["id"]
    assert shop.get(f"/{checkout}/registration").json["card"]["holder"] == HOLDER["card.holder"]
    assert "Zaphod" in shown(shop)

    remove(shop, made)
    assert "Zaphod" not in shown(shop)


def test_the_payment_that_made_it_stays(gateway: Gateway) -> None:
    shop = Shop(gateway)
    checkout = shop.prepare({**SESSION, "createRegistration": "true"})
    made = shop.pay(checkout, **HOLDER).json["registrationId"]
    assert shop.get(f"/{checkout}/registration").json["id"] == made

    remove(shop, made)
    entries = {each["method"]: each for each in journal(shop) if each["path"].endswith("n")}
    assert "Zaphod" not in str(entries["GET"])
    assert "Zaphod" in shown(shop)


LISTS = {
    "by reference": ("/v1/query", {"merchantTransactionId": "order-0007"}),
    "of a time frame": ("/v1/query", {"date.from": "2026-11-20", "date.to": "2026-11-21"}),
    "in pages": ("/v3/query", {"merchantTransactionId": "order-0007"}),
    "linked": (
        "/v3/query",
        {"merchantTransactionId": "order-0007", "includeLinkedTransactions": "true"},
    ),
}


@pytest.mark.parametrize("asked", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("profile", ["specification", "field"])
def test_lists_show_nothing_of_it(gateway: Gateway, profile: str, asked: tuple) -> None:
    shop = Shop(gateway, profile=profile)
    path, sent = asked
    made = register(shop, "order-0007")
    assert "Zaphod" in report(shop, path, sent).text
    read = journal(shop)[0]
    assert "Zaphod" in str(read)

    remove(shop, made)
    left = next(each for each in journal(shop) if each["number"] == read["number"])
    assert (left["path"], left["status"], left["code"]) == (path, 200, "000.000.100")
    assert "Zaphod" not in shown(shop)


def test_lists_of_others_stay_and_no_trace_has_them(gateway: Gateway) -> None:
    shop = Shop(gateway)
    made, other = register(shop, "order-0007"), register(shop, "order-0008")
    for reference in ("order-0007", "order-0008"):
        report(shop, "/v1/query", {"merchantTransactionId": reference})

    remove(shop, made)
    lists = [each for each in journal(shop) if each["path"] == "/v1/query"]
    assert [other in str(each) for each in lists] == [True, False]
    assert not any("listed" in each for each in lists)
    trace = gateway.control("GET", f"/sandboxes/{shop.sandbox}/payments/{other}/trace.json").text
    assert "registrations" in trace
    assert "query" not in trace


def test_a_list_too_long_for_the_journal_is_found_by_nothing(gateway: Gateway) -> None:
    shop = Shop(gateway)
    made = [register(shop, "order-0007") for _ in range(60)]
    listed = report(shop, "/v1/query", {"merchantTransactionId": "order-0007"})
    assert len(listed.json["payments"]) == len(made)
    entry = journal(shop)[0]
    assert (entry["path"], entry["answer"]) == ("/v1/query", None)
    found = gateway.ports(shop.sandbox).journal.find_entries
    assert not any(found(listing_key(each)) for each in made)


def test_the_checkout_it_was_made_in_shows_nothing_of_it(gateway: Gateway) -> None:
    shop = Shop(gateway, profile="field")
    fixed = {"createRegistration": "true", "customer.email": "Zaphod@heart.example"}
    checkout = shop.prepare(fixed)
    shop.get(f"/{checkout}")
    made = shop.post(f"/{checkout}/registration", CARD).json["id"]
    remove(shop, made)
    assert "Zaphod" not in shown(shop)


@pytest.mark.parametrize("wants", ["removed", "lapsed"])
def test_the_checkout_it_was_made_in_keeps_nothing_of_it(gateway: Gateway, wants: str) -> None:
    shop = Shop(gateway, profile="field")
    url = "https://shop.example/done"
    fixed = {"createRegistration": "true", "customer.email": "Zaphod@heart.example"}
    more = {"billing.city": "Zaphodville", "customParameters[note]": "Zaphod"}
    checkout = shop.prepare({**fixed, **more, "shopperResultUrl": url})
    made = shop.post(f"/{checkout}/registration", CARD).json["id"]
    store = gateway.ports(shop.sandbox).store
    assert "Zaphod" in str(store.get(Checkout, checkout))

    if wants == "removed":
        remove(shop, made)
    else:
        shop.advance("4000d")

    left = store.get(Checkout, checkout)
    assert "Zaphod" not in str(left)
    assert (left.attempt, left.sent["shopperResultUrl"]) == (made, url)
    assert "Zaphod" not in shop.get(f"/{checkout}/registration").text


def test_near_misses_show_nothing_of_it(gateway: Gateway) -> None:
    shop = Shop(gateway)
    script = {"behaviour": "decline", "match": {"holder": "Arthur Dent"}}
    gateway.control("POST", f"/sandboxes/{shop.sandbox}/scripts", script)
    made = register(shop, "order-0007")
    assert "Zaphod" in str(journal(shop)[0]["near_misses"])
    remove(shop, made)
    assert "Zaphod" not in shown(shop)


def register(shop: Shop, reference: str) -> str:
    sent = {"entityId": shop.who.entity_id, "merchantTransactionId": reference, **CARD, **HOLDER}
    return shop.gateway.send("/v1/registrations", sent, shop.who).json["id"]


def report(shop: Shop, path: str, asked: dict[str, str]) -> Result:
    answer = shop.gateway.client.simulate_get(
        path,
        params={"entityId": shop.who.entity_id, **asked},
        headers={"Authorization": f"Bearer {shop.who.token}"},
    )
    assert answer.status_code == 200, answer.text
    return answer


def remove(shop: Shop, registration: str) -> None:
    answer = shop.gateway.client.simulate_delete(
        f"/v1/registrations/{registration}",
        params={"entityId": shop.who.entity_id},
        headers={"Authorization": f"Bearer {shop.who.token}"},
    )
    assert answer.status_code == 200


def journal(shop: Shop) -> list[dict]:
    return shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal?limit=200").json[
        "entries"
    ]


def shown(shop: Shop) -> str:
    return str(journal(shop))
