"""Nothing secret is left behind: not in the data folder, not in the log, not in an answer."""

import json
import subprocess
from typing import NamedTuple

import pytest

from simulator.client import Client, Control
from simulator.tests.kit.running import clean_environment, command_of

NUMBER = "4200000000000000"
BAD_NUMBER = "4200000000000001"
CVV = "9517"
TOKEN_FIELD = "wallet-token-that-no-log-may-show"
PIN = "A1B2C3D4E5F60718A1B2"
WEBHOOK_SECRET = "5eb1a4c7d20f963e" * 4


class Left(NamedTuple):
    """What a served gateway left: its log, its files, its answers; and the secrets it was given."""

    log: str
    files: dict[str, str]
    answers: str
    token: str
    control_key: str


@pytest.fixture(scope="module", params=["console", "json"])
def left(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Left:
    """A gateway that was paid at, misused, and stopped."""
    data = tmp_path_factory.mktemp("scrub") / "data"
    with subprocess.Popen(
        command_of(data, "--log", request.param),
        cwd=data.parent,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        facts = json.loads(process.stdout.readline())
        answers = "".join(_misuse(facts))
        process.terminate()
        log = process.stderr.read() + process.stdout.read()
    files = {
        str(path.relative_to(data)): path.read_text("latin-1")
        for path in data.rglob("*")
        if path.is_file()
    }
    return Left(log, files, answers, facts["token"], facts["control_key"])


def _misuse(facts: dict) -> list[str]:
    """What every kind of request is answered, good and bad."""
    client = Client(facts["base_url"], facts["token"], facts["entity_id"])
    control = Control(facts["control_url"], facts["control_key"])
    card = {
        "paymentType": "PA",
        "amount": "92.00",
        "currency": "EUR",
        "card.number": NUMBER,
        "card.cvv": CVV[:3],
        "card.expiryMonth": "05",
        "card.expiryYear": "2034",
    }
    asked = [
        card,
        {**card, "createRegistration": "true"},
        {**card, "card.cvv": CVV},
        {**card, "card.number": BAD_NUMBER},
        {**card, "card.number": NUMBER + "x", "card.cvv": CVV + "x"},
        {**card, "card.holder": "800.100.151"},
        {**card, "mobileWallet.paymentToken": TOKEN_FIELD},
        {**card, "pos.encryptedPin.data": PIN, "pos.entryMode": "ICC", "pos.terminalId": "1"},
        {**card, "threeDSecure.v1.visa.password": TOKEN_FIELD},
        {**card, "card.numbr": NUMBER},
    ]
    answers = [client.post("v1/payments", each).body for each in asked]
    answers.append(client.get(f"v1/payments/{NUMBER}").body)
    sandbox = control.create_sandbox()
    answers.append(control.arm_script(sandbox["id"], "approve", match={"bin": "420000"}))
    control.create_webhook(sandbox["id"], "inbox", secret=WEBHOOK_SECRET)
    merchant = client.with_credentials(sandbox["token"], sandbox["entity_id"])
    merchant.post("v1/payments", card)
    answers.append(control.inbox(sandbox["id"], count=1, wait="5s"))
    answers.append(control.notices(sandbox["id"]))
    return [str(each) for each in answers]


@pytest.mark.parametrize("secret", [NUMBER, BAD_NUMBER, TOKEN_FIELD, PIN, WEBHOOK_SECRET])
def test_a_secret_of_a_request_is_nowhere(left: Left, secret: str) -> None:
    assert secret not in left.log
    assert secret not in left.answers
    assert [name for name, text in left.files.items() if secret in text] == []


@pytest.mark.parametrize("code", [CVV, CVV[:3]])
def test_the_code_of_a_card_is_nowhere(left: Left, code: str) -> None:
    for text in (left.log, left.answers, *left.files.values()):
        assert f'"{code}"' not in text
        assert f"={code}" not in text
        assert f"'{code}'" not in text


def test_credentials_are_in_no_log_and_stored_sealed(left: Left) -> None:
    for secret in (left.token, left.control_key):
        assert secret not in left.log
    assert [name for name, text in left.files.items() if left.token in text] == []
    holding = [name for name, text in left.files.items() if left.control_key in text]
    assert holding == ["control.key"]
