"""What a virtual terminal sends is a payment, with a key that it never uses again."""

import pytest

from load.plan.plan import DEFAULT_USERS, VIRTUAL_USERS, LoadPlan
from load.run.locust_process import USER_CLASSES
from load.traffic.payloads import Payloads, create_shoppers
from load.traffic.terminals import (
    ENTRY_MODES,
    VirtualTerminal,
    planned_terminal,
    terminal_payment,
)
from simulator.client import SandboxClient


@pytest.mark.parametrize("method", ["AES", "TDES"])
def test_payments_of_a_virtual_terminal_succeed(
    sandgate_sandbox: SandboxClient, method: str
) -> None:
    made = sandgate_sandbox.control.create_terminal(sandgate_sandbox.id, method=method)
    terminal = VirtualTerminal(planned_terminal(made))
    payloads = Payloads("1/0/1", create_shoppers(1))
    requests = [terminal_payment(payloads, terminal, kind) for kind in ("DB", "PA") * 6]

    answers = [sandgate_sandbox.merchant.post(each.path, each.form) for each in requests]

    assert {each.code[:7] for each in answers} == {"000.100"}
    keys = [each.form["pos.encryptedSred.ksn"] for each in requests]
    assert len(set(keys)) == len(keys)
    assert {each.form["pos.entryMode"] for each in requests} <= set(ENTRY_MODES)
    counted = sandgate_sandbox.control.terminal(sandgate_sandbox.id, made["id"])
    assert {each["usage"]: each["counter"] for each in counted["keys"]} == {"PIN": 0, "DATA": 12}


def test_a_terminal_takes_part_where_it_is_named() -> None:
    assert "terminal" in VIRTUAL_USERS
    assert "terminal" not in DEFAULT_USERS
    assert USER_CLASSES["terminal"] == "TerminalUser"


def test_a_plan_shows_no_key_of_a_terminal(sandgate_sandbox: SandboxClient) -> None:
    made = sandgate_sandbox.control.create_terminal(sandgate_sandbox.id)
    planned = planned_terminal(made)
    plan = LoadPlan(base_url="", token="", entity_id="", ledger="", terminals=(planned,))

    assert made["load"]["kbpk"] not in repr(plan)
    assert planned.block not in repr(plan)
