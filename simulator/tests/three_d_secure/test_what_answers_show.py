"""What answers show of an authentication: the formats of parameters, and all that MPI data need."""

import pytest
from msgspec.structs import replace

from simulator.catalogue.fields.three_d_secure import THREE_D_SECURE
from simulator.derive.checks.acceptance import acceptance_of
from simulator.domain.core.records import Payment
from simulator.domain.three_d_secure.authentications import shown_after, shown_of
from simulator.tests.kit.authenticating import VALUE, pay, saying, secured
from simulator.tests.kit.making import Answering

FITS = {row.name: acceptance_of(row.format) for row in THREE_D_SECURE.rows}
NAMES = ("eci", "verificationId", "enrollmentStatus", "authenticationStatus")


def shown_in(payment: Payment, name: str) -> str | None:
    return payment.shown.get(f"threeDSecure.{name}")


@pytest.mark.parametrize("kind", ["DB", "3D"])
@pytest.mark.parametrize(
    ("status", "more", "shown"),
    [
        ("Y", {}, ("05", VALUE, "Y", "Y")),
        ("A", {"eci": "01"}, ("01", VALUE, "Y", "A")),
        ("N", {"eci": "00", "transStatusReason": "13"}, (None, None, "N", "N")),
        ("N", {"eci": "07", "transStatusReason": "11"}, ("07", None, "Y", "N")),
        ("U", {"eci": "00", "transStatusReason": "22"}, (None, None, "U", "U")),
        ("R", {"eci": "00", "transStatusReason": "11"}, (None, None, "Y", None)),
        ("I", {"eci": "09"}, (None, None, "Y", None)),
    ],
)
def test_an_answer_shows_what_a_request_may_send(kind, status, more, shown) -> None:
    payment = pay(secured(saying(status, **more)), paymentType=kind)
    assert tuple(shown_in(payment, name) for name in NAMES) == shown
    assert all(FITS[name](value) for name, value in payment.shown.items() if name in FITS)


def test_the_result_of_an_authentication_pays_as_data_of_an_external_mpi() -> None:
    acquirer = Answering()
    context = secured(saying("Y"), acquirer)
    alone = pay(context, paymentType="3D")
    result = {name: value for name, value in alone.shown.items() if name in FITS}
    assert {f"threeDSecure.{name}" for name in NAMES} <= result.keys()
    pay(context, **result)
    (asked,) = acquirer.asks
    assert result.items() <= asked.parameters.items()


def test_the_results_of_a_challenge_take_the_place_of_what_was_shown_before() -> None:
    before = shown_of({"transStatus": "C", "eci": "02"}, is_challenge=True)
    payment = pay(secured(saying("Y")))
    pending = replace(payment, shown={**before, "threeDSecure.eci": "02"})
    results = {"transStatus": "N", "transStatusReason": "01", "eci": "00"}
    assert shown_after(pending, results) == {
        "threeDSecure.authenticationStatus": "N",
        "threeDSecure.transactionStatusReason": "01",
        "threeDSecure.enrollmentStatus": "Y",
        "threeDSecure.flow": "challenge",
    }
