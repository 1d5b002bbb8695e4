"""What directory server and ACS refuse, with which code; no secret is said or kept."""

import json
import warnings
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acquirer_mocks.tests.bench import (
    BACK,
    CHALLENGE_CARD,
    CODE,
    SERVER_ID,
    Bench,
    areq_of,
    creq_of,
    packed,
    unpacked,
)
from acquirer_mocks.three_d_secure.application import BODY_BYTES_MAX
from simulator.catalogue.messages.three_d_secure import ERRORS, FIELDS, MESSAGES
from simulator.derive.schemas.three_d_secure import wrong_with

REQUIRED = [row.name for row in FIELDS if row.needs[0] == "R"]
LONG = "x" * 3000
BENCH = Bench()
UNKNOWN = "acs/challenge/99999999-0000-4000-8000-000000000000"


def extension(**fields):
    """A message extension of another sender."""
    return [{"name": "n", "id": "i", "criticalityIndicator": False, "data": {}, **fields}]


@pytest.mark.parametrize("name", REQUIRED)
def test_an_areq_without_a_required_field_is_refused(name):
    erro = Bench().areq(**{name: None})
    expected = "101" if name == "messageType" else "201"
    assert (erro["messageType"], erro["errorCode"]) == ("Erro", expected)
    assert erro["errorDetail"].partition(":")[0] == name
    assert wrong_with(erro, "Erro") is None


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("messageType", "PReq", "101"),
        ("messageType", ["AReq"], "101"),
        ("messageVersion", "1.0.2", "102"),
        ("messageVersion", "2.3.1", "102"),
        ("messageVersion", {}, "102"),
        ("threeDSServerTransID", "no uuid", "203"),
        ("acctNumber", "42", "203"),
        ("acctNumber", 4200000000000018, "203"),
        ("cardExpiryDate", "3413", "203"),
        ("purchaseAmount", "92.00", "203"),
        ("purchaseCurrency", "EUR", "203"),
        ("purchaseCurrency", "000", "304"),
        ("purchaseDate", "20261301120000", "203"),
        ("deviceChannel", "01", "203"),
        ("browserJavaEnabled", "false", "203"),
        ("browserUserAgent", LONG, "203"),
        ("notificationURL", "javascript:alert(1)", "203"),
        ("notificationURL", 'http://gateway.test/ "><script>', "203"),
        ("notificationURL", "http://gateway.test/\n", "203"),
        ("threeDSServerURL", "file:///etc/passwd", "203"),
        ("threeDSServerURL", "http://169.254.169.254/latest", "303"),
        ("threeDSServerURL", "http://gateway.test.evil.example/", "303"),
        ("messageExtension", {}, "203"),
        ("messageExtension", extension(data="text"), "203"),
        ("messageExtension", extension() * 11, "203"),
        ("messageExtension", extension(criticalityIndicator=True), "202"),
        ("merchantName", "\x07", "203"),
    ],
)
def test_a_malformed_field_of_an_areq_is_refused_by_its_code(name, value, code):
    bench = Bench()
    erro = bench.areq(**{name: value})
    assert (erro["messageType"], erro["errorCode"]) == ("Erro", code)
    assert erro["errorDescription"] == ERRORS[code]
    assert erro["errorDetail"].startswith(name)
    assert (erro["errorComponent"], len(bench.kept)) == ("D", 0)
    assert wrong_with(erro, "Erro") is None


def test_a_challenge_indicator_of_a_later_version_is_refused_in_an_older_one():
    asked = {"threeDSRequestorChallengeInd": "05", "messageVersion": "2.1.0"}
    assert Bench().areq(**asked)["errorCode"] == "203"


