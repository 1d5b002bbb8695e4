"""A sealed secret that an edited snapshot has in the place of another: it opens there, for seals
bind the id of their record alone, and is refused by what it is.
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from simulator.adapters.vault import KeyVault
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.restored.records import refuse_unusable_record
from simulator.domain.settlement.pushing import PushTarget
from simulator.domain.terminals.terminals import TerminalKeys
from simulator.domain.webhooks.records import Endpoint
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.sandboxes.test_hostile_snapshots import opened, restore, taken_of

NOW = datetime(2026, 11, 29, tzinfo=UTC)
IDENTITY = "8ac7a4ca8a1b2c3d8a1b2c3d8a1b2c3d"
SECRETS = {
    "card number": "4539578763621486",
    "long card number": "6304000000000000000",
    "form": '[{"card.number":"4539578763621486"},"0a1b"]',
    "endpoint secret": "0123456789abcdef" * 4,
    "password": "correct horse battery staple",
    "private key": "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n",
    "keys": '{"BDK":"00"}',
}
TARGET = {"id": IDENTITY, "host": "127.0.0.1", "port": 22, "user": "shop", "folder": "."}
ENDPOINT = {"id": IDENTITY, "entity": IDENTITY, "url": "http://127.0.0.1:9/", "created_at": NOW}


def target(**sealed: str) -> PushTarget:
    return PushTarget(**TARGET, host_key="", **sealed)


# A place of a secret, a record with this sealed text in it, and the secrets that belong there.
PLACES: tuple[tuple[str, Callable[[str], Any], frozenset[str]], ...] = (
    ("push password", lambda text: target(password=text),
     frozenset(SECRETS) - {"card number", "long card number", "form"}),
    ("push key", lambda text: target(key=text), frozenset({"private key"})),
    ("secret", lambda text: Endpoint(**ENDPOINT, secret=text), frozenset({"endpoint secret"})),
    ("form", lambda text: KeptForm(id=IDENTITY, due=NOW, sealed=text), frozenset({"form", "keys"})),
    ("keys", lambda text: TerminalKeys(id=IDENTITY, sealed=text), frozenset({"form", "keys"})),
)  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    ("record_with", "fitting"), [row[1:] for row in PLACES], ids=[row[0] for row in PLACES]
)
def test_a_secret_opens_in_its_own_place_alone(
    record_with: Callable[[str], Any], fitting: frozenset[str], secret: str
) -> None:
    vault = KeyVault(os.urandom(32))
    record = record_with(vault.seal(IDENTITY, SECRETS[secret]))

    if secret in fitting:
        refuse_unusable_record(record, vault)
        return
    with pytest.raises(InvalidInputError, match="a secret sealed for this place of it"):
        refuse_unusable_record(record, vault)


def test_the_number_of_a_card_is_no_sftp_password(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    paid = gateway.post(who=Credentials(made["token"], made["entity_id"])).json["id"]
    parts = opened(taken_of(gateway, made["id"]))
    stored = [each for unit in parts.units for each in unit if each[0] == "payments" and each[2]]
    number = stored[-1][2][1]["sealed_card"]["number"]
    merchant = parts.sandbox["merchants"][0]
    merchant.update(id=paid, sftp={"password": number, "keys": []})

    refused = restore(gateway, parts.closed())

    assert refused.status_code == 400, refused.text
    assert "merchants[0].sftp.password: expected a password" in refused.text


@pytest.mark.parametrize("password", ["4539578763621486", "630400000000", '[{"card.number":"1"}]'])
@pytest.mark.parametrize(
    ("path", "rest"),
    [("sftp", {}), ("sftp-push", {"host": "127.0.0.1", "user": "shop", "host_key": ""})],
)
def test_no_such_password_is_set(
    gateway: Gateway, path: str, rest: dict[str, object], password: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    sandbox = f"/sandboxes/{made['id']}"
    merchant = gateway.control("GET", f"{sandbox}/merchants").json["merchants"][0]["id"]
    place = f"{sandbox}/merchants/{merchant}/{path}"

    refused = gateway.control("PUT", place, {**rest, "password": password})

    assert refused.status_code == 400
    assert "no card number" in refused.text
    assert password not in refused.text
