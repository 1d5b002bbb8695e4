"""A stored record that is none of this version: what needs it is answered 503, the log names it and
nothing that it holds, and `sandgate doctor` names it, too.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from simulator.adapters.store import lines
from simulator.adapters.store.integrity import check_log
from simulator.commands.data_checks import DAMAGED_SHOWN
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.sandboxes.test_damaged_logs import findings_on_logs, longest_log

CONTENT = "future 4200000000000000"
INVALID_ENUM = "Invalid enum value - at `$[1].state`"
INVALID_INSTANT = "Invalid RFC3339 encoded datetime"
# What a newer build, or a hand, wrote; and what is said of it.
DAMAGES: dict[str, tuple[Callable[[dict], Any], str]] = {
    "unknown value": (lambda body: {**body, "state": CONTENT}, INVALID_ENUM),
    "no member": (
        lambda body: {name: body[name] for name in body if name != "stamp"},
        "Object missing required field `stamp` - at `$[1]`",
    ),
    "no instant": (lambda body: {**body, "created_at": CONTENT}, INVALID_INSTANT),
    "money": (lambda body: {**body, "money": CONTENT}, "at `$[1].money`"),
    "nothing of it": (lambda body: {}, "Object missing required field `id` - at `$[1]`"),
}  # fmt: skip
# Its keys are not read either: nothing of the sandbox is, until it is put right.
UNINDEXED = {
    "a key that is no text": lambda body: {**body, "created_at": 5},
    "no object": lambda body: [1],
}


class DamagedData(NamedTuple):
    """A gateway over a folder in which one record was changed: the default sandbox, with another
    payment, and one of another sandbox.
    """

    gateway: Gateway
    damaged: str
    whole: str
    other: Credentials
    log: Path


def change(log: Path, identity: str, damage: Callable[[dict], Any]) -> None:
    """Store another body of a payment at the end of a log, as a newer build would."""
    bodies: dict[str, bytes] = {}

    def look(line: lines.LogLine) -> None:
        for table, found, body in lines.changes_in(line):
            if table == "payments":
                bodies[found] = bytes(body)

    check_log(log, look)
    serial, body = json.loads(bodies[identity])
    changed = json.dumps([serial, damage(body)]).encode()
    unit = lines.unit_of([("payments", identity, changed)])
    line = b"".join(lines.render(0, unit, place=log.stat().st_size))
    with log.open("ab") as end:
        end.write(line)


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Callable[[Callable[[dict], Any]], DamagedData]]:
    folder, opened = tmp_path / "data", []

    def make(damage: Callable[[dict], Any]) -> DamagedData:
        first = Gateway(folder, durability="disk")
        damaged, whole = first.post(paymentType="DB").json["id"], first.post().json["id"]
        other = first.sandbox()
        me = first.merchant
        first.close()
        log = longest_log(folder)
        change(log, damaged, damage)
        opened.append(Gateway(folder, durability="disk"))
        opened[0].merchant = me
        return DamagedData(opened[0], damaged, whole, other, log)

    yield make
    for each in opened:
        each.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_record_of_another_version_is_answered_503_and_named(
    data: Callable, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    change_body, said = DAMAGES[damage]
    made = data(change_body)

    answers = [
        made.gateway.read(made.damaged),
        made.gateway.refer(made.damaged, "RF", amount="1.00", currency="EUR"),
    ]

    assert [each.status_code for each in answers] == [503, 503]
    assert {each.json["result"]["code"] for each in answers} == {"999.999.888"}
    named = f"{made.log}, table payments, id {made.damaged}: expected a record of this version ("
    lines_logged = [each.getMessage() for each in caplog.records if named in each.getMessage()]
    assert len(lines_logged) == 2 and said in lines_logged[0]
    assert CONTENT not in caplog.text and "Traceback" not in caplog.text
    assert made.gateway.read(made.whole).status_code == 200
    assert made.gateway.post().status_code == 200
    made.gateway.close()
    (finding, whole) = findings_on_logs(made.log.parent.parent)
    assert named in finding.found and not finding.is_good and whole.is_good


@pytest.mark.parametrize("damage", UNINDEXED)
def test_a_record_that_cannot_be_indexed_stops_its_sandbox_alone(
    data: Callable, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    made = data(UNINDEXED[damage])

    assert made.gateway.read(made.whole).status_code == 503
    assert f"{made.log}, table payments, id {made.damaged}: " in caplog.text
    assert made.gateway.post(who=made.other).status_code == 200


def test_the_doctor_names_the_first_few_of_many(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path / "data", durability="disk")
    made = [gateway.post().json["id"] for _ in range(DAMAGED_SHOWN + 2)]
    gateway.close()
    log = longest_log(tmp_path / "data")
    for each in made:
        change(log, each, lambda body: {})
    change(log, made[0], lambda body: {"id": "put right"})
    lines_of = findings_on_logs(tmp_path / "data")

    assert len(lines_of) == DAMAGED_SHOWN + 1
    assert "and 2 more records of this log" in lines_of[DAMAGED_SHOWN - 1].found
