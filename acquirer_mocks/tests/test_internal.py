import re
from datetime import timedelta

import pytest

from acquirer_mocks.internal import InternalAcquirer, reference_of
from acquirer_mocks.responses import RESPONSES, RESPONSES_BY_GROUP, response_of
from scenarios.loader import load_behaviours
from simulator.catalogue.results import RESULTS
from simulator.domain.masking.masking import mask_text
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.steering import (
    ask_of,
    behaviour_document,
    channel_of,
    script_of,
    shipped_rules,
)
from simulator.tests.kit.twins import HandClock

RULES = shipped_rules()


def acquirer_of(*scripts, **channel):
    """The acquirer of a sandbox with one channel and these scripts."""
    made = channel_of(**channel)
    return InternalAcquirer(
        RULES,
        scripts=lambda: scripts,
        channel_of=lambda entity: made,
        store=MemoryStore(),
        clock=HandClock(),
    )


def test_a_plain_payment_is_approved_at_once():
    plan = acquirer_of().plan(ask_of())
    assert plan.outcome.code == "000.100.110"
    assert plan.delay == timedelta(0)
    assert plan.scripts == ()


def test_an_approval_carries_the_details_of_an_acquirer():
    details = acquirer_of(clearing_institute="Harbour").plan(ask_of()).outcome.details
    assert set(details) == {
        "ConnectorTxID1",
        "clearingInstituteName",
        "AcquirerResponse",
        "AuthCode",
    }
    assert (details["AcquirerResponse"], details["clearingInstituteName"]) == ("00", "Harbour")
    assert re.fullmatch("[0-9]{6}", details["AuthCode"])


def test_the_same_trace_number_has_the_same_details_and_another_has_others():
    first, again, other = (
        acquirer_of().plan(ask_of(trace=trace)).outcome.details for trace in (1, 1, 2)
    )
    assert first == again
    assert first["AuthCode"] != other["AuthCode"]


def test_the_reference_of_a_series_never_looks_like_a_card_number():
    payments = [f"8a9{number:029x}" for number in range(0, 10**14, 10**14 // 500)]
    references = {reference_of(ask_of(payment=payment)) for payment in payments}

    assert len(references) == len(payments)
    assert [each for each in references if mask_text(each) != each or len(each) != 15] == []


def test_a_decline_carries_the_acquirer_s_own_code_and_no_authorization():
    details = acquirer_of(default_behaviour="insufficient-funds").plan(ask_of()).outcome.details
    assert details["AcquirerResponse"] == "51"
    assert "AuthCode" not in details


def test_a_result_no_acquirer_takes_part_in_has_no_acquirer_response():
    sent = {"customParameters[forceResultCode]": "600.200.100"}
    outcome = acquirer_of().plan(ask_of(parameters=sent)).outcome
    assert outcome.code == "600.200.100"
    assert not {"AcquirerResponse", "AuthCode"} & set(outcome.details)


def test_the_details_a_behaviour_names_win():
    script = script_of(
        behaviour_document({"approve": {"details": {"AuthCode": "ABC123", "Note": "x"}}})
    )
    details = acquirer_of(script).plan(ask_of()).outcome.details
    assert (details["AuthCode"], details["Note"]) == ("ABC123", "x")


def test_scripts_that_were_asked_come_back_to_be_stored():
    plan = acquirer_of(script_of(times=1)).plan(ask_of())
    assert [(script.id, script.matched) for script in plan.scripts] == [("s1", 1)]


def test_a_slow_channel_waits():
    assert acquirer_of(default_behaviour="slow").plan(ask_of()).delay == timedelta(seconds=3)


def test_two_sandboxes_with_the_same_seed_wait_alike():
    one, two = (acquirer_of(default_behaviour="uneven") for _ in range(2))
    rows = [[acquirer.plan(ask_of()).delay for _ in range(5)] for acquirer in (one, two)]
    assert rows[0] == rows[1]
    assert len(set(rows[0])) == 5


@pytest.mark.parametrize("code", RESPONSES)
def test_a_response_belongs_to_a_result_code_that_exists(code):
    assert code in RESULTS
    assert re.fullmatch("[0-9A-Z]{2}", RESPONSES[code])


def test_a_response_group_exists():
    assert set(RESPONSES_BY_GROUP) <= {row.group for row in RESULTS.values()}


def test_no_decline_is_answered_as_approved():
    declines = [row for row in RESULTS.values() if not row.group.startswith("success")]
    assert "00" not in {response_of(row.code, row.group) for row in declines}


def test_every_shipped_decline_of_an_issuer_has_its_own_response():
    steps = [row.steps.acquirer for row in load_behaviours().values()]
    declines = [each.decline for each in steps if each is not None]
    assert not [decline.code for decline in declines if decline and decline.code not in RESPONSES]


def test_in_a_seeded_sandbox_drawn_waits_follow_the_trace_number():
    made = channel_of(default_behaviour="uneven")
    first, second = (
        InternalAcquirer(
            RULES,
            scripts=tuple,
            channel_of=lambda entity: made,
            store=MemoryStore(),
            clock=HandClock(),
            seeded=True,
        )
        for _ in range(2)
    )
    waits = [first.plan(ask_of(trace=trace)).delay for trace in (1, 2, 3)]

    assert second.plan(ask_of(trace=3)).delay == waits[2]
    assert len(set(waits)) == 3
