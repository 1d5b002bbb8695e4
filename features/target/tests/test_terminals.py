"""A target file names a terminal, so that gateways are judged at the point of sale."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from features.support.merchant import Merchant
from features.support.terminals import opened_terminal_of
from features.target.reading import TargetFileError, parse_target, read_target
from features.target.terminals import TerminalOfTarget
from simulator.client.sandbox import SandboxClient

FOREIGN = {"base_url": "http://127.0.0.1/", "token": "t", "entity_id": "8" * 32}
TITLES = (
    "A terminal that the gateway knows pays by encrypted account data",
    "A terminal that the gateway knows is answered what its receipt needs",
)
FILE = """
base_url = "{url}"
token = "{token}"
entity_id = "{entity}"

[cards.reference]
number = "4200000000000000"
expiryMonth = "05"
expiryYear = "2034"

[terminal]
id = "{id}"
device = "{device}"
type = "{type}"
protection_key = "{protection_key}"
pin_key = "{pin_key}"
data_key = "{data_key}"
"""


@pytest.fixture
def known(sandgate_sandbox: SandboxClient) -> dict[str, str]:
    """A terminal that a gateway knows, as a target file names it."""
    made = sandgate_sandbox.control.create_terminal(sandgate_sandbox.id)
    blocks = {each["usage"]: each["block"] for each in made["load"]["blocks"]}
    return {
        "id": made["id"], "device": made["device"], "type": made["model"],
        "protection_key": made["load"]["kbpk"], "pin_key": blocks["PIN"],
        "data_key": blocks["DATA"],
    }  # fmt: skip


@pytest.fixture
def file(sandgate_sandbox: SandboxClient, known: dict[str, str], tmp_path: Path) -> Path:
    box = sandgate_sandbox
    made = tmp_path / "target.toml"
    made.write_text(FILE.format(url=box.url, token=box.token, entity=box.entity_id, **known))
    return made


def test_a_gateway_without_a_control_api_is_judged_by_its_terminal(
    file: Path, known: dict[str, str], sandgate_sandbox: SandboxClient
) -> None:
    events = file.with_name("events.jsonl")
    only = [part for title in TITLES for part in ("--only", title)]
    command = [sys.executable, "-m", "simulator", "check", str(file), *only]
    ended = subprocess.run(
        [*command, "--events", str(events)], capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip

    assert "5 passed" in ended.stdout, ended.stdout + ended.stderr
    for secret in (known["protection_key"], known["pin_key"], known["data_key"]):
        assert secret not in ended.stdout + ended.stderr + events.read_text()
    merchant = Merchant(sandgate_sandbox.merchant)
    with opened_terminal_of(merchant, read_target(file).terminal) as terminal:
        sent = terminal.order("MAGSTRIPE", "92.00", "EUR")
        paid = terminal.pay({**sent, **terminal.encrypted(terminal.number, "340531")})
    assert paid.status == 200, "the counters of the keys went on, or this one would be refused"


def test_a_terminal_is_an_offer_and_its_keys_are_secrets(file: Path, known: dict[str, str]) -> None:
    target = read_target(file)

    assert target.offers >= {"terminal"} and "control" not in target.offers
    assert {*target.secrets} >= {known["protection_key"], known["pin_key"], known["data_key"]}
    assert target.terminal.folder == str(file.with_name("terminal-keys"))


def test_a_target_without_a_terminal_offers_none() -> None:
    assert "terminal" not in parse_target(FOREIGN, source="here").offers
    with pytest.raises(TargetFileError, match="terminal needs control"):
        parse_target({**FOREIGN, "offers": ["terminal"]}, source="here")


@pytest.mark.parametrize(
    ("member", "text", "wrong"),
    [
        ("id", "", r"terminal\.id: expected 1 to 32 digits"),
        ("id", "one", r"terminal\.id: expected 1 to 32 digits"),
        ("device", "1" * 33, r"terminal\.device: expected 0 to 32 digits"),
        ("type", "x" * 33, r"terminal\.type: expected at most 32"),
        ("pin", "12", r"terminal\.pin: expected 4 to 12 digits"),
        ("protection_key", "00", r"terminal\.protection_key: expected 32, 48 or 64 hex digits"),
        ("protection_key", "AB" * 32, r"terminal\.pin_key: expected a TR-31 block of an initial"),
        ("data_key", "", r"terminal\.data_key: expected a TR-31 block of an initial key"),
        ("counter", "1", r"terminal\.counter is unknown"),
    ],
)
def test_what_is_wrong_about_a_terminal_is_named_without_its_keys(
    file: Path, known: dict[str, str], member: str, text: str, wrong: str
) -> None:
    lines = [line for line in file.read_text().splitlines() if not line.startswith(f"{member} =")]
    file.write_text("\n".join([*lines, f'{member} = "{text}"']))

    with pytest.raises(TargetFileError, match=wrong) as error:
        read_target(file)

    assert not any(known[key] in str(error.value) for key in known if key.endswith("key"))


def test_a_new_key_is_a_new_counter(
    known: dict[str, Any], sandgate_sandbox: SandboxClient, tmp_path: Path
) -> None:
    merchant = Merchant(sandgate_sandbox.merchant)
    terminal = TerminalOfTarget(**known, folder=str(tmp_path))
    other = sandgate_sandbox.control.create_terminal(sandgate_sandbox.id)["load"]
    blocks = {f"{each['usage'].lower()}_key": each["block"] for each in other["blocks"]}
    numbers = []

    for each in (terminal, terminal, replace(terminal, protection_key=other["kbpk"], **blocks)):
        with opened_terminal_of(merchant, each) as opened:
            numbers.append(opened.encrypted(opened.number)["pos.encryptedSred.ksn"])

    first, second, third = numbers
    assert first[:16] == second[:16] != third[:16]
    assert [int(each[16:], 16) for each in numbers] == [1, 2, 1]
