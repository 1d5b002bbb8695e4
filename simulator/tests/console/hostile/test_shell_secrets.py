"""Secrets typed into the shell of the console, in the place of each word: no page repeats them."""

from collections.abc import Iterator

import pytest

from simulator.domain.masking import masking
from simulator.domain.masking.chosen_keys import ChosenKeys
from simulator.service.console.shell import COMMANDS
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

OWN_KEY = "correct-horse-battery.staple/of~a+long-key"
SECRETS = {
    "a key": "84b44f140aa3a3bcff885150de67ae89a6e5d74872685b0d",
    "an own key": OWN_KEY,
    "a card number": "5454545454545454",
    "a spelled number": "'5454 5454 5454 5454'",
}
# Of a card number the first six digits are shown, and of a cut one no more.
PART = 9
PLACES = range(3)
# Of them only their beginning is read, or none.
OTHERS = ("{}", "explain {}", "sandgate {}", "load -t {}", "webhooks add {}", "clock {}",
          "form offer x {}", "journal {} tail", "clock '{}", "trace {} and more {}")  # fmt: skip
LINES = (
    *(" ".join((each.words, *["x"] * place, "{}")) for each in COMMANDS for place in PLACES),
    *(f"{each.words} {{}} {{}} {{}}" for each in COMMANDS),
    *OTHERS,
)


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The own key is in force, during one test."""
    monkeypatch.setattr(masking, "CHOSEN_KEYS", ChosenKeys())
    masking.hide_key(OWN_KEY)
    yield


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.usefixtures("chosen")
def test_no_line_of_the_shell_is_answered_with_a_secret(
    gateway: Gateway, anna: Visitor, sandbox: str, kind: str
) -> None:
    secret, shell = SECRETS[kind], f"/console/{sandbox}/shell"
    assert kind != "a key" or len(secret) == len(gateway.merchant.token)
    anna.get(shell)
    for line in LINES:
        page = anna.post(shell, {"line": line.format(*[secret] * 3)})

        assert page.status_code in (200, 400), (line, page.text)
        assert not [part for part in _parts(secret) if part in page.text], line


def _parts(secret: str) -> list[str]:
    return [secret[at : at + PART] for at in range(len(secret.strip("'")) - PART)]
