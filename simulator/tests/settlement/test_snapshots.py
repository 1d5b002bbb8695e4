"""Runs in snapshots: restored with their keys and files, and files that would do harm refused."""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from simulator.adapters.settlement import archive
from simulator.adapters.settlement.archive import FILES_BYTES_MAX, PIECE_BYTES, check_archive
from simulator.domain.core.errors import InvalidInputError
from simulator.tests.kit.gateway import CONTROL_KEY
from simulator.tests.settlement.test_control import RUN, Shop

KEY = {"Authorization": f"Bearer {CONTROL_KEY}"}
PASSPHRASE = {**KEY, "Sandgate-Passphrase": "correct horse battery"}


def snapshot(shop: Shop) -> bytes:
    path = f"/_sandbox/v1/sandboxes/{shop.id}/snapshot"
    return shop.gateway.client.simulate_get(path, headers=PASSPHRASE).content


def restore(shop: Shop, content: bytes) -> int:
    path = "/_sandbox/v1/sandboxes/restore"
    answer = shop.gateway.client.simulate_post(path, headers=PASSPHRASE, body=content)
    return answer.status_code


def files(shop: Shop) -> dict[str, tuple[bytes, int]]:
    """Every file of settlement, and when it was changed."""
    folder = shop.folder / shop.id
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for name in ("clearing", "outgoing")
        for path in (folder / name).rglob("*")
        if path.is_file()
    }


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """One with a settled day."""
    made = Shop(tmp_path / "data")
    made.pay()
    made.advance("1d")
    made.call("POST", "/settlements", {"institute": "Sandgate Clearing"})
    yield made
    made.gateway.close()


def test_a_restored_sandbox_has_its_runs_keys_and_files(shop: Shop) -> None:
    taken, before = snapshot(shop), files(shop)
    runs = shop.call("GET", "/settlements")
    shop.advance("3d")
    shop.call("POST", "/settlements", {})
    shop.call("POST", "/reset", {})

    assert restore(shop, taken) == 200

    assert files(shop) == before and len(before) == 5
    assert shop.call("GET", "/settlements") == runs
    (account,) = shop.call("GET", f"/settlements/{RUN}")["accounts"]
    path = f"/sandboxes/{shop.id}/settlements/{RUN}/keys/{account['merchant_account']}"
    assert shop.gateway.control("GET", path).text.count("\n") >= 3


def test_a_sandbox_restored_elsewhere_goes_on_settling(shop: Shop, tmp_path: Path) -> None:
    taken, before = snapshot(shop), files(shop)
    elsewhere = Shop(tmp_path / "elsewhere")
    elsewhere.id, elsewhere.merchant, elsewhere.who = shop.id, shop.merchant, shop.who

    assert restore(elsewhere, taken) == 201

    assert files(elsewhere) == before
    payment = elsewhere.pay()
    elsewhere.advance("3d")
    run = elsewhere.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"][-1]
    assert payment in {row["UniqueID"] for row in elsewhere.fetched(run["delivered"][0])}
    elsewhere.gateway.close()


def test_a_sandbox_without_settlement_has_no_files_in_its_snapshot(tmp_path: Path) -> None:
    shop = Shop(tmp_path)

    assert b'{"files":1}' not in snapshot(shop)

    shop.gateway.close()


def test_a_run_that_was_made_while_a_snapshot_was_taken_is_made_once_more(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, payment = archive.archived, shop.pay()
    shop.advance("1d")

    def archived(folder: Path, aside: Callable[..., bytes]) -> Iterator[bytes]:
        """The log is read by now."""
        shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})
        return real(folder, aside)

    monkeypatch.setattr(archive, "archived", archived)
    taken = snapshot(shop)
    assert restore(shop, taken) == 200
    shop.advance("1h")
    shop.call("POST", "/settlements", {})

    fetched = [name for name in files(shop) if re.fullmatch("outgoing/.*csv", name)]
    rows = [row for name in fetched for row in shop.fetched(Path(name).name)]
    assert [row["UniqueID"] for row in rows].count(payment) == 1


def a_piece(path: str, content: bytes = b"x") -> bytes:
    packed = b64encode(zlib.compress(content)).decode()
    return json.dumps({"path": path, "changed_ns": 1, "content": packed}).encode() + b"\n"


DROP = "clearing/sandgate-clearing/drop"
MINE = "a" * 32


@pytest.mark.parametrize(
    "line",
    [
        a_piece("../../vault.key"),
        a_piece("/etc/passwd"),
        a_piece(f"{DROP}/../../../sandbox.json"),
        a_piece(f"{DROP}/..").replace(b"drop", b"drop/x"),
        a_piece("sandbox.json"),
        a_piece("1.log"),
        a_piece(f"{DROP}/file.csv.part"),
        a_piece(f"outgoing/{'b' * 32}/reconciliation/2030-01/a.csv"),
        a_piece(f"outgoing/{MINE}/.ssh/authorized_keys"),
        a_piece(f"{DROP}/a.csv\n"),
        a_piece(f"{DROP}/a.csv", bytes(PIECE_BYTES + 1)),
        a_piece(f"{DROP}/a.csv").replace(b'"content": "', b'"content": "AAAA'),
        b'{"path":1}\n',
        b"[" * 10_000 + b"\n",
    ],
)
def test_a_file_that_is_none_of_settlement_is_refused(line: bytes) -> None:
    with pytest.raises(InvalidInputError):
        check_archive([line], frozenset({MINE}))


@pytest.mark.parametrize(
    "most", [64 * PIECE_BYTES, pytest.param(FILES_BYTES_MAX, marks=pytest.mark.proof)]
)
def test_files_that_would_fill_the_disk_are_refused(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(archive, "FILES_BYTES_MAX", most)
    line = a_piece(f"{DROP}/a.csv", bytes(PIECE_BYTES))
    pieces = most // PIECE_BYTES

    check_archive((line for _ in range(min(pieces, 64))), frozenset({MINE}))
    with pytest.raises(InvalidInputError):
        check_archive((line for _ in range(pieces + 1)), frozenset({MINE}))


def test_nothing_is_written_of_a_snapshot_with_a_wrong_file(shop: Shop, tmp_path: Path) -> None:
    header, rest = snapshot(shop).split(b"\n", 1)
    rest += a_piece("../../stolen")
    made = {**json.loads(header), "bytes": len(rest), "sha256": sha256(rest).hexdigest()}
    before = files(shop)

    assert restore(shop, json.dumps(made).encode() + b"\n" + rest) == 400

    assert files(shop) == before
    assert not [*tmp_path.rglob("stolen")]
