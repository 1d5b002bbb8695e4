"""Messages of an epoch that has ended, which arrive in the next one: they leave nothing there."""

from collections.abc import Callable, Iterator
from pathlib import Path

import gevent
import pytest

from acquirer_mocks.tests.bench import PAYMENT, Bench, areq_of
from acquirer_mocks.tests.test_card_host import End
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.messages import message_of, reversal_of
from simulator.domain.core.errors import EpochEndedError, MessageNotSentError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Script
from simulator.domain.holding import HeldMessage, Stop
from simulator.domain.ports.sandbox import Ports
from simulator.domain.three_d_secure.authentications import Authentication, AuthenticationStage
from simulator.tests.acquiring.test_card_messages import NOON, ask
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway

FROZEN = {"mode": "frozen", "at": "2030-01-07T10:00:00Z"}
ONCE = {"behaviour": "insufficient-funds", "times": 1}
Ends = Callable[[Gateway, str], None]


def reset(gateway: Gateway, identity: str) -> None:
    assert gateway.control("POST", f"/sandboxes/{identity}/reset").status_code == 200


def restore(gateway: Gateway, identity: str) -> None:
    restored(gateway, snapshot_of(gateway, identity))


def make_anew(gateway: Gateway, identity: str) -> None:
    """Delete it, and restore it from a snapshot of before: both have the same number of epoch."""
    snapshot = snapshot_of(gateway, identity)
    assert gateway.control("DELETE", f"/sandboxes/{identity}").status_code in {200, 204}
    restored(gateway, snapshot)


def snapshot_of(gateway: Gateway, identity: str) -> bytes:
    return gateway.control("GET", f"/sandboxes/{identity}/snapshot").content


def restored(gateway: Gateway, snapshot: bytes) -> None:
    answer = gateway.client.simulate_post(
        "/_sandbox/v1/sandboxes/restore",
        body=snapshot,
        headers={"Authorization": f"Bearer {CONTROL_KEY}"},
        content_type="application/octet-stream",
    )
    assert answer.status_code in {200, 201}, answer.text


ENDS = pytest.mark.parametrize("end_epoch", [reset, restore, make_anew])


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path)
    yield made
    made.close()


def made_in(gateway: Gateway) -> Ports:
    identity = gateway.control("POST", "/sandboxes", {"clock": FROZEN, "seed": 1}).json["id"]
    return gateway.ports(identity)


def request_in(ports: Ports) -> dict[str, str]:
    asked = ask(entity=ports.sandbox.merchants[0].channels[0].id)
    return message_of(asked, ports.sandbox.id, at=NOON, currency="978")


def entries_in(gateway: Gateway, identity: str) -> list[CardEntry]:
    return list(gateway.ports(identity).store.between(CardEntry, "date", "", "~"))


@ENDS
def test_a_request_of_an_ended_epoch_is_not_booked_in_the_next(
    gateway: Gateway, end_epoch: Ends
) -> None:
    before = made_in(gateway)
    identity, message = before.sandbox.id, request_in(before)
    assert before.clock.now() == before.sandbox.clock.world
    end_epoch(gateway, identity)
    gateway.control("POST", f"/sandboxes/{identity}/scripts", ONCE)

    for sent in (message, reversal_of(message, "0400")):
        with pytest.raises(MessageNotSentError):
            before.card_link.exchange(sent)

    assert entries_in(gateway, identity) == []
    (armed,) = gateway.ports(identity).store.find(Script, "armed", "yes")
    assert (armed.asked, armed.matched) == (0, 0)
    assert gateway.control("GET", f"/sandboxes/{identity}/books").json["agree"]


@ENDS
@pytest.mark.parametrize("kind", ["", "0400", "0420"])
def test_a_line_that_signed_on_in_an_ended_epoch_has_to_sign_on_again(
    gateway: Gateway, end_epoch: Ends, kind: str
) -> None:
    end = End(gateway)
    sent = reversal_of(end.payment(), kind) if kind else end.payment()
    end_epoch(gateway, end.sandbox)

    assert end.ask(sent)["39"] == "91"
    assert entries_in(gateway, end.sandbox) == []
    assert end.manage("001")["39"] == "00"
    assert end.ask(sent)["39"] == "00"


@ENDS
def test_work_that_is_asked_for_in_an_ended_epoch_is_not_begun(
    gateway: Gateway, end_epoch: Ends
) -> None:
    before, done = made_in(gateway), []
    end_epoch(gateway, before.sandbox.id)

    before.scheduler.run_job("late", lambda: done.append("job"))
    before.scheduler.end_attempt(PAYMENT)
    before.scheduler.wake()

    gevent.sleep(0.05)
    assert (done, before.scheduler.is_running("late")) == ([], False)
    assert before.scheduler.is_running(f"attempt {PAYMENT}") is False


@ENDS
def test_a_message_is_not_held_in_an_ended_epoch(gateway: Gateway, end_epoch: Ends) -> None:
    before = made_in(gateway)
    assert before.clock.now() == before.sandbox.clock.world
    end_epoch(gateway, before.sandbox.id)

    message = HeldMessage(
        id=PAYMENT,
        stop=Stop.ACS,
        at=NOON,
        real=NOON,
        label="CReq",
        payment=PAYMENT,
        ndc="",
        host="test",
    )
    with gevent.Timeout(5), pytest.raises(EpochEndedError):
        before.holds.hold(message)


@pytest.mark.parametrize("path", ["ds/areq", "ds/lookup"])
def test_the_directory_server_does_not_answer_a_message_of_an_ended_epoch(path: str) -> None:
    bench = Bench()
    sent, bench.epoch = areq_of(epoch=bench.epoch), "fedcba9876543210"

    assert bench.post(path, sent).status_code == 504
    assert (len(bench.kept), bench.store.units) == (0, [])
    assert bench.post(path, areq_of(epoch=bench.epoch)).status_code == 200


def test_no_result_is_reported_of_a_challenge_that_the_restored_payment_does_not_have() -> None:
    bench = Bench()
    path = bench.challenge().path
    known = Authentication(
        id=PAYMENT, stage=AuthenticationStage.METHOD, server_id=PAYMENT, secret="",
        message_version="2.2.0",
    )  # fmt: skip
    bench.store.commit(unit_of(known))

    bench.act(path, "approve")

    assert bench.results == []
