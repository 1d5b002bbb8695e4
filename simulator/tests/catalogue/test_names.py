"""Names: taking them apart, the catalogue's name for a concrete one, the nearest known one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.catalogue.fields.parameters import TABLES
from simulator.derive.checks.names import nearest, template_of
from simulator.derive.checks.samples import concrete
from simulator.grammar.names import parts_of

REQUEST_NAMES = [row.name for table in TABLES for row in table.rows if row.direction == "request"]
OUTSIDE = st.text(st.characters(exclude_characters="[]"), max_size=8)


@pytest.mark.parametrize(
    ("name", "template"),
    [
        ("amount", "amount"),
        ("cart.items[3].name", "cart.items[n].name"),
        ("cart.items[999].recipient.city", "cart.items[n].recipient.city"),
        ("airline.passengers[0].legs[11].taxAmount", "airline.passengers[n].legs[n].taxAmount"),
        ("customParameters[SHOPPER_1]", "customParameters[name]"),
        ("customParameters[123]", "customParameters[name]"),
        ("merchant.data[a.b]", "merchant.data[key]"),
        ("overridePaymentType[VISA]", "overridePaymentType[brand]"),
        ("threeDSecure.v2.visa.requestorId", "threeDSecure.v2.<scheme>.requestorId"),
        ("threeDSecure.v2.maestro.requestorId", "threeDSecure.v2.maestro.requestorId"),
        ("unknown[7].thing[x]", "unknown[n].thing[name]"),
        ("cart.items[3.name", "cart.items[3.name"),
    ],
)
def test_a_concrete_name_follows_its_template(name, template):
    assert template_of(name) == template


def test_every_name_of_the_catalogue_is_the_template_of_its_own_concrete_name():
    rows = {row.name: row for table in TABLES for row in table.rows}
    for name in REQUEST_NAMES:
        known = rows[name].concrete_names
        assert {template_of(concrete(each)) for each in known} == {name}


@given(OUTSIDE, st.lists(st.tuples(OUTSIDE, OUTSIDE), max_size=4))
def test_a_name_put_together_from_parts_comes_apart_into_them(first, rest):
    name = first + "".join(f"[{content}]{outside}" for content, outside in rest)
    parts = parts_of(name)
    assert parts.paired
    assert parts.skeleton.split("[]") == [first, *(outside for _, outside in rest)]
    assert parts.contents == tuple(content for content, _ in rest)


@given(st.text(alphabet="a[]", max_size=12))
def test_a_name_of_brackets_is_paired_or_left_alone(name):
    parts = parts_of(name)
    if not parts.paired:
        assert (parts.skeleton, parts.contents) == (name, ())
    assert template_of(name)[:1] == name[:1]


def test_an_error_in_a_bracket_names_the_list_before_it():
    assert list(parts_of("a[2].b[0].c").opened()) == ["a", "a[2].b"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("card.nubmer", "card.number"),
        ("Amount", "amount"),
        ("customer.firstName", "customer.givenName"),
        ("entityID", "entityId"),
        ("billing.postCode", "billing.postcode"),
    ],
)
def test_the_nearest_known_name_is_the_one_that_was_meant(typed, meant):
    assert nearest(typed, REQUEST_NAMES) == meant
