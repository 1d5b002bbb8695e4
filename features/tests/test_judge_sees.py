"""The judge sees: gateways that are broken in one thing, each failed by the scenario about it."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from features.server import running_server, without_settings
from features.tests import broken

ROOT = Path(__file__).parents[2]
SCENARIOS = "features/test_scenarios.py::test_"
FIELDS = "features/boundaries/test_fields.py::test_the_field_keeps_its_limits"

# fmt: off
CAUGHT = {
    #  the gateway that                      is caught by
    broken.takes_what_was_never_authorised: "A capture may not exceed the authorised sum",
    broken.charges_back_twice:              "A payment is charged back once",
    broken.names_no_account_to_pay_to:
        "A bank transfer answers with the account to pay to",
    broken.takes_any_iban:
        "Bank account data that contradict themselves are refused",
    broken.tells_a_decline_with_200:        "A declined payment gives the acquirer's reason",
    broken.forgets_the_ndc:                 "Every answer carries the same four things",
    broken.repeats_the_ndc:                 "Two answers have two request ids",
    broken.refuses_long_names:
        "A name longer than 48 characters is cut and not refused",
    broken.takes_three_decimals:            "An amount in any other form is refused",
    broken.shows_payments_to_anybody:       "A merchant cannot read the payment of another",
    broken.repeats_secrets:                 "The value of a secret is never repeated",
    broken.shows_card_numbers:
        "Neither the card number nor its security code is ever returned",
    broken.declares_plain_text:             "Answers are JSON in UTF-8 by their own header",
    broken.shows_a_page_for_404:            "A path that does not exist has no page",
    broken.tells_an_unknown_token_with_401: "A token that was never issued is refused",
    broken.shortens_ids:                    "A payment id has exactly 32 letters and digits",
    broken.closes_gaps:                     "Indexes start at 0 and leave no gap",
    broken.names_one_fault_at_a_time:       "Every wrong parameter is named",
    broken.tells_what_a_capture_refers_to:
        "The id of the earlier payment appears in no answer",
    broken.is_curt_when_throttled:          "A throttled request is told what it needs to know",
    broken.lets_one_too_many_through:
        "An operation takes its limit in a minute, and no more",
    broken.sends_shoppers_without_parameters:
        "An authorisation may be asynchronous too",
    broken.sends_shoppers_away_for_good:    "Who is sent away has to come back",
    broken.charges_what_was_removed:        "A removed registration cannot be charged",
    broken.forgets_to_tell_registrations:
        "A payment leaves a registration where it is asked to",
    broken.gives_references_to_everybody:
        "Only the shopper's first payment gets a reference",
    broken.turns_answers_round:
        "A successful payment has its members in order, and each in its form",
    broken.tells_the_money_of_declines:
        "A declined payment has the body of a payment without its money",
    broken.takes_a_second_payment:          "Nobody pays twice in one checkout",
    broken.lets_the_form_change_the_price:  "What was fixed cannot be overwritten",
    broken.takes_longer_streets:            "FIELD:billing.street1:too-long",
    broken.fails_on_terminals:              "FIELD:pos.terminalId:longest",
}
# fmt: on
GATEWAYS = {gateway.__name__: gateway for gateway in (broken.none_at_all, *CAUGHT)}


class Verdicts(NamedTuple):
    """What the judge said: how many it passed, and what it wrote about those it failed."""

    passed: int
    failed: list[str]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """The description of every gateway as a target, by its name."""
    folder = tmp_path_factory.mktemp("sound")
    with (
        running_server(folder) as sound,
        broken.served(sound["base_url"], GATEWAYS) as address,
    ):
        names = ("token", "entity_id", "control_url", "control_key", "profile")
        ours = "".join(f'{name} = "{sound[name]}"\n' for name in names)
        yield {name: f'base_url = "{address}{name}/"\n{ours}' for name in GATEWAYS}


def judged(target: str, folder: Path, *wanted: str) -> Verdicts:
    """What the judge says of a target, run as anybody runs it."""
    (folder / "target.toml").write_text(target, encoding="utf-8")
    plugins = ["-p", "pytest_bdd.plugin", "-p", "pytest_timeout", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins]
    command += [f"--junitxml={folder / 'verdicts.xml'}", *map(address_of, wanted)]
    environment = {
        **without_settings(),
        "PYTEST_ADDOPTS": "",
        "SANDGATE_TARGET": str(folder / "target.toml"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    cases = list(ElementTree.parse(folder / "verdicts.xml").iter("testcase"))
    failed = [failure.text or "" for case in cases for failure in case.findall("failure")]
    return Verdicts(sum(len(case) == 0 for case in cases), failed)


def address_of(title: str) -> str:
    """Where a scenario or a boundary case is found by a runner."""
    if title.startswith("FIELD:"):
        return f"{FIELDS}[{title}]"
    return SCENARIOS + re.sub(r"\W", "", title.replace(" ", "_")).lower()


def test_a_sound_gateway_is_passed_by_every_one_of_them(
    described: Mapping[str, str], tmp_path: Path
) -> None:
    verdicts = judged(described["none_at_all"], tmp_path, *CAUGHT.values())
    assert verdicts.failed == []
    assert verdicts.passed >= len(CAUGHT)


@pytest.mark.parametrize("gateway", CAUGHT, ids=lambda gateway: gateway.__name__)
def test_a_broken_gateway_is_failed_and_the_requirement_named(
    gateway: broken.Broken, described: Mapping[str, str], tmp_path: Path
) -> None:
    verdicts = judged(described[gateway.__name__], tmp_path, CAUGHT[gateway])
    assert verdicts.failed
    assert all("requirement: " in failure for failure in verdicts.failed)
