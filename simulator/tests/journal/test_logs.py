"""The log: one line a record for people, one object for machines, nothing secret in either."""

import io
import json
import logging
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
