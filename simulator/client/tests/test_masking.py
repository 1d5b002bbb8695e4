"""Masking: what may not be seen is not seen, and what helps to understand stays."""

import pytest

from simulator.client.shown.masking import MASK, Masking, is_secret, masked_text, passes_luhn

CARD = "4200000000000000"
SHOWN = "420000******0000"
ID = "8ac7a4c7420000000000000000000abc"


@pytest.mark.parametrize(
    "name",
    [
        "card.cvv", "Authorization", "control_key", "live_token", "secret",
        "mobileWallet.paymentToken", "pos.encryptedPin", "pin", "customParameters[password]",
        "user_passphrase", "Sandgate-Passphrase", "threeDSecure.v1.visa.password", "Set-Cookie",
        "key", "X-Auth", "X-Signature", "sig", "signing_key", "customParameters[key]",
    ],
)  # fmt: skip
def test_what_a_secret_name_holds_is_hidden(name: str) -> None:
    assert Masking().value(name, "abc") == MASK


@pytest.mark.parametrize(
    "name",
    [
        "shipping.street1", "amount", "id", "opinion", "card.holder", "keyboard", "ndc", "author",
        "customParameters[keyboard]", "authenticationType", "authentication.entityId", "design",
    ],
)  # fmt: skip
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
        ("4200:0000:0000:0000", SHOWN),
        ("4200%200000%200000%200000", SHOWN),
        ("4200\\n0000\\n0000\\n0000", SHOWN),
        ("4200_0000_0000_0000", SHOWN),
        ("%34%32%30%30000000000%300%30", SHOWN),
        (r"\u0034\u0032\u0030\u0030 0000 0000 \x30\x30\x30\x30", SHOWN),
        ("4200000000000000%31 %34%32%30%30000000000%300%30", f"{SHOWN}1 {SHOWN}"),
        ("12%3A30%3A15 %32%30%32%36", "12%3A30%3A15 %32%30%32%36"),
        ("4200\u200b0000\u200b0000\u200b0000", SHOWN),
        ("４２００００００００００００００", SHOWN),
        ("2026-11-26 20:30:15.123456", "2026-11-26 20:30:15.123456"),
        ("4200000000000001", "4200000000000001"),
        ("4200000000000000" + "0000", "420000**********0000"),
        ("DE89370400440532013000", "DE893704**********3000"),
        (ID, ID),
        (ID.upper(), ID.upper()),
        ("Authorization: Bearer abcdefgh1234", f"Authorization: Bearer {MASK}"),
        ("card.cvv=123&amount=92.00", f"card.cvv={MASK}&amount=92.00"),
        ("{'password': 'a b', 'amount': '1'}", f"{{'password': {MASK}, 'amount': '1'}}"),
        ('{"secret": "a\\"b", "n": 1}', f'{{"secret": {MASK}, "n": 1}}'),
        ("{'token': {'value': 'abc'}, 'n': 1}", f"{{'token': {MASK}, 'n': 1}}"),
        ("a story of wallet tokens: status 400", "a story of wallet tokens: status 400"),
        ("<card><cvv>739</cvv></card>", f"<card><cvv>{MASK}</cvv></card>"),
        ("?next=%2F%3Fcvv%3D739", f"?next=%2F%3Fcvv%3D{MASK}"),
        ("verification_value: 739", f"verification_value: {MASK}"),
        ("{'tokens': [{'a': 'b'}, 'c'], 'n': 1}", f"{{'tokens': {MASK}, 'n': 1}}"),
        ("{'name': 'token', 'value': 'abc'}", f"{{'name': 'token', 'value': {MASK}}}"),
        ("/v1?key=abc&sig=def&n=1", f"/v1?key={MASK}&sig={MASK}&n=1"),
        ("X-Auth: abc", f"X-Auth: {MASK}"),
        ("X-Signature: abc", f"X-Signature: {MASK}"),
        ("keyboard=querty&monkey=1", "keyboard=querty&monkey=1"),
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
    assert Masking().body(float(CARD)) == f"{SHOWN}.0"
    assert Masking().body({"number": int("42" + "0" * 13 + "1")}) == {"number": "420000******0001"}


@pytest.mark.parametrize("value", [123, 12345678, 1.5, {"value": "abc"}, ["abc", {"id": "d"}]])
def test_a_value_of_any_kind_is_hidden_under_a_secret_name(value: object) -> None:
    for name in ("cvv", "secret", "token", "tokens"):
        assert Masking().body([{name: value, "id": "1"}]) == [{name: MASK, "id": "1"}]


def test_whether_there_is_a_secret_may_be_seen() -> None:
    body = {"token": None, "secret": True}
    assert Masking().body(body) == body


