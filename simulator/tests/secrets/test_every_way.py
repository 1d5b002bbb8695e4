"""What a merchant sends under secret names of their own, in every way to pay and to ask: what
Sandgate shows of it has none of the values, wherever else they stand.
"""

from collections.abc import Callable, Mapping

import gevent
import pytest
from falcon.testing import Result

from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop
from simulator.tests.kit.gateway import Gateway

NAMES = (
    "apiToken", "accessKey", "private.key", "hmacKey", "jwt", "session.cookie", "bearer",
    "authorization", "tan", "credential", "pass",
)  # fmt: skip
SECRETS = {name: f"zebra-{place}-quince-81" for place, name in enumerate(NAMES, 10)}
NUMBER = "5454545454545454"
OWN = {f"customParameters[{name}]": value for name, value in SECRETS.items()}
# A value may also stand where its name says nothing of it, and a number in a name.
SENT = {
    **OWN,
    f"customParameters[n{NUMBER}]": "a",
    "merchantMemo": f"by {SECRETS['apiToken']} and {SECRETS['jwt']}",
    "merchantTransactionId": f"order {SECRETS['accessKey']}",
    "customParameters[note]": f"{SECRETS['tan']}",
}
PAID = {**SESSION, **CARD}
Way = Callable[[Shop, Mapping[str, str]], object]


def post(shop: Shop, path: str, sent: Mapping[str, str]) -> Result:
    return shop.gateway.send(path, {"entityId": shop.who.entity_id, **sent}, shop.who)


def get(shop: Shop, path: str, **asked: str) -> Result:
    return shop.gateway.client.simulate_get(
        path,
        params={"entityId": shop.who.entity_id, **asked},
        headers={"Authorization": f"Bearer {shop.who.token}"},
    )


def directly(shop: Shop, sent: Mapping[str, str]) -> Result:
    return post(shop, "/v1/payments", {**PAID, **sent})


def refused(shop: Shop, sent: Mapping[str, str]) -> None:
    post(shop, "/v1/payments", {**PAID, **sent, "amount": SECRETS["jwt"]})
    post(shop, "/v1/payments", {**PAID, **sent, "card.number": "4200000000000001"})
    post(shop, f"/v1/payments/{SECRETS['jwt']}", {"paymentType": "CP", **sent})


def declined(shop: Shop, sent: Mapping[str, str]) -> None:
    post(shop, "/v1/payments", {**PAID, **sent, "card.holder": "800.100.152"})


def referring(shop: Shop, sent: Mapping[str, str]) -> None:
    held = directly(shop, {**sent, "paymentType": "PA"}).json["id"]
    money = {"amount": "92.00", "currency": "EUR"}
    plain = {"testMode": sent["testMode"]}
    taken = post(shop, f"/v1/payments/{held}", {"paymentType": "CP", **money, **sent}).json["id"]
    assert post(shop, f"/v1/payments/{taken}", {"paymentType": "RF", **money, **plain})
    other = directly(shop, {**sent, "paymentType": "PA"}).json["id"]
    assert post(shop, f"/v1/payments/{other}", {"paymentType": "RV", **sent}).status_code == 200


def read(shop: Shop, sent: Mapping[str, str]) -> None:
    made = directly(shop, {**sent, "paymentType": "PA"}).json["id"]
    post(shop, f"/v1/payments/{made}", {"paymentType": "CP", "amount": "1.00", "currency": "EUR"})
    assert get(shop, f"/v1/payments/{made}").status_code == 200
    for path in (f"/v1/query/{made}", f"/v3/query/{made}"):
        for linked in ("true", "false"):
            assert get(shop, path, includeLinkedTransactions=linked).status_code == 200, path
    reference = sent["merchantTransactionId"]
    for path in ("/v1/query", "/v3/query"):
        assert get(shop, path, merchantTransactionId=reference).status_code == 200


def by_checkout(shop: Shop, sent: Mapping[str, str]) -> None:
    checkout = shop.prepare({**SESSION, **sent})
    shop.get(f"/{checkout}")
    assert shop.pay(checkout).status_code == 200
    shop.get(f"/{checkout}/payment")


def by_form(shop: Shop, sent: Mapping[str, str]) -> None:
    checkout = shop.prepare({**SESSION, **sent})
    assert shop.submit(checkout, shop.capability(checkout), CARD).status_code == 200
    shop.get(f"/{checkout}/payment")


def by_changed_checkout(shop: Shop, sent: Mapping[str, str]) -> None:
    checkout = shop.prepare({**SESSION, "testMode": sent["testMode"]})
    more = {name: value for name, value in sent.items() if name != "testMode"}
    assert shop.post(f"/{checkout}", more).status_code == 200
    assert shop.submit(checkout, shop.capability(checkout), CARD).status_code == 200


def by_registration(shop: Shop, sent: Mapping[str, str]) -> None:
    made = post(shop, "/v1/registrations", {**CARD, **sent})
    assert made.status_code == 200, made.text
    path = f"/v1/registrations/{made.json['id']}"
    assert get(shop, path).status_code == 200
    plain = {"testMode": sent["testMode"]}
    assert post(shop, f"{path}/payments", {**SESSION, **plain}).status_code == 200
    assert post(shop, f"{path}/payments", {**SESSION, **sent}).status_code == 200
    post(shop, path, {**CARD, **sent})


