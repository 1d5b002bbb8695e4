"""The JSON document has no secret and no withheld figure."""

import pytest

from load.plan.plan import PlannedTerminal
from load.report.document import create_document
from load.report.remarks import remarks
from load.report.rows import operation_rows
from load.tests.records import (
    BUSY,
    CLEAN,
    FAULTY,
    RUN,
    create_outcome,
    create_plan,
)


@pytest.mark.parametrize("certificate, samples", [(FAULTY, []), (CLEAN, BUSY)])
def test_withheld_figures_are_in_no_part_of_the_report(certificate, samples):
    outcome = create_outcome(RUN, certificate, samples=samples)
    written = create_document(outcome)

    assert outcome.withheld
    assert [row[-5:] for row in operation_rows(outcome)] == [("-",) * 5] * 2
    assert written["overall"].keys() & {"throughput", "p95_ms"} == set()
    assert (written["time_to_webhook"], written["seconds"]) == (None, [])
    assert not any("time to webhook" in line for line in remarks(outcome))


def test_a_document_has_no_card_number_of_an_address():
    address = "http://127.0.0.1:8080/4111111111111111/"
    text = str(create_document(create_outcome(RUN, CLEAN, plan=create_plan(base_url=address))))

    assert "127.0.0.1:8080/411111******1111/" in text and "4111111111111111" not in text


def test_a_document_has_no_token_and_no_path_of_this_machine():
    text = str(create_document(create_outcome(RUN, CLEAN, plan=create_plan(users=7))))

    assert "'token'" not in text
    assert "'ledger'" not in text
    assert "'users': 7" in text


def test_a_document_has_no_key_of_a_terminal_and_no_secret_of_the_target():
    terminal = PlannedTerminal(id="t1", device="d1", model="m", protection_key="K" * 32, block="B9")
    plan = create_plan(terminals=(terminal,), secrets=("S" * 20,))
    document = create_document(create_outcome(RUN, CLEAN, plan=plan))

    assert document["plan"]["terminals"] == [{"id": "t1", "device": "d1", "model": "m"}]
    assert not [each for each in ("K" * 32, "B9", "S" * 20) if each in str(document)]
