"""Records of settlement in a snapshot that was made to do harm, and files an institute made so."""

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.store import lines
from simulator.adapters.store.snapshots import FILES
from simulator.domain.settlement.blocks import BLOCK_BYTES_MAX, DamagedBlockError, unpacked
from simulator.domain.settlement.file_names import day_of_file, is_file_name
from simulator.domain.settlement.lines import SettlementFileError
from simulator.domain.settlement.pushing import PushAccess, PushFailedError
from simulator.tests.sandboxes.test_hostile_snapshots import log_of
from simulator.tests.settlement.test_control import RUN, Shop
from simulator.tests.settlement.test_snapshots import restore, snapshot

ELSEWHERE = "../../../../of-another"
NAMES = (
    ELSEWHERE, "/etc/hostname", "..", ".", "", "a/b", "..\\b", "a\0b", "a\n", ".hidden", "a.part",
    "a" * 300, "\u0661.csv",
)  # fmt: skip
INSTITUTE = "Sandgate Clearing"
# Two million times as long once it is unpacked.
BOMB = b64encode(zlib.compress(zlib.compress(b" " * (BLOCK_BYTES_MAX + 1), 9), 9)).decode()
LONG = b64encode(zlib.compress(b" " * (BLOCK_BYTES_MAX + 1), 9)).decode()


def delivered(name: str, merchant: str = "a" * 32) -> dict[str, Any]:
    return {"delivered": [{"merchant": merchant, "merchant_account": "a" * 32, "name": name}]}


# fmt: off
RECORDS: tuple[tuple[str, dict[str, Any]], ...] = (
    # table            what is altered in its record
    *(("settlement_runs", {"files": [name]}) for name in NAMES),
    *(("settlement_runs", {"keys": [name]}) for name in NAMES),
    *(("settlement_runs", delivered(name)) for name in NAMES),
    ("settlement_runs", delivered("a_b_c.csv")),
    ("settlement_runs", delivered("a_b_2030-02-30_001.csv")),
    ("settlement_runs", delivered("a_b_2030-01-03_001.csv", "../..")),
    ("settlement_runs", {"day": "9999-12-31"}),
    ("settlement_runs", {"day": "0001-01-01"}),
    ("settlement_runs", {"institute": "Another"}),
    ("settled_blocks",  {"packed": "AAAA"}),
    ("settled_blocks",  {"packed": b64encode(zlib.compress(b"[1]")).decode()}),
    ("settled_blocks",  {"packed": LONG}),
    ("settled_blocks",  {"packed": BOMB}),
    ("aggregations",    {"typed": {"FEE": [1, 2], "SETTLED": [9]}}),
    ("aggregations",    {"typed": {"FEE": [-1]}}),
)
PUSHES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("file_pushes",  ELSEWHERE, {"merchant": "a" * 32}),
    ("file_pushes",  "a_b_2030-01-04_001.csv", {"merchant": "../.."}),
    ("push_targets", "a" * 32,  {"host_key": "ssh-ed25519 nonsense"}),
    ("push_targets", "..",      {"host_key": "ssh-ed25519 nonsense"}),
)
# fmt: on


class TakenApart:
    """A snapshot of a settled sandbox: the units of its log, and what comes before and after."""

    def __init__(self, content: bytes):
        header, self._sandbox, rest = content.split(b"\n", 2)
        log, _, self._files = rest.partition(FILES)
        self._header = json.loads(header)
        self.units = [
            json.loads(lines.parse(line + b"\n").changes) for line in log.splitlines()[1:]
        ]

    def records(self, table: str) -> list[dict[str, Any]]:
        """What is stored in a table."""
        changes = (change for unit in self.units for change in unit)
        return [change[2][1] for change in changes if change[0] == table and change[2]]

    def closed(self) -> bytes:
        """The file again, with checksums that fit."""
        log = log_of(*(json.dumps(unit).encode() for unit in self.units))
        body = self._sandbox + b"\n" + log + FILES + self._files
        header = {**self._header, "bytes": len(body), "sha256": sha256(body).hexdigest()}
        return json.dumps(header).encode() + b"\n" + body


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """One with a settled day."""
    made = Shop(tmp_path_factory.mktemp("hostile") / "data")
    made.pay()
    made.advance("1d")
    made.call("POST", "/settlements", {"institute": INSTITUTE})
    yield made
    made.gateway.close()