def test_an_unknown_field_is_ignored():
    assert Bench().areq(somethingElse={"x": 1})["transStatus"] == "C"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "101"),
        (b"not json", "101"),
        (b"[]", "101"),
        (b"null", "101"),
        (b"\xff\xfe", "101"),
        (b"[" * 50_000, "101"),
        (b'{"messageType": "AReq", "messageType": "AReq"}', "204"),
    ],
)
@pytest.mark.parametrize("path", ["ds/areq", "ds/lookup"])
def test_what_is_no_message_is_answered_by_an_erro(path, body, code):
    answer = Bench().post(path, body)
    assert (answer.status_code, answer.json["errorCode"]) == (200, code)


@pytest.mark.parametrize("path", ["ds/areq", "ds/lookup", "acs/method", UNKNOWN])
def test_a_body_over_the_limit_is_not_read(path):
    answer = Bench().post(path, b" " * (BODY_BYTES_MAX + 1))
    assert (answer.status_code, answer.json["errorCode"]) == (413, "101")


@pytest.mark.parametrize(
    ("number", "code"), [(None, "201"), (42, "203"), ("4200 0000", "203"), ("", "203")]
)
def test_a_lookup_without_a_number_is_refused(number, code):
    assert Bench().lookup(number)["errorCode"] == code


def test_an_extension_of_another_shape_is_passed_over():
    odd = [{"id": "sandgate-sandbox", "name": "x", "criticalityIndicator": False, "data": {}}]
    odd[0]["data"] = {"sandbox": 7, "type": "??"}
    assert Bench().areq(messageExtension=odd)["transStatus"] == "C"
    odd[0]["data"] = {"type": "3D"}
    assert Bench().areq(messageExtension=odd)["transStatus"] == "C"


@pytest.mark.parametrize(
    ("creq", "code"),
    [
        ("", "101"),
        ("%%%", "101"),
        ("a", "101"),
        ("no-json-at-all", "101"),
        (packed([]), "101"),
        (packed({"messageType": "AReq"}), "101"),
        (packed({"messageType": "CReq", "messageVersion": "9"}), "102"),
        (packed({"messageType": "CReq", "messageVersion": "2.2.0"}), "201"),
    ],
)
def test_a_creq_that_is_none_is_refused(creq, code):
    bench = Bench()
    path = path_of(bench.areq())
    answer = bench.browse(path, {"creq": creq}, Accept="*/*")
    assert (answer.status_code, answer.json["errorCode"]) == (400, code)
    page = bench.browse(path, {"creq": creq})
    assert (page.status_code, f"Error {code}" in page.text) == (400, True)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"acsTransID": SERVER_ID}, "301"),
        ({"threeDSServerTransID": "00000000-2222-4333-8444-555555555555"}, "301"),
        ({"messageVersion": "2.1.0"}, "301"),
        ({"challengeWindowSize": "06"}, "203"),
    ],
)
def test_a_creq_of_another_transaction_opens_nothing(fields, code):
    bench = Bench()
    ares = bench.areq()
    sent = {"creq": packed(creq_of(ares, **fields))}
    answer = bench.browse(path_of(ares), sent, Accept="application/json")
    assert answer.json["errorCode"] == code
    assert CODE not in answer.text


def test_too_much_session_data_is_refused():
    bench = Bench()
    ares = bench.areq()
    sent = {"creq": packed(creq_of(ares)), "threeDSSessionData": "x" * 1025}
    assert bench.browse(path_of(ares), sent).status_code == 400


@pytest.mark.parametrize(
    "sent",
    [{"creq": packed(creq_of({"messageVersion": "2.2.0", "threeDSServerTransID": SERVER_ID,
                              "acsTransID": SERVER_ID}))},
     {"code": CODE}, {"cancel": "yes"}, {"action": "approve"}],
    ids=["creq", "code", "cancel", "action"],
)  # fmt: skip
def test_an_unknown_challenge_is_not_there(sent):
    answer = Bench().browse(UNKNOWN, sent, Accept="*/*")
    assert (answer.status_code, answer.json["errorCode"]) == (404, "301")


