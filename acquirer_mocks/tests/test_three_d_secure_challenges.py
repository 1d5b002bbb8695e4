"""The challenge: what the page asks, how it ends, what gateway and browser receive."""

import pytest

from acquirer_mocks.tests.bench import (
    BACK,
    CODE,
    PAYMENT,
    RESULTS,
    SERVER_ID,
    SESSION,
    Bench,
    creq_of,
    minutes,
    packed,
    rres_to,
    steps,
    unpacked,
)
from acquirer_mocks.three_d_secure.access_control import SILENCE
from acquirer_mocks.three_d_secure.challenges import LATE, LIFETIME
from simulator.adapters.journal import STEPS_MAX
from simulator.derive.schemas.three_d_secure import wrong_with
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import AccountHierarchy, Payment, PaymentType, State
from simulator.domain.journal.entries import Party
from simulator.tests.kit.twins import START

RIGHT, WRONG = {"code": CODE}, {"code": "000000"}


def test_the_page_says_who_asks_for_what_and_shows_the_code():
    page = Bench().challenge().page.text
    for part in ("Corner Shop", "92.00 EUR", "ends in 0018", CODE):
        assert part in page
    assert "4200000000000018" not in page


def test_the_right_code_confirms_to_the_gateway_first_and_then_the_browser_goes_back():
    bench = Bench()
    challenge = bench.challenge()
    page = bench.browse(challenge.path, {"code": f" {CODE[:3]} {CODE[3:]} "}).text
    [(url, rreq)] = bench.results
    assert url == RESULTS
    assert wrong_with(rreq, "RReq") is None
    assert (rreq["transStatus"], rreq["eci"], rreq["interactionCounter"]) == ("Y", "05", "01")
    assert len(rreq["authenticationValue"]) == 28
    assert "challengeCancel" not in rreq
    ares = challenge.ares
    for name in ("threeDSServerTransID", "dsTransID", "acsTransID", "messageVersion"):
        assert rreq[name] == ares[name]
    cres = cres_in(page)
    assert wrong_with(cres, "CRes") is None
    assert (cres["transStatus"], cres["threeDSServerTransID"]) == ("Y", SERVER_ID)
    assert f'action="{BACK}"' in page
    assert f'name="threeDSSessionData" value="{SESSION}"' in page


def test_three_wrong_codes_end_it_and_the_page_counts_them():
    bench = Bench()
    challenge = bench.challenge()
    assert "2 attempts are left" in bench.browse(challenge.path, WRONG).text
    assert "1 attempt is left" in bench.browse(challenge.path, WRONG).text
    assert bench.results == []
    page = bench.browse(challenge.path, WRONG).text
    [(_, rreq)] = bench.results
    assert (rreq["transStatus"], rreq["transStatusReason"]) == ("N", "19")
    assert (rreq["eci"], rreq["interactionCounter"]) == ("07", "03")
    assert "authenticationValue" not in rreq
    assert cres_in(page)["transStatus"] == "N"


def test_the_right_code_after_two_wrong_ones_still_confirms():
    bench = Bench()
    challenge = bench.challenge()
    for sent in (WRONG, WRONG, RIGHT):
        bench.browse(challenge.path, sent)
    assert [rreq["transStatus"] for _, rreq in bench.results] == ["Y"]


def test_who_cancels_has_not_paid():
    bench = Bench()
    challenge = bench.challenge()
    page = bench.browse(challenge.path, {"cancel": "yes", "code": CODE}).text
    [(_, rreq)] = bench.results
    assert (rreq["transStatus"], rreq["challengeCancel"]) == ("N", "01")
    assert cres_in(page)["transStatus"] == "N"


@pytest.mark.parametrize(
    ("comes", "cancel"), [(True, "04"), (False, "05")], ids=["left the page", "never came"]
)
def test_a_challenge_times_out_after_ten_minutes_of_world_time(comes, cancel):
    bench = Bench()
    if comes:
        bench.challenge()
    else:
        bench.areq()
    bench.clock.advance(LIFETIME - minutes(0.01))
    bench.acs.sweep()
    assert bench.results == []
    bench.clock.advance(minutes(0.01))
    bench.acs.sweep()
    bench.acs.sweep()
    [(_, rreq)] = bench.results
    assert wrong_with(rreq, "RReq") is None
    assert (rreq["transStatus"], rreq["transStatusReason"]) == ("N", "14")
    assert rreq["challengeCancel"] == cancel


