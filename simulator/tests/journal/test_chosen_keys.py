"""A control key of the user's choice, typed where a merchant's parameters stand: shown nowhere."""

from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from falcon.testing import Result

from simulator.domain.masking import masking
from simulator.domain.masking.chosen_keys import ChosenKeys
from simulator.tests.kit.gateway import Gateway

KEYS = ("correct-horse-battery", 'a "quoted\\" key', "Schlüssel-für-morgen", "key-4200000000000000")
ASKED: dict[str, Callable[[Gateway, str], Result]] = {
    "a field that refuses it": lambda gateway, key: gateway.post(amount=key),
    "a field that takes it": lambda gateway, key: gateway.post(merchantTransactionId=key),
    "a parameter of its own": lambda gateway, key: gateway.post(**{"customParameters[a]": key}),
    "a long text": lambda gateway, key: gateway.post(amount="x" * 245 + key + "x" * 300),
    "a name": lambda gateway, key: gateway.post(**{key: "1"}),
    "an entity": lambda gateway, key: gateway.post(entityId=key),
    "a long request": lambda gateway, key: gateway.post(
        amount="x" * 190 + key, **{"customParameters[a]": "x" * 20_000}
    ),
    "a path": lambda gateway, key: gateway.send(f"/v1/payments/{quote(key)}", {}),
}


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The keys are in force, during one test."""
    monkeypatch.setattr(masking, "CHOSEN_KEYS", ChosenKeys())
    for key in KEYS:
        masking.hide_key(key)


def journals(gateway: Gateway) -> str:
    """All that the journals of server and default sandbox show."""
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    paths = ("/journal", f"/sandboxes/{sandbox}/journal")
    return "".join(gateway.control("GET", path).text for path in paths)


@pytest.mark.parametrize("place", ASKED)
@pytest.mark.usefixtures("chosen")
def test_a_key_that_the_user_chose_is_not_shown(gateway: Gateway, place: str) -> None:
    parts = [part for key in KEYS for part in (key, key[:10], key.replace('"', '\\"'))]
    for key in KEYS:
        answer = ASKED[place](gateway, key)
        is_taken = answer.status_code == 200
        assert is_taken or not any(part in answer.text for part in parts)
        assert not any(part in journals(gateway) for part in parts)


@pytest.mark.usefixtures("chosen")
def test_a_log_line_and_its_cut_show_no_key() -> None:
    for key in KEYS:
        assert masking.mask_text(f"asked with {key}, refused") == "asked with ***, refused"
        assert key[:5] not in masking.shown_text("x" * 250 + key + "x" * 10)


@pytest.mark.parametrize("key", ["short-key", "0123456789abcdef" * 3])
@pytest.mark.usefixtures("chosen")
def test_a_short_key_and_one_that_is_found_by_its_form_are_not_sought(key: str) -> None:
    masking.hide_key(key)
    assert key not in masking.CHOSEN_KEYS


def test_the_control_key_of_a_gateway_is_hidden(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr(masking, "CHOSEN_KEYS", ChosenKeys())
    gateway = Gateway(tmp_path, control_key=KEYS[0])
    try:
        assert KEYS[0] not in gateway.post(amount=KEYS[0]).text
    finally:
        gateway.close()
