"""A class that begins with the data of a sandbox: the same data under other ids for everyone."""

import json
import re
from pathlib import Path

import gevent
import pytest

from simulator.adapters.console import stages
from simulator.adapters.console.classes import FOLDER, ClassBook
from simulator.adapters.console.small_tables import SmallTables
from simulator.adapters.ids import RandomIds
from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.sandboxes.sandbox_files import SandboxFiles
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.snapshots import Spools
from simulator.domain.checkouts.ids import ID, moved_checkout_id, sandbox_in
from simulator.domain.console.classes import DATA_BYTES_MAX, refuse_large
from simulator.domain.core.errors import (
    DamagedLogError,
    DiskError,
    InvalidInputError,
    UnknownOutcomeError,
)
from simulator.domain.core.ports import Unit
from simulator.tests.console.test_classes import LINK, class_page, joined, made_in
from simulator.tests.console.test_stage import STORY
from simulator.tests.console.visitor import Visitor
from simulator.tests.http.pages.test_shown_credentials import BUTTON
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway
from simulator.tests.lost_writes.faulty_disk import FaultyDisk

CARD = ("card.number", "card.holder", "card.expiryMonth", "card.expiryYear", "card.cvv")


def class_with_data(anna: Visitor, sandbox: str) -> str:
    """The link of a class whose sandboxes are copies of this one."""
    anna.get("/console/classes")
    page = anna.post("/console/classes", {"seed": "7", "like": sandbox, "data": "1"})
    assert page.status_code == 200, page.text
    return LINK.search(page.text)[0]


def copied(gateway: Gateway, anna: Visitor, sandbox: str) -> tuple[str, Credentials]:
    """A copy of a sandbox, and a token of its merchant."""
    _, own = joined(gateway, class_with_data(anna, sandbox), "Ada")
    merchant = gateway.control("GET", f"/sandboxes/{own}/merchants").json["merchants"][0]
    tokens = f"/sandboxes/{own}/merchants/{merchant['id']}/tokens"
    token = gateway.control("POST", tokens, {"host": "test"}).json["token"]
    return own, Credentials(token, merchant["channels"][0]["id"])


def log_of(gateway: Gateway, sandbox: str) -> str:
    """What is stored of a sandbox."""
    path = f"/_sandbox/v1/sandboxes/{sandbox}/snapshot"
    headers = {"Authorization": f"Bearer {CONTROL_KEY}"}
    whole = gateway.client.simulate_get(path, headers=headers).content
    return whole.split(b"\n", 2)[2].decode()


def ids_of(gateway: Gateway, sandbox: str) -> set[str]:
    """The ids of the hierarchy of a sandbox, and its own."""
    return set(re.findall("[0-9a-f]{32}", gateway.control("GET", f"/sandboxes/{sandbox}").text))


