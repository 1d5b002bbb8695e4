"""The test host and the live host: tokens, success codes, and what either sees of the other."""

from pathlib import Path

import msgspec
import pytest

from simulator.domain.core.records import Payment
from simulator.tests.kit.gateway import ORDER, Credentials, Gateway
from simulator.tests.kit.running import serving


def on(who: Credentials, listener: str) -> Credentials:
    """The same credentials at another listener."""
    return who._replace(listener=listener)


def test_a_token_of_one_host_is_403_on_the_other(gateway: Gateway) -> None:
    test, live = gateway.merchant, gateway.live

    statuses = {
        (name, listener): gateway.post(who=on(who, listener)).status_code
        for name, who in (("test", test), ("live", live))
        for listener in ("plain", "tls", "live")
    }

    assert statuses == {
        ("test", "plain"): 200, ("test", "tls"): 200, ("test", "live"): 403,
        ("live", "plain"): 403, ("live", "tls"): 403, ("live", "live"): 200,
    }  # fmt: skip


def test_a_token_of_the_other_host_is_answered_like_an_unknown_one(gateway: Gateway) -> None:
    unknown = gateway.post(who=Credentials("unknown", gateway.live.entity_id, "live"))
    other = gateway.post(who=on(gateway.merchant, "live"))

    assert other.json["result"] == unknown.json["result"]
    assert "live host" in other.json["resultDetails"]["ExtendedDescription"]


@pytest.mark.parametrize(
    ("test_mode", "test_code", "live_code"),
    [
        (None,       "000.100.110", "000.000.000"),
        ("INTERNAL", "000.100.110", "000.100.110"),
        ("EXTERNAL", "000.100.112", "000.100.112"),
    ],
)  # fmt: skip
def test_each_host_has_its_success_code_and_a_test_mode_that_of_the_simulators(
    gateway: Gateway, test_mode: str | None, test_code: str, live_code: str
) -> None:
    codes = [
        gateway.post(who=who, testMode=test_mode).json["result"]["code"]
        for who in (gateway.merchant, gateway.live)
    ]

    assert codes == [test_code, live_code]


def test_a_live_payment_is_declined_by_the_same_simulator(gateway: Gateway) -> None:
    answer = gateway.post(who=gateway.live, **{"card.holder": "800.100.151"})

    assert (answer.status_code, answer.json["result"]["code"]) == (400, "800.100.151")


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (None,       None,       "000.000.000"),
        (None,       "INTERNAL", "000.000.000"),
        ("INTERNAL", None,       "000.100.110"),
    ],
)  # fmt: skip
def test_what_refers_to_a_live_payment_is_live_whatever_it_sends(
    gateway: Gateway, first: str | None, second: str | None, code: str
) -> None:
    paid = gateway.post(who=gateway.live, paymentType="PA", testMode=first).json["id"]
    sent = {
        "entityId": gateway.live.entity_id, "paymentType": "CP", "amount": "1.00",
        "currency": "EUR", **({"testMode": second} if second else {}),
    }  # fmt: skip

    assert gateway.send(f"/v1/payments/{paid}", sent, gateway.live).json["result"]["code"] == code


