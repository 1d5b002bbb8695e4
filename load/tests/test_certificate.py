"""The certificate is clean where both books agree, and names what is lost, doubled or made up."""

import pytest

from load.certificate import Counters, Evidence, certify
from load.ledger import CUT_OFF, FAILED, REFUSED, THROTTLED, UNANSWERED
from load.tests.making import BEGAN, evidence, found, heard, told

PAID = told("d1")
AUTHORISED = told("p1", type="PA", root="tree")
CAPTURED = told("c1", operation="refer_payment", type="CP", cents=6_00, root="tree")
RUN = [PAID, AUTHORISED, CAPTURED]
SHOWN = evidence(RUN)
LOST, TAKEN, TOLD, COUNTED = range(4)


def shown_with(**other):
    return evidence(RUN, **other)


def test_books_that_agree_are_clean():
    certificate = certify(RUN, SHOWN)

    assert certificate.is_clean
    assert [clause.verdict for clause in certificate.clauses] == ["kept"] * 4
    assert [clause.cases for clause in certificate.clauses] == [3, 1, 3, 3]


def test_a_clause_that_nothing_was_about_had_nothing_to_check():
    certificate = certify([PAID], evidence([PAID]))

    assert certificate.clauses[TAKEN].verdict == "nothing to check"


LIES = {
    "a payment is gone": (LOST, {"read": {one.id: found(one) for one in RUN[1:]}}),
    "an amount is another one": (
        LOST, {"read": {one.id: found(one, amount="10.01") for one in RUN}}),
    "a currency is another one": (
        LOST, {"read": {one.id: found(one, currency="USD") for one in RUN}}),
    "an approval became a decline": (
        LOST, {"read": {one.id: found(one, code="800.100.152") for one in RUN}}),
    "a capture reads as a debit": (
        LOST, {"read": {one.id: found(one, type="DB") for one in RUN}}),
    "a capture was done twice": (
        TAKEN, {"trees": {"tree": [found(AUTHORISED), found(CAPTURED), found(CAPTURED, id="c2")]}}),
    "more was captured than authorised": (
        TAKEN, {"trees": {"tree": [found(AUTHORISED), found(CAPTURED, amount="10.01")]}}),
    "a report lacks a capture": (TAKEN, {"trees": {"tree": [found(AUTHORISED)]}}),
    "a report knows nothing of the tree": (TAKEN, {"trees": {}}),
    "a payment was never told": (TOLD, {"heard": [heard(one) for one in RUN[1:]]}),
    "a change was told under two identities": (
        TOLD, {"heard": [*map(heard, RUN), heard(PAID, event="another")]}),
    "something was told that nobody did": (
        TOLD, {"heard": [*map(heard, RUN), heard(told("made-up"))]}),
    "a notification was garbled": (TOLD, {"unreadable": 1}),
    "an answer was not counted": (
        COUNTED, {"counters": SHOWN.counters._replace(answers={("create_payment", 200): 1})}),
    "an answer was counted twice": (
        COUNTED, {"counters": SHOWN.counters._replace(
            answers={("create_payment", 200): 4, ("refer_payment", 200): 1})}),
    "a payment was counted that nobody made": (
        COUNTED, {"counters": SHOWN.counters._replace(
            payments={"DB": 1, "PA": 1, "CP": 1, "RF": 1})}),
    "a refusal was counted that nobody saw": (
        COUNTED, {"counters": SHOWN.counters._replace(throttled={"create_payment": 1})}),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_it_is_not_clean_where(lie):
    clause, other = LIES[lie]

    certificate = certify(RUN, shown_with(**other))

    assert not certificate.is_clean
    assert [bool(each.faults) for each in certificate.clauses].index(True) == clause
    assert certificate.faults


def test_a_notification_that_comes_again_under_the_same_identity_is_allowed():
    assert certify(RUN, shown_with(heard=[heard(one) for one in RUN * 2])).is_clean


def test_a_decline_is_a_write_and_has_to_be_found_with_its_code():
    declined = told("d2", verdict=REFUSED, status=400, code="800.100.203")
    counters = Counters({("create_payment", 400): 1}, {"DB": 1}, {})
    good = evidence([declined], counters=counters)

    assert certify([declined], good).is_clean
    shown = {"d2": found(declined, code="000.100.110")}
    assert not certify([declined], evidence([declined], counters=counters, read=shown)).is_clean


def test_a_refused_capture_may_not_be_in_the_tree():
    refused = told("", type="CP", cents=0, root="tree", verdict=REFUSED, status=400,
                   operation="refer_payment", code="700.400.100")  # fmt: skip
    counters = SHOWN.counters._replace(
        answers={**SHOWN.counters.answers, ("refer_payment", 400): 1}
    )
    run = [*RUN, refused]

    assert certify(run, shown_with(counters=counters)).is_clean
    tree = [found(AUTHORISED), found(CAPTURED), found(CAPTURED, id="c2", amount="1.00")]
    trees = {"tree": tree}
    assert not certify(run, shown_with(counters=counters, trees=trees)).is_clean


@pytest.mark.parametrize("verdict", [UNANSWERED, CUT_OFF])
@pytest.mark.parametrize("was_done", [True, False])
def test_a_request_without_an_answer_may_have_been_done_or_not(was_done, verdict):
    silent = told("", type="CP", cents=1_00, root="tree", verdict=verdict, status=0,
                  operation="refer_payment")  # fmt: skip
    other = {}
    if was_done:
        done = told("c9", type="CP", cents=1_00, root="tree", operation="refer_payment")
        answers = {**SHOWN.counters.answers, ("refer_payment", 200): 2}
        other = {
            "trees": {"tree": [found(AUTHORISED), found(CAPTURED), found(done)]},
            "heard": [*map(heard, RUN), heard(done)],
            "counters": SHOWN.counters._replace(
                answers=answers, payments={**SHOWN.counters.payments, "CP": 2}
            ),
        }

    certificate = certify([*RUN, silent], shown_with(**other))

    assert certificate.faults == []
    assert certificate.unanswered == 1


def test_a_request_without_an_answer_excuses_one_payment_and_not_two():
    silent = told("", type="CP", root="tree", verdict=UNANSWERED, status=0)
    unknown = [found(CAPTURED, id=identity, amount="1.00") for identity in ("c2", "c3")]
    tree = [found(AUTHORISED), found(CAPTURED), *unknown]

    assert not certify([*RUN, silent], shown_with(trees={"tree": tree})).is_clean


def test_a_wrong_answer_may_have_made_a_payment():
    wrong = told("", verdict=FAILED, status=500, code="", root="other")
    counters = SHOWN.counters._replace(
        answers={**SHOWN.counters.answers, ("create_payment", 500): 1},
        payments={**SHOWN.counters.payments, "DB": 2},
    )

    assert certify([*RUN, wrong], shown_with(counters=counters)).faults == []


def test_a_request_that_an_error_of_ours_ended_may_have_been_done_or_not():
    ended = told("", verdict=FAILED, status=0, code="", root="other")

    assert certify([*RUN, ended], SHOWN).faults == []


def test_throttled_requests_are_counted_as_answers_and_as_throttled():
    throttled = told("", verdict=THROTTLED, status=429, code="800.120.100", root="other")
    counters = SHOWN.counters._replace(
        answers={**SHOWN.counters.answers, ("create_payment", 429): 1},
        throttled={"create_payment": 1},
    )

    assert certify([*RUN, throttled], shown_with(counters=counters)).is_clean


def test_where_others_may_ask_too_what_was_counted_more_is_not_checked():
    more = SHOWN.counters._replace(answers={**SHOWN.counters.answers, ("read_payment", 200): 7})
    fewer = SHOWN.counters._replace(answers={})

    shared = certify(RUN, shown_with(counters=more, is_alone=False))
    assert (shared.faults, shared.is_believed, shared.is_clean) == ([], True, False)
    assert shared.clauses[COUNTED].not_checked == "somebody else asked this gateway meanwhile"
    assert not certify(RUN, shown_with(counters=fewer, is_alone=False)).is_clean


def test_what_could_not_be_had_is_not_checked_and_that_is_a_partial_certificate():
    only_read = Evidence(read=SHOWN.read)

    certificate = certify(RUN, only_read)
    assert (certificate.is_believed, certificate.is_clean) == (True, False)
    assert [clause.verdict for clause in certificate.clauses] == ["kept"] + ["not checked"] * 3
    assert certificate.unchecked == list(certificate.clauses[1:])
    assert not certify(RUN, Evidence()).is_believed


@pytest.mark.parametrize(("clause", "unread"), [(LOST, {"read": {}}), (TAKEN, {"trees": {}})])
def test_what_could_not_be_read_is_neither_lost_nor_clean(clause, unread):
    names = frozenset({*(one.id for one in RUN), "tree"})

    certificate = certify(RUN, shown_with(**unread, unread=names))

    assert certificate.faults == []
    assert not certificate.is_believed
    assert certificate.clauses[clause].verdict.endswith("could not be read")


def test_counters_are_compared_with_those_of_the_beginning():
    before = Counters({("create_payment", 200): 5}, {"DB": 5}, {})
    after = Counters({("create_payment", 200): 7}, {"DB": 7}, {"create_payment": 1})

    assert after.since(before) == Counters(
        {("create_payment", 200): 2}, {"DB": 2}, {"create_payment": 1}
    )


def test_a_clause_says_over_how_many_cases_it_was_checked():
    many = [told(f"d{number}", at=BEGAN) for number in range(50)]

    assert certify(many, evidence(many)).clauses[LOST].cases == 50
