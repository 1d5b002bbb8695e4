"""A copy of a sandbox settles what its original settles, to the cent, whenever it is made."""

from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from simulator.adapters.settlement.archive import (
    PIECE_BYTES,
    archived,
    check_archive,
    content_of,
    piece_in,
)
from simulator.adapters.settlement.copied_archive import copied_archive
from simulator.adapters.settlement.csv_files import checksum_of
from simulator.adapters.store.snapshots import FILES
from simulator.domain.copied_names import renaming
from simulator.domain.core.background import at_once
from simulator.domain.core.ports import unit_of
from simulator.domain.ports.clearing import CarriedOver
from simulator.domain.settlement.numbers import account_of, host_of
from simulator.domain.settlement.runs import LeftPart, SettlementRun, run_id
from simulator.tests.console.test_class_data import class_with_data
from simulator.tests.console.test_classes import joined
from simulator.tests.console.visitor import administrator_of
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.settlement.test_runs import INSTITUTES
from simulator.tests.settlement.test_snapshots import restore, snapshot

PLANS = (
    "", "file: late", "file: late\npayout: rejected", "file: late\ncounts: {deferred: 2}",
    "payout: rejected", "counts: {deferred: 2}", "file: cut", "file: empty", "file: trailer",
    "file: twice",
)  # fmt: skip
FIRST, NEXT, LAST = "2030-01-03T08:00:00Z", "2030-01-04T08:00:00Z", "2030-02-05T08:00:00Z"


class Shop:
    """A shop with two channels that sells on both hosts, and its copies."""

    def __init__(self, folder: Path, institute: str):
        self.folder, self.institute = folder, institute
        self.gateway = Gateway(folder, durability="disk")
        self.admin = administrator_of(self.gateway)
        channels = [{"clearing_institute": institute, "name": name} for name in ("web", "shop")]
        asked = {"merchants": [{"channels": channels}], "clock": {"mode": "frozen", "at": FIRST}}
        self.id = str(self.gateway.control("POST", "/sandboxes", asked).json["id"])

    def sell(self) -> None:
        """Some payments of each channel on each host, and a refund."""
        merchant = self.call(self.id, "GET", "/merchants")["merchants"][0]
        for host in ("test", "live"):
            path = f"/merchants/{merchant['id']}/tokens"
            token = self.call(self.id, "POST", path, {"host": host})["token"]
            listener = "live" if host == "live" else "plain"
            for number, channel in enumerate(merchant["channels"]):
                who = Credentials(token, channel["id"], listener)
                paid = self.gateway.post(who=who, amount=f"{50 + number}.10").json
                assert paid["result"]["code"] in ("000.100.110", "000.000.000"), paid
                sent = {"entityId": who.entity_id, "paymentType": "RF", "amount": "3.20",
                        "currency": "EUR"}  # fmt: skip
                self.gateway.send(f"/v1/payments/{paid['id']}", sent, who)

    def call(self, sandbox: str, method: str, path: str, document: object = None) -> dict:
        """A call of the control API."""
        return dict(self.gateway.control(method, f"/sandboxes/{sandbox}{path}", document).json)

    def settle(self, sandbox: str, to: str) -> None:
        """Let it be this instant, and settle what is over."""
        self.call(sandbox, "POST", "/clock/advance", {"to": to})
        self.call(sandbox, "POST", "/settlements", {"institute": self.institute})

    def copy(self) -> str:
        """The id of the sandbox of someone who joins a class that has its data."""
        return str(joined(self.gateway, class_with_data(self.admin, self.id), "Ada")[1])

    def names(self, sandbox: str) -> dict[str, str]:
        """What the accounts are called, by their ids."""
        (merchant,) = self.call(sandbox, "GET", "/merchants")["merchants"]
        return {each["merchant_account"]: each["name"] for each in merchant["channels"]}

    def story(self, sandbox: str) -> list:
        """Every run, with the sums, files and answer keys of each account."""
        names, found = self.names(sandbox), []
        for run in self.call(sandbox, "GET", "/settlements")["runs"]:
            path = f"/settlements/{run['id']}"
            accounts = self.call(sandbox, "GET", path)["accounts"]
            sums = sorted(
                (names[account_of(each["merchant_account"])], host_of(each["merchant_account"]),
                 each["lines"], each["net"], each["payout"], str(each["differs"]), each["agrees"])
                for each in accounts
            )  # fmt: skip
            problem = run["problem"]
            found.append((run["id"], run["state"], run["lines"], problem, sums))
        return found

    def files(self, sandbox: str) -> list[tuple[str, int]]:
        """The names of its files but for the numbers of accounts, and how long each is."""
        folder, names = self.folder / sandbox, self.names(sandbox)
        return sorted(
            (_named(path.name, names), path.stat().st_size)
            for place in ("clearing", "outgoing")
            for path in (folder / place).rglob("*")
            if path.is_file()
        )

    def keys(self, sandbox: str) -> list[str]:
        """The answer keys of all runs, which name no account."""
        found = []
        for run in self.call(sandbox, "GET", "/settlements")["runs"]:
            for account in self.names(sandbox):
                path = f"/sandboxes/{sandbox}/settlements/{run['id']}/keys/{account}"
                answer = self.gateway.control("GET", path)
                found += [answer.text] if answer.status_code == 200 else []
        return sorted(found)