def test_everyone_begins_with_the_same_payments_and_changes_their_own(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    paid = gateway.post().json["id"]
    link = class_with_data(anna, sandbox)
    later = gateway.post().json["id"]

    people = [joined(gateway, link, name) for name in ("Ada", "Bob")]

    assert len({sandbox, *(own for _, own in people)}) == 3
    for person, own in people:
        page = person.get(f"/console/{own}/payments").text
        assert paid in page and later not in page
    ada, bob = (person for person, _ in people)
    mine, his = (f"/console/{own}/payments/{paid}" for _, own in people)
    assert ada.act(mine, {"type": "RF", "amount": "2.00"}).status_code == 303
    assert ">partly refunded<" in ada.get(mine).text
    assert ">completed<" in bob.get(his).text
    assert ">completed<" in anna.get(f"/console/{sandbox}/payments/{paid}").text


def test_a_copy_pushes_no_files_to_the_server_of_the_original(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    merchant = gateway.control("GET", f"/sandboxes/{sandbox}/merchants").json["merchants"][0]["id"]
    target = {
        "host": "files.example", "user": "jones", "password": "theirs",
        "host_key": f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{'A' * 43}",
    }  # fmt: skip
    path = f"/sandboxes/{sandbox}/merchants/{merchant}/sftp-push"
    assert gateway.control("PUT", path, target).status_code == 200
    assert "files.example" in log_of(gateway, sandbox)

    own, _ = copied(gateway, anna, sandbox)

    assert "files.example" not in log_of(gateway, own)


def test_a_copy_opens_what_the_original_sealed_and_answers_its_own_token_alone(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    paid = gateway.post(createRegistration="true").json
    _, who = copied(gateway, anna, sandbox)

    assert gateway.read(paid["id"], who).json["amount"] == "92.00"
    stored = f"/v1/registrations/{paid['registrationId']}/payments"
    again = gateway.post(stored, who=who, paymentBrand=None, **dict.fromkeys(CARD))
    assert again.json["result"]["code"] == "000.100.110", again.text
    assert gateway.read(again.json["id"]).status_code == 404
    assert gateway.post(who=Credentials(who.token, gateway.merchant.entity_id)).status_code == 403
    assert gateway.post(who=gateway.merchant).status_code == 200


def test_no_id_of_the_hierarchy_is_shared_and_a_checkout_leads_to_the_copy(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", {"url": "inbox"})
    gateway.post(merchantTransactionId="order one", merchantMemo="a" * 32)
    asked = {"entityId": gateway.merchant.entity_id, "amount": "92.00", "currency": "EUR",
             "paymentType": "DB"}  # fmt: skip
    opened = gateway.send("/v1/checkouts", asked).json["id"]
    gateway.control("POST", f"/sandboxes/{sandbox}/drain", {})
    own, who = copied(gateway, anna, sandbox)

    log = log_of(gateway, own)

    assert ids_of(gateway, sandbox) & set(re.findall("[0-9a-f]{32}", log)) == set()
    assert "a" * 32 in log, "text that only looks like an id stays"
    (moved,) = set(re.findall(ID.pattern.replace("(", "(?:"), log))
    assert opened not in log
    assert (sandbox_in(opened), sandbox_in(moved)) == (sandbox, own)
    query = {"entityId": who.entity_id}
    head = {"Authorization": f"Bearer {who.token}"}
    path = f"/v1/checkouts/{moved}/payment"
    found = gateway.client.simulate_get(path, params=query, headers=head)
    assert found.json["result"]["code"].startswith("000.200")


def test_endpoints_of_the_original_get_nothing_from_a_copy(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    hooks = f"/sandboxes/{sandbox}/webhooks"
    gateway.control("POST", hooks, {"url": "http://127.0.0.1:9/", "skip_activation": True})
    gateway.control("POST", hooks, {"url": "inbox"})
    gateway.post()
    own, who = copied(gateway, anna, sandbox)
    made = gateway.post(who=who).json["id"]
    gateway.control("POST", f"/sandboxes/{own}/drain", {})
    endpoints = gateway.control("GET", f"/sandboxes/{own}/webhooks").json["webhooks"]
    inbox = gateway.control("GET", f"/sandboxes/{own}/inbox").text
    assert len(endpoints) == 1 and made in inbox


def test_many_join_at_once_and_what_is_held_in_the_original_is_held_there_alone(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    breakpoints = f"/sandboxes/{sandbox}/breakpoints"
    gateway.control("PUT", breakpoints, {"parties": ["acquirer"]})
    paying = gevent.spawn(gateway.post)
    with gevent.Timeout(5):
        while not gateway.control("GET", f"/sandboxes/{sandbox}/held").json["held"]:
            gevent.sleep(0.01)
    link = class_with_data(anna, sandbox)
    joining = [gevent.spawn(joined, gateway, link, f"Student {each}") for each in range(8)]
    own = [each.get(timeout=20)[1] for each in joining]
    assert len(set(own)) == 8
    for each in own:
        assert gateway.control("GET", f"/sandboxes/{each}/held").json["held"] == []
        books = gateway.control("GET", f"/sandboxes/{each}/books").json
        assert books["agree"] and not books["under_way"], "what was open is reversed"
    (held,) = gateway.control("GET", f"/sandboxes/{sandbox}/held").json["held"]
    gateway.control("POST", f"/sandboxes/{sandbox}/held/{held['id']}", {"action": "release"})
    assert paying.get(timeout=5).json["result"]["code"] == "000.100.110"


def test_the_snapshot_outlasts_a_restart_and_goes_with_the_class(
    gateway: Gateway, anna: Visitor, sandbox: str, tmp_path: Path
) -> None:
    class_with_data(anna, sandbox)
    (kept,) = (tmp_path / "data" / FOLDER).iterdir()
    ClassBook(tmp_path / "data", LocalDisk()).snapshot(kept.stem).close()
    page = class_page(anna)
    anna.get(page)
    anna.post(page, {"deed": "end"})
    assert list(kept.parent.iterdir()) == []


@pytest.mark.parametrize("damage", ["gone", "cut", "changed"])
def test_a_damaged_snapshot_lets_no_one_in_and_leaves_no_sandbox(
    gateway: Gateway, anna: Visitor, sandbox: str, tmp_path: Path, damage: str
) -> None:
    gateway.post()
    link = class_with_data(anna, sandbox)
    (kept,) = (tmp_path / "data" / FOLDER).iterdir()
    match damage:
        case "gone":
            kept.unlink()
        case "cut":
            kept.write_bytes(kept.read_bytes()[:-10])
        case _:
            kept.write_bytes(kept.read_bytes().replace(b'"payments"', b'"paymants"'))
    count = len(gateway.control("GET", "/sandboxes").json["sandboxes"])

    assert Visitor(gateway).post(link, {"name": "Ada"}).status_code == 400

    assert len(gateway.control("GET", "/sandboxes").json["sandboxes"]) == count


@pytest.mark.parametrize("like", ["", "0" * 32])
def test_a_class_with_data_names_the_sandbox_it_is_of(anna: Visitor, like: str) -> None:
    anna.get("/console/classes")
    asked = {"seed": "7", "like": like, "data": "1"}
    assert anna.post("/console/classes", asked).status_code == 400


def test_too_much_data_is_refused() -> None:
    refuse_large(DATA_BYTES_MAX)
    with pytest.raises(InvalidInputError, match="4,194,304 bytes"):
        refuse_large(DATA_BYTES_MAX + 1)


def test_moved_ids_of_checkouts_hold_no_long_run_of_digits() -> None:
    ids = RandomIds()
    for _ in range(300):
        sandbox = f"8{ids.hex(31)}"
        moved = moved_checkout_id(f"{ids.hex(32).upper()}.{'0' * 15}", sandbox, ids.hex(48))
        assert ID.fullmatch(moved) and sandbox_in(moved) == sandbox
        assert not re.search("[0-9]{12}", moved.replace(".", ""))


def test_of_many_copies_one_is_made_after_the_other(tmp_path: Path) -> None:
    spools, order = Spools(tmp_path), list[int]()

    def make(number: int) -> None:
        with spools.copied([b"a line\n"] * 3) as spool:
            order.append(number)
            gevent.sleep(0)
            order.append(spool.size)

    gevent.joinall([gevent.spawn(make, number) for number in range(3)], raise_error=True)

    assert order == [0, 22, 1, 22, 2, 22]


def test_a_class_whose_id_is_a_path_is_damage(tmp_path: Path) -> None:
    kept = tmp_path / "classes.json"
    begun = {"id": "../victim", "key": "k", "by": "anna", "began_at": "2026-11-20T12:00:00Z"}
    kept.write_text(json.dumps({"classes": {"../victim": begun}}))

    with pytest.raises(DamagedLogError, match=r"classes\.json"):
        ClassBook(tmp_path, LocalDisk())


def lose_one_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next record of a sandbox stands, and may not last."""
    commit, losses = SandboxFiles.commit, [1]

    def commit_unsynced(files: SandboxFiles, unit: Unit) -> None:
        commit(files, unit)
        if losses:
            raise UnknownOutcomeError("sandbox.json", f"no sync {losses.pop()}")

    monkeypatch.setattr(SandboxFiles, "commit", commit_unsynced)


def test_a_lesson_or_trial_whose_sandbox_may_not_last_leaves_none(
    gateway: Gateway, anna: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.get("/console/lessons")
    before = made_in(gateway)
    lose_one_sync(monkeypatch)
    assert anna.post("/console/lessons", {"story": STORY}).status_code == 500
    assert made_in(gateway) == before

    lose_one_sync(monkeypatch)
    assert gateway.client.simulate_post("/try/challenge", headers=BUTTON).status_code == 500
    assert made_in(gateway) == before


def test_a_lesson_that_the_disk_refuses_leaves_no_sandbox(
    gateway: Gateway, anna: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.get("/console/lessons")
    before, full = made_in(gateway), FaultyDisk()
    full.is_full = True
    monkeypatch.setattr(stages, "SmallTables", lambda path, _: SmallTables(path, full))
    assert anna.post("/console/lessons", {"story": STORY}).status_code == 503
    assert made_in(gateway) == before


def test_a_join_whose_copy_is_stored_before_the_disk_fails_leaves_none(
    gateway: Gateway, anna: Visitor, sandbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, visitor = class_with_data(anna, sandbox), Visitor(gateway)
    visitor.get(link)
    before, wake, losses = made_in(gateway), SandboxRegistry._wake, [1]

    def wake_late(registry: SandboxRegistry, identity: str) -> None:
        if losses:
            raise DiskError("1.log", f"no disk {losses.pop()}")
        wake(registry, identity)

    monkeypatch.setattr(SandboxRegistry, "_wake", wake_late)
    assert visitor.post(link, {"name": "Ada"}).status_code == 503
    assert made_in(gateway) == before


@pytest.mark.parametrize("has_data", [False, True])
def test_a_join_whose_sandbox_may_not_last_leaves_none(
    gateway: Gateway,
    anna: Visitor,
    sandbox: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    has_data: bool,
) -> None:
    anna.get("/console/classes")
    more = {"like": sandbox, "data": "1"} if has_data else {}
    link = LINK.search(anna.post("/console/classes", {"seed": "7", **more}).text)[0]
    visitor = Visitor(gateway)
    visitor.get(link)
    before = made_in(gateway)
    lose_one_sync(monkeypatch)
    assert visitor.post(link, {"name": "Ada"}).status_code == 500
    assert made_in(gateway) == before

    assert visitor.post(link, {"name": "Ada"}).status_code == 303
    assert made_in(gateway)[1] == before[1] + 1


@pytest.mark.parametrize(
    "channel", [{"three_d_secure": {"VISA": "2.2.0"}}, {"requires_merchant_transaction_id": True}]
)
@pytest.mark.parametrize("trial", ["pay", "decline"])
def test_a_student_pays_at_a_channel_as_a_page_of_a_shop_would(
    gateway: Gateway, anna: Visitor, channel: dict[str, object], trial: str
) -> None:
    asked = {"merchants": [{"name": "Tea", "channels": [{"name": "Web", **channel}]}]}
    sandbox = gateway.control("POST", "/sandboxes", asked).json["id"]
    ada, own = joined(gateway, class_with_data(anna, sandbox), "Ada")

    tried = ada.post(f"/console/{own}/start", {"name": trial}).headers["Location"]

    assert f"/console/{own}/payments/" in tried
    assert ada.get(tried).status_code == 200
