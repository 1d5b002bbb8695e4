"""Delivered files are pushed to the servers of merchants, tried again, and given up in the end."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from math import gcd
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    RSAPrivateNumbers,
    RSAPublicNumbers,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_ssh_private_key,
)
from msgspec.structs import replace

from simulator.adapters.background import Threads
from simulator.adapters.settlement.folders import SettlementFolders
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.settlement import push_keys
from simulator.domain.settlement.push_keys import read_push_key
from simulator.domain.settlement.pushing import (
    DELAYS,
    GIVEN_UP_AFTER,
    AskedPushTarget,
    FilePush,
    PushAccess,
    PushFailedError,
    PushTarget,
    push_target,
)
from simulator.domain.settlement.runs import SettlementRun
from simulator.service.sandboxes.due_work import run_due
from simulator.service.settlement.pushing import (
    push_again,
    pushes_of,
    remove_push_target,
    set_push_target,
)
from simulator.service.settlement.runs import settle_until
from simulator.tests.adapters.sftp.conftest import new_key
from simulator.tests.console.visitor import administrator_of
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_control import Shop
from simulator.tests.settlement.test_runs import DAY, Settled

PASSWORD = "a password of theirs"
ASKED = AskedPushTarget(host="sftp.example", user="jones", host_key="", password=PASSWORD)


class Inbox:
    """Takes what is pushed, or fails as often as it is asked to; it keeps what it was given."""

    def __init__(self) -> None:
        self.failures: list[str] = []
        self.taken: dict[str, bytes] = {}
        self.access: list[PushAccess] = []

    def push(self, access: PushAccess, files: tuple[Path, ...]) -> None:
        self.access.append(access)
        if self.failures:
            raise PushFailedError(self.failures.pop(0))
        self.taken |= {each.name: each.read_bytes() for each in files}


class Pushed:
    """A settled merchant whose files are pushed into an inbox."""

    def __init__(self, folder: Path):
        self.inbox, self.settled = Inbox(), Settled(folder, "Sandgate Clearing")
        files = SettlementFolders(folder, "sandbox", lambda: None, pusher=self.inbox)
        self.ports = replace(self.settled.context.ports, settlement_files=files)
        self.merchant = self.ports.sandbox.merchants[0].id
        self.host_key = new_key(folder / "host_key")

    def set_target(self, **more: object) -> PushTarget:
        asked = replace(ASKED, **{"host_key": self.host_key, **more})
        return set_push_target(self.ports, self.merchant, asked)

    def settle(self) -> SettlementRun:
        """The run of the day that ends within the next 24 hours, and its pushes once."""
        paid(self.settled.context, "DB")
        self.settled.clock.advance(DAY)
        (run,) = settle_until(self.ports, self.settled.institute, None)
        run_due(self.ports)
        return run

    def push_of(self, run: SettlementRun) -> FilePush:
        (push,) = pushes_of(self.ports, run)
        return push


@pytest.fixture
def pushed(tmp_path: Path) -> Pushed:
    return Pushed(tmp_path)


def test_a_delivered_file_and_its_checksum_are_pushed(pushed: Pushed) -> None:
    pushed.set_target()

    run = pushed.settle()

    (name,) = (each.name for each in run.delivered)
    push = pushed.push_of(run)
    assert list(pushed.inbox.taken) == [f"{name}.sha256", name]
    assert pushed.inbox.taken[name].startswith(b"ReconciliationType;")
    assert (push.state, push.attempts, push.due, push.problem) == ("pushed", 1, None, "")
    assert pushed.inbox.access[0].password == PASSWORD


def test_a_merchant_without_a_server_has_its_files_pushed_nowhere(pushed: Pushed) -> None:
    run = pushed.settle()

    assert pushes_of(pushed.ports, run) == []
    assert pushed.inbox.access == []


def test_what_fails_is_tried_again_on_the_clock_of_the_sandbox(pushed: Pushed) -> None:
    pushed.set_target()
    pushed.inbox.failures = ["first", "second"]
    run = pushed.settle()
    failed = pushed.push_of(run)

    pushed.settled.clock.advance(DELAYS[0])
    run_due(pushed.ports)
    again = pushed.push_of(run)
    run_due(pushed.ports)
    assert len(pushed.inbox.access) == 2
    pushed.settled.clock.advance(DELAYS[1])
    run_due(pushed.ports)

    assert (failed.state, failed.problem, failed.attempts) == ("waiting", "first", 1)
    assert failed.due == failed.began + DELAYS[0]
    assert (again.problem, again.attempts) == ("second", 2)
    assert pushed.push_of(run).state == "pushed"


def test_a_file_is_given_up_after_three_days_until_it_is_asked_for(pushed: Pushed) -> None:
    pushed.set_target()
    pushed.inbox.failures = ["no server there"] * 100
    run = pushed.settle()
    for _ in range(100):
        pushed.settled.clock.advance(timedelta(hours=4))
        run_due(pushed.ports)
    given_up, tries = pushed.push_of(run), len(pushed.inbox.access)
    pushed.inbox.failures = []

    push_again(pushed.ports, run)
    run_due(pushed.ports)

    assert (given_up.state, given_up.due, given_up.problem) == ("given up", None, "no server there")
    assert 18 <= tries <= 4 + GIVEN_UP_AFTER // timedelta(hours=4)
    assert pushed.push_of(run).state == "pushed"


def test_files_of_before_are_pushed_to_a_new_server_where_asked_for(pushed: Pushed) -> None:
    run = pushed.settle()
    pushed.set_target()

    push_again(pushed.ports, run)
    run_due(pushed.ports)
    push_again(pushed.ports, run)
    run_due(pushed.ports)

    assert pushed.push_of(run).state == "pushed"
    assert len(pushed.inbox.access) == 1


def test_a_target_that_is_removed_gets_nothing_more(pushed: Pushed) -> None:
    pushed.set_target()
    pushed.inbox.failures = ["first"]
    run = pushed.settle()
    remove_push_target(pushed.ports, pushed.merchant)

    pushed.settled.clock.advance(DELAYS[0])
    run_due(pushed.ports)

    assert len(pushed.inbox.access) == 1
    assert "no server to push to any more" in pushed.push_of(run).problem


PRIMES = generate_private_key(65537, 2048).private_numbers()
# As long as one of them, and no prime.
HALVES = next(
    each for each in range(PRIMES.q + 2, PRIMES.q + 10**6, 2)
    if each % 3 == 0 and (each - 1) % 65537 and gcd(each, PRIMES.p) == 1
)  # fmt: skip


def rsa_key(bits: int) -> str:
    return written(generate_private_key(65537, bits))


def changed_key(**numbers: int) -> str:
    """A key with other numbers."""
    names = ("p", "q", "d", "dmp1", "dmq1", "iqmp", "public_numbers")
    made = RSAPrivateNumbers(**{name: getattr(PRIMES, name) for name in names} | numbers)
    return written(made.private_key(unsafe_skip_rsa_key_validation=True))


def key_of(p: int, q: int, e: int = 65537) -> str:
    """A key whose numbers fit each other, of numbers that may be no primes."""
    first, second = p - 1, q - 1
    d = pow(e, -1, first * second // gcd(first, second))
    made = RSAPrivateNumbers(
        p, q, d, d % first, d % second, pow(q, -1, p), RSAPublicNumbers(e, p * q)
    )
    return written(made.private_key(unsafe_skip_rsa_key_validation=True))


def written(key: RSAPrivateKey) -> str:
    """As OpenSSH writes it."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode()


