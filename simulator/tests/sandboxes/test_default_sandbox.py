"""The default sandbox is stored: no start makes another one the default or changes its profile."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.adapters.store import lines
from simulator.tests.kit.gateway import Gateway


@contextmanager
def started(data: Path, profile: str = "specification") -> Iterator[Gateway]:
    gateway = Gateway(data, durability="os", profile=profile)
    yield gateway
    gateway.close()


def sandboxes_of(gateway: Gateway) -> dict[str, str]:
    """The profile of each sandbox."""
    listed = gateway.control("GET", "/sandboxes").json["sandboxes"]
    return {each["id"]: each["profile"] for each in listed}


def default_of(gateway: Gateway) -> str:
    """The sandbox whose merchant the start named."""
    for sandbox in gateway.control("GET", "/sandboxes").json["sandboxes"]:
        for merchant in sandbox["merchants"]:
            if gateway.merchant.entity_id in [each["id"] for each in merchant["channels"]]:
                return sandbox["id"]
    raise AssertionError("the entity the start named is in no sandbox")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_a_deleted_default_is_made_anew_and_no_other_sandbox_is_changed(data: Path) -> None:
    with started(data) as gateway:
        team = gateway.control("POST", "/sandboxes", {"profile": "specification"}).json["id"]
        first = default_of(gateway)
        gateway.control("DELETE", f"/sandboxes/{first}")

    with started(data, "field") as gateway:
        second = default_of(gateway)
        assert second not in (first, team)
        assert sandboxes_of(gateway) == {team: "specification", second: "field"}
        assert gateway.post().status_code == 200

    with started(data, "field") as gateway:
        assert default_of(gateway) == second
        assert len(sandboxes_of(gateway)) == 2


def log_of(units: Iterable[bytes]) -> bytes:
    header = lines.header_line()
    rendered = lines.render_units(units, synced=0, place=len(header))
    return header + b"".join(b"".join(line) for line in rendered)


def backdated(data: Path, identity: str) -> None:
    """Let a sandbox say that it was made long ago, as a clock that stepped back does."""
    file = data / identity / "sandbox.json"
    content = file.read_text()
    changed = re.sub('("created_at": )"[^"]*"', r'\1"2001-01-01T00:00:00Z"', content, count=1)
    assert changed != content
    file.write_text(changed)


def as_in_the_former_version(data: Path) -> None:
    """Put all sandboxes into a registry.log, as releases before `sandbox.json` did."""
    files = [*data.glob("*/sandbox.json")]
    records = [row for file in files for row in json.loads(file.read_text())["sandboxes"].values()]
    records.sort(key=lambda record: record["created_at"])
    units = [
        lines.unit_of([("sandboxes", record["id"], json.dumps([serial, record]).encode())])
        for serial, record in enumerate(records, 1)
    ]
    (data / "registry.log").write_bytes(log_of(units))
    for file in (*files, data / "server.json"):
        file.unlink()


def test_an_older_sandbox_does_not_become_the_default(data: Path) -> None:
    with started(data) as gateway:
        team = gateway.control("POST", "/sandboxes", {"profile": "specification"}).json["id"]
        first = default_of(gateway)
    backdated(data, team)

    with started(data, "field") as gateway:
        assert next(iter(sandboxes_of(gateway))) == team
        assert default_of(gateway) == first
        assert sandboxes_of(gateway) == {team: "specification", first: "field"}


def test_a_folder_of_the_former_version_keeps_its_oldest_sandbox(data: Path) -> None:
    with started(data) as gateway:
        first = default_of(gateway)
        gateway.control("POST", "/sandboxes", {})
    as_in_the_former_version(data)

    with started(data) as gateway:
        assert default_of(gateway) == first
        gateway.control("DELETE", f"/sandboxes/{first}")

    with started(data) as gateway:
        assert len(sandboxes_of(gateway)) == 2


def test_a_restored_default_is_the_default_again(data: Path) -> None:
    with started(data) as gateway:
        first = default_of(gateway)
        key = {"Authorization": "Bearer control-key-of-the-tests"}
        path = f"/_sandbox/v1/sandboxes/{first}/snapshot"
        taken = gateway.client.simulate_get(path, headers=key).content
        gateway.control("DELETE", f"/sandboxes/{first}")
        restored = "/_sandbox/v1/sandboxes/restore"
        assert gateway.client.simulate_post(restored, headers=key, body=taken).status_code == 201

    with started(data) as gateway:
        assert default_of(gateway) == first
