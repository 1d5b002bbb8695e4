"""The log: one line a record for people, one object for machines, nothing secret in either."""

import io
import json
import logging
import re
import subprocess
import sys

import pytest

from simulator.adapters.logs import LateFormatter
from simulator.tests.kit.running import clean_environment

NUMBER = "4200000000000000"
NDC = "8c824d60a872d0d8a39ec3062745a357-a6b441dda39e1b55d80358bada7fe869"


def written(form: str, *, fails: bool = False) -> str:
    """What is logged of a request with a card number, and of the fault it ran into."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LateFormatter(form, is_terminal=False))
    logger = logging.Logger("sandgate.test")
    logger.addHandler(handler)
    try:
        hidden = "a local variable that no log prints"
        assert not fails, f"expected a word, got {NUMBER}"
    except AssertionError as error:
        logger.error("fault: %s", f"GET /v1/payments/{NUMBER}", exc_info=error, extra={"ndc": NDC})
    else:
        logger.warning("a request with card.number=%s, %d", NUMBER, len(hidden), extra={"ndc": NDC})
    return stream.getvalue()


def test_for_machines_a_line_is_one_object_with_the_exchange_it_is_about() -> None:
    entry = json.loads(written("json"))

    assert {"time", "level", "logger", "message"} <= entry.keys()
    assert (entry["level"], entry["logger"], entry["ndc"]) == ("warning", "sandgate.test", NDC)
    assert entry["time"].endswith("Z")


def test_for_people_a_line_is_one_line() -> None:
    (line,) = written("console").splitlines()

    assert "warning" in line
    assert f"ndc={NDC}" in line


@pytest.mark.parametrize("form", ["console", "json"])
@pytest.mark.parametrize("fails", [False, True])
def test_a_card_number_is_masked_wherever_it_stands(form: str, fails: bool) -> None:
    assert NUMBER not in written(form, fails=fails)


@pytest.mark.parametrize("form", ["console", "json"])
def test_a_traceback_shows_the_code_and_no_variables(form: str) -> None:
    shown = written(form, fails=True)

    assert "Traceback" in shown
    assert "AssertionError" in shown
    assert "a local variable that no log prints\n" not in shown.replace('hidden = "', "")


def test_a_start_does_not_pay_for_the_renderer_nor_for_the_metrics() -> None:
    program = (
        "import sys, simulator.serving; from simulator.adapters.logs import set_up_logging;"
        "set_up_logging('json');"
        "print({'structlog', 'prometheus_client', 'rich'} & sys.modules.keys())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], env=clean_environment(), capture_output=True, text=True
    )

    assert ran.stdout == "set()\n", ran.stderr


# Each of these would be printed by Python, gevent or logging itself.
FAILING = """
import logging, sys, threading, warnings
import gevent
from simulator.adapters.background import Threads
from simulator.adapters.logs import set_up_logging

set_up_logging(sys.argv[1])
TEXT = "4200000000000000\\n12:00:00 [info ] forged\\r\\x1b[2J\\x9b31m\\u202e\\u2028\\ud800"
TEXT += "9" * 99_999

class Failing:
    def __del__(self):
        fail()

def fail():
    raise ValueError(TEXT)

gevent.spawn(fail).join()
gevent.get_hub().loop.run_callback(fail)
gevent.get_hub().threadpool.spawn(fail)
gevent.sleep(0.1)
thread = threading.Thread(target=fail)
thread.start()
thread.join()
Failing()
warnings.warn(TEXT)
logging.getLogger("library").warning(TEXT)
log = logging.getLogger("sandgate.test")
log.warning("%s", TEXT, extra={"ndc": TEXT, TEXT: {TEXT: [TEXT]}})
log.warning("%d", TEXT)
try:
    Threads()(fail)
except ValueError:
    log.exception(TEXT)
fail()
"""
LINE_FOR_PEOPLE = re.compile(r"\d\d:\d\d:\d\d \[(?:warning|error) *\] |    ")


def failures(form: str) -> list[str]:
    """The lines on standard error of a program in which all kinds of things fail."""
    ran = subprocess.run(
        [sys.executable, "-c", FAILING, form],
        env=clean_environment(), capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert ran.returncode == 1
    assert ran.stdout == ""
    return ran.stderr.removesuffix("\n").split("\n")


def test_for_machines_everything_that_fails_is_one_object_a_line() -> None:
    entries = [json.loads(line) for line in failures("json")]

    assert len(entries) == 11
    assert all({"time", "level", "logger", "message"} <= entry.keys() for entry in entries)
    assert sum("exception" in entry for entry in entries) == 7


def test_for_people_no_line_is_forged() -> None:
    lines = failures("console")

    assert [line for line in lines if not LINE_FOR_PEOPLE.match(line)] == []
    assert len([line for line in lines if not line.startswith(" ")]) == 11


@pytest.mark.parametrize("form", ["console", "json"])
def test_nothing_that_fails_prints_a_number_or_a_control_character(form: str) -> None:
    shown = "\n".join(failures(form))

    assert NUMBER not in shown
    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", shown) is None
    assert len(shown) < 200_000


# A client connects while the process may open no more files; then it may again.
AT_THE_LIMIT = """
import logging, os, resource, socket
import gevent
from gevent.server import StreamServer
from simulator.adapters.logs import set_up_logging

set_up_logging("console")
logging.getLogger("sandgate").info("the first line loads what writes it")
served = []
listener = StreamServer(("127.0.0.1", 0), lambda *client: served.append(client))
listener.start()
client = socket.create_connection(("127.0.0.1", listener.server_port))
free = os.dup(0)
os.close(free)
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (free, most))
gevent.sleep(0.5)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
with gevent.Timeout(5):
    while not served:
        gevent.sleep(0.05)
"""


def test_a_listener_at_the_limit_of_open_files_says_so_in_one_line_and_goes_on() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", AT_THE_LIMIT],
        env=clean_environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip

    _, line = ran.stderr.splitlines()
    assert "warning" in line
    assert "new connections wait, for the gateway has too many open files" in line