@pytest.mark.parametrize(
    ("sent", "code"), [({}, "201"), ({"action": "steal"}, "203"), ({"other": "x"}, "201")]
)
def test_a_request_that_says_nothing_known_is_refused(sent, code):
    bench = Bench()
    path = path_of(bench.areq())
    assert bench.post(path, sent).json["errorCode"] == code
    assert bench.results == []


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
@pytest.mark.parametrize("sent", [{"code": CODE}, {"cancel": "yes"}, {"action": "approve"}])
def test_another_site_confirms_and_cancels_nothing(origin, sent):
    bench = Bench()
    path = path_of(bench.areq())
    assert bench.browse(path, sent, Origin=origin).status_code == 403
    assert bench.results == []
    own = bench.browse(path, sent, Origin="http://falconframework.org")
    assert own.status_code == 200


def test_another_site_may_bring_the_browser():
    bench = Bench()
    ares = bench.areq()
    sent = {"creq": packed(creq_of(ares))}
    assert bench.browse(path_of(ares), sent, Origin="https://shop.example").status_code == 200


@pytest.mark.parametrize(
    "data",
    [
        "",
        "%",
        packed([]),
        packed({"threeDSServerTransID": SERVER_ID}),
        packed({"threeDSMethodNotificationURL": BACK}),
        packed({"threeDSServerTransID": 1, "threeDSMethodNotificationURL": BACK}),
        packed({"threeDSServerTransID": SERVER_ID,
                "threeDSMethodNotificationURL": "javascript:alert(1)"}),
        packed({"threeDSServerTransID": SERVER_ID,
                "threeDSMethodNotificationURL": BACK + "x" * 300}),
    ],
)  # fmt: skip
def test_method_data_that_is_none_is_refused(data):
    assert Bench().browse("acs/method", {"threeDSMethodData": data}).status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/ds/areq", 405),
        ("GET", "/nowhere", 404),
        ("DELETE", "/ds/certificate", 405),
        ("GET", "//ds/certificate", 404),
        ("POST", "/%2fds/areq", 404),
    ],
)
def test_what_is_not_there_is_answered_in_json(method, path, status):
    answer = Bench().client.simulate_request(method, path)
    assert (answer.status_code, answer.json["messageType"]) == (status, "Erro")


def test_an_internal_error_is_an_erro_and_a_traceback_in_the_log(caplog):
    bench = Bench()
    bench.store.find = None
    answer = bench.post("ds/areq", areq_of())
    assert (answer.status_code, answer.json["errorCode"]) == (500, "404")
    assert "fault" in caplog.text
    assert CHALLENGE_CARD not in caplog.text


@pytest.mark.parametrize("path", ["ds/areq", "ds/lookup", "acs/method", UNKNOWN, "nowhere"])
def test_refused_messages_fill_no_log(path, caplog):
    caplog.set_level("INFO")
    bench = Bench()
    for _ in range(50):
        bench.post(path, b"{}")
    assert 1 <= len(caplog.messages) <= 3


def test_an_erro_repeats_nothing_but_ids():
    sent = {"cardholderName": "J" * 60, "acctNumber": "4" * 25, "email": "x" * 300}
    text = json.dumps(Bench().areq(**sent))
    assert not any(value in text for value in sent.values())


def test_every_field_says_of_every_message_whether_it_has_it():
    for row in FIELDS:
        needs = row.needs.split()
        assert (row.name, len(needs)) == (row.name, len(MESSAGES))
        assert set(needs) <= {"R", "O", "."}


def test_base64url_may_be_padded():
    bench = Bench()
    ares = bench.areq()
    creq = packed(creq_of(ares))
    assert unpacked(creq)["messageType"] == "CReq"
    sent = {"creq": creq + "=" * (-len(creq) % 4)}
    assert bench.browse(path_of(ares), sent).status_code == 200


def path_of(ares: dict) -> str:
    """The path of a challenge."""
    return ares["acsURL"].removeprefix("http://acs.test/")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from([row.name for row in FIELDS]), value=JSON)
