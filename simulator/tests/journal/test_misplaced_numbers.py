"""A card number typed into any field, however it is spelled, is repeated nowhere."""

import re
from collections.abc import Iterator
from pathlib import Path
from unicodedata import digit

import pytest

from simulator.catalogue.operations.endpoints import ROWS
from simulator.tests.kit.gateway import ORDER, Gateway

NUMBER = "4539578763621486"
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
CIRCLED = str.maketrans("0123456789", "⓪①②③④⑤⑥⑦⑧⑨")
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def grouped(between: str, size: int = 4) -> str:
    """The number in groups of digits."""
    return between.join(NUMBER[place : place + size] for place in range(0, len(NUMBER), size))


SPELLED = {
    "plain": NUMBER,
    "blanks": grouped(" "),
    "dashes": grouped("-"),
    "dots": grouped("."),
    "slashes": grouped(" / "),
    "lines": grouped("\n"),
    "no-break blanks": grouped("\u00a0"),
    "invisible": grouped("\u200b"),
    "underscores": grouped("_"),
    "colons": grouped(":"),
    "quotes": grouped("' '"),
    "blanks of an address": grouped("%20"),
    "line breaks written out": grouped("\\n"),
    "pairs": grouped(" ", 2),
    "single digits": grouped(" ", 1),
    "in words": f"card{NUMBER}exp",
    "in other digits": f"7{grouped(' ')}1",
    "with decimals": f"{NUMBER}.00",
    "at the cut": "x" * 245 + NUMBER,
    "at the cut in groups": "x" * 240 + grouped(" "),
    "full width": NUMBER.translate(FULL_WIDTH),
    "Arabic digits": grouped(" ").translate(ARABIC),
    "raised": NUMBER.translate(RAISED),
    "in circles": grouped(" ").translate(CIRCLED),
    "in an address": f"https://shop.example/done?card={NUMBER}",
}


def names_and_paths() -> Iterator[tuple[str, str]]:
    """Each parameter of a request once, with the path of an operation that has it."""
    paths = {
        name.replace("[n]", "[0]").replace("[name]", "[note]").replace("[key]", "[note]"): row.path
        for row in ROWS
        if row.method == "POST"
        for table in row.tables
        for param in table.rows
        for name in param.concrete_names
    }
    for name, path in paths.items():
        yield name, re.sub(r"\{\w+\}", "8" + "a" * 31, path)


# Each spelling is tried in each fifth parameter, from one to the next at another place.
FIFTH = 5


def places_of(spelled: str, *, is_whole: bool) -> list[tuple[str, str]]:
    """The parameters in which a spelling is tried."""
    first = list(SPELLED.values()).index(spelled) % FIFTH
    return list(names_and_paths())[slice(None) if is_whole else slice(first, None, FIFTH)]


def repeats(text: str) -> bool:
    """Whether a text has so many digits of the number in a row that they are no masked number."""
    digits = "".join(str(digit(sign)) for sign in text if sign.isdigit())
    return NUMBER[:11] in digits or NUMBER[-11:] in digits


@pytest.mark.parametrize(
    "is_whole", [False, pytest.param(True, marks=pytest.mark.proof)], ids=["some", "all"]
)
@pytest.mark.parametrize("spelled", SPELLED.values(), ids=SPELLED.keys())
def test_no_refused_parameter_repeats_a_card_number(
    tmp_path: Path, spelled: str, *, is_whole: bool
) -> None:
    gateway = Gateway(tmp_path / "data", journal_count=5000)
    sent = {**ORDER, "card.number": "4200000000000000", "entityId": gateway.merchant.entity_id}
    refused = []
    for name, path in places_of(spelled, is_whole=is_whole):
        answer = gateway.send(path, {**sent, name: spelled})
        if answer.status_code != 200:
            refused.append(name)
            assert not repeats(answer.text), (name, answer.text)

    (sandbox,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    entries = list(gateway.ports(sandbox["id"]).journal.iterate_newest_first())
    entries += gateway.control("GET", "/journal?limit=500").json["entries"]
    gateway.close()
    assert len(refused) * FIFTH > 100 * (FIFTH if is_whole else 1)
    assert len(entries) * FIFTH > 300 * (FIFTH if is_whole else 1)
    assert [entry for entry in entries if repeats(str(entry))] == []
