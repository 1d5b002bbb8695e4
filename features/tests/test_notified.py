"""What a gateway tells of a payment is told from what it tells of others, and from strangers."""

import json
import os
import threading

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from features import notified
from features.notified import Notified
from features.receiver import Receiver

KEY = "00112233445566778899aabbccddeeff" * 2


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Receiver:
    monkeypatch.setattr(notified, "QUIET_S", 0.3)
    return Receiver()


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
    (call,) = Notified(receiver, KEY).told_of("mine")
    assert Notified(receiver, KEY).opened(call) == told("mine")


def test_what_the_key_does_not_open_counts(receiver: Receiver) -> None:
    post(receiver, told("mine"), key="ff" * 32)
    post(receiver, [1, 2])
    receiver.take("POST", "/", {}, body=b"[" * 100_000)
    assert len(Notified(receiver, KEY).told_of("mine")) == 3


def test_a_stranger_who_looks_in_does_not_count(receiver: Receiver) -> None:
    receiver.take("GET", "/favicon.ico", {}, body=b"")
    post(receiver, told("mine"))
    assert len(Notified(receiver, KEY).told_of("mine")) == 1


def test_what_comes_again_a_little_later_counts(receiver: Receiver) -> None:
    post(receiver, told("mine"))
    threading.Timer(0.1, post, (receiver, told("mine"))).start()
    assert len(Notified(receiver, KEY).told_of("mine")) == 2
