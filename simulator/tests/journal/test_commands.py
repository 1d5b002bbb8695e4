"""`sandgate journal` and `sandgate trace`, against a gateway in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import NamedTuple

import pytest

from simulator.client import Client
from simulator.commands.control.journal import line_of
from simulator.commands.control.trace import broken
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import clean_environment, serving

SECONDS_MAX = 30
PLACE = ("SANDGATE_CONTROL_URL", "SANDGATE_CONTROL_API_KEY")


class Paid(NamedTuple):
    """A gateway that took a payment and refused others, and where it is."""

    payment: str
    ndc: str
    refused: str
    unauthenticated: str
    client: Client
    environment: dict[str, str]

    def command(self, *words: str, **environ: str) -> subprocess.Popen:
        """A command of the command line, its output piped."""
        return subprocess.Popen(
            [sys.executable, "-m", "simulator", *words],
            env={**self.environment, **environ}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip


@pytest.fixture(scope="module")
def paid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Paid]:
    with paid_in(tmp_path_factory.mktemp("journal")) as made:
        yield made


@contextmanager
def paid_in(folder: Path) -> Iterator[Paid]:
    with serving(folder / "data") as running:
        facts = running.facts
        client = Client(facts["base_url"], facts["token"], facts["entity_id"])
        taken = client.post("v1/payments", ORDER)
        refused = client.post("v1/payments", {**ORDER, "nonsense": "1"})
        unauthenticated = client.with_credentials("an-unknown-token", "x").get("v1/payments/1")
        place = dict(zip(PLACE, (facts["control_url"], facts["control_key"]), strict=True))
        yield Paid(
            taken.id, taken.body["ndc"], refused.body["ndc"], unauthenticated.body["ndc"],
            client, {**clean_environment(), **place},
        )  # fmt: skip


@pytest.fixture
def said(paid: Paid) -> Callable[..., str]:
    """What a command that succeeds prints."""

    def run(*words: str) -> str:
        with paid.command(*words) as process:
            output, errors = process.communicate(timeout=SECONDS_MAX)
        assert process.returncode == 0, errors
        return output

    return run


def complaint(paid: Paid, *words: str, status: int = 1, **environ: str) -> str:
    """The one line with which a command ends that cannot do its work."""
    with paid.command(*words, **environ) as process:
        output, errors = process.communicate(timeout=SECONDS_MAX)
    assert (process.returncode, output, errors.count("\n")) == (status, "", 1), errors
    return errors


def test_tail_prints_a_line_an_entry_the_oldest_first(said: Callable, paid: Paid) -> None:
    lines = said("journal", "tail", "--no-follow").splitlines()

    # Tests that ran before have appended more.
    assert [" ".join(line.split()[1:]) for line in lines[:2]] == [
        f"POST /v1/payments DB 92.00 EUR 200 000.100.110 by channel default {paid.ndc}",
        f"POST /v1/payments DB 92.00 EUR 400 200.300.404 D-02 nonsense {paid.refused}",
    ]
    assert said("journal", "tail", "--no-follow", "--lines", "1").splitlines() == lines[-1:]


@pytest.mark.parametrize("path", ["/v1/checkouts", f"/v1/registrations/{'8' * 32}/payments"])
def test_a_line_shows_what_prepares_a_payment_by_its_path(path: str) -> None:
    entry = {"kind": "exchange", "at": "2026-11-20T12:00:00.000Z", "ndc": "n", "method": "POST",
             "path": path, "status": 200, "code": "000.200.100",
             "request": {"paymentType": "DB"}}  # fmt: skip

    shown = path.replace("8" * 32, "888888...")
    assert f"  POST {shown} DB  " in line_of(entry).plain


def test_tail_goes_on_with_what_happens(paid: Paid) -> None:
    with paid.command("journal", "tail", "--lines", "1", "--count", "3") as process:
        assert paid.refused in process.stdout.readline()
        ndc = paid.client.post("v1/payments", {**ORDER, "more": "1"}).body["ndc"]
        paid.client.post("v1/payments", {**ORDER, "more": "2"})
        rest, _ = process.communicate(timeout=SECONDS_MAX)
    assert ndc in rest.splitlines()[0]
    assert len(rest.splitlines()) == 2


def test_tail_that_falls_behind_prints_what_does_not_fit_on_a_page(tmp_path: Path) -> None:
    asked = ("journal", "tail", "--lines", "1", "--format", "json", "--count", "602")
    with paid_in(tmp_path) as paid, paid.command(*asked) as process:
        first = json.loads(process.stdout.readline())["number"]
        process.send_signal(SIGSTOP)
        for _ in range(601):
            paid.client.get("v1/payments/unknown")
        process.send_signal(SIGCONT)
        rest, _ = process.communicate(timeout=SECONDS_MAX)
    assert [json.loads(line)["number"] for line in rest.splitlines()] == [
        first + number for number in range(1, 602)
    ]


def test_show_prints_an_exchange_on_a_page(said: Callable, paid: Paid) -> None:
    page = said("journal", "show", paid.ndc)

    assert page.startswith("POST /v1/payments  200 000.100.110\n")
    assert "\n  card.number = 420000******0000\n" in page
    assert '"code": "000.100.110"' in page
    assert "\ndecided by\n  channel default\n" in page
    assert "\n  gateway -> acquirer: DB 92.00 EUR" in page
    assert "\x1b" not in page


def test_show_prints_json_where_it_is_asked_to(said: Callable, paid: Paid) -> None:
    assert json.loads(said("journal", "show", paid.ndc, "--json"))["ndc"] == paid.ndc


def test_show_finds_what_no_sandbox_took(said: Callable, paid: Paid) -> None:
    assert "the access token is not known" in said("journal", "show", paid.unauthenticated)


def test_trace_prints_every_message(said: Callable, paid: Paid) -> None:
    text = said("trace", paid.payment)

    assert text.startswith(f"DB 92.00 EUR, completed, {paid.payment}\n")
    assert "gateway -> acquirer  DB 92.00 EUR\n" in text


@pytest.mark.parametrize("width", [80, 100, 200])
def test_a_trace_is_broken_to_fit_its_terminal(said: Callable, paid: Paid, width: int) -> None:
    for line in said("trace", paid.payment).splitlines():
        lines = broken(line, width).splitlines()
        assert all(len(each) <= width for each in lines)
        assert " ".join(" ".join(lines).split()) == " ".join(line.split())
        if " -> " in line and len(lines) > 1:
            assert len(lines[1]) - len(lines[1].lstrip()) > line.index(" -> ")


def test_trace_prints_a_document_for_programs(said: Callable, paid: Paid) -> None:
    found = json.loads(said("trace", paid.payment, "--format", "json"))

    assert found["id"] == paid.payment
    assert found["messages"][0]["sender"] == "merchant"


def test_trace_writes_a_diagram(said: Callable, paid: Paid, tmp_path: Path) -> None:
    drawn = str(tmp_path / "trace.svg")
    assert "trace.svg\n" in said("trace", paid.payment, "--svg", drawn)
    written = said("trace", paid.payment, "--svg", drawn, "--format", "json")
    assert json.loads(written) == {"written": drawn}
    assert (tmp_path / "trace.svg").read_text().startswith("<svg ")


def test_an_unknown_entry_is_reported_with_its_sandbox(paid: Paid, tmp_path: Path) -> None:
    assert "expected the id of a payment or checkout of sandbox 8" in complaint(
        paid, "trace", "nothing"
    )
    assert "got unknown" in complaint(paid, "journal", "show", "unknown")
    for command in (("trace", ""), ("journal", "show", "")):
        assert complaint(paid, *command).endswith("got nothing\n")
    nowhere = str(tmp_path / "no" / "trace.svg")
    assert "expected a file that can be written" in complaint(
        paid, "trace", paid.payment, "--svg", nowhere
    )
    assert "got unknown, which was deleted" in complaint(
        paid, "journal", "tail", "--sandbox", "unknown"
    )


def test_an_unreachable_gateway_is_reported_with_its_address(paid: Paid) -> None:
    url = "http://127.0.0.1:1/"
    assert f"expected a gateway at {url}" in complaint(
        paid, "journal", "tail", SANDGATE_CONTROL_URL=url
    )
    assert "expected SANDGATE_CONTROL_URL and SANDGATE_CONTROL_API_KEY" in complaint(
        paid, "trace", "x", status=2, SANDGATE_CONTROL_API_KEY=""
    )
    assert "status 401" in complaint(paid, "trace", "x", SANDGATE_CONTROL_API_KEY="wrong")
    former = {"SANDGATE_CONTROL_API_KEY": "", "SANDGATE_CONTROL_KEY": "wrong"}
    assert "status 401" in complaint(paid, "trace", "x", **former)
