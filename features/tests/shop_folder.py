"""A shop with features of its own: a folder to call `sandgate check` in, and what that leaves."""

import subprocess
from pathlib import Path

from features.tests.minimal_gateway import TOKEN, GatewaySettings
from reports.events import CaseVerdict, Event, read_events
from simulator.client.processes import python, without_settings

SANDGATE = python("from simulator.__main__ import main; main()")
FEATURE = """\
Feature: A shop of our own
  @req:PAY-01
  Scenario: A debit succeeds
    When the merchant debits 92.00 EUR
    Then the payment succeeds

  @req:PAY-01
  Scenario Outline: A debit is shown as it was sent
    Given a shop that sells <thing>
    When the merchant debits 92.00 EUR
    Then the response shows card.number "<number>"

    Examples:
      | thing | number | why    |
      | tea   | 4711   | wrong  |

  @needs:clock
  Scenario: Time passes
    When 30 minutes pass
    Then the payment succeeds

  Scenario: A step is mistyped
    When the merchant debts 92.00 EUR
    Then the payment succeeds

  Scenario: A tag is forgotten
    Given the sandbox clock is frozen
    When the merchant debits 92.00 EUR
    Then the payment succeeds
"""
CONFTEST = """\
from pytest_bdd import given, parsers

@given(parsers.parse("a shop that sells {thing}"))
def shop_that_sells(thing):
    print(thing)
"""


def furnished(folder: Path, gateway: GatewaySettings) -> Path:
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (folder / "conftest.py").write_text("raise RuntimeError('not asked for')\n")
    for name in ("features", "simulator", "pytest_bdd"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("raise RuntimeError('not ours')\n")
    (folder / "own").mkdir()
    (folder / "own" / "shop.feature").write_text(FEATURE)
    (folder / "own" / "conftest.py").write_text(CONFTEST)
    (folder / "own" / "test_else.py").write_text("def test_no_scenario():\n    assert False\n")
    target = f'base_url = "{gateway.url}"\ntoken = "{TOKEN}"\nentity_id = "{"e" * 32}"\n'
    (folder / "target.toml").write_text(target)
    return folder


def check(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What the command says when it is called in a folder, with more environment variables."""
    environment = {**without_settings(), "PYTEST_ADDOPTS": "--no-such-option", "COLUMNS": "80"}
    environment |= variables
    return subprocess.run(
        [*SANDGATE, "check", *words], cwd=folder, env=environment, capture_output=True, text=True
    )


def events_in(path: Path) -> list[Event]:
    return list(read_events(path.read_bytes().splitlines()))


def cases_in(path: Path) -> dict[str, CaseVerdict]:
    return {each.id: each for each in events_in(path) if isinstance(each, CaseVerdict)}