def test_any_value_of_a_field_is_answered_by_a_message(name, value):
    answer = BENCH.post("ds/areq", areq_of(**{name: value}))
    assert answer.status_code == 200
    kind = answer.json["messageType"]
    assert kind in ("ARes", "Erro")
    assert wrong_with(answer.json, kind) is None


@settings(max_examples=100, deadline=None)
@given(document=JSON)
def test_no_document_of_a_browser_causes_an_internal_error(document):
    for path, name in (("acs/method", "threeDSMethodData"), (UNKNOWN, "creq")):
        answer = BENCH.browse(path, {name: packed(document)})
        assert answer.status_code in (200, 400, 404)


@pytest.mark.parametrize("extension", [5, "x", True, {"id": "sandgate-sandbox"}, [None, 7, "x"]])
def test_a_lookup_with_an_extension_that_is_none_is_answered_without_it(extension):
    assert Bench().lookup("4200000000000018", messageExtension=extension)["enrolled"] is True


MONEY = ("purchaseAmount", "purchaseCurrency", "purchaseExponent")


@settings(max_examples=150, deadline=None)
@given(
    money=st.dictionaries(st.sampled_from(MONEY), JSON | st.text("0123456789.NaE-", max_size=60))
)
def test_a_lookup_is_answered_whatever_it_says_of_the_money(money):
    answer = BENCH.post("ds/lookup", {"acctNumber": CHALLENGE_CARD, **money})
    assert (answer.status_code, answer.json["enrolled"]) == (200, True)


@pytest.mark.parametrize("exponent", ["0", "2", "9"])
def test_the_longest_amount_of_an_areq_is_taken(exponent):
    ares = Bench().areq(purchaseAmount="9" * 48, purchaseExponent=exponent)
    assert ares["transStatus"] == "C"


FULL = BODY_BYTES_MAX - 200
CROWDED = {
    "empty objects": b'{"messageType":"AReq","a":[%b0]}' % (b"{}," * (FULL // 3)),
    "a name twice in each": b'{"messageType":"AReq","a":[%b0]}' % (b'{"":1,"":1},' * (FULL // 12)),
    "a field many times": b'{"messageType":"AReq"%b}' % (b',"acctNumber":1' * (FULL // 15)),
    "empty extensions": b'{"messageType":"AReq","messageVersion":"2.2.0","messageExtension":[%b0]}'
    % (b"{}," * (FULL // 3)),
    "extensions that are none": b'{"messageType":"AReq","messageVersion":"2.2.0",'
    b'"messageExtension":[%b0]}' % (b"1," * (FULL // 2)),
}


@pytest.mark.parametrize("body", CROWDED.values(), ids=CROWDED)
@pytest.mark.parametrize("path", ["ds/areq", "ds/lookup", UNKNOWN])
def test_a_crowded_message_delays_others_by_no_more_than_a_moment(path, body):
    BENCH.post(path, body)
    began = process_time()
    for _ in range(3):
        assert BENCH.post(path, body).status_code in (200, 400)
    assert (process_time() - began) / 3 < 0.05


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "TRACE", "CONNECT", "PATCH",
                                    "PROPFIND", "FOO", "get", "FOO-BAR"])  # fmt: skip
@pytest.mark.parametrize(
    "path", ["/ds/lookup", "/ds/areq", "/ds/certificate", "/acs/method", "/acs/challenge/x"]
)
def test_a_method_that_a_path_does_not_have_is_named_beside_those_it_has(path, method):
    has = {"/ds/certificate": "GET"}.get(path, "POST")
    method = "POST" if method == has else method
    with warnings.catch_warnings():
        # The client of tests finds some of these odd.
        warnings.simplefilter("ignore")
        answer = BENCH.client.simulate_request(method, path)
    assert (answer.status_code, answer.headers["Allow"]) == (405, f"{has}, OPTIONS")
    assert answer.headers["Cache-Control"] == "no-store"
    assert method == "HEAD" or answer.json["errorCode"] == "303"
