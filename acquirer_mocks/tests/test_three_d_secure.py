"""The directory server: which cards take part, what an ARes says, what decides it."""

import re
from base64 import b64decode

import pytest

from acquirer_mocks.tests.bench import (
    CHALLENGE_CARD,
    FRICTIONLESS_CARD,
    PLAIN_CARD,
    SANDBOX,
    Bench,
    areq_of,
    minutes,
    steps,
)
from acquirer_mocks.three_d_secure.cases import CASES, COURSES, case_of
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.derive.schemas.three_d_secure import wrong_with

PART_TAKING = [row for row in TEST_CARDS if row.meaning in CASES]
OTHERS = [row for row in TEST_CARDS if row.meaning not in CASES]
MASTER = {"Y": "02", "A": "01", "N": "00", "U": "00", "C": None}
VISA = {"Y": "05", "A": "06", "N": "07", "U": "07", "C": None}
FORCED = "customParameters[3DS2_enrolled]", "customParameters[3DS2_flow]"


@pytest.mark.parametrize("card", PART_TAKING, ids=lambda card: card.number)
@pytest.mark.parametrize("version", ["2.1.0", "2.2.0"])
def test_every_card_of_the_list_is_taken_as_the_list_says(card, version):
    bench, case = Bench(), CASES[card.meaning]
    found = bench.lookup(card.number)
    assert (found["enrolled"], found["messageVersions"]) == (True, ["2.1.0", "2.2.0"])
    assert ("threeDSMethodURL" in found) == case.has_method == ("with method" in card.meaning)
    ares = bench.areq(card.number, messageVersion=version)
    assert wrong_with(ares, "ARes") is None
    assert ares["messageVersion"] == version
    assert (ares["transStatus"], ares.get("transStatusReason", "")) == COURSES[case.course]
    assert ("authenticationValue" in ares) == (ares["transStatus"] in "YA")
    assert ("acsURL" in ares) == (ares["transStatus"] == "C")
    ecis = MASTER if card.brand in ("MASTER", "MAESTRO", "UNIONPAY") else VISA
    assert ares.get("eci") == ecis[ares["transStatus"]]


def test_the_list_has_every_way_of_taking_a_card():
    assert {row.meaning for row in PART_TAKING} == set(CASES)


@pytest.mark.parametrize("card", OTHERS, ids=lambda card: card.number)
def test_a_card_that_is_on_no_list_takes_no_part(card):
    bench = Bench()
    assert bench.lookup(card.number) == {"enrolled": False, "messageVersions": []}
    erro = bench.areq(card.number)
    assert (erro["messageType"], erro["errorCode"]) == ("Erro", "305")
    assert wrong_with(erro, "Erro") is None
    assert card.number not in str(erro)


@pytest.mark.parametrize(
    ("number", "parameters", "status"),
    [
        (PLAIN_CARD, {FORCED[0]: "true"}, "Y"),
        (PLAIN_CARD, {FORCED[0]: "true", FORCED[1]: "challenge"}, "C"),
        (PLAIN_CARD, {FORCED[1]: "frictionless"}, "Y"),
        (CHALLENGE_CARD, {FORCED[1]: "frictionless"}, "Y"),
        (FRICTIONLESS_CARD, {FORCED[1]: "challenge"}, "C"),
        (FRICTIONLESS_CARD, {FORCED[1]: "sideways"}, "Y"),
        (CHALLENGE_CARD, {FORCED[0]: "false"}, None),
    ],
)
def test_custom_parameters_force_how_a_card_is_taken(number, parameters, status):
    bench = Bench()
    ares = bench.areq(number, parameters=parameters)
    assert ares.get("transStatus") == status
    extension = areq_of(number, parameters=parameters)["messageExtension"]
    assert bench.lookup(number, messageExtension=extension)["enrolled"] == (status is not None)


@pytest.mark.parametrize(
    ("indicator", "plain", "challenging"),
    [
        ("01", "Y", "C"),
        ("02", "Y", "Y"),
        ("03", "Y", "C"),
        ("04", "C", "C"),
        ("05", "Y", "Y"),
        ("06", "I", "I"),
        ("07", "Y", "Y"),
        ("08", "Y", "Y"),
        ("09", "C", "C"),
    ],
)
def test_the_merchant_asks_for_a_challenge_or_for_none(indicator, plain, challenging):
    bench, asked = Bench(), {"threeDSRequestorChallengeInd": indicator}
    assert bench.areq(FRICTIONLESS_CARD, **asked)["transStatus"] == plain
    ares = bench.areq(CHALLENGE_CARD, **asked)
    assert ares["transStatus"] == challenging
    assert wrong_with(ares, "ARes") is None


