"""A terminal sends a transaction sequence number a second time; terminal, till, gateway and host
agree on what was paid, whether the channel has its acquirer refuse the number or not.

A terminal counts on from its journal, so it repeats none by itself: here the journal is one that
was put back.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from pos_emulator.ecr.nexo.payment_answers import outcome_of
from pos_emulator.terminal.records import Ending, OrderKind, Stage, TerminalEntry
from pos_emulator.tests.terminal.shop import FAST, Shop, ended, without_network
from simulator.client.sandbox import SandboxClient

SECOND = {"accept": (Stage.APPROVED, Ending.APPROVED), "refuse": (Stage.DECLINED, Ending.DECLINED)}
DECLINED = SECOND["refuse"]


def set_up(shop: Shop, mode: str = "refuse") -> None:
    control, sandbox = shop.sandbox.control, shop.sandbox.id
    (merchant,) = control.sandbox(sandbox)["merchants"]
    channel = shop.document["channel"]
    control.change_channel(sandbox, merchant["id"], channel, repeated_sequence_number=mode)


def put_back(shop: Shop, trace: int = 0) -> None:
    """Let the terminal count from an old number on."""
    shop.edit(lambda journal: journal.write(replace(journal.numbers, trace=trace)))


def pay(shop: Shop, *, amount: str = "60.00") -> TerminalEntry:
    return shop.order(amount, cards=[shop.insert()])


@pytest.mark.parametrize("mode", ["accept", "refuse"])
def test_a_number_that_comes_again_is_paid_or_declined_as_the_channel_says(shop: Shop, mode: str):
    set_up(shop, mode)
    first = pay(shop)
    put_back(shop)

    second = pay(shop)

    assert first.trace == second.trace
    assert (ended(first), ended(second)) == (SECOND["accept"], SECOND[mode])
    shop.agree()
    assert shop.closed[0].currencies[0].sales == (2 if mode == "accept" else 1)


def test_a_refused_number_has_a_code_and_a_text_of_its_own(shop: Shop):
    set_up(shop)
    pay(shop)
    put_back(shop)

    second = pay(shop)

    assert (second.code, second.result_code) == ("94", "800.120.402")
    assert second.printed.status == "SENTTWICE"
    outcome = outcome_of(second)
    assert outcome.condition is not None
    assert (outcome.result.value, outcome.condition.value) == ("Failure", "Refusal")
    assert pay(shop).stage is Stage.APPROVED, "the card goes on with the next number"
    shop.agree()


def test_a_void_may_have_the_number_of_another_payment(shop: Shop):
    set_up(shop)
    first = pay(shop)
    put_back(shop)

    void = shop.order(None, OrderKind.VOID, receipt=first.receipt)

    assert void.stage is Stage.APPROVED
    shop.agree()


def test_the_acquirer_in_the_process_refuses_a_number_too(
    sandgate_sandbox: SandboxClient, tmp_path: Path
):
    shop = Shop(sandgate_sandbox, tmp_path / "terminal", test_mode="INTERNAL")
    set_up(shop)
    first = pay(shop)
    put_back(shop)

    second = pay(shop)

    assert (first.stage, second.code, ended(second)) == (Stage.APPROVED, "94", DECLINED)
    assert shop.terminal.close_batch().differences == ()
    shop.close()


@FAST
def test_a_payment_whose_answer_was_lost_has_not_used_its_number(shop: Shop):
    set_up(shop)
    shop.sandbox.arm({"steps": {"link": "silent"}}, times=1)
    lost = pay(shop)
    assert shop.sandbox.drain()
    shop.sandbox.advance("5m")
    put_back(shop)

    again = pay(shop)

    assert lost.ending is not Ending.APPROVED
    assert ended(again) == SECOND["accept"]
    shop.agree()


def test_an_upload_with_a_number_that_was_paid_is_a_loss_and_named(shop: Shop):
    set_up(shop)
    pay(shop)
    put_back(shop)
    stored = without_network(shop)

    assert shop.terminal.work() == 0

    entry = shop.terminal.entry(stored.receipt)
    assert entry is not None
    assert (ended(entry), entry.result_code) == ((Stage.FAILED, Ending.DECLINED), "800.120.402")
    assert entry.reason.startswith("refused: ")
    shop.agree()