def _named(file: str, names: dict[str, str]) -> str:
    number, mark, rest = file.partition("_")
    return f"{names[account_of(number)]} {host_of(number)} {rest}" if len(number) == 32 else file


@pytest.fixture(params=INSTITUTES)
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path, request.param)
    yield made
    made.gateway.close()


@pytest.mark.parametrize("plan", PLANS)
def test_a_copy_is_settled_as_its_original(shop: Shop, plan: str) -> None:
    shop.sell()
    armed = {"institute": shop.institute, "plan": f"{plan}\n"}
    shop.call(shop.id, "POST", "/settlement-faults", armed)
    shop.settle(shop.id, NEXT)
    copy = shop.copy()
    assert shop.story(copy) == shop.story(shop.id)
    assert shop.files(copy) == shop.files(shop.id)
    assert [] != shop.keys(copy) == shop.keys(shop.id)

    for each in (shop.id, copy):
        for to in ("2030-01-08T08:00:00Z", "2030-01-15T08:00:00Z", LAST):
            shop.settle(each, to)

    assert shop.story(copy) == shop.story(shop.id)
    assert shop.files(copy) == shop.files(shop.id)
    paid = [float(one[4]) for run in shop.story(copy) for one in run[4] if float(one[4])]
    assert len(paid) >= 4, "each account of each host is paid"


def test_what_is_left_in_parts_is_settled_in_the_copy_and_once_restored(shop: Shop) -> None:
    for _ in range(3):
        shop.sell()
    armed = {"institute": shop.institute, "plan": "shares: {deferred: 1}"}
    shop.call(shop.id, "POST", "/settlement-faults", armed)
    shop.settle(shop.id, NEXT)
    day = run_id(shop.institute, date.fromisoformat(FIRST[:10]))
    taken, copy = snapshot(shop), shop.copy()

    shop.settle(copy, LAST)
    assert restore(shop, taken) == 200
    store = shop.gateway.ports(shop.id).store
    assert store.count_found(LeftPart, "run", day) > 0
    shop.settle(shop.id, LAST)

    assert shop.story(copy) == shop.story(shop.id)
    # On the first day all of it is missing.
    assert all(one[-1] for run in shop.story(copy)[1:] for one in run[4])


def test_a_run_that_was_interrupted_goes_on_in_the_copy(shop: Shop) -> None:
    shop.sell()
    armed = {"institute": shop.institute, "plan": "file: late\ncounts: {missing: 1}\n"}
    shop.call(shop.id, "POST", "/settlement-faults", armed)
    shop.settle(shop.id, NEXT)
    store = shop.gateway.ports(shop.id).store
    run = store.get(SettlementRun, run_id(shop.institute, date.fromisoformat(FIRST[:10])))
    carried = msgspec.json.decode(run.left, type=CarriedOver)
    # As if the gateway had ended between writing and booking a file that was not late.
    (drop,) = (shop.folder / shop.id / "clearing").glob("*/drop")
    for name in carried.late:
        (drop / name).rename(drop / name.removeprefix("."))
    files = tuple(name.removeprefix(".") for name in carried.late)
    store.commit(unit_of(replace(run, state="written", files=files, left="{}")))
    copy = shop.copy()

    for each in (shop.id, copy):
        shop.settle(each, LAST)

    assert shop.story(copy) == shop.story(shop.id)
    assert {run[1] for run in shop.story(copy)} == {"delivered"}
    assert len([one for run in shop.story(copy) for one in run[4] if float(one[4])]) >= 4


def test_a_file_that_is_renamed_agrees_with_its_checksum(shop: Shop) -> None:
    shop.sell()
    shop.settle(shop.id, NEXT)
    was = shop.names(shop.id)
    copy = shop.folder / shop.copy()
    files = list((copy / "outgoing").rglob("*.csv"))
    assert len(files) == 4
    for file in files:
        content, (noted, name) = file.read_bytes(), checksum_of(file).read_text().split()
        assert (noted, name) == (sha256(content).hexdigest(), file.name)
        assert not any(account[1:].encode() in content for account in was)


class Files(NamedTuple):
    """A snapshot that has these files."""

    folder: Path

    def file_lines(self) -> Iterator[bytes]:
        """The lines after the log."""
        whole = b"".join(archived(self.folder, at_once))
        return (line for line in whole.splitlines(keepends=True) if line != FILES)


def test_names_are_renamed_where_the_pieces_of_a_long_file_meet(tmp_path: Path) -> None:
    was, new = "8" + "a" * 31, "8" + "b" * 31
    drop = tmp_path / "clearing" / "bank" / "drop"
    drop.mkdir(parents=True)
    for name, mark in (("spaced.csv", " "), ("one.xml", "<")):
        (drop / name).write_text((was + mark) * (2 * PIECE_BYTES // 32))

    lines = list(copied_archive(Files(tmp_path), renaming(was, {was: new}, key="")))

    check_archive(lines[1:], frozenset({was}))
    for name, mark in (("spaced.csv", " "), ("one.xml", "<")):
        pieces = [piece for piece in map(piece_in, lines[1:]) if piece.path.endswith(name)]
        text = b"".join(map(content_of, pieces)).decode()
        assert text == (new + mark) * (2 * PIECE_BYTES // 32)
