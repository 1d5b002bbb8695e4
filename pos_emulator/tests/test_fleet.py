"""`sandgate terminal fleet` loads terminals that pay, and loads none twice."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner, Result

from pos_emulator.card.memory import RamMemory
from pos_emulator.card.slot import slot_of
from pos_emulator.fleet import main
from pos_emulator.terminal.gateway import Gateway
from pos_emulator.terminal.records import Inserted, Stage, TillOrder
from pos_emulator.terminal.terminal import Terminal
from pos_emulator.tests.terminal.desk import ScriptedDesk
from simulator.client.gateway import GatewayAccess
from simulator.client.sandbox import SandboxClient

APPLICATION = Typer()
APPLICATION.command()(main)


@pytest.fixture
def variables(sandgate_gateway: GatewayAccess, sandgate_sandbox: SandboxClient) -> dict[str, str]:
    """What a shell has that pasted the lines of gateway and sandbox."""
    return {
        "SANDGATE_URL": sandgate_gateway.url,
        "SANDGATE_CONTROL_URL": sandgate_gateway.control_url,
        "SANDGATE_CONTROL_API_KEY": sandgate_gateway.control_key,
        "SANDGATE_SANDBOX_ID": sandgate_sandbox.id,
        "SANDGATE_ENTITY_ID": sandgate_sandbox.entity_id,
        "SANDGATE_TOKEN": sandgate_sandbox.token,
    }


def run(variables: dict[str, str], *arguments: str) -> Result:
    return CliRunner().invoke(APPLICATION, arguments, env=variables)


def fleet_of(variables: dict[str, str], count: int, folder: Path) -> list[dict[str, str]]:
    done = run(variables, str(count), "--folder", str(folder), "--format", "json")
    assert done.exit_code == 0, done.output
    return list(json.loads(done.stdout)["terminals"])


def test_each_terminal_of_a_fleet_pays_with_keys_of_its_own(
    variables: dict[str, str], sandgate_sandbox: SandboxClient, tmp_path: Path
):
    fleet = fleet_of(variables, 3, tmp_path)
    sandbox, memory = sandgate_sandbox, RamMemory()

    assert [Path(each["folder"]).name for each in fleet] == ["001", "002", "003"]
    known = sandbox.control.terminals(sandbox.id)
    assert {each["id"] for each in fleet} == {each["id"] for each in known}
    for each in (fleet[0], fleet[2]):
        gateway = Gateway(sandbox.url, sandbox.token, sandbox.entity_id)
        desk = ScriptedDesk(cards=[Inserted(slot_of("gold", memory))])
        terminal = Terminal(Path(each["folder"]), gateway, desk)
        assert terminal.run(TillOrder(amount=Decimal(60))).stage is Stage.APPROVED
        terminal.close()


def test_a_larger_fleet_keeps_the_terminals_that_are_there(
    variables: dict[str, str], tmp_path: Path
):
    first = fleet_of(variables, 1, tmp_path)

    assert fleet_of(variables, 2, tmp_path)[:1] == first
    text = run(variables, "1", "--folder", str(tmp_path)).stdout
    assert text == f"{first[0]['id']}  {first[0]['folder']}\n"


@pytest.mark.parametrize("count", ["0", "1001", "x"])
def test_a_fleet_of_no_such_size_is_refused(variables: dict[str, str], tmp_path: Path, count: str):
    assert run(variables, count, "--folder", str(tmp_path)).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_fleet_needs_a_sandbox_that_stays_and_a_model_that_is_known(
    variables: dict[str, str], tmp_path: Path
):
    folder = ("--folder", str(tmp_path / "fleet"))
    unnamed = variables | {"SANDGATE_SANDBOX_ID": ""}
    nowhere = dict.fromkeys(variables, "")
    answers = [
        run(unnamed, "1", *folder), run(nowhere, "1", *folder),
        run(variables, "1", *folder, "--model", "TOASTER"),
    ]  # fmt: skip

    assert [each.exit_code for each in answers] == [2, 2, 2]
    assert "a sandbox that stay" in answers[0].output and "--model" in answers[2].output
    assert not (tmp_path / "fleet" / "001" / "terminal.json").exists()
