"""Opening a notification: the vector that receivers of this gateway family are tested with."""

import json

import pytest
from cryptography.exceptions import InvalidTag

from features.spec.envelopes import IV, TAG, opened

SECRET = "000102030405060708090a0b0c0d0e0f" * 2
HEADERS = {IV: "00" * 12, TAG: "CE573FB7A41AB78E743180DC83FF09BD"}
BODY = b"0A3471C72D9BE49A8520F79C66BBD9A12FF9"


@pytest.mark.parametrize(
    "body", [BODY, BODY.lower(), json.dumps({"encryptedBody": BODY.decode()}).encode()]
)
def test_the_known_vector_is_opened(body: bytes) -> None:
    assert opened(HEADERS, body, SECRET) == {"type": "PAYMENT"}


def test_another_secret_opens_nothing() -> None:
    with pytest.raises(InvalidTag):
        opened(HEADERS, BODY, "ff" * 32)