def test_a_code_that_comes_too_late_finds_it_timed_out():
    bench = Bench()
    challenge = bench.challenge()
    bench.clock.advance(LIFETIME)
    page = bench.browse(challenge.path, RIGHT).text
    assert cres_in(page)["transStatus"] == "N"
    assert [rreq["transStatus"] for _, rreq in bench.results] == ["N"]


def test_a_browser_that_comes_again_after_the_end_is_led_back_and_no_second_rreq_is_sent():
    bench = Bench()
    challenge = bench.challenge()
    first = bench.browse(challenge.path, RIGHT).text
    again = bench.browse(challenge.path, {"cancel": "yes"}).text
    reopened = bench.browse(challenge.path, {"creq": packed(creq_of(challenge.ares))}).text
    assert cres_in(first) == cres_in(again) == cres_in(reopened)
    assert len(bench.results) == 1


@pytest.mark.parametrize(
    ("action", "status", "cancel"),
    [("approve", "Y", None), ("decline", "N", None), ("cancel", "N", "01")],
)
@pytest.mark.parametrize("comes", [True, False])
def test_a_machine_does_it_in_one_request(action, status, cancel, comes):
    bench = Bench()
    path = bench.challenge().path if comes else path_of(bench.areq())
    answer = bench.act(path, action)
    assert (answer["notificationURL"], answer["transStatus"]) == (BACK, status)
    assert unpacked(answer["cres"])["transStatus"] == status
    assert answer.get("threeDSSessionData") == (SESSION if comes else None)
    [(_, rreq)] = bench.results
    assert (rreq["transStatus"], rreq.get("challengeCancel")) == (status, cancel)


def test_a_machine_may_be_wrong_too_in_a_form_or_in_json():
    bench = Bench()
    path = path_of(bench.areq())
    assert bench.act(path, "wrong") == {"attemptsLeft": 2}
    assert bench.browse(path, {"action": "wrong"}).json == {"attemptsLeft": 1}
    assert bench.act(path, "wrong")["transStatus"] == "N"


def test_the_gateway_is_asked_three_times_where_it_does_not_answer():
    bench = Bench(answers=(None, None))
    bench.act(path_of(bench.areq()), "approve")
    assert len(bench.results) == 3
    assert bench.results[0] == bench.results[2]
    assert len(bench.waits) == 2


def test_the_browser_goes_back_where_the_gateway_stays_silent():
    bench = Bench(answers=(None, None, None))
    assert bench.act(path_of(bench.areq()), "approve")["transStatus"] == "Y"
    assert len(bench.results) == 3


@pytest.mark.parametrize(
    "answer",
    [
        {"messageType": "Erro"},
        "RRes",
        rres_to({"messageVersion": "2.2.0", "threeDSServerTransID": SERVER_ID,
                 "dsTransID": SERVER_ID, "acsTransID": SERVER_ID}),
    ],
    ids=["an Erro", "no message", "an RRes to another"],
)  # fmt: skip
def test_an_answer_that_is_no_rres_is_not_asked_for_again(answer, caplog):
    caplog.set_level("INFO")
    bench = Bench(answers=(answer,))
    bench.act(path_of(bench.areq()), "approve")
    assert len(bench.results) == 1
    assert "did not take the result" in caplog.text


def test_a_replayed_result_comes_a_second_time_after_the_browser_went_back():
    bench = Bench(steps("replay"))
    bench.act(path_of(bench.areq()), "approve")
    assert len(bench.results) == 1
    bench.acs.sweep()
    bench.acs.sweep()
    assert len(bench.results) == 2
    assert bench.results[0] == bench.results[1]


def test_a_wrong_id_stands_in_the_result_and_in_the_answer_of_the_browser():
    bench = Bench(steps("wrong_id"))
    ares = bench.areq()
    cres = unpacked(bench.act(path_of(ares), "approve")["cres"])
    [(_, rreq)] = bench.results
    assert rreq["acsTransID"] == cres["acsTransID"] != ares["acsTransID"]
    assert wrong_with(rreq, "RReq") is None
    assert rreq["threeDSServerTransID"] == ares["threeDSServerTransID"]


@pytest.mark.parametrize(("action", "truth", "lie"), [("approve", "Y", "N"), ("decline", "N", "Y")])
def test_a_tampered_status_contradicts_the_result(action, truth, lie):
    bench = Bench(steps("tampered_status"))
    answer = bench.act(path_of(bench.areq()), action)
    assert unpacked(answer["cres"])["transStatus"] == answer["transStatus"] == lie
    assert [rreq["transStatus"] for _, rreq in bench.results] == [truth]


