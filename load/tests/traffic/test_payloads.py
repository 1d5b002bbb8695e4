"""Payloads keep the formats of the fields, by the conformance suite's copy of the specification."""

import re
from datetime import date

import gevent
import msgspec
import pytest

from features.spec.fields import request_fields
from features.spec.forms import FORMS, MEANINGS
from load.plan.plan import decode_plan
from load.tests.records import create_plan
from load.traffic.payloads import CARDS, DECLINES, LOCALES, Payloads, create_shoppers
from load.traffic.requests import (
    OpenPayment,
    declined_payment,
    excessive_capture,
    new_checkout,
    new_payment,
    new_registration,
    pay_checkout,
    pay_registration,
    referring_payment,
    report_of_days,
    reversal,
)

# The forms of the generated fields, transcribed a second time; each matches the good examples of
# the conformance suite and none of the bad ones.
PATTERNS = {
    "amount": r"[0-9]{1,10}(\.[0-9]{2})?",
    "01-12": r"0[1-9]|1[0-2]",
    "year": r"(19|20)[0-9]{2}",
    "card number": r"[0-9]{12,19}",
    "security code": r"[0-9]{3,4}",
    "uppercase country": r"DE|GB|FR|ES|IT|NL",
    "email": r"(?=.{6,128}$)[^@\s]+@[^@\s]+\.[a-z]{2,}",
    "brand": r"[A-Z0-9_]{1,32}",
    "currency": r"EUR|GBP",
    "date": r"20[2-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
    "free": r".*",
}
# The field lists the types of initial payments; these refer to one. Source: Back office.
REFERRING = {"CP", "RF", "RV", "CB"}
CLASSES = {
    "letters": r"[^\W\d_]+(?:[ .'\-][^\W\d_]+)*",
    "digits": r"[0-9]+",
    "letters and digits": r"[^\W_]+",
    "letters, digits, underscore": r"\w+",
    "letters, digits, dot": r"[\w.]+",
    "letters, digits, hyphen": r"[\w-]+",
    "any": r"[^\x00-\x1f]+",
}


def forms_of(seed: int):
    """Yield the forms of every kind of request a seed draws, many of each."""
    payloads = Payloads(str(seed), create_shoppers(seed, 40))
    payment = OpenPayment("8" * 32, "PA", 100_00, "load-1")
    for _ in range(40):
        for kind in ("PA", "DB", "CD"):
            yield new_payment(payloads, kind).form
        yield declined_payment(payloads).form
        for kind in ("CP", "RF", "CB"):
            yield referring_payment(kind, payment, payloads.draw_part(payment.cents)).form
        yield excessive_capture(payment).form
        yield reversal(payment).form
        request = new_checkout(payloads)
        yield request.form
        yield pay_checkout(payloads, "x", request).form
        yield new_registration(payloads).form
        yield pay_registration(payloads, "8" * 32, mode="REPEATED").form


def violation_of(name: str, value: str) -> str:
    """Return how a value violates the conformance suite's field; empty if it does not."""
    if name == "paymentType" and value in REFERRING:
        return ""
    limits = request_fields().get(name)
    if limits is None:
        return f"{name} is an unknown field"
    form = MEANINGS.get(name, limits.form)
    if form:
        return "" if re.fullmatch(PATTERNS[form], value) else f"{name}={value!r} is no {form}"
    if limits.values:
        return "" if value in limits.values else f"{name}={value!r} is none of {limits.values}"
    if not limits.least <= len(value) <= (limits.most or 2048):
        return f"{name}={value!r} has {len(value)} characters"
    if not re.fullmatch(CLASSES[limits.characters], value):
        return f"{name}={value!r} has other characters than {limits.characters}"
    return ""


@pytest.mark.parametrize("seed", [1, 2, 3, 4711])
def test_every_generated_field_is_within_its_limits(seed):
    fields = {(name, value) for form in forms_of(seed) for name, value in form.items()}

    assert len(fields) > 300
    assert [wrong for name, value in sorted(fields) if (wrong := violation_of(name, value))] == []


def test_a_field_beyond_its_limits_would_be_found():
    assert violation_of("billing.city", "x" * 81)
    assert violation_of("card.cvv", "12")
    assert violation_of("amount", "92.0")
    assert violation_of("customer.giveName", "Jane")
    assert violation_of("paymentType", "PP")


@pytest.mark.parametrize("form", sorted(PATTERNS.keys() - {"free", "uppercase country"}))
def test_the_second_transcription_rejects_what_the_suite_rejects(form):
    bad = [text for name, text in FORMS[form].bad.items() if name not in UNREAD_BY_A_PATTERN]

    assert [text for text in FORMS[form].good.values() if not re.fullmatch(PATTERNS[form], text)
            and form != "brand"] == []  # fmt: skip
    assert [text for text in bad if re.fullmatch(PATTERNS[form], text)] == []


# A calendar says that these are no days, which no generated value can be wrong about.
UNREAD_BY_A_PATTERN = {"no-such-day", "no-leap-day", "21st-hundred"}


def test_the_same_seed_draws_the_same_payloads_and_another_seed_others():
    assert list(forms_of(5)) == list(forms_of(5))
    assert list(forms_of(5)) != list(forms_of(6))


def test_no_two_users_draw_the_same_reference():
    shoppers = create_shoppers(1, 3)
    users = [Payloads(f"1/{process}/{user}", shoppers) for process in (0, 1) for user in (1, 2)]
    drawn = [user.next_reference() for user in users for _ in range(50)]

    assert len(set(drawn)) == len(drawn)


def test_the_same_seed_draws_other_references_in_another_run():
    shoppers = create_shoppers(1, 3)
    runs = [create_plan().run, create_plan().run]
    first, second = (Payloads("1/0/1", shoppers, run=run) for run in runs)

    assert first.next_reference() != second.next_reference()
    assert first.draw_cents() == second.draw_cents()
    assert decode_plan(msgspec.json.encode(create_plan(run="7"))).run == "7"


def test_shoppers_come_from_every_country_of_the_locales():
    countries = {shopper.person["billing.country"] for shopper in create_shoppers(1)}

    assert countries == {locale[-2:] for locale in LOCALES}


def test_others_have_their_turn_while_shoppers_are_created():
    turns = []

    def send_heartbeats():
        while True:
            turns.append(1)
            gevent.sleep(0)

    heartbeats = gevent.spawn(send_heartbeats)
    try:
        create_shoppers(1, 20)
    finally:
        heartbeats.kill()

    assert len(turns) >= len(LOCALES) + 20


def test_baskets_are_mostly_small_and_always_within_the_limits():
    payloads = Payloads("1", create_shoppers(1, 3))
    drawn = sorted(payloads.draw_cents() for _ in range(5000))

    assert drawn[0] >= 1_00
    assert drawn[-1] <= 2_000_00
    assert 40_00 < drawn[2500] < 60_00


def test_every_card_has_a_security_code_of_the_length_its_brand_wants():
    shopper = create_shoppers(1, 1)[0]

    assert len(shopper.cvv) == 4
    assert {card.cvv_digits for card in CARDS if card.brand == "AMEX"} == {4}
    assert {row.card.cvv_digits for row in DECLINES} == {3}


def test_a_report_of_days_names_two_days_and_a_page():
    form = report_of_days(date(2026, 1, 31), date(2026, 2, 1), 50).form

    assert set(form) == {"date.from", "date.to", "limit"}
    assert [violation_of(name, form[name]) for name in ("date.from", "date.to")] == ["", ""]
