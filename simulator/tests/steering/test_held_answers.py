"""The script that answers a held message: armed for its payment alone, and disarmed with it."""

from contextlib import nullcontext, suppress
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment, Script
from simulator.domain.holding import GO_ON, HeldMessage, Let, Stop
from simulator.domain.ports.sandbox import Ports
from simulator.domain.scripts import armed_scripts
from simulator.service.held import held_at
from simulator.service.holding import UnknownHeldError, let_go
from simulator.service.payments.pipeline import take_payment
from simulator.tests.adapters.sandboxes.test_holds import FullDisk
from simulator.tests.kit.making import BEHAVIOURS, CARD, NOON, a_context, new_ids

SENT = {**CARD, "paymentType": "DB", "amount": "92.00", "currency": "EUR"}
MESSAGE = HeldMessage(
    id="1", stop=Stop.ACQUIRER, at=NOON, real=NOON, label="DB", payment="8a" * 16, ndc="1",
    host="test",
)  # fmt: skip


class OneHeld:
    """Breakpoints with one message, which goes on as soon as it is held."""

    turn = nullcontext()
    stops = frozenset(Stop)

    def __init__(self, *, is_gone: bool = False):
        self.is_gone = is_gone
        self.let = GO_ON

    def held(self) -> list[HeldMessage]:
        return [MESSAGE]

    def hold(self, message: HeldMessage) -> Let:
        return self.let

    def let_go(self, identity: str, let: Let) -> bool:
        self.let = let
        return not self.is_gone


class Held(NamedTuple):
    """A message of a payment that was answered."""

    ports: Ports
    payment: Payment

    @property
    def armed(self) -> list[Script]:
        return armed_scripts(self.ports.store)


def answered(answer: str = "stolen-card", behaviours=BEHAVIOURS) -> Held:
    context = a_context(store=FullDisk())
    payment = take_payment(context, SENT, new_ids(context))
    ports = replace(context.ports, holds=OneHeld())
    let_go(ports, "1", "answer", answer=answer, behaviours=behaviours)
    return Held(ports, payment)


def test_an_answer_is_for_the_payment_alone_whatever_its_behaviour_matches() -> None:
    choosy = replace(BEHAVIOURS["stolen-card"], match={"brand": "MASTER", "nth": 2})

    (script,) = answered(behaviours={"stolen-card": choosy}).armed

    assert (script.match, script.times) == ({"payment": MESSAGE.payment}, 1)
    assert script.behaviour.get("match", {}) == {}


def test_the_answer_to_a_message_that_went_on_meanwhile_is_disarmed() -> None:
    ports = replace(a_context().ports, holds=OneHeld(is_gone=True))

    with pytest.raises(UnknownHeldError):
        let_go(ports, "1", "answer", answer="stolen-card", behaviours=BEHAVIOURS)

    assert armed_scripts(ports.store) == []


def test_an_answer_that_was_not_asked_for_ends_with_its_message() -> None:
    held = answered()

    with held_at(held.ports, Stop.ACQUIRER, held.payment, "DB") as let:
        assert [script.id for script in held.armed] == [let.script]

    assert held.armed == []


def test_an_answer_that_was_given_is_kept_as_used_up() -> None:
    held = answered()
    used = replace(held.armed[0], matched=1)

    with held_at(held.ports, Stop.ACQUIRER, held.payment, "DB"):
        held.ports.store.commit(unit_of(used))

    assert [script.matched for script in held.armed] == [1]


@pytest.mark.parametrize("error", [None, RuntimeError("a fault")])
def test_a_full_disk_changes_nothing_of_how_the_work_with_a_message_ends(
    error: Exception | None,
) -> None:
    held = answered()
    said = []

    with suppress(RuntimeError), held_at(held.ports, Stop.ACQUIRER, held.payment, "DB"):
        held.ports.store.is_full = True
        said.append("sent")
        if error is not None:
            raise error
    said.append("answered")

    assert said == ["sent", "answered"]
