"""The settings of a sandbox are stored whole with each change: they have a most of bytes."""

from typing import Any

import pytest

from simulator.domain.masking import masking, refusals
from simulator.domain.merchants import sizes
from simulator.domain.merchants.sizes import SETTINGS_BYTES_MAX
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_hostile_snapshots import opened, restore, taken_of

# Several such merchants fit, and forty do not.
MERCHANT = {"channels": [{"name": "n" * 255}] * 90}


def test_a_sandbox_with_too_long_settings_is_not_made(gateway: Gateway) -> None:
    refused = gateway.control("POST", "/sandboxes", {"merchants": [{"channels": [{}] * 100}] * 100})

    assert_too_long(refused)
    assert len(gateway.control("GET", "/sandboxes").json["sandboxes"]) == 1


def test_merchants_are_added_until_the_settings_are_too_long(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {"merchants": [MERCHANT]}).json
    path = f"/sandboxes/{made['id']}/merchants"
    answers = [gateway.control("POST", path, MERCHANT) for _ in range(40)]

    codes = [each.status_code for each in answers]
    assert codes == sorted(codes) and 201 in codes, answers[0].text
    assert_too_long(answers[-1])
    merchants = gateway.control("GET", path).json["merchants"]
    assert len(merchants) == 1 + codes.count(201)
    # What makes them no longer is taken all the same.
    channel = f"{path}/{merchants[0]['id']}/channels/{merchants[0]['channels'][0]['id']}"
    assert gateway.control("PATCH", channel, {"name": "n"}).status_code == 200
    assert_too_long(gateway.control("POST", path, MERCHANT))


def test_a_token_is_suspended_however_long_the_settings_are(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    path = f"/sandboxes/{made['id']}/merchants/{made['entities']['merchants'][0]['id']}"
    (token, *_) = gateway.control("GET", f"{path}/tokens").json["tokens"]
    merchants, length = path.rpartition("/")[0], 255
    for more in (MERCHANT, {"name": "n" * 255}, {"name": "n"}):
        while gateway.control("POST", merchants, more).status_code == 201:
            pass
    while gateway.control("PATCH", path, {"name": "n" * length}).status_code == 400:
        length -= 1

    suspended = gateway.control("POST", f"{path}/tokens/{token['id']}/suspend", {})

    assert (suspended.status_code, suspended.json["state"]) == (200, "suspended"), suspended.text


def test_a_snapshot_of_too_long_settings_is_refused(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    parts = opened(taken_of(gateway, made["id"]))
    parts.sandbox["merchants"][0]["name"] = "n" * SETTINGS_BYTES_MAX

    assert_too_long(restore(gateway, parts.closed()))


def test_no_snapshot_is_taken_that_no_restore_takes(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a bound of its own: a sandbox of an earlier version has more than any is given today."""
    made = gateway.control("POST", "/sandboxes", {}).json
    monkeypatch.setattr(sizes, "SETTINGS_BYTES_MAX", 100)

    refused = gateway.control("GET", f"/sandboxes/{made['id']}/snapshot")

    assert refused.status_code == 400, refused.text[:200]
    assert "at most 100 bytes" in refused.json["error"]["expected"]


LONG = "1 " * 400_000
ORDERED = {"number": "4200000000000000", "amount": "1.00", "currency": "EUR"}
TARGET = {"port": 22, "user": "u", "folder": "f", "password": "p", "host_key": "k"}


@pytest.mark.parametrize(
    ("method", "path", "sent", "where"),
    [
        ("POST", "/merchants", {"channels": [{"clearing_institute": LONG}]}, "clearing_institute"),
        ("POST", "/merchants", {"channels": [{"bank_account": {
            "number": "DE89370400440532013000", "holder": LONG}}]}, "bank_account.holder"),
        ("POST", "/merchants", {"channels": [{"bank_account": {"number": LONG}}]}, "number"),
        ("PUT", "/merchants/{merchant}/sftp-push", {**TARGET, "host": LONG}, "host"),
        ("POST", "/settlement-faults", {"institute": "Sandgate Bank", "plan": LONG}, "plan"),
        ("POST", "/wallet/tokens", {**ORDERED, "amount": LONG}, "amount"),
        ("POST", "/wallet/tokens", {**ORDERED, "currency": LONG}, "currency"),
    ],
)  # fmt: skip
def test_long_texts_are_refused_before_they_are_looked_through(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, method: str, path: str, sent: Any, where: str
) -> None:
    looked: list[int] = []
    look = masking.mask_card_numbers

    def counted(text: str) -> str:
        looked.append(len(text))
        return look(text)

    made = gateway.control("POST", "/sandboxes", {}).json
    merchant = made["entities"]["merchants"][0]["id"]
    monkeypatch.setattr(masking, "mask_card_numbers", counted)
    whole = f"/sandboxes/{made['id']}{path.format(merchant=merchant)}"

    refused = gateway.control(method, whole, sent)

    assert refused.status_code == 400, refused.text[:200]
    assert refused.json["error"]["where"].endswith(where), refused.text[:300]
    assert max(looked, default=0) <= refusals.LENGTH_MAX


@pytest.mark.parametrize("amount", ["1E+99999999", "1E-99999999", "0E+99999999", "NaN", "-1"])
def test_an_amount_of_a_rule_is_not_written_out(gateway: Gateway, amount: str) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    rule = {"channel": "A", "amount_min": amount}
    merchant = {"channels": [{"name": "A"}], "dispatching": [rule]}

    refused = gateway.control("POST", f"/sandboxes/{made['id']}/merchants", merchant)

    assert refused.status_code == 400, refused.text[:200]
    assert refused.json["error"]["where"] == "dispatching[0].amount_min"


def assert_too_long(answer: Any) -> None:
    assert answer.status_code == 400, answer.text[:200]
    assert "524,288 bytes" in answer.json["error"]["expected"], answer.text[:200]
