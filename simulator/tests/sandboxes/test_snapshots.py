"""Snapshots: a sandbox as one file, taken while it serves, restored here and elsewhere."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import gevent
import pytest
from falcon.testing import Result

from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway

PASSPHRASE = "correct horse battery"


@pytest.fixture(params=["memory", "os"])
def gateway(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Gateway]:
    """A gateway that keeps its data in memory, and one with files."""
    made = Gateway(tmp_path / "data", durability=request.param)
    yield made
    made.close()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Gateway]:
    """Another installation."""
    made = Gateway(tmp_path / "elsewhere", durability="os")
    yield made
    made.close()


def headers_of(passphrase: str | None) -> dict[str, str]:
    key = {"Authorization": f"Bearer {CONTROL_KEY}"}
    return key if passphrase is None else {**key, "Sandgate-Passphrase": passphrase}


def snapshot(gateway: Gateway, sandbox: str, passphrase: str | None = None) -> Result:
    path = f"/_sandbox/v1/sandboxes/{sandbox}/snapshot"
    return gateway.client.simulate_get(path, headers=headers_of(passphrase))


def restore(gateway: Gateway, content: bytes, passphrase: str | None = None) -> Result:
    path = "/_sandbox/v1/sandboxes/restore"
    return gateway.client.simulate_post(path, headers=headers_of(passphrase), body=content)


def made_in(gateway: Gateway, **options: object) -> tuple[str, Credentials]:
    made = gateway.control("POST", "/sandboxes", options).json
    return made["id"], Credentials(made["token"], made["entity_id"])


def test_a_restored_sandbox_is_as_it_was(gateway: Gateway) -> None:
    identity, who = made_in(gateway)
    kept = gateway.post(who=who, paymentType="PA").json["id"]
    taken = snapshot(gateway, identity)
    later = gateway.post(who=who).json["id"]

    restored = restore(gateway, taken.content)

    assert (restored.status_code, restored.json["epoch"]) == (200, 2)
    assert gateway.read(kept, who).json["id"] == kept
    assert gateway.read(later, who).status_code == 404
    sent = {"entityId": who.entity_id, "paymentType": "CP", "amount": "1.00", "currency": "EUR"}
    assert gateway.send(f"/v1/payments/{kept}", sent, who).status_code == 200


def test_a_deleted_sandbox_comes_back_with_its_credentials(gateway: Gateway) -> None:
    identity, who = made_in(gateway)
    paid = gateway.post(who=who).json["id"]
    taken = snapshot(gateway, identity).content
    gateway.control("DELETE", f"/sandboxes/{identity}")
    assert gateway.read(paid, who).status_code == 403

    restored = restore(gateway, taken)

    assert (restored.status_code, restored.json["epoch"]) == (201, 1)
    assert gateway.read(paid, who).status_code == 200
    assert gateway.control("GET", f"/sandboxes/{identity}").json == restored.json


def test_a_snapshot_is_one_file_that_says_what_it_is(gateway: Gateway) -> None:
    identity, who = made_in(gateway)
    gateway.post(who=who)

    taken = snapshot(gateway, identity)

    first, _, rest = taken.content.partition(b"\n")
    header = json.loads(first)
    assert (header["snapshot"], header["format"]) == ("sandgate", 1)
    assert (header["bytes"], header["sha256"]) == (len(rest), sha256(rest).hexdigest())
    assert taken.headers["content-type"] == "application/octet-stream"
    assert int(taken.headers["content-length"]) == len(taken.content)
    assert json.loads(rest.partition(b"\n")[0])["id"] == identity


def test_no_secret_stands_in_a_snapshot_in_the_clear(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    gateway.post(who=Credentials(made["token"], made["entity_id"]))

    for passphrase in (None, PASSPHRASE):
        content = snapshot(gateway, made["id"], passphrase).content
        for secret in (made["token"], made["control_key"], "4200000000000000", PASSPHRASE):
            assert secret.encode() not in content


def test_with_a_passphrase_it_opens_in_another_installation(
    gateway: Gateway, elsewhere: Gateway
) -> None:
    identity, who = made_in(gateway)
    charged = gateway.post(who=who).json["id"]
    taken = snapshot(gateway, identity, PASSPHRASE).content

    assert restore(elsewhere, taken, PASSPHRASE).status_code == 201

    sent = {"entityId": who.entity_id, "paymentType": "RB", "amount": "1.00", "currency": "EUR"}
    assert elsewhere.send(f"/v1/payments/{charged}", sent, who).status_code == 200


@pytest.mark.parametrize("passphrase", [None, "another passphrase"])
def test_another_passphrase_does_not_open_it(
    gateway: Gateway, elsewhere: Gateway, passphrase: str | None
) -> None:
    identity, _ = made_in(gateway)
    taken = snapshot(gateway, identity, PASSPHRASE).content

    refused = restore(elsewhere, taken, passphrase)

    assert refused.status_code == 400
    assert refused.json["error"]["where"] == "Sandgate-Passphrase"
    assert elsewhere.control("GET", f"/sandboxes/{identity}").status_code == 404


def test_without_a_passphrase_another_installation_refuses_it(
    gateway: Gateway, elsewhere: Gateway
) -> None:
    identity, _ = made_in(gateway)

    refused = restore(elsewhere, snapshot(gateway, identity).content)

    assert refused.status_code == 400
    assert "made with a passphrase" in refused.json["error"]["expected"]
    assert "another installation" in refused.json["error"]["got"]


def test_a_short_passphrase_is_refused(gateway: Gateway) -> None:
    identity, _ = made_in(gateway)
    refused = snapshot(gateway, identity, "short")
    assert (refused.status_code, refused.json["error"]["where"]) == (400, "Sandgate-Passphrase")


def cut(content: bytes) -> bytes:
    return content[:-10]


def grown(content: bytes) -> bytes:
    return content + b"\n"


def flipped(content: bytes) -> bytes:
    return content[:-40] + bytes([content[-40] ^ 1]) + content[-39:]


def resealed(content: bytes) -> bytes:
    """Altered, with a checksum that fits."""
    first, _, rest = content.partition(b"\n")
    rest = rest.replace(b'"amount":"92.00"', b'"amount":"93.00"')
    header = {**json.loads(first), "sha256": sha256(rest).hexdigest()}
    return json.dumps(header).encode() + b"\n" + rest


@pytest.mark.parametrize(
    "damage",
    [
        cut, grown, flipped, resealed,
        lambda content: b"",
        lambda content: b"{}\n",
        lambda content: b"\n" * 100,
        lambda content: b"x" * 100_000,
        lambda content: content.replace(b'"format":1', b'"format":2', 1),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_and_changes_nothing(gateway: Gateway, damage) -> None:
    identity, who = made_in(gateway)
    paid = gateway.post(who=who).json["id"]
    taken = snapshot(gateway, identity).content

    refused = restore(gateway, damage(taken))

    assert refused.status_code == 400, refused.text
    assert refused.json["error"]["where"] == "body"
    assert gateway.read(paid, who).status_code == 200
    assert gateway.control("GET", f"/sandboxes/{identity}").json["epoch"] == 1


def test_a_damaged_key_is_not_taken_for_a_wrong_passphrase(gateway: Gateway) -> None:
    identity, _ = made_in(gateway)
    first, _, rest = snapshot(gateway, identity, PASSPHRASE).content.partition(b"\n")
    header = json.loads(first)
    key = header["locked_key"]
    damaged = {**header, "locked_key": ("A" if key[0] != "A" else "B") + key[1:]}
    missing = {name: value for name, value in header.items() if name != "locked_key"}

    for each in (damaged, missing):
        refused = restore(gateway, json.dumps(each).encode() + b"\n" + rest, PASSPHRASE)
        assert refused.json["error"] == {
            "where": "body",
            "expected": "a locked key with the checksum of the header",
            "got": "one that is damaged or cut short",
        }


def test_a_snapshot_of_a_former_version_is_restored_and_names_both_causes(
    gateway: Gateway,
) -> None:
    identity, _ = made_in(gateway)
    first, _, rest = snapshot(gateway, identity, PASSPHRASE).content.partition(b"\n")
    header = {name: value for name, value in json.loads(first).items() if name != "key_sum"}
    former = json.dumps(header).encode() + b"\n" + rest

    assert restore(gateway, former, PASSPHRASE).status_code == 200
    refused = restore(gateway, former, "another passphrase")
    assert refused.json["error"]["got"] == "another one, or the first line is damaged"


def test_work_under_way_is_dropped_by_a_restore(gateway: Gateway) -> None:
    late = {"name": "late", "title": "Late", "description": "A while.", "steps": {
        "acquirer": {"latency": {"fixed": {"seconds": 1}}, "approve": {}}}}  # fmt: skip
    identity, who = made_in(gateway)
    gateway.control("POST", f"/sandboxes/{identity}/scripts", {"behaviour": late})
    taken = snapshot(gateway, identity).content
    paying = gevent.spawn(gateway.post, who=who)
    gevent.sleep(0.05)

    restore(gateway, taken)

    assert paying.get(timeout=5).status_code == 503
    assert gateway.post(who=who).status_code == 200


def test_an_attempt_open_in_the_snapshot_is_reversed_by_the_restore(gateway: Gateway) -> None:
    late = {"name": "late", "title": "Late", "description": "A while.", "steps": {
        "acquirer": {"latency": {"fixed": {"seconds": 1}}, "approve": {}}}}  # fmt: skip
    identity, who = made_in(gateway)
    gateway.control("POST", f"/sandboxes/{identity}/scripts", {"behaviour": late})
    paying = gevent.spawn(gateway.post, who=who)
    gevent.sleep(0.05)
    taken = snapshot(gateway, identity).content
    paid = paying.get(timeout=5).json["id"]

    restore(gateway, taken)

    assert gateway.read(paid, who).json["result"]["code"] == "900.100.301"


def test_a_pending_payment_ends_after_a_restore_without_being_asked(gateway: Gateway) -> None:
    identity, who = made_in(gateway, clock={"mode": "frozen", "at": "2026-11-20T12:00:00Z"})
    gateway.control("POST", f"/sandboxes/{identity}/scripts", {"behaviour": "pending"})
    gateway.post(who=who)
    taken = snapshot(gateway, identity).content
    gateway.control("DELETE", f"/sandboxes/{identity}")

    restore(gateway, taken)

    due = gateway.control("GET", f"/sandboxes/{identity}/clock").json["next"]
    assert due == "2026-11-20T12:30:00Z"


def test_a_snapshot_of_a_busy_sandbox_holds_whole_units(gateway: Gateway) -> None:
    identity, who = made_in(gateway)
    paying = [gevent.spawn(pay_many, gateway, who) for _ in range(4)]
    taken = [snapshot(gateway, identity).content for _ in range(5)]
    paid = [each for task in paying for each in task.get(timeout=30)]

    restore(gateway, taken[-1])

    codes = {gateway.read(each, who).status_code for each in paid}
    assert codes <= {200, 404}
    restored = snapshot(gateway, identity).content
    assert restored.count(b'["registrations"') == restored.count(b'["payments"')


def pay_many(gateway: Gateway, who: Credentials) -> list[str]:
    stored = {"createRegistration": "true"}
    return [gateway.post(who=who, **stored).json["id"] for _ in range(10)]


def test_only_the_control_key_takes_and_restores_snapshots(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    taken = snapshot(gateway, made["id"]).content
    mine = {"Authorization": f"Bearer {made['control_key']}"}
    ask = gateway.client.simulate_request
    path = f"/_sandbox/v1/sandboxes/{made['id']}/snapshot"

    assert ask("GET", path, headers=mine).status_code == 200
    assert ask("GET", path, headers={"Authorization": "Bearer no"}).status_code == 401
    restored = ask("POST", "/_sandbox/v1/sandboxes/restore", headers=mine, body=taken)
    assert restored.status_code == 401
    assert snapshot(gateway, "8" + "0" * 31).status_code == 404


def test_a_reset_after_a_restore_that_was_cut_off_is_empty(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path / "data", durability="os")
    identity, who = made_in(gateway)
    paid = gateway.post(who=who).json["id"]
    folder = tmp_path / "data" / identity
    (folder / "2.log").write_bytes((folder / "1.log").read_bytes())

    gateway.control("POST", f"/sandboxes/{identity}/reset")

    assert gateway.read(paid, who).status_code == 404
    assert not (folder / "1.log").exists()
    gateway.close()
