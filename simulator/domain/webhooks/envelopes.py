"""How an event is encoded and decoded: JSON, or AES-256-GCM as hex text or in a JSON wrapper.

Source: Events; the specification does not show the encryption. Choice: D-85.
"""

import re
from binascii import hexlify
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import chain
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from simulator.catalogue.fields.parameters import TABLES
from simulator.domain.webhooks.large_bodies import LargeBody, plain_body, seal_large
from simulator.domain.webhooks.records import DeliveryFault, Format, WebhookEvent

IV_DIGITS = 24
TAG_BYTES = 16
LEVELS_MAX = 100
NESTING = (dict, list)
TOO_DEEP = f"expected a JSON object of at most {LEVELS_MAX} levels, got one that is nested deeper"
IV_HEADER, TAG_HEADER = "X-Initialization-Vector", "X-Authentication-Tag"
ID_HEADER, ATTEMPT_HEADER = "X-Event-Id", "X-Delivery-Attempt"
JSON_TYPE, TEXT_TYPE = "application/json", "text/plain"
encode = msgspec.json.Encoder(decimal_format="string").encode
decode = msgspec.json.Decoder().decode


BRACKETS = re.compile(r"\[[^]]*\]")
Members = Mapping[str, Any]


class UnreadableEnvelopeError(Exception):
    """A body that none of the secrets decrypts, or that is not JSON once it is decrypted."""


class EventEnvelope(msgspec.Struct, frozen=True):
    """The headers and body of one attempt."""

    headers: Mapping[str, str]
    body: bytes | LargeBody


def encode_payload(payload: Mapping[str, object]) -> msgspec.Raw:
    """A payload as an event stores it."""
    return msgspec.Raw(encode(payload))


def decode_payload(event: WebhookEvent) -> Mapping[str, object]:
    """The payload of an event."""
    payload = decode(event.payload)
    assert isinstance(payload, Mapping), "`encode_payload` takes objects only"
    return payload


def encode_event(event: WebhookEvent, *, with_customer: bool) -> bytes:
    """The wrapper of the specification: type, action, payload. The same bytes at every attempt."""
    wrapper = _opened_wrapper(event)
    wrapper["payload"] = (
        event.payload if with_customer else remove_customer_data(decode_payload(event))
    )
    return encode(wrapper)


def large_text(event: WebhookEvent, *, with_customer: bool) -> LargeBody:
    """What `encode_event` makes, in pieces; a payload that stays whole is not copied."""
    if not with_customer:
        return plain_body((memoryview(encode_event(event, with_customer=False)),))
    opening = encode(_opened_wrapper(event))[:-1] + b',"payload":'
    return plain_body((opening, memoryview(event.payload), b"}"))


def _opened_wrapper(event: WebhookEvent) -> dict[str, object]:
    wrapper: dict[str, object] = {"type": event.type}
    if event.action is not None:
        wrapper["action"] = event.action
    return wrapper


def remove_customer_data(payload: Mapping[str, object]) -> dict[str, object]:
    """`payload` without what the field rows call personal. Choice: D-85."""
    return _without(payload, personal_members())


@cache
def personal_members() -> Members:
    """The personal members of a payload, as a tree; lists count as their items."""
    tree: dict[str, Any] = {}
    for row in (row for table in TABLES for row in table.rows if row.personal):
        *parents, last = BRACKETS.sub("", row.name).split(".")
        inner = tree
        for name in parents:
            inner = inner.setdefault(name, {})
        inner[last] = {}
    return tree


def _without(value: Mapping[str, object], members: Members) -> dict[str, object]:
    """An object without these members, nor what is empty without them."""
    kept = {}
    for name, inner in value.items():
        if name not in members:
            kept[name] = inner
        elif members[name] and (left := _left_of(inner, members[name])):
            kept[name] = left
    return kept


def _left_of(value: object, members: Members) -> object:
    if isinstance(value, list):
        left = [_left_of(item, members) for item in value]
        return left if any(left) else []
    return _without(value, members) if isinstance(value, Mapping) else value


def seal_envelope(text: bytes, form: Format, *, secret: str, iv: str) -> EventEnvelope:
    """`text` in a format; `secret` is 64 hex digits, `iv` 24 that were never used with it."""
    if form == "json":
        return EventEnvelope({"Content-Type": JSON_TYPE}, text)
    sealed = AESGCM(bytes.fromhex(secret)).encrypt(bytes.fromhex(iv), text, None)
    digits = hexlify(sealed).upper()
    body, tag = digits[: -2 * TAG_BYTES], digits[-2 * TAG_BYTES :].decode()
    headers = {IV_HEADER: iv.upper(), TAG_HEADER: tag}
    if form == "hex":
        return EventEnvelope({"Content-Type": TEXT_TYPE, **headers}, body)
    wrapped = b'{"encryptedBody":"%b"}' % body
    return EventEnvelope({"Content-Type": JSON_TYPE, **headers}, wrapped)