@pytest.mark.parametrize(
    ("member", "asked"),
    [
        ("host", {"host": "sftp.example/inbox"}),
        ("host", {"host": "a b"}),
        ("host", {"host": "h" * 254}),
        ("port", {"port": 0}),
        ("port", {"port": 65_536}),
        ("user", {"user": "jones\n"}),
        ("user", {"user": ""}),
        ("folder", {"folder": "in\0box"}),
        ("password", {"password": None}),
        ("password", {"key": "both"}),
        ("password", {"password": "p" * 129}),
        ("key", {"password": None, "key": "no key"}),
        ("key", {"password": None, "key": rsa_key(1024)}),
        ("key", {"password": None, "key": changed_key(d=3)}),
        ("key", {"password": None, "key": key_of(PRIMES.p, HALVES)}),
        ("key", {"password": None, "key": key_of(PRIMES.p, PRIMES.q * 59)}),
        ("key", {"password": None, "key": key_of(PRIMES.p, PRIMES.q, 2**40 + 15)}),
        ("key", {"password": None, "key": changed_key(p=PRIMES.q, q=PRIMES.p)}),
        ("key", {"password": None, "key": changed_key(iqmp=7)}),
        ("host_key", {"host_key": "ssh-dss AAAA"}),
        ("host_key", {"host_key": "ssh-ed25519 AAAA"}),
    ],
)
def test_a_target_that_cannot_be_is_refused_by_its_member(
    pushed: Pushed, member: str, asked: dict[str, object]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        pushed.set_target(**asked)

    assert str(caught.value).startswith(member)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.gateway.close()


def test_a_target_is_set_read_and_removed_and_its_secret_shown_nowhere(
    shop: Shop, tmp_path: Path
) -> None:
    path = f"/sandboxes/{shop.id}/merchants/{shop.merchant['id']}/sftp-push"
    host_key = new_key(tmp_path / "host_key")
    sent = {"host": "sftp.example", "user": "jones", "host_key": host_key, "password": PASSWORD}
    assert shop.gateway.control("GET", path).status_code == 404

    put = shop.gateway.control("PUT", path, sent)
    read = shop.gateway.control("GET", path)

    assert put.json == read.json
    assert read.json | {"fingerprint": ""} == {
        "host": "sftp.example", "port": 22, "user": "jones", "folder": ".", "host_key": host_key,
        "fingerprint": "", "has_password": True, "has_key": False,
    }  # fmt: skip
    assert PASSWORD not in put.text
    assert not any(
        PASSWORD.encode() in each.read_bytes() for each in shop.folder.rglob("*") if each.is_file()
    )
    assert shop.gateway.control("DELETE", path).status_code == 200
    assert shop.gateway.control("GET", path).status_code == 404


def test_the_run_says_where_and_why_its_file_was_not_pushed(shop: Shop, tmp_path: Path) -> None:
    path = f"/merchants/{shop.merchant['id']}/sftp-push"
    host_key = new_key(tmp_path / "host_key")
    target = {"host": "10.0.0.1", "user": "jones", "host_key": host_key, "password": PASSWORD}
    shop.call("PUT", path, target)
    shop.pay()
    shop.advance("1d")
    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]
    shop.call("POST", "/drain", {})

    (push,) = shop.call("GET", f"/settlements/{run['id']}")["pushes"]

    assert push["file"] in run["delivered"]
    assert (push["state"], push["attempts"]) == ("waiting", 1)
    assert push["problem"].startswith("jones at 10.0.0.1:22: expected an address that may be")


