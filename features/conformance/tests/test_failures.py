"""What is an error of a step, and what a failure of the target."""

import socket
import threading
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from _pytest.outcomes import Failed

from features.conformance.document_start import LOOKED_AT_MAX, NOT_WHOLE
from features.conformance.failures import failure_of, is_error
from features.conformance.origins import OwnSteps
from features.support.assertions import ConformanceAssertionError
from features.support.required_tags import MissingTagError
from features.support.shopper import Shopper
from features.target.records import Target
from reports.events import CaseFailure
from simulator.client.shown.masking import Masking
from simulator.client.wire import Connection

SILENT = "http://127.0.0.1:1/"
TARGET = Target(SILENT, "t", "e")
HERE = OwnSteps(Path(__file__).parent, TARGET)
ELSEWHERE = OwnSteps(HERE.folder.parents[1] / "steps", TARGET)


def ended_in(error: BaseException) -> pytest.CallInfo[None]:
    def step() -> None:
        raise error

    return pytest.CallInfo.from_call(step, "call")


def compared() -> ConformanceAssertionError:
    return ConformanceAssertionError("status", expected="200", came="500", beside="")


NO_FILE = FileNotFoundError(2, "No such file or directory", "orders.csv")
BROKEN = [KeyError("points"), TypeError("x"), ZeroDivisionError(), NO_FILE]
NO_FAULT_OF_A_TARGET = "the step could not be carried out"


def failed_by(error: BaseException, own_steps: OwnSteps | None) -> CaseFailure:
    return failure_of(ended_in(error), "", Masking(), own_steps)


@pytest.mark.parametrize("error", BROKEN)
def test_what_a_step_of_a_user_raises_is_an_error(error: Exception) -> None:
    assert is_error(ended_in(error), HERE)
    assert failed_by(error, HERE).what == NO_FAULT_OF_A_TARGET


@pytest.mark.parametrize("error", BROKEN)
def test_an_answer_without_what_a_step_of_the_suite_reads_is_a_failure(error: Exception) -> None:
    for own in (ELSEWHERE, None):
        assert not is_error(ended_in(error), own)
        failure = failed_by(error, own)
        assert failure.what == "the step could not read what came"
        assert failure.expected == "what the specification has there"
        assert str(error) in failure.came


@pytest.mark.parametrize("error", [AssertionError("1 is 2"), Failed("1 is 2")])
@pytest.mark.parametrize("own", [HERE, None])
def test_an_assertion_of_a_step_that_does_not_hold_is_a_failure(
    error: BaseException, own: OwnSteps | None
) -> None:
    assert not is_error(ended_in(error), own)
    failure = failed_by(error, own)
    assert failure.what == "an assertion of the step does not hold"
    assert "1 is 2" in failure.came and "test_failures.py" in failure.text


@pytest.mark.parametrize("make", [compared, AssertionError])
def test_a_comparison_is_a_failure(
    make: Callable[[], Exception],
) -> None:
    assert not is_error(ended_in(make()), HERE)


def fill_the_disk() -> None:
    with Path("/dev/full").open("w", buffering=1) as full:
        full.write("x\n")


def take_a_port_twice() -> None:
    with socket.create_server(("127.0.0.1", 0)) as first:
        socket.create_server(first.getsockname())


def open_url(address: str) -> None:
    urllib.request.urlopen(address)


def ask_by_http_client(address: str) -> None:
    HTTPConnection("127.0.0.1", urlsplit(address).port).request("GET", "/")


def ask_by_connection(address: str) -> None:
    Connection(address).ask("GET", "orders", headers={})


def visit(address: str) -> None:
    Shopper().arrive({"url": address})


def wait_in_vain() -> None:
    raise TimeoutError("the order was not shipped")


def wait_for_target_in_vain(address: str) -> None:
    try:
        open_url(address)
    except OSError:
        raise TimeoutError("the order was not shipped") from None


ASKING = [open_url, ask_by_http_client, ask_by_connection]
OF_ANOTHER = [partial(ask, "http://127.0.0.1:2/") for ask in ASKING]


