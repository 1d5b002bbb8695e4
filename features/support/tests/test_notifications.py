"""Notifications of a payment are separated from those of others and from other requests."""

import json
import os
from collections.abc import Callable
from functools import partial

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from features.support.inboxes import ReceiverInbox
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


def wrapper_of(payment: str) -> object:
    return {"type": "PAYMENT", "payload": {"id": payment}}


def test_what_is_about_other_payments_and_about_none_is_left_aside(
    receiver: WebhookReceiver,
) -> None:
    for wrapper in (wrapper_of("other"), {"type": "test"}, {"payload": [1]}, wrapper_of("mine")):
        post(receiver, wrapper)
    (call,) = notified(receiver).calls_about("mine")
    assert notified(receiver).opened(call) == wrapper_of("mine")


def test_what_the_key_does_not_open_counts(receiver: WebhookReceiver) -> None:
    post(receiver, wrapper_of("mine"), key="ff" * 32)
    post(receiver, [1, 2])
    receiver.receive(ReceivedRequest("POST", "/", {}, b"[" * 100_000))
    assert len(notified(receiver).calls_about("mine")) == 3


def test_another_request_does_not_count(receiver: WebhookReceiver) -> None:
    receiver.receive(ReceivedRequest("GET", "/favicon.ico", {}, b""))
    post(receiver, wrapper_of("mine"))
    assert len(notified(receiver).calls_about("mine")) == 1


def test_what_comes_again_a_little_later_counts(receiver: WebhookReceiver) -> None:
    post(receiver, wrapper_of("mine"))
    later = partial(post, receiver, wrapper_of("mine"))
    assert len(notified(receiver, later).calls_about("mine")) == 2


def test_a_target_that_goes_on_and_on_ends_the_wait_for_more(receiver: WebhookReceiver) -> None:
    waits = 0

    def wait() -> None:
        nonlocal waits
        waits += 1
        assert waits <= 100, "the wait has no end"
        post(receiver, wrapper_of("mine"))

    assert len(ReceiverInbox(notified(receiver, wait)).arrivals(0)) == waits
