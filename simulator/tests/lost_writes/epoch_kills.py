"""`python -m simulator.tests.lost_writes.epoch_kills STEP`: each epoch has its own files.

A process resets or restores a sandbox that has settled days, and is killed (SIGKILL) at the first
change it makes in its data folder, another one at the second, and so on, until one comes to its
end. After each kill another process starts in the folder: the sandbox is as it was before, or as
after, its files of settlement too. Prints what was found as JSON.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import gevent

from simulator.tests.kit.gateway import Gateway
from simulator.tests.settlement.settlement_kills import ended, fork, started
from simulator.tests.settlement.test_control import Shop
from simulator.tests.settlement.test_snapshots import KEY

CHANGES = ("os.mkdir", "os.remove", "os.rename", "os.rmdir")
KILLS_MAX = 200
TAKEN = "taken.sandgate"
State = list[Any]


def reset(gateway: Gateway, identity: str, _: Path) -> None:
    """Empty it."""
    gateway.control("POST", f"/sandboxes/{identity}/reset", {})


def restore(gateway: Gateway, _: str, folder: Path) -> None:
    """Restore what was taken after its first day."""
    path, body = "/_sandbox/v1/sandboxes/restore", (folder / TAKEN).read_bytes()
    gateway.client.simulate_post(path, headers=KEY, body=body)


def restore_deleted(gateway: Gateway, identity: str, folder: Path) -> None:
    """Restore it where it is no more."""
    gateway.control("DELETE", f"/sandboxes/{identity}")
    restore(gateway, identity, folder)


ENDS = {each.__name__: each for each in (reset, restore, restore_deleted)}


def main(step: int) -> dict[str, dict[str, Any]]:
    """Kill each of them at each of its changes, or some."""
    with tempfile.TemporaryDirectory(prefix="sandgate-epochs-") as name:
        made = Path(name) / "made"
        identity = ended(*started(partial(_settled, made)))[0]
        return {each: _kill_each(made, each, identity, step) for each in ENDS}


def _kill_each(made: Path, name: str, identity: str, step: int) -> dict[str, Any]:
    round_, seen = made.with_name("round"), list[tuple[int, State]]()
    before = _state_in(made, identity)
    for kill in range(0, KILLS_MAX, step):
        shutil.copytree(made, round_)
        _, status = os.waitpid(fork(partial(_end, round_, name, identity, kill)), 0)
        seen.append((kill, _state_in(round_, identity)))
        shutil.rmtree(round_)
        if not os.WIFSIGNALED(status):
            break
    after, gone = seen.pop()[1], [None, [], [], []]
    whole = (before, after, gone) if name == "restore_deleted" else (before, after)
    return {
        "kills": len(seen),
        "before": sum(state == before for _, state in seen),
        "after": sum(state == after for _, state in seen),
        "torn": [each for each in seen if each[1] not in whole],
        "files": len(after[2]),
    }


def _settled(folder: Path) -> list[str]:
    """A sandbox that was taken after one day, and settled some more."""
    shop = Shop(folder / "data")
    for days in ("1d", "3d"):
        shop.pay()
        shop.advance(days)
        shop.call("POST", "/settlements", {})
        if days == "1d":
            path = f"/_sandbox/v1/sandboxes/{shop.id}/snapshot"
            taken = shop.gateway.client.simulate_get(path, headers=KEY).content
            (folder / TAKEN).write_bytes(taken)
    shop.gateway.close()
    return [shop.id]


def _end(folder: Path, name: str, identity: str, kill: int) -> None:
    gateway = Gateway(folder / "data", durability="disk")
    _quiet(folder / "data")
    _kill_at(kill, str(folder))
    ENDS[name](gateway, identity, folder)


def _kill_at(kill: int, folder: str) -> None:
    left = kill

    def look(event: str, given: tuple[object, ...]) -> None:
        nonlocal left
        if event in CHANGES and str(given[0]).startswith(folder) and "/removed/" not in str(given):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)


def _state_in(folder: Path, identity: str) -> State:
    """What the next process finds: the epoch, runs and files of the sandbox, and what else lies
    about.
    """
    return ended(*started(partial(_found, folder / "data", identity)))


def _found(data: Path, identity: str) -> State:
    gateway = Gateway(data, durability="disk")
    _quiet(data)
    sandbox = gateway.control("GET", f"/sandboxes/{identity}").json
    runs = gateway.control("GET", f"/sandboxes/{identity}/settlements").json.get("runs", ())
    seen, known = _files_in(data), sandbox.get("epoch")
    files = [each for each in seen if each.startswith(identity)] if known else []
    stray = [each for each in seen if not each.startswith(identity)]
    gateway.close()
    return [known, sorted(each["id"] for each in runs), files, stray]


def _files_in(data: Path) -> list[str]:
    """Each file of settlement, wherever it is."""
    found = (each.relative_to(data) for each in data.rglob("*") if each.is_file())
    return sorted(each.as_posix() for each in found if {*each.parts} & {"clearing", "outgoing"})


def _quiet(data: Path) -> None:
    """Return when what ends of before left is removed."""
    removed = data / "removed"
    for _ in range(1000):
        gevent.sleep(0.01)
        if not any(removed.glob("*")):
            return


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
