"""What is secret about cards, PINs and keys leaves a terminal by none of its surfaces.

One day at the page, at two tills and at the gateway; all that each of them answered, logged,
printed and stored is searched.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pos_emulator.card.profiles import card_file
from pos_emulator.counter.opening import Counter, Place, counter_at
from pos_emulator.ecr.nexo.dialects import Additional
from pos_emulator.ecr.nexo.server import serve_nexo
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.ecr.zvt.server import serve_zvt
from pos_emulator.receipts.escpos import render_escpos
from pos_emulator.terminal.memory.identity import IdentityError
from pos_emulator.terminal.records import Ending, OrderError, TerminalEntry, TillOrder
from pos_emulator.terminal.setup import load_terminal
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.till import Till
from pos_emulator.tests.ecr.zvt.till import ZvtTill
from pos_emulator.tests.secrets import (
    forms_of_bytes,
    forms_of_card,
    forms_of_digits,
    forms_of_load,
    forms_of_pin,
    found_in,
)
from pos_emulator.tests.web.conftest import PageClient
from pos_emulator.web.papers import FORMS
from pos_emulator.web.server import TerminalPage, serving_page
from simulator.client.gateway import GatewayAccess
from simulator.client.sandbox import SandboxClient

# Of no virtual card; its issuer is none of theirs. Source: public test numbers of the brand.
HOSTILE = "4012888888881881"
PIN, CODE = "735198402617", "9174"
CARDS = ("gold", "tap-old", "dead-chip", "sign", "offline", "stolen")
LOOK_EVERY_S = 0.2
SPELLED = (
    HOSTILE, "4012 8888 8888 1881", "4012-8888-8888-1881", f"order {HOSTILE}/1", "1 " + HOSTILE,
    "٤٠١٢٨٨٨٨٨٨٨٨١٨٨١", "４０１２８８８８８８８８１８８１", "4012_8888_8888_1881",
    "4012\u200b8888\u200b8888\u200b1881", "4012:8888:8888:1881", "4012%208888%208888%201881",
)  # fmt: skip


@dataclass
class Day:
    """A terminal with all its surfaces; `outputs` is what came out of each, by name. The two nexo
    tills speak a dialect each.
    """

    counter: Counter
    page: PageClient
    till: Till
    other_till: Till
    zvt: ZvtTill
    log: StringIO
    outputs: dict[str, bytes] = field(default_factory=dict)
    fetched: set[str] = field(default_factory=set)

    def note(self, name: str, content: object) -> Any:
        written = content if isinstance(content, bytes) else str(content).encode()
        self.outputs[f"{len(self.outputs)} {name}"] = written
        return content


@pytest.fixture
def document(sandgate_sandbox: SandboxClient) -> dict[str, Any]:
    """What the control API answers once to a new terminal."""
    return dict(sandgate_sandbox.control.create_terminal(sandgate_sandbox.id))


@pytest.fixture
def day(
    sandgate_gateway: GatewayAccess,
    sandgate_sandbox: SandboxClient,
    document: dict[str, Any],
    tmp_path: Path,
) -> Iterator[Day]:
    sandbox = sandgate_sandbox
    folder = tmp_path / "terminal"
    folder.mkdir()
    load_terminal(folder, document, merchant="Corner Shop")
    place = Place(
        sandgate_gateway, sandbox.id, sandbox.entity_id, sandbox.token, is_own=False
    )  # fmt: skip
    handler = logging.StreamHandler(StringIO())
    logging.getLogger().addHandler(handler)
    logging.getLogger("sandgate").setLevel(logging.DEBUG)
    settings = NexoSettings(folder=folder / "nexo")
    others = NexoSettings(folder=folder / "other", additional=Additional.FORM)
    try:
        with (
            counter_at(place, folder=folder, model="COUNTERTOP") as counter,
            serving_page(page_of(counter), "127.0.0.1:0") as url,
            serve_nexo(counter.terminal, ANY_PORT, settings, desk=counter.desk) as nexo,
            serve_nexo(counter.terminal, ANY_PORT, others, desk=counter.desk) as other,
            serve_zvt(counter.terminal, ANY_PORT) as zvt,
            ZvtTill(zvt) as till,
        ):
            page = PageClient(url, counter)
            poi = counter.terminal.identity.id
            nexo_till = Till(nexo, folder / "nexo" / "ca.pem", poi=poi)
            other_till = Till(other, folder / "other" / "ca.pem", poi=poi, strings=True)
            made = Day(counter, page, nexo_till, other_till, till, handler.stream)
            recorded(made)
            yield made
    finally:
        logging.getLogger().removeHandler(handler)
        logging.getLogger("sandgate").setLevel(logging.NOTSET)


def page_of(counter: Counter) -> TerminalPage:
    return TerminalPage(
        counter.terminal, counter.desk, till=counter.till, feed=counter.feed,
        trace_of=counter.place.trace_of,
    )  # fmt: skip


def recorded(day: Day) -> None:
    """Note everything that page and tills are answered."""
    ask, post, read = day.page.ask, day.till.post, day.zvt.read
    post_other = day.other_till.post
    day.page.ask = lambda *sent, **more: day.note("page", ask(*sent, **more))
    day.till.post = lambda *sent, **more: day.note("nexo", post(*sent, **more))
    day.other_till.post = lambda *sent, **more: day.note("nexo", post_other(*sent, **more))
    day.zvt.read = lambda: bytes.fromhex(day.note("zvt", read())).hex()
    day.counter.terminal.watch(lambda notice: day.note("notice", notice))


def test_nothing_secret_leaves_a_terminal(
    day: Day, document: dict[str, Any], sandgate_sandbox: SandboxClient
):
    page = day.page
    page.do("order", operation="sale", amount="60.00")
    page.until_asked("card")
    page.do("card", card="gold", reader="chip")
    for pin in (PIN, "1234"):
        page.until_asked("pin")
        page.do("pin", pin=pin)
    assert page.until_done()["ending"] == "approved"
    swiped(day, "tap-old", "tap")
    swiped(day, "dead-chip", "chip", "chip", "chip", "magstripe")
    typed(day)
    by_tills(day)
    page.do("network", up=False)
    page.do("order", operation="sale", amount="12.00")
    page.until_asked("card")
    page.do("card", card="offline", reader="chip")
    assert page.until_done()["is_offline"]
    files(day, "offline")
    page.do("network", up=True)
    page.do("work")
    collect(day, sandgate_sandbox)

    secrets = dict(secrets_of(document))

    leaks = {name: found_in(output, secrets) for name, output in day.outputs.items()}
    assert {name: found for name, found in leaks.items() if found} == {}
    assert day.fetched == {"", *FORMS, "svg", "trace"}
    assert any(b"<svg" in output and b"Card and terminal" in output
               for output in day.outputs.values())  # fmt: skip
    assert len(secrets) > 400 and len(day.outputs) > 100
    assert found_in(b"x" + card_file().cards["gold"].number.encode(), secrets), "a search finds"


def swiped(day: Day, card: str, *readers: str) -> None:
    day.page.do("order", operation="sale", amount="20.00")
    for reader in readers:
        day.page.until_asked("card")
        day.page.do("card", card=card, reader=reader)
    finished(day)


def finished(day: Day) -> None:
    """Type the PIN and accept the signature, if the terminal asks for them."""
    while day.page.look()["is_busy"]:
        answer_question(day)
    assert day.page.state["entries"][0]["payment"]


def look_at_once(day: Day) -> dict[str, Any]:
    """The state of the page, whether it is another or not."""
    day.page.state["version"] = 0
    return day.page.look()


def answer_question(day: Day) -> None:
    match (day.page.state["question"] or {}).get("kind"):
        case "pin":
            day.page.do("pin", pin="1234")
        case "signature":
            day.page.do("signature", accepted=True)


def typed(day: Day) -> None:
    profile = card_file().cards["sign"]
    day.page.do("order", operation="sale", amount="60.00")
    day.page.until_asked("card")
    day.page.do("typed-card", number=profile.number, expiry=profile.expiry, code=CODE)
    finished(day)


def by_tills(day: Day) -> None:
    """A payment and a decline by each till, and the end of a day."""
    day.till.login()
    day.other_till.login()
    for pay in (
        day.till.pay,
        day.other_till.pay,
        lambda amount: day.zvt.pay(int(amount[:-3]) * 100),
    ):
        for amount, card in (("60.00", "gold"), ("61.00", "stolen")):
            paying = Thread(target=pay, args=(amount,))
            paying.start()
            day.page.until_asked("card")
            day.page.do("card", card=card, reader="chip")
            while paying.is_alive():
                look_at_once(day)
                answer_question(day)
                paying.join(LOOK_EVERY_S)
            assert look_at_once(day)["entries"][0]["payment"]
    for till in (day.till, day.other_till):
        till.status("0002")
        till.ask("Reconciliation", {"ReconciliationType": "SaleReconciliation"})


def collect(day: Day, sandbox: SandboxClient) -> None:
    """What is left at the end: files, log, receipts, and what the gateway shows."""
    terminal, control = day.counter.terminal, sandbox.control
    files(day, "end")
    day.note("log", day.log.getvalue())
    fetched(day, "/")
    for paper in day.counter.desk.papers:
        day.note("receipt", paper.lines)
        day.note("printer", render_escpos(paper.lines))
        for form in FORMS:
            fetched(day, f"/papers/{paper.number}.{form}")
    entries = [*terminal.entries(), *(terminal.entry(f"0001-{n:06d}") for n in range(1, 8))]
    for entry in filter(None, entries):
        day.note("entry", repr(entry))
        pages_of(day, entry)
        if entry.payment:
            day.note("trace", sandbox.trace(entry.payment))
            day.note("trace", json.dumps(control.trace_document(sandbox.id, entry.payment)))
            day.note("trace", control.trace(sandbox.id, entry.payment, svg=True))
    for entry in sandbox.journal(limit=100):
        day.note("journal", json.dumps(control.journal_entry(sandbox.id, entry["ndc"])))
    day.note("books", json.dumps(control.books(sandbox.id)))
    day.note("terminals", json.dumps(control.terminals(sandbox.id)))
    day.note("terminal", repr((terminal.identity, terminal.totals(), day.counter)))


def pages_of(day: Day, entry: TerminalEntry) -> None:
    """What the page shows of a payment: its exchanges with the card, and its trace."""
    notices = [each.notice for each in day.counter.feed.since(0)]
    if entry.name in {each.entry for each in notices if each.event is not None}:
        fetched(day, f"/receipts/{entry.name}/exchanges.svg")
    if entry.payment in {each.payment for each in day.counter.terminal.entries()}:
        fetched(day, f"/payments/{entry.payment}/trace")


def fetched(day: Day, path: str) -> None:
    """The page has this; what it shows is noted."""
    status, _ = day.page.get(path)
    assert status == 200, path
    day.fetched.add(path.rpartition("/")[2].rpartition(".")[2])


def files(day: Day, when: str) -> None:
    """Every file, but the one that stands for the memory of a real terminal."""
    for each in day.counter.folder.rglob("*"):
        if each.is_file() and each.name != "storage.key":
            day.note(f"{when}: {each.relative_to(day.counter.folder)}", each.read_bytes())


def secrets_of(document: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    yield from forms_of_pin(PIN, card_file().cards["gold"].number)
    yield from forms_of_load(document)
    yield from forms_of_digits("hostile number", HOSTILE)
    yield "code", f'"{CODE}"'.encode()
    for name in CARDS:
        yield from forms_of_card(name)
    keys = card_file().issuer.master_keys
    for each in (keys.ac, keys.smi, keys.smc, keys.cvc3):
        yield from forms_of_bytes("master key", bytes.fromhex(each))


def test_an_order_that_names_a_card_number_is_refused_and_kept_nowhere(day: Day):
    day.till.login()

    for number in SPELLED:
        by_order(day, number)
        by_nexo(day, number)
        for action, sent in hostile_actions(number):
            assert day.page.act(action, **sent)[0] in (400, 409)
    by_zvt(day)
    assert day.page.get(f"/payments/{HOSTILE}/trace")[0] == 404
    files(day, "end")
    day.note("log", day.log.getvalue())

    assert [each.ending for each in day.counter.terminal.entries()] == [Ending.CANCELED]
    secrets = dict(forms_of_digits("number", HOSTILE))
    secrets |= {each: each.encode() for each in SPELLED}
    assert {name: found for name, output in day.outputs.items()
            if (found := found_in(output, secrets))} == {}  # fmt: skip


def by_order(day: Day, number: str) -> None:
    for order in (
        TillOrder(amount=Decimal(1), reference=number),
        TillOrder(amount=Decimal(1), receipt=number),
        TillOrder(amount=Decimal(1), currency=number),
        TillOrder(amount=Decimal(f"1.{HOSTILE}")),
        TillOrder(amount=Decimal(HOSTILE)),
    ):
        with pytest.raises(OrderError) as error:
            day.counter.terminal.run(order)
        day.note("error", error.value)
    document = {
        "model": "COUNTERTOP", "id": "1", "device": "1", "channel": "a", "merchant": number
    }  # fmt: skip
    with pytest.raises(IdentityError) as named:
        load_terminal(day.counter.folder / "new", document)
    day.note("error", named.value)


def by_zvt(day: Day) -> None:
    """A till may name the card that is to pay, in field 22; the terminal asks for a card."""
    paying = Thread(target=day.zvt.ask, args=(f"0601 12 04 000000001250 22 F0F8 {HOSTILE}",))
    paying.start()
    day.page.until_asked("card")
    day.page.do("red-key")
    paying.join(20)


def by_nexo(day: Day, number: str) -> None:
    """A number in names, references and amounts of a till: MessageFormat, or an event."""
    till = day.till
    sale = {"TransactionID": number, "TimeStamp": "2026-11-23T09:00:00+00:00"}
    amounts = {"Currency": "EUR", "RequestedAmount": 12.5}
    for body in (
        {"SaleData": {"SaleTransactionID": sale}, "PaymentTransaction": {"AmountsReq": amounts}},
        {"PaymentTransaction": {"AmountsReq": {**amounts, "RequestedAmount": int(HOSTILE)}}},
        {"PaymentTransaction": {"AmountsReq": {**amounts, "Currency": number}}},
        {"SaleData": {number: [{"deep": number}]}},
        {**till.payment("12.50"), "PaymentData": {"PaymentType": "Normal", "Note": number}},
        {**till.payment("12.50"), "PaymentData": {number: 1}},
        till.payment("12.50", acquired=number),
    ):
        answer = till.ask("Payment", body)
        assert answer["Response"]["ErrorCondition"] == "MessageFormat"
    text = {"OutputFormat": "Text", "OutputText": [{"Text": number}]}
    output = {"Device": "CustomerDisplay", "InfoQualify": "Display", "OutputContent": text}
    till.ask("Display", {"DisplayOutput": [output]})
    answer = till.ask("Payment", {}, SaleID=number)
    assert answer["SaleToPOIRequest"]["EventNotification"]["EventToNotify"] == "Reject"
    till.post(f'{{"{number}'.encode())
    answer = till.ask("Payment", till.payment("12.50"), SaleID=HOSTILE[:8], ServiceID=HOSTILE[8:])
    assert answer["Response"]["ErrorCondition"] == "MessageFormat"


def hostile_actions(number: str) -> Iterator[tuple[str, dict[str, Any]]]:
    order = {"operation": "sale", "amount": "1.00"}
    yield "order", {**order, "amount": number}
    yield "order", {**order, "receipt": number}
    yield "order", {**order, "currency": number}
    yield "order", {**order, "operation": number}
    yield "order", {**order, number: 1}
    yield "card", {"card": number, "reader": "chip"}
    yield "card", {"card": "gold", "reader": number}
    yield "fault", {"fault": number}
    yield "pin", {"pin": number}
