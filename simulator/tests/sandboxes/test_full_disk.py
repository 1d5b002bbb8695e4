"""A full disk: what was acknowledged is there, the rest refused, and writing goes on by itself."""

import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simulator.client import Client, Control, ControlError
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import Serving, serving

UNLIMITED = resource.RLIM_INFINITY


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the gateway keeps its files."""
    return tmp_path_factory.mktemp("full") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Serving]:
    """A gateway in a process of its own."""
    with serving(data) as running:
        yield running


@pytest.fixture
def merchant(server: Serving) -> Iterator[Client]:
    """A merchant of the default sandbox."""
    facts = server.facts
    client = Client(facts["base_url"], facts["token"], facts["entity_id"])
    yield client
    client.close()


def let_files_grow(server: Serving, bytes_max: int) -> None:
    """Limit the size of every file of the gateway: beyond it, writes fail as on a full disk."""
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (bytes_max, most))


def until(holds: Callable[[], bool], seconds: float = 5.0) -> None:
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_a_payment_that_cannot_be_stored_is_refused_and_leaves_nothing(
    server: Serving, merchant: Client
) -> None:
    before = payments_in(server)
    paid = merchant.post("v1/payments", ORDER)
    let_files_grow(server, 1)
    try:
        refused = merchant.post("v1/payments", ORDER)
        read = merchant.get(f"v1/payments/{paid.id}")
    finally:
        let_files_grow(server, UNLIMITED)

    assert (refused.status, refused.code) == (503, "999.999.888")
    assert (refused.headers["retry-after"], refused.id) == ("1", "")
    assert "/" not in refused.reason
    assert read.status == 200

    until(lambda: merchant.post("v1/payments", ORDER).status == 200)
    assert merchant.get(f"v1/payments/{paid.id}").status == 200
    assert payments_in(server) == before + 2


def payments_in(server: Serving) -> int:
    data = Path(server.process.args[server.process.args.index("--data") + 1])
    logs = [path.read_text() for path in data.glob("*/*.log")]
    return sum(log.count('["payments"') for log in logs)


def test_a_sandbox_that_cannot_be_stored_is_not_there(server: Serving) -> None:
    control = Control(server.facts["control_url"], server.facts["control_key"])
    before = len(control.sandboxes())
    let_files_grow(server, 1)
    try:
        with pytest.raises(ControlError, match="503"):
            control.create_sandbox()
        assert len(control.sandboxes()) == before
    finally:
        let_files_grow(server, UNLIMITED)

    until(lambda: made_by(control))
    assert len(control.sandboxes()) == before + 1


def made_by(control: Control) -> bool:
    try:
        return bool(control.create_sandbox())
    except ControlError:
        return False


def test_a_snapshot_that_cannot_be_restored_changes_nothing(server: Serving) -> None:
    control = Control(server.facts["control_url"], server.facts["control_key"])
    made = control.create_sandbox()
    client = Client(server.facts["base_url"], made["token"], made["entity_id"])
    paid = client.post("v1/payments", ORDER).id
    taken = control.snapshot(made["id"])
    let_files_grow(server, 1)
    try:
        with pytest.raises(ControlError, match="999.999.888"):
            control.restore(taken)
    finally:
        let_files_grow(server, UNLIMITED)

    assert client.get(f"v1/payments/{paid}").status == 200
    assert control.sandbox(made["id"])["epoch"] == 1
    assert control.restore(taken)["epoch"] == 2


def test_due_work_waits_for_room_and_is_done_then(server: Serving) -> None:
    control = Control(server.facts["control_url"], server.facts["control_key"])
    made = control.create_sandbox(clock={"mode": "scaled", "rate": 60})
    client = Client(server.facts["base_url"], made["token"], made["entity_id"])
    control.arm_script(made["id"], "pending-then-approved")
    pending = client.post("v1/payments", ORDER).id
    let_files_grow(server, 1)
    try:
        time.sleep(1.5)
        assert client.get(f"v1/payments/{pending}").code == "000.200.000"
    finally:
        let_files_grow(server, UNLIMITED)

    until(lambda: client.get(f"v1/payments/{pending}").code == "000.100.110")


def test_an_event_to_a_full_inbox_is_sent_again_when_there_is_room(
    server: Serving, data: Path
) -> None:
    control = Control(server.facts["control_url"], server.facts["control_key"])
    made = control.create_sandbox()
    control.create_webhook(made["id"], "inbox", skip_activation=True)
    merchant = Client(server.facts["base_url"], made["token"], made["entity_id"])
    merchant.post("v1/payments", ORDER)
    until(lambda: len(control.inbox(made["id"])) == 1)
    taken, failed = 1, []
    for room in range(3500, 12000, 750):
        taken += is_paid_with_room(server, merchant, log_of(data, made["id"]), room)
        assert control.drain(made["id"], "10s")
        failed = [each["deliveries"][0] for each in control.notices(made["id"], failed=True)]
        if failed:
            break
    assert [each["error"] for each in failed] == ["the inbox could not be stored"]

    until(lambda: _moved(control, made["id"], taken), 20)

    assert control.drain(made["id"])


def log_of(data: Path, sandbox: str) -> Path:
    return next((data / sandbox).glob("*.log"))


def is_paid_with_room(server: Serving, merchant: Client, log: Path, room: int) -> bool:
    """Whether a payment was taken while the log could grow by so many bytes; then it may grow."""
    let_files_grow(server, log.stat().st_size + room)
    is_paid = merchant.post("v1/payments", ORDER).status == 200
    # What follows the payment, its notification, meets the same disk.
    time.sleep(0.2)
    let_files_grow(server, UNLIMITED)
    if not is_paid:
        # The disk is asked again once a second.
        time.sleep(1.1)
    return is_paid


def _moved(control: Control, sandbox: str, count: int) -> bool:
    """Whether so many arrived, once the clock has passed the first steps of the ladder."""
    control.advance_clock(sandbox, by="1m")
    return len(control.inbox(sandbox)) >= count
