"""Snapshot files made to do harm: each is refused whole, with 400, and nothing is written."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import gevent
import pytest
from falcon.testing import Result
from msgspec import to_builtins

from simulator.adapters.store import lines
from simulator.adapters.vault import open_vault
from simulator.catalogue.throttles import FIELD
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway

KEY = {"Authorization": f"Bearer {CONTROL_KEY}"}
ID = "8" + "a" * 31
DEEP = "[" * 100_000 + "]" * 100_000
NAIVE = "2026-11-20T12:00:00"
CLOCK = {"id": "clock", "version": 1, "mode": "frozen"}


class Opened(NamedTuple):
    """A snapshot taken apart: its header, its sandbox, the units of its log."""

    header: dict[str, Any]
    sandbox: dict[str, Any]
    units: list[list[Any]]

    def closed(self) -> bytes:
        """The file again, with checksums that fit."""
        return self.closed_over(json.dumps(self.sandbox).encode())

    def closed_over(self, sandbox: bytes) -> bytes:
        """The file with these bytes in the place of its sandbox."""
        body = sandbox + b"\n" + log_of(*(json.dumps(unit).encode() for unit in self.units))
        header = {**self.header, "bytes": len(body), "sha256": sha256(body).hexdigest()}
        return json.dumps(header).encode() + b"\n" + body


def log_of(*units: bytes) -> bytes:
    header = lines.header_line()
    rendered = lines.render_units(units, synced=0, place=len(header))
    return header + b"".join(b"".join(line) for line in rendered)


def opened(content: bytes) -> Opened:
    header, sandbox, _, *log = content.splitlines()
    return Opened(
        json.loads(header),
        json.loads(sandbox),
        [json.loads(lines.parse(line + b"\n").changes) for line in log],
    )


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    made = Gateway(tmp_path_factory.mktemp("hostile") / "outer" / "data", durability="os")
    yield made
    made.close()


@pytest.fixture(scope="module")
def data(gateway: Gateway) -> Path:
    return gateway._built.links.directory._ca.parent.parent


@pytest.fixture(scope="module")
def genuine(gateway: Gateway) -> bytes:
    """A snapshot of a sandbox that was deleted since; another sandbox remains."""
    made = gateway.control("POST", "/sandboxes", {}).json
    who = Credentials(made["token"], made["entity_id"])
    gateway.post(who=who, merchantTransactionId="order-number-1")
    content = taken_of(gateway, made["id"])
    gateway.control("DELETE", f"/sandboxes/{made['id']}")
    return content


@pytest.fixture
def parts(genuine: bytes) -> Opened:
    return opened(genuine)


def taken_of(gateway: Gateway, identity: str) -> bytes:
    path = f"/_sandbox/v1/sandboxes/{identity}/snapshot"
    return gateway.client.simulate_get(path, headers=KEY).content


def restore(gateway: Gateway, content: bytes) -> Result:
    path = "/_sandbox/v1/sandboxes/restore"
    return gateway.client.simulate_post(path, headers=KEY, body=content)


def await_removals(data: Path) -> None:
    """Return when nothing is left of the folders that were to be removed."""
    removed = data / "removed"
    with gevent.Timeout(20):
        while removed.exists() and list(removed.iterdir()):
            gevent.sleep(0.01)


def files_around(data: Path) -> dict[str, bytes]:
    """Everything beside and below the data folder."""
    await_removals(data)
    return {
        str(each): each.read_bytes() if each.is_file() else b""
        for each in sorted(data.parent.parent.rglob("*"))
    }


def assert_refused_whole(gateway: Gateway, data: Path, content: bytes) -> dict[str, str]:
    before = files_around(data), gateway.control("GET", "/sandboxes").json

    refused = restore(gateway, content)

    assert refused.status_code == 400, refused.text
    assert (files_around(data), gateway.control("GET", "/sandboxes").json) == before
    error: dict[str, str] = refused.json["error"]
    return error


Change = Callable[[dict[str, Any]], object]


def merchant_of(sandbox: dict[str, Any]) -> dict[str, Any]:
    return sandbox["merchants"][0]


def token_of(sandbox: dict[str, Any]) -> dict[str, Any]:
    return merchant_of(sandbox)["tokens"][0]


def channel_of(sandbox: dict[str, Any]) -> dict[str, Any]:
    return merchant_of(sandbox)["channels"][0]


# fmt: off
SANDBOXES: tuple[tuple[str, Change], ...] = (
    # the place that the error names               what is altered
    ("id",                     lambda made: made.update(id="..")),
    ("id",                     lambda made: made.update(id="../../outside")),
    ("id",                     lambda made: made.update(id="/tmp/outside")),
    ("id",                     lambda made: made.update(id="")),
    ("id",                     lambda made: made.update(id=".")),
    ("id",                     lambda made: made.update(id="8a\0" + "a" * 29)),
    ("id",                     lambda made: made.update(id=ID + "\n")),
    ("id",                     lambda made: made.update(id=ID.upper())),
    ("id",                     lambda made: made.update(id="tls")),
    ("psp",                    lambda made: made.update(psp="../psp")),
    ("division",               lambda made: made.update(division=made["psp"])),
    ("merchants[0].id",        lambda made: merchant_of(made).update(id="\0")),
    ("merchants[0].channels[0].id", lambda made: channel_of(made).update(id=made["id"])),
    ("merchants[0].tokens[0].id",   lambda made: token_of(made).update(id="token")),
    ("epoch",                  lambda made: made.update(epoch=0)),
    ("epoch",                  lambda made: made.update(epoch=-1)),
    ("epoch",                  lambda made: made.update(epoch=10**300)),
    ("version",                lambda made: made.update(version=-1)),
    ("seed",                   lambda made: made.update(seed=-1)),
    ("sandbox",                lambda made: made.update(created_at=NAIVE)),
    ("sandbox.created_at",     lambda made: made.update(created_at="yesterday")),
    ("sandbox.psp",            lambda made: made.pop("psp")),
    ("profile",                lambda made: made.update(profile="wild")),
    ("overrides",       lambda made: made.update(overrides={"D-9999": "field"})),
    ("clock",                  lambda made: made.update(clock={"mode": "frozen"})),
    ("breakpoints",            lambda made: made.update(breakpoints=["everywhere"])),
    ("breakpoints",            lambda made: made.update(breakpoints=["bank", "acquirer"])),
    ("breakpoints",            lambda made: made.update(breakpoints=["acquirer"] * 2)),
    ("breakpoints",            lambda made: made.update(breakpoints=["acquirer"] * 10_000)),
    ("throttle.limits[0].limit", lambda made: made.update(throttle={
        "name": "mine", "limits": [{"operation": "*", "scope": "merchant", "limit": 0,
                                    "window_s": 60}]})),
    ("merchants",              lambda made: made.update(merchants=[])),
    ("sandbox.merchants",      lambda made: made.update(merchants=1)),
    ("sandbox.merchants[1]",   lambda made: made["merchants"].append(1)),
    ("sandbox.merchants[0]",   lambda made: merchant_of(made).update(
        tokens=[token_of(made)] * 9000)),
    ("sandbox",                lambda made: made.update(overrides={"D-1": "x" * 2_200_000})),
    ("merchants[0].tokens",    lambda made: merchant_of(made).update(tokens=[])),
    ("merchants[0].channels",  lambda made: merchant_of(made).update(channels=[])),
    ("merchants[0].channels[0].brands", lambda made: channel_of(made).update(brands=["NONE"])),
    ("sandbox.merchants[0].channels[0].default_behaviour",
     lambda made: channel_of(made).update(default_behaviour="no-such-behaviour")),
    ("merchants[0].tokens[0].hash", lambda made: token_of(made).update(hash="0" * 64)),
    ("merchants[0].tokens[0].hash", lambda made: token_of(made).update(sealed="AAAA")),
    ("control_key_hash",       lambda made: made.update(control_key_hash="0" * 64)),
    ("body",                   lambda made: made.update(key_sealed="AAAA")),
    ("body",                   lambda made: made.update(control_key_sealed="")),
)
# fmt: on


@pytest.mark.parametrize(("where", "alter"), SANDBOXES, ids=range(len(SANDBOXES)))
def test_a_sandbox_that_no_gateway_made_is_refused(
    gateway: Gateway, data: Path, parts: Opened, where: str, alter: Change
) -> None:
    alter(parts.sandbox)

    assert assert_refused_whole(gateway, data, parts.closed())["where"] == where


@pytest.mark.parametrize("name", ("field", "mine"))
def test_a_throttle_table_of_an_earlier_release_is_taken(
    gateway: Gateway, parts: Opened, name: str
) -> None:
    limits = [to_builtins(row) for row in FIELD.limits]
    former = {**limits[-1], "operation": "read_secure_registration", "window_s": 3600}
    table = {"name": name, "limits": [*limits[:-1], former, limits[-1]]}
    parts.sandbox.update(throttle=table)

    restored = restore(gateway, parts.closed())

    assert restored.status_code in (200, 201), restored.text
    gateway.control("DELETE", f"/sandboxes/{restored.json['id']}")


@pytest.mark.parametrize(
    "line",
    [
        DEEP.encode(),
        b'{"overrides":' + DEEP.encode() + b"}",
        b"",
        b"null",
        b"\0" * 1000,
        b"\xff\xfe",
        b'{"id":"\\ud800"}',
    ],
)
def test_a_line_that_is_no_sandbox_is_refused(
    gateway: Gateway, data: Path, parts: Opened, line: bytes
) -> None:
    assert_refused_whole(gateway, data, parts.closed_over(line))


PAYMENT = 0
# fmt: off
UNITS: tuple[tuple[str, list[Any]], ...] = (
    ("another table",          ["sandboxes", ID, [1, {"id": ID}]]),
    ("an unknown table",       ["../../etc", ID, [1, {"id": ID}]]),
    ("an unknown record",      ["clock", "clock", [1, {"id": "clock", "mode": "sundial"}]]),
    ("a clock that cannot be", ["clock", "clock", [1, CLOCK]]),
    ("another id",             ["drawn", "other", [1, {"id": "drawn", "version": 1}]]),
    ("an id with NUL",         ["drawn", "a\0b", [1, {"id": "a\0b", "version": 1}]]),
    ("a long id",              ["drawn", "a" * 9999, [1, {"id": "a" * 9999, "version": 1}]]),
    ("version 0",              ["drawn", "drawn", [1, {"id": "drawn", "version": 0}]]),
    ("serial 0",               ["drawn", "drawn", [0, {"id": "drawn", "version": 1}]]),
    ("a huge serial",          ["drawn", "drawn", [10**18, {"id": "drawn", "version": 1}]]),
    ("no serial",              ["drawn", "drawn", {"id": "drawn", "version": 1}]),
    ("a naive instant",        ["inbox", "a", [1, {"id": "a", "version": 1, "at": NAIVE}]]),
    ("a text for a change",    "change"),
    ("another count",          ["drawn", "drawn"]),
)
# fmt: on


@pytest.mark.parametrize("change", [row[1] for row in UNITS], ids=[row[0] for row in UNITS])
def test_a_record_that_no_gateway_stored_is_refused(
    gateway: Gateway, data: Path, parts: Opened, change: Any
) -> None:
    parts.units.append([change])

    assert_refused_whole(gateway, data, parts.closed())


def test_a_nul_within_a_key_is_refused(gateway: Gateway, data: Path, parts: Opened) -> None:
    altered = json.dumps(parts.units).replace("order-number-1", "order\\u0000" + ID)

    error = assert_refused_whole(gateway, data, parts._replace(units=json.loads(altered)).closed())

    assert error["where"] == "record.merchant or merchantTransactionId or host"


def test_a_log_that_is_nested_too_deeply_is_refused(
    gateway: Gateway, data: Path, parts: Opened
) -> None:
    body = json.dumps(parts.sandbox).encode() + b"\n" + log_of(DEEP.encode())
    header = {**parts.header, "bytes": len(body), "sha256": sha256(body).hexdigest()}

    assert_refused_whole(gateway, data, json.dumps(header).encode() + b"\n" + body)


def test_a_header_that_is_nested_too_deeply_is_refused(gateway: Gateway, data: Path) -> None:
    assert_refused_whole(gateway, data, DEEP.encode()[:60_000] + b"\n")


def test_a_snapshot_without_a_log_is_refused(gateway: Gateway, data: Path, parts: Opened) -> None:
    body = json.dumps(parts.sandbox).encode() + b"\n"
    header = {**parts.header, "bytes": len(body), "sha256": sha256(body).hexdigest()}

    assert_refused_whole(gateway, data, json.dumps(header).encode() + b"\n" + body)


def test_a_token_of_another_sandbox_is_refused(gateway: Gateway, data: Path, parts: Opened) -> None:
    vault = open_vault(data / "vault.key").vault_of(
        parts.sandbox["id"], parts.sandbox["key_sealed"]
    )
    value, token = gateway.merchant.token, token_of(parts.sandbox)
    token["sealed"] = vault.seal(token["id"], value)
    token["hash"] = sha256(value.encode()).hexdigest()
    token["last_digits"] = value[-4:]

    error = assert_refused_whole(gateway, data, parts.closed())

    assert error["got"] == "one of another sandbox"
    assert gateway.post().status_code == 200


def test_others_have_their_turn_while_a_long_file_is_checked(
    gateway: Gateway, data: Path, parts: Opened
) -> None:
    """A sandbox of 16 MiB kept all others waiting for 200 ms, a unit of as many for 330."""
    token, merchant = token_of(parts.sandbox), merchant_of(parts.sandbox)
    parts.sandbox["merchants"] = [merchant] + [{**merchant, "tokens": [token] * 3000}] * 19
    assert looks_during(lambda: assert_refused_whole(gateway, data, parts.closed())) > 20

    unit = [["drawn", f"a{n}", [n + 1, {"id": f"a{n}", "version": 1}]] for n in range(20_000)]
    parts.units[:] = [[*unit, ["drawn", "a", "nothing"]]]
    merchant_of(parts.sandbox)["tokens"] = merchant["tokens"]
    parts.sandbox["merchants"] = [merchant]
    assert looks_during(lambda: assert_refused_whole(gateway, data, parts.closed())) > 20


def test_the_same_file_unaltered_is_restored(gateway: Gateway, parts: Opened) -> None:
    restored = restore(gateway, parts.closed())

    assert restored.status_code == 201
    assert gateway.control("DELETE", f"/sandboxes/{restored.json['id']}").status_code == 200


@pytest.mark.parametrize("identity", ["..", ".", "%2e%2e", "..%2f..", "tls", "%00"])
def test_no_path_names_a_folder_as_a_sandbox(gateway: Gateway, data: Path, identity: str) -> None:
    before = files_around(data)

    refused = gateway.control("DELETE", f"/sandboxes/{identity}")

    assert refused.status_code == 404
    assert files_around(data) == before