@pytest.fixture(scope="module")
def content(shop: Shop) -> bytes:
    return snapshot(shop)


@pytest.fixture
def apart(content: bytes) -> TakenApart:
    return TakenApart(content)


def test_the_same_records_unaltered_are_restored(shop: Shop, apart: TakenApart) -> None:
    assert restore(shop, apart.closed()) == 200


@pytest.mark.parametrize(("table", "altered"), RECORDS, ids=range(len(RECORDS)))
def test_a_record_that_no_settlement_stored_is_refused(
    shop: Shop, apart: TakenApart, table: str, altered: dict[str, Any]
) -> None:
    for record in apart.records(table):
        record.update(altered)

    assert restore(shop, apart.closed()) == 400


@pytest.mark.parametrize(("table", "identity", "given"), PUSHES, ids=range(len(PUSHES)))
def test_a_push_that_no_gateway_began_is_refused(
    shop: Shop, apart: TakenApart, table: str, identity: str, given: dict[str, Any]
) -> None:
    made = {
        "id": identity, "version": 1, "run": RUN, "day": "2030-01-04",
        "began": "2030-01-03T12:00:00Z", "due": None,
        "host": "sftp.example", "port": 22, "user": "shop", "folder": ".", **given,
    }  # fmt: skip
    apart.units.append([[table, identity, [999_999, made]]])

    assert restore(shop, apart.closed()) == 400


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (lambda apart: armed(apart, "counts: {nothing: 1}"), "the fault plan was not followed"),
        (lambda apart: armed(apart, "[["), "the fault plan was not followed"),
        (lambda apart: left(apart, "{"), "left cannot be read"),
        (lambda apart: left(apart, ""), "left cannot be read"),
        (lambda apart: left(apart, "[" * 5000), "left cannot be read"),
    ],
    ids=["unknown fault", "no YAML", "no JSON", "nothing", "deep JSON"],
)
def test_a_day_is_settled_without_what_another_gateway_stored(
    shop: Shop, apart: TakenApart, alter: Callable[[TakenApart], object], said: str
) -> None:
    alter(apart)
    assert restore(shop, apart.closed()) == 200
    shop.advance("3d")

    settled = shop.gateway.control(
        "POST", f"/sandboxes/{shop.id}/settlements", {"institute": INSTITUTE}
    )

    assert settled.status_code == 200, settled.text
    first = settled.json["runs"][0]
    assert first["state"] == "delivered"
    assert said in first["problem"]


def armed(apart: TakenApart, plan: str) -> None:
    record = {"id": INSTITUTE, "version": 1, "plan": plan}
    apart.units.append([["settlement_faults", INSTITUTE, [999_999, record]]])


def left(apart: TakenApart, text: str) -> None:
    for record in apart.records("settlement_runs"):
        record["left"] = text


@pytest.mark.parametrize("name", NAMES)
def test_no_name_leads_out_of_the_folders_of_settlement(tmp_path: Path, name: str) -> None:
    """Also where a record was stored before records were checked."""
    folders = SettlementFolders(tmp_path / "data", "sandbox", lambda: None)
    Path(folders.keys(INSTITUTE)).joinpath(ELSEWHERE).resolve().write_text("a secret")

    with pytest.raises(FileNotFoundError):
        folders.key(INSTITUTE, name)
    with pytest.raises(SettlementFileError) as refused:
        folders.hash_of(INSTITUTE, name)
    with pytest.raises((FileNotFoundError, PushFailedError)):
        folders.push(PushAccess(None, "", ""), "a" * 32, name, day=date(2030, 1, 4))
    assert "a secret" not in str(refused.value)


def test_names_of_settlement_files_are_known(shop: Shop) -> None:
    (run,) = shop.call("GET", "/settlements")["runs"][-1:]

    assert all(map(is_file_name, [*run["files"], *run["delivered"]]))
    assert {day_of_file(name) for name in run["delivered"]} <= {date(2030, 1, 4), date(2030, 1, 7)}


@pytest.mark.parametrize(
    "packed", [b"", b"junk", zlib.compress(b"[1]"), zlib.compress(b"[" * 9999)]
)
def test_a_block_of_other_bytes_is_damaged(packed: bytes) -> None:
    with pytest.raises(DamagedBlockError):
        unpacked(packed)
