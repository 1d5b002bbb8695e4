"""The closing check is clean if ledger and gateway agree; otherwise it names each difference."""

import pytest

from load.closing.check import check_ledger
from load.closing.evidence import ClosingEvidence, GatewayCounters, SettledFiles
from load.ledger.records import ABORTED, EXPECTED_DECLINE, FAILED, NO_RESPONSE, THROTTLED
from load.tests.records import BEGAN, create_evidence, create_record, event_of, snapshot_of

PAID = create_record("d1")
AUTHORIZED = create_record("p1", type="PA", root="tree")
CAPTURED = create_record("c1", operation="refer_payment", type="CP", cents=6_00, root="tree")
RUN = [PAID, AUTHORIZED, CAPTURED]
SHOWN = create_evidence(RUN)
TREE = [snapshot_of(AUTHORIZED), snapshot_of(CAPTURED)]
WRITES, SUMS, EVENTS, COUNTERS, SETTLED = range(5)


def shown_with(**other):
    return create_evidence(RUN, **other)


def test_a_ledger_that_agrees_with_the_gateway_is_clean():
    check = check_ledger(RUN, SHOWN)

    assert check.is_clean
    assert [clause.verdict for clause in check.clauses] == ["passed"] * 5
    assert [clause.cases for clause in check.clauses] == [3, 1, 3, 3, 2]


def test_a_clause_without_cases_had_nothing_to_check():
    check = check_ledger([PAID], create_evidence([PAID]))

    assert check.clauses[SUMS].verdict == "nothing to check"


PAID_LINE, CAPTURED_LINE = {"d1": ["10.00"]}, {"c1": ["6.00"]}
DIFFERENCES = {
    "a movement is in no file": (SETTLED, {"settled": SettledFiles(PAID_LINE)}),
    "a movement is settled twice": (
        SETTLED, {"settled": SettledFiles({**PAID_LINE, "c1": ["6.00", "6.00"]})}),
    "a movement is settled with another amount": (
        SETTLED, {"settled": SettledFiles({**CAPTURED_LINE, "d1": ["10.01"]})}),
    "a payment is settled that was never made": (
        SETTLED, {"settled": SettledFiles({**PAID_LINE, **CAPTURED_LINE, "x1": ["1.00"]})}),
    "a line of a file breaks a rule": (
        SETTLED, {"settled": SettledFiles({**PAID_LINE, **CAPTURED_LINE}, ["RCN-08"])}),
    "a payment is gone": (WRITES, {"payments": {one.id: snapshot_of(one) for one in RUN[1:]}}),
    "an amount is another one": (
        WRITES, {"payments": {one.id: snapshot_of(one, amount="10.01") for one in RUN}}),
    "a currency is another one": (
        WRITES, {"payments": {one.id: snapshot_of(one, currency="USD") for one in RUN}}),
    "an approval became a decline": (
        WRITES, {"payments": {one.id: snapshot_of(one, code="800.100.152") for one in RUN}}),
    "a capture reads as a debit": (
        WRITES, {"payments": {one.id: snapshot_of(one, type="DB") for one in RUN}}),
    "a capture was executed twice": (
        SUMS, {"trees": {"tree": [*TREE, snapshot_of(CAPTURED, id="c2")]}}),
    "more was captured than authorized": (
        SUMS, {"trees": {"tree": [TREE[0], snapshot_of(CAPTURED, amount="10.01")]}}),
    "a report shows another amount": (
        SUMS, {"trees": {"tree": [snapshot_of(AUTHORIZED, amount="99.00"), TREE[1]]}}),
    "a report shows another type": (
        SUMS, {"trees": {"tree": [TREE[0], snapshot_of(CAPTURED, type="XX")]}}),
    "a report shows another result": (
        SUMS, {"trees": {"tree": [TREE[0], snapshot_of(CAPTURED, code="800.100.152")]}}),
    "a report shows a payment twice": (
        SUMS, {"trees": {"tree": [TREE[0], *TREE]}}),
    "a report shows an amount of one decimal": (
        SUMS, {"trees": {"tree": [TREE[0], snapshot_of(CAPTURED, amount="6.0")]}}),
    "a report shows an amount that is none": (
        SUMS, {"trees": {"tree": [TREE[0], snapshot_of(CAPTURED, amount="n/a")]}}),
    "a report lacks a capture": (SUMS, {"trees": {"tree": [snapshot_of(AUTHORIZED)]}}),
    "a report does not show the tree": (SUMS, {"trees": {}}),
    "a payment was never notified": (EVENTS, {"events": [event_of(one) for one in RUN[1:]]}),
    "a change was notified under two event ids": (
        EVENTS, {"events": [*map(event_of, RUN), event_of(PAID, event_id="another")]}),
    "a payment that does not exist was notified": (
        EVENTS, {"events": [*map(event_of, RUN), event_of(create_record("other"))]}),
    "a notification could not be decrypted": (EVENTS, {"unreadable_events": 1}),
    "a response was not counted": (
        COUNTERS, {"counters": SHOWN.counters._replace(responses={("create_payment", 200): 1})}),
    "a response was counted twice": (
        COUNTERS, {"counters": SHOWN.counters._replace(
            responses={("create_payment", 200): 4, ("refer_payment", 200): 1})}),
    "a payment was counted that no response shows": (
        COUNTERS, {"counters": SHOWN.counters._replace(
            payments={"DB": 1, "PA": 1, "CP": 1, "RF": 1})}),
    "a throttled request was counted that no response shows": (
        COUNTERS, {"counters": SHOWN.counters._replace(throttled={"create_payment": 1})}),
}  # fmt: skip


