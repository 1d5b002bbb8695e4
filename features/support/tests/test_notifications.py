"""What a gateway tells of a payment is told from what it tells of others, and from strangers."""

import json
import os
from collections.abc import Callable
from functools import partial

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from features.support.notifications import NotificationInbox
from simulator.client.listener import ReceivedRequest
from simulator.client.receiver import WebhookReceiver

KEY = "00112233445566778899aabbccddeeff" * 2


@pytest.fixture
def receiver() -> WebhookReceiver:
    return WebhookReceiver()


def notified(
    receiver: WebhookReceiver, settle: Callable[[], object] = lambda: None
) -> NotificationInbox:
    return NotificationInbox(receiver, KEY, settle)


def post(receiver: WebhookReceiver, wrapper: object, key: str = KEY) -> None:
    iv = os.urandom(12)
    sealed = AESGCM(bytes.fromhex(key)).encrypt(iv, json.dumps(wrapper).encode(), None)
    headers = {"x-initialization-vector": iv.hex(), "x-authentication-tag": sealed[-16:].hex()}
    receiver.receive(ReceivedRequest("POST", "/", headers, sealed[:-16].hex().encode()))


def told(payment: str) -> object:
    return {"type": "PAYMENT", "payload": {"id": payment}}


def test_what_is_about_other_payments_and_about_none_is_left_aside(
    receiver: WebhookReceiver,
) -> None:
    for wrapper in (told("other"), {"type": "test"}, {"payload": [1]}, told("mine")):
        post(receiver, wrapper)
    (call,) = notified(receiver).calls_about("mine")
    assert notified(receiver).opened(call) == told("mine")


def test_what_the_key_does_not_open_counts(receiver: WebhookReceiver) -> None:
    post(receiver, told("mine"), key="ff" * 32)
    post(receiver, [1, 2])
    receiver.receive(ReceivedRequest("POST", "/", {}, b"[" * 100_000))
    assert len(notified(receiver).calls_about("mine")) == 3


def test_a_stranger_who_looks_in_does_not_count(receiver: WebhookReceiver) -> None:
    receiver.receive(ReceivedRequest("GET", "/favicon.ico", {}, b""))
    post(receiver, told("mine"))
    assert len(notified(receiver).calls_about("mine")) == 1


def test_what_comes_again_a_little_later_counts(receiver: WebhookReceiver) -> None:
    post(receiver, told("mine"))
    later = partial(post, receiver, told("mine"))
    assert len(notified(receiver, later).calls_about("mine")) == 2
