"""Terminals in a copy of their sandbox: the keys they have pay in each, and each counts its own."""

import pytest

from simulator.tests.console.test_class_data import copied, log_of
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import Device, sent_by

PAID = {"INTERNAL": "000.100.110", "EXTERNAL": "000.100.112"}
UNKNOWN_KEY, USED_KEY = "600.300.101", "200.200.106"


def code_of(answer: object) -> str:
    return answer.json["result"]["code"]


@pytest.mark.parametrize("mode", PAID)
@pytest.mark.parametrize("method", ["AES", "TDES"])
def test_a_terminal_pays_in_a_copy_with_the_keys_of_before_and_books_there_alone(
    gateway: Gateway, anna: Visitor, sandbox: str, method: str, mode: str
) -> None:
    device = Device.of(gateway, sandbox, method=method)
    held = gateway.post(**sent_by(device, paymentType="PA", testMode=mode)).json["id"]
    own, who = copied(gateway, anna, sandbox)
    data, ksn = device.encrypted(bytes.fromhex("5A0842000000000000005F2403340531"))
    pin, pin_ksn = device.pin("1234")
    sent = {
        **sent_by(device, encrypt=lambda plain: (data, ksn), testMode=mode, paymentType="DB"),
        "pos.encryptedPin.data": pin, "pos.encryptedPin.ksn": pin_ksn,
    }  # fmt: skip

    there = gateway.post(who=who, **sent)
    again = gateway.post(who=who, **sent)
    here = gateway.post(**sent)

    assert [code_of(each) for each in (there, again, here)] == [PAID[mode], USED_KEY, PAID[mode]]
    assert gateway.read(there.json["id"]).status_code == 404
    assert gateway.read(here.json["id"], who).status_code == 404
    capture = {"paymentType": "CP", "amount": "92.00", "currency": "EUR"}
    for each in (who, gateway.merchant):
        taken = gateway.send(f"/v1/payments/{held}", {"entityId": each.entity_id, **capture}, each)
        assert code_of(taken) == PAID[mode]
    keys = [
        gateway.control("GET", f"/sandboxes/{each}/terminals/{device.id}").json["keys"]
        for each in (sandbox, own)
    ]
    assert keys[0] == keys[1]
    log = log_of(gateway, own)
    assert pin not in log and data not in log


def test_terminals_that_are_made_or_removed_in_a_copy_are_so_there_alone(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    device = Device.of(gateway, sandbox)
    own, who = copied(gateway, anna, sandbox)
    new = Device.of(gateway, own)
    assert gateway.control("DELETE", f"/sandboxes/{own}/terminals/{device.id}").status_code == 200

    codes = [
        code_of(gateway.post(who=where, **sent_by(each)))
        for each in (device, new)
        for where in (gateway.merchant, who)
    ]

    assert codes == [PAID["INTERNAL"], UNKNOWN_KEY, UNKNOWN_KEY, PAID["INTERNAL"]]
