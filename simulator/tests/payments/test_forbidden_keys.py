"""Keys that merchants choose: those that name what no request may carry."""

from pathlib import Path

import pytest

from simulator.tests.kit.gateway import Gateway

FORBIDDEN = (
    "cvv", "CVV2", "card_cvc", "securityCode", "pin", "user_pin", "userPin", "PIN", "track2",
    "track_1", "trackData", "password", "PassWord", "db.passwd", "otp", "pinBlock", "card_number",
    "cvn", "verification_value", "cardVerificationValue", "pan", "PAN", "pan_number", "ccnumber",
    "primaryAccountNumber",
)  # fmt: skip
ALLOWED = ("shipping", "pinned", "campaign", "cid", "tracking", "trackingId", "token", "panel",
           "company", "accountNumber", "accNumber", "acc_number", "verification")  # fmt: skip
MAPS = ("customParameters[{}]", "merchant.data[{}]")


@pytest.mark.parametrize("name", MAPS)
def test_a_key_that_names_a_secret_is_refused(gateway: Gateway, name: str) -> None:
    for key in FORBIDDEN:
        answer = gateway.post(**{name.format(key): "739152"})
        assert answer.status_code == 400, key
        (error,) = answer.json["result"]["parameterErrors"]
        assert error["name"] == name.format(key)
        assert error["value"] is None
        assert "must not carry" in error["message"]


@pytest.mark.parametrize("name", MAPS)
def test_the_profile_field_drops_it(tmp_path: Path, name: str) -> None:
    gateway = Gateway(tmp_path / "data", profile="field")
    sent = {name.format(key): "739152" for key in FORBIDDEN}
    answer = gateway.post(**sent, **{name.format("campaign"): "autumn"})
    read = gateway.read(answer.json["id"])
    (sandbox,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    whole = gateway.control("GET", f"/sandboxes/{sandbox['id']}/journal").text
    stored = b"".join(gateway.ports(sandbox["id"]).store.copied())
    gateway.close()

    assert answer.status_code == read.status_code == 200
    for text in (answer.text, read.text, whole, stored.decode()):
        assert "autumn" in text
        assert "739152" not in text


def test_other_keys_are_taken(gateway: Gateway) -> None:
    sent = {f"customParameters[{key}]": "x" for key in ALLOWED if "-" not in key}
    answer = gateway.post(**sent)

    assert answer.status_code == 200
    assert answer.json["customParameters"].keys() == {key for key in ALLOWED if "-" not in key}
