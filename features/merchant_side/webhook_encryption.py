"""How a notification travels, and what may have befallen it on the way.

AES-256-GCM, hex digits, the tag apart from the text: W1. Written anew from what clients do; the
gateway's own is another.
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
    """A notification ready to be posted. `iv` and `tag` are hex digits; None leaves one out."""

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
    """A notification under `key` (32 bytes), with an identity and a vector of its own."""
    iv = secrets.token_bytes(IV_BYTES)
    whole = AESGCM(key).encrypt(iv, text_of(wrapper), None)
    cipher, tag = whole[:-TAG_BYTES], whole[-TAG_BYTES:]
    return EncryptedNotification(
        form, digits(cipher), digits(iv), digits(tag), secrets.token_hex(16)
    )


def next_attempt(letter: EncryptedNotification) -> EncryptedNotification:
    """The next attempt to deliver the same."""
    return replace(letter, attempt=letter.attempt + 1)


def with_lower_case_digits(letter: EncryptedNotification) -> EncryptedNotification:
    """The same with hex digits in lower case."""
    return replace(
        letter, body=letter.body.lower(), iv=str(letter.iv).lower(), tag=str(letter.tag).lower()
    )


def text_of(wrapper: Wrapper) -> bytes:
    """A wrapper as JSON, letters beyond ASCII as they are."""
    return json.dumps(wrapper, ensure_ascii=False).encode()


def digits(content: bytes) -> str:
    """Bytes as hex digits, in upper case as gateways send them."""
    return content.hex().upper()


def _of_another_key(
    letter: EncryptedNotification, wrapper: Wrapper, key: bytes
) -> EncryptedNotification:
    return encrypt_notification(wrapper, bytes(byte ^ 0xFF for byte in key), letter.form)


def _altered(text: str) -> str:
    at = len(text) // 2
    return text[:at] + ("1" if text[at] == "0" else "0") + text[at + 1 :]


def _plain(letter: EncryptedNotification, wrapper: Wrapper, key: bytes) -> EncryptedNotification:
    return EncryptedNotification("plain", text_of(wrapper).decode(), event_id=letter.event_id)


Tamper = Callable[[EncryptedNotification, Wrapper, bytes], EncryptedNotification]
TAMPERINGS: dict[str, Tamper] = {
    "wrong-key": _of_another_key,
    "altered-body": lambda it, *_: replace(it, body=_altered(it.body)),
    "altered-tag": lambda it, *_: replace(it, tag=_altered(str(it.tag))),
    # The right first bytes: there are libraries that compare only as many as they are given.
    "short-tag": lambda it, *_: replace(it, tag=str(it.tag)[:8]),
    "wrong-iv": lambda it, *_: replace(it, iv=digits(secrets.token_bytes(IV_BYTES))),
    "truncated-body": lambda it, *_: replace(it, body=it.body[: len(it.body) // 4 * 2]),
    "no-tag": lambda it, *_: replace(it, tag=None),
    "no-iv": lambda it, *_: replace(it, iv=None),
    "plain-text": _plain,
    "no-digits": lambda it, *_: replace(it, body="Good morning. " + it.body[14:]),
    "empty-body": lambda it, *_: replace(it, body=""),
}
