"""Card number, track, PIN and keys are in no file of a terminal, no notice, on no receipt.

Neither are they in the gateway's journal and traces.
"""

import json
from pathlib import Path

from pos_emulator.card.profiles import card_file
from pos_emulator.receipts.document import document_of
from pos_emulator.receipts.text import render_text
from pos_emulator.terminal.records import Notice, OrderKind
from pos_emulator.tests.terminal.shop import Shop

PIN = "7351984"


def test_nothing_secret_leaves_a_terminal(shop: Shop):
    notices: list[Notice] = []
    shop.terminal.watch(notices.append)

    entries = [
        shop.order("60.00", cards=[shop.insert()], pins=[PIN, "1234"]),
        shop.order("60.00", cards=[shop.tap()], pins=["1234"]),
        shop.order("20.00", cards=[shop.tap("tap-old")]),
        shop.order("60.00", cards=[shop.insert("dead-chip")] * 3 + [shop.swipe("dead-chip")]),
        shop.order("60.00", cards=[shop.key("sign", code="917")]),
    ]
    shop.order(None, OrderKind.VOID, receipt=entries[0].receipt)
    shop.terminal.network_up = False
    shop.order("12.00", cards=[shop.insert("gold")])
    shop.restart()
    files = contents_of(shop.folder)
    shop.terminal.network_up = True
    shop.terminal.work()

    texts = "".join(map(str, [notices, entries, shop.terminal.totals()]))
    receipts = "".join(render_text(document_of(*each)) for each in shop.desk.printed)
    journal = json.dumps(shop.sandbox.journal(limit=100))
    traces = "".join(shop.sandbox.trace(each.payment) for each in entries if each.payment)
    assert len(entries) == len([each for each in entries if each.payment])
    for text in (files, contents_of(shop.folder), texts, receipts, journal, traces):
        for name, secret in secrets_of(shop).items():
            assert secret not in text and secret not in text.replace(" ", ""), name


def contents_of(folder: Path) -> str:
    """Every file of a folder, as text and as hex."""
    contents = [each.read_bytes() for each in folder.rglob("*") if each.is_file()]
    assert len(contents) >= 5
    return "".join(each.decode("latin-1") + each.hex().upper() for each in contents)


def secrets_of(shop: Shop) -> dict[str, str]:
    """What may be nowhere, by its name: numbers, ends of tracks, the PIN, the protection key."""
    cards = {name: card_file().cards[name] for name in ("gold", "tap-old", "dead-chip", "sign")}
    numbers = {f"number of {name}": card.number for name, card in cards.items()}
    tracks = {
        f"{kind} of {name}": data
        for name, card in cards.items()
        for kind, data in (
            ("track in the chip", card.discretionary.chip),
            ("track on the magstripe", card.discretionary.magstripe),
        )
    }
    hexed = {f"{name} in hex": secret.encode().hex().upper() for name, secret in numbers.items()}
    keys = {"protection key": shop.document["load"]["kbpk"].upper()}
    return numbers | tracks | hexed | keys | {"PIN": PIN}
