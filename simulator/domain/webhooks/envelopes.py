"""How a notification is written and read: JSON, or AES-256-GCM as hex text or in a wrapper.

Source: Events; encryption is not shown. Choice: D-85.
"""

from binascii import hexlify
from collections.abc import Iterable, Mapping

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from simulator.domain.webhooks.records import Format, Mishap, Notice

IV_DIGITS = 24
TAG_BYTES = 16
IV_HEADER, TAG_HEADER = "X-Initialization-Vector", "X-Authentication-Tag"
ID_HEADER, ATTEMPT_HEADER = "X-Event-Id", "X-Delivery-Attempt"
JSON_TYPE, TEXT_TYPE = "application/json", "text/plain"
# The structures that tell who the shopper is, and the two fields outside them that do.
CUSTOMER_STRUCTURES = ("customer", "billing", "shipping")
CUSTOMER_FIELDS = (("card", "holder"), ("bankAccount", "holder"))

encode = msgspec.json.Encoder(decimal_format="string").encode
decode = msgspec.json.Decoder().decode


class UnreadableEnvelopeError(Exception):
    """A notification that none of the secrets opens, or that is no JSON once it is open."""


class Envelope(msgspec.Struct, frozen=True):
    """A notification as it travels."""

    headers: Mapping[str, str]
    body: bytes


def noted(payload: Mapping[str, object]) -> msgspec.Raw:
    """A payload as a notice keeps it."""
    return msgspec.Raw(encode(payload))


def payload_of(notice: Notice) -> Mapping[str, object]:
    """The payload of a notice, to be read."""
    payload = decode(notice.payload)
    assert isinstance(payload, Mapping), "a payload is an object: `noted` takes nothing else"
    return payload


def text_of(notice: Notice, *, with_customer: bool) -> bytes:
    """The wrapper of the specification: type, action, payload. The same bytes at every attempt."""
    wrapper: dict[str, object] = {"type": notice.type}
    if notice.action is not None:
        wrapper["action"] = notice.action
    # Of the whole payload nothing is read: it is written as it was kept.
    wrapper["payload"] = notice.payload if with_customer else without_customer(payload_of(notice))
    return encode(wrapper)


def without_customer(payload: Mapping[str, object]) -> dict[str, object]:
    """`payload` without what tells who the shopper is. Choice: D-85."""
    left = {name: value for name, value in payload.items() if name not in CUSTOMER_STRUCTURES}
    for structure, field in CUSTOMER_FIELDS:
        inner = left.get(structure)
        if isinstance(inner, Mapping) and field in inner:
            left[structure] = {name: value for name, value in inner.items() if name != field}
    return left


def sealed(text: bytes, form: Format, *, secret: str, iv: str) -> Envelope:
    """`text` in a format; `secret` is 64 hex digits, `iv` 24 that it was never used with before."""
    if form == "json":
        return Envelope({"Content-Type": JSON_TYPE}, text)
    whole = AESGCM(bytes.fromhex(secret)).encrypt(bytes.fromhex(iv), text, None)
    digits = hexlify(whole).upper()
    body, tag = digits[: -2 * TAG_BYTES], digits[-2 * TAG_BYTES :].decode()
    headers = {IV_HEADER: iv.upper(), TAG_HEADER: tag}
    if form == "hex":
        return Envelope({"Content-Type": TEXT_TYPE, **headers}, body)
    wrapped = b'{"encryptedBody":"%b"}' % body
    return Envelope({"Content-Type": JSON_TYPE, **headers}, wrapped)


def opened(headers: Mapping[str, str], body: bytes, secrets: Iterable[str]) -> Mapping[str, object]:
    """The wrapper inside a notification, whatever its format. Raises Unreadable.

    Header names count in any case. The first of the secrets that fits is taken.
    """
    named = {name.lower(): value for name, value in headers.items()}
    iv, tag = named.get(IV_HEADER.lower()), named.get(TAG_HEADER.lower())
    if iv is None or tag is None:
        wrapper = _object_in(body)
    else:
        wrapper = _object_in(_decrypted(_cipher_text(body), iv, tag, secrets))
    if not isinstance(wrapper.get("type"), str):
        raise UnreadableEnvelopeError(
            "expected a wrapper with type and payload, got another JSON object"
        )
    return wrapper


def marred(envelope: Envelope, form: Format) -> Envelope:
    """The notification with one digit of it changed; a plain one loses its end."""
    if form == "json":
        return Envelope(envelope.headers, envelope.body[: len(envelope.body) // 2])
    # A wrapper ends in the two signs that close it; what is changed lies inside.
    at = len(envelope.body) // 2
    other = b"1" if envelope.body[at : at + 1] == b"0" else b"0"
    return Envelope(envelope.headers, envelope.body[:at] + other + envelope.body[at + 1 :])


def other_secret(secret: str) -> str:
    """A secret that is not `secret`: every bit of it turned."""
    return bytes(byte ^ 0xFF for byte in bytes.fromhex(secret)).hex()


def hits(mishap: Mishap | None, name: str, attempt: int) -> bool:
    """Whether what a script does under `name` happens to the attempt with this number, from 1."""
    return mishap is not None and attempt <= getattr(mishap, name)


def _cipher_text(body: bytes) -> bytes:
    text = body.strip()
    if text.startswith(b"{"):
        wrapper = _object_in(text)
        text = str(wrapper.get("encryptedBody", "")).encode()
    return _bytes_of(text.decode("ascii", "replace"), "body")


def _decrypted(cipher: bytes, iv: str, tag: str, secrets: Iterable[str]) -> bytes:
    iv_bytes, whole = _bytes_of(iv, IV_HEADER), cipher + _bytes_of(tag, TAG_HEADER)
    for secret in secrets:
        try:
            return AESGCM(_bytes_of(secret, "secret")).decrypt(iv_bytes, whole, None)
        except (InvalidTag, ValueError):
            continue
    raise UnreadableEnvelopeError("no secret opens it: another key, or it was altered on the way")


def _bytes_of(digits: str, where: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        got = f"{len(digits)} other characters"
        raise UnreadableEnvelopeError(f"{where}: expected hex digits, got {got}") from None


def _object_in(text: bytes) -> Mapping[str, object]:
    try:
        wrapper = decode(text)
    except msgspec.DecodeError as error:
        raise UnreadableEnvelopeError(f"expected a JSON object, got {error}") from None
    if not isinstance(wrapper, Mapping):
        raise UnreadableEnvelopeError("expected a JSON object, got another JSON value")
    return wrapper
