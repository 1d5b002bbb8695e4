"""A till that knows nothing but the wire has a session at a terminal that runs as a process.

Each line of what a till must be able to do is asked for once, in each dialect of nexo and by ZVT;
the person in front of the terminal acts by its page.
"""

import re
import threading
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote_plus

import pytest

from pos_emulator.tests.ecr.running import Person, switched_on
from pos_emulator.tests.ecr.till import Till
from pos_emulator.tests.ecr.zvt.till import ACKNOWLEDGED, ZvtTill
from simulator.client import GatewayAccess
from simulator.client.sandbox import SandboxClient

CLOSE = {"ReconciliationType": "SaleReconciliation"}
COMPLETION = "060f00"
FORM = 'additional = "form"\npoi_id = "T100-324688179"\n'
# The categories of nexo Retailer 3.0 beside those that are carried out.
OTHERS = (
    "Admin", "BalanceInquiry", "Batch", "CardReaderAPDU", "CardReaderInit", "CardReaderPowerOff",
    "Loyalty", "PIN", "Sound", "StoredValue", "Transmit",
)  # fmt: skip


def till_of(person: Person, folder: Path, dialect: str) -> Till:
    """A till that writes amounts and names the terminal as its dialect has it."""
    poi = "T100-324688179" if dialect == "form" else person.facts["terminal_id"]
    ca = folder / "nexo" / "ca.pem"
    return Till(person.facts["nexo_url"], ca, strings=dialect == "form", poi=poi)


def options_of(tmp_path: Path, dialect: str) -> tuple[str, ...]:
    if dialect == "text":
        return ()
    (tmp_path / "till.toml").write_text(FORM)
    return ("--nexo-settings", str(tmp_path / "till.toml"))


def books(sandbox: SandboxClient) -> Any:
    return sandbox.control.books(sandbox.id)


def named(answer: Any) -> str:
    return str(answer["POIData"]["POITransactionID"]["TransactionID"])


def result_of(answer: Any) -> str:
    response = answer["Response"]
    return str(response.get("ErrorCondition", response["Result"]))


def explained(answer: Any, dialect: str) -> str:
    """What is said beside a refusal, read as the dialect has it."""
    said = answer["Response"]["AdditionalResponse"]
    return parse_qs(said, strict_parsing=True)["message"][0] if dialect == "form" else said


