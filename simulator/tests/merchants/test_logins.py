"""The older login: a merchant's id and a token of its own, in the place of the header."""

from base64 import b64encode
from typing import NamedTuple

import pytest
from falcon.testing import Result

from simulator.tests.kit.gateway import FORM, ORDER, Credentials, Gateway

USER, PASSWORD = "authentication.userId", "authentication.password"


class Shop(NamedTuple):
    """A sandbox of the profile field: its credentials, and its first merchant's id."""

    merchant: Credentials
    user: str
    sandbox: str


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return shop_of(gateway, profile="field")


def shop_of(gateway: Gateway, **options: object) -> Shop:
    made = gateway.control("POST", "/sandboxes", options).json
    merchant = Credentials(made["token"], made["entity_id"])
    return Shop(merchant, made["entities"]["merchants"][0]["id"], made["id"])


def logging_in(gateway: Gateway, shop: Shop, *, header: str | None = None, **more: str) -> Result:
    sent = {
        "entityId": shop.merchant.entity_id,
        USER: shop.user,
        PASSWORD: shop.merchant.token,
        **ORDER,
        **{name.replace("_", "."): value for name, value in more.items()},
    }
    return gateway.client.simulate_post(
        "/v1/payments",
        headers={} if header is None else {"Authorization": header},
        body="&".join(f"{name}={value}" for name, value in sent.items()).encode(),
        content_type=FORM,
        extras={"sandgate.listener": "plain"},
    )


def test_the_older_login_pays(gateway: Gateway, shop: Shop) -> None:
    answer = logging_in(gateway, shop)
    assert (answer.status_code, answer.json["result"]["code"]) == (200, "000.100.110")


@pytest.mark.parametrize("overrides", [{"D-179": "refuse"}, {"D-179": "specification"}])
def test_a_switch_refuses_it(gateway: Gateway, overrides: dict[str, str]) -> None:
    shop = shop_of(gateway, profile="field", overrides=overrides)
    assert logging_in(gateway, shop).status_code == 401


def test_the_specification_knows_no_login(gateway: Gateway) -> None:
    shop = shop_of(gateway)
    assert logging_in(gateway, shop).status_code == 401
    token = b64encode(f"{shop.user}|{shop.merchant.token}".encode()).decode()
    assert logging_in(gateway, shop, header=f"Bearer {token}").status_code == 403


def test_a_login_counts_for_nothing_beside_a_header(gateway: Gateway, shop: Shop) -> None:
    assert logging_in(gateway, shop, header="Bearer 0123456789abcdef").status_code == 403
    assert logging_in(gateway, shop, header="Basic abc").status_code == 401


def test_a_login_needs_the_merchant_of_its_token(gateway: Gateway, shop: Shop) -> None:
    other = shop_of(gateway, profile="field")
    assert logging_in(gateway, shop._replace(user=other.user)).status_code == 403
    crossed = shop._replace(merchant=other.merchant._replace(entity_id=shop.merchant.entity_id))
    assert logging_in(gateway, crossed).status_code == 403


@pytest.mark.parametrize("part", ["user", "merchant"])
def test_a_wrong_login_is_forbidden_and_named(gateway: Gateway, shop: Shop, part: str) -> None:
    """Source: E38."""
    wrong = {"user": "8" * 32, "merchant": shop.merchant._replace(token="8" * 32)}
    answer = logging_in(gateway, shop._replace(**{part: wrong[part]}))
    said = answer.json["resultDetails"]["ExtendedDescription"]
    assert (answer.status_code, answer.json["result"]["code"]) == (403, "800.900.300")
    assert USER in said and PASSWORD in said and "8888" not in said
    assert "header" not in said


def test_both_parts_are_a_token(gateway: Gateway, shop: Shop) -> None:
    token = b64encode(f"{shop.user}|{shop.merchant.token}".encode()).decode()
    assert logging_in(gateway, shop, header=f"Bearer {token}").status_code == 200


@pytest.mark.parametrize("token", ["AAAA", "fHw=", "////", "a", "8xyz|"])
def test_a_token_that_is_no_login_is_forbidden_or_unreadable(
    gateway: Gateway, shop: Shop, token: str
) -> None:
    assert logging_in(gateway, shop, header=f"Bearer {token}").status_code in (401, 403)


def test_a_body_that_cannot_be_read_is_no_login(gateway: Gateway, shop: Shop) -> None:
    answer = gateway.client.simulate_post(
        "/v1/payments", body=b"\xff\xfe", content_type=FORM, extras={"sandgate.listener": "plain"}
    )
    assert answer.status_code == 401
    answer = gateway.client.simulate_post(
        "/v1/payments",
        body=b"a=" + b"b" * (2 * 2**20),
        content_type=FORM,
        extras={"sandgate.listener": "plain"},
    )
    assert answer.status_code == 401


def test_the_journal_has_neither_part_of_a_login(gateway: Gateway, shop: Shop) -> None:
    logging_in(gateway, shop)
    logging_in(gateway, shop, card_number="4200000000000001")
    journal = gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal")
    assert journal.json["entries"]
    assert shop.merchant.token not in journal.text
    assert USER not in journal.text
    assert PASSWORD not in journal.text
