"""Webhooks as the shop receives them: AES-256-GCM, hex digits, the tag in a header of its own."""

import json
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

IV_HEADER, TAG_HEADER = "x-initialization-vector", "x-authentication-tag"


class UnreadableWebhookError(Exception):
    """A body that the secret of the shop does not decrypt."""


def decrypt_webhook(headers: Mapping[str, str], body: bytes, secret: str) -> dict[str, Any]:
    """The event in a body. Header names are lower-case. Raises UnreadableWebhookError."""
    try:
        vector, tag = bytes.fromhex(headers[IV_HEADER]), bytes.fromhex(headers[TAG_HEADER])
        cipher = bytes.fromhex(body.decode("ascii"))
        event = json.loads(AESGCM(bytes.fromhex(secret)).decrypt(vector, cipher + tag, None))
    except (KeyError, ValueError, InvalidTag) as error:
        raise UnreadableWebhookError(f"expected an encrypted event, got: {error!r}") from error
    if not isinstance(event, dict):
        raise UnreadableWebhookError("expected an event, got another document")
    return event