def seal_large_envelope(text: LargeBody, form: Format, *, secret: str, iv: str) -> EventEnvelope:
    """What `seal_envelope` makes, in pieces."""
    if form == "json":
        return EventEnvelope({"Content-Type": JSON_TYPE}, text)
    body, tag = seal_large(text, bytes.fromhex(secret), bytes.fromhex(iv))
    headers = {IV_HEADER: iv.upper(), TAG_HEADER: tag.hex().upper()}
    if form == "hex":
        return EventEnvelope({"Content-Type": TEXT_TYPE, **headers}, body)
    wrapped = body.wrapped(b'{"encryptedBody":"', b'"}')
    return EventEnvelope({"Content-Type": JSON_TYPE, **headers}, wrapped)


def open_envelope(
    headers: Mapping[str, str],
    body: bytes,
    secrets: Iterable[str],
    *,
    pause: Callable[[], None] = lambda: None,
) -> Mapping[str, object]:
    """The wrapper in a body of any format, decrypted with the first secret that fits. `pause` is
    called between its parts, of which each is long where the body is large.

    Header names are not case sensitive. Raises UnreadableEnvelopeError.
    """
    named = {name.lower(): value for name, value in headers.items()}
    iv, tag = named.get(IV_HEADER.lower()), named.get(TAG_HEADER.lower())
    if iv is None or tag is None:
        wrapper = _decode_object(body)
    else:
        cipher = _cipher_text(body)
        pause()
        text = _decrypt(cipher, iv, tag, secrets)
        pause()
        wrapper = _decode_object(text)
    if not isinstance(wrapper.get("type"), str):
        raise UnreadableEnvelopeError(
            "expected a wrapper with type and payload, got another JSON object"
        )
    return wrapper


def corrupt_envelope(envelope: EventEnvelope, form: Format) -> EventEnvelope:
    """The envelope with one digit of its body changed; JSON is cut in half instead."""
    # The middle of a wrapper lies within its digits.
    body, at = envelope.body, len(envelope.body) // 2
    if isinstance(body, LargeBody):
        changed = body.halved() if form == "json" else body.with_other_digit(at)
        return EventEnvelope(envelope.headers, changed)
    if form == "json":
        return EventEnvelope(envelope.headers, body[:at])
    other = b"1" if body[at : at + 1] == b"0" else b"0"
    return EventEnvelope(envelope.headers, body[:at] + other + body[at + 1 :])


def invert_secret(secret: str) -> str:
    """A secret that differs from `secret` in every bit."""
    return bytes(byte ^ 0xFF for byte in bytes.fromhex(secret)).hex()


def is_affected(fault: DeliveryFault | None, name: str, attempt: int) -> bool:
    """Whether the fault `name` (lose, corrupt, wrong_key) affects this attempt; they count from
    1.
    """
    return fault is not None and attempt <= getattr(fault, name)


def _cipher_text(body: bytes) -> bytes:
    text = body.strip()
    if text.startswith(b"{"):
        wrapper = _decode_object(text)
        text = str(wrapper.get("encryptedBody", "")).encode()
    return _decode_hex(text.decode("ascii", "replace"), "body")


def _decrypt(cipher: bytes, iv: str, tag: str, secrets: Iterable[str]) -> bytes:
    iv_bytes, sealed = _decode_hex(iv, IV_HEADER), cipher + _decode_hex(tag, TAG_HEADER)
    for secret in secrets:
        try:
            return AESGCM(_decode_hex(secret, "secret")).decrypt(iv_bytes, sealed, None)
        except (InvalidTag, ValueError):
            continue
    raise UnreadableEnvelopeError(
        "no secret decrypts it: it was encrypted with another one, or altered on the way"
    )


def _decode_hex(digits: str, where: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        got = f"{len(digits)} other characters"
        raise UnreadableEnvelopeError(f"{where}: expected hex digits, got {got}") from None


def _decode_object(text: bytes) -> Mapping[str, object]:
    try:
        wrapper = decode(text)
    except msgspec.DecodeError as error:
        raise UnreadableEnvelopeError(f"expected a JSON object, got {error}") from None
    except UnicodeDecodeError as error:
        raise UnreadableEnvelopeError(
            f"expected UTF-8, got another byte at {error.start}"
        ) from None
    except RecursionError:
        raise UnreadableEnvelopeError(TOO_DEEP) from None
    if not isinstance(wrapper, Mapping):
        raise UnreadableEnvelopeError("expected a JSON object, got another JSON value")
    _refuse_deep(wrapper)
    return wrapper


def _refuse_deep(wrapper: Mapping[str, object]) -> None:
    """Raise UnreadableEnvelopeError for what is nested so deeply that storing it could fail."""
    level: list[Any] = [wrapper]
    for _ in range(LEVELS_MAX):
        inner = chain.from_iterable(each.values() if type(each) is dict else each for each in level)
        level = [each for each in inner if type(each) in NESTING]
        if not level:
            return
    raise UnreadableEnvelopeError(TOO_DEEP)
