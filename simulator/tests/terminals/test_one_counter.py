"""One counter pays once: of payments at once, and in a sandbox that comes back from a snapshot."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import gevent
import pytest
from msgspec.structs import replace

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal
from simulator.domain.merchants.hierarchy import stamp_of
from simulator.domain.payments.initial import TransactionIds
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway
from simulator.tests.terminals.keys import Device, sent_by

USED, UNKNOWN, PAID = "200.200.106", "600.300.101", "000.100.110"
KEY = {"Authorization": f"Bearer {CONTROL_KEY}"}
MONEY = {"paymentType": "DB", "amount": "92.00", "currency": "EUR"}
ROUNDS, PAYMENTS = 20, 3


class Interleaved:
    """A store whose every call may let other greenlets run first, as the seed has it."""

    def __init__(self, store: object, random: Random):
        self._store = store
        self._random = random

    def __getattr__(self, name: str) -> object:
        method = getattr(self._store, name)

        def interleaved(*arguments: object, **named: object) -> object:
            if self._random.random() < 0.5:
                gevent.sleep(0)
            return method(*arguments, **named)

        return interleaved


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    built = Gateway(tmp_path / "data")
    yield built
    built.close()


@pytest.mark.parametrize("method", ["TDES", "AES"])
def test_of_payments_at_once_with_one_counter_one_pays(gateway: Gateway, method: str) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    device = Device.of(gateway, sandbox, method=method)
    for seed in range(ROUNDS):
        context = context_of(gateway, sandbox, Random(seed))
        sent = {**{name: each for name, each in sent_by(device).items() if each}, **MONEY}
        greenlets = [gevent.spawn(code_of, context, sent) for _ in range(PAYMENTS)]
        gevent.joinall(greenlets, raise_error=True)
        codes = sorted(each.value for each in greenlets)
        assert codes == [PAID, *[USED] * (PAYMENTS - 1)], seed


def test_counters_and_keys_come_back_with_a_snapshot(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    who, path = Credentials(made["token"], made["entity_id"]), f"/sandboxes/{made['id']}"
    device = Device.of(gateway, made["id"])
    before, after = sent_by(device), sent_by(device)
    assert paid(gateway, who, before) == PAID
    taken = gateway.client.simulate_get(f"/_sandbox/v1{path}/snapshot", headers=KEY).content
    assert paid(gateway, who, after) == PAID
    late = Device.of(gateway, made["id"])
    assert paid(gateway, who, sent_by(late)) == PAID
    gateway.control("DELETE", path)

    restored = gateway.client.simulate_post(
        "/_sandbox/v1/sandboxes/restore", headers=KEY, body=taken
    )

    assert restored.status_code == 201
    assert paid(gateway, who, before) == USED
    assert paid(gateway, who, after) == PAID, "the counter is that of the snapshot"
    assert paid(gateway, who, sent_by(late)) == UNKNOWN
    assert [
        each["id"] for each in gateway.control("GET", f"{path}/terminals").json["terminals"]
    ] == [device.id]


def context_of(gateway: Gateway, sandbox: str, random: Random) -> ChannelContext:
    """The default channel, with a store that lets payments run into each other."""
    ports = gateway.ports(sandbox)
    merchant = ports.sandbox.merchants[0]
    channel = merchant.channels[0]
    interleaved = replace(ports, store=Interleaved(ports.store, random))
    return ChannelContext(interleaved, channel, stamp_of(ports.sandbox, merchant, channel))


def code_of(context: ChannelContext, sent: dict[str, str]) -> str:
    """The result code of a payment with exactly these parameters."""
    ids = TransactionIds(
        id=context.ports.ids.record(), short_id="1", trace=1, now=context.ports.clock.now(), ndc="1"
    )
    try:
        return take_payment(context, sent, ids).outcome.code
    except Refusal as refusal:
        return refusal.code


def paid(gateway: Gateway, who: Credentials, sent: dict[str, str | None]) -> str:
    return gateway.post(who=who, **sent).json["result"]["code"]
