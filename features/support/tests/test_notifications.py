"""What a gateway tells of a payment is told from what it tells of others, and from strangers."""

import json
import os
from collections.abc import Callable
from functools import partial

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from features.support.notifications import Notified
from simulator.client.receiver import Receiver

KEY = "00112233445566778899aabbccddeeff" * 2


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


def notified(receiver: Receiver, settle: Callable[[], object] = lambda: None) -> Notified:
    return Notified(receiver, KEY, settle)


def post(receiver: Receiver, wrapper: object, key: str = KEY) -> None:
    iv = os.urandom(12)
    sealed = AESGCM(bytes.fromhex(key)).encrypt(iv, json.dumps(wrapper).encode(), None)
    headers = {"x-initialization-vector": iv.hex(), "x-authentication-tag": sealed[-16:].hex()}
    receiver.take("POST", "/", headers, body=sealed[:-16].hex().encode())


def told(payment: str) -> object:
    return {"type": "PAYMENT", "payload": {"id": payment}}


def test_what_is_about_other_payments_and_about_none_is_left_aside(receiver: Receiver) -> None:
    for wrapper in (told("other"), {"type": "test"}, {"payload": [1]}, told("mine")):
        post(receiver, wrapper)
    (call,) = notified(receiver).told_of("mine")
    assert notified(receiver).opened(call) == told("mine")


def test_what_the_key_does_not_open_counts(receiver: Receiver) -> None:
    post(receiver, told("mine"), key="ff" * 32)
    post(receiver, [1, 2])
    receiver.take("POST", "/", {}, body=b"[" * 100_000)
    assert len(notified(receiver).told_of("mine")) == 3


def test_a_stranger_who_looks_in_does_not_count(receiver: Receiver) -> None:
    receiver.take("GET", "/favicon.ico", {}, body=b"")
    post(receiver, told("mine"))
    assert len(notified(receiver).told_of("mine")) == 1


def test_what_comes_again_a_little_later_counts(receiver: Receiver) -> None:
    post(receiver, told("mine"))
    later = partial(post, receiver, told("mine"))
    assert len(notified(receiver, later).told_of("mine")) == 2
