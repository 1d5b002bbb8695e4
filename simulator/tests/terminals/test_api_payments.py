"""Payments at a terminal by the API: encrypted account data pays like a card in the clear."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.merchants.hierarchy import stamp_of
from simulator.domain.payments.initial import TransactionIds
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import NUMBER, Device, account, sent_by, tlv, track_of

METHODS = ["TDES", "AES"]
BAD_NUMBER = "4200000000000001"
SRED, SRED_KSN = "pos.encryptedSred.data", "pos.encryptedSred.ksn"
PIN, PIN_KSN = "pos.encryptedPin.data", "pos.encryptedPin.ksn"
CHIP = tlv(("9F26", "0102030405060708"), ("9F27", "80"), ("9F36", "0001"), ("57", track_of()))


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    built = Gateway(tmp_path_factory.mktemp("terminals") / "data")
    yield built
    built.close()


@pytest.fixture(scope="module")
def sandbox(gateway: Gateway) -> str:
    return gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]


@pytest.fixture(params=METHODS)
def device(gateway: Gateway, sandbox: str, request: pytest.FixtureRequest) -> Device:
    return Device.of(gateway, sandbox, method=request.param)


@pytest.fixture
def aes(gateway: Gateway, sandbox: str) -> Device:
    return Device.of(gateway, sandbox, method="AES")


def code_of(answer: object) -> str:
    return answer.json["result"]["code"]


def wrong_parameters(answer: object) -> list[str]:
    errors = answer.json["result"].get("parameterErrors", ())
    assert all(each["value"] is None for each in errors)
    return [each["name"] for each in errors]


@pytest.mark.parametrize("brand", [None, "VISA"])
@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize("kind", ["DB", "PA", "CD"])
def test_encrypted_account_data_pays(gateway, device, *, brand, mode, kind) -> None:
    sent = sent_by(device, paymentBrand=brand, paymentType=kind, testMode=mode)
    answer = gateway.post(**sent)
    assert answer.status_code == 200, answer.json
    assert answer.json["paymentBrand"] == "VISA"
    assert answer.json["card"]["bin"] == NUMBER[:6]
    assert answer.json["card"]["last4Digits"] == NUMBER[-4:]
    assert (answer.json["card"]["expiryMonth"], answer.json["card"]["expiryYear"]) == ("05", "2034")
    assert answer.json["card"]["holder"] == "JONES/JANE"
    assert gateway.read(answer.json["id"]).json["card"] == answer.json["card"]


@pytest.mark.parametrize(
    "plain",
    [
        tlv(("57", track_of())),
        tlv(("57", track_of()), ("5A", NUMBER)),
        tlv(("5A", NUMBER), ("5F24", "340531")),
        tlv(("5A", NUMBER), ("5F24", "340531"), ("9F20", "00"), ("5F34", "01")),
        f";{NUMBER}=34052011000012345?".encode(),
        f";{NUMBER}=34052011000012345?7".encode(),
    ],
    ids=["track", "track and number", "number", "more tags", "swiped", "swiped with check"],
)
def test_every_form_of_account_data_is_read(gateway, device, plain) -> None:
    answer = gateway.post(**sent_by(device, plain))
    assert answer.status_code == 200, answer.json
    assert answer.json["card"]["last4Digits"] == NUMBER[-4:]


@pytest.mark.parametrize(
    ("number", "expiry", "more", "code"),
    [
        (BAD_NUMBER, "3405", {}, "100.100.101"),
        (NUMBER, "2001", {}, "100.100.303"),
        (NUMBER, "3405", {"paymentBrand": "MASTER"}, "100.100.700"),
        (NUMBER, "3405", {"paymentBrand": "NOBRAND"}, "100.100.501"),
        ("9900000000000005", "3405", {}, "100.100.501"),
    ],
)
def test_a_decrypted_number_obeys_the_rules_of_a_card(
    gateway, device, *, number, expiry, more, code
):
    answer = gateway.post(**sent_by(device, account(number, expiry), **more))
    assert code_of(answer) == code, answer.json
    assert number not in answer.text


@pytest.mark.parametrize(
    "plain",
    [b"", b"hello", tlv(("5A", NUMBER)), tlv(("5F24", "340531")), tlv(("57", "1234")),
     tlv(("57", track_of()), ("5A", "5454545454545454")), tlv(("57", track_of(expiry="3413"))),
     b";4200000000000000?", tlv(("57", "42" * 30)), bytes([0x57, 0x7F]), bytes([0x5F])],
)  # fmt: skip
def test_what_is_no_account_is_refused_by_its_field(gateway, device, plain) -> None:
    answer = gateway.post(**sent_by(device, plain))
    assert (answer.status_code, code_of(answer)) == (400, "200.300.404")
    assert wrong_parameters(answer) == [SRED]
    assert NUMBER not in answer.text


def test_data_without_padding_or_under_another_key_is_refused(gateway, device) -> None:
    ksn = device.next_ksn("DATA")
    unpadded = device.raw(b"7" * 48, ksn)
    others, _ = device.encrypted(account())
    for data in (unpadded, others, unpadded[:-2], "zz", "0", ""):
        answer = gateway.post(**sent_by(device, encrypt=lambda _, data=data: (data, ksn)))
        assert answer.status_code == 400, (data, answer.json)
    assert (
        gateway.post(**sent_by(device, encrypt=lambda _: device.encrypted(account(), ksn)))
        .json["result"]["code"]
        .startswith("000.")
    ), "a refused request counts no key as used"


@pytest.mark.parametrize("ksn", [None, "", "F" * 19, "F" * 21, "F" * 20, "F" * 24, "X" * 20])
def test_a_serial_number_of_no_method_is_refused_by_its_field(gateway, aes, ksn) -> None:
    answer = gateway.post(**sent_by(aes, **{SRED_KSN: ksn}))
    assert (answer.status_code, code_of(answer)) == (400, "200.300.404")
    assert wrong_parameters(answer) == [SRED_KSN]


def test_a_key_of_no_terminal_of_another_one_or_of_another_use_is_unknown(
    gateway, sandbox, device
) -> None:
    other = Device.of(gateway, sandbox, method="TDES")
    foreign = other.next_ksn("DATA")
    for ksn in (f"{int(foreign, 16) + (1 << 40):020X}", foreign, device.next_ksn("PIN")):
        answer = gateway.post(**sent_by(device, **{SRED_KSN: ksn}))
        assert code_of(answer) == "600.300.101", answer.json


def test_a_terminal_of_another_channel_or_sandbox_pays_nothing(gateway, device) -> None:
    other = gateway.sandbox()
    assert code_of(gateway.post(who=other, **sent_by(device))) == "600.300.101"
    sandbox = gateway.control("POST", "/sandboxes", {}).json
    merchants = f"/sandboxes/{sandbox['id']}/merchants"
    second = gateway.control("POST", merchants, {"channels": [{}, {}]}).json
    channels = second["channels"] if "channels" in second else second["merchant"]["channels"]
    own = Device.of(gateway, sandbox["id"], channel=channels[1]["id"])
    token = second.get("token") or second["tokens"][0]["token"]
    who = gateway.merchant._replace(token=token, entity_id=channels[0]["id"])
    assert code_of(gateway.post(who=who, **sent_by(own))) == "600.300.101"
    who = who._replace(entity_id=channels[1]["id"])
    assert code_of(gateway.post(who=who, **sent_by(own))).startswith("000.")


def test_each_key_pays_once_and_counters_only_rise(gateway, sandbox, device) -> None:
    first, second = device.next_ksn("DATA"), device.next_ksn("DATA")
    for ksn, code in ((second, "000.100.110"), (second, "200.200.106"), (first, "200.200.106")):
        encrypted = device.encrypted(account(), ksn)
        answer = gateway.post(**sent_by(device, encrypt=lambda _, found=encrypted: found))
        assert code_of(answer) == code
    shown = gateway.control("GET", f"/sandboxes/{sandbox}/terminals/{device.id}").json["keys"]
    assert [each["counter"] for each in shown] == [0, 2]


def test_counter_zero_is_no_use(gateway, device) -> None:
    ksn = device.next_ksn("DATA")[:-1] + "0"
    encrypted = device.encrypted(account(), ksn)
    assert code_of(gateway.post(**sent_by(device, encrypt=lambda _: encrypted))) == "200.200.106"


def arm(gateway: Gateway, sandbox: str, steps: dict) -> None:
    behaviour = {"name": "once", "title": "Once", "description": "An answer for one payment.",
                 "steps": {"acquirer": steps}}  # fmt: skip
    asked = {"behaviour": behaviour, "times": 1}
    armed = gateway.control("POST", f"/sandboxes/{sandbox}/scripts", asked)
    assert armed.status_code == 201, armed.json


def test_a_declined_payment_has_used_its_key(gateway, sandbox, aes) -> None:
    ksn = aes.next_ksn("DATA")
    encrypted = aes.encrypted(account(), ksn)
    sent = sent_by(aes, encrypt=lambda _: encrypted)
    arm(gateway, sandbox, {"decline": {"code": "800.100.152"}})
    assert code_of(gateway.post(**sent)) == "800.100.152"
    assert code_of(gateway.post(**sent)) == "200.200.106"


def test_a_removed_terminal_pays_nothing(gateway, sandbox, device) -> None:
    gateway.control("DELETE", f"/sandboxes/{sandbox}/terminals/{device.id}")
    assert code_of(gateway.post(**sent_by(device))) == "600.300.101"


def test_a_card_in_the_clear_pays_where_both_are_sent(gateway, aes) -> None:
    sent = sent_by(aes, **{SRED: "00", "card.number": "5454545454545454"})
    sent |= {"card.expiryMonth": "05", "card.expiryYear": "2034"}
    assert gateway.post(**sent).json["paymentBrand"] == "MASTER"


def test_a_terminal_leaves_a_registration_that_pays_again(gateway, device) -> None:
    made = gateway.post(**sent_by(device, createRegistration="true")).json
    assert made["registrationId"]
    again = gateway.send(
        f"/v1/registrations/{made['registrationId']}/payments",
        {"entityId": gateway.merchant.entity_id, "paymentType": "DB", "amount": "1.00",
         "currency": "EUR"},
    )  # fmt: skip
    assert code_of(again) == "000.100.110", again.json
    stored = gateway.post("/v1/registrations", **sent_by(device), amount=None, currency=None,
                          paymentType=None)  # fmt: skip
    assert stored.status_code == 200, stored.json
    assert stored.json["card"]["last4Digits"] == NUMBER[-4:]


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_a_pin_of_the_terminal_is_translated(gateway, device, mode) -> None:
    block, ksn = device.pin("1234")
    answer = gateway.post(**sent_by(device, testMode=mode, **{PIN: block, PIN_KSN: ksn}))
    assert answer.status_code == 200, answer.json
    again = gateway.post(**sent_by(device, testMode=mode, **{PIN: block, PIN_KSN: ksn}))
    assert code_of(again) == "200.200.106"


@pytest.mark.parametrize("block", ["", "00", "zz" * 8, "F" * 15, "F" * 64])
def test_a_pin_block_that_is_none_is_refused_by_its_field(gateway, device, block) -> None:
    answer = gateway.post(**sent_by(device, **{PIN: block, PIN_KSN: device.next_ksn("PIN")}))
    assert answer.status_code == (200 if block == "" else 400), answer.json
    assert wrong_parameters(answer) in ([PIN], [])


def test_every_unreadable_pin_block_has_the_same_answer(gateway, aes) -> None:
    sent = [aes.pin("1234", "5454545454545454"), aes.pin("123456789012", "4012000000060085")]
    sent += [("00" * 16, aes.next_ksn("PIN")), ("FF" * 16, aes.next_ksn("PIN"))]
    answers = [gateway.post(**sent_by(aes, **{PIN: block, PIN_KSN: ksn})) for block, ksn in sent]
    assert len({str(each.json["result"]) for each in answers}) == 1
    assert wrong_parameters(answers[0]) == [PIN]


@pytest.mark.parametrize("kind", ["00", "xyz", "9F26", "5F", "57FF00"])
def test_chip_data_that_is_no_tlv_is_refused_by_its_field(gateway, aes, kind) -> None:
    answer = gateway.post(**sent_by(aes, **{"pos.iccDataRequest": kind}))
    assert (answer.status_code, code_of(answer)) == (400, "200.300.404"), answer.json
    assert wrong_parameters(answer) == ["pos.iccDataRequest"]


@pytest.mark.parametrize(("size", "status"), [(255, 200), (256, 400)])
def test_field_55_holds_255_bytes_beside_what_is_taken_out(gateway, aes, size, status) -> None:
    value = "AB" * (size - 3 - 1)
    head = "9F10" if size - 4 < 128 else "9F1081"
    data = f"{head}{len(value) // 2:02X}{value}" + CHIP[-25:].hex() * 0
    data += tlv(("57", track_of()), ("5A", NUMBER)).hex()
    answer = gateway.post(**sent_by(aes, **{"pos.iccDataRequest": data}))
    assert answer.status_code == status, answer.json


def fields_of_answer(answer: object) -> dict:
    found = answer.json["pos"]
    return {**found, **found["clearing"]}


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_an_answer_has_the_fields_of_a_terminal(gateway, device, mode) -> None:
    answer = gateway.post(**sent_by(device, testMode=mode))
    fields = fields_of_answer(answer)
    assert fields["statusText"] == "APPROVED"
    assert fields["authorizationIssuerCode"] == "00"
    assert re.fullmatch("[0-9]{6}", fields["authorizationAcquirerCode"])
    assert re.fullmatch("[0-9]{12}", fields["identifier"])
    assert fields["merchantId"] == gateway.merchant.entity_id[:15]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", fields["timestamp"])
    assert gateway.read(answer.json["id"]).json["pos"] == answer.json["pos"]


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize(
    ("code", "text"),
    [("800.100.166", "PINWRONG"), ("800.100.178", "PINTRIESEXCEEDED"), ("800.100.152", "DECLINED"),
     ("300.100.100", "INSERTCARD"), ("800.100.155", "NOTENOUGHMONEY")],
)  # fmt: skip
def test_the_text_of_a_decline_follows_its_response_code(
    gateway, sandbox, *, aes, mode, code, text
) -> None:
    arm(gateway, sandbox, {"decline": {"code": code}})
    answer = gateway.post(**sent_by(aes, testMode=mode))
    assert code_of(answer) == code
    assert answer.json["pos"]["statusText"] == text


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize(
    "steps", [{"approve": {"status_text": "THANKYOU42"}},
              {"decline": {"code": "800.100.152", "status_text": "THANKYOU42"}}]
)  # fmt: skip
def test_a_script_sets_the_text_of_the_receipt(gateway, sandbox, *, aes, mode, steps) -> None:
    arm(gateway, sandbox, steps)
    answer = gateway.post(**sent_by(aes, testMode=mode))
    assert answer.json["pos"]["statusText"] == "THANKYOU42"


def test_a_payment_without_a_terminal_has_no_such_fields(gateway) -> None:
    assert "pos" not in gateway.post().json


def test_a_later_payment_at_the_terminal_has_them_too(gateway, aes) -> None:
    first = gateway.post(**sent_by(aes, paymentType="PA")).json["id"]
    more = {"pos.entryMode": "ICC", "pos.terminalId": aes.id, "amount": "92.00", "currency": "EUR"}
    captured = gateway.refer(first, "CP", **more).json
    assert captured["pos"]["statusText"] == "APPROVED"
    assert "pos" not in gateway.refer(captured["id"], "RF", amount="1.00", currency="EUR").json


def test_a_channel_that_requires_codes_and_3d_secure_takes_a_terminal(gateway) -> None:
    sandbox = gateway.control("POST", "/sandboxes", {}).json
    (merchant,) = sandbox["entities"]["merchants"]
    channel = merchant["channels"][0]["id"]
    path = f"/sandboxes/{sandbox['id']}/merchants/{merchant['id']}/channels/{channel}"
    asked = {"cvv": "required", "three_d_secure": {"VISA": "2.2.0"}}
    assert gateway.control("PATCH", path, asked).status_code == 200
    who = gateway.merchant._replace(token=sandbox["token"], entity_id=channel)
    own = Device.of(gateway, sandbox["id"])
    answer = gateway.post(who=who, **sent_by(own))
    assert code_of(answer) == "000.100.110", answer.json


HEX_TEXT = st.text("0123456789ABCDEFabcdef", max_size=80)
WILD = st.one_of(HEX_TEXT, st.text("0123456789AZaz", max_size=60))


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=WILD, ksn=st.one_of(WILD, st.just("own")), block=WILD, chip=WILD)
def test_no_input_of_a_terminal_is_a_fault(gateway, aes, *, data, ksn, block, chip) -> None:
    serials = {
        "own": (aes.next_ksn("DATA"), aes.next_ksn("PIN")),
    }.get(ksn, (ksn, ksn))
    sent = sent_by(aes, encrypt=lambda _: (data, serials[0]))
    sent |= {PIN: block, PIN_KSN: serials[1], "pos.iccDataRequest": chip}
    answer = gateway.post(**sent)
    assert answer.status_code in (200, 400), answer.json


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(plain=st.binary(max_size=90))
def test_no_account_data_of_a_terminal_is_a_fault(gateway, aes, plain) -> None:
    assert gateway.post(**sent_by(aes, plain)).status_code == 400


def test_what_the_acquirer_gets_of_a_terminal(gateway, sandbox, device) -> None:
    asked: list[AcquirerRequest] = []
    ports = gateway.ports(sandbox)
    plan = ports.acquirer.plan

    class Listening:
        def plan(self, ask: AcquirerRequest):
            asked.append(ask)
            return plan(ask)

    listening = replace(ports, acquirer=Listening())
    merchant = ports.sandbox.merchants[0]
    channel = merchant.channels[0]
    context = ChannelContext(listening, channel, stamp_of(ports.sandbox, merchant, channel))
    block, ksn = device.pin("1234")
    sent = {name: value for name, value in sent_by(device).items() if value is not None}
    sent |= {"paymentType": "DB", "amount": "1.00", "currency": "EUR", PIN: block, PIN_KSN: ksn,
             "pos.iccDataRequest": CHIP.hex(), "pos.entryMode": "NFC_ICC"}  # fmt: skip
    ids = TransactionIds(
        id=ports.ids.record(), short_id="1", trace=1, now=ports.clock.now(), ndc="1"
    )
    take_payment(context, sent, ids)
    (ask,) = asked
    read = ask.terminal
    assert (ask.number, read.entry_mode, read.condition, read.sequence) == (
        NUMBER, "071", "00", "001",
    )  # fmt: skip
    assert (read.terminal, read.track) == (device.id, track_of().rstrip("F"))
    assert read.pin_format == "2001010100000000"
    assert len(read.pin_block) == 16
    assert read.chip == CHIP.hex().upper()[: -len(tlv(("57", track_of())).hex())]
    assert read.is_contactless
    assert not read.is_offline