def test_no_exemption_lets_a_card_pass_that_is_refused():
    for card in ("4012001037461114", "4012001037141112"):
        asked = Bench().areq(card, threeDSRequestorChallengeInd="05")
        assert asked["transStatus"] in ("U", "N")


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("frictionless", "Y"),
        ("attempt", "A"),
        ("challenge", "C"),
        ("reject", "R"),
        ("unavailable", "U"),
        ("not_enrolled", "N"),
        ("bad_signature", "C"),
        ("replay", "C"),
        ("wrong_id", "C"),
        ("tampered_status", "C"),
        ("late", "C"),
    ],
)
def test_a_script_comes_before_list_and_wish(word, status):
    bench = Bench(steps(word))
    ares = bench.areq(PLAIN_CARD, threeDSRequestorChallengeInd="04")
    assert ares["transStatus"] == status
    assert wrong_with(ares, "ARes") is None


def test_a_script_counts_the_authentications_and_not_the_lookups():
    bench = Bench(steps("reject", times=1))
    extension = areq_of()["messageExtension"]
    assert bench.lookup(PLAIN_CARD, messageExtension=extension)["enrolled"]
    assert [each.matched for each in bench.scripts()] == [0]
    assert bench.areq(CHALLENGE_CARD)["transStatus"] == "R"
    assert [each.matched for each in bench.scripts()] == [0, 1]
    assert bench.areq(CHALLENGE_CARD)["transStatus"] == "C"


def test_a_script_that_speaks_for_the_acquirer_as_well_is_counted_there():
    bench = Bench(steps("reject", times=1, also={"acquirer": {"approve": {}}}))
    assert bench.areq()["transStatus"] == "R"
    assert [each.matched for each in bench.scripts()] == [0]


def test_a_script_matches_on_what_the_payment_is_about():
    fits = {"amount": "92.00", "brand": "VISA", "bin": "420000", "type": "DB"}
    custom = {"match": {"customParameters": {"lane": "7"}}}
    assert Bench(steps("reject", match=fits)).areq()["transStatus"] == "R"
    assert Bench(steps("reject", match={"amount": "92.01"})).areq()["transStatus"] == "C"
    sent = {"customParameters[lane]": "7"}
    assert Bench(steps("reject", **custom)).areq(parameters=sent)["transStatus"] == "R"
    assert Bench(steps("reject", **custom)).areq()["transStatus"] == "C"


def test_scripts_of_another_sandbox_do_not_match():
    bench = Bench(steps("reject"))
    extension = areq_of()["messageExtension"][0]
    extension["data"]["sandbox"] = "b" * 32
    assert bench.areq(messageExtension=[extension])["transStatus"] == "C"
    assert bench.areq(messageExtension=None)["transStatus"] == "C"


def test_no_answer_comes_where_a_script_says_so_and_thirty_seconds_pass():
    bench = Bench(steps("no_answer"))
    before = bench.clock.now()
    answer = bench.post("ds/areq", areq_of())
    assert (answer.status_code, answer.content) == (504, b"")
    assert bench.clock.now() - before == minutes(0.5)


def test_an_authentication_value_has_twenty_bytes():
    ares = Bench().areq(FRICTIONLESS_CARD)
    assert re.fullmatch("[A-Za-z0-9+/]{27}=", ares["authenticationValue"])
    assert len(b64decode(ares["authenticationValue"])) == 20


def test_ids_come_back_and_new_ones_are_given():
    ares = Bench().areq(FRICTIONLESS_CARD)
    assert ares["threeDSServerTransID"] == areq_of()["threeDSServerTransID"]
    assert len({ares["threeDSServerTransID"], ares["dsTransID"], ares["acsTransID"]}) == 3


def test_a_refusal_carries_a_text_for_the_cardholder():
    assert Bench(steps("reject")).areq()["cardholderInfo"]


def test_no_case_is_named_that_no_list_has():
    assert case_of(CHALLENGE_CARD) is not None
    assert case_of("4" * 16) is None


def test_the_number_of_a_card_is_logged_nowhere(caplog):
    caplog.set_level("DEBUG")
    bench = Bench()
    bench.areq(CHALLENGE_CARD)
    bench.areq(PLAIN_CARD)
    bench.areq(CHALLENGE_CARD, cardExpiryDate="never", cardholderName="\x00")
    assert caplog.text
    for secret in (CHALLENGE_CARD, PLAIN_CARD):
        assert secret not in caplog.text
    assert SANDBOX not in caplog.text
