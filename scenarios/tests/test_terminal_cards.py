"""The cards for terminals: complete, different from every other card, and with sound keys."""

import pytest
from stdnum import luhn

from scenarios.issuer_cards import ROWS
from scenarios.terminal_cards import TerminalCard, terminal_card, terminal_cards
from simulator.catalogue.messages.card_responses import RESULT_OF
from simulator.catalogue.test_cards import TEST_CARDS

FILE = terminal_cards()
CARDS = FILE.cards
NAMES = ["gold", "sign", "offline", "online-only", "wrong-pin-proof", "blocked", "stolen", "poor"]
NAMES += ["tap", "tap-old", "dead-chip", "two-apps"]
KEYS = {
    **{name: getattr(FILE.issuer.master_keys, name) for name in ("ac", "smi", "smc", "cvc3")},
    "pvk": FILE.issuer.pvk,
    "cvk": FILE.issuer.cvk,
}
RSA = {
    "issuer": FILE.issuer.rsa,
    **{row.rid: row for row in FILE.authorities},
    **{name: card.rsa for name, card in CARDS.items() if card.rsa is not None},
}


def test_the_twelve_cards_are_there() -> None:
    assert list(CARDS) == NAMES


def test_every_number_is_one_that_nothing_else_means() -> None:
    numbers = [card.number for card in CARDS.values()]
    others = {row.number for row in TEST_CARDS} | {row.number for row in ROWS}
    assert len(set(numbers)) == len(CARDS)
    assert all(luhn.is_valid(number) for number in numbers)
    assert others.isdisjoint(numbers)


def test_a_number_that_is_no_card_of_the_file_finds_nothing() -> None:
    assert terminal_card("4242424242424242") is None
    assert terminal_card(CARDS["gold"].number) == ("gold", CARDS["gold"])


@pytest.mark.parametrize("name", KEYS)
def test_each_key_is_a_double_length_des_key_with_odd_parity(name: str) -> None:
    key = bytes.fromhex(KEYS[name])
    assert len(key) == 16
    assert key[:8] != key[8:]
    assert all(byte.bit_count() % 2 for byte in key)


@pytest.mark.parametrize("name", RSA)
def test_each_rsa_key_has_two_primes_that_its_exponent_fits(name: str) -> None:
    p, q = (int(each.replace(" ", ""), 16) for each in (RSA[name].p, RSA[name].q))
    assert p != q
    assert (p * q).bit_length() % 64 == 0
    assert (p - 1) % 3 and (q - 1) % 3
    assert all(pow(base, prime - 1, prime) == 1 for prime in (p, q) for base in (2, 3, 5, 7, 11))


@pytest.mark.parametrize("name", CARDS)
def test_the_fields_of_each_card_fit_together(name: str) -> None:
    card = CARDS[name]
    assert (card.pin is None) == (card.pvv is None)
    assert ("contactless" in card.interfaces) == (card.contactless is not None)
    assert card.issuer.refuses is None or card.issuer.refuses in RESULT_OF
    assert card.cvn in ((10, 18, 22) if card.scheme == "1" else (16, 17, 20, 21))
    assert len(card.number) + len(card.discretionary.magstripe) + 8 <= 37
    assert all(bytes.fromhex(value) or not value for value in card.data.values())
    assert all(app.aid[:10] in {row.rid for row in FILE.authorities} for app in card.applications)


@pytest.mark.parametrize("name", CARDS)
def test_the_issuer_application_data_name_the_version_of_the_cryptogram(name: str) -> None:
    card = CARDS[name]
    version = {10: "0A", 16: "10", 17: "11", 18: "12", 20: "14", 21: "15", 22: "22"}[card.cvn]
    place = 4 if card.cvn in (10, 18) else 2
    assert card.iad[place : place + 2] == version


def test_nothing_secret_is_shown_by_a_record() -> None:
    for record in (FILE, FILE.issuer, FILE.issuer.master_keys, CARDS["gold"], CARDS["gold"].rsa):
        assert repr(record) == f"{type(record).__name__}(...)"
    assert isinstance(CARDS["gold"], TerminalCard)