@pytest.mark.parametrize("step", [fill_the_disk, take_a_port_twice, wait_in_vain, *OF_ANOTHER])
def test_a_step_of_a_user_that_fails_without_the_target_is_an_error(
    step: Callable[[], None],
) -> None:
    call = pytest.CallInfo.from_call(step, "call")
    failure = failure_of(call, "", Masking(), HERE)
    assert is_error(call, HERE)
    assert failure.what == NO_FAULT_OF_A_TARGET
    assert "did not answer" not in failure.text


@pytest.mark.parametrize("ask", [*ASKING, wait_for_target_in_vain, visit])
@pytest.mark.parametrize("own", [HERE, ELSEWHERE, None])
def test_a_target_that_does_not_answer_is_a_failure(
    ask: Callable[[str], object], own: OwnSteps | None
) -> None:
    call = pytest.CallInfo.from_call(lambda: ask(SILENT), "call")
    assert not is_error(call, own)
    assert failure_of(call, "", Masking(), own).what == "the target did not answer"


def test_an_answer_of_the_target_that_breaks_off_is_a_failure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer_half, args=(listener,), daemon=True).start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        own = OwnSteps(HERE.folder, Target(address, "t", "e"))
        call = pytest.CallInfo.from_call(lambda: urllib.request.urlopen(address).read(), "call")
    assert not is_error(call, own)
    assert failure_of(call, "", Masking(), own).what == "the target did not answer"


def answer_half(listener: socket.socket) -> None:
    link, _ = listener.accept()
    with link:
        link.recv(65536)
        link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")


def test_a_missing_tag_is_an_error_everywhere() -> None:
    assert is_error(ended_in(MissingTagError("a tag")), None)


def test_what_passed_is_no_error() -> None:
    assert not is_error(None, HERE)
    assert not is_error(pytest.CallInfo.from_call(lambda: None, "call"), HERE)


@pytest.mark.parametrize("id", ["a b", "a\0", "übung"])
def test_an_id_of_the_target_that_fits_into_no_path_is_named_as_such(id: str) -> None:
    def step() -> None:
        Connection("http://127.0.0.1:1/").ask("POST", f"v1/payments/{id}", headers={})

    call = pytest.CallInfo.from_call(step, "call")
    failure = failure_of(call, "", Masking(), None)
    assert not is_error(call, None)
    assert failure.what == "an id or an address of the target fits into no path"
    assert failure.expected == "letters and digits, such as the 32 of a payment's id"
    assert failure.came == repr(f"v1/payments/{id}")
    assert "did not answer" not in failure.text and "Traceback" not in failure.text


def differed(came: str) -> Exception:
    return ConformanceAssertionError("memo", expected=came, came=came, beside=came)


@pytest.mark.parametrize("make", [differed, AssertionError, ValueError])
def test_of_a_huge_value_that_a_failure_shows_the_beginning_is_looked_at(
    make: Callable[[str], Exception],
) -> None:
    began = time.process_time()
    failure = failed_by(make("password=x " * 300_000), None)
    assert time.process_time() - began < 2
    assert failure.came.endswith(NOT_WHOLE) and failure.text.endswith(NOT_WHOLE)
    assert len(failure.came) < 2_200 and len(failure.text) < 8_200


@pytest.mark.parametrize("make", [differed, AssertionError])
@pytest.mark.parametrize("before", [*range(-1_020, -960, 6), -20, 1])
def test_nothing_of_a_secret_is_shown_wherever_it_lies_in_a_huge_value_that_a_failure_shows(
    make: Callable[[str], Exception], before: int
) -> None:
    # What is before it takes three signs once it is masked.
    came = f"token={'a' * (LOOKED_AT_MAX + before - 7)} of-the-target-itself {'b ' * LOOKED_AT_MAX}"
    failure = failure_of(ended_in(make(came)), "", Masking("of-the-target-itself"), None)
    assert "of-the-t" not in failure.came + failure.text
