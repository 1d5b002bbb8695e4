"""Snapshots with more of a kind than a sandbox takes are refused whole: each payment would ask all
of them.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Script
from simulator.domain.restored import counts
from simulator.domain.scripts import ARMED_MAX, TURNS_BYTES_MAX, TURNS_MAX, USED_UP_KEPT_MAX
from simulator.domain.snapshots import SNAPSHOT_BYTES_MAX, refuse_large
from simulator.domain.terminals.terminals import TERMINALS_MAX
from simulator.domain.webhooks.records import ENDPOINTS_MAX
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.sandboxes.test_hostile_snapshots import opened, restore, taken_of

Record = dict[str, Any]
# 3,000 bytes and some more.
LONG = tuple(f"k{number:04}" for number in range(250))


@pytest.fixture(scope="module")
def genuine(gateway: Gateway) -> bytes:
    """A snapshot of a sandbox with a script, an endpoint and a terminal."""
    made = gateway.control("POST", "/sandboxes", {}).json
    path = f"/sandboxes/{made['id']}"
    gateway.control("POST", f"{path}/webhooks", {"url": "inbox", "skip_activation": True})
    gateway.control("POST", f"{path}/terminals", {})
    gateway.control("POST", f"{path}/scripts", {"behaviour": "account-closed"})
    assert gateway.post(who=Credentials(made["token"], made["entity_id"])).status_code == 400
    return taken_of(gateway, made["id"])


def leave(record: Record) -> None:
    """Change nothing."""


def use_up(script: Record) -> None:
    """Let the script have answered as often as it may."""
    script |= {"times": 1, "matched": 1}


def wait_for_a_turn(script: Record) -> None:
    """Let the script answer the thousandth request, and be long."""
    script["match"] = {"nth": 1000, "customParameters": dict.fromkeys(LONG, "v")}


def take_turns(script: Record) -> None:
    """Let the script answer the thousandth request."""
    script["match"] = {"nth": 1000}


def lengthen(script: Record) -> None:
    """Let the script be longer than any that was armed."""
    script["match"] = {"customParameters": {f"k{number}": "v" for number in range(6000)}}


def crowded(genuine: bytes, table: str, count: int, change: Callable[[Record], object]) -> bytes:
    """The file with `count` records in this table, which are copies of the one that is there."""
    parts = opened(genuine)
    (unit,) = [unit for unit in parts.units if any(each[0] == table for each in unit)]
    (stored,) = [each for each in unit if each[0] == table]
    unit.remove(stored)
    for number in range(count):
        copy = deepcopy(stored)
        record = copy[2][1]
        copy[1] = record["id"] = f"{number:032x}"
        change(record)
        unit.append(copy)
    return parts.closed()


# fmt: off
CROWDS: tuple[tuple[str, int, Callable[[Record], object], str], ...] = (
    # table      how many are one too many          of what          what is named
    ("scripts",  ARMED_MAX + 1,                     leave,           "not used up"),
    ("scripts",  ARMED_MAX + USED_UP_KEPT_MAX + 1,  use_up,          "scripts"),
    ("scripts",  TURNS_BYTES_MAX // 3000 + 1,       wait_for_a_turn, "bytes of scripts with nth"),
    ("scripts",  TURNS_MAX + 1,                     take_turns,      "scripts with nth"),
    ("scripts",  1,                                 lengthen,        "bytes of a script"),
    ("terminals", TERMINALS_MAX + 1,                leave,           "terminals"),
)
FULL: tuple[tuple[str, int, Callable[[Record], object]], ...] = (
    ("scripts",   ARMED_MAX,                        leave),
    ("scripts",   ARMED_MAX + USED_UP_KEPT_MAX,     use_up),
)
# fmt: on


@pytest.mark.parametrize(("table", "count", "change", "named"), CROWDS)
def test_one_too_many_is_refused_whole(
    gateway: Gateway,
    genuine: bytes,
    table: str,
    count: int,
    change: Callable[[Record], object],
    named: str,
) -> None:
    before = gateway.control("GET", "/sandboxes").json
    answer = restore(gateway, crowded(genuine, table, count, change))
    assert answer.status_code == 400
    assert named in answer.json["error"]["expected"]
    assert gateway.control("GET", "/sandboxes").json == before


@pytest.mark.parametrize(("table", "count", "change"), FULL)
def test_as_many_as_a_sandbox_takes_are_restored(
    gateway: Gateway, genuine: bytes, table: str, count: int, change: Callable[[Record], object]
) -> None:
    assert restore(gateway, crowded(genuine, table, count, change)).status_code == 200


def test_endpoints_are_counted(monkeypatch: pytest.MonkeyPatch, gateway: Gateway) -> None:
    """With a bound of its own: what an endpoint seals is sealed for its own id."""
    made = gateway.control("POST", "/sandboxes", {}).json
    path, asked = f"/sandboxes/{made['id']}", {"url": "inbox", "skip_activation": True}
    for _ in range(3):
        assert gateway.control("POST", f"{path}/webhooks", asked).status_code == 201
    content = taken_of(gateway, made["id"])
    assert restore(gateway, content).status_code == 200
    assert counts.MOST[counts.Endpoint] == ("endpoints", ENDPOINTS_MAX)
    monkeypatch.setitem(counts.MOST, counts.Endpoint, ("endpoints", 2))
    crowded_out = "at most 2 endpoints; remove some before the snapshot is taken"
    assert restore(gateway, content).json["error"]["expected"] == crowded_out


def test_a_file_with_one_too_many_says_how_many_were_read(gateway: Gateway, genuine: bytes) -> None:
    """It is read no further, so how many there are in all is not known."""
    error = restore(gateway, crowded(genuine, "scripts", TURNS_MAX + 30, take_turns)).json["error"]
    assert error["got"] == f"{TURNS_MAX + 1} or more"
    assert error["expected"] == (
        f"at most {TURNS_MAX} scripts with nth; disarm some before the snapshot is taken"
    )


def crowd(gateway: Gateway, count: int, **match: object) -> str:
    """A sandbox that holds so many scripts, as an earlier version stored them."""
    identity: str = gateway.control("POST", "/sandboxes", {}).json["id"]
    asked = {"behaviour": "account-closed", "match": match}
    gateway.control("POST", f"/sandboxes/{identity}/scripts", asked)
    store = gateway.ports(identity).store
    (first,) = store.find(Script, "armed", "yes")
    more = (replace(first, id=f"{number:032x}", version=0) for number in range(count - 1))
    store.commit(unit_of(*more))
    return identity


TOO_MANY = [
    ({"nth": 1000}, TURNS_MAX + 30, f"{TURNS_MAX} scripts with nth"),
    ({}, ARMED_MAX + 30, f"{ARMED_MAX} scripts that are not used up"),
]


@pytest.mark.parametrize(("match", "count", "most"), TOO_MANY)
def test_no_snapshot_is_taken_that_no_restore_takes(
    gateway: Gateway, match: dict[str, object], count: int, most: str
) -> None:
    identity = crowd(gateway, count, **match)
    refused = gateway.control("GET", f"/sandboxes/{identity}/snapshot")
    assert refused.status_code == 400
    assert refused.json["error"] == {
        "where": "sandbox",
        "expected": f"at most {most}, as a restore takes; disarm some first",
        "got": f"{count}",
    }
    for number in range(30):
        path = f"/sandboxes/{identity}/scripts/{number:032x}"
        assert gateway.control("DELETE", path).status_code == 200
    assert restore(gateway, taken_of(gateway, identity)).status_code == 200


def test_no_snapshot_is_taken_that_is_longer_than_a_restore_takes() -> None:
    refuse_large(SNAPSHOT_BYTES_MAX)
    with pytest.raises(InvalidInputError) as refused:
        refuse_large(SNAPSHOT_BYTES_MAX + 1)
    assert "at most 1,073,741,824 bytes" in str(refused.value)
    assert "copy its data folder instead" in str(refused.value)
