"""Which answers to the upload of a payment that was approved offline are the issuer's, and which
only say that it was not reached: the goods are gone, and the payment stays stored until it is
decided.
"""

import pytest

from pos_emulator.terminal.records import Ending, Stage
from pos_emulator.tests.terminal.shop import Shop, ended, without_network
from pos_emulator.tests.terminal.unknown.replaced_answers import ReplacedAnswers, said
from simulator.client.wire import Answer

# A card host that is signed off, starts, is too late or has a fault; no way to the issuer.
NOT_REACHED = [
    ("900.100.600", "91"), ("900.100.600", "92"), ("900.100.600", "80"), ("900.100.600", "Z3"),
    ("900.100.203", "96"), ("900.100.500", "19"), ("900.100.500", "90"), ("900.100.400", "68"),
    ("900.100.200", "06"), ("900.100.100", "05"), ("900.100.301", "68"), ("900.100.700", "96"),
    ("999.999.999", "96"), ("000.400.030", "00"), ("800.100.176", "91"), ("800.100.180", "31"),
    ("900.100.600", ""), ("800.100.152", ""),
]  # fmt: skip
DECLINED = [("800.100.152", "05"), ("800.100.155", "51"), ("900.100.202", "24")]


def answered(code: str, issuer_code: str) -> Answer:
    """An answer with the issuer's code, if it has one."""
    clearing = {"authorizationIssuerCode": issuer_code} if issuer_code else {}
    return said(400, code, pos={"clearing": clearing})


@pytest.mark.parametrize(("code", "issuer_code"), NOT_REACHED)
def test_an_upload_that_the_issuer_was_not_asked_about_stays_stored(
    shop: Shop, code: str, issuer_code: str
):
    without_network(shop)
    ReplacedAnswers(shop).posts = [answered(code, issuer_code)]

    left = [shop.terminal.work()]
    stored = shop.terminal.entries()[-1].stage
    shop.clock.advance(minutes=1)
    left.append(shop.terminal.work())

    assert (left, stored) == ([1, 0], Stage.STORED)
    assert shop.terminal.entries()[-1].stage is Stage.APPROVED
    shop.agree()


@pytest.mark.parametrize(
    ("code", "issuer_code", "waits"),
    [
        ("800.100.152", "", 1),
        ("600.200.500", "", 1),
        ("900.100.600", "92", 1),
        ("800.100.176", "92", 1),
        ("800.100.176", "91", 2),
        ("900.100.600", "91", 2),
    ],
)
def test_an_upload_that_fails_for_itself_alone_keeps_no_other_back(
    shop: Shop, code: str, issuer_code: str, waits: int
):
    without_network(shop)
    shop.clock.advance(seconds=5)
    without_network(shop)
    ReplacedAnswers(shop).posts = [answered(code, issuer_code)]

    left = [shop.terminal.work()]
    shop.clock.advance(minutes=1)
    left.append(shop.terminal.work())

    assert left == [waits, 0]
    shop.agree()


def test_an_upload_that_was_refused_and_is_pending_now_keeps_the_later_ones_back(shop: Shop):
    without_network(shop)
    pending = said(200, "000.000.100", payments=[{"result": {"code": "000.200.000"}}])
    answers = ReplacedAnswers(shop)
    answers.posts, answers.gets = [answered("800.100.152", "")], [pending]

    left = [shop.terminal.work()]
    without_network(shop)
    for _ in range(2):
        shop.clock.advance(minutes=1)
        left.append(shop.terminal.work())

    assert left == [1, 2, 0]
    shop.agree()


@pytest.mark.parametrize(("code", "issuer_code"), DECLINED)
def test_an_upload_that_the_issuer_declines_is_a_loss(shop: Shop, code: str, issuer_code: str):
    without_network(shop)
    ReplacedAnswers(shop).posts = [answered(code, issuer_code)]

    assert shop.terminal.work() == 0
    assert ended(shop.terminal.entries()[-1]) == (Stage.FAILED, Ending.DECLINED)