@pytest.mark.parametrize("difference", DIFFERENCES)
def test_it_is_not_clean_with(difference):
    clause, other = DIFFERENCES[difference]

    check = check_ledger(RUN, shown_with(**other))

    assert not check.is_clean
    assert [bool(each.faults) for each in check.clauses].index(True) == clause
    assert check.faults


def test_a_repeated_notification_under_the_same_event_id_is_allowed():
    assert check_ledger(RUN, shown_with(events=[event_of(one) for one in RUN * 2])).is_clean


def test_a_stored_decline_has_to_be_found_with_its_code():
    declined = create_record("d2", verdict=EXPECTED_DECLINE, status=400, code="800.100.203")
    counters = GatewayCounters({("create_payment", 400): 1}, {"DB": 1}, {})
    good = create_evidence([declined], counters=counters)

    assert check_ledger([declined], good).is_clean
    shown = {"d2": snapshot_of(declined, code="000.100.110")}
    assert not check_ledger(
        [declined], create_evidence([declined], counters=counters, payments=shown)
    ).is_clean


def test_a_refused_capture_may_not_be_in_the_tree():
    refused = create_record(
        "", type="CP", cents=0, root="tree", verdict=EXPECTED_DECLINE, status=400,
        operation="refer_payment", code="700.400.100",
    )  # fmt: skip
    counters = SHOWN.counters._replace(
        responses={**SHOWN.counters.responses, ("refer_payment", 400): 1}
    )
    run = [*RUN, refused]

    assert check_ledger(run, shown_with(counters=counters)).is_clean
    tree = [
        snapshot_of(AUTHORIZED),
        snapshot_of(CAPTURED),
        snapshot_of(CAPTURED, id="c2", amount="1.00"),
    ]
    trees = {"tree": tree}
    assert not check_ledger(run, shown_with(counters=counters, trees=trees)).is_clean


def test_two_sales_may_not_be_acknowledged_with_one_id():
    run = [PAID, create_record("d1", root="other")]

    check = check_ledger(run, create_evidence(run, counters=None, settled=None))

    assert [bool(each.faults) for each in check.clauses] == [True, False, False, False, False]
    assert check.faults[0].endswith("d1 was acknowledged 2 times, as 2 payments")


@pytest.mark.parametrize("amount", ["9.9", "n/a", "1e5", "-1.00"])
def test_an_amount_that_is_none_is_a_fault_also_where_a_request_had_no_response(amount):
    lost = create_record("", type="CP", root="tree", verdict=NO_RESPONSE, status=0)
    trees = {"tree": [*TREE, snapshot_of(CAPTURED, id="c2", amount=amount)]}

    check = check_ledger([*RUN, lost], shown_with(trees=trees))

    assert len(check.clauses[SUMS].faults) == 1
    assert f"expected an amount as 12.34, got '{amount}'" in check.clauses[SUMS].faults[0]


@pytest.mark.parametrize("verdict", [NO_RESPONSE, ABORTED])
@pytest.mark.parametrize("was_executed", [True, False])
def test_a_request_without_a_response_may_have_been_executed_or_not(was_executed, verdict):
    request = create_record("", type="CP", cents=1_00, root="tree", verdict=verdict, status=0,
                  operation="refer_payment")  # fmt: skip
    other = {}
    if was_executed:
        executed = create_record(
            "c9", type="CP", cents=1_00, root="tree", operation="refer_payment"
        )
        answers = {**SHOWN.counters.responses, ("refer_payment", 200): 2}
        other = {
            "trees": {
                "tree": [snapshot_of(AUTHORIZED), snapshot_of(CAPTURED), snapshot_of(executed)]
            },
            "events": [*map(event_of, RUN), event_of(executed)],
            "counters": SHOWN.counters._replace(
                responses=answers, payments={**SHOWN.counters.payments, "CP": 2}
            ),
        }

    check = check_ledger([*RUN, request], shown_with(**other))

    assert check.faults == []
    assert check.unknown == 1


