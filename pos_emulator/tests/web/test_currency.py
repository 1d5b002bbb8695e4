"""The page of a terminal with rates and GPS: a currency is chosen, a position is typed."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from pos_emulator.counter.opening import counter_at, place_for
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.tests.web.conftest import PageClient
from pos_emulator.web.server import TerminalPage, serving_page

RATES = ConversionRates(rates={"EUR": Decimal(1), "USD": Decimal("1.2")})


@pytest.fixture(scope="module")
def portable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageClient]:
    folder: Path = tmp_path_factory.mktemp("portable") / "kept"
    with (
        place_for({}) as place,
        counter_at(place, folder=folder, model="PORTABLE", rates=RATES) as counter,
    ):
        page = TerminalPage(
            counter.terminal, counter.desk, till=counter.till, feed=counter.feed,
            trace_of=counter.place.trace_of,
        )  # fmt: skip
        with serving_page(page, "127.0.0.1:0") as url:
            yield PageClient(url, counter)


def offered(portable: PageClient, reader: str) -> dict:
    portable.do("order", operation="sale", amount="60.00", currency="USD")
    portable.until_asked("card")
    portable.do("card", card="gold", reader=reader)
    return portable.until_asked("currency")


def test_a_currency_is_chosen_on_the_page(portable: PageClient) -> None:
    question = offered(portable, "chip")
    assert question["labels"] == ["USD 60.00", "EUR 51.75"]
    assert question["terms"] == "1 USD = 0.8625 EUR, WITH 3.5 % MARKUP"
    assert portable.act("pin", pin="1234")[0] == 409
    assert portable.act("choice", place=2)[0] == 400
    assert portable.act("choice", place="EUR")[0] == 400
    portable.do("choice", place=1)
    portable.until_asked("pin")
    assert portable.state["display"] == "EUR 51.75\nENTER PIN"
    portable.do("pin", pin="1234")

    entry = portable.until_done()

    assert (entry["amount"], entry["charged"]) == ("USD 60.00", "EUR 51.75")


def test_a_tap_is_asked_for_again_with_what_was_chosen(portable: PageClient) -> None:
    offered(portable, "tap")
    portable.do("choice", place=1)

    again = portable.until_asked("card")

    assert (again["text"], again["readers"]) == ("TAP AGAIN", ["tap"])
    assert portable.state["display"] == "EUR 51.75\nTAP AGAIN"
    assert portable.act("card", card="gold", reader="chip")[0] == 409
    portable.do("card", card="gold", reader="tap")
    portable.until_asked("pin")
    portable.do("pin", pin="1234")
    assert portable.until_done()["charged"] == "EUR 51.75"


def test_who_keeps_the_tills_currency_is_charged_in_no_other(portable: PageClient) -> None:
    offered(portable, "chip")
    portable.do("choice", place=0)
    portable.until_asked("pin")
    portable.do("pin", pin="1234")

    assert portable.until_done()["charged"] == ""


def test_a_position_is_typed_and_sent(portable: PageClient) -> None:
    assert b'id="position"' in portable.get("/")[1]
    portable.do("position", position="52.520008, 13.404954, 12")
    assert portable.look()["position"] == "52.520008,13.404954,12"

    refused = [portable.act("position", position=each) for each in ("91,0", "x" * 61, "1;2")]

    assert [status for status, _ in refused] == [400] * 3
    assert "position: expected" in refused[0][1]["problem"]
    entry = portable.dip("5.00")
    status, trace = portable.get(f"/payments/{entry['payment']}/trace")
    assert status == 200 and json.loads(trace)["messages"]
    portable.do("position", position="")
    assert portable.look()["position"] == ""
