"""What the client of the control API does to sandboxes, entities and tokens, over a socket."""

from collections.abc import Iterator

import pytest

from simulator.client import Client, Control
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import Serving, serving

PASSPHRASE = "correct horse battery"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A gateway in a process of its own."""
    with serving(tmp_path_factory.mktemp("client") / "data", "--durability", "os") as running:
        yield running


@pytest.fixture
def control(server: Serving) -> Iterator[Control]:
    """The control API with the server's key."""
    made = Control(server.facts["control_url"], server.facts["control_key"])
    yield made
    made.close()


def status_with(server: Serving, token: str, entity: str, **sent: str) -> int:
    client = Client(server.facts["base_url"], token, entity)
    try:
        return client.post("v1/payments", {**ORDER, **sent}).status
    finally:
        client.close()


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE])
def test_a_snapshot_goes_to_a_file_and_back(
    server: Serving, control: Control, passphrase: str | None
) -> None:
    made = control.create_sandbox()
    taken = control.snapshot(made["id"], passphrase)
    control.delete(made["id"])
    assert status_with(server, made["token"], made["entity_id"]) == 403

    assert control.restore(taken, passphrase)["id"] == made["id"]

    assert status_with(server, made["token"], made["entity_id"]) == 200


def test_merchants_and_channels_are_added_and_changed(server: Serving, control: Control) -> None:
    sandbox = control.create_sandbox()["id"]
    merchant = control.add_merchant(sandbox, name="Second", channels=[{"name": "Till"}])
    channel = control.add_channel(sandbox, merchant["id"], currencies=["GBP"])
    control.change_channel(sandbox, merchant["id"], channel["id"], currencies=["EUR"])
    control.change_merchant(sandbox, merchant["id"], dispatching=[{"channel": "Till"}])

    assert status_with(server, merchant["token"], channel["id"]) == 200
    assert status_with(server, merchant["token"], merchant["id"]) == 200


def test_tokens_are_issued_suspended_activated_and_rotated(
    server: Serving, control: Control
) -> None:
    made = control.create_sandbox()
    place = (made["id"], made["entities"]["merchants"][0]["id"])
    issued = control.issue_token(*place, alias="till")
    statuses = [status_with(server, issued["token"], made["entity_id"])]
    control.suspend_token(*place, issued["id"])
    statuses.append(status_with(server, issued["token"], made["entity_id"]))
    control.activate_token(*place, issued["id"])
    statuses.append(status_with(server, issued["token"], made["entity_id"]))
    rotated = control.rotate_token(*place, issued["id"])
    statuses.append(status_with(server, issued["token"], made["entity_id"]))
    statuses.append(status_with(server, rotated["token"], made["entity_id"]))

    assert statuses == [200, 403, 200, 403, 200]
    assert [each["alias"] for each in control.tokens(*place)] == ["", "", "till"]


def test_a_snapshot_longer_than_a_request_may_be_is_restored(
    server: Serving, control: Control
) -> None:
    made = control.create_sandbox()
    header, _, rest = control.snapshot(made["id"]).partition(b"\n")
    # No honest one is this long in a second; a body of this length has to be read all the same.
    with pytest.raises(Exception, match="status 400.*bytes with the checksum of the header"):
        control.restore(header + b"\n" + rest + b"x" * 20_000_000)