@pytest.mark.parametrize(
    ("test_mode", "code"), [(None, "000.000.000"), ("INTERNAL", "000.100.110")]
)
def test_a_pending_live_payment_that_is_released_succeeds_with_the_code_of_its_host(
    gateway: Gateway, test_mode: str | None, code: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    live = Credentials(made["live_token"], made["entity_id"], "live")
    where = f"/sandboxes/{made['id']}"
    assert gateway.control("POST", f"{where}/scripts", {"behaviour": "pending"}).status_code == 201
    paid = gateway.post(who=live, testMode=test_mode).json["id"]

    gateway.control("POST", f"{where}/pending/{paid}", {"outcome": "success"})

    assert gateway.read(paid, live).json["result"]["code"] == code


def test_payments_of_one_host_are_unseen_on_the_other(gateway: Gateway) -> None:
    hosts = (gateway.merchant, gateway.live)
    for here, there in (hosts, hosts[::-1]):
        paid = gateway.post(who=here, paymentType="PA").json["id"]
        void = {"entityId": there.entity_id, "paymentType": "RV"}

        assert gateway.read(paid, here).status_code == 200
        assert gateway.read(paid, there).status_code == 404
        refused = gateway.send(f"/v1/payments/{paid}", void, there)
        assert (refused.status_code, refused.json["result"]["code"]) == (404, "700.400.530")
        assert gateway.send(f"/v1/payments/{paid}", void, here).status_code == 200


def test_every_merchant_has_a_live_token_of_its_own(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {"merchants": [{"name": "a"}, {"name": "b"}]}).json
    merchants = made["entities"]["merchants"]
    tokens = [each[kind] for each in merchants for kind in ("token", "live_token")]

    assert len(set(tokens)) == 4
    assert (made["token"], made["live_token"]) == tuple(tokens[:2])
    alive = Credentials(merchants[1]["live_token"], merchants[1]["channels"][0]["id"], "live")
    assert gateway.post(who=alive).status_code == 200


def test_a_deleted_sandbox_leaves_no_live_token_behind(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    alive = Credentials(made["live_token"], made["entity_id"], "live")
    assert gateway.post(who=alive).status_code == 200

    gateway.control("DELETE", f"/sandboxes/{made['id']}")

    assert gateway.post(who=alive).status_code == 403


def test_a_payment_kept_before_there_were_hosts_is_one_of_the_test_host() -> None:
    payment = msgspec.json.decode(
        b'{"id":"8","type":"PA","state":"authorized","stamp":{"psp":"8","division":"8","merchant":'
        b'"8","channel":"8","merchant_account":"8","clearing_institute":"c"},"created_at":'
        b'"2026-11-20T12:00:00Z","ndc":"1","short_id":"1"}',
        type=Payment,
    )

    assert payment.host == "test"


def test_every_base_address_ends_with_a_slash(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as running:
        addresses = {key: url for key, url in running.facts.items() if key.endswith("_url")}
    assert addresses.pop("openapi_url").endswith("/openapi.json")
    assert "/console/invitations/" in addresses.pop("console_url")

    assert {"base_url", "tls_url", "live_url", "control_url"} <= addresses.keys()
    assert all(url.endswith("/") for url in addresses.values())


SUCCESS = {"INTERNAL": "000.100.110", "EXTERNAL": "000.100.112"}


@pytest.mark.parametrize("second", [None, "INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize("first", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize(
    ("initial", "kind"), [("PA", "CP"), ("PA", "RV"), ("DB", "RF"), ("DB", "RB")]
)
def test_what_refers_to_a_payment_is_answered_by_the_test_mode_of_that_one(
    gateway: Gateway, initial: str, kind: str, first: str, second: str | None
) -> None:
    held = gateway.post(paymentType=initial, testMode=first).json["id"]
    mode = {} if second is None else {"testMode": second}
    money = {} if kind == "RV" else {"amount": "10.00", "currency": "EUR"}
    answer = gateway.refer(held, kind, **money, **mode)
    assert answer.json["result"]["code"] == SUCCESS[first]


@pytest.mark.parametrize("second", [None, "INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize("first", ["INTERNAL", "EXTERNAL"])
def test_a_refund_of_a_payment_without_a_card_follows_its_test_mode(
    gateway: Gateway, first: str, second: str | None
) -> None:
    account = {"bankAccount.holder": "Jane Jones", "bankAccount.iban": "DE89370400440532013000",
               "bankAccount.bic": "COBADEFFXXX"}  # fmt: skip
    no_card = dict.fromkeys(name for name in ORDER if name.startswith("card."))
    sent = {**no_card, **account, "paymentBrand": "DIRECTDEBIT_SEPA", "testMode": first}
    held = gateway.post(paymentType="DB", **sent).json["id"]
    mode = {} if second is None else {"testMode": second}
    answer = gateway.refer(held, "RF", amount="10.00", currency="EUR", **mode)
    assert answer.json["result"]["code"] == SUCCESS[first]


def test_a_live_payment_is_never_answered_as_forwarded(gateway: Gateway) -> None:
    held = gateway.post(who=gateway.live, paymentType="DB").json["id"]
    sent = {"entityId": gateway.live.entity_id, "paymentType": "RF", "amount": "10.00",
            "currency": "EUR", "testMode": "EXTERNAL"}  # fmt: skip
    answer = gateway.send(f"/v1/payments/{held}", sent, gateway.live)
    assert answer.json["result"]["code"] == "000.000.000"