def test_a_value_is_hidden_by_the_name_it_is_reported_with() -> None:
    given = [{"name": "token", "value": "abc"}, {"name": "card.number", "value": CARD}]
    assert Masking().body(given) == [
        {"name": "token", "value": MASK}, {"name": "card.number", "value": SHOWN},
    ]  # fmt: skip
    plain = [{"name": "card.number", "message": "is wrong"}, {"name": "memo", "value": "tea"}]
    assert Masking().body(plain) == plain


def test_what_a_refusal_expects_is_no_value() -> None:
    refused = "Sandgate-Passphrase: expected at least 8 characters; got 5"

    assert masked_text(refused) == refused
    assert masked_text("passphrase: expected4711 x") == "passphrase: *** x"


def test_a_secret_is_hidden_wherever_it_stands_once_it_is_known() -> None:
    masking = Masking("of-the-target")
    masking.learn_from({"entities": [{"token": "of-a-sandbox", "id": "a-plain-id"}]})
    assert masking.text("of-the-target, of-a-sandbox, a-plain-id") == f"{MASK}, {MASK}, a-plain-id"


def test_secrets_of_every_kind_are_learned_and_ids_beside_them_are_not() -> None:
    masking = Masking()
    masking.learn_from({"secret": 1234567890, "tokens": ["of-a-list", {"id": "a-plain-id"}]})
    masking.learn_from([{"name": "token", "value": "of-a-pair"}, {"token": {"value": "of-a-box"}}])
    given = "1234567890, of-a-list, of-a-pair, of-a-box, a-plain-id"
    assert masking.text(given) == f"{MASK}, {MASK}, {MASK}, {MASK}, a-plain-id"


@pytest.mark.parametrize(
    "given",
    ['ab+/ cd"ef==', "ab%2B%2F%20cd%22ef%3D%3D", "ab%2b%2f+cd%22ef%3d%3d", 'ab+/ cd\\"ef=='],
)
def test_a_known_secret_is_hidden_in_every_spelling(given: str) -> None:
    masking = Masking('ab+/ cd"ef==', "00aabbccdd")
    masking.learn("ffeeddccbb")
    assert masking.text(f"x {given} y") == f"x {MASK} y"
    assert masking.text("00AABBCCDD ffeeDDCCBB") == f"{MASK} {MASK}"
    assert masking.text("a%20ffeeddccbb%3d") == f"a%20{MASK}%3d"


@pytest.mark.parametrize(
    ("secret", "text", "shown"),
    [
        ("abc", "Bearer abc", f"Bearer {MASK}"),
        ("abc", "got ABC, not 'abc'", f"got {MASK}, not '{MASK}'"),
        ("abc", "a=Bearer%20abc&b=1", f"a=Bearer%20{MASK}&b=1"),
        ("abc", "first\\nabc", f"first\\n{MASK}"),
        ("abc", "my_abc_1", f"my_{MASK}_1"),
        ("a/b", "a/b, a%2Fb, a%2fb", f"{MASK}, {MASK}, {MASK}"),
        ("abc", "abcd xabc abc1", "abcd xabc abc1"),
        ("a", "what was paid as a", f"what was paid as {MASK}"),
    ],
)
def test_a_short_secret_of_the_target_is_hidden_as_a_whole_word(
    secret: str, text: str, shown: str
) -> None:
    """A server that echoed it put it into the report."""
    assert Masking(secret).text(text) == shown
    assert Masking(secret).body({"memo": text}) == {"memo": shown}


def test_what_is_short_is_not_learned_and_no_secret_hides_nothing() -> None:
    masking = Masking("")
    masking.learn_from({"token": "abc", "secret": "+/="})
    assert masking.text("abc, +/=") == "abc, +/="


CAPABILITY = "6592b8ea207b01ec498c65eb7874a9115516ef12def7e791"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"http://h/threeDSecure/{ID}/{CAPABILITY}", f"http://h/threeDSecure/{ID}/{MASK}"),
        (f"redirect/{ID}/{ID}/{CAPABILITY}?a=b", f"redirect/{ID}/{ID}/{MASK}?a=b"),
        (f"redirect/{ID}/{ID}/not-of-hex-signs", f"redirect/{ID}/{ID}/{MASK}"),
        (f"/threeDSecure/results/{CAPABILITY[:20]}xyz", f"/threeDSecure/results/{MASK}"),
        (f"http%3A%2F%2Fh%2Fa%2f{CAPABILITY}", f"http%3A%2F%2Fh%2Fa%2f{MASK}"),
        (f"/v1/payments/{ID}", f"/v1/payments/{ID}"),
    ],
)
def test_the_secret_of_an_address_is_hidden(address: str, shown: str) -> None:
    assert Masking().text(address) == shown
    assert Masking().body({"redirect": {"url": address}}) == {"redirect": {"url": shown}}


def test_a_check_digit_is_counted_from_the_end() -> None:
    assert passes_luhn("79927398713")
    assert not passes_luhn("79927398710")