def test_a_late_result_comes_long_after_the_browser_went_back():
    bench = Bench(steps("late"))
    assert bench.act(path_of(bench.areq()), "approve")["transStatus"] == "Y"
    bench.clock.advance(LATE - minutes(0.1))
    bench.acs.sweep()
    assert bench.results == []
    bench.clock.advance(minutes(0.1))
    bench.acs.sweep()
    bench.acs.sweep()
    assert [rreq["transStatus"] for _, rreq in bench.results] == ["Y"]


def test_the_memory_of_challenges_is_bounded_by_count_and_age():
    bench = Bench(most=2)
    paths = [path_of(bench.areq()) for _ in range(3)]
    assert len(bench.kept) == 2
    assert bench.post(paths[0], {"action": "approve"}).json["errorCode"] == "301"
    assert bench.act(paths[2], "approve")["transStatus"] == "Y"
    bench.real.advance(minutes(60))
    bench.acs.sweep()
    assert len(bench.kept) == 0


def test_no_number_of_a_card_is_kept():
    bench = Bench()
    challenge = bench.kept.get(bench.areq()["acsTransID"])
    assert "4200000000000018" not in str(
        {name: getattr(challenge, name) for name in challenge.__struct_fields__}
    )
    assert CODE not in repr(challenge)


def test_silence_is_shorter_than_a_challenge():
    assert SILENCE < LIFETIME < LATE


def test_the_journal_has_what_passed_between_shopper_acs_and_directory_server():
    bench = Bench()
    bench.store.commit(unit_of(a_payment()))
    challenge = bench.challenge()
    bench.browse(challenge.path, RIGHT)
    noted = [entry for _, entry in bench.journal.find_entries(PAYMENT)]
    said = [(one.sender, one.receiver, one.label) for each in noted for one in each.messages]
    assert said == [
        (Party.SHOPPER, Party.ACS, "CReq"),
        (Party.ACS, Party.SHOPPER, "challenge page"),
        (Party.SHOPPER, Party.ACS, "submits a code"),
        (Party.ACS, Party.DIRECTORY_SERVER, "RReq Y"),
        (Party.ACS, Party.SHOPPER, "CRes Y"),
    ]
    assert {entry.ndc for entry in noted} == {"n1"}
    assert CODE not in str(noted)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"code": "999999"}, ["submits a code", "wrong code, attempts left: 2"]),
        ({"cancel": "yes"}, ["cancels the challenge", "RReq N", "CRes N"]),
    ],
)
def test_the_journal_has_what_the_shopper_did_and_no_code(fields: dict, said: list[str]):
    bench = Bench()
    bench.store.commit(unit_of(a_payment()))
    challenge = bench.challenge()
    bench.browse(challenge.path, fields)
    noted = [entry for _, entry in bench.journal.find_entries(PAYMENT)]
    assert [one.label for each in noted for one in each.messages][2:] == said
    assert not any(code in str(noted) for code in (CODE, "999999"))


def test_the_journal_has_a_challenge_that_timed_out_once():
    bench = Bench()
    bench.store.commit(unit_of(a_payment()))
    bench.challenge()
    bench.clock.advance(LIFETIME)
    bench.acs.sweep()
    bench.acs.sweep()
    noted = [entry for _, entry in bench.journal.find_entries(PAYMENT)]
    assert [one.label for each in noted for one in each.messages][2:] == [
        "the challenge timed out", "RReq N",
    ]  # fmt: skip


def test_a_browser_that_comes_again_and_again_fills_no_journal():
    bench = Bench()
    bench.store.commit(unit_of(a_payment()))
    challenge = bench.challenge()
    creq = packed(creq_of(challenge.ares))
    for _ in range(2 * STEPS_MAX):
        bench.browse(challenge.path, {"creq": creq})
    assert bench.journal.newest == STEPS_MAX


def test_nothing_is_noted_of_a_payment_that_is_not_stored():
    bench = Bench()
    bench.act(path_of(bench.areq()), "approve")
    assert bench.journal.newest == 0


def a_payment() -> Payment:
    """The payment behind an authentication, as far as the journal needs it."""
    return Payment(
        id=PAYMENT,
        type=PaymentType.DB,
        state=State.PENDING,
        stamp=AccountHierarchy("psp", "division", "merchant", "channel", "account", "institute"),
        created_at=START,
        ndc="n1",
        short_id="1",
    )


def path_of(ares: dict) -> str:
    """The path of a challenge."""
    return ares["acsURL"].removeprefix("http://acs.test/")


def cres_in(page: str) -> dict:
    """The CRes that a page takes back."""
    return unpacked(page.partition('name="cres" value="')[2].partition('"')[0])
