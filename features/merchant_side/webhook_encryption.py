"""Encrypted notifications, and ways of tampering with them.

AES-256-GCM, hex digits, the tag apart from the text: W1. Written from what clients expect,
independent of the gateway.
"""

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from features.merchant_side.webhook_messages import Wrapper

WebhookFormat = Literal["hex", "wrapped", "plain"]
IV, TAG = "X-Initialization-Vector", "X-Authentication-Tag"
EVENT_ID, ATTEMPT = "X-Event-Id", "X-Delivery-Attempt"
IV_BYTES, TAG_BYTES = 12, 16
TYPES = {"hex": "text/plain", "wrapped": "application/json", "plain": "application/json"}


@dataclass(frozen=True, slots=True)
class EncryptedNotification:
    """A notification ready to be sent. `iv` and `tag` are hex digits; None leaves one out."""

    form: WebhookFormat
    body: str
    iv: str | None = None
    tag: str | None = None
    event_id: str | None = None
    attempt: int = 1

    def headers(self) -> dict[str, str]:
        """Its headers, but for the length."""
        named = {IV: self.iv, TAG: self.tag, EVENT_ID: self.event_id}
        named |= {ATTEMPT: str(self.attempt) if self.event_id else None}
        kept = {name: value for name, value in named.items() if value is not None}
        return {"Content-Type": TYPES[self.form], **kept}

    def content(self) -> bytes:
        """Its bytes."""
        wrapped = json.dumps({"encryptedBody": self.body}) if self.form == "wrapped" else self.body
        return wrapped.encode()


def encrypt_notification(
    wrapper: Wrapper, key: bytes, form: WebhookFormat = "hex"
) -> EncryptedNotification:
    """A notification encrypted with `key` (32 bytes), with a new event id and vector."""
    iv = secrets.token_bytes(IV_BYTES)
    whole = AESGCM(key).encrypt(iv, text_of(wrapper), None)
    cipher, tag = whole[:-TAG_BYTES], whole[-TAG_BYTES:]
    return EncryptedNotification(
        form, digits(cipher), digits(iv), digits(tag), secrets.token_hex(16)
    )


def next_attempt(notification: EncryptedNotification) -> EncryptedNotification:
    """The next attempt to deliver the same notification."""
    return replace(notification, attempt=notification.attempt + 1)


def with_lower_case_digits(notification: EncryptedNotification) -> EncryptedNotification:
    """The same notification with hex digits in lower case."""
    return replace(
        notification,
        body=notification.body.lower(),
        iv=str(notification.iv).lower(),
        tag=str(notification.tag).lower(),
    )


def text_of(wrapper: Wrapper) -> bytes:
    """A wrapper as JSON, notifications beyond ASCII as they are."""
    return json.dumps(wrapper, ensure_ascii=False).encode()


def digits(content: bytes) -> str:
    """Bytes as hex digits, in upper case as gateways send them."""
    return content.hex().upper()


def _of_another_key(
    notification: EncryptedNotification, wrapper: Wrapper, key: bytes
) -> EncryptedNotification:
    return encrypt_notification(wrapper, bytes(byte ^ 0xFF for byte in key), notification.form)


def _altered(text: str) -> str:
    at = len(text) // 2
    return text[:at] + ("1" if text[at] == "0" else "0") + text[at + 1 :]


def _plain(
    notification: EncryptedNotification, wrapper: Wrapper, key: bytes
) -> EncryptedNotification:
    return EncryptedNotification("plain", text_of(wrapper).decode(), event_id=notification.event_id)


Tamper = Callable[[EncryptedNotification, Wrapper, bytes], EncryptedNotification]
TAMPERINGS: dict[str, Tamper] = {
    "wrong-key": _of_another_key,
    "altered-body": lambda it, *_: replace(it, body=_altered(it.body)),
    "altered-tag": lambda it, *_: replace(it, tag=_altered(str(it.tag))),
    # The first bytes of the correct tag: some libraries compare only as many as they get.
    "short-tag": lambda it, *_: replace(it, tag=str(it.tag)[:8]),
    "wrong-iv": lambda it, *_: replace(it, iv=digits(secrets.token_bytes(IV_BYTES))),
    "truncated-body": lambda it, *_: replace(it, body=it.body[: len(it.body) // 4 * 2]),
    "no-tag": lambda it, *_: replace(it, tag=None),
    "no-iv": lambda it, *_: replace(it, iv=None),
    "plain-text": _plain,
    "no-digits": lambda it, *_: replace(it, body="Good morning. " + it.body[14:]),
    "empty-body": lambda it, *_: replace(it, body=""),
}
