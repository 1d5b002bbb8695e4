"""How a merchant opens a notification: AES-256-GCM, hex digits, the tag apart from the text.

The specification shows no encryption; this is what merchants of this gateway family do.
"""

import json
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

IV, TAG = "x-initialization-vector", "x-authentication-tag"


def opened(headers: Mapping[str, str], body: bytes, secret: str) -> Mapping[str, Any]:
    """The wrapper of an encrypted notification. Raises InvalidTag, ValueError or KeyError
    otherwise.

    `secret` has 64 hex digits; header names are lower-case.
    """
    text = body.decode("ascii")
    digits = json.loads(text)["encryptedBody"] if text.startswith("{") else text
    sealed = bytes.fromhex(digits) + bytes.fromhex(headers[TAG])
    plain = AESGCM(bytes.fromhex(secret)).decrypt(bytes.fromhex(headers[IV]), sealed, None)
    return dict(json.loads(plain))