def beside_a_payment(shop: Shop, sent: Mapping[str, str]) -> None:
    made = directly(shop, {**sent, "createRegistration": "true"})
    get(shop, f"/v1/registrations/{made.json['registrationId']}")
    again = {**SESSION, **sent}
    assert post(shop, f"/v1/registrations/{made.json['registrationId']}/payments", again)


def by_schedule(shop: Shop, sent: Mapping[str, str]) -> None:
    plain = {"testMode": sent["testMode"]}
    stored = directly(shop, {**plain, "createRegistration": "true"}).json["registrationId"]
    job = {"registrationId": stored, "job.dayOfMonth": "21", "job.hour": "07"}
    made = post(shop, "/scheduling/v1/schedules", {**SESSION, **job, **sent})
    assert made.status_code == 200, made.text
    path = f"/scheduling/v1/schedules/{made.json['id']}"
    get(shop, path)
    get(shop, "/scheduling/v1/schedules", registrationId=stored)
    shop.advance("P2D")
    get(shop, path)
    changed = {"job.dayOfMonth": "25"}
    assert post(shop, f"{path}/reschedule", {**changed, **job, **SESSION, **sent})
    shop.advance("P9D")


def slowly(shop: Shop, sent: Mapping[str, str]) -> None:
    shop.gateway.control("PUT", f"/sandboxes/{shop.sandbox}/clock", {"mode": "scaled", "rate": 500})
    shop.gateway.control("POST", f"/sandboxes/{shop.sandbox}/scripts", {"behaviour": "slow"})
    assert directly(shop, sent).status_code == 200


def held(shop: Shop, sent: Mapping[str, str]) -> None:
    root = f"/sandboxes/{shop.sandbox}"
    shop.gateway.control("PUT", f"{root}/breakpoints", {"parties": ["acquirer"]})
    paying = gevent.spawn(directly, shop, sent)
    with gevent.Timeout(10):
        while not (waiting := shop.gateway.control("GET", f"{root}/held").json["held"]):
            gevent.sleep(0.01)
    path = f"{root}/held/{waiting[0]['id']}"
    assert shop.gateway.control("POST", path, {"action": "release"}).status_code == 200
    assert paying.get(timeout=10).status_code == 200


def beside_scripts(shop: Shop, sent: Mapping[str, str]) -> None:
    for match in (
        *({"customParameters": {name: "another"}} for name in SECRETS),
        {"merchantTransactionId": "another"},
    ):
        script = {"behaviour": "decline", "match": match}
        path = f"/sandboxes/{shop.sandbox}/scripts"
        assert shop.gateway.control("POST", path, script).status_code == 201
    directly(shop, sent)
    by_form(shop, sent)


def by_redirect(shop: Shop, sent: Mapping[str, str]) -> None:
    bank = {"paymentBrand": "GIROPAY", "shopperResultUrl": "https://shop.example/result"}
    post(shop, "/v1/payments", {**SESSION, **bank, **sent})


def authenticated(shop: Shop, sent: Mapping[str, str]) -> None:
    post(shop, "/v1/payments", {**PAID, **sent, "card.number": "5454545454545454",
                                "paymentBrand": "MASTER"})  # fmt: skip


def screened(shop: Shop, sent: Mapping[str, str]) -> None:
    script = {"behaviour": "risk-amount"}
    shop.gateway.control("POST", f"/sandboxes/{shop.sandbox}/scripts", script)
    directly(shop, sent)
    post(shop, "/v1/risk", {**PAID, **sent, "paymentType": "RI"})


WAYS: tuple[Way, ...] = (
    directly, refused, declined, referring, read, by_checkout, by_form, by_changed_checkout,
    by_registration, beside_a_payment, by_schedule, slowly, held, beside_scripts, by_redirect,
    authenticated, screened,
)  # fmt: skip


def shown_of(shop: Shop) -> dict[str, str]:
    """All that the control API shows of the sandbox, by its path."""
    root = f"/sandboxes/{shop.sandbox}"
    ask = lambda path: shop.gateway.control("GET", f"{root}{path}")  # noqa: E731
    journal = ask("/journal?limit=500")
    payments = {each for entry in journal.json["entries"] for each in entry.get("payments", ())}
    ndcs = {entry["ndc"] for entry in journal.json["entries"]}
    paths = [
        "", "/scripts", "/notices", "/webhooks", "/pending", "/held", "/clock",
        *(f"/payments/{each}/trace" for each in payments),
        *(f"/payments/{each}/trace.json" for each in payments),
        *(f"/journal/{each}" for each in ndcs),
    ]  # fmt: skip
    return {"/journal": journal.text, **{path: ask(path).text for path in paths}}


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_no_way_shows_a_value_under_a_secret_name(
    gateway: Gateway, way: Way, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    shop = Shop(gateway)
    way(shop, {"testMode": mode, **SENT})
    found = shown_of(shop) | {"server": gateway.control("GET", "/journal").text}
    found |= {"log": caplog.text}

    assert "customParameters" in found["/journal"]
    leaks = [
        (path, secret, text[max(0, text.index(secret) - 150) : text.index(secret) + 60])
        for path, text in found.items()
        for secret in (*SECRETS.values(), NUMBER)
        if secret in text
    ]
    assert leaks == []
