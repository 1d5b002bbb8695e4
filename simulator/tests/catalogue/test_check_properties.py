"""Properties of the check that hold for any request."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.operations.payments import CREATE_PAYMENT
from simulator.derive.checks.acceptance import NUL, acceptance_of, in_a_row, joinable, resolved
from simulator.derive.checks.check import OFTEN, compile_check
from simulator.derive.checks.compiled_rows import sent_rows
from simulator.derive.checks.samples import concrete, samples_of
from simulator.grammar.choices import choose

PROFILES = {profile: choose(CHOICES, profile) for profile in ("specification", "field")}
CHECKS = {profile: compile_check(CREATE_PAYMENT, chosen) for profile, chosen in PROFILES.items()}
ROWS = list(sent_rows(CREATE_PAYMENT))
POSITIONS = {row.name: position for position, row in enumerate(ROWS)}
SAMPLES = {
    concrete(row.concrete_names[0]): [sample.value for sample in samples_of(row.format)]
    for row in ROWS
}
SECRETS = [concrete(row.concrete_names[0]) for row in ROWS if row.secret]
OFTEN_SENT = (
    "entityId", "amount", "currency", "paymentType", "paymentBrand", "card.number",
    "card.expiryMonth", "card.expiryYear", "customer.birthDate", "customer.givenName",
    "customer.surname",
)  # fmt: skip

INDEXES_WRONG = [
    ("0", ""), ("0", "-1"), ("0", "01"), ("0", "x"), ("", "0"), ("", ""), ("x", "0"), ("0", "9"),
]  # fmt: skip
VALUES = st.text(min_size=1, max_size=20)
NAMES = st.one_of(
    st.sampled_from(sorted(SAMPLES)),
    st.text(alphabet="abc.[]0129", min_size=1, max_size=12),
    st.builds("cart.items[{}].name".format, st.integers(-1, 3)),
    st.builds(
        "airline.passengers[{}].legs[{}].taxAmount".format, st.integers(0, 2), st.text("01x")
    ),
    st.builds("customParameters[{}]".format, st.text(max_size=5)),
)
PROFILE = st.sampled_from(sorted(PROFILES))


@st.composite
def requests(draw):
    """Names of the catalogue with samples of their format, among anything else."""
    names = draw(st.lists(NAMES, max_size=12, unique=True))
    return {
        name: draw(st.one_of(st.sampled_from(SAMPLES[name]), VALUES) if name in SAMPLES else VALUES)
        for name in names
    }


@given(requests(), PROFILE)
def test_a_request_is_judged_alike_by_a_check_that_remembers_and_one_that_does_not(sent, profile):
    fresh = compile_check(CREATE_PAYMENT, PROFILES[profile])
    remembering = CHECKS[profile]
    assert remembering.violations_of(sent) == fresh.violations_of(sent)
    assert remembering.violations_of(sent) == fresh.violations_of(sent)


@given(st.lists(st.sampled_from(ROWS), min_size=1, max_size=4), st.data(), PROFILE)
def test_values_in_a_row_are_accepted_where_each_of_them_is(rows, data, profile):
    formats = [resolved(row.format, PROFILES[profile]) for row in rows]
    bodies = {format: joinable(format) for format in formats}
    formats = [format for format in formats if bodies[format] is not None]
    tried = st.text(alphabet=st.characters(exclude_characters=NUL), max_size=20)
    values = [
        data.draw(st.one_of(st.sampled_from([s.value for s in samples_of(format)]), tried))
        for format in formats
    ]

    together = in_a_row(bodies[format] for format in formats)
    each = [acceptance_of(format)(value) for format, value in zip(formats, values, strict=True)]
    assert bool(together("".join(value + NUL for value in values))) is all(map(bool, each))


def test_names_that_come_often_are_judged_as_before():
    good = {name: samples[0] for name, samples in SAMPLES.items() if name in OFTEN_SENT}
    check = compile_check(CREATE_PAYMENT, PROFILES["specification"])
    fresh = compile_check(CREATE_PAYMENT, PROFILES["specification"])
    for _ in range(OFTEN + 1):
        assert check.violations_of(good) == []

    for name in good:
        for value in ("\n", NUL, f"{good[name]}{NUL}", f"{good[name]}\n", "x" * 300, ""):
            corrupted = {**good, name: value}
            found = check.violations_of(corrupted)
            assert found == fresh.violations_of(corrupted)
            assert found or NUL not in value


@given(requests())
def test_violations_come_in_catalogue_order_and_each_once(sent):
    check = CHECKS["specification"]
    found = check.violations_of(sent)
    places = [
        POSITIONS[check.known(row.name).name] for row in found if check.known(row.name) is not None
    ]
    assert places == sorted(places)
    assert len({(row.name, row.rule) for row in found}) == len(found)


@given(st.dictionaries(st.sampled_from(sorted(SAMPLES)), VALUES, max_size=12))
def test_the_order_in_which_known_parameters_are_sent_changes_nothing(sent):
    check = CHECKS["specification"]
    backwards = dict(reversed(sent.items()))
    assert set(check.violations_of(sent)) == set(check.violations_of(backwards))


@given(requests())
def test_every_wrong_value_is_reported_beside_any_others(sent):
    check = CHECKS["specification"]
    reported = {row.name for row in check.violations_of(sent)}
    for name, value in sent.items():
        alone = check.violations_of({name: value})
        if any(row.name == name and row.rule == name for row in alone):
            assert name in reported


@given(st.sampled_from(SECRETS), VALUES, requests())
def test_the_value_of_a_secret_is_never_reported(name, value, others):
    marked = f"secret\x00{value}"
    for check in CHECKS.values():
        found = check.violations_of({**others, name: marked})
        assert any(row.name == name for row in found)
        assert all(marked not in (row.value or "") + row.message for row in found)


@given(st.text(min_size=1, max_size=30), VALUES)
def test_the_value_of_an_unknown_parameter_is_never_reported(name, value):
    check = CHECKS["specification"]
    found = check.violations_of({name: value})
    unknown = [row for row in found if row.rule in ("D-02", "TRN-06")]
    assert all(row.value is None for row in unknown)


@given(requests())
def test_field_accepts_what_it_is_said_to_accept(sent):
    refused = {(row.name, row.rule) for row in CHECKS["field"].violations_of(sent)}
    for row in CHECKS["specification"].violations_of(sent):
        assert row.field_accepts is ((row.name, row.rule) not in refused)


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize(("passenger", "leg"), INDEXES_WRONG)
def test_each_index_of_a_name_is_looked_at(profile: str, passenger: str, leg: str) -> None:
    """A leg without an index was charged, and could not be shown."""
    name = f"airline.passengers[{passenger}].legs[{leg}].carrierCode"
    found = CHECKS[profile].violations_of({name: "LH"})
    assert name in [each.name for each in found]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "sent",
    [
        {"paymentBrand": "MOBILE_WALLET", "mobileWallet.source": "app", "card.expiryMonth": "12"},
        {"bankAccount.holder": "Jane Jones"},
        {"paymentBrand": "VISA", "card.cvv": "123"},
        {},
    ],
)
def test_what_is_missing_is_named_once(profile: str, sent: dict[str, str]) -> None:
    names = [row.name for row in CHECKS[profile].violations_of(sent)]
    assert names and len(names) == len(set(names))
