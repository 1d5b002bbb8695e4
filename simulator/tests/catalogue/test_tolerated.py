"""Values that profile field accepts and the specification refuses, and what is ignored in both."""

import pytest

from simulator.catalogue.fields.adjustments import IGNORED
from simulator.catalogue.fields.customer import CUSTOMER
from simulator.catalogue.fields.parameters import RELATIONS
from simulator.derive.checks.samples import samples_of
from simulator.grammar.relations import NOT_DIGITS_ONLY
from simulator.tests.catalogue.test_check import CREATE, CREATE_IN_FIELD, PAYMENT, rules

CUSTOMER_ALONE = [
    row.name for row in CUSTOMER.rows
    if row.name.startswith("customer.") and "identificationDoc" not in row.name
]  # fmt: skip


@pytest.mark.parametrize("name", CUSTOMER_ALONE)
def test_a_customer_parameter_may_be_sent_alone_in_profile_field(name):
    line = next(row for row in CUSTOMER.rows if row.name == name)
    value = next(sample.value for sample in samples_of(line.format) if sample.taken)
    assert rules(CREATE_IN_FIELD, {**PAYMENT, name: value}) == []
    lacking = {"customer.givenName", "customer.surname"} - {name}
    assert rules(CREATE, {**PAYMENT, name: value}) == [
        (each, "CUST-01") for each in ("customer.givenName", "customer.surname") if each in lacking
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("billing.state", "West Yorkshire"),
        ("billing.state", "\u0627\u0644\u0631\u064a\u0627\u0636"),
        ("shipping.state", "Baden-W\u00fcrttemberg"),
        ("shipping.city", "12 City Centre, Leeds"),
        ("shipping.method", "Standard delivery (2-3 d)"),
        ("risk.amount", "92"),
        ("risk.amount", "123456789012"),
    ],
)
def test_texts_of_addresses_and_whole_risk_amounts_are_taken_in_profile_field(name, value):
    assert rules(CREATE_IN_FIELD, {**PAYMENT, name: value}) == []
    (violation,) = CREATE.violations_of({**PAYMENT, name: value})
    assert (violation.name, violation.field_accepts) == (name, True)


@pytest.mark.parametrize(
    ("street1", "street2", "house", "is_refused"),
    [
        ("4711", None, None, True),
        ("47", "11", None, True),
        ("47", "Main Street", None, False),
        ("47", "Main Street", "5", True),
        ("47", "11", "5", True),
        ("Main Street", "11", "5", False),
        (None, "11", "5", False),
        (None, "11", None, True),
    ],
)
def test_a_street_that_is_ignored_saves_no_digits_only_street(street1, street2, house, is_refused):
    streets = {
        "billing.street1": street1, "billing.street2": street2, "billing.houseNumber1": house,
    }  # fmt: skip
    sent = {name: value for name, value in streets.items() if value}
    assert [rule for _, rule in rules(CREATE, {**PAYMENT, **sent})] == ["ADDR-01"] * is_refused


def test_an_ignored_parameter_is_as_absent_for_every_rule():
    """Only where a relation looks at an ignored parameter could it still matter."""
    ignored = {row.name for row in IGNORED}
    about = [row for row in RELATIONS if not ignored.isdisjoint(row.names)]
    assert {row.kind for row in about} == {NOT_DIGITS_ONLY}