def repeated(answer: Any) -> Any:
    return answer["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]


def wait_until_asked(person: Person) -> None:
    person.page.until_asked("card")


@pytest.mark.parametrize("dialect", ["text", "form"])
def test_a_session_of_nexo(
    sandgate_gateway: GatewayAccess, sandgate_sandbox: SandboxClient, tmp_path: Path, dialect: str
) -> None:
    folder, options = tmp_path / "terminal", options_of(tmp_path, dialect)
    with switched_on(sandgate_gateway, sandgate_sandbox, folder, *options) as person:
        till = till_of(person, folder, dialect)
        dip = person.dip("gold", "1234")

        assert result_of(till.ask("Diagnosis", {"HostDiagnosisFlag": True})) == "Success"
        assert result_of(till.ask("GetTotals", {})) == "LoggedOut"
        assert result_of(till.login()) == "Success"

        paid = person.during(lambda: till.pay("60.00"), dip)
        of_it = till.pay("10.00", kind="Refund", original=named(paid))
        with_card = person.during(lambda: till.pay("5.00", kind="Refund"), dip)
        sold = person.during(lambda: till.pay("20.00"), person.dip("gold", "1234"))
        whole = till.reverse(named(sold))
        done = (paid, of_it, with_card, sold, whole)
        assert [result_of(each) for each in done] == ["Success"] * len(done)
        amounts = paid["PaymentResult"]["AmountsResp"]
        assert amounts == {"Currency": "EUR", "AuthorizedAmount": "60.00"}
        assert paid["SaleData"]["SaleTransactionID"]["TransactionID"] == "receipt 1"
        assert result_of(till.reverse(named(sold))) == "NotAllowed"
        assert result_of(till.reverse("000099")) == "NotFound"

        reserved = person.during(lambda: till.pay("50.00", kind="FirstReservation"), dip)
        taken = till.pay("30.00", kind="Completion", original=named(reserved))
        assert [result_of(reserved), result_of(taken)] == ["Success"] * 2

        till.number = 500
        aborted = person.during(lambda: till.pay("7.00"), lambda: _abort(person, till, dialect))
        assert result_of(aborted) == "Aborted"
        assert repeated(till.status("0501")) == {"PaymentResponse": aborted}

        _fail_in_each_way(person, till, dialect)

        assert {result_of(till.ask(each, {})) for each in OTHERS} == {"UnavailableService"}
        again = till.ask("Diagnosis", {}, ServiceID="0501")
        assert result_of(again) == "MessageFormat"
        said = unquote_plus(again["Response"]["AdditionalResponse"])
        assert "Repeated Message" in said

        totals = till.ask("GetTotals", {})
        closed = till.ask("Reconciliation", CLOSE)
        (euros,) = closed["TransactionTotals"]
        sums = {row["TransactionType"]: row["TransactionAmount"] for row in euros["PaymentTotals"]}
        assert (sums["Debit"], sums["Credit"]) == ("110.00", "15.00")
        assert totals["TransactionTotals"] == closed["TransactionTotals"]
        assert result_of(till.ask("Logout", {})) == "Success"
        assert result_of(till.ask("Reconciliation", CLOSE)) == "LoggedOut"
    assert books(sandgate_sandbox)["agree"]


def _fail_in_each_way(person: Person, till: Till, dialect: str) -> None:
    """A card, a person and the network end payments, and the till learns why."""
    declined = person.during(lambda: till.pay("60.00"), person.dip("poor", "1234"))
    wrong = person.during(
        lambda: till.pay("61.00"), person.dip("online-only", "9999", "9999", "9999")
    )
    canceled = person.during(lambda: till.pay("3.00"), person.press_red)
    person.page.do("network", up=False)
    unreachable = person.during(lambda: till.pay("60.00"), person.dip("online-only", "1234"))
    person.page.do("network", up=True)
    endings = [result_of(each) for each in (declined, wrong, canceled, unreachable)]
    assert endings == ["Refusal", "WrongPIN", "Cancel", "UnreachableHost"]
    assert explained(wrong, dialect).startswith("the PIN was wrong")
    assert explained(declined, dialect).startswith("declined")


def _abort(person: Person, till: Till, dialect: str) -> None:
    """Another connection of the till sees the payment under way, and aborts it."""
    wait_until_asked(person)
    other = till_again(till)
    assert result_of(other.status("0501")) == "InProgress"
    assert result_of(other.pay("1.00")) == "Busy"
    assert other.abort("0501") is None


def till_again(till: Till, url: str = "") -> Till:
    """The same till with a connection of its own."""
    return Till(
        url or till.url, till.ca, strings=till.strings, poi=till.poi, number=till.number + 100
    )


@pytest.mark.parametrize("dialect", ["text", "form"])
def test_a_till_finds_what_became_of_lost_answers(
    sandgate_gateway: GatewayAccess, sandgate_sandbox: SandboxClient, tmp_path: Path, dialect: str
) -> None:
    """One payment has ended when the power is cut, one waits for a card."""
    folder, options = tmp_path / "terminal", options_of(tmp_path, dialect)
    with switched_on(sandgate_gateway, sandgate_sandbox, folder, *options, kill=True) as person:
        till = till_of(person, folder, dialect)
        paid = person.during(lambda: till.pay("60.00"), person.dip("gold", "1234"))
        lost: list[BaseException] = []
        cut = threading.Thread(target=lambda: _pay_in_vain(till, lost), daemon=True)
        cut.start()
        wait_until_asked(person)
    cut.join(60)
    assert lost

    with switched_on(sandgate_gateway, sandgate_sandbox, folder, *options) as person:
        again = till_again(till, person.facts["nexo_url"])
        assert again.abort("0002") is None
        assert repeated(again.status("0001")) == {"PaymentResponse": paid}
        assert result_of(repeated(again.status("0002"))["PaymentResponse"]) == "DeviceOut"
        assert result_of(again.status("0099")) == "NotFound"
        again.login()
        (euros,) = again.ask("Reconciliation", CLOSE)["TransactionTotals"]
        assert [row["TransactionAmount"] for row in euros["PaymentTotals"]] == ["60.00"]
    assert books(sandgate_sandbox)["agree"]


def _pay_in_vain(till: Till, lost: list[BaseException]) -> None:
    try:
        till.pay("20.00")
    except OSError as error:
        lost.append(error)


def test_a_session_of_zvt(
    sandgate_gateway: GatewayAccess, sandgate_sandbox: SandboxClient, tmp_path: Path
) -> None:
    folder = tmp_path / "terminal"
    with (
        switched_on(sandgate_gateway, sandgate_sandbox, folder, kill=True) as person,
        ZvtTill(person.facts["zvt_address"]) as till,
    ):
        assert till.login("0A")[1].startswith("060f")
        assert till.ask("0670 00")[-1] == COMPLETION
        assert till.ask("0501 03 000000")[-1] == "060f0100"
        assert till.ask("0620 03 000000")[-1] == "061e0183"

        paid = person.during(lambda: till.pay(6000), person.dip("gold", "1234"))
        refund = "0631 0A 000000 04 000000001000"
        refunded = person.during(lambda: till.ask(refund), person.dip("gold", "1234"))
        sold = person.during(lambda: till.pay(2000), person.dip("gold", "1234"))
        reversed_ = till.ask("0630 06 000000 87 0003")
        assert [each[-1] for each in (paid, refunded, sold, reversed_)] == [COMPLETION] * 4
        assert paid[0] == ACKNOWLEDGED and "04000000006000" in status_of(paid)
        assert sum(each.startswith("06d1") for each in paid) > 2
        assert till.ask("0630 06 000000 87 0003")[-1] == "061e01b5"
        assert till.ask("0630 06 000000 87 0099")[-1] == "061e01b5"

        declined = person.during(lambda: till.pay(6000), person.dip("stolen", "1234"))
        canceled = person.during(lambda: till.pay(300), person.press_red)
        till.send("0601 07 04 000000000700")
        assert [till.read(), till.read()] == [ACKNOWLEDGED, "04ff010a"]
        till.acknowledge()
        wait_until_asked(person)
        aborted = till.ask("06B0 00")
        assert [each[-1] for each in (declined, canceled, aborted)] == [
            "061e012b", "061e016c", "061e016c"
        ]  # fmt: skip
        assert [till.ask(each)[-1] for each in ("0699 00", "0601 02 0401", "0650 03 999999")] == [
            "848300", "849a00", "848300"
        ]  # fmt: skip

        last = person.during(lambda: till.pay(1000), person.dip("gold", "1234"))
    with (
        switched_on(sandgate_gateway, sandgate_sandbox, folder) as person,
        ZvtTill(person.facts["zvt_address"]) as till,
    ):
        assert till.ask("0620 03 000000")[1] == status_of(last)
        totals = till.ask("0610 03 000000")
        closed = till.ask("0650 03 000000")
        assert "04000000006000" in totals[1] and totals[-1] == closed[-1] == COMPLETION
        assert without_time(totals[1]) == without_time(closed[1])
        assert till.ask("0650 03 000000")[-1] == COMPLETION
        till.send("0602 00")
        assert till.read() == ACKNOWLEDGED
    assert books(sandgate_sandbox)["agree"]


def status_of(answer: list[str]) -> str:
    """The status information of a payment."""
    return next(each for each in answer if each.startswith("040f"))


def without_time(status: str) -> str:
    """A status information but for the time of the day in it, field 0C."""
    return re.sub("0c[0-9]{6}0d", "0d", status)