def test_a_request_without_a_response_excuses_one_payment_and_not_two():
    request = create_record("", type="CP", root="tree", verdict=NO_RESPONSE, status=0)
    extra = [snapshot_of(CAPTURED, id=identity, amount="1.00") for identity in ("c2", "c3")]
    tree = [snapshot_of(AUTHORIZED), snapshot_of(CAPTURED), *extra]

    assert not check_ledger([*RUN, request], shown_with(trees={"tree": tree})).is_clean


def test_a_request_with_a_wrong_response_may_have_created_a_payment():
    wrong = create_record("", verdict=FAILED, status=500, code="", root="other")
    counters = SHOWN.counters._replace(
        responses={**SHOWN.counters.responses, ("create_payment", 500): 1},
        payments={**SHOWN.counters.payments, "DB": 2},
    )

    assert check_ledger([*RUN, wrong], shown_with(counters=counters)).faults == []


def test_a_request_that_raised_may_have_been_executed_or_not():
    ended = create_record("", verdict=FAILED, status=0, code="", root="other")

    assert check_ledger([*RUN, ended], SHOWN).faults == []


def test_throttled_requests_are_counted_as_responses_and_as_throttled():
    throttled = create_record("", verdict=THROTTLED, status=429, code="800.120.100", root="other")
    counters = SHOWN.counters._replace(
        responses={**SHOWN.counters.responses, ("create_payment", 429): 1},
        throttled={"create_payment": 1},
    )

    assert check_ledger([*RUN, throttled], shown_with(counters=counters)).is_clean


def test_what_a_shared_gateway_counted_for_others_is_ignored():
    more = SHOWN.counters._replace(responses={**SHOWN.counters.responses, ("read_payment", 200): 7})
    fewer = SHOWN.counters._replace(responses={})

    shared = check_ledger(RUN, shown_with(counters=more, is_exclusive=False))
    assert (shared.faults, shared.is_clean, shared.unchecked) == ([], True, [])
    assert shared.clauses[COUNTERS].verdict == "passed"
    assert "another client may have used it" in shared.clauses[COUNTERS].remark
    assert not check_ledger(RUN, shown_with(is_exclusive=False)).clauses[COUNTERS].remark
    assert not check_ledger(RUN, shown_with(counters=fewer, is_exclusive=False)).is_clean


def test_missing_evidence_is_not_checked_and_makes_the_check_partial():
    only_read = ClosingEvidence(payments=SHOWN.payments)

    check = check_ledger(RUN, only_read)
    assert (check.is_reliable, check.is_clean) == (True, False)
    assert [clause.verdict for clause in check.clauses] == ["passed"] + ["not checked"] * 4
    assert check.unchecked == list(check.clauses[1:])
    assert not check_ledger(RUN, ClosingEvidence()).is_reliable


@pytest.mark.parametrize(("clause", "unread"), [(WRITES, {"payments": {}}), (SUMS, {"trees": {}})])
def test_what_could_not_be_read_is_neither_a_fault_nor_clean(clause, unread):
    names = frozenset({*(one.id for one in RUN), "tree"})

    check = check_ledger(RUN, shown_with(**unread, unread=names))

    assert check.faults == []
    assert not check.is_reliable
    assert check.clauses[clause].verdict.endswith("could not be read")


def test_counters_are_those_since_the_beginning_of_the_run():
    before = GatewayCounters({("create_payment", 200): 5}, {"DB": 5}, {})
    after = GatewayCounters({("create_payment", 200): 7}, {"DB": 7}, {"create_payment": 1})

    assert after.since(before) == GatewayCounters(
        {("create_payment", 200): 2}, {"DB": 2}, {"create_payment": 1}
    )


def test_a_clause_has_the_number_of_its_cases():
    many = [create_record(f"d{number}", at=BEGAN) for number in range(50)]

    assert check_ledger(many, create_evidence(many)).clauses[WRITES].cases == 50


def test_no_fault_shows_what_a_hostile_gateway_writes():
    number = "4539578763621486"
    other = snapshot_of(PAID, amount=f"{number}\x1b[2J", code=f"\u202e{number}")
    check = check_ledger(RUN, shown_with(payments={**SHOWN.payments, "d1": other}))

    assert check.faults
    assert all(each.isprintable() and number not in each for each in check.faults)