def test_the_page_of_a_run_shows_its_pushes(shop: Shop, tmp_path: Path) -> None:
    host_key = new_key(tmp_path / "host_key")
    target = {"host": "10.0.0.1", "user": "jones", "host_key": host_key, "password": PASSWORD}
    shop.call("PUT", f"/merchants/{shop.merchant['id']}/sftp-push", target)
    shop.pay()
    shop.advance("1d")
    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]
    shop.call("POST", "/drain", {})

    page = administrator_of(shop.gateway).get(f"/console/{shop.id}/settlements/{run['id']}").text

    assert "Files that are pushed" in page
    assert "jones at 10.0.0.1:22: expected an address that may be connected to" in page
    assert PASSWORD not in page


@pytest.mark.parametrize("bits", [2048, 4096])
def test_an_rsa_key_is_taken(pushed: Pushed, bits: int) -> None:
    pushed.set_target(password=None, key=rsa_key(bits))


def test_a_key_is_tested_aside_in_turns_of_its_sandbox(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its primes take a hundredth of a second each; many keys may come at once."""
    done: list[tuple[str, object]] = []
    real = Threads.run

    def run(self: Threads, owner: str, work: Callable[..., object], *arguments: object) -> object:
        done.append((owner, work))
        return real(self, owner, work, *arguments)

    monkeypatch.setattr(Threads, "run", run)
    host_key = new_key(tmp_path / "host_key")
    asked = {"host": "sftp.example", "user": "jones", "host_key": host_key, "key": rsa_key(2048)}
    shop.call("PUT", f"/merchants/{shop.merchant['id']}/sftp-push", asked)

    assert (shop.id, push_target) in done


@pytest.mark.parametrize("number", [*range(5, 200, 2), 2**127 - 1, 2**127 - 3])
def test_primes_are_tested_as_by_one_power(number: int) -> None:
    assert push_keys._is_probably_prime(number) is (pow(3, number - 1, number) == 1)


def test_the_library_tests_no_prime_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes a second for each, and nothing else goes on meanwhile."""
    seen: list[bool] = []

    def load(key: bytes, password: None, *, unsafe_skip_rsa_key_validation: bool) -> object:
        seen.append(unsafe_skip_rsa_key_validation)
        return load_ssh_private_key(key, password, unsafe_skip_rsa_key_validation=True)

    monkeypatch.setattr(push_keys, "load_ssh_private_key", load)
    read_push_key(rsa_key(2048))
    assert seen == [True]
