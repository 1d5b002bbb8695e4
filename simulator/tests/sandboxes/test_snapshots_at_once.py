"""Many snapshots that come at once: they take no more memory than one of them, and some."""

import json
import os
import tracemalloc
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import gevent
import pytest
from falcon.testing import create_environ

from simulator.adapters.store import snapshots as snapshots_on_their_way
from simulator.adapters.store.snapshots import (
    IN_MEMORY_BYTES_MAX,
    TAKEN_AT_ONCE,
    WAITING_MAX,
    Spools,
)
from simulator.domain import snapshots
from simulator.domain.core.errors import CrowdedSnapshotsError, InvalidInputError
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway

KEY = {"Authorization": f"Bearer {CONTROL_KEY}"}
MERCHANTS, AT_ONCE = 2000, 8
PIECES = [bytes(64 * 1024)] * 16


class Pieces:
    """A body that comes as it is read."""

    def __init__(self) -> None:
        self._left = [b"{}\n", *PIECES]

    def read(self, size: int) -> bytes:
        return self._left.pop(0)[:size] if self._left else b""


def peak_of(work: Callable[[], object]) -> int:
    """Bytes that were in use at most, beside those before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_what_is_on_its_way_is_in_a_file(tmp_path: Path) -> None:
    spools = []

    on_their_way = Spools(tmp_path)

    def come() -> None:
        spools.extend(on_their_way.received(Pieces()) for _ in range(AT_ONCE))
        spools.append(on_their_way.written(b"\n", PIECES))

    held = peak_of(come)
    for spool in spools:
        spool.close()

    assert held < (AT_ONCE + 2) * 2 * IN_MEMORY_BYTES_MAX


def test_all_on_their_way_take_so_many_bytes_of_the_disk(tmp_path: Path) -> None:
    most = 2 * sum(map(len, PIECES)) + AT_ONCE
    on_their_way = Spools(tmp_path, bytes_max=most)
    first, second = on_their_way.written(b"\n", PIECES), on_their_way.received(Pieces())
    for come in (lambda: on_their_way.written(b"\n", PIECES),
                 lambda: on_their_way.received(Pieces())):  # fmt: skip
        with pytest.raises(CrowdedSnapshotsError, match=f"at most {most} bytes"):
            come()

    assert b"".join(first.pieces()) == b"\n" + b"".join(PIECES)
    third = on_their_way.written(b"\n", PIECES)
    # Whose client left before the first piece.
    del second
    on_their_way.received(Pieces()).close()
    third.close()


def test_a_snapshot_that_is_alone_may_be_longer(tmp_path: Path) -> None:
    on_their_way = Spools(tmp_path, bytes_max=AT_ONCE)
    for _ in range(2):
        assert on_their_way.written(b"\n", PIECES).size == 1 + sum(map(len, PIECES))


def test_a_snapshot_too_many_is_refused_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots_on_their_way, "SPOOLED_BYTES_MAX", AT_ONCE)
    gateway = Gateway(tmp_path, is_described=False)
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    path = f"/_sandbox/v1/sandboxes/{made}/snapshot"
    sending = gateway.client.app(create_environ(path, headers=KEY), lambda *_: None)

    refused = gateway.client.simulate_get(path, headers=KEY)
    del sending

    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert gateway.client.simulate_get(path, headers=KEY).status_code == 200
    gateway.close()


def test_what_is_on_its_way_waits_for_no_commit_and_none_for_it(tmp_path: Path) -> None:
    spools, pool = Spools(tmp_path), gevent.get_hub().threadpool
    end, begin = os.pipe()
    commits = [pool.spawn(os.read, end, 1) for _ in range(pool.maxsize)]
    try:
        with gevent.Timeout(5):
            spools.written(b"\n", PIECES).close()
            spools.received(Pieces()).close()
    finally:
        os.write(begin, bytes(pool.maxsize))
        gevent.joinall(commits)
        os.close(end)
        os.close(begin)


def test_few_snapshots_are_taken_at_once_and_one_of_a_sandbox(tmp_path: Path) -> None:
    spools, taken, most = Spools(tmp_path), list[str](), list[list[str]]()

    def take(identity: str) -> None:
        with spools.taking(identity):
            taken.append(identity)
            most.append(sorted(taken))
            spools.written(b"\n", PIECES).close()
            taken.remove(identity)

    gevent.joinall([gevent.spawn(take, each) for each in "aaaabc"], raise_error=True)

    assert len(most) == 6
    assert max(map(len, most)) == TAKEN_AT_ONCE
    assert ["a", "a"] not in most


def test_few_wait_for_the_snapshot_of_a_sandbox(gateway: Gateway) -> None:
    crowded, other = (gateway.control("POST", "/sandboxes", {}).json["id"] for _ in range(2))

    def take(sandbox: str) -> tuple[int, str | None]:
        path = f"/_sandbox/v1/sandboxes/{sandbox}/snapshot"
        answer = gateway.client.simulate_get(path, headers=KEY)
        return answer.status_code, answer.headers.get("Retry-After")

    def all_at_once() -> Iterator[tuple[int, str | None]]:
        wanted = [crowded] * (WAITING_MAX + 4) + [other]
        jobs = [gevent.spawn(take, each) for each in wanted]
        return (each.get() for each in jobs)

    for _ in range(2):
        *answers, of_other = all_at_once()
        assert answers == [(200, None)] * (WAITING_MAX + 1) + [(503, "1")] * 3
        assert of_other == (200, None)


def large(gateway: Gateway) -> bytes:
    """A snapshot of a sandbox with very many merchants, which are all the same."""
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    path = f"/_sandbox/v1/sandboxes/{made}/snapshot"
    head, sandbox, log = gateway.client.simulate_get(path, headers=KEY).content.split(b"\n", 2)
    taken = json.loads(sandbox)
    taken["merchants"] *= MERCHANTS
    body = json.dumps(taken).encode() + b"\n" + log
    header = {**json.loads(head), "bytes": len(body), "sha256": sha256(body).hexdigest()}
    return json.dumps(header).encode() + b"\n" + body


def test_sandboxes_are_read_one_after_another(gateway: Gateway) -> None:
    content = large(gateway)
    path = "/_sandbox/v1/sandboxes/restore"

    def restore(count: int) -> list[int]:
        def one() -> int:
            answer = gateway.client.simulate_post(path, headers=KEY, body=content)
            return answer.status_code

        jobs = [gevent.spawn(one) for _ in range(count)]
        return [each.get() for each in jobs]

    assert restore(1) == [400]
    alone = peak_of(lambda: restore(1))
    together = peak_of(lambda: restore(AT_ONCE))

    assert together < 2 * alone


def test_a_first_line_that_is_no_header_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    monkeypatch.setattr(snapshots, "json_in", read.append)

    with pytest.raises(InvalidInputError, match="another file"):
        snapshots.read_header(b"{" + b" " * snapshots.HEADER_BYTES_MAX + b"}")

    assert read == []


def test_others_have_their_turn_until_the_files_behind_a_long_log_are_found(
    tmp_path: Path,
) -> None:
    log = [b"a line of a log\n"] * 100
    spool = Spools(tmp_path).written(b"\n", [*log, b'{"files":1}\n', b"a file\n"])

    assert looks_during(lambda: list(spool.file_lines())) > len(log) // 2
    assert list(spool.file_lines()) == [b"a file\n"]
    spool.close()
