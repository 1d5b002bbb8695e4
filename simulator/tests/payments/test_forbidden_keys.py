"""Keys that merchants choose: those that name what no request may carry."""

from pathlib import Path

import pytest

from simulator.client.shown.masking import Masking
from simulator.domain.masking.masking import ValueKind, kind_of, mask_text
from simulator.tests.kit.gateway import Gateway

FORBIDDEN = (
    "cvv", "CVV2", "card_cvc", "securityCode", "pin", "user_pin", "userPin", "PIN", "track2",
    "track_1", "trackData", "password", "PassWord", "db.passwd", "otp", "pinBlock", "card_number",
    "cvn", "verification_value", "cardVerificationValue", "pan", "PAN", "pan_number", "ccnumber",
    "primaryAccountNumber", "cav2", "CAV2", "card_cav", "cvd", "cardCvd", "CVD2", "cid", "CID",
    "card.cid", "cardcid", "cvx2", "cardVerificationData", "verificationData", "card_verification",
    "cardValidationCode", "validation_code", "cardvalidationvalue", "pvv", "PVV", "user_pvv",
    "pinOffset", "pinoffset", "pinVerification", "track3", "fullTrack", "magstripe_data",
    "discretionaryData", "iCVV", "dcvv", "cvc3", "CVE", "cardSecurityNumber", "cardSecCode",
    "cvNumber", "verificationNumber", "cardVerifCode", "cardCheckCode", "signaturePanelCode", "SPC",
    "fourDigitBatchCode", "personalIdentificationNumber", "mpin", "trackOne", "trackTwo",
    "magStripe", "swipeData",
)  # fmt: skip
ALLOWED = ("shipping", "pinned", "campaign", "cidade", "acid", "decided", "placid", "recvdate",
           "lucid", "cavity", "validation", "validated", "tracking", "trackingId", "token", "panel",
           "secCode", "checkCode", "received",
           "company", "accountNumber", "accNumber", "acc_number", "verification")  # fmt: skip
# Card numbers are known by themselves, whatever their name.
NUMBERS = {"pan", "PAN", "pan_number", "card_number", "ccnumber", "primaryAccountNumber"}
SECRETS = [key for key in FORBIDDEN if key not in NUMBERS]
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


@pytest.mark.parametrize("key", FORBIDDEN)
def test_what_is_refused_as_a_key_is_masked_under_any_name(key: str) -> None:
    assert kind_of(key) is not ValueKind.PLAIN
    assert kind_of(f"some.{key}") is not ValueKind.PLAIN


@pytest.mark.parametrize("key", SECRETS)
@pytest.mark.parametrize("text", ["{}=9173", '{{"{}": "9173"}}', "x {}: 9173", "a?b=1&{}=9173"])
def test_what_is_refused_as_a_key_is_masked_in_texts(key: str, text: str) -> None:
    assert "9173" not in mask_text(text.format(key))


@pytest.mark.parametrize("key", SECRETS)
def test_what_is_refused_as_a_key_is_masked_by_clients(key: str) -> None:
    assert Masking().member(key, "9173") == "***"


@pytest.mark.parametrize("key", SECRETS)
@pytest.mark.parametrize("text", ["{}=9173", '{{"{}": "9173"}}', "a?b=1&{}=9173"])
def test_what_is_refused_as_a_key_is_masked_by_clients_in_texts(key: str, text: str) -> None:
    assert "9173" not in Masking().text(text.format(key))


@pytest.mark.parametrize("key", ["cidade", "acid", "decided", "recvdate", "cavity", "validation"])
def test_words_within_other_words_are_shown(key: str) -> None:
    assert kind_of(key) is ValueKind.PLAIN
    assert mask_text(f"{key}=9173") == f"{key}=9173"
    assert Masking().member(key, "9173") == "9173"


def test_other_keys_are_taken(gateway: Gateway) -> None:
    sent = {f"customParameters[{key}]": "x" for key in ALLOWED if "-" not in key}
    answer = gateway.post(**sent)

    assert answer.status_code == 200
    assert answer.json["customParameters"].keys() == {key for key in ALLOWED if "-" not in key}
