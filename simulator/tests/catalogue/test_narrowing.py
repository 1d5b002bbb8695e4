"""In an operation a relation looks at nothing but what the operation knows."""

from collections.abc import Iterator

import pytest

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.operations.reconciliations import QUERY_SETTLEMENTS
from simulator.catalogue.operations.registrations import PAY_REGISTRATION
from simulator.catalogue.operations.three_d_secure import CREATE_AUTHENTICATION
from simulator.derive.checks.check import compile_check
from simulator.derive.checks.compiled_rows import sent_rows
from simulator.derive.checks.narrowing import narrowed
from simulator.derive.checks.relations import COMPILERS, relations_in
from simulator.grammar.choices import PROFILES
from simulator.grammar.relations import Relation, either_or, not_together, required_where
from simulator.tests.catalogue.test_check import DEBIT, ENTITY, choices, found, rules, without

CHOSEN = {"specification": choices(), "field": choices("field"), "ignored": choices(D02="ignore")}
TAKES_CARD = {**without(DEBIT, "paymentType"), **ENTITY, "card.number": "4200000000000000"}
TOKEN = {"mobileWallet.paymentToken": "x" * 12}


def looked_at(relation: Relation) -> Iterator[str]:
    yield from (*relation.names, *relation.triggers, *relation.unless, relation.other)
    yield from (name for cases in (relation.where, *relation.rests) for name, _ in cases)


@pytest.mark.parametrize("chosen", PROFILES)
@pytest.mark.parametrize("identity", OPERATIONS)
def test_no_relation_looks_at_a_parameter_that_the_operation_does_not_know(identity, chosen):
    operation = OPERATIONS[identity]
    names = {name for row in sent_rows(operation) for name in row.concrete_names}
    held = [row for row in relations_in(operation, CHOSEN[chosen]) if row.kind in COMPILERS]
    concerned = [row for row in held if not names.isdisjoint(row.names)]
    unknown = {
        (row.id, name) for row in concerned for name in looked_at(row)
        if name and not any(each == name or name[-1] == "." and each.startswith(name)
                            for each in names)
    }  # fmt: skip
    assert unknown == set()


@pytest.mark.parametrize("chosen", ["field", "ignored"])
def test_a_reference_that_is_ignored_waives_no_days(chosen):
    check = compile_check(QUERY_SETTLEMENTS, CHOSEN[chosen])
    sent = {**ENTITY, "merchantTransactionId": "order-1", "date.to": "2026-11-30"}
    assert found(check, sent) == [("date.from", "may not be empty", "REP-01")]


@pytest.mark.parametrize("chosen", ["field", "ignored"])
def test_a_wallet_token_that_is_ignored_waives_no_month_of_a_card(chosen):
    check = compile_check(CREATE_AUTHENTICATION, CHOSEN[chosen])
    assert rules(check, {**TAKES_CARD, **TOKEN}) == [
        ("card.expiryMonth", "CARD-01"), ("card.expiryYear", "CARD-01"),
    ]  # fmt: skip


def test_a_wallet_that_is_ignored_needs_no_card():
    check = compile_check(PAY_REGISTRATION, CHOSEN["ignored"])
    assert rules(check, {**ENTITY, **DEBIT, "mobileWallet.source": "APPLEPAY"}) == []


def case_named(*names: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((name, ("1",)) for name in names)


# fmt: off
@pytest.mark.parametrize(
    ("relation", "holds"),
    [
        (either_or("R", "a.", "a.x", "b"),                                   True),
        (either_or("R", "b.", "a.x", "b"),                                   False),
        (not_together("R", "a.x", "c"),                                      True),
        (not_together("R", "b", "c"),                                        False),
        (required_where("R", "c", ("a.x", ("1",)), ("b", ()), says="s"),     True),
        (required_where("R", "c", ("a.x", ("1",)), ("b", ("1",)), says="s"), False),
        (required_where("R", "c", ("a.x", ("1",)), rests=(case_named("b"),), says="s"), True),
        (required_where("R", "c", ("a.x", ("1",)), rests=((("b", ()),),), says="s"), False),
    ],
)
# fmt: on
def test_only_what_can_be_sent_sets_a_relation_off(relation, holds):
    left = narrowed(relation, {"a.x", "c"})
    assert (left is not None) is holds
    assert left is None or "b" not in looked_at(left)
