"""Masking: what may not be seen is not seen, and what helps to understand stays."""

import pytest

from features.masking import MASK, Masking, is_secret, masked_text, passes_luhn

CARD = "4200000000000000"
SHOWN = "420000******0000"
ID = "8ac7a4c7420000000000000000000abc"


@pytest.mark.parametrize(
    "name",
    [
        "card.cvv", "Authorization", "control_key", "live_token", "secret",
        "mobileWallet.paymentToken", "pos.encryptedPin", "pin", "customParameters[password]",
        "user_passphrase", "Sandgate-Passphrase", "threeDSecure.v1.visa.password", "Set-Cookie",
    ],
)  # fmt: skip
def test_what_a_secret_name_holds_is_hidden(name: str) -> None:
    assert Masking().value(name, "abc") == MASK


@pytest.mark.parametrize("name", ["shipping.street1", "amount", "id", "opinion", "card.holder"])
def test_an_ordinary_name_hides_nothing(name: str) -> None:
    assert not is_secret(name)
    assert Masking().value(name, "abc") == "abc"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"paid by {CARD}.", f"paid by {SHOWN}."),
        (f"x{CARD}y", f"x{SHOWN}y"),
        ("4200 0000 0000 0000", SHOWN),
        ("4200-0000-0000-0000", SHOWN),
        ("4200000000000001", "4200000000000001"),
        ("4200000000000000" + "0000", "420000**********0000"),
        ("DE89370400440532013000", "DE893704**********3000"),
        (ID, ID),
        (ID.upper(), ID.upper()),
        ("Authorization: Bearer abcdefgh1234", f"Authorization: Bearer {MASK}"),
        ("card.cvv=123&amount=92.00", f"card.cvv={MASK}&amount=92.00"),
        ("{'password': 'a b', 'amount': '1'}", f"{{'password': {MASK}, 'amount': '1'}}"),
    ],
)
def test_a_text_shows_no_number_and_no_credentials(text: str, shown: str) -> None:
    assert masked_text(text) == shown


def test_a_card_number_keeps_its_ends_whatever_its_check_digit() -> None:
    assert Masking().value("card.number", "4200000000000001") == "420000******0001"
    assert Masking().value("card.number", "42000") == MASK


def test_a_body_is_masked_to_its_last_member() -> None:
    body = {"card": {"number": CARD, "holder": "Jane"}, "list": [{"token": "t"}], CARD: 1, "n": 7}
    assert Masking().body(body) == {
        "card": {"number": SHOWN, "holder": "Jane"}, "list": [{"token": MASK}], SHOWN: 1, "n": 7,
    }  # fmt: skip
    assert Masking().body(int(CARD)) == SHOWN


def test_a_secret_is_hidden_wherever_it_stands_once_it_is_known() -> None:
    masking = Masking("of-the-target")
    masking.learn_from({"entities": [{"token": "of-a-sandbox", "id": "a-plain-id"}]})
    assert masking.text("of-the-target, of-a-sandbox, a-plain-id") == f"{MASK}, {MASK}, a-plain-id"


def test_a_check_digit_is_counted_from_the_end() -> None:
    assert passes_luhn("79927398713")
    assert not passes_luhn("79927398710")
