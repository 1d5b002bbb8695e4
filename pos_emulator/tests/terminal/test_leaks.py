"""Card number, track, PIN and keys are in no file of a terminal, no notice, on no receipt.

Neither are they in the gateway's journal, traces and ledgers: with each way to read a card, each
kind of keys, and in both test modes.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_emulator.card.profiles import card_file
from pos_emulator.receipts.document import document_of
from pos_emulator.receipts.escpos import render_escpos
from pos_emulator.receipts.svg import render_svg
from pos_emulator.receipts.text import render_text
from pos_emulator.terminal.records import Notice, OrderKind, TerminalEntry
from pos_emulator.tests.secrets import forms_of_card, forms_of_load, forms_of_pin, found_in
from pos_emulator.tests.terminal.shop import Shop
from simulator.client.sandbox import SandboxClient

PIN, CODE = "735198402617", "91743"
# At 17:43 on the 29th five digits stand in the time of each ISO 8583 message (MMDDhhmmss).
CODE_ALONE = re.compile(rb"(?<![0-9A-Za-z.])%b(?![0-9A-Za-z])" % CODE.encode())
CARDS = ("gold", "tap-old", "dead-chip", "sign", "tap")
MODES = {"CHIP", "CONTACTLESS", "SWIPED, FALLBACK", "KEYED"}


@pytest.fixture(params=["AES", "TDES"])
def method(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["EXTERNAL", "INTERNAL"])
def shop(
    request: pytest.FixtureRequest, method: str, sandgate_sandbox: SandboxClient, tmp_path: Path
) -> Iterator[Shop]:
    folder = tmp_path / "terminal"
    made = Shop(sandgate_sandbox, folder, method=method, test_mode=request.param)
    yield made
    made.close()


def test_nothing_secret_leaves_a_terminal(shop: Shop):
    notices: list[Notice] = []
    shop.terminal.watch(notices.append)

    entries = pay_in_every_way(shop)
    shop.order(None, OrderKind.VOID, receipt=entries[0].receipt)
    shop.terminal.network_up = False
    shop.order("12.00", cards=[shop.insert("gold")])
    shop.restart()
    outputs = {"files with a stored payment": contents_of(shop.folder)}
    shop.terminal.network_up = True
    shop.terminal.work()
    outputs["notices"] = "".join(map(str, notices)).encode()
    outputs |= dict(outputs_of(shop, entries))

    assert {each.printed.entry_mode for each in entries if each.printed} == MODES
    assert all(each.payment for each in entries)
    secrets = dict(secrets_of(shop))
    leaks = {name: found_in(output, secrets) for name, output in outputs.items()}
    assert {name: found for name, found in leaks.items() if found} == {}
    assert len(secrets) > 400
    assert not CODE_ALONE.search(b"".join(outputs.values()))


def pay_in_every_way(shop: Shop) -> list[TerminalEntry]:
    return [
        shop.order("60.00", cards=[shop.insert()], pins=[PIN, "1234"]),
        shop.order("60.00", cards=[shop.tap()], pins=["1234"]),
        shop.order("80.00", cards=[shop.tap("tap")]),
        shop.order("20.00", cards=[shop.tap("tap-old")]),
        shop.order("60.00", cards=[shop.insert("dead-chip")] * 3 + [shop.swipe("dead-chip")]),
        shop.order("60.00", cards=[shop.key("sign", code=CODE), shop.key("sign", code="917")]),
    ]


def outputs_of(shop: Shop, entries: list[TerminalEntry]) -> Iterator[tuple[str, bytes]]:
    """All that terminal, printer and gateway show at the end, by name."""
    yield "files", contents_of(shop.folder)
    yield "entries", "".join(map(repr, [*entries, shop.terminal.totals()])).encode()
    for place, printed in enumerate(shop.desk.printed):
        lines = document_of(*printed)
        text = render_text(lines) + render_svg(lines, "receipt")
        yield f"receipt {place}", text.encode() + render_escpos(lines)
    sandbox, control = shop.sandbox, shop.sandbox.control
    for entry in sandbox.journal(limit=100):
        written = json.dumps(control.journal_entry(sandbox.id, entry["ndc"]))
        yield f"journal {entry['ndc']}", written.encode()
    for each in entries:
        yield f"trace {each.payment}", sandbox.trace(each.payment).encode()
    yield "books", json.dumps([shop.books(), control.terminals(sandbox.id)]).encode()


def contents_of(folder: Path) -> bytes:
    """Every file of a folder but the one that stands for the memory of a real terminal."""
    contents = [
        each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file() and each.name != "storage.key"
    ]
    assert len(contents) >= 4
    return b"".join(contents)


def secrets_of(shop: Shop) -> Iterator[tuple[str, bytes]]:
    yield from forms_of_pin(PIN, card_file().cards["gold"].number)
    yield from forms_of_load(shop.document)
    for name in CARDS:
        yield from forms_of_card(name)
